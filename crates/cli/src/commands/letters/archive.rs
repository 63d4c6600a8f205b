//! `redrive letters archive` and `restore`.

use anyhow::Result;
use redrive_client::ClientError;
use redrive_client::proto::redrive::v1::{LettersArchiveRequest, LettersRestoreRequest};

use super::bulk;
use super::letter_selection::{GroupConfirmation, LetterSelection};
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    letters: LetterSelection,
    #[command(flatten)]
    confirmation: GroupConfirmation,
}

pub(super) async fn archive(arguments: &Arguments, session: &Session) -> Result<()> {
    let archive = async |ids| {
        let request = LettersArchiveRequest { queue_name: arguments.letters.queue.clone(), ids };
        session.client.archive_letters(&request).await.map(|answer| answer.changed)
    };
    arguments.act(bulk::Action::Archive, session, archive).await
}

pub(super) async fn restore(arguments: &Arguments, session: &Session) -> Result<()> {
    let restore = async |ids| {
        let request = LettersRestoreRequest { queue_name: arguments.letters.queue.clone(), ids };
        session.client.restore_letters(&request).await.map(|answer| answer.changed)
    };
    arguments.act(bulk::Action::Restore, session, restore).await
}

impl Arguments {
    async fn act(
        &self,
        action: bulk::Action,
        session: &Session,
        call: impl AsyncFn(Vec<String>) -> Result<i64, ClientError>,
    ) -> Result<()> {
        match self.letters.group(self.confirmation.yes, session).await? {
            Some(scope) => bulk::execute(action, &scope, session).await,
            None => self.letters.change(action, session, call).await,
        }
    }
}
