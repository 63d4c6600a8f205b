//! `redrive letters resume`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::LettersResumeRequest;

use super::bulk;
use super::named_or_selected::NamedOrSelected;
use crate::session::Session;

#[derive(clap::Args)]
#[command(
    after_help = "A resumed letter is pending again, with all its retries; the first one follows after the delay of its
policy. Its attempts so far are kept. Letters that are not exhausted are not changed.

Examples:
  redrive letters resume orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz
  redrive letters resume orders-dead --destination bank --yes --reason 'the bank is back'
  redrive letters resume orders-dead --group 489d256cf7c4 --yes --reason 'the bank is back'
  redrive letters resume orders-dead --filter \"category == 'network'\" --dry-run
  redrive letters list orders-dead -s exhausted -j | redrive letters resume orders-dead -"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    letters: NamedOrSelected,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let letters = &arguments.letters;
    if let Some(scope) = letters.scope(session).await? {
        return bulk::execute(bulk::Action::Resume, &scope, session).await;
    }
    let resume = async |ids| {
        let request = LettersResumeRequest { queue_name: letters.queue.clone(), ids };
        session.client.resume_letters(&request).await.map(|answer| answer.changed)
    };
    letters.named().change(bulk::Action::Resume, session, resume).await
}
