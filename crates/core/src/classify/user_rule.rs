//! Rules of the user's own, asked before all built-in ones.
//!
//! Everything that can be wrong with a rule is found when it is loaded: its pattern or expression is
//! compiled, its names are looked up, and it is run once on an empty failure. What remains (a key that
//! only some failures have) makes the rule pass, visibly, and never stops the classification.

use std::collections::HashMap;
use std::sync::Arc;

use cel::Value;
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use super::classification::{Found, Overrides};
use super::scan::TEXT_BYTES_MAX;
use crate::backoff::optional_span;
use crate::closed_set::closed_set;
use crate::expression::{Expression, LIST_LEN_MAX, NOT_A_CONDITION, UNKNOWN_FUNCTION};
use crate::{AttemptLimit, Category, Evidence, Failure, Invalid, Kind, Link, Problem};

/// A rule as it is written in a configuration file.
///
/// Either `regex` (searched in `field` of the error and of each cause) or `when`, a CEL condition over
/// `type`, `code`, `http`, `grpc`, `sqlstate`, `message`, `chain`, `parts`, `metadata` and `attempt`.
/// `http` is 0, `grpc` -1 and the texts are empty where the failure has none; `type`, `code` and
/// `message` are those of the outermost error that has one, `http`, `grpc` and `sqlstate` likewise.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RuleSpec {
    pub name: String,
    pub regex: Option<String>,
    /// Where `regex` looks: `message` (default), `type` or `code`.
    pub field: Option<String>,
    pub when: Option<String>,
    /// Without one, the built-in rules say what it is.
    pub category: Option<String>,
    pub policy: Option<String>,
    pub max_retries: Option<u32>,
    pub delay: Option<String>,
}

closed_set! {
    /// Which text a regular expression is searched in.
    pub enum RuleField ("field") {
        Message = "message",
        Type = "type",
        Code = "code",
    }
}

/// A rule that was checked and compiled.
#[derive(Debug)]
pub(super) struct UserRule {
    pub(super) name: Arc<str>,
    condition: Condition,
    pub(super) category: Option<Category>,
    pub(super) overrides: Overrides,
}

#[derive(Debug)]
enum Condition {
    Regex { pattern: Regex, field: RuleField },
    Cel(Expression),
}

/// The variables of a rule's `when`, with the seed's name for parts beside ours.
const VARIABLES: &[&str] =
    &["type", "code", "http", "grpc", "sqlstate", "message", "chain", "parts", "repos", "metadata", "attempt"];

impl UserRule {
    /// Checks and compiles the rule at `place`, which is how errors name it: `rules[2]`.
    pub(super) fn load(place: &str, spec: &RuleSpec) -> Result<Self, Invalid> {
        let field = |name: &str| format!("{place}.{name}");
        let condition = match (&spec.regex, &spec.when) {
            (Some(pattern), None) => {
                Condition::regex(&field("regex"), pattern, &field("field"), spec.field.as_deref())?
            }
            (None, Some(source)) => Condition::cel(&field("when"), source)?,
            (regex, _) => {
                let given = if regex.is_some() { "both" } else { "neither" };
                let allowed = "one condition: either regex or when";
                return Err(Invalid::new(place, Problem::Contradiction, given, allowed));
            }
        };
        if let Some(retries) = spec.max_retries {
            AttemptLimit::of_letter(retries).map_err(|error| error.at(field("max_retries")))?;
        }
        Ok(Self {
            name: check_name(&field("name"), &spec.name)?,
            condition,
            category: parse(spec.category.as_deref(), &field("category"))?,
            overrides: Overrides {
                policy: parse(spec.policy.as_deref(), &field("policy"))?,
                max_retries: spec.max_retries,
                delay: optional_span(spec.delay.as_deref(), &field("delay"))?,
            },
        })
    }

    /// Where the rule matches, if it does.
    pub(super) fn matches<'f>(&self, failure: &'f Failure, attempt: u32) -> Result<Option<Found<'f>>, &'static str> {
        match &self.condition {
            Condition::Regex { pattern, field } => Ok(find(pattern, *field, failure)),
            Condition::Cel(expression) => {
                let holds = expression.holds(|variable| value_of(variable, failure, attempt))?;
                Ok(holds.then_some(Found::Whole))
            }
        }
    }
}

