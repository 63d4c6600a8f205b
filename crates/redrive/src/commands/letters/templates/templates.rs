//! The commands about templates that there are.

use anyhow::Result;
use redrive_client::proto::redrive::v1::LettersTemplatesRequest;

use super::form::Form;
use super::{preview, printed};
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List the templates of a queue, in the order in which they are asked.
    List { queue: String },
    /// Make a template, or put another in the place of the one of its name.
    Set(Set),
    /// Remove a template. Letters that were captured by it stay as they are.
    Remove { queue: String, name: String },
    /// Count the letters that a template matches, and what would be otherwise with them.
    Preview(preview::Arguments),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  redrive letters templates set orders-dead slow-bank --regex 'bank .* timed out' --retry-policy linear --max-retries 9
  redrive letters templates set orders-dead acme --when \"metadata.tenant == 'acme'\" --note 'call them first' --position 1")]
struct Set {
    queue: String,
    name: String,
    #[command(flatten)]
    form: Form,
}

pub(in crate::commands::letters) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let (queue, request) = match &arguments.action {
        Action::Preview(arguments) => return preview::run(arguments, session).await,
        Action::List { queue } => (queue, LettersTemplatesRequest::default()),
        Action::Set(set) => {
            let template = Some(set.form.template(&set.name));
            (&set.queue, LettersTemplatesRequest { set: template, ..LettersTemplatesRequest::default() })
        }
        Action::Remove { queue, name } => {
            (queue, LettersTemplatesRequest { remove: name.clone(), ..LettersTemplatesRequest::default() })
        }
    };
    let told = session.ask(session.client.letters(queue).templates(request)).await?;
    printed::print(&told, session)
}
