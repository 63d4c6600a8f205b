//! State that the handler and the supervisors of a pool share.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::WorkerCommand;
use super::idle_workers::IdleWorkers;

#[derive(Debug)]
pub(super) struct PoolState {
    pub(super) command: WorkerCommand,
    pub(super) idle: IdleWorkers,
    /// No more workers are started.
    pub(super) stopping: CancellationToken,
    /// All workers are killed.
    pub(super) killing: CancellationToken,
    /// The number of running supervisors.
    pub(super) supervisors: watch::Sender<usize>,
    numbers: AtomicU64,
}

impl PoolState {
    /// Cancelling `killing` cancels `stopping`, too.
    pub(super) fn new(command: WorkerCommand, killing: CancellationToken) -> Self {
        Self {
            idle: IdleWorkers::new(command.processes),
            stopping: killing.child_token(),
            killing,
            supervisors: watch::Sender::new(0),
            numbers: AtomicU64::new(0),
            command,
        }
    }

    /// A number for a worker or a call.
    pub(super) fn next_number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed) + 1
    }
}
