//! The kinds of letter settings: how their values are parsed, shown and described.
//!
//! A store accepts any value of its types; the ranges here catch typing mistakes of users, such as an extra zero.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use redrive_core::{CustomBackoff, Invalid, Problem, Span};

/// The values of a setting as text.
pub(super) struct SettingKind<T> {
    /// The range of a number, in the unit of the text.
    pub(super) range: Option<RangeInclusive<u64>>,
    /// Whether `dlq.allow_large` extends the range.
    is_extensible: bool,
    /// The word for a value beside the numbers.
    never: Option<(&'static str, T)>,
    /// The allowed values, if they are not numbers.
    allowed: String,
    /// The text of a setting without a value.
    unset: &'static str,
    parse: fn(&str) -> Result<T, Invalid>,
    show: fn(&T) -> String,
}

/// A member of a closed set.
pub(super) fn one_of<T: FromStr<Err = Invalid> + Display>(all: &[T]) -> SettingKind<T> {
    text(all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "), str::parse)
}

pub(super) fn flag() -> SettingKind<bool> {
    const ALLOWED: &str = "true, false";
    text(ALLOWED.to_owned(), |text| {
        let unknown = |_| Invalid::new("", Problem::UnknownName, text, ALLOWED);
        text.to_ascii_lowercase().parse().map_err(unknown)
    })
}

/// The delays of the policy `custom`.
pub(super) fn delays() -> SettingKind<CustomBackoff> {
    SettingKind { unset: "none", ..text("delays, as in: list 1s 5s 1m".to_owned(), str::parse) }
}

pub(super) fn number<T: FromStr + Display>(range: RangeInclusive<u64>) -> SettingKind<T> {
    SettingKind { range: Some(range), unset: "unlimited", ..text(String::new(), parse_number) }
}

/// A number of letters, which `dlq.allow_large` extends.
pub(super) fn size(range: RangeInclusive<u64>) -> SettingKind<u64> {
    SettingKind { is_extensible: true, ..number(range) }
}

/// A time in seconds, up to a hundred years: a longer time is a mistake in the unit.
pub(super) fn seconds() -> SettingKind<Span> {
    let parsed = text(String::new(), |text| parse_number(text).map(Span::from_secs));
    let show = |span: &Span| (span.as_micros() / 1_000_000).to_string();
    SettingKind { range: Some(0..=100 * 365 * 86_400), show, ..parsed }
}

/// A time in seconds, or the word for an infinite time.
pub(super) fn seconds_or(never: &'static str) -> SettingKind<Span> {
    SettingKind { never: Some((never, Span::MAX)), unset: never, ..seconds() }
}

fn text<T: Display>(allowed: String, parse: fn(&str) -> Result<T, Invalid>) -> SettingKind<T> {
    SettingKind { range: None, is_extensible: false, never: None, allowed, unset: "", parse, show: T::to_string }
}

fn parse_number<T: FromStr>(text: &str) -> Result<T, Invalid> {
    text.parse().map_err(|_| Invalid::new("", Problem::OutOfRange, text, "a number"))
}

impl<T: Clone> SettingKind<T> {
    /// The allowed values, as text.
    pub(super) fn allowed(&self, allows_large: bool) -> String {
        let Some(range) = self.range_in(allows_large) else { return self.allowed.clone() };
        let or_never = self.never.as_ref().map(|(never, _)| format!(", or {never}")).unwrap_or_default();
        match *range.end() {
            u64::MAX => format!("{} or more", range.start()),
            most => format!("{} to {most}{or_never}", range.start()),
        }
    }

    /// # Errors
    ///
    /// If the text is invalid or out of range. The error does not name the setting.
    pub(super) fn parse(&self, text: &str, allows_large: bool) -> Result<T, Invalid> {
        let is_never = |(never, _): &&(&'static str, T)| never.eq_ignore_ascii_case(text);
        if let Some((_, value)) = self.never.as_ref().filter(is_never) {
            return Ok(value.clone());
        }
        let is_within = |range: RangeInclusive<u64>| text.parse::<u64>().is_ok_and(|number| range.contains(&number));
        if self.range_in(allows_large).is_none_or(is_within) {
            return (self.parse)(text);
        }
        let is_extended = !self.is_extensible || allows_large;
        let more = if is_extended { "" } else { ", more only with dlq_allow_large" };
        Err(Invalid::new("", Problem::OutOfRange, text, format!("{}{more}", self.allowed(allows_large))))
    }

    pub(super) fn show(&self, value: Option<T>) -> String {
        value.map_or_else(|| self.unset.to_owned(), |value| (self.show)(&value))
    }

    fn range_in(&self, allows_large: bool) -> Option<RangeInclusive<u64>> {
        let range = self.range.clone()?;
        Some(if self.is_extensible && allows_large { *range.start()..=u64::MAX } else { range })
    }
}
