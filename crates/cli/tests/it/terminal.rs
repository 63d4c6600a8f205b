//! A command on a terminal.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

pub(crate) struct OnTerminal {
    pub(crate) child: Child,
    terminal: File,
    printed: Receiver<String>,
    seen: String,
    /// The length of what was waited for.
    waited: usize,
}

/// Starts a command whose stdin and stderr are a new terminal of 100 columns.
pub(crate) fn start(command: Command) -> OnTerminal {
    open(command, 25, |command, _| {
        command.stdout(Stdio::piped());
    })
}

/// The same, with stdout on the terminal as well, and with this number of rows.
pub(crate) fn start_with_stdout(command: Command, rows: u16) -> OnTerminal {
    open(command, rows, |command, slave| {
        command.stdout(slave.try_clone().unwrap());
    })
}

fn open(mut command: Command, rows: u16, stdout: impl FnOnce(&mut Command, &File)) -> OnTerminal {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    tcsetwinsize(&master, Winsize { ws_row: rows, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let path = Path::new(std::ffi::OsStr::from_bytes(name.to_bytes()));
    let slave = OpenOptions::new().read(true).write(true).open(path).unwrap();
    stdout(&mut command, &slave);
    command.stdin(slave.try_clone().unwrap()).stderr(slave);
    let child = command.spawn().unwrap();
    // The terminal ends when no process has it open.
    drop(command);
    let terminal = File::from(master);
    let mut reader = terminal.try_clone().unwrap();
    let (tx, printed) = sync_channel(1_000);
    std::thread::spawn(move || {
        let mut bytes = [0; 4_096];
        // A terminal without a process ends with an error.
        while let Ok(count @ 1..) = reader.read(&mut bytes) {
            if tx.send(String::from_utf8_lossy(&bytes[..count]).into_owned()).is_err() {
                return;
            }
        }
    });
    OnTerminal { child, terminal, printed, seen: String::new(), waited: 0 }
}

impl OnTerminal {
    /// Waits until the command has printed a text after everything that was waited for before, and returns what was
    /// printed up to its end.
    pub(crate) fn wait_for(&mut self, text: &str) -> String {
        loop {
            let rest = &self.seen[self.waited..];
            if let Some(at) = rest.find(text) {
                let found = rest[..at + text.len()].to_owned();
                self.waited += found.len();
                return found;
            }
            let more = self.printed.recv_timeout(Duration::from_secs(30));
            self.seen += &more.unwrap_or_else(|_| panic!("{text:?} is not in {rest:?}"));
        }
    }

    /// Types a line.
    pub(crate) fn answer(&mut self, line: &str) {
        self.terminal.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// Waits for the end, and returns the exit code and everything that was printed to the terminal.
    pub(crate) fn end(mut self) -> (i32, String) {
        let code = self.child.wait().unwrap().code().unwrap();
        while let Ok(more) = self.printed.recv_timeout(Duration::from_secs(30)) {
            self.seen += &more;
        }
        (code, self.seen)
    }
}
