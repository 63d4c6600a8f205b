//! Installing a service's package where that is possible, and saying how where it is not.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Where Debian puts programs that are not on everybody's path.
const EXTRA_PATHS: &[&str] = &["/usr/sbin", "/sbin"];

/// A system's package, and what comes with it.
pub(crate) struct Package {
    pub(super) name: &'static str,
    /// The servers that it lets start with the machine.
    pub(super) units: &'static [&'static str],
}

/// Makes sure that the program is there.
pub(super) fn ensure(program: &str, package: &Package) -> Result<()> {
    if is_there(program) {
        return Ok(());
    }
    let name = package.name;
    let by_hand = format!("install it with: sudo apt-get install {name}");
    if !is_there("apt-get") {
        bail!(
            "{program} is missing, and there is no apt-get to get it with; install {name} with your system's package manager"
        );
    }
    let Some(privilege) = privilege() else { bail!("{program} is missing; {by_hand}") };
    eprintln!("installing {name}");
    let new_units: Vec<&str> = package.units.iter().copied().filter(|unit| !is_enabled(unit)).collect();
    let guard = NoAutostart::set(&privilege)?;
    // An old list of packages names files that are gone, so the first try may need a new one.
    let installed = apt(&privilege, &["install", "-y", "--no-install-recommends", name])
        || (apt(&privilege, &["update"]) && apt(&privilege, &["install", "-y", "--no-install-recommends", name]));
    drop(guard);
    disable(&privilege, &new_units);
    if !installed || !is_there(program) {
        bail!("{program} could not be installed; {by_hand}");
    }
    Ok(())
}

/// The package enables servers of its own for the next start of the machine; nobody asked for that. One that was
/// enabled before belongs to somebody.
fn disable(privilege: &[&str], units: &[&str]) {
    for unit in units.iter().filter(|unit| is_enabled(unit)) {
        let disabled = privileged(privilege, "systemctl").args(["--quiet", "disable", unit]).output();
        if !disabled.is_ok_and(|output| output.status.success()) {
            eprintln!("could not disable the system's own {unit}; it may start with the machine");
        }
    }
}

fn is_enabled(unit: &str) -> bool {
    let asked = Command::new("systemctl").args(["--quiet", "is-enabled", unit]).output();
    asked.is_ok_and(|output| output.status.success())
}

fn is_there(program: &str) -> bool {
    folders().any(|folder| {
        fs::metadata(folder.join(program)).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    })
}

fn folders() -> impl Iterator<Item = PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let own: Vec<PathBuf> = std::env::split_paths(&path).collect();
    own.into_iter().chain(EXTRA_PATHS.iter().map(PathBuf::from))
}

/// The `PATH` on which a service's program is found, wherever the system keeps it.
pub(super) fn search_path() -> Result<OsString> {
    std::env::join_paths(folders()).context("PATH cannot be read")
}

/// What to put before a command that only root may run; `None` when we may not.
fn privilege() -> Option<Vec<&'static str>> {
    if rustix::process::geteuid().is_root() {
        return Some(Vec::new());
    }
    let without_password = Command::new("sudo").args(["-n", "true"]).output();
    without_password.is_ok_and(|output| output.status.success()).then(|| vec!["sudo", "-n"])
}

fn privileged(privilege: &[&str], program: &str) -> Command {
    match privilege.split_first() {
        Some((first, rest)) => {
            let mut command = Command::new(first);
            command.args(rest).arg(program);
            command
        }
        None => Command::new(program),
    }
}

fn apt(privilege: &[&str], arguments: &[&str]) -> bool {
    let mut command = privileged(privilege, "env");
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]).args(arguments);
    command.status().is_ok_and(|status| status.success())
}

/// Keeps the package from starting a server of its own on the default port: Debian asks this file before it
/// starts anything. A file that the machine's owner has put there is left alone.
struct NoAutostart {
    privilege: Vec<&'static str>,
    is_ours: bool,
}

const POLICY: &str = "/usr/sbin/policy-rc.d";

impl NoAutostart {
    fn set(privilege: &[&'static str]) -> Result<Self> {
        let mut guard = Self { privilege: privilege.to_vec(), is_ours: false };
        if !Path::new(POLICY).exists() {
            let script = format!("printf '#!/bin/sh\\nexit 101\\n' > {POLICY} && chmod 755 {POLICY}");
            let written = privileged(privilege, "sh").args(["-c", &script]).status();
            guard.is_ours = written.context("could not write the start policy")?.success();
        }
        Ok(guard)
    }
}

impl Drop for NoAutostart {
    fn drop(&mut self) {
        if self.is_ours {
            let removed = privileged(&self.privilege, "rm").args(["-f", POLICY]).status();
            if !removed.is_ok_and(|status| status.success()) {
                eprintln!("could not remove {POLICY}; remove it by hand, or services will not start by themselves");
            }
        }
    }
}
