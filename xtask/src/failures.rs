//! Runs tests, and repeats what failed at the end, where a long log is read first.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::cargo::describe;

/// What failed in runs of `cargo test`.
#[derive(Default)]
pub(crate) struct Failures {
    /// The sections `failures:` of the output.
    sections: Vec<String>,
    /// The commands that failed.
    commands: Vec<String>,
}

impl Failures {
    pub(crate) fn extend(&mut self, other: Self) {
        self.sections.extend(other.sections);
        self.commands.extend(other.commands);
    }

    pub(crate) fn check(&self) -> Result<()> {
        if self.commands.is_empty() {
            return Ok(());
        }
        for section in &self.sections {
            eprintln!("\n{section}");
        }
        bail!("failed: {}", self.commands.join("\nfailed: "))
    }
}

/// Runs `cargo test` to its end, whatever fails in it.
pub(crate) fn run_tests(command: &mut Command) -> Result<Failures> {
    let line = describe(command);
    eprintln!("\n$ {line}");
    let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| format!("could not start: {line}"))?;
    let output = child.stdout.take().context("the output of cargo test is not piped")?;
    let sections = copy_and_collect(BufReader::new(output), &mut std::io::stdout())?;
    let is_success = child.wait().with_context(|| format!("could not wait for: {line}"))?.success();
    let commands = if is_success { Vec::new() } else { vec![line] };
    Ok(Failures { sections, commands })
}

/// Copies the output of test programs, and returns what they print between `failures:` and `test result:`.
fn copy_and_collect(mut output: impl BufRead, copy: &mut impl Write) -> Result<Vec<String>> {
    let mut sections = Vec::new();
    let mut section: Option<String> = None;
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line)? > 0 {
        copy.write_all(&line)?;
        let text = String::from_utf8_lossy(&line);
        if text.starts_with("test result:") {
            sections.extend(section.take());
        } else if let Some(section) = &mut section {
            section.push_str(&text);
        } else if text.trim_end() == "failures:" {
            section = Some(text.into_owned());
        }
        line.clear();
    }
    sections.extend(section);
    Ok(sections)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_is_collected_from_every_test_program() {
        let output = "running 2 tests\ntest a ... ok\ntest b ... FAILED\n\nfailures:\n\n---- b stdout ----\nwhy\n\n\
                      failures:\n    b\n\ntest result: FAILED. 1 passed\nrunning 1 test\ntest c ... ok\n\
                      test result: ok. 1 passed\n";
        let mut copy = Vec::new();
        let sections = copy_and_collect(output.as_bytes(), &mut copy).unwrap();
        assert_eq!(String::from_utf8(copy).unwrap(), output);
        assert_eq!(sections, ["failures:\n\n---- b stdout ----\nwhy\n\nfailures:\n    b\n\n"]);
    }
}
