//! User rules, evaluated before all built-in rules.
//!
//! Loading a rule compiles its pattern or expression, resolves its names, functions and inner patterns, and computes
//! its cost, so that most errors are found at configuration time. An error that depends on the failure (a missing key, a
//! number compared with a text) skips the rule, is reported, and never stops the classification.

use std::sync::Arc;

use cel::Value;
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use super::classification::{Grounds, Overrides};
use super::scan::TEXT_BYTES_MAX;
use crate::backoff::optional_span;
use crate::closed_set::closed_set;
use crate::expression::{Expression, LIST_LEN_MAX};
use crate::json;
use crate::pattern::PATTERN_DEPTH_MAX;
use crate::{AttemptLimit, Backoff, Evidence, Failure, Invalid, Kind, Link, Problem, RetryPolicy, number_or_text};

/// The configuration of a user rule.
///
/// The condition is either `regex` (searched in `field` of the error and of each cause) or `when`, a CEL condition over
/// `type`, `code`, `http`, `grpc`, `sqlstate`, `message`, `chain`, `parts`, `metadata` and `attempt`. Each of `type`,
/// `code`, `message`, `http`, `grpc` and `sqlstate` comes from the outermost error that has it. If no error has it,
/// `http` is 0, `grpc` is -1 and the texts are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RuleSpec {
    pub name: String,
    pub regex: Option<String>,
    /// The text that `regex` is searched in: `message` (default), `type` or `code`.
    pub field: Option<String>,
    pub when: Option<String>,
    /// If unset, the built-in rules determine the category.
    pub category: Option<String>,
    pub policy: Option<String>,
    #[serde(deserialize_with = "number_or_text::optional")]
    pub max_retries: Option<String>,
    pub delay: Option<String>,
}

closed_set! {
    /// The text that a regular expression is searched in.
    pub enum RuleField ("field") {
        Message = "message",
        Type = "type",
        Code = "code",
    }
}

/// A validated and compiled rule.
#[derive(Debug)]
pub(super) struct UserRule {
    pub(super) name: Arc<str>,
    condition: Condition,
    pub(super) overrides: Overrides,
}

#[derive(Debug)]
enum Condition {
    Regex { pattern: Regex, field: RuleField },
    Cel(Expression),
}

/// The variables of a rule's `when`. `repos` is an alias of `parts`.
const VARIABLES: &[&str] =
    &["type", "code", "http", "grpc", "sqlstate", "message", "chain", "parts", "repos", "metadata", "attempt"];

impl UserRule {
    /// Validates and compiles a rule. Errors name it by `place`, for example `rules[2]`.
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
            category: parse(spec.category.as_deref(), &field("category"))?,
            policy: parse(spec.policy.as_deref(), &field("policy"))?,
            max_retries: parse_retries(spec.max_retries.as_deref(), &field("max_retries"))?,
            delay: optional_span(spec.delay.as_deref(), &field("delay"))?,
        };
        check_overrides(&overrides, &field)?;
        Ok(Self { name: check_name(&field("name"), &spec.name)?, condition, overrides })
    }

    /// The part of the failure that the rule matches, if any.
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

/// A rule sets a policy or a delay, not both, and not the policy `custom`, whose delays belong to a queue.
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

/// The part of a text that rules read.
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
        "metadata" => json::map(&failure.metadata, TEXT_BYTES_MAX),
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

/// A link in the variable `chain`: `TimeoutError: read timed out`.
fn describe(link: &Link) -> String {
    match &link.kind {
        Some(kind) => format!("{kind}: {}", head(&link.message)),
        None => head(&link.message).to_owned(),
    }
}
