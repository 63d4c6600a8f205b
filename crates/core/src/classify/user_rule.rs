//! Rules of the user's own, asked before all built-in ones.
//!
//! What can be wrong with a rule is found when it is loaded: its pattern or expression is compiled, its
//! names, functions and inner patterns are looked up, its cost is reckoned. What remains (a key that only
//! some failures have, a number compared with a text) makes the rule pass, visibly, and never stops the
//! classification.

use std::collections::HashMap;
use std::sync::Arc;

use cel::Value;
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use super::classification::{Grounds, Overrides};
use super::scan::TEXT_BYTES_MAX;
use crate::backoff::optional_span;
use crate::closed_set::closed_set;
use crate::expression::{Expression, LIST_LEN_MAX};
use crate::pattern::PATTERN_DEPTH_MAX;
use crate::{
    AttemptLimit, Backoff, Category, Evidence, Failure, Invalid, Kind, Link, Problem, RetryPolicy, number_or_text,
};

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
    #[serde(deserialize_with = "number_or_text::optional")]
    pub max_retries: Option<String>,
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
        if spec.when.is_some()
            && let Some(given) = &spec.field
        {
            let allowed = "nothing here: field says where regex looks";
            return Err(Invalid::new(field("field"), Problem::Contradiction, given, allowed));
        }
        let overrides = Overrides {
            policy: parse(spec.policy.as_deref(), &field("policy"))?,
            max_retries: parse_retries(spec.max_retries.as_deref(), &field("max_retries"))?,
            delay: optional_span(spec.delay.as_deref(), &field("delay"))?,
        };
        check_overrides(&overrides, &field)?;
        Ok(Self {
            name: check_name(&field("name"), &spec.name)?,
            condition,
            category: parse(spec.category.as_deref(), &field("category"))?,
            overrides,
        })
    }

    /// Where the rule matches, if it does.
    pub(super) fn matches<'f>(&self, failure: &'f Failure, attempt: u32) -> Result<Option<Grounds<'f>>, &'static str> {
        match &self.condition {
            Condition::Regex { pattern, field } => Ok(find(pattern, *field, failure)),
            Condition::Cel(expression) => {
                let holds = expression.holds(|variable| value_of(variable, failure, attempt))?;
                Ok(holds.then_some(Grounds::Whole))
            }
        }
    }
}

impl Condition {
    fn regex(at: &str, pattern: &str, at_field: &str, field: Option<&str>) -> Result<Self, Invalid> {
        const PROGRAM_BYTES_MAX: usize = 1 << 20;
        let pattern =
            RegexBuilder::new(pattern).size_limit(PROGRAM_BYTES_MAX).nest_limit(PATTERN_DEPTH_MAX).build().map_err(
                |error| {
                    let allowed = format!("a regular expression that compiles: {}", last_line(&error.to_string()));
                    Invalid::new(at, Problem::Malformed, pattern, allowed)
                },
            )?;
        let field = field.unwrap_or(RuleField::Message.as_str());
        Ok(Self::Regex { pattern, field: field.parse().map_err(|error: Invalid| error.at(at_field))? })
    }

    fn cel(at: &str, source: &str) -> Result<Self, Invalid> {
        Expression::compile(at, source, VARIABLES).map(Self::Cel)
    }
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or(text).trim()
}

fn parse<T: std::str::FromStr<Err = Invalid>>(text: Option<&str>, field: &str) -> Result<Option<T>, Invalid> {
    text.map(|text| text.parse().map_err(|error: Invalid| error.at(field))).transpose()
}

fn parse_retries(text: Option<&str>, field: &str) -> Result<Option<u32>, Invalid> {
    let Some(text) = text else { return Ok(None) };
    let allowed = format!("0 to {}", AttemptLimit::LETTER_RETRIES_MAX);
    let wrong = || Invalid::new(field, Problem::OutOfRange, text, allowed);
    let retries = text.parse().ok().filter(|retries| *retries <= AttemptLimit::LETTER_RETRIES_MAX);
    retries.ok_or_else(wrong).map(Some)
}

/// A rule says either how the delay grows or how long it is, and nothing that a name cannot mean by itself.
fn check_overrides(overrides: &Overrides, field: &dyn Fn(&str) -> String) -> Result<(), Invalid> {
    if overrides.policy == Some(RetryPolicy::Custom) {
        let allowed = "never, linear, exponential, immediate";
        return Err(Invalid::new(field("policy"), Problem::UnknownName, RetryPolicy::Custom, allowed));
    }
    if let (Some(policy), Some(_)) = (overrides.policy, overrides.delay) {
        let allowed = "policy or delay, not both";
        return Err(Invalid::new(field("policy"), Problem::Contradiction, policy, allowed));
    }
    match overrides.delay {
        Some(delay) if delay > Backoff::DELAY_MAX => {
            let allowed = format!("at most {}", Backoff::DELAY_MAX);
            Err(Invalid::new(field("delay"), Problem::OutOfRange, delay, allowed))
        }
        _ => Ok(()),
    }
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

fn find<'f>(pattern: &Regex, field: RuleField, failure: &'f Failure) -> Option<Grounds<'f>> {
    failure.links().enumerate().find_map(|(link, error)| {
        let text = match field {
            RuleField::Message => head(&error.message),
            RuleField::Type => error.kind.as_ref()?.as_str(),
            RuleField::Code => error.code.as_deref()?,
        };
        pattern.find(text).map(|found| Grounds::Text { link, text: found.as_str() })
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
        "message" => text(failure.links().map(|link| head(&link.message)).find(|message| !message.is_empty())),
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