impl Condition {
    fn regex(at: &str, pattern: &str, at_field: &str, field: Option<&str>) -> Result<Self, Invalid> {
        const PROGRAM_BYTES_MAX: usize = 1 << 20;
        let pattern = RegexBuilder::new(pattern).size_limit(PROGRAM_BYTES_MAX).build().map_err(|error| {
            let allowed = format!("a regular expression that compiles: {}", last_line(&error.to_string()));
            Invalid::new(at, Problem::Malformed, pattern, allowed)
        })?;
        let field = field.unwrap_or(RuleField::Message.as_str());
        Ok(Self::Regex { pattern, field: field.parse().map_err(|error: Invalid| error.at(at_field))? })
    }

    fn cel(at: &str, source: &str) -> Result<Self, Invalid> {
        let expression = Expression::compile(at, source, VARIABLES)?;
        // An empty failure finds what compiling cannot: a result that is no condition, an unknown function.
        match expression.holds(|variable| value_of(variable, &Failure::default(), 1)) {
            Err(fault @ (NOT_A_CONDITION | UNKNOWN_FUNCTION)) => {
                let allowed = format!("a CEL condition over {} ({fault})", VARIABLES.join(", "));
                Err(Invalid::new(at, Problem::Malformed, source, allowed))
            }
            _ => Ok(Self::Cel(expression)),
        }
    }
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or(text).trim()
}

fn parse<T: std::str::FromStr<Err = Invalid>>(text: Option<&str>, field: &str) -> Result<Option<T>, Invalid> {
    text.map(|text| text.parse().map_err(|error: Invalid| error.at(field))).transpose()
}

fn check_name(field: &str, name: &str) -> Result<Arc<str>, Invalid> {
    const BYTES_MAX: usize = 64;
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.len() > BYTES_MAX || name.contains(|c| !is_part(c)) {
        let allowed = format!("1 to {BYTES_MAX} letters, digits, '-', '_' or '.'");
        return Err(Invalid::new(field, Problem::Malformed, name, allowed));
    }
    Ok(name.into())
}

fn find<'f>(pattern: &Regex, field: RuleField, failure: &'f Failure) -> Option<Found<'f>> {
    failure.links().enumerate().find_map(|(link, error)| {
        let text = match field {
            RuleField::Message => head(&error.message),
            RuleField::Type => error.kind.as_ref()?.as_str(),
            RuleField::Code => error.code.as_deref()?,
        };
        pattern.find(text).map(|found| Found::Text { link, text: found.as_str() })
    })
}

/// As much of a text as rules look at.
fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(TEXT_BYTES_MAX)]
}

fn value_of(variable: &str, failure: &Failure, attempt: u32) -> Value {
    let evidence =
        |pick: fn(&Evidence) -> Option<Value>| failure.links().find_map(|link| pick(link.evidence.as_ref()?));
    match variable {
        "type" => text(failure.links().find_map(|link| link.kind.as_ref().map(Kind::as_str))),
        "code" => text(failure.links().find_map(|link| link.code.as_deref())),
        "message" => text(Some(head(&failure.error.message))),
        "http" => evidence(|evidence| match evidence {
            Evidence::Http { status, .. } => Some(Value::Int(i64::from(*status))),
            _ => None,
        })
        .unwrap_or(Value::Int(0)),
        "grpc" => evidence(|evidence| match evidence {
            Evidence::Grpc(code) => Some(Value::Int(i64::from(code.number()))),
            _ => None,
        })
        .unwrap_or(Value::Int(-1)),
        "sqlstate" => evidence(|evidence| match evidence {
            Evidence::Sql(state) => Some(text(Some(state.as_str()))),
            _ => None,
        })
        .unwrap_or_else(|| text(None)),
        "chain" => list(failure.links().map(describe)),
        "parts" | "repos" => list(failure.parts.iter().cloned()),
        "metadata" => {
            let entries = failure.metadata.iter().take(LIST_LEN_MAX);
            Value::from(entries.map(|(key, value)| (key.clone(), text(Some(head(value))))).collect::<HashMap<_, _>>())
        }
        "attempt" => Value::Int(i64::from(attempt)),
        _ => Value::Null,
    }
}

fn text(text: Option<&str>) -> Value {
    Value::from(text.unwrap_or_default().to_owned())
}

fn list(texts: impl Iterator<Item = String>) -> Value {
    Value::List(Arc::new(texts.take(LIST_LEN_MAX).map(Value::from).collect()))
}

/// A link as `chain` shows it: `TimeoutError: read timed out`.
fn describe(link: &Link) -> String {
    match &link.kind {
        Some(kind) => format!("{kind}: {}", head(&link.message)),
        None => head(&link.message).to_owned(),
    }
}
