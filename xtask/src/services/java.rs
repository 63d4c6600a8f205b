//! Java programs: the runtime, Maven, and distributions that Maven downloads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::install::{self, Package};

pub(super) const RUNTIME: Package = Package { name: "default-jre-headless", units: &[] };
const MAVEN: Package = Package { name: "maven", units: &[] };

/// The folder `name` beside the folder of the service, which is emptied at every start. If it does not exist, `create`
/// fills an empty folder and returns the folder in it that becomes the distribution.
///
/// Maven keeps its downloads in a repository outside `target/`, so nothing is downloaded again after `cargo clean`.
pub(super) fn distribution(directory: &Path, name: &str, create: fn(&Path) -> Result<PathBuf>) -> Result<PathBuf> {
    let home = directory.with_file_name(name);
    if home.exists() {
        return Ok(home);
    }
    // Created under another name first, so that an existing folder is always complete.
    let part = directory.with_file_name(format!("{name}.part"));
    if part.exists() {
        fs::remove_dir_all(&part).with_context(|| format!("could not clear {}", part.display()))?;
    }
    fs::create_dir(&part).with_context(|| format!("could not create {}", part.display()))?;
    let created = create(&part)?;
    // The user of the service must be able to read the files, whatever the umask of the current user.
    let readable = Command::new("chmod").args(["-R", "a+rX"]).arg(&part).status();
    if !readable.context("could not run chmod")?.success() {
        bail!("could not make {} readable for all users", part.display());
    }
    fs::rename(&created, &home).with_context(|| format!("could not move {}", created.display()))?;
    if part.exists() {
        fs::remove_dir_all(&part).with_context(|| format!("could not clear {}", part.display()))?;
    }
    Ok(home)
}

/// Runs a goal of Maven in this folder; installs Maven if it is missing.
pub(super) fn maven(folder: &Path, arguments: &[String]) -> Result<()> {
    install::ensure("mvn", &MAVEN)?;
    let mut command = Command::new("mvn");
    command.args(["-q", "-B"]).args(arguments).current_dir(folder).env("PATH", install::search_path()?);
    if !command.status().context("could not run mvn")?.success() {
        bail!("failed: mvn {}", arguments.join(" "));
    }
    Ok(())
}
