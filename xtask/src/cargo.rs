//! Calls cargo, and reads the metadata of the workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// The cargo that started this program, in the root folder of the workspace.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// The profile of the released program.
pub(crate) const DIST_PROFILE: &str = "dist";

/// A build of the released program. Its C code is optimised as the C libraries ask for, without the flags of
/// `.cargo/config.toml`.
pub(crate) fn dist_build() -> Command {
    let mut command = cargo();
    command.args(["build", "--profile", DIST_PROFILE]).envs(C_FLAGS.map(|variable| (variable, "")));
    command
}

/// The variables of `.cargo/config.toml` for C code. Cargo sets them for the programs that it runs, this one included.
pub(crate) const C_FLAGS: [&str; 2] = ["CFLAGS", "CXXFLAGS"];

/// The root folder of the workspace.
pub(crate) fn root() -> PathBuf {
    // From the environment first: an executable in a shared target directory may have been built in another checkout.
    let own = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    own.parent().map_or(own.clone(), PathBuf::from)
}

/// Runs a command with inherited output; returns an error if it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = describe(command);
    eprintln!("\n$ {line}");
    let status = command.status().with_context(|| format!("could not start: {line}"))?;
    if !status.success() {
        bail!("failed: {line}");
    }
    Ok(())
}

pub(crate) fn describe(command: &Command) -> String {
    let program = PathBuf::from(command.get_program());
    let name = program.file_name().unwrap_or(command.get_program()).to_string_lossy().into_owned();
    let arguments = command.get_args().map(|argument| argument.to_string_lossy());
    std::iter::once(name.into()).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// The services that the tests need, of one package or of all, from the packages' metadata.
pub(crate) fn needed_services(package: Option<&str>) -> Result<Vec<String>> {
    let packages = packages()?;
    if let Some(name) = package
        && !packages.iter().any(|package| package.name == name)
    {
        bail!("no package is named '{name}'");
    }
    let selected = packages.into_iter().filter(|it| package.is_none_or(|name| it.name == name));
    let services: BTreeSet<String> = selected.filter_map(Package::needs).flat_map(|needs| needs.services).collect();
    Ok(services.into_iter().collect())
}

/// The services that a benchmark needs, from the metadata of its package.
pub(crate) fn benchmark_services(benchmark: &str) -> Result<Vec<String>> {
    let mut needs = packages()?.into_iter().filter_map(Package::needs);
    Ok(needs.find_map(|mut needs| needs.benchmarks.remove(benchmark)).unwrap_or_default())
}

/// `[package.metadata.redrive]`: the services that a package needs.
#[derive(Deserialize)]
struct Needs {
    #[serde(default)]
    services: Vec<String>,
    #[serde(default)]
    benchmarks: BTreeMap<String, Vec<String>>,
}

/// A package of the workspace and its dependencies.
#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) manifest_path: PathBuf,
    pub(crate) dependencies: Vec<Dependency>,
    #[serde(default)]
    metadata: Option<CustomMetadata>,
}

#[derive(Deserialize)]
struct CustomMetadata {
    #[serde(default)]
    redrive: Option<Needs>,
}

impl Package {
    #[cfg(test)]
    pub(crate) fn sample(name: &str, dependencies: Vec<Dependency>) -> Self {
        let manifest_path = format!("/w/crates/{name}/Cargo.toml").into();
        Self { name: name.to_owned(), manifest_path, dependencies, metadata: None }
    }

    fn needs(self) -> Option<Needs> {
        self.metadata?.redrive
    }
}

#[derive(Deserialize)]
pub(crate) struct Dependency {
    /// The name of the package, even if the manifest renames it.
    pub(crate) name: String,
    /// `dev` or `build`; `None` for a normal dependency.
    pub(crate) kind: Option<String>,
}

impl Dependency {
    pub(crate) fn is_normal(&self) -> bool {
        self.kind.is_none()
    }
}

/// The packages of the workspace.
pub(crate) fn packages() -> Result<Vec<Package>> {
    Ok(metadata()?.packages)
}

/// Cargo's target directory.
pub(crate) fn target_directory() -> Result<PathBuf> {
    Ok(metadata()?.target_directory)
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    target_directory: PathBuf,
}

fn metadata() -> Result<Metadata> {
    let output = cargo().args(["metadata", "--no-deps", "--format-version=1"]).output();
    let output = output.context("could not run cargo metadata")?;
    serde_json::from_slice(&output.stdout).context("could not parse the output of cargo metadata")
}

/// The names of all tests that contain `filter` and do not contain `skip`.
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

    /// Otherwise a misspelled service would only be found by a full test run.
    #[test]
    fn every_service_in_the_metadata_of_a_package_exists() {
        let packages = packages().expect("cargo metadata is readable");
        let needs: Vec<Needs> = packages.into_iter().filter_map(Package::needs).collect();
        let named = needs.iter().flat_map(|needs| needs.benchmarks.values().flatten().chain(&needs.services));
        let unknown: Vec<_> = named.filter(|name| !services::is_known(name)).collect();
        assert!(unknown.is_empty(), "unknown services: {unknown:?}");
        assert!(needs.iter().any(|needs| !needs.services.is_empty()), "no package names a service");
    }
}
