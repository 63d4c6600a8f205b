//! Ends the process when a loop hangs.
//!
//! A thread that is stuck can honour nothing softer than the end of its process; the messages that it holds are
//! delivered again when their leases end. The watchdog has a thread of the operating system, because a runtime whose
//! threads are all stuck runs nothing.

use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use rustix::process::{Signal, getpid, kill_process};

use super::WatchdogSettings;
use crate::loops::Runnable;

/// How long the log of the end may take.
const LOG_FOR: Duration = Duration::from_secs(1);

/// A running watchdog. Dropping it ends it.
#[derive(Debug)]
pub(super) struct Watchdog {
    _stop: SyncSender<()>,
}

impl Watchdog {
    pub(super) fn start(loops: Vec<Arc<dyn Runnable>>, settings: WatchdogSettings) -> std::io::Result<Self> {
        let (stop, stopped) = sync_channel(0);
        std::thread::Builder::new().name("watchdog".to_owned()).spawn(move || {
            while stopped.recv_timeout(settings.interval.into()) == Err(RecvTimeoutError::Timeout) {
                if let Some(hung) = hung(&loops, settings) {
                    end_process(hung, settings);
                }
            }
        })?;
        Ok(Self { _stop: stop })
    }
}

/// A running loop without a heartbeat.
fn hung(loops: &[Arc<dyn Runnable>], settings: WatchdogSettings) -> Option<&dyn Runnable> {
    let is_hung = |one: &&Arc<dyn Runnable>| one.is_running() && one.heartbeat().age() > settings.threshold;
    loops.iter().find(is_hung).map(|one| &**one)
}

/// Kills the process. The log may block, because its reader or a thread that hangs has it: it is written by another
/// thread, which gets a second.
fn end_process(hung: &dyn Runnable, settings: WatchdogSettings) {
    let (name, age, threshold) = (hung.name().to_owned(), hung.heartbeat().age(), settings.threshold);
    let (written, is_written) = sync_channel(1);
    let log = move || {
        // Standard error may be closed, which must not end this thread before it has logged.
        let _is_written =
            writeln!(std::io::stderr(), "loop '{name}' had no heartbeat for {age}; the watchdog ends the process");
        tracing::error!(name, %age, %threshold, "loop hangs; the watchdog ends the process");
        // The watchdog may have stopped waiting.
        let _is_awaited = written.send(());
    };
    if std::thread::Builder::new().name("watchdog-log".to_owned()).spawn(log).is_ok() {
        // Written or not: the process ends.
        let _is_written = is_written.recv_timeout(LOG_FOR);
    }
    if kill_process(getpid(), Signal::KILL).is_err() {
        std::process::abort();
    }
}
