//! Ends the process when a loop hangs.
//!
//! A thread that is stuck can honour nothing softer than the end of its process; the messages that it holds are
//! delivered again when their leases end. The watchdog has a thread of the operating system, because a runtime whose
//! threads are all stuck runs nothing.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};

use rustix::process::{Signal, getpid, kill_process};

use super::WatchdogSettings;
use crate::loops::Runnable;

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

/// A running loop without a sign of life.
fn hung(loops: &[Arc<dyn Runnable>], settings: WatchdogSettings) -> Option<&dyn Runnable> {
    let is_hung = |one: &&Arc<dyn Runnable>| one.is_running() && one.heartbeat().age() > settings.threshold;
    loops.iter().find(is_hung).map(|one| &**one)
}

fn end_process(hung: &dyn Runnable, settings: WatchdogSettings) {
    let age = hung.heartbeat().age();
    tracing::error!(name = hung.name(), %age, threshold = %settings.threshold, "loop hangs; the watchdog ends the process");
    // The log may be written by a thread that hangs, too.
    eprintln!("loop '{}' gave no sign of life for {age}; the watchdog ends the process", hung.name());
    if let Err(error) = kill_process(getpid(), Signal::KILL) {
        tracing::error!(%error, "the process cannot be killed");
        std::process::abort();
    }
}
