//! Installs the package of a service, or reports how to install it.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Directories of Debian that are not on every user's `PATH`.
const EXTRA_PATHS: &[&str] = &["/usr/sbin", "/sbin"];

/// A package of the operating system.
pub(crate) struct Package {
    pub(super) name: &'static str,
    /// The systemd units that its installation enables.
    pub(super) units: &'static [&'static str],
}

/// Installs the package unless the program exists.
pub(super) fn ensure(program: &str, package: &Package) -> Result<()> {
    ensure_that(program, package, || exists(program))
}

/// Installs the package unless Python can import the module.
pub(super) fn ensure_module(module: &str, package: &Package) -> Result<()> {
    ensure_that(&format!("the Python module {module}"), package, || is_importable(module))
}

/// Installs what the Kafka client needs to be compiled with the system's OpenSSL.
pub(crate) fn ensure_openssl() -> Result<()> {
    let is_there = || {
        let found = Command::new("pkg-config").args(["--exists", "openssl"]).status();
        found.is_ok_and(|status| status.success())
    };
    ensure_that("pkg-config", &Package { name: "pkg-config", units: &[] }, || exists("pkg-config"))?;
    ensure_that("the headers of OpenSSL", &Package { name: "libssl-dev", units: &[] }, is_there)
}

/// Packages of Debian are for the Python of Debian, which may not be the first one on the `PATH`.
fn is_importable(module: &str) -> bool {
    let import = format!("import {module}");
    ["python3", "/usr/bin/python3"].iter().any(|python| {
        let imported = Command::new(python).args(["-c", &import]).output();
        imported.is_ok_and(|output| output.status.success())
    })
}

fn ensure_that(what: &str, package: &Package, is_there: impl Fn() -> bool) -> Result<()> {
    if is_there() {
        return Ok(());
    }
    let name = package.name;
    let manually = format!("install it with: sudo apt-get install {name}");
    if !exists("apt-get") {
        bail!("{what} is missing, and so is apt-get; install {name} with the package manager of your system");
    }
    let Some(privilege) = privilege() else { bail!("{what} is missing; {manually}") };
    eprintln!("installing {name}");
    let new_units: Vec<&str> = package.units.iter().copied().filter(|unit| !is_enabled(unit)).collect();
    let guard = NoAutostart::set(&privilege)?;
    // The first try fails if the package lists are out of date, so they are updated before the second.
    let installed = apt(&privilege, &["install", "-y", "--no-install-recommends", name])
        || (apt(&privilege, &["update"]) && apt(&privilege, &["install", "-y", "--no-install-recommends", name]));
    drop(guard);
    disable(&privilege, &new_units);
    if !installed || !is_there() {
        bail!("{what} could not be installed; {manually}");
    }
    Ok(())
}

/// Disables the units that the installation has enabled, so that no server starts with the machine. Units that were
/// enabled before are not changed.
fn disable(privilege: &[&str], units: &[&str]) {
    for unit in units.iter().filter(|unit| is_enabled(unit)) {
        let disabled = privileged(privilege, "systemctl").args(["--quiet", "disable", unit]).output();
        if !disabled.is_ok_and(|output| output.status.success()) {
            eprintln!("could not disable {unit}; it may start with the machine");
        }
    }
}

fn is_enabled(unit: &str) -> bool {
    let asked = Command::new("systemctl").args(["--quiet", "is-enabled", unit]).output();
    asked.is_ok_and(|output| output.status.success())
}

fn exists(program: &str) -> bool {
    folders().any(|folder| {
        fs::metadata(folder.join(program)).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    })
}

fn folders() -> impl Iterator<Item = PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let own: Vec<PathBuf> = std::env::split_paths(&path).collect();
    own.into_iter().chain(EXTRA_PATHS.iter().map(PathBuf::from))
}

/// A `PATH` that includes the directories of all service programs.
pub(super) fn search_path() -> Result<OsString> {
    std::env::join_paths(folders()).context("could not join the directories of PATH")
}

/// The prefix of a command that needs root: empty for root, `sudo` if it needs no password, otherwise `None`.
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

/// Keeps an installation from starting its server on the default port: Debian runs this policy file before it starts a
/// service. An existing policy file is not changed.
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
                eprintln!("could not remove {POLICY}; remove it manually, or services will not start automatically");
            }
        }
    }
}
