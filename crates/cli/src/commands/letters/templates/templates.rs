//! The subcommands of `redrive letters templates`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::LettersTemplatesRequest;

use super::template_options::TemplateOptions;
use super::{output, preview};
use crate::session::Session;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Action {
    /// List the templates of a queue in the order of their evaluation.
    #[command(after_help = "Examples:\n  redrive letters templates list orders-dead")]
    List {
        /// Queue name.
        queue: String,
    },
    /// Create a template, or replace the one of the same name.
    Set(Set),
    /// Remove a template. Existing letters do not change.
    #[command(after_help = "Examples:\n  redrive letters templates remove orders-dead slow-bank")]
    Remove {
        /// Queue name.
        queue: String,
        /// Template name.
        name: String,
    },
    /// Count the live letters that a template would match, and the changes that it would make.
    Preview(preview::Arguments),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  redrive letters templates set orders-dead slow-bank --regex 'bank .* timed out' --max-retries 9
  redrive letters templates set orders-dead closed --regex 'bank is closed' --delay 1h
  redrive letters templates set orders-dead acme --when \"metadata.tenant == 'acme'\" --note 'call them'")]
pub(crate) struct Set {
    /// Queue name.
    queue: String,
    /// Template name.
    name: String,
    #[command(flatten)]
    options: TemplateOptions,
}

pub(in crate::commands::letters) async fn run(action: &Action, session: &Session) -> Result<()> {
    let (queue, request) = match action {
        Action::Preview(arguments) => return preview::run(arguments, session).await,
        Action::List { queue } => (queue, LettersTemplatesRequest::default()),
        Action::Set(set) => {
            let template = Some(set.options.template(&set.name));
            (&set.queue, LettersTemplatesRequest { set: template, ..LettersTemplatesRequest::default() })
        }
        Action::Remove { queue, name } => {
            (queue, LettersTemplatesRequest { remove: name.clone(), ..LettersTemplatesRequest::default() })
        }
    };
    let request = LettersTemplatesRequest { queue_name: queue.clone(), ..request };
    let response = session.call(session.client.letter_templates(&request)).await?;
    output::print(&response, session)
}
