//! `redrive policy`.

use std::fs::File;
use std::io::{Read, Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::builder::{PathBufValueParser, TypedValueParser};
use redrive_core::{AttemptLimit, Category, ErrorMatcher, Overrides, Policy, PolicySpec, Template};
use serde_json::json;

use crate::console::Format;

const FILE_BYTES_MAX: u64 = 1 << 20;

#[derive(clap::Subcommand)]
pub(crate) enum Action {
    /// List the policy templates.
    #[command(after_help = "Examples:
  redrive policy list
  redrive policy list --json")]
    List,
    /// Show the limits of a policy, and its retry delays by category.
    #[command(after_help = "Examples:
  redrive policy show kafka-consumer
  redrive policy show shop.toml")]
    Show {
        /// Policy file (TOML), or name of a policy template.
        policy: PathBuf,
    },
}

pub(crate) fn run(action: &Action, format: Format) -> Result<()> {
    let mut out = stdout().lock();
    match (action, format) {
        (Action::List, Format::Table) => list(&mut out),
        (Action::List, Format::Json) => list_json(&mut out),
        (Action::Show { policy }, Format::Table) => show(&find(policy)?, &mut out),
        (Action::Show { policy }, Format::Json) => show_json(&find(policy)?, &mut out),
    }
}

/// Reads and checks a policy file.
fn read(path: &Path) -> Result<Policy> {
    let failed = || format!("cannot read {}", path.display());
    let mut text = String::new();
    // Bounded: a larger file is not a policy, and parsing it would take minutes.
    let read = File::open(path).with_context(failed)?.take(FILE_BYTES_MAX + 1).read_to_string(&mut text);
    if read.with_context(failed)? as u64 > FILE_BYTES_MAX {
        bail!("{} is not a policy: it is larger than {FILE_BYTES_MAX} bytes", path.display());
    }
    let spec: PolicySpec = toml::from_str(&text).with_context(|| format!("{} is not a policy", path.display()))?;
    spec.build().with_context(|| format!("{} is not a policy", path.display()))
}

/// A parser for the value of `--policy`.
pub(crate) fn named_or_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|policy| {
        let is_found = Template::named(policy.to_str().unwrap_or_default()).is_ok() || policy.is_file();
        let expected =
            "expected a policy file that exists, or the name of a template, as redrive policy list prints it";
        if is_found { Ok(policy) } else { Err(expected) }
    })
}

/// The policy of the template with that name, or else of the file. A template takes precedence over a file.
pub(crate) fn find(policy: &Path) -> Result<Policy> {
    let name = policy.to_str().unwrap_or_default();
    match Template::named(name) {
        Ok(template) => Ok(template.builder()?.build()?),
        Err(_) if policy.exists() => read(policy),
        Err(_) => {
            bail!("no such policy template or file: '{name}'\n  list the templates with: redrive policy list")
        }
    }
}

fn list(out: &mut impl Write) -> Result<()> {
    for template in Template::ALL {
        writeln!(out, "{:<16} v{}  {}", template.name, template.version, template.note)?;
    }
    Ok(())
}

fn list_json(out: &mut impl Write) -> Result<()> {
    for Template { name, version, note, .. } in Template::ALL {
        writeln!(out, "{}", json!({ "name": name, "version": version, "note": note }))?;
    }
    Ok(())
}

fn show(policy: &Policy, out: &mut impl Write) -> Result<()> {
    writeln!(out, "attempts    {}{}", policy.limit(), limits_of_rules(policy))?;
    writeln!(out, "deadline    {}", policy.deadline().map_or("none".into(), |deadline| deadline.to_string()))?;
    writeln!(out, "strategy    {}", policy.strategy())?;
    for (title, list) in [("include", policy.include()), ("exclude", policy.exclude())] {
        if !list.is_empty() {
            let entries: Vec<_> = list.iter().map(ToString::to_string).collect();
            writeln!(out, "{title:<10}  {}", entries.join(", "))?;
        }
    }
    let rules: Vec<_> = policy.classifier().user_rules().map(|(name, _)| name).collect();
    if !rules.is_empty() {
        writeln!(out, "rules       {}", rules.join(", "))?;
    }
    for category in Category::ALL {
        writeln!(out, "{category:<10}  {}", outcome(policy, *category))?;
    }
    Ok(())
}

fn show_json(policy: &Policy, out: &mut impl Write) -> Result<()> {
    let attempts = |limit| match limit {
        AttemptLimit::AtMost(most) => Some(most.get()),
        AttemptLimit::Unlimited => None,
    };
    let texts = |list: &[ErrorMatcher]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    let rule = |(name, overrides): (&str, &Overrides)| json!({ "name": name, "attempts": overrides.max_retries.map(|retries| u64::from(retries) + 1) });
    let object = json!({
        "attempts": attempts(policy.limit()),
        "deadline": policy.deadline().map(|deadline| deadline.to_string()),
        "strategy": policy.strategy().to_string(),
        "include": texts(policy.include()),
        "exclude": texts(policy.exclude()),
        "rules": policy.classifier().user_rules().map(rule).collect::<Vec<_>>(),
        "categories": Category::ALL
            .iter()
            .map(|category| json!({ "category": category.as_str(), "then": outcome(policy, *category) }))
            .collect::<Vec<_>>(),
    });
    Ok(writeln!(out, "{object}")?)
}

/// The attempts that rules grant instead of the limit of the policy.
fn limits_of_rules(policy: &Policy) -> String {
    let granted = |(name, overrides): (&str, &Overrides)| Some(format!("rule {name}: {}", overrides.max_retries? + 1));
    let granted: Vec<_> = policy.classifier().user_rules().filter_map(granted).collect();
    if granted.is_empty() { String::new() } else { format!(" ({})", granted.join(", ")) }
}

/// What happens after a failure of this category: decided by a list that contains the category, or by its delays.
fn outcome(policy: &Policy, category: Category) -> String {
    let is_listed = |list: &[ErrorMatcher]| {
        list.iter().any(|entry| match entry {
            ErrorMatcher::Category(named) | ErrorMatcher::KindOrCategory(_, named) => *named == category,
            ErrorMatcher::Kind(_) | ErrorMatcher::Rule(_) => false,
        })
    };
    if is_listed(policy.exclude()) {
        return "retried without limit, no attempt charged".into();
    }
    if is_listed(policy.include()) {
        return "dead-lettered immediately".into();
    }
    delays(policy, category)
}

/// The delays before the first retries, each with the range of its jitter.
fn delays(policy: &Policy, category: Category) -> String {
    const SHOWN: u32 = 8;
    let backoff = policy.backoff(category);
    if backoff.is_never() {
        return "no automatic retry".into();
    }
    let range = |failed: u32| {
        let (one, other) = (backoff.delay(failed, 0), backoff.delay(failed, u64::MAX));
        let (least, most) = (one.min(other).unwrap_or_default(), one.max(other).unwrap_or_default());
        if least == most { most.to_string() } else { format!("{least}–{most}") }
    };
    let is_retried = |failed: &u32| !policy.limit().is_reached(*failed);
    let mut shown: Vec<_> = (1..=SHOWN).filter(is_retried).map(range).collect();
    if shown.is_empty() {
        return "no retry".into();
    }
    if is_retried(&(SHOWN + 1)) {
        shown.push("…".into());
    }
    shown.join(", ")
}
