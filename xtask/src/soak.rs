//! Runs tests with more seeds and cases than usual.

use anyhow::{Result, bail};

use crate::cargo::{cargo, list_tests, run as run_command};
use crate::services;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run the tests whose names contain this text.
    name: String,
    /// Multiply the usual number of cases by this factor.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    factor: u32,
    /// Start this service, and also run the tests that need it or take minutes, one after the other.
    #[arg(long)]
    service: Option<String>,
}

/// Part of the name of every test that needs a service.
const NEEDS_A_SERVICE: &str = "::with_";

/// The default number of cases of proptest.
const USUAL_CASES: u32 = 256;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let profile = ["--release", "--all-features"];
    let service = arguments.service.as_deref().map(services::up).transpose()?;
    let skipped = if service.is_none() { Some(NEEDS_A_SERVICE) } else { None };
    let tests = list_tests(&profile, &arguments.name, skipped)?;
    if tests.is_empty() {
        bail!("no test name contains '{}'; list all tests with: cargo test --workspace -- --list", arguments.name);
    }
    eprintln!("soaking {} tests with {} times the usual number of cases", tests.len(), arguments.factor);
    let mut command = cargo();
    command.arg("test").args(profile).args(["--workspace", "--", &arguments.name, "--nocapture"]);
    match &service {
        Some(service) => command.envs(service.variables()?).args(["--include-ignored", "--test-threads", "1"]),
        None => command.args(["--skip", NEEDS_A_SERVICE]),
    };
    // Proptest reads the first; random tests with their own number of seeds read the second.
    command
        .env("PROPTEST_CASES", (USUAL_CASES.saturating_mul(arguments.factor)).to_string())
        .env("REDRIVE_SOAK", arguments.factor.to_string());
    run_command(&mut command)
}
