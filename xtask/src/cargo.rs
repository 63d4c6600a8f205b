//! Calling cargo, and what it knows about the workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The cargo that runs us, in the workspace's folder.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// The workspace's folder.
pub(crate) fn root() -> PathBuf {
    // As cargo says now: a program in a build directory that outlives its checkout remembers another one.
    let own = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    own.parent().map_or(own.clone(), PathBuf::from)
}

/// Runs a command to its end, with our output. Its failure is ours.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = describe(command);
    eprintln!("\n$ {line}");
    let status = command.status().with_context(|| format!("could not start: {line}"))?;
    if !status.success() {
        bail!("failed: {line}");
    }
    Ok(())
}

fn describe(command: &Command) -> String {
    let program = PathBuf::from(command.get_program());
    let name = program.file_name().unwrap_or(command.get_program()).to_string_lossy().into_owned();
    let arguments = command.get_args().map(|argument| argument.to_string_lossy());
    std::iter::once(name.into()).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// The services that the tests of any package need, by the packages' own word.
pub(crate) fn needed_services() -> Result<BTreeSet<String>> {
    Ok(needs()?.into_iter().flat_map(|needs| needs.services).collect())
}

/// The services that a benchmark needs, by the word of the package which has it.
pub(crate) fn benchmark_services(benchmark: &str) -> Result<Vec<String>> {
    Ok(needs()?.into_iter().find_map(|mut needs| needs.benchmarks.remove(benchmark)).unwrap_or_default())
}

/// `[package.metadata.redrive]`: what a package needs besides Rust.
#[derive(Deserialize)]
struct Needs {
    #[serde(default)]
    services: Vec<String>,
    #[serde(default)]
    benchmarks: BTreeMap<String, Vec<String>>,
}

fn needs() -> Result<Vec<Needs>> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    #[derive(Deserialize)]
    struct Package {
        #[serde(default)]
        metadata: Option<Own>,
    }
    #[derive(Deserialize)]
    struct Own {
        #[serde(default)]
        redrive: Option<Needs>,
    }
    Ok(metadata::<Metadata>()?.packages.into_iter().filter_map(|package| package.metadata?.redrive).collect())
}

/// A package of the workspace, and what its manifest depends on.
#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
pub(crate) struct Dependency {
    /// The package's name, also where the manifest renames it.
    pub(crate) name: String,
    /// `dev` or `build`; none for a normal dependency.
    pub(crate) kind: Option<String>,
}

impl Dependency {
    pub(crate) fn is_normal(&self) -> bool {
        self.kind.is_none()
    }
}

/// The packages of the workspace.
pub(crate) fn packages() -> Result<Vec<Package>> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    Ok(metadata::<Metadata>()?.packages)
}

/// What cargo says of the workspace, or that part of it which is wanted.
fn metadata<T: DeserializeOwned>() -> Result<T> {
    let output = cargo().args(["metadata", "--no-deps", "--format-version=1"]).output().context("cargo metadata")?;
    serde_json::from_slice(&output.stdout).context("cargo metadata is not as expected")
}

/// Where cargo puts what it builds.
pub(crate) fn target_directory() -> Result<PathBuf> {
    #[derive(Deserialize)]
    struct Metadata {
        target_directory: PathBuf,
    }
    Ok(metadata::<Metadata>()?.target_directory)
}

/// The names of all tests that contain `filter` and not `skip`, as the test runner lists them.
pub(crate) fn list_tests(profile: &[&str], filter: &str, skip: Option<&str>) -> Result<Vec<String>> {
    let mut command = cargo();
    command
        .arg("test")
        .args(profile)
        .args(["--workspace", "--quiet", "--", "--list", filter])
        .args(skip.iter().flat_map(|skip| ["--skip", skip]))
        .stderr(Stdio::inherit());
    let output = command.output().context("could not list the tests")?;
    if !output.status.success() {
        bail!("could not list the tests: {}", describe(&command));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services;

    /// A name that is mistyped in a package would be found by whoever waits for the long run.
    #[test]
    fn every_service_that_a_package_names_is_one() {
        let needs = needs().expect("cargo knows its packages");
        let named = needs.iter().flat_map(|needs| needs.benchmarks.values().flatten().chain(&needs.services));
        let unknown: Vec<_> = named.filter(|name| !services::is_known(name)).collect();
        assert!(unknown.is_empty(), "there are no such services: {unknown:?}");
        assert!(needs.iter().any(|needs| !needs.services.is_empty()), "the packages' word was not found");
    }
}
