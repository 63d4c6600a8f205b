//! A process that outlives the command which started it, and can be found again.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};

/// A process by its pid *and* the time it was started: pids are used again, and ending a stranger's process
/// must be impossible.
#[derive(Debug)]
pub(super) struct Process {
    pid: Pid,
    started: String,
    record: PathBuf,
}

const STOP_WITHIN: Duration = Duration::from_secs(20);

impl Process {
    /// Starts the command in its own process group, its output in `log`, its pid on record.
    pub(super) fn start(command: &mut Command, directory: &Path) -> Result<Self> {
        let log = File::create(directory.join("log"))?;
        let child = command
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .process_group(0)
            .spawn()
            .with_context(|| format!("could not run {}", command.get_program().to_string_lossy()))?;
        let pid = Pid::from_child(&child);
        let started = start_time(pid).context("it ended at once")?;
        let record = directory.join("pid");
        fs::write(&record, format!("{} {started}\n", pid.as_raw_pid()))?;
        Ok(Self { pid, started, record })
    }

    /// The process that is on record in this folder, if it still runs.
    pub(super) fn recorded_in(directory: &Path) -> Result<Option<Self>> {
        let record = directory.join("pid");
        let text = match fs::read_to_string(&record) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("could not read {}", record.display())),
        };
        let (pid, started) = text.trim().split_once(' ').context("the pid on record cannot be read")?;
        let pid = Pid::from_raw(pid.parse()?).context("the pid on record is zero")?;
        let process = Self { pid, started: started.to_owned(), record };
        Ok(process.is_running().then_some(process))
    }

    pub(super) fn pid(&self) -> i32 {
        self.pid.as_raw_pid()
    }

    pub(super) fn is_running(&self) -> bool {
        start_time(self.pid).is_some_and(|started| started == self.started)
    }

    /// Asks it to end, and ends it when it does not.
    pub(super) fn stop(self) -> Result<()> {
        for signal in [Signal::TERM, Signal::KILL] {
            if self.is_running() {
                kill_process(self.pid, signal).context("no permission to end it")?;
                self.wait_until_it_ended();
            }
        }
        if self.is_running() {
            bail!("pid {} does not end", self.pid());
        }
        fs::remove_file(&self.record).context("could not remove the pid on record")
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "another program's end gives no signal to one that is not its parent"
    )]
    fn wait_until_it_ended(&self) {
        let begin = Instant::now();
        while self.is_running() && begin.elapsed() < STOP_WITHIN {
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// When the process was started, in the kernel's ticks; `None` when there is none, or only its remains.
fn start_time(pid: Pid) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid())).ok()?;
    // The name may contain anything, and ends at the last bracket; the state is the next field.
    let mut fields = stat[stat.rfind(')')? + 1..].split_whitespace();
    let state = fields.next()?;
    let started = fields.nth(18)?;
    (state != "Z").then(|| started.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pid that was used again must not be ended: the record says when its process began.
    #[test]
    fn only_the_process_on_record_is_ended() {
        let directory = std::env::temp_dir().join(format!("redrive-xtask-{}", std::process::id()));
        fs::create_dir_all(&directory).expect("a folder of our own");
        let mut stranger = Command::new("sleep").arg("60").stdin(Stdio::null()).spawn().expect("sleep is everywhere");
        fs::write(directory.join("pid"), format!("{} 1\n", stranger.id())).expect("a record");
        assert!(Process::recorded_in(&directory).expect("readable").is_none(), "it began at another time");

        let started = Process::start(Command::new("sleep").arg("60"), &directory).expect("it starts");
        let found = Process::recorded_in(&directory).expect("readable").expect("it runs");
        assert_eq!(found.pid(), started.pid());
        found.stop().expect("it ends");
        assert!(!started.is_running());
        assert!(stranger.try_wait().expect("a child").is_none(), "the stranger still runs");
        stranger.kill().expect("our own child");
        stranger.wait().expect("our own child");
        fs::remove_dir_all(&directory).expect("our own folder");
    }
}
