//! A process that outlives the command that started it and can be found by a later command.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};

/// A process, identified by its pid *and* its start time: pids are reused, and ending an unrelated process must be
/// impossible.
#[derive(Debug)]
pub(super) struct Process {
    pid: Pid,
    started: String,
    record: PathBuf,
}

const STOP_WITHIN: Duration = Duration::from_secs(20);

impl Process {
    /// Starts the command in a separate process group, writes its output to `log` and records its pid.
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
        let started = start_time(pid).context("the process ended immediately")?;
        let record = directory.join("pid");
        fs::write(&record, format!("{} {started}\n", pid.as_raw_pid()))?;
        Ok(Self { pid, started, record })
    }

    /// The process that is recorded in this folder, if it still runs.
    pub(super) fn recorded_in(directory: &Path) -> Result<Option<Self>> {
        let record = directory.join("pid");
        let text = match fs::read_to_string(&record) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("could not read {}", record.display())),
        };
        let (pid, started) = text.trim().split_once(' ').context("could not parse the recorded pid")?;
        let pid = Pid::from_raw(pid.parse()?).context("the recorded pid is zero")?;
        let process = Self { pid, started: started.to_owned(), record };
        Ok(process.is_running().then_some(process))
    }

    pub(super) fn pid(&self) -> i32 {
        self.pid.as_raw_pid()
    }

    pub(super) fn is_running(&self) -> bool {
        start_time(self.pid).is_some_and(|started| started == self.started)
    }

    /// Sends SIGTERM, and SIGKILL if the process does not end in time.
    pub(super) fn stop(self) -> Result<()> {
        for signal in [Signal::TERM, Signal::KILL] {
            if self.is_running() {
                kill_process(self.pid, signal).context("no permission to end the process")?;
                self.wait_for_end();
            }
        }
        if self.is_running() {
            bail!("process {} does not end", self.pid());
        }
        fs::remove_file(&self.record).context("could not remove the recorded pid")
    }

    #[expect(clippy::disallowed_methods, reason = "only the parent of a process is notified of its end")]
    fn wait_for_end(&self) {
        let begin = Instant::now();
        while self.is_running() && begin.elapsed() < STOP_WITHIN {
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// The start time of the process in clock ticks; `None` if the process does not exist or is a zombie.
fn start_time(pid: Pid) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid())).ok()?;
    // The name may contain any character and ends at the last bracket; the state is the next field.
    let mut fields = stat[stat.rfind(')')? + 1..].split_whitespace();
    let state = fields.next()?;
    let started = fields.nth(18)?;
    (state != "Z").then(|| started.to_owned())
}

#[cfg(test)]
mod tests {
    use redrive_testkit::folder;

    use super::*;

    /// The recorded start time protects a process that reuses the pid.
    #[test]
    fn only_the_recorded_process_is_ended() {
        let folder = folder("process");
        let mut unrelated = Command::new("sleep").arg("60").stdin(Stdio::null()).spawn().expect("sleep starts");
        fs::write(folder.path().join("pid"), format!("{} 1\n", unrelated.id())).expect("the record can be written");
        assert!(Process::recorded_in(folder.path()).expect("the record is readable").is_none(), "another start time");

        let started = Process::start(Command::new("sleep").arg("60"), folder.path()).expect("the process starts");
        let found = Process::recorded_in(folder.path()).expect("the record is readable").expect("the process runs");
        assert_eq!(found.pid(), started.pid());
        found.stop().expect("the process ends");
        assert!(!started.is_running());
        assert!(unrelated.try_wait().expect("it is a child process").is_none(), "the unrelated process still runs");
        unrelated.kill().expect("it is a child process");
        unrelated.wait().expect("it is a child process");
    }
}
