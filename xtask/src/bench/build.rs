//! The benchmarks and the program that they measure, built from one source tree.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::cargo::{cargo, run as run_command};

/// How the program is built that people get: the benchmarks measure that one.
const SHIPPED: &str = "dist";

/// What is run: a benchmark, and the services it needs by the variables that have their addresses.
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) part: Option<String>,
    pub(super) services: Vec<(String, String)>,
}

pub(super) struct Build {
    tree: PathBuf,
    benchmarks: PathBuf,
}

impl Build {
    pub(super) fn new(tree: &Path, target: &Path) -> Result<Self> {
        // Both at once, and so with the same parts: the benchmark finds the program beside itself.
        let packages = ["--package", "redrive-bench", "--package", "redrive"];
        let mut command = cargo();
        command.current_dir(tree).args(["build", "--profile", SHIPPED, "--quiet"]).args(packages);
        run_command(command.arg("--target-dir").arg(target))?;
        Ok(Self { tree: tree.to_owned(), benchmarks: target.join(SHIPPED).join("redrive-bench") })
    }

    pub(super) fn command(&self, measured: &Measured) -> Command {
        let mut command = Command::new(&self.benchmarks);
        command.current_dir(&self.tree);
        command.arg(if measured.name == "help" { "--help" } else { &measured.name });
        command.args(measured.part.iter().flat_map(|part| ["--part", part]));
        command.envs(measured.services.iter().map(|(variable, address)| (variable, address)));
        command
    }
}
