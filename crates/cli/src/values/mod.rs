//! Parsers for the values of options. An invalid value is one sentence that states the expected form.

mod address;
mod duration;
mod whole_number;

pub(crate) use address::parse_address;
pub(crate) use duration::{parse_duration, parse_moment, parse_time};
pub(crate) use whole_number::{at_least, within};
