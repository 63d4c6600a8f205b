//! Loops: programs that process the messages of mailboxes.
//!
//! Every loop is the runner of `redrive-run` over a mailbox, with another handler: [`MainLoop`] answers requests,
//! [`EvalLoop`] evaluates the answers of a main loop, [`DlqConsumer`] processes dead letters. A [`LoopGroup`] runs
//! several of them in one process, with signals, a watchdog and health checks. [`Replay`] sends dead letters back.

mod dlq_consumer;
mod dlq_policy;
mod error;
mod eval_loop;
mod group;
mod mailbox_loop;
mod main_loop;
mod metrics;
mod progress;
mod replay;
mod request;
mod runnable;
mod settings;
mod shutdown;

pub use dlq_consumer::{DlqConsumer, LetterAction};
pub use dlq_policy::DlqPolicy;
pub use error::{GroupError, LoopError, TimingError};
pub use eval_loop::EvalLoop;
pub use group::{GroupReport, GroupSettings, LoopGroup, LoopReport, OnLoopEnd, WatchdogSettings};
pub use main_loop::MainLoop;
pub use progress::Progress;
pub use replay::{Replay, ReplayError, ReplayReport};
pub use request::{EvalRequest, EvalResult, LoopRequest, LoopResult, Sample, Score, submit_samples};
pub use runnable::{DlqDepthAlarm, LoopTiming, Runnable};
pub use settings::LoopSettings;
pub use shutdown::ShutdownSignal;
