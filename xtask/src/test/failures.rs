//! What the runs of test executables printed and how long they took, repeated at the end, where a long log is read first.

use std::time::Duration;

use anyhow::{Result, bail};

/// A finished run of a test executable.
#[derive(Debug)]
pub(super) struct FinishedRun {
    /// The command that repeats it.
    pub(super) command: String,
    pub(super) duration: Duration,
    /// How it ended, if not with success.
    pub(super) failure: Option<String>,
    pub(super) output: String,
}

/// The runs that took longest, the slowest first, one per line.
pub(super) fn slowest(runs: &[FinishedRun], count: usize) -> Vec<String> {
    let mut runs: Vec<&FinishedRun> = runs.iter().collect();
    runs.sort_by_key(|run| std::cmp::Reverse(run.duration));
    let lines = runs.iter().take(count).map(|run| format!("{:>7.1} s  {}", run.duration.as_secs_f64(), run.command));
    lines.collect()
}

/// Prints what failed, and returns an error that lists the commands.
pub(super) fn check(runs: &[FinishedRun]) -> Result<()> {
    let failed: Vec<_> = runs.iter().filter_map(|run| run.failure.as_ref().map(|failure| (run, failure))).collect();
    if failed.is_empty() {
        return Ok(());
    }
    for section in failed.iter().flat_map(|(run, _)| sections(&run.output)) {
        eprintln!("\n{section}");
    }
    let commands: Vec<_> = failed.iter().map(|(run, failure)| format!("{} ({failure})", run.command)).collect();
    bail!("failed: {}", commands.join("\nfailed: "))
}

/// What test programs print between `failures:` and `test result:`.
fn sections(output: &str) -> Vec<String> {
    let mut sections = Vec::new();
    let mut section: Option<String> = None;
    for line in output.split_inclusive('\n') {
        if line.starts_with("test result:") {
            sections.extend(section.take());
        } else if let Some(section) = &mut section {
            section.push_str(line);
        } else if line.trim_end() == "failures:" {
            section = Some(line.to_owned());
        }
    }
    sections.extend(section);
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(command: &str, seconds: u64, failure: Option<&str>) -> FinishedRun {
        FinishedRun {
            command: command.into(),
            duration: Duration::from_secs(seconds),
            failure: failure.map(str::to_owned),
            output: String::new(),
        }
    }

    #[test]
    fn what_failed_is_collected_from_every_test_program() {
        let output = "running 2 tests\ntest a ... ok\ntest b ... FAILED\n\nfailures:\n\n---- b stdout ----\nwhy\n\n\
                      failures:\n    b\n\ntest result: FAILED. 1 passed\nrunning 1 test\ntest c ... ok\n\
                      test result: ok. 1 passed\n";
        assert_eq!(sections(output), ["failures:\n\n---- b stdout ----\nwhy\n\nfailures:\n    b\n\n"]);
    }

    #[test]
    fn a_section_that_a_dying_program_did_not_end_is_collected() {
        assert_eq!(sections("failures:\n\n---- b stdout ----\nwhy"), ["failures:\n\n---- b stdout ----\nwhy"]);
    }

    #[test]
    fn one_failed_run_fails_the_whole() {
        assert!(check(&[run("a", 1, None), run("b", 1, None)]).is_ok());
        let error = check(&[run("a", 1, Some("exit status: 101")), run("b", 1, None)]).unwrap_err();
        assert_eq!(error.to_string(), "failed: a (exit status: 101)");
    }

    #[test]
    fn the_slowest_runs_come_first() {
        let runs = [run("a", 1, None), run("b", 30, None), run("c", 2, None)];
        assert_eq!(slowest(&runs, 2), ["   30.0 s  b", "    2.0 s  c"]);
    }
}
