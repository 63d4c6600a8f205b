//! Changes of users, keys, roles and bindings.

use redrive_core::Time;
use redrive_model::WriteKeys;
use redrive_proto::duh::v1::Reply;

use crate::api_error::{ApiError, done};
use crate::audit::Change;
use crate::auth::Edition;
use crate::records::Records;
use crate::request_context::RequestContext;

impl RequestContext {
    pub(crate) fn records(&self) -> Records<'_> {
        Records(self.store())
    }

    pub(super) fn now(&self) -> Time {
        self.app.deadlines.now()
    }

    pub(super) fn new_id(&self) -> String {
        self.app.record_ids.next(self.now()).to_string()
    }

    /// Changes tenancy data, on condition that the edition has not changed since `decide` began.
    pub(super) async fn change_tenancy<T, F>(&self, decide: impl Fn() -> F) -> Result<T, ApiError>
    where
        F: Future<Output = Result<(Change<WriteKeys>, T), ApiError>>,
    {
        let decide = &decide;
        let changed = self.change(|| async move {
            // Read before `decide` reads anything, so that a concurrent change makes this one fail.
            let edition = Edition::read(self.store()).await?;
            let (change, answer) = decide().await?;
            Ok((change.with_writes([edition.next()]), answer))
        });
        let changed = changed.await;
        // Also after an error: the change may have been committed.
        self.app.auth.note_change();
        let (_, answer) = changed?;
        Ok(answer)
    }

    /// Like [`change_tenancy`](Self::change_tenancy) for calls that return no data.
    pub(super) async fn change_tenancy_only<F>(&self, decide: impl Fn() -> F) -> Result<Reply, ApiError>
    where
        F: Future<Output = Result<Change<WriteKeys>, ApiError>>,
    {
        let decide = &decide;
        self.change_tenancy(|| async move { Ok((decide().await?, ())) }).await.map(|()| done())
    }
}
