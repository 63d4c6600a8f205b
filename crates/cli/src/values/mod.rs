//! Parsers for the values of options. An invalid value is one sentence that states the expected form.

mod address;
mod condition;
mod duration;
mod path;
mod reason;
mod whole_number;

pub(crate) use address::parse_address;
pub(crate) use condition::{parse_filter, parse_regex, parse_rule_condition};
pub(crate) use duration::{parse_duration, parse_time, parse_time_or_age};
pub(crate) use path::{directory, file_to_read, new_file};
pub(crate) use reason::parse_reason;
pub(crate) use whole_number::{at_least, within};
