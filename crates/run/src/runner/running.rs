//! A runner at work, from outside.

use std::sync::Arc;
use std::time::Duration;

use redrive_core::{MonotonicTime, Span};
use redrive_store::Clock;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::{RunReport, RunnerHealth};

/// What a runner is told.
#[derive(Debug)]
pub(super) enum Command {
    /// Take nothing new; what has not ended by then is stopped.
    Stop {
        deadline: MonotonicTime,
    },
    Pause,
    Resume,
    Health(oneshot::Sender<RunnerHealth>),
}

/// A runner at work. When this is dropped, the runner takes nothing new and ends as if it had been stopped.
#[derive(Debug)]
pub struct Running {
    control: mpsc::Sender<Command>,
    task: JoinHandle<RunReport>,
    clock: Arc<dyn Clock>,
}

impl Running {
    /// A runner that does not answer in this time does not get on.
    const ANSWER_AFTER_MAX: Duration = Duration::from_secs(5);

    pub(super) const fn new(
        control: mpsc::Sender<Command>,
        task: JoinHandle<RunReport>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { control, task, clock }
    }

    /// Takes nothing new, lets the handlers finish for so long, stops those that have not, and tells what was done.
    /// Whatever was claimed is settled then: nothing is left for its lease to run out.
    pub async fn stop(self, within: Span) -> RunReport {
        let deadline = self.clock.monotonic().saturating_add(within);
        self.tell(Command::Stop { deadline }).await;
        self.ended().await
    }

    /// Waits until the runner ends by itself: its source was closed.
    pub async fn ended(self) -> RunReport {
        match self.task.await {
            Ok(report) => report,
            Err(error) => {
                tracing::error!(%error, "a runner ended by a defect");
                RunReport::default()
            }
        }
    }

    /// Takes nothing new until it is resumed; what runs, runs on.
    pub async fn pause(&self) {
        self.tell(Command::Pause).await;
    }

    pub async fn resume(&self) {
        self.tell(Command::Resume).await;
    }

    /// How it fares.
    pub async fn health(&self) -> RunnerHealth {
        let (reply, answer) = oneshot::channel();
        let asked = async {
            self.tell(Command::Health(reply)).await;
            answer.await.unwrap_or_default()
        };
        tokio::time::timeout(Self::ANSWER_AFTER_MAX, asked).await.unwrap_or_default()
    }

    pub fn has_ended(&self) -> bool {
        self.task.is_finished()
    }

    async fn tell(&self, command: Command) {
        // One that has ended needs no telling.
        let _has_ended = self.control.send(command).await;
    }
}
