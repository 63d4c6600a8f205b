//! The configuration form of a backoff.

use serde::{Deserialize, Serialize};

use super::{Backoff, Jitter};
use crate::{Invalid, Problem, Span, number_or_text};

/// The configuration of a backoff: `curve` and its fields. `fixed` takes `first`; `linear` takes `first` and `step`
/// (default: `first`); `exponential` takes `first` and `factor` (default: 2); `list` takes `delays`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table, as in { curve = \"fixed\", first = \"1s\" }")]
pub struct BackoffSpec {
    pub curve: String,
    pub first: Option<String>,
    pub step: Option<String>,
    pub factor: Option<f64>,
    pub delays: Option<Vec<String>>,
    pub cap: Option<String>,
    pub jitter: Option<JitterSpec>,
}

/// `kind` is `none`, `additive` (with `up_to` or `percent`), `full`, `equal` or `spread` (with `percent`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table, as in jitter = { kind = \"full\" }")]
pub struct JitterSpec {
    pub kind: String,
    pub up_to: Option<String>,
    #[serde(deserialize_with = "number_or_text::optional")]
    pub percent: Option<String>,
}

impl BackoffSpec {
    /// Validates the fields and builds the backoff. `place` is the path of the table in errors, for example
    /// `backoff.network`.
    pub fn build(&self, place: &str) -> Result<Backoff, Invalid> {
        let at = |field: &str| format!("{place}.{field}");
        let first = || required_span(self.first.as_deref(), &at("first"));
        let (backoff, used): (Backoff, &[&str]) = match self.curve.to_ascii_lowercase().as_str() {
            "never" => (Backoff::NEVER, &[]),
            "immediate" => (Backoff::IMMEDIATE, &[]),
            "fixed" => (Backoff::fixed(first()?), &["first"]),
            "linear" => {
                let first = first()?;
                let step = optional_span(self.step.as_deref(), &at("step"))?.unwrap_or(first);
                (Backoff::linear(first, step), &["first", "step"])
            }
            "exponential" => {
                let backoff = Backoff::exponential(first()?, self.factor.unwrap_or(2.0));
                (backoff.map_err(|error| error.at(at("factor")))?, &["first", "factor"])
            }
            "list" => (self.list(&at("delays"))?, &["delays"]),
            unknown => {
                let allowed = "never, immediate, fixed, linear, exponential, list";
                return Err(if unknown.is_empty() {
                    Invalid::missing(at("curve"), allowed)
                } else {
                    Invalid::new(at("curve"), Problem::UnknownName, &self.curve, allowed)
                });
            }
        };
        self.reject_unused(used, &at)?;
        let backoff = match optional_span(self.cap.as_deref(), &at("cap"))? {
            Some(cap) => backoff.capped(cap).map_err(|error| error.at(at("cap")))?,
            None => backoff,
        };
        match &self.jitter {
            Some(jitter) => Ok(backoff.with_jitter(jitter.build(&at("jitter"))?)),
            None => Ok(backoff),
        }
    }

    fn list(&self, at: &str) -> Result<Backoff, Invalid> {
        let texts = self.delays.as_deref().unwrap_or_default();
        let delays: Result<Vec<_>, _> = texts.iter().map(|text| span(text, at)).collect();
        Backoff::list(delays?).map_err(|error| error.at(at))
    }

    /// Rejects a field that the curve does not use: the author expects an effect that it does not have.
    fn reject_unused(&self, used: &[&str], at: &dyn Fn(&str) -> String) -> Result<(), Invalid> {
        let given = [
            ("first", self.first.is_some()),
            ("step", self.step.is_some()),
            ("factor", self.factor.is_some()),
            ("delays", self.delays.is_some()),
        ];
        match given.iter().find(|(field, is_given)| *is_given && !used.contains(field)) {
            Some((field, _)) => {
                let reads = if used.is_empty() { "nothing".to_owned() } else { used.join(" and ") };
                let allowed = format!("nothing here: curve '{}' reads {reads}", self.curve);
                Err(Invalid::new(at(field), Problem::Contradiction, "a value", allowed))
            }
            None => Ok(()),
        }
    }
}

impl JitterSpec {
    fn build(&self, place: &str) -> Result<Jitter, Invalid> {
        let at = |field: &str| format!("{place}.{field}");
        let percent = || {
            let Some(given) = self.percent.as_deref() else { return Err(Invalid::missing(at("percent"), "0 to 100")) };
            let range = |_| Invalid::new(at("percent"), Problem::OutOfRange, given, "0 to 100");
            given.parse::<u8>().map_err(range)
        };
        match (self.kind.to_ascii_lowercase().as_str(), &self.up_to, &self.percent) {
            ("none", None, None) => Ok(Jitter::None),
            ("full", None, None) => Ok(Jitter::Full),
            ("equal", None, None) => Ok(Jitter::Equal),
            ("additive", Some(most), None) => span(most, &at("up_to")).map(Jitter::Additive),
            ("additive", None, _) => Jitter::additive_percent(percent()?).map_err(|error| error.at(at("percent"))),
            ("spread", None, _) => Jitter::spread(percent()?).map_err(|error| error.at(at("percent"))),
            ("none" | "full" | "equal" | "additive" | "spread", ..) => {
                let allowed = "additive takes up_to or percent, spread takes percent, the others nothing";
                Err(Invalid::new(place, Problem::Contradiction, &self.kind, allowed))
            }
            _ => {
                let allowed = "none, additive, full, equal, spread";
                Err(Invalid::new(at("kind"), Problem::UnknownName, &self.kind, allowed))
            }
        }
    }
}

/// Parses a duration; the error names the field `at`.
pub(crate) fn span(text: &str, at: &str) -> Result<Span, Invalid> {
    text.parse().map_err(|error| {
        Invalid::new(at, Problem::Malformed, text, format!("a duration as in 500ms, 1m30s or 2h ({error})"))
    })
}

pub(crate) fn optional_span(text: Option<&str>, at: &str) -> Result<Option<Span>, Invalid> {
    text.map(|text| span(text, at)).transpose()
}

fn required_span(text: Option<&str>, at: &str) -> Result<Span, Invalid> {
    text.map_or_else(|| Err(Invalid::missing(at, "a duration as in 500ms, 1m30s or 2h")), |text| span(text, at))
}
