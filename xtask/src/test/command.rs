//! The order of the checks.

use std::collections::BTreeSet;
use std::process::Command;
use std::thread;

use anyhow::{Result, anyhow, bail};

use super::executable::{TestExecutable, build};
use super::failures::{FinishedRun, check, slowest};
use super::lane::{TestSelection, lanes, module};
use super::lane_run::{LaneRun, run_doctests};
use crate::cargo::{cargo, needed_services, root, run as run_command};
use crate::services::{self, Running};
use crate::{source_lines, structure};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Skip tests that need a service.
    #[arg(long)]
    quick: bool,
    /// Run only the tests of this package, and no other check.
    #[arg(long, value_name = "NAME")]
    package: Option<String>,
}

/// How many of the slowest test executables are listed.
const SLOWEST: usize = 10;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let scope = match &arguments.package {
        Some(package) => ["--package", package, "--all-features"].to_vec(),
        // One set of features for every check: with another one, cargo builds the dependencies again.
        None => ["--workspace", "--all-features"].to_vec(),
    };
    services::ensure_openssl()?;
    if arguments.package.is_none() {
        check_source(&scope)?;
    }
    let services = needed_services(arguments.package.as_deref())?;
    let executables = build(&scope)?;
    let mut tests =
        TestRun { services: &services, executables: &executables, running: Vec::new(), skipped: Vec::new() };
    let runs = tests.run(&scope, arguments.quick)?;
    eprintln!("\nthe slowest test executables:");
    slowest(&runs, SLOWEST).iter().for_each(|line| eprintln!("{line}"));
    check(&runs)?;
    tests.skipped.iter().for_each(|skipped| skipped.report(&executables));
    if arguments.package.is_none() {
        source_lines::print(&root())?;
    }
    eprintln!("\nevery check passed");
    Ok(())
}

fn check_source(scope: &[&str]) -> Result<()> {
    install_components()?;
    run_command(cargo().args(["fmt", "--all", "--check"]))?;
    eprintln!("\n$ cargo xtask structure");
    structure::check()?;
    run_command(cargo().arg("clippy").args(scope).args(["--all-targets", "--", "-D", "warnings"]))?;
    // The code that says what a build leaves out is in no other check.
    let without_adapters = ["--package", "redrive-cli", "--no-default-features", "--", "-D", "warnings"];
    run_command(cargo().arg("clippy").args(without_adapters))?;
    let documentation = ["--no-deps", "--document-private-items"];
    run_command(cargo().arg("doc").args(scope).args(documentation).env("RUSTDOCFLAGS", "-D warnings"))
}

/// The tests of all lanes, and the services that they use.
struct TestRun<'e> {
    services: &'e [String],
    executables: &'e [TestExecutable],
    /// Dropped with the run, which stops only the services that this run has started.
    running: Vec<Running>,
    skipped: Vec<Skipped>,
}

impl<'e> TestRun<'e> {
    /// Runs the lanes side by side. The lane of a service begins when its services answer.
    fn run(&mut self, scope: &[&str], is_quick: bool) -> Result<Vec<FinishedRun>> {
        let computing = LaneRun::computing(self.executables, TestSelection::computing(self.services))?;
        thread::scope(|threads| {
            let has_library = self.executables.iter().any(TestExecutable::is_library);
            let mut started = vec![threads.spawn(move || {
                let mut runs = computing.run()?;
                if has_library {
                    runs.push(run_doctests(scope)?);
                }
                Ok(runs)
            })];
            for services in lanes(self.services, self.executables) {
                if is_quick {
                    self.skipped.extend(services.iter().map(|service| Skipped::new(service, "--quick")));
                } else if let Some(lane) = self.start_lane(&services)? {
                    started.push(threads.spawn(move || lane.run()));
                }
            }
            let mut runs = Vec::new();
            for lane in started {
                let finished: Result<Vec<FinishedRun>> =
                    lane.join().map_err(|_| anyhow!("a lane of tests panicked"))?;
                runs.extend(finished?);
            }
            Ok(runs)
        })
    }

    /// Starts the services of a lane; `None` if none of them starts.
    fn start_lane(&mut self, services: &BTreeSet<&str>) -> Result<Option<LaneRun<'e>>> {
        let (mut names, mut missing, mut variables) = (Vec::new(), Vec::new(), Vec::new());
        for &name in services {
            match services::up(name) {
                Ok(service) => {
                    names.push(name);
                    variables.extend(service.variables()?);
                    self.running.push(service);
                }
                Err(error) if is_ci() => {
                    return Err(error.context(format!("could not start {name}; with CI set, no test is skipped")));
                }
                Err(error) => {
                    missing.push(name.to_owned());
                    self.skipped.push(Skipped::new(name, &format!("{error:#}")));
                }
            }
        }
        if names.is_empty() {
            return Ok(None);
        }
        let selection = TestSelection::with(&names, &missing);
        Ok(Some(LaneRun::with_services(self.executables, selection, variables, &names.join("-"))?))
    }
}

/// A service that is not running, so that its tests are skipped.
struct Skipped {
    service: String,
    reason: String,
}

impl Skipped {
    fn new(service: &str, reason: &str) -> Self {
        Self { service: service.to_owned(), reason: reason.to_owned() }
    }

    fn report(&self, executables: &[TestExecutable]) {
        let module = module(&self.service);
        let tests = executables.iter().flat_map(|executable| &executable.tests);
        let count = tests.filter(|test| test.contains(&module)).count();
        eprintln!("skipped: {count} tests that need {} ({})", self.service, self.reason);
    }
}

fn is_ci() -> bool {
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
