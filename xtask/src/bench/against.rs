//! Runs a benchmark of the working tree and of another revision in turn.
//!
//! A figure of yesterday says little: the machine was another one, or had other work. Both builds run within the same
//! minutes, and each is first as often as the other, so that a machine that grows warm or slow favours neither.

use anyhow::{Context, Result, bail};

use super::build::{Build, Measured};
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

pub(super) fn run(measured: &Measured, revision: &str, rounds: Rounds) -> Result<Vec<Comparison>> {
    let target = target_directory()?;
    let folder = target.join("against");
    let tree = folder.join("tree");
    check_out(revision, &tree)?;
    eprintln!("building '{}' at {revision} and now; the first build takes some minutes", measured.name);
    // A target directory for each: two versions of one package in the same one compile anew at every turn.
    let then = Build::new(&tree, &folder.join("target"))?;
    let now = Build::new(&root(), &target)?;

    let (mut of_then, mut of_now) = (Vec::new(), Vec::new());
    for (number, side) in rounds.order().enumerate() {
        let (build, runs, label) = match side {
            Side::Revision => (&then, &mut of_then, revision),
            Side::WorkingTree => (&now, &mut of_now, "now"),
        };
        eprintln!("run {} of {}: {label}", number + 1, rounds.0 * 2);
        runs.push(measure(build, measured).with_context(|| format!("benchmark '{}' at {label}", measured.name))?);
    }
    compare(&of_then, &of_now)
}

fn measure(build: &Build, measured: &Measured) -> Result<Vec<Figure>> {
    let mut command = build.command(measured);
    let output = command.arg("--json").stderr(std::process::Stdio::inherit()).output().context("could not start")?;
    if !output.status.success() {
        bail!("it did not run; list benchmarks with: cargo xtask bench help");
    }
    read(&String::from_utf8_lossy(&output.stdout))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_build_is_first_in_turn() {
        use Side::{Revision as A, WorkingTree as B};
        assert_eq!(Rounds(3).order().collect::<Vec<_>>(), [A, B, B, A, A, B]);
    }
}
