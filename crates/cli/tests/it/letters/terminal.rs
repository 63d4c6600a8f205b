//! A command whose stdin and stderr are a terminal.

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
}

/// Starts a command on a new terminal of 100 columns.
pub(crate) fn start(mut command: Command) -> OnTerminal {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    tcsetwinsize(&master, Winsize { ws_row: 25, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let path = Path::new(std::ffi::OsStr::from_bytes(name.to_bytes()));
    let slave = OpenOptions::new().read(true).write(true).open(path).unwrap();
    command.stdin(slave.try_clone().unwrap()).stderr(slave).stdout(Stdio::piped());
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
    OnTerminal { child, terminal, printed, seen: String::new() }
}

impl OnTerminal {
    /// Waits until the command has printed a text.
    pub(crate) fn wait_for(&mut self, text: &str) {
        while !self.seen.contains(text) {
            let more = self.printed.recv_timeout(Duration::from_secs(30));
            self.seen += &more.unwrap_or_else(|_| panic!("{text:?} is not in {:?}", self.seen));
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
