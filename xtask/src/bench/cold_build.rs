//! `cargo xtask bench build`: the processor time of a cold release build, by crate, and the size of the program.
//!
//! Processor time, not duration: it hardly depends on what else the machine does. Cargo does not report it, so that cargo
//! calls this program in place of the compiler (`RUSTC_WRAPPER`), which runs the compiler and writes down what it took.
//! The rest of the total is C code and build scripts.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use super::command::Arguments;
use super::revision::check_out;
use crate::cargo::{C_FLAGS, cargo, root, run as run_command, target_directory};

/// The file to which the wrapper of the compiler appends a line for each crate. Set only while it is one.
const TIMES_FILE: &str = "REDRIVE_BUILD_TIMES";
/// Crates that are printed each; the others are one line.
const SHOWN: usize = 24;
/// Of the revision that this build is compared with.
const RATIO_MAX: f64 = 0.4;
const PROGRAM_MEGABYTES_MAX: f64 = 60.0;

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let folder = target_directory()?.join("cold-build");
    let now = ColdBuild::run(&root(), &folder.join("now"))?;
    let then = match &arguments.against {
        Some(revision) => {
            let tree = folder.join("tree");
            check_out(revision, &tree)?;
            Some((revision, ColdBuild::run(&tree, &folder.join("then"))?))
        }
        None => None,
    };
    now.print_crates(then.as_ref().map(|(_, build)| build));
    let mut is_met = true;
    if let Some((revision, then)) = &then {
        let ratio = now.total_seconds / then.total_seconds;
        is_met &= ratio <= RATIO_MAX;
        let (value, reference, verdict) = (now.total_seconds, then.total_seconds, verdict(ratio <= RATIO_MAX));
        println!(
            "cold release build  {value:.0} s processor  {revision} {reference:.0} s  {ratio:.2}×  \
             target ≤ {RATIO_MAX:.2}×  {verdict}"
        );
    } else {
        println!("cold release build  {:.0} s processor", now.total_seconds);
    }
    let is_small = now.program_megabytes <= PROGRAM_MEGABYTES_MAX;
    is_met &= is_small;
    let (size, verdict) = (now.program_megabytes, verdict(is_small));
    println!("program  {size:.1} MB  target ≤ {PROGRAM_MEGABYTES_MAX:.0}  {verdict}");
    if arguments.check && !is_met {
        bail!("benchmark 'build' missed a target");
    }
    Ok(())
}

const fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "MISSED" }
}

struct ColdBuild {
    /// Processor seconds by crate; those of the C code and the build scripts under [`C_CODE`].
    by_crate: BTreeMap<String, f64>,
    total_seconds: f64,
    program_megabytes: f64,
}

const C_CODE: &str = "C code and build scripts";

impl ColdBuild {
    /// Builds the program of a source tree in a folder that is emptied first.
    fn run(tree: &Path, target: &Path) -> Result<Self> {
        if target.exists() {
            fs::remove_dir_all(target).with_context(|| format!("could not empty {}", target.display()))?;
        }
        fs::create_dir_all(target).with_context(|| format!("could not create {}", target.display()))?;
        let times = target.join("times.tsv");
        let wrapper = std::env::current_exe().context("could not find the path of this program")?;
        let before = children_seconds()?;
        let mut command = cargo();
        // Cargo has set them for this program; each source tree decides itself how it compiles C code.
        for variable in C_FLAGS {
            command.env_remove(variable);
        }
        command
            .current_dir(tree)
            .args(["build", "--release", "--quiet", "--locked", "--package", "redrive-cli"])
            .arg("--target-dir")
            .arg(target)
            .env_remove("OPENSSL_NO_VENDOR")
            .env("RUSTC_WRAPPER", wrapper)
            .env(TIMES_FILE, &times);
        run_command(&mut command)?;
        let total_seconds = children_seconds()? - before;
        let written = fs::read_to_string(&times).with_context(|| format!("could not read {}", times.display()))?;
        let mut by_crate = by_crate(&written)?;
        by_crate.insert(C_CODE.to_owned(), total_seconds - by_crate.values().sum::<f64>());
        let program: PathBuf = target.join("release/redrive");
        let bytes = fs::metadata(&program).with_context(|| format!("could not read {}", program.display()))?.len();
        Ok(Self { by_crate, total_seconds, program_megabytes: bytes as f64 / 1e6 })
    }

