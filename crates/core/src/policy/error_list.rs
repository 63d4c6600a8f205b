//! Lists of errors that are treated specially.
//!
//! Matching is by what an error *is*, never by its exact type: whoever excludes `connection` means the
//! `connection.reset` that a library adds next year, too, and means it wherever in the chain it stands.

use std::fmt;
use std::str::FromStr;

use crate::failure::path_is_a;
use crate::{Category, Classification, Failure, Invalid, Kind, Link, Problem};

/// One entry of an include or exclude list.
///
/// - `connection`: that kind and all below it, in the error or any cause. The name of a category means
///   the category, too.
/// - `category:network`: the category alone.
/// - `rule:http:429`, `rule:http`: that rule, or all rules that begin so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorMatcher {
    Kind(Kind),
    Category(Category),
    /// A kind that is named like a category.
    KindOrCategory(Kind, Category),
    Rule(String),
}

impl ErrorMatcher {
    pub fn matches(&self, failure: &Failure, found: &Classification<'_>) -> bool {
        match self {
            Self::Kind(kind) => failure.links().any(|link| link_is_a(link, kind)),
            Self::Category(category) => found.category == *category,
            Self::KindOrCategory(kind, category) => {
                found.category == *category || failure.links().any(|link| link_is_a(link, kind))
            }
            Self::Rule(prefix) => path_begins_with(&found.rule.to_string(), prefix),
        }
    }
}

fn link_is_a(link: &Link, ancestor: &Kind) -> bool {
    link.kind.iter().chain(&link.parents).any(|kind| kind.is_a(ancestor))
        || link.evidence.is_some_and(|evidence| path_is_a(evidence.path(), ancestor.as_str()))
}

/// Whether the rule is `prefix`, or goes on after it with a colon.
fn path_begins_with(rule: &str, prefix: &str) -> bool {
    rule.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

impl FromStr for ErrorMatcher {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        if let Some(category) = text.strip_prefix("category:") {
            return category.parse().map(Self::Category);
        }
        if let Some(rule) = text.strip_prefix("rule:") {
            if rule.is_empty() {
                let allowed = "a rule after the colon, as in rule:http:429 or rule:user:name";
                return Err(Invalid::new("error", Problem::Malformed, text, allowed));
            }
            return Ok(Self::Rule(rule.to_owned()));
        }
        let kind: Kind = text.parse()?;
        Ok(match text.parse() {
            Ok(category) => Self::KindOrCategory(kind, category),
            Err(_) => Self::Kind(kind),
        })
    }
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
