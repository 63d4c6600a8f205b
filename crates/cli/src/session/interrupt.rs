//! Ctrl-C.
//!
//! The first SIGINT ends the command at a clean point: a call that changes something is completed, and the command
//! reports its progress. The second SIGINT ends the process.

use anyhow::Result;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::cli_error::CliError;
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

    /// The result of work that can be abandoned at any point; `None` if the user interrupted it.
    pub(crate) async fn or<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        self.0.run_until_cancelled(work).await
    }

    pub(crate) fn is_raised(&self) -> bool {
        self.0.is_cancelled()
    }

    /// The error with which an interrupted command ends.
    pub(crate) fn error(message: impl Into<String>) -> CliError {
        CliError::new(Exit::Interrupted, message)
    }
}
