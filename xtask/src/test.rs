//! Runs all checks, the fastest first.

use std::process::Command;

use anyhow::{Result, bail};

use crate::cargo::{cargo, list_tests, needed_services, root, run as run_command};
use crate::failures::run_tests;
use crate::services::{self, Running};
use crate::{source_lines, structure};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Skip tests that need a service.
    #[arg(long)]
    quick: bool,
}

const TESTS: [&str; 4] = ["test", "--workspace", "--all-features", "--no-fail-fast"];
/// Tests with a service mostly wait for it, so that more of them run at once than there are cores.
const SERVICE_TEST_THREADS: &str = "6";

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
    for name in &needed {
        if arguments.quick {
            skipped.push(Skipped { service: name.clone(), reason: "--quick".into() });
            continue;
        }
        match services::up(name) {
            Ok(service) => running.push(service),
            Err(error) if is_ci() => {
                return Err(error.context(format!("could not start {name}; with CI set, no test is skipped")));
            }
            Err(error) => skipped.push(Skipped { service: name.clone(), reason: format!("{error:#}") }),
        }
    }

    let modules: Vec<String> = needed.iter().map(|service| module(service)).collect();
    let skips = modules.iter().flat_map(|module| ["--skip", module]);
    let mut failures = run_tests(cargo().args(TESTS).arg("--").args(skips))?;
    let mut with_services = cargo();
    with_services.args(TESTS).args(["--tests", "--", "--test-threads", SERVICE_TEST_THREADS]);
    for service in &running {
        with_services.arg(module(service.name())).envs(service.variables()?);
    }
    if !running.is_empty() {
        failures.extend(run_tests(&mut with_services)?);
    }
    failures.check()?;
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
    fn report(&self) -> Result<()> {
        let count = list_tests(&["--all-features"], &module(&self.service), None)?.len();
        eprintln!("skipped: {count} tests that need {} ({})", self.service, self.reason);
        Ok(())
    }
}

/// The module that contains the tests of a service, in every crate.
fn module(service: &str) -> String {
    format!("with_{}::", services::identifier(service))
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
