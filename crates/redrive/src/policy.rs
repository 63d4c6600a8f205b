//! `redrive policy`: what a policy would do, before it does it.

use std::fs::File;
use std::io::{Read, Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use redrive_core::{Category, Policy, PolicySpec, Template};

const FILE_BYTES_MAX: u64 = 1 << 20;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// List the templates.
    List,
    /// Show how often and when a policy retries, by category.
    Show {
        /// The name of a template, or a policy file (TOML).
        policy: PathBuf,
    },
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut out = stdout().lock();
    match &arguments.action {
        Action::List => list(&mut out),
        Action::Show { policy } => show(&find(policy)?, &mut out),
    }
}

/// Reads and checks a policy file.
fn read(path: &Path) -> Result<Policy> {
    let failed = || format!("could not read {}", path.display());
    let mut text = String::new();
    // A larger file is another file, and parsing it would take minutes.
    let read = File::open(path).with_context(failed)?.take(FILE_BYTES_MAX + 1).read_to_string(&mut text);
    if read.with_context(failed)? as u64 > FILE_BYTES_MAX {
        bail!("{} is no policy: it is larger than {FILE_BYTES_MAX} bytes", path.display());
    }
    let spec: PolicySpec = toml::from_str(&text).with_context(|| format!("{} is not a policy", path.display()))?;
    spec.build().with_context(|| format!("{} is not a policy", path.display()))
}

/// A template by its name, or else a file: nobody calls a file `mailbox`.
pub(crate) fn find(policy: &Path) -> Result<Policy> {
    let name = policy.to_str().unwrap_or_default();
    match Template::named(name) {
        Ok(template) => Ok(template.builder()?.build()?),
        Err(_) if policy.exists() => read(policy),
        Err(unknown) => Err(unknown).with_context(|| format!("there is neither a template nor a file '{name}'")),
    }
}

fn list(out: &mut impl Write) -> Result<()> {
    for template in Template::ALL {
        writeln!(out, "{:<16} v{}  {}", template.name, template.version, template.note)?;
    }
    Ok(())
}

fn show(policy: &Policy, out: &mut impl Write) -> Result<()> {
    writeln!(out, "attempts    {}", policy.max_attempts())?;
    writeln!(out, "deadline    {}", policy.deadline().map_or("none".into(), |deadline| deadline.to_string()))?;
    writeln!(out, "strategy    {}", policy.strategy())?;
    for category in Category::ALL {
        writeln!(out, "{category:<10}  {}", delays(policy, *category))?;
    }
    Ok(())
}

/// The delays before the first retries, each as the range that jitter gives it.
fn delays(policy: &Policy, category: Category) -> String {
    const SHOWN: u32 = 6;
    let backoff = policy.backoff(category);
    if backoff.is_never() {
        return "never by itself".into();
    }
    let retries = (1..=SHOWN).filter(|failed| !policy.max_attempts().is_reached(*failed));
    let range = |failed: u32| {
        let (one, other) = (backoff.delay(failed, 0), backoff.delay(failed, u64::MAX));
        let (least, most) = (one.min(other).unwrap_or_default(), one.max(other).unwrap_or_default());
        if least == most { most.to_string() } else { format!("{least}–{most}") }
    };
    let shown: Vec<_> = retries.map(range).collect();
    if shown.is_empty() { "no retry".into() } else { shown.join(", ") }
}
