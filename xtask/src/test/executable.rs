//! The test executables that cargo builds.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::cargo::{Package, cargo, describe, packages};

/// A test executable and its tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TestExecutable {
    pub(super) package: String,
    /// The options of `cargo test` that select it: `--lib`, `--bin NAME` or `--test NAME`.
    pub(super) target: String,
    /// The folder of the package, in which its tests run.
    folder: PathBuf,
    program: PathBuf,
    pub(super) tests: Vec<String>,
}

impl TestExecutable {
    pub(super) fn is_library(&self) -> bool {
        self.target == "--lib"
    }

    /// The command that runs it with the folder and the environment that cargo sets. This program was started by cargo
    /// too, and has the variables of its own package.
    pub(super) fn command(&self, wrapper: &[&str]) -> Command {
        let mut command = wrapped(wrapper, &self.program);
        command
            .current_dir(&self.folder)
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .env("CARGO_MANIFEST_PATH", self.folder.join("Cargo.toml"))
            .env("CARGO_PKG_NAME", &self.package);
        command
    }
}

/// The command that runs a program by others, each of which replaces itself with the next. The program ends when this
/// process ends, however that ends: tests that continue would disturb the next run.
pub(super) fn wrapped(wrapper: &[&str], program: &Path) -> Command {
    static BINDING: LazyLock<&[&str]> = LazyLock::new(|| {
        let binding: &[&str] = &["setpriv", "--pdeathsig", "TERM"];
        let probe = Command::new("setpriv").args(["--pdeathsig", "TERM", "true"]).stderr(Stdio::null()).status();
        if probe.is_ok_and(|status| status.success()) { binding } else { &[] }
    });
    let mut words = wrapper.iter().chain(*BINDING).map(AsRef::as_ref).chain([program.as_os_str()]);
    let mut command = Command::new(words.next().unwrap_or(program.as_os_str()));
    command.args(words);
    command
}

/// Builds the tests of these packages and lists them.
pub(super) fn build(scope: &[&str]) -> Result<Vec<TestExecutable>> {
    let mut command = cargo();
    command.arg("test").args(scope).args(["--no-run", "--message-format=json-render-diagnostics"]);
    eprintln!("\n$ {}", describe(&command));
    let output = command.stderr(Stdio::inherit()).output().context("could not run cargo")?;
    if !output.status.success() {
        bail!("failed: {}", describe(&command));
    }
    let mut executables = parse(&String::from_utf8_lossy(&output.stdout), &packages()?)?;
    for executable in &mut executables {
        executable.tests = list(executable)?;
    }
    Ok(executables)
}

/// Parses the messages of cargo: one JSON object per line.
fn parse(messages: &str, packages: &[Package]) -> Result<Vec<TestExecutable>> {
    #[derive(Deserialize)]
    struct Message {
        reason: String,
        manifest_path: Option<PathBuf>,
        target: Option<Target>,
        profile: Option<Profile>,
        executable: Option<PathBuf>,
    }
    #[derive(Deserialize)]
    struct Target {
        kind: Vec<String>,
        name: String,
    }
    #[derive(Deserialize)]
    struct Profile {
        test: bool,
    }
    let mut executables = Vec::new();
    for line in messages.lines() {
        let message: Message =
            serde_json::from_str(line).with_context(|| format!("unknown message of cargo: {line}"))?;
        let Message { manifest_path: Some(manifest), target: Some(target), profile: Some(profile), .. } = message
        else {
            continue;
        };
        let Some(program) = message.executable.filter(|_| message.reason == "compiler-artifact" && profile.test) else {
            continue;
        };
        let package = packages.iter().find(|package| package.manifest_path == manifest);
        let package = package.with_context(|| format!("{} is not of this workspace", manifest.display()))?;
        let kind = target.kind.first().map_or("lib", String::as_str);
        let target = if ["bin", "example", "test"].contains(&kind) {
            format!("--{kind} {}", target.name)
        } else {
            "--lib".to_owned()
        };
        executables.push(TestExecutable {
            package: package.name.clone(),
            target,
            folder: manifest.parent().context("a manifest has no folder")?.to_owned(),
            program,
            tests: Vec::new(),
        });
    }
    Ok(executables)
}

