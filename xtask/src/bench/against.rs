//! Runs a benchmark alternately at the working tree and at another revision.
//!
//! Figures from another day are not comparable: the machine or its load was different. Both builds run within the same
//! minutes, and the build that runs first alternates, so that a machine that slows down favours neither.

use anyhow::{Context, Result, bail};

use super::build::{BenchmarkRun, Build};
use super::compare::{Comparison, compare};
use super::figure::{Figure, read};
use super::revision::check_out;
use crate::cargo::{root, target_directory};

/// How often each build runs.
#[derive(Clone, Copy)]
pub(super) struct Rounds(pub(super) u32);

#[derive(Debug, Clone, Copy, PartialEq)]
enum Side {
    Revision,
    WorkingTree,
}

impl Rounds {
    /// A B, B A, A B …
    fn order(self) -> impl Iterator<Item = Side> {
        (0..self.0).flat_map(|round| match round % 2 {
            0 => [Side::Revision, Side::WorkingTree],
            _ => [Side::WorkingTree, Side::Revision],
        })
    }
}

pub(super) fn run(benchmark: &BenchmarkRun, revision: &str, rounds: Rounds) -> Result<Vec<Comparison>> {
    let target = target_directory()?;
    let folder = target.join("against");
    let tree = folder.join("tree");
    check_out(revision, &tree)?;
    eprintln!("building '{}' at {revision} and at the working tree; first builds take some minutes", benchmark.name);
    // Separate target directories: in a shared one, each build would recompile the packages of the other.
    let then = Build::new(&tree, &folder.join("target"))?;
    let now = Build::new(&root(), &target)?;

    let (mut of_then, mut of_now) = (Vec::new(), Vec::new());
    for (number, side) in rounds.order().enumerate() {
        let (build, runs, label) = match side {
            Side::Revision => (&then, &mut of_then, revision),
            Side::WorkingTree => (&now, &mut of_now, "now"),
        };
        eprintln!("run {} of {}: {label}", number + 1, rounds.0 * 2);
        runs.push(measure(build, benchmark).with_context(|| format!("benchmark '{}' at {label}", benchmark.name))?);
    }
    compare(&of_then, &of_now)
}

fn measure(build: &Build, benchmark: &BenchmarkRun) -> Result<Vec<Figure>> {
    let mut command = build.command(benchmark);
    let output = command.arg("--json").stderr(std::process::Stdio::inherit()).output().context("could not start")?;
    if !output.status.success() {
        bail!("the benchmark failed; list benchmarks with: cargo xtask bench help");
    }
    read(&String::from_utf8_lossy(&output.stdout))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_build_that_runs_first_alternates() {
        use Side::{Revision as A, WorkingTree as B};
        assert_eq!(Rounds(3).order().collect::<Vec<_>>(), [A, B, B, A, A, B]);
    }
}
