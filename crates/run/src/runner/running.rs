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
        self.drain(within).await;
        self.ended().await
    }

    /// Begins to stop the runner as [`stop`](Self::stop) does, without waiting for its end. A later call may shorten the
    /// time, not prolong it.
    pub async fn drain(&self, within: Span) {
        let deadline = self.clock.monotonic().saturating_add(within);
        self.send(Command::Stop { deadline }).await;
    }

    /// Waits until the runner has ended, because it was stopped or its source was closed.
    pub async fn ended(self) -> RunReport {
        Self::report(self.task.await).unwrap_or_default()
    }

    /// Waits until the runner ends because its source was closed, or until `stop` returns the time within which it is
    /// stopped as by [`stop`](Self::stop). `None` if the task of the runner panicked, which is a defect of the source.
    pub async fn ended_or_stopped(mut self, stop: impl Future<Output = Span>) -> Option<RunReport> {
        tokio::select! {
            biased;
            ended = &mut self.task => return Self::report(ended),
            within = stop => self.drain(within).await,
        }
        Self::report(self.task.await)
    }

    fn report(ended: Result<RunReport, JoinError>) -> Option<RunReport> {
        ended.inspect_err(|error| tracing::error!(%error, "runner task failed")).ok()
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
        self.monitor().health().await
    }

    /// A handle that can ask for the health of the runner while another task owns this one.
    pub fn monitor(&self) -> RunnerMonitor {
        RunnerMonitor { control: self.control.downgrade() }
    }

    pub fn has_ended(&self) -> bool {
        self.task.is_finished()
    }

    /// Waits until the runner takes no more commands: it was stopped, or its source was closed.
    pub async fn wait_for_end(&self) {
        self.control.closed().await;
    }

    async fn send(&self, command: Command) {
        // A runner that has ended needs no command.
        let _has_ended = self.control.send(command).await;
    }
}

/// Asks for the health of a runner. It does not keep the runner alive.
#[derive(Debug, Clone)]
pub struct RunnerMonitor {
    control: mpsc::WeakSender<Command>,
}

impl RunnerMonitor {
    /// A runner that does not answer a health request within this time is reported as unresponsive.
    const ANSWER_AFTER_MAX: Duration = Duration::from_secs(5);

    /// The health of the runner. If it does not answer within 5 s, or has ended, `is_responsive` is false.
    pub async fn health(&self) -> RunnerHealth {
        let asked = async {
            let (reply, answer) = oneshot::channel();
            // A runner that has ended drops the request.
            let _has_ended = self.control.upgrade()?.send(Command::Health(reply)).await;
            answer.await.ok()
        };
        tokio::time::timeout(Self::ANSWER_AFTER_MAX, asked).await.ok().flatten().unwrap_or_default()
    }
}
