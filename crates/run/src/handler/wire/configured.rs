//! Configured headers.

use http::header::{HeaderMap, HeaderName, HeaderValue};
use redrive_core::{Invalid, Problem};

use super::Secret;

/// Maximum number of configured headers.
const COUNT_MAX: usize = 100;

/// Checks that the headers can be sent and that their names are allowed.
pub(crate) fn configured(
    field: &str,
    headers: &[(String, Secret)],
    is_free: impl Fn(&str) -> bool,
) -> Result<HeaderMap, Invalid> {
    if headers.len() > COUNT_MAX {
        return Err(Invalid::new(field, Problem::OutOfRange, headers.len(), format!("up to {COUNT_MAX} of them")));
    }
    let mut checked = HeaderMap::new();
    for (name, value) in headers {
        let refused = |problem, allowed| Invalid::new(field, problem, name_shown(name), allowed);
        let header = HeaderName::try_from(name)
            .map_err(|_| refused(Problem::Malformed, "the name of a header: letters, digits and dashes"))?;
        if !is_free(header.as_str()) {
            return Err(refused(Problem::Contradiction, "a name that is not set by the connection or by every call"));
        }
        let mut value = HeaderValue::from_str(value.reveal())
            .map_err(|_| hidden(format!("{field}.{header}"), "visible ASCII characters and spaces"))?;
        value.set_sensitive(true);
        checked.append(header, value);
    }
    Ok(checked)
}

/// The error for an invalid secret, which is not shown.
fn hidden(field: String, allowed: &str) -> Invalid {
    Invalid::new(field, Problem::Malformed, "…", allowed)
}

/// The part of an invalid name that may be shown: an operator may have put the whole line there, with its secret.
fn name_shown(name: &str) -> &str {
    name.split([':', '=', ' ']).next().unwrap_or_default()
}
