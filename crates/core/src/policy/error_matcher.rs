//! Entries of the include and exclude lists.
//!
//! An entry matches a kind and everything below it, not the exact type: an exclude of `connection` also covers a
//! `connection.reset` that a library adds next year, anywhere in the chain of causes.

use std::fmt;
use std::str::FromStr;

use crate::failure::path_is_a;
use crate::{Category, Classification, Evidence, Failure, Invalid, Kind, Link, Problem, Rule};

/// One entry of an include or exclude list.
///
/// - `connection`: that kind and all below it, in the error or any cause. If it is also the name of a category, the
///   entry matches the category as well.
/// - `category:network`: the category only.
/// - `rule:http:429`, `rule:http`: that rule, or all rules with that prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorMatcher {
    Kind(Kind),
    Category(Category),
    /// A name that is both a kind and a category.
    KindOrCategory(Kind, Category),
    Rule(String),
}

impl ErrorMatcher {
    pub fn matches(&self, failure: &Failure, found: &Classification<'_>) -> bool {
        match self {
            Self::Kind(kind) => is_a(failure, found, kind),
            Self::Category(category) => found.category == *category,
            Self::KindOrCategory(kind, category) => found.category == *category || is_a(failure, found, kind),
            Self::Rule(prefix) => path_begins_with(&found.rule.to_string(), prefix),
        }
    }
}

/// Whether the error, any of its causes, or the HTTP status in its text is of this kind.
fn is_a(failure: &Failure, found: &Classification<'_>, ancestor: &Kind) -> bool {
    // A 403 that is classified as transient was throttled.
    let is_throttled = found.category == Category::Transient;
    let status_is_a = |status: u16| {
        let path = Evidence::Http { status, rate_limited: is_throttled }.path();
        path_is_a(path, ancestor.as_str())
    };
    let evidence_is_a = |evidence: Evidence| match evidence {
        Evidence::Http { status: status @ 403, .. } => status_is_a(status),
        other => path_is_a(other.path(), ancestor.as_str()),
    };
    let link_is_a = |link: &Link| {
        link.kind.iter().chain(&link.parents).any(|kind| kind.is_a(ancestor))
            || link.evidence.is_some_and(evidence_is_a)
    };
    failure.links().any(link_is_a) || matches!(found.rule, Rule::HttpText(status) if status_is_a(status))
}

/// Whether the rule is `prefix`, or `prefix` followed by a colon.
fn path_begins_with(rule: &str, prefix: &str) -> bool {
    rule.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

/// The first segments of rule names.
const RULE_FORMS: [&str; 12] =
    ["breaker", "user", "http", "grpc", "io", "sqlstate", "http-text", "final", "name", "phrase", "word", "default"];

impl FromStr for ErrorMatcher {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        match text.split_once(':') {
            Some((prefix, category)) if prefix.eq_ignore_ascii_case("category") => category.parse().map(Self::Category),
            Some((prefix, rule)) if prefix.eq_ignore_ascii_case("rule") => parse_rule(rule, text),
            // Double colons are part of a Rust path; a single colon follows a misspelt prefix.
            Some((_, rest)) if !rest.starts_with(':') => {
                let allowed = "a kind, category:<name> or rule:<rule>";
                Err(Invalid::new("error", Problem::UnknownName, text, allowed))
            }
            _ => parse_kind(text),
        }
    }
}

fn parse_rule(rule: &str, text: &str) -> Result<ErrorMatcher, Invalid> {
    let form = rule.split(':').next().unwrap_or_default();
    if !RULE_FORMS.contains(&form) {
        let allowed = format!("a rule that begins with {}, as in rule:http:429", RULE_FORMS.join(", "));
        return Err(Invalid::new("error", Problem::UnknownName, text, allowed));
    }
    Ok(ErrorMatcher::Rule(rule.to_owned()))
}

fn parse_kind(text: &str) -> Result<ErrorMatcher, Invalid> {
    let kind: Kind = text.parse()?;
    Ok(match text.parse() {
        Ok(category) => ErrorMatcher::KindOrCategory(kind, category),
        Err(_) => ErrorMatcher::Kind(kind),
    })
}

impl fmt::Display for ErrorMatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(kind) | Self::KindOrCategory(kind, _) => write!(f, "{kind}"),
            Self::Category(category) => write!(f, "category:{category}"),
            Self::Rule(rule) => write!(f, "rule:{rule}"),
        }
    }
}
