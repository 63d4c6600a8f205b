//! Runs all checks, the fastest first.

use std::process::Command;

use anyhow::{Result, bail};

use crate::cargo::{cargo, list_tests, needed_services, root, run as run_command};
use crate::services::{self, Running};
use crate::{source_lines, structure};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Skip tests that need a service.
    #[arg(long)]
    quick: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    install_components()?;
    run_command(cargo().args(["fmt", "--all", "--check"]))?;
    eprintln!("\n$ cargo xtask structure");
    structure::check()?;
    run_command(cargo().args(["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]))?;
    run_command(
        cargo()
            .args(["doc", "--workspace", "--no-deps", "--document-private-items"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )?;

    let needed: Vec<String> = needed_services()?.into_iter().collect();
    let mut skipped: Vec<Skipped> = Vec::new();
    // Dropped at the end, which stops only the services that this run has started.
    let mut running: Vec<Running> = Vec::new();
    for name in needed {
        if arguments.quick {
            skipped.push(Skipped { service: name, reason: "--quick".into() });
            continue;
        }
        match services::up(&name) {
            Ok(service) => running.push(service),
            Err(error) if is_ci() => {
                return Err(error.context(format!("could not start {name}; with CI set, no test is skipped")));
            }
            Err(error) => skipped.push(Skipped { service: name, reason: format!("{error:#}") }),
        }
    }

    let mut tests = cargo();
    tests.args(["test", "--workspace", "--all-features", "--no-fail-fast"]);
    for service in &running {
        tests.envs(service.variables()?);
    }
    tests.arg("--");
    for skipped in &skipped {
        tests.args(["--skip", &skipped.module()]);
    }
    run_command(&mut tests)?;
    skipped.iter().try_for_each(Skipped::report)?;
    source_lines::print(&root())?;
    eprintln!("\nevery check passed");
    Ok(())
}

/// A service that is not running, so that its tests are skipped.
struct Skipped {
    service: String,
    reason: String,
}

impl Skipped {
    /// The module that contains the tests of this service, in every crate.
    fn module(&self) -> String {
        format!("with_{}::", services::identifier(&self.service))
    }

    fn report(&self) -> Result<()> {
        let count = list_tests(&["--all-features"], &self.module(), None)?.len();
        eprintln!("skipped: {count} tests that need {} ({})", self.service, self.reason);
        Ok(())
    }
}

pub(crate) fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// Installs rustfmt and clippy, which not every installation of Rust includes.
fn install_components() -> Result<()> {
    for (component, probe) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        let is_installed = cargo().args([probe, "--version"]).output().is_ok_and(|output| output.status.success());
        if is_installed {
            continue;
        }
        let added = Command::new("rustup").args(["component", "add", component]).status();
        if !added.is_ok_and(|status| status.success()) {
            bail!("{component} is missing; install it with: rustup component add {component}");
        }
    }
    Ok(())
}
