//! Every check there is, in the order in which they fail fastest.

use std::process::Command;

use anyhow::{Result, bail};

use crate::cargo::{cargo, list_tests, needed_services, run as run_command};
use crate::services::{self, Running};
use crate::structure;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Leave out what needs a service: the inner loop.
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
    // Dropped at the end, which stops what this run has started and nothing else.
    let mut running: Vec<Running> = Vec::new();
    for name in needed {
        if arguments.quick {
            skipped.push(Skipped { service: name, why: "--quick".into() });
            continue;
        }
        match services::up(&name) {
            Ok(service) => running.push(service),
            Err(error) if is_ci() => {
                return Err(error.context(format!("{name} is needed, and with CI set nothing is skipped")));
            }
            Err(error) => skipped.push(Skipped { service: name, why: format!("{error:#}") }),
        }
    }

    let mut tests = cargo();
    tests.args(["test", "--workspace", "--all-features"]);
    for service in &running {
        tests.env(service.variable(), service.address());
    }
    tests.arg("--");
    for skipped in &skipped {
        tests.args(["--skip", &skipped.module()]);
    }
    run_command(&mut tests)?;
    skipped.iter().try_for_each(Skipped::report)?;
    eprintln!("\nevery check passed");
    Ok(())
}

/// A service that could not be had, or was not wanted.
struct Skipped {
    service: String,
    why: String,
}

impl Skipped {
    /// The module in which the tests of this service stand, in whatever crate.
    fn module(&self) -> String {
        format!("with_{}::", services::identifier(&self.service))
    }

    fn report(&self) -> Result<()> {
        let count = list_tests(&["--all-features"], &self.module(), None)?.len();
        eprintln!("skipped: {count} tests that need {} ({})", self.service, self.why);
        Ok(())
    }
}

pub(crate) fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// rustfmt and clippy belong to Rust, but not to every installation of it.
fn install_components() -> Result<()> {
    for (component, probe) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        let is_there = cargo().args([probe, "--version"]).output().is_ok_and(|output| output.status.success());
        if is_there {
            continue;
        }
        let added = Command::new("rustup").args(["component", "add", component]).status();
        if !added.is_ok_and(|status| status.success()) {
            bail!("{component} is missing; install it with: rustup component add {component}");
        }
    }
    Ok(())
}
