//! Benchmarks are commands of their own; this builds and runs them.

use std::process::Command;

use anyhow::{Result, bail};

use crate::cargo::{benchmark_services, cargo, root, run as run_command, target_directory};
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
    eprintln!("building and running '{}'; the first build takes some minutes", arguments.name);
    // Both at once, and so with the same parts: the benchmark finds the program beside itself.
    let packages = ["--package", "redrive-bench", "--package", "redrive"];
    run_command(cargo().args(["build", "--profile", SHIPPED, "--quiet"]).args(packages))?;
    let mut command = Command::new(target_directory()?.join(SHIPPED).join("redrive-bench"));
    command.current_dir(root());
    command.arg(if arguments.name == "help" { "--help" } else { &arguments.name });
    command.args(arguments.part.iter().flat_map(|part| ["--part", part]));
    command.args(arguments.check.then_some("--check"));
    command.args(arguments.json.then_some("--json"));
    command.envs(running.iter().map(|service| (service.variable(), service.address())));
    match command.status()?.code() {
        Some(0) => Ok(()),
        Some(1) if arguments.check => bail!("benchmark '{}' missed a target", arguments.name),
        _ => bail!("benchmark '{}' did not run; list them with: cargo xtask bench help", arguments.name),
    }
}
