//! The long version of a test: the same code, with more of everything.

use anyhow::{Result, bail};

use crate::cargo::{cargo, list_tests, run as run_command};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Part of the names of the tests to run.
    name: String,
    /// How many times more cases than usual.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    factor: u32,
}

/// Part of the name of every test that needs a service, which a soak does not bring up.
const NEEDS_A_SERVICE: &str = "::with_";

/// What proptest does when nobody asks for more.
const USUAL_CASES: u32 = 256;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let profile = ["--release", "--all-features"];
    let tests = list_tests(&profile, &arguments.name, Some(NEEDS_A_SERVICE))?;
    if tests.is_empty() {
        bail!("no test is named like '{}'; list them with: cargo test --workspace -- --list", arguments.name);
    }
    eprintln!("soaking {} tests, {} times as long as usual", tests.len(), arguments.factor);
    run_command(
        cargo()
            .arg("test")
            .args(profile)
            .args(["--workspace", "--", &arguments.name, "--nocapture", "--skip", NEEDS_A_SERVICE])
            // Random tests that have no number of their own read the first, all others the second.
            .env("PROPTEST_CASES", (USUAL_CASES.saturating_mul(arguments.factor)).to_string())
            .env("REDRIVE_SOAK", arguments.factor.to_string()),
    )
}
