//! Builds the benchmarks and the program that they measure from one source tree.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::cargo::{DIST_PROFILE, dist_build, run as run_command};

/// The benchmark to run.
pub(super) struct BenchmarkRun {
    pub(super) name: String,
    pub(super) part: Option<String>,
    /// The environment variables of the services that it needs, with their values.
    pub(super) variables: Vec<(String, String)>,
}

pub(super) struct Build {
    tree: PathBuf,
    benchmarks: PathBuf,
}

impl Build {
    pub(super) fn new(tree: &Path, target: &Path) -> Result<Self> {
        // One build for both, so that they share their dependencies; the benchmark finds the program beside itself.
        let programs = ["--workspace", "--bin", "redrive-bench", "--bin", "redrive"];
        let mut command = dist_build();
        command.current_dir(tree).arg("--quiet").args(programs);
        run_command(command.arg("--target-dir").arg(target))?;
        Ok(Self { tree: tree.to_owned(), benchmarks: target.join(DIST_PROFILE).join("redrive-bench") })
    }

    pub(super) fn command(&self, benchmark: &BenchmarkRun) -> Command {
        let mut command = Command::new(&self.benchmarks);
        command.current_dir(&self.tree);
        command.arg(if benchmark.name == "help" { "--help" } else { &benchmark.name });
        command.args(benchmark.part.iter().flat_map(|part| ["--part", part]));
        command.envs(benchmark.variables.iter().map(|(variable, value)| (variable, value)));
        command
    }
}
