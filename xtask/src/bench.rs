//! Benchmarks are commands of their own; this builds and runs them.

use anyhow::{Result, bail};

use crate::cargo::{benchmark_services, cargo, run as run_command};
use crate::services::{self, Running};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Which benchmark; `cargo xtask bench help` lists them.
    name: String,
    /// Only a part of the benchmark, where it has parts.
    #[arg(long)]
    part: Option<String>,
    /// Exit with 1 if a target is missed.
    #[arg(long)]
    check: bool,
    /// Print one JSON object a line, for programs.
    #[arg(long)]
    json: bool,
}

/// How the program is built that people get: the benchmarks measure that one.
const SHIPPED: &str = "dist";

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    // Dropped at the end, which stops what this run has started and nothing else.
    let running: Vec<Running> =
        benchmark_services(&arguments.name)?.iter().map(|name| services::up(name)).collect::<Result<_>>()?;
    let mut command = cargo();
    command.args(["run", "--profile", SHIPPED, "--quiet", "--package", "redrive-bench", "--"]);
    command.arg(if arguments.name == "help" { "--help" } else { &arguments.name });
    command.args(arguments.part.iter().flat_map(|part| ["--part", part]));
    command.args(arguments.check.then_some("--check"));
    command.args(arguments.json.then_some("--json"));
    if arguments.name == "server" {
        // The program as it is shipped: the benchmark finds it beside itself.
        run_command(cargo().args(["build", "--profile", SHIPPED, "--quiet", "--package", "redrive"]))?;
    }
    command.envs(running.iter().map(|service| (service.variable(), service.address())));
    eprintln!("building and running '{}'; the first build takes some minutes", arguments.name);
    match command.status()?.code() {
        Some(0) => Ok(()),
        Some(1) if arguments.check => bail!("benchmark '{}' missed a target", arguments.name),
        _ => bail!("benchmark '{}' did not run; list them with: cargo xtask bench help", arguments.name),
    }
}