    fn print_crates(&self, then: Option<&Self>) {
        let mut crates: Vec<(&String, f64)> = self.by_crate.iter().map(|(name, seconds)| (name, *seconds)).collect();
        crates.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let others: f64 = crates.iter().skip(SHOWN).map(|(_, seconds)| seconds).sum();
        for (name, seconds) in crates.iter().take(SHOWN) {
            let before = then.map(|then| then.by_crate.get(*name).copied().unwrap_or_default());
            let before = before.map(|before| format!("  before {before:>6.1} s")).unwrap_or_default();
            println!("{name:<28} {seconds:>6.1} s{before}");
        }
        println!("{:<28} {others:>6.1} s", "all other crates");
    }
}

/// The processor seconds by crate, from the lines of the wrapper. A crate that is compiled twice is one line.
fn by_crate(written: &str) -> Result<BTreeMap<String, f64>> {
    let mut by_crate = BTreeMap::new();
    for line in written.lines() {
        let (name, seconds) = line.split_once('\t').with_context(|| format!("not a line of the wrapper: {line}"))?;
        *by_crate.entry(name.to_owned()).or_default() += seconds.parse::<f64>()?;
    }
    Ok(by_crate)
}

/// Runs the compiler with the arguments of this process, and writes down its processor time. `None` if this process was not
/// called in place of the compiler.
pub(crate) fn wrap_compiler() -> Option<ExitCode> {
    let times = std::env::var_os(TIMES_FILE)?;
    let mut arguments = std::env::args_os().skip(1);
    let compiler = arguments.next()?;
    let arguments: Vec<_> = arguments.collect();
    let name = arguments.iter().skip_while(|argument| *argument != "--crate-name").nth(1);
    let name = name.map_or_else(|| "queries".to_owned(), |name| name.to_string_lossy().into_owned());
    let ended = Command::new(compiler).args(&arguments).status();
    let written = children_seconds().and_then(|seconds| {
        let mut file = OpenOptions::new().append(true).create(true).open(&times)?;
        Ok(file.write_all(format!("{name}\t{seconds}\n").as_bytes())?)
    });
    if let Err(error) = written {
        eprintln!("could not write down the processor time of {name}: {error:#}");
        return Some(ExitCode::FAILURE);
    }
    let code = ended.ok().and_then(|status| status.code()).and_then(|code| u8::try_from(code).ok());
    Some(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// The processor seconds of all processes that this one has started and waited for.
fn children_seconds() -> Result<f64> {
    /// Linux counts them in hundredths of a second, whatever its own clock is.
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").context("could not read /proc/self/stat")?;
    // The name of the program may have spaces; it ends with the last parenthesis.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks: Vec<f64> = fields.split_whitespace().skip(13).take(2).filter_map(|ticks| ticks.parse().ok()).collect();
    match ticks[..] {
        [user, system] => Ok((user + system) / TICKS_A_SECOND),
        _ => bail!("/proc/self/stat has no processor times of children"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_that_is_compiled_twice_is_summed() {
        let by_crate = by_crate("syn\t1.5\nserde\t2\nsyn\t0.5\n").unwrap();
        assert_eq!(by_crate, BTreeMap::from([("serde".to_owned(), 2.0), ("syn".to_owned(), 2.0)]));
    }

    #[test]
    fn the_processor_time_of_a_child_that_has_ended_is_counted() {
        let before = children_seconds().unwrap();
        let counted = Command::new("sh").args(["-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"]).status();
        assert!(counted.unwrap().success());
        assert!(children_seconds().unwrap() > before);
    }
}
