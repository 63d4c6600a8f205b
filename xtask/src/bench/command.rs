//! The command line of `cargo xtask bench`.

use anyhow::{Result, bail};

use super::against::{self, Rounds};
use super::build::{BenchmarkRun, Build};
use super::cold_build;
use crate::cargo::{benchmark_services, root, target_directory};
use crate::services::{self, Running};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The benchmark to run; `cargo xtask bench help` lists them. `build` measures a cold build of the program.
    name: String,
    /// Run only this part of the benchmark, if it has parts.
    #[arg(long)]
    part: Option<String>,
    /// Exit with code 1 if a target is missed; with --against, if a figure is worse by more than 10 %.
    #[arg(long)]
    pub(super) check: bool,
    /// Print one JSON object per line.
    #[arg(long, conflicts_with = "against")]
    json: bool,
    /// Also build this git revision, run both alternately, and compare the medians.
    #[arg(long, value_name = "REV")]
    pub(super) against: Option<String>,
    /// How often each build runs.
    #[arg(long, requires = "against", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.name == "build" {
        return cold_build::run(arguments);
    }
    // Dropped at the end, which stops only the services that this run has started.
    let running: Vec<Running> =
        benchmark_services(&arguments.name)?.iter().map(|name| services::up(name)).collect::<Result<_>>()?;
    let variables = running.iter().map(Running::variables).collect::<Result<Vec<_>>>()?.concat();
    let benchmark = BenchmarkRun { name: arguments.name.clone(), part: arguments.part.clone(), variables };
    match &arguments.against {
        Some(revision) => compare(&benchmark, revision, arguments),
        None => run_once(&benchmark, arguments),
    }
}

fn run_once(benchmark: &BenchmarkRun, arguments: &Arguments) -> Result<()> {
    eprintln!("building and running '{}'; the first build takes some minutes", benchmark.name);
    let mut command = Build::new(&root(), &target_directory()?)?.command(benchmark);
    command.args(arguments.check.then_some("--check"));
    command.args(arguments.json.then_some("--json"));
    match command.status()?.code() {
        Some(0) => Ok(()),
        Some(1) if arguments.check => bail!("benchmark '{}' missed a target", benchmark.name),
        _ => bail!("benchmark '{}' failed; list benchmarks with: cargo xtask bench help", benchmark.name),
    }
}

fn compare(benchmark: &BenchmarkRun, revision: &str, arguments: &Arguments) -> Result<()> {
    let comparisons = against::run(benchmark, revision, Rounds(arguments.rounds))?;
    let revision_width = revision.chars().count().max(12);
    println!("{:<28} {revision:>revision_width$} {:>12} {:>8}", "figure", "now", "now/rev");
    for comparison in &comparisons {
        println!("{}", comparison.line(revision_width));
    }
    let worse = comparisons.iter().filter(|comparison| comparison.is_worse()).count();
    if arguments.check && worse > 0 {
        bail!("benchmark '{}': figures worse than at {revision} by more than 10 %: {worse}", benchmark.name);
    }
    Ok(())
}
