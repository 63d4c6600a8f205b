//! Ctrl-C.
//!
//! The first one ends the command where that is clean: a call that changes something is finished, and the command says
//! how far it came. The second one ends the process.

use anyhow::Result;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::complaint::Complaint;
use crate::exit::Exit;

#[derive(Debug, Clone)]
pub(crate) struct Interrupt(CancellationToken);

impl Interrupt {
    pub(super) fn listen() -> Result<Self> {
        let token = CancellationToken::new();
        let mut signals = signal(SignalKind::interrupt())?;
        let raised = token.clone();
        tokio::spawn(async move {
            while signals.recv().await.is_some() {
                if raised.is_cancelled() {
                    std::process::exit(Exit::Interrupted as i32);
                }
                raised.cancel();
            }
        });
        Ok(Self(token))
    }

    /// The outcome of something that may be left at any point; none, if the user interrupted.
    pub(crate) async fn or<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        self.0.run_until_cancelled(work).await
    }

    pub(crate) fn is_raised(&self) -> bool {
        self.0.is_cancelled()
    }

    /// What the command ends with then.
    pub(crate) fn complaint(so_far: impl Into<String>) -> Complaint {
        Complaint::new(Exit::Interrupted, so_far)
    }
}
