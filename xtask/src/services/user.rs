//! The user of a service: many refuse to run as root, and none needs to.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The user that the package of the service creates, or `nobody`.
#[derive(Debug, Clone, Copy)]
pub(super) struct User(pub(super) &'static str);

impl User {
    /// The command that runs a program as this user if the current user is root, otherwise as the current user.
    /// `setpriv` replaces itself with the program, so the pid stays the same.
    pub(super) fn command(self, program: impl AsRef<OsStr>) -> Command {
        if !rustix::process::geteuid().is_root() {
            return Command::new(program);
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid", self.0, "--regid", &self.group(), "--clear-groups"]).arg(program);
        command
    }

    /// The primary group of this user. It usually has the name of the user, but not for `nobody`.
    fn group(self) -> String {
        let asked = Command::new("id").args(["--group", self.0]).output();
        let known = asked.ok().filter(|output| output.status.success());
        known.map_or_else(|| self.0.to_owned(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Creates a folder of this user.
    pub(super) fn create(self, directory: &Path) -> Result<()> {
        fs::create_dir(directory).with_context(|| format!("could not create {}", directory.display()))?;
        self.own(directory)
    }

    /// Changes the owner of the folder to this user, and checks that the user can write to it.
    pub(super) fn own(self, directory: &Path) -> Result<()> {
        if rustix::process::geteuid().is_root() {
            let changed = Command::new("chown").arg(format!("{}:", self.0)).arg(directory).status();
            if !changed.context("could not run chown")?.success() {
                bail!("could not change the owner of {} to user {}", directory.display(), self.0);
            }
        }
        let reached = self.command("test").arg("-w").arg(directory).status();
        if !reached.context("could not run test")?.success() {
            bail!(
                "user {} cannot write to {}; let other users access the workspace, or do not run this as root",
                self.0,
                directory.display()
            );
        }
        Ok(())
    }
}
