//! Checks out another git revision.

use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};

use crate::cargo::root;

/// Checks out `revision` into the git worktree `tree`. The worktree is kept, so that the next build is incremental.
pub(super) fn check_out(revision: &str, tree: &Path) -> Result<()> {
    let commit = commit(revision)?;
    let mut command = if tree.join(".git").exists() {
        let mut command = git(tree);
        command.args(["checkout", "--quiet", "--force", "--detach", &commit]);
        command
    } else {
        let mut command = git(&root());
        // Forced, because git still lists a worktree that `cargo clean` has removed.
        command.args(["worktree", "add", "--force", "--detach"]).arg(tree).arg(&commit);
        command
    };
    let output = output(&mut command)?;
    if !output.status.success() {
        bail!("could not check out '{revision}': {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}

/// The commit of a revision. A commit can be checked out even if the branch is checked out in another worktree.
fn commit(revision: &str) -> Result<String> {
    let mut command = git(&root());
    command.args(["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{revision}^{{commit}}")]);
    let output = output(&mut command)?;
    if !output.status.success() {
        bail!("git knows no commit '{revision}'; list branches and tags with: git branch --all; git tag");
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(folder);
    command
}

fn output(command: &mut Command) -> Result<Output> {
    command.output().context("could not start git")
}
