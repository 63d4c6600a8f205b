//! Ctrl-C.
//!
//! The first SIGINT ends the command at a clean point: a call that changes something is completed, and the command
//! reports its progress. The second SIGINT ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::cli_error::CliError;
use crate::exit::Exit;

#[derive(Debug, Clone)]
pub(crate) struct Interrupt {
    raised: CancellationToken,
    is_suspended: Arc<AtomicBool>,
}

/// While it exists, Ctrl-C has no effect: it is meant for a program that shares the terminal.
#[derive(Debug)]
pub(crate) struct SuspendedInterrupt(Arc<AtomicBool>);

impl Drop for SuspendedInterrupt {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

impl Interrupt {
    pub(super) fn listen() -> Result<Self> {
        let interrupt = Self { raised: CancellationToken::new(), is_suspended: Arc::default() };
        let mut signals = signal(SignalKind::interrupt())?;
        let Self { raised, is_suspended } = interrupt.clone();
        tokio::spawn(async move {
            while signals.recv().await.is_some() {
                if is_suspended.load(Ordering::Relaxed) {
                    continue;
                }
                if raised.is_cancelled() {
                    std::process::exit(Exit::Interrupted as i32);
                }
                raised.cancel();
            }
        });
        Ok(interrupt)
    }

    pub(crate) fn suspend(&self) -> SuspendedInterrupt {
        self.is_suspended.store(true, Ordering::Relaxed);
        SuspendedInterrupt(Arc::clone(&self.is_suspended))
    }

    /// The result of work that can be abandoned at any point; `None` if the user interrupted it.
    pub(crate) async fn or<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        self.raised.run_until_cancelled(work).await
    }

    pub(crate) fn is_raised(&self) -> bool {
        self.raised.is_cancelled()
    }

    /// The error with which an interrupted command ends.
    pub(crate) fn error(message: impl Into<String>) -> CliError {
        CliError::new(Exit::Interrupted, message)
    }
}
