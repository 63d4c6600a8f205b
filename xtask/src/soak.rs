//! Runs tests with more seeds and cases than usual.

use anyhow::{Result, bail};

use crate::cargo::{cargo, list_tests, run as run_command};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run the tests whose names contain this text.
    name: String,
    /// Multiply the usual number of cases by this factor.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    factor: u32,
}

/// Part of the name of every test that needs a service; a soak starts no services.
const NEEDS_A_SERVICE: &str = "::with_";

/// The default number of cases of proptest.
const USUAL_CASES: u32 = 256;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let profile = ["--release", "--all-features"];
    let tests = list_tests(&profile, &arguments.name, Some(NEEDS_A_SERVICE))?;
    if tests.is_empty() {
        bail!("no test name contains '{}'; list all tests with: cargo test --workspace -- --list", arguments.name);
    }
    eprintln!("soaking {} tests with {} times the usual number of cases", tests.len(), arguments.factor);
    run_command(
        cargo()
            .arg("test")
            .args(profile)
            .args(["--workspace", "--", &arguments.name, "--nocapture", "--skip", NEEDS_A_SERVICE])
            // Proptest reads the first; random tests with their own number of seeds read the second.
            .env("PROPTEST_CASES", (USUAL_CASES.saturating_mul(arguments.factor)).to_string())
            .env("REDRIVE_SOAK", arguments.factor.to_string()),
    )
}
