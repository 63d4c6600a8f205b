//! The answer of a server.

use std::io::Write;

use anyhow::Result;

use super::question::Question;
use super::told::Told;
use crate::complaint::Complaint;
use crate::exit::Exit;
use crate::session::Session;

pub(crate) async fn ask(question: &Question, queue: &str, session: &Session) -> Result<()> {
    let answer = session.ask(session.client.explain(&question.request(queue))).await?;
    let told = Told::of_server(answer, question.wanted().max_retries);
    let told = told.ok_or_else(|| Complaint::new(Exit::Error, "the server's answer was not understood"))?;
    let mut out = session.out();
    told.print(session.format, &mut out)?;
    Ok(out.flush()?)
}
