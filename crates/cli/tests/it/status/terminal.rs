//! A command whose stdout is a terminal.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

pub(super) struct OnTerminal {
    pub(super) child: Child,
    printed: Receiver<String>,
    seen: String,
}

/// Starts a command on a new terminal of 100 columns and this number of rows.
pub(super) fn start(mut command: Command, rows: u16) -> OnTerminal {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    tcsetwinsize(&master, Winsize { ws_row: rows, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let path = Path::new(std::ffi::OsStr::from_bytes(name.to_bytes()));
    let slave = OpenOptions::new().read(true).write(true).open(path).unwrap();
    command.stdin(slave.try_clone().unwrap()).stderr(slave.try_clone().unwrap()).stdout(slave);
    let child = command.spawn().unwrap();
    // The terminal ends when no process has it open.
    drop(command);
    let mut reader = File::from(master);
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
    OnTerminal { child, printed, seen: String::new() }
}

impl OnTerminal {
    /// Waits until the command has printed a text after everything that was waited for before, and returns what was
    /// printed up to its end.
    pub(super) fn wait_for(&mut self, text: &str) -> String {
        loop {
            if let Some(at) = self.seen.find(text) {
                let rest = self.seen.split_off(at + text.len());
                return std::mem::replace(&mut self.seen, rest);
            }
            let more = self.printed.recv_timeout(Duration::from_secs(30));
            self.seen += &more.unwrap_or_else(|_| panic!("{text:?} is not in {:?}", self.seen));
        }
    }

    /// Waits for the end, and returns the exit code and what was printed since the last wait.
    pub(super) fn end(mut self) -> (i32, String) {
        let code = self.child.wait().unwrap().code().unwrap();
        while let Ok(more) = self.printed.recv_timeout(Duration::from_secs(30)) {
            self.seen += &more;
        }
        (code, self.seen)
    }
}
