//! The delays of the retry policy `custom`, and their text form.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Backoff, Curve, Formula, span};
use crate::{AttemptLimit, Invalid, Problem, Span};

/// The delays of the retry policy `custom` of a queue: parsed from a text, or computed by a function of the program.
///
/// ```
/// use redrive_core::{CustomBackoff, Span};
///
/// let custom: CustomBackoff = "exponential base=10s factor=3 cap=5m".parse()?;
/// let delays: Vec<_> = (1..=5).filter_map(|failed| custom.backoff().delay(failed, 0)).collect();
/// assert_eq!(delays, [10, 30, 90, 270, 300].map(Span::from_secs));
/// # Ok::<(), redrive_core::Invalid>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomBackoff {
    text: Arc<str>,
    backoff: Backoff,
    has_text_form: bool,
}

impl CustomBackoff {
    pub const TEXT_BYTES_MAX: usize = 1_024;

    /// The delays that the function returns for each number of failed attempts, at most [`Backoff::DELAY_MAX`].
    ///
    /// The function is called now, for every number of retries that a letter can have, so that a store that schedules a
    /// retry later runs no user code.
    pub fn function(name: &str, delay: impl Fn(u32) -> Span) -> Self {
        let delays = (1..=AttemptLimit::LETTER_RETRIES_MAX).map(|failed| delay(failed).min(Backoff::DELAY_MAX));
        let backoff = Backoff::plain(Curve::List(delays.collect()));
        Self { text: format!("function {name}").into(), backoff, has_text_form: false }
    }

    pub const fn backoff(&self) -> &Backoff {
        &self.backoff
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it can be parsed from its text. A function cannot.
    pub const fn has_text_form(&self) -> bool {
        self.has_text_form
    }
}

const ALLOWED: &str = "'list 1s 5s 1m', 'linear base=5m step=5m cap=1h', 'exponential base=1m factor=2 cap=1h', \
    or 'cel' and an expression of n that gives seconds; at most 720h each";

impl FromStr for CustomBackoff {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let text = text.trim();
        if text.len() > Self::TEXT_BYTES_MAX {
            let allowed = format!("at most {} bytes", Self::TEXT_BYTES_MAX);
            return Err(Invalid::new(FIELD, Problem::OutOfRange, text, allowed));
        }
        let (curve, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let backoff = match curve.to_ascii_lowercase().as_str() {
            "list" => list(rest)?,
            "linear" => {
                let Parameters { base, step, cap, .. } = Parameters::parse(text, rest, &["base", "step", "cap"])?;
                capped(Backoff::linear(base, step.unwrap_or(base)), base, cap)?
            }
            "exponential" => {
                let Parameters { base, factor, cap, .. } = Parameters::parse(text, rest, &["base", "factor", "cap"])?;
                let backoff = Backoff::exponential(base, factor.unwrap_or(2.0));
                capped(backoff.map_err(|invalid| invalid.at(FIELD))?, base, cap)?
            }
            "cel" => Backoff::formula(Formula::new(rest.trim()).map_err(|invalid| invalid.at(FIELD))?),
            "" => return Err(Invalid::missing(FIELD, ALLOWED)),
            _ => return Err(Invalid::new(FIELD, Problem::UnknownName, text, ALLOWED)),
        };
        Ok(Self { text: text.into(), backoff, has_text_form: true })
    }
}

const FIELD: &str = "custom_backoff";

fn list(rest: &str) -> Result<Backoff, Invalid> {
    let delays: Result<Vec<Span>, Invalid> = rest.split_whitespace().map(|text| span(text, FIELD)).collect();
    Backoff::list(delays?).map_err(|invalid| invalid.at(FIELD))
}

/// Caps the delays at `cap`, or at the maximum delay if no cap is set.
fn capped(backoff: Backoff, base: Span, cap: Option<Span>) -> Result<Backoff, Invalid> {
    let cap = cap.unwrap_or(Backoff::DELAY_MAX);
    if let Some(long) = [base, cap].into_iter().find(|span| *span > Backoff::DELAY_MAX) {
        let allowed = format!("at most {}", Backoff::DELAY_MAX);
        return Err(Invalid::new(FIELD, Problem::OutOfRange, long, allowed));
    }
    backoff.capped(cap).map_err(|invalid| invalid.at(FIELD))
}

/// The `name=value` parameters after the name of a curve.
struct Parameters {
    base: Span,
    step: Option<Span>,
    factor: Option<f64>,
    cap: Option<Span>,
}

impl Parameters {
    fn parse(whole: &str, rest: &str, known: &[&str]) -> Result<Self, Invalid> {
        let wrong = |problem| Invalid::new(FIELD, problem, whole, ALLOWED);
        let (mut base, mut step, mut factor, mut cap) = (None, None, None, None);
        for word in rest.split_whitespace() {
            let (name, value) = word.split_once('=').ok_or_else(|| wrong(Problem::Malformed))?;
            let name = known.iter().copied().find(|known| known.eq_ignore_ascii_case(name));
            // A repeated parameter is a mistake: one of its values would be ignored.
            let is_repeated = match name {
                Some("base") => base.replace(span(value, FIELD)?).is_some(),
                Some("step") => step.replace(span(value, FIELD)?).is_some(),
                Some("cap") => cap.replace(span(value, FIELD)?).is_some(),
                Some(_) => factor.replace(value.parse().map_err(|_| wrong(Problem::Malformed))?).is_some(),
                None => return Err(wrong(Problem::UnknownName)),
            };
            if is_repeated {
                return Err(wrong(Problem::Contradiction));
            }
        }
        let base = base.ok_or_else(|| wrong(Problem::Malformed))?;
        Ok(Self { base, step, factor, cap })
    }
}

impl fmt::Display for CustomBackoff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The stored form: a text, or the text of an expression with the delays computed when it was configured.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredForm {
    Text(String),
    Computed { text: String, delays: Vec<u64> },
}

impl Serialize for CustomBackoff {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.text.to_string();
        let stored = match self.backoff.curve() {
            Curve::Formula(formula) => {
                StoredForm::Computed { text, delays: formula.delays().iter().map(|delay| delay.as_micros()).collect() }
            }
            _ => StoredForm::Text(text),
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for CustomBackoff {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match StoredForm::deserialize(deserializer)? {
            StoredForm::Text(text) => text.parse().map_err(serde::de::Error::custom),
            StoredForm::Computed { text, delays } => {
                let delays = delays.into_iter().map(|delay| Span::from_micros(delay).min(Backoff::DELAY_MAX));
                let backoff = Backoff::formula(Formula::from_delays(delays.collect()));
                Ok(Self { text: text.into(), backoff, has_text_form: true })
            }
        }
    }
}