fn list(executable: &TestExecutable) -> Result<Vec<String>> {
    let output = executable.command(&[]).args(["--list", "--format", "terse"]).output();
    let output = output.with_context(|| format!("could not run {}", executable.program.display()))?;
    if !output.status.success() {
        bail!("could not list the tests of {}", executable.program.display());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

/// An executable with these tests.
#[cfg(test)]
pub(super) fn sample(tests: &[&str]) -> TestExecutable {
    TestExecutable {
        package: "redrive-sample".into(),
        target: "--test it".into(),
        folder: "/w/crates/sample".into(),
        program: "/t/deps/it-1".into(),
        tests: tests.iter().map(|&test| test.to_owned()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn artifact(kind: &str, name: &str, is_test: bool, executable: Option<&str>) -> String {
        serde_json::json!({
            "reason": "compiler-artifact",
            "package_id": "path+file:///w/crates/redrive-core#redrive-core@0.1.0",
            "manifest_path": "/w/crates/redrive-core/Cargo.toml",
            "target": { "kind": [kind], "name": name, "src_path": "/w/crates/redrive-core/src/lib.rs" },
            "profile": { "opt_level": "0", "test": is_test },
            "executable": executable,
            "fresh": true,
        })
        .to_string()
    }

    #[test]
    fn only_executables_with_tests_are_taken_from_the_messages_of_cargo() {
        let messages = [
            artifact("lib", "redrive_core", false, None),
            artifact("lib", "redrive_core", true, Some("/t/deps/redrive_core-1")),
            artifact("bin", "redrive", false, Some("/t/redrive")),
            artifact("bin", "redrive", true, Some("/t/deps/redrive-2")),
            artifact("example", "guard", false, Some("/t/examples/guard")),
            artifact("test", "it", true, Some("/t/deps/it-3")),
            r#"{"reason":"build-script-executed","package_id":"x","linked_libs":[]}"#.to_owned(),
            r#"{"reason":"build-finished","success":true}"#.to_owned(),
        ];
        let executables = parse(&messages.join("\n"), &[Package::sample("redrive-core", Vec::new())]).unwrap();
        let found: Vec<_> = executables.iter().map(|it| (it.target.as_str(), it.program.to_str().unwrap())).collect();
        let expected = [
            ("--lib", "/t/deps/redrive_core-1"),
            ("--bin redrive", "/t/deps/redrive-2"),
            ("--test it", "/t/deps/it-3"),
        ];
        assert_eq!(found, expected);
        for executable in executables {
            assert_eq!(
                (executable.package.as_str(), executable.folder),
                ("redrive-core", "/w/crates/redrive-core".into())
            );
        }
    }

    #[test]
    fn an_executable_runs_in_the_folder_and_with_the_variables_of_its_package() {
        let messages = artifact("lib", "redrive_core", true, Some("/t/deps/redrive_core-1"));
        let executables = parse(&messages, &[Package::sample("redrive-core", Vec::new())]).unwrap();
        let command = executables[0].command(&["nice", "-n", "5"]);
        assert_eq!(command.get_program(), "nice");
        assert_eq!(command.get_args().last().unwrap(), "/t/deps/redrive_core-1");
        assert_eq!(command.get_current_dir(), Some(Path::new("/w/crates/redrive-core")));
        let variables: Vec<_> = command.get_envs().map(|(name, value)| (name, value.unwrap())).collect();
        let expected = [
            ("CARGO_MANIFEST_DIR", "/w/crates/redrive-core"),
            ("CARGO_MANIFEST_PATH", "/w/crates/redrive-core/Cargo.toml"),
            ("CARGO_PKG_NAME", "redrive-core"),
        ];
        assert_eq!(variables, expected.map(|(name, value)| (name.as_ref(), value.as_ref())));
    }

    #[test]
    fn an_unknown_package_is_an_error() {
        assert!(parse(&artifact("lib", "redrive_core", true, Some("/t/core")), &[]).is_err());
    }
}
