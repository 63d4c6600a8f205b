//! Runs the executables of a lane, one after the other.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};

use super::executable::{TestExecutable, wrapped};
use super::failures::FinishedRun;
use super::lane::TestSelection;
use crate::cargo::{cargo, root, target_directory};

/// Time limits of tests with a service are real time: the tests that compute leave the processor to them.
const COMPUTING: &[&str] = &["nice", "-n", "5"];
/// Tests with a service mostly wait for it, so that more of them run at once than there are cores.
const SERVICE_TEST_THREADS: &str = "4";

/// The tests of a lane and the environment in which they run.
#[derive(Debug)]
pub(super) struct LaneRun<'e> {
    executables: &'e [TestExecutable],
    selection: TestSelection,
    arguments: Vec<String>,
    variables: Vec<(String, String)>,
    wrapper: &'static [&'static str],
    log: PathBuf,
}

impl<'e> LaneRun<'e> {
    /// Tests without a service, on all cores.
    pub(super) fn computing(executables: &'e [TestExecutable], selection: TestSelection) -> Result<Self> {
        let arguments = selection.arguments();
        let log = log_file("computing")?;
        Ok(Self { executables, selection, arguments, variables: Vec::new(), wrapper: COMPUTING, log })
    }

    /// Tests of services, with the variables that these pass to them.
    pub(super) fn with_services(
        executables: &'e [TestExecutable],
        selection: TestSelection,
        variables: Vec<(String, String)>,
        name: &str,
    ) -> Result<Self> {
        let mut arguments = selection.arguments();
        arguments.extend(["--test-threads".to_owned(), SERVICE_TEST_THREADS.to_owned()]);
        Ok(Self { executables, selection, arguments, variables, wrapper: &[], log: log_file(name)? })
    }

    pub(super) fn run(&self) -> Result<Vec<FinishedRun>> {
        let has_tests = |it: &&TestExecutable| it.tests.iter().any(|test| self.selection.contains(test));
        self.executables.iter().filter(has_tests).map(|executable| self.run_executable(executable)).collect()
    }

    fn run_executable(&self, executable: &TestExecutable) -> Result<FinishedRun> {
        let mut command = executable.command(self.wrapper);
        command.args(&self.arguments).envs(self.variables.iter().map(|(name, value)| (name, value)));
        let TestExecutable { package, target, .. } = executable;
        let arguments = self.arguments.join(" ");
        let line = format!("cargo test --package {package} --all-features {target} -- {arguments}");
        finish(&mut command, line.trim_end_matches(" -- ").to_owned(), &self.log)
    }
}

/// Runs the examples in the documentation of these packages.
pub(super) fn run_doctests(scope: &[&str]) -> Result<FinishedRun> {
    let mut command = wrapped(COMPUTING, Path::new(cargo().get_program()));
    command.current_dir(root()).args(["test", "--doc", "--no-fail-fast"]).args(scope);
    finish(&mut command, format!("cargo test --doc {}", scope.join(" ")), &log_file("doctests")?)
}

/// The file with the output of the executable that a lane runs now. A pipe would stay open, and the lane would wait, as
/// long as a process lives that a test has left behind.
fn log_file(lane: &str) -> Result<PathBuf> {
    let folder = target_directory()?.join("test-output");
    fs::create_dir_all(&folder).with_context(|| format!("could not create {}", folder.display()))?;
    Ok(folder.join(lane).with_extension("log"))
}

/// Runs the command to its end, and then prints its output as a whole: those of the lanes must not mix.
#[expect(clippy::disallowed_methods, reason = "the duration of a test run is a figure for people")]
fn finish(command: &mut Command, line: String, log: &Path) -> Result<FinishedRun> {
    let file = File::create(log).with_context(|| format!("could not create {}", log.display()))?;
    let begin = Instant::now();
    let status = command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file).status();
    let status = status.with_context(|| format!("could not start: {line}"))?;
    let duration = begin.elapsed();
    let output = fs::read(log).with_context(|| format!("could not read {}", log.display()))?;
    let output = String::from_utf8_lossy(&output).into_owned();
    writeln!(std::io::stdout().lock(), "\n$ {line}  # {:.1} s\n{output}", duration.as_secs_f64())?;
    let failure = (!status.success()).then(|| status.to_string());
    Ok(FinishedRun { command: line, duration, failure, output })
}
