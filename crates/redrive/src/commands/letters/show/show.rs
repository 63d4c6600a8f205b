//! One letter, for people or programs.

use std::io::Write;

use anyhow::Result;

use super::form::Form;
use super::record_line::RecordLine;
use super::tell::tell;
use crate::complaint::Complaint;
use crate::console::Format;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters show orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz
  redrive letters show orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz --reveal --reason 'support case 9' --as json")]
pub(crate) struct Arguments {
    queue: String,
    /// The letter, by its id or its source id.
    id: String,
    /// Also the payload, the headers and the key. The server keeps a record of it, and wants a --reason.
    #[arg(long)]
    reveal: bool,
    /// How the payload is shown to people [default: text, if it is one, else hex].
    #[arg(long = "as", value_name = "FORM", requires = "reveal")]
    form: Option<Form>,
}

pub(crate) async fn run(arguments: &Arguments, has_reason: bool, session: &Session) -> Result<()> {
    let letters = session.client.letters(&arguments.queue);
    if arguments.reveal && !has_reason {
        let complaint = Complaint::usage("a payload is shown to whoever says why");
        return Err(complaint.advise("say it with --reason TEXT; the server keeps it").into());
    }
    let shown = match arguments.reveal {
        true => session.ask(letters.reveal(&arguments.id)).await?,
        false => session.ask(letters.get(&arguments.id)).await?,
    };
    let mut out = session.out();
    match session.format {
        Format::Json => {
            let line = RecordLine::new(&shown, arguments.reveal);
            writeln!(out, "{}", serde_json::to_string(&line)?)?;
        }
        Format::Table => {
            // Before anything is printed: a payload may not have the form that is wanted.
            let payload = match (&shown.content, arguments.reveal) {
                (Some(content), true) => Some(Form::show(arguments.form, &content.payload)?),
                _ => None,
            };
            tell(&shown, &mut out)?;
            if let Some(payload) = payload {
                writeln!(out, "\nPAYLOAD\n{payload}")?;
            }
        }
    }
    Ok(out.flush()?)
}
