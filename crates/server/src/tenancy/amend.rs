//! Changing who is who and who may do what.

use redrive_core::Time;
use redrive_model::WriteKeys;
use redrive_proto::duh::v1::Reply;

use crate::audit::Change;
use crate::auth::Edition;
use crate::desk::Desk;
use crate::fault::{Fault, done};
use crate::records::Records;

impl Desk {
    pub(super) fn records(&self) -> Records<'_> {
        Records(self.store())
    }

    pub(super) fn now(&self) -> Time {
        self.app.deadlines.now()
    }

    pub(super) fn new_id(&self) -> String {
        self.app.record_ids.next(self.now()).to_string()
    }

    /// Makes a change of tenancy that is decided on what there is, on condition that it is still so.
    pub(super) async fn amend<T, F>(&self, decide: impl Fn() -> F) -> Result<T, Fault>
    where
        F: Future<Output = Result<(Change<WriteKeys>, T), Fault>>,
    {
        let decide = &decide;
        let changed = self.change(|| async move {
            // Before anything is looked at: what changes from here on refuses the change.
            let edition = Edition::read(self.store()).await?;
            let (change, answer) = decide().await?;
            Ok((change.along([edition.next()]), answer))
        });
        let changed = changed.await;
        // Also of a change that may have been made.
        self.app.auth.note_change();
        let (_, answer) = changed?;
        Ok(answer)
    }

    /// The same for calls that answer nothing.
    pub(super) async fn amend_quietly<F>(&self, decide: impl Fn() -> F) -> Result<Reply, Fault>
    where
        F: Future<Output = Result<Change<WriteKeys>, Fault>>,
    {
        let decide = &decide;
        self.amend(|| async move { Ok((decide().await?, ())) }).await.map(|()| done())
    }
}
