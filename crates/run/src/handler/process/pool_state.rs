//! What the handler and the supervisors of a pool share.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::WorkerCommand;
use super::roster::Roster;

/// What a pool and its supervisors have in common.
#[derive(Debug)]
pub(super) struct PoolState {
    pub(super) command: WorkerCommand,
    pub(super) roster: Roster,
    /// No more workers are started.
    pub(super) stopping: CancellationToken,
    /// No worker lives on.
    pub(super) killing: CancellationToken,
    /// How many supervisors there are.
    pub(super) supervisors: watch::Sender<usize>,
    numbers: AtomicU64,
}

impl PoolState {
    /// `killing` ends `stopping`, too.
    pub(super) fn new(command: WorkerCommand, killing: CancellationToken) -> Self {
        Self {
            roster: Roster::new(command.processes),
            stopping: killing.child_token(),
            killing,
            supervisors: watch::Sender::new(0),
            numbers: AtomicU64::new(0),
            command,
        }
    }

    /// Names a worker or a call.
    pub(super) fn next_number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed) + 1
    }
}
