//! Range checks of settings.

use std::fmt;

use redrive_core::{Invalid, Problem, Span};

pub(crate) fn span_within(field: &str, value: Span, most: Span) -> Result<(), Invalid> {
    within(field, value, most, !value.is_zero() && value <= most)
}

pub(crate) fn bytes_within(field: &str, value: usize, most: usize) -> Result<(), Invalid> {
    within(field, value, most, 0 < value && value <= most)
}

fn within<T: fmt::Display>(field: &str, value: T, most: T, is_within: bool) -> Result<(), Invalid> {
    if is_within {
        return Ok(());
    }
    Err(Invalid::new(field, Problem::OutOfRange, value, format!("more than zero, up to {most}")))
}
