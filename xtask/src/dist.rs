//! Builds the program as it is shipped: stripped, with its symbols in a file beside it.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::cargo::{DIST_PROFILE, dist_build, run as run_command, target_directory};

pub(crate) fn run() -> Result<()> {
    // OpenSSL is linked statically, so that the program needs no library that a machine may lack.
    let mut build = dist_build();
    build.args(["--locked", "--package", "redrive-cli"]).env("OPENSSL_NO_VENDOR", "0");
    run_command(&mut build)?;
    let target = target_directory()?;
    let shipped = target.join("shipped");
    fs::create_dir_all(&shipped).with_context(|| format!("could not create {}", shipped.display()))?;
    // The symbols stay in the build, for the benchmarks' profiler.
    split(&target.join(DIST_PROFILE).join("redrive"), &shipped)?;
    for name in ["redrive", "redrive.debug"] {
        let path = shipped.join(name);
        let size = fs::metadata(&path).with_context(|| format!("could not read {}", path.display()))?.len();
        println!("{:>6.1} MB  {}", size as f64 / 1e6, path.display());
    }
    Ok(())
}

/// Writes a program without symbols, and its symbols, to a folder. The program names the file of its symbols, which
/// debuggers and profilers look for beside it.
fn split(built: &Path, folder: &Path) -> Result<()> {
    let (program, symbols) = (folder.join("redrive"), folder.join("redrive.debug"));
    run_command(Command::new("objcopy").arg("--only-keep-debug").arg(built).arg(&symbols))?;
    run_command(Command::new("objcopy").arg("--strip-all").arg(built).arg(&program))?;
    // In the folder, because only the name of the file is to be recorded.
    let mut link = Command::new("objcopy");
    link.current_dir(folder).args(["--add-gnu-debuglink=redrive.debug", "redrive"]);
    run_command(&mut link)
}
