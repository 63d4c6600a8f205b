//! An explanation by the server, with the settings of a queue.

use std::io::Write;

use anyhow::Result;

use super::options::ExplainOptions;
use super::output::ExplanationOutput;
use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::session::Session;

pub(crate) async fn explain_on_server(options: &ExplainOptions, queue: &str, session: &Session) -> Result<()> {
    let response = session.call(session.client.explain(&options.request(queue))).await?;
    let output = ExplanationOutput::from_response(response, options.requested().max_retries);
    let output = output.ok_or_else(|| CliError::new(Exit::Error, "invalid response of the server"))?;
    let mut out = session.out();
    output.print(session.format, &mut out)?;
    Ok(out.flush()?)
}
