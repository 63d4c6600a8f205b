//! The handle of a running runner.

use std::sync::Arc;
use std::time::Duration;

use redrive_core::{MonotonicTime, Span};
use redrive_store::Clock;
use tokio::sync::{mpsc, oneshot};
use tokio::task::{JoinError, JoinHandle};

use super::{RunReport, RunnerHealth};

/// A command to a running runner.
#[derive(Debug)]
pub(super) enum Command {
    /// Claims nothing new, and stops handlers that still run at the deadline.
    Stop {
        deadline: MonotonicTime,
    },
    Pause,
    Resume,
    Health(oneshot::Sender<RunnerHealth>),
}

/// The handle of a running runner. Dropping it stops the runner as [`stop`](Self::stop) does, within
/// [`RunnerSettings::drain`](super::RunnerSettings::drain).
#[derive(Debug)]
pub struct Running {
    control: mpsc::Sender<Command>,
    task: JoinHandle<RunReport>,
    clock: Arc<dyn Clock>,
}

impl Running {
    /// A runner that does not answer a health request within this time is reported as unresponsive.
    const ANSWER_AFTER_MAX: Duration = Duration::from_secs(5);

    pub(super) const fn new(
        control: mpsc::Sender<Command>,
        task: JoinHandle<RunReport>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { control, task, clock }
    }

    /// Stops the runner: it claims nothing new, waits up to `within` for its handlers, stops those that are still
    /// running, and settles every claimed delivery, so that no lease is left to expire. Returns what the runner did.
    pub async fn stop(self, within: Span) -> RunReport {
        let deadline = self.clock.monotonic().saturating_add(within);
        self.send(Command::Stop { deadline }).await;
        self.ended().await
    }

    /// Waits until the runner ends because its source was closed.
    pub async fn ended(self) -> RunReport {
        Self::report(self.task.await).unwrap_or_default()
    }

    /// Waits until the runner ends because its source was closed, or until `stop` returns the time within which it is
    /// stopped as by [`stop`](Self::stop). `None` if the task of the runner panicked, which is a defect of the source.
    pub async fn ended_or_stopped(mut self, stop: impl Future<Output = Span>) -> Option<RunReport> {
        tokio::select! {
            biased;
            ended = &mut self.task => return Self::report(ended),
            within = stop => {
                let deadline = self.clock.monotonic().saturating_add(within);
                self.send(Command::Stop { deadline }).await;
            }
        }
        Self::report(self.task.await)
    }

    fn report(ended: Result<RunReport, JoinError>) -> Option<RunReport> {
        ended.inspect_err(|error| tracing::error!(%error, "runner task failed")).ok()
    }

    /// Reports the health of the runner to others than the holder of this handle.
    pub fn probe(&self) -> RunnerProbe {
        RunnerProbe { control: self.control.downgrade() }
    }

    /// Claims nothing new until [`resume`](Self::resume). Running handlers continue.
    pub async fn pause(&self) {
        self.send(Command::Pause).await;
    }

    pub async fn resume(&self) {
        self.send(Command::Resume).await;
    }

    /// The health of the runner. If it does not answer within 5 s, `is_responsive` is false.
    pub async fn health(&self) -> RunnerHealth {
        self.probe().health().await
    }

    pub fn has_ended(&self) -> bool {
        self.task.is_finished()
    }

    async fn send(&self, command: Command) {
        // A runner that has ended needs no command.
        let _has_ended = self.control.send(command).await;
    }
}

/// Asks a runner for its health, and does not keep it running. Clones ask the same runner.
#[derive(Debug, Clone)]
pub struct RunnerProbe {
    control: mpsc::WeakSender<Command>,
}

impl RunnerProbe {
    /// As [`Running::health`]. A runner whose handle was dropped is not responsive.
    pub async fn health(&self) -> RunnerHealth {
        let Some(control) = self.control.upgrade() else { return RunnerHealth::default() };
        let (reply, answer) = oneshot::channel();
        let asked = async {
            // A runner that has ended does not answer.
            let _has_ended = control.send(Command::Health(reply)).await;
            answer.await.unwrap_or_default()
        };
        tokio::time::timeout(Running::ANSWER_AFTER_MAX, asked).await.unwrap_or_default()
    }
}
