//! What a group of loops can run.

use std::sync::Arc;

use async_trait::async_trait;
use redrive_core::Span;
use redrive_run::RunReport;

use super::LoopError;
use crate::{Heartbeat, MailboxBackend};

/// A loop. [`LoopGroup`](super::LoopGroup) runs any.
#[async_trait]
pub trait Runnable: Send + Sync + 'static {
    /// The name in logs, reports and health checks.
    fn name(&self) -> &str;

    /// Runs until [`shutdown`](Self::shutdown) is called, or until the loop ends for another reason. After a shutdown it
    /// returns at once.
    ///
    /// # Errors
    ///
    /// If the loop cannot start.
    async fn run(&self, timing: LoopTiming) -> Result<RunReport, LoopError>;

    /// Signals the end: nothing new is received, and handlers may continue for this time. Does not wait; `run` returns
    /// when the loop has ended.
    fn shutdown(&self, within: Span);

    fn is_running(&self) -> bool;

    /// Whether it makes sense to run the loop again after it has ended.
    fn can_restart(&self) -> bool {
        true
    }

    fn heartbeat(&self) -> &Heartbeat;

    /// How the loop receives in a group with this timing.
    fn timing(&self, group: LoopTiming) -> LoopTiming {
        group
    }

    /// Checks the settings of the loop, without starting it.
    ///
    /// # Errors
    ///
    /// If the loop can never run with this timing.
    fn check(&self, _timing: LoopTiming) -> Result<(), LoopError> {
        Ok(())
    }

    /// How long a lease lasts after an extension, and how often it is extended.
    fn lease_extension(&self) -> Option<(Span, Span)> {
        None
    }

    /// The dead letters of the loop.
    fn dlq(&self) -> Option<DlqDepthAlarm> {
        None
    }

    /// What keeps the loop from making progress, if anything does. It still runs.
    async fn trouble(&self) -> Option<String> {
        None
    }
}

/// How a loop receives, unless its own settings say otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopTiming {
    /// Length of the lease of a received message.
    pub visibility: Span,
    /// How long one receive waits.
    pub wait: Span,
}

impl LoopTiming {
    /// For a loop that runs alone: 300 s, 20 s.
    pub const ALONE: Self = Self { visibility: Span::from_secs(300), wait: Span::from_secs(20) };
    /// For the loops of a group: 1800 s, 30 s.
    pub const IN_GROUP: Self = Self { visibility: Span::from_secs(1800), wait: Span::from_secs(30) };
}

/// A mailbox of dead letters, and from how many letters on health is degraded.
#[derive(Debug, Clone)]
pub struct DlqDepthAlarm {
    pub letters: Arc<dyn MailboxBackend>,
    pub threshold: u64,
}
