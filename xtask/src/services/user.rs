//! The user a service runs as: many refuse to be root, and none of them needs to be.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The user that the service's package brings, or one who owns nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct User(pub(super) &'static str);

impl User {
    /// The program as this user when we are root, as ourselves otherwise. The process stays the one that was
    /// started: `setpriv` becomes the program.
    pub(super) fn command(self, program: impl AsRef<OsStr>) -> Command {
        if !rustix::process::geteuid().is_root() {
            return Command::new(program);
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid", self.0, "--regid", &self.group(), "--clear-groups"]).arg(program);
        command
    }

    /// The group of this user, which has its name in most cases, and another one for `nobody`.
    fn group(self) -> String {
        let asked = Command::new("id").args(["--group", self.0]).output();
        let known = asked.ok().filter(|output| output.status.success());
        known.map_or_else(|| self.0.to_owned(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Makes the folder this user's, and makes sure that it can be reached.
    pub(super) fn own(self, directory: &Path) -> Result<()> {
        if rustix::process::geteuid().is_root() {
            let changed = Command::new("chown").arg(format!("{}:", self.0)).arg(directory).status();
            if !changed.context("could not run chown")?.success() {
                bail!("{} could not be given to user {}", directory.display(), self.0);
            }
        }
        let reached = self.command("test").arg("-w").arg(directory).status();
        if !reached.context("could not run test")?.success() {
            bail!(
                "user {} cannot write to {}; keep the workspace where other users may enter, or do not run this as root",
                self.0,
                directory.display()
            );
        }
        Ok(())
    }
}
