//! Headers that somebody configured.

use http::header::{HeaderMap, HeaderName, HeaderValue};
use redrive_core::{Invalid, Problem};

use super::Secret;

/// So many headers may be configured.
const COUNT_MAX: usize = 100;

/// The headers, if all of them can be sent and their names are free.
pub(crate) fn configured(
    field: &str,
    headers: &[(String, Secret)],
    is_free: impl Fn(&str) -> bool,
) -> Result<HeaderMap, Invalid> {
    if headers.len() > COUNT_MAX {
        return Err(Invalid::new(field, Problem::OutOfRange, headers.len(), format!("up to {COUNT_MAX} of them")));
    }
    let mut checked = HeaderMap::new();
    for (index, (name, value)) in headers.iter().enumerate() {
        let refused =
            |problem, allowed| Invalid::new(format!("{field}[{index}].name"), problem, name_shown(name), allowed);
        let header = HeaderName::try_from(name)
            .map_err(|_| refused(Problem::Malformed, "the name of a header: letters, digits and dashes"))?;
        if !is_free(header.as_str()) {
            return Err(refused(Problem::Contradiction, "a name that is not set by the connection or by every call"));
        }
        let mut value = HeaderValue::from_str(value.reveal())
            .map_err(|_| hidden(format!("{field}[{index}].value"), "visible ASCII characters and spaces"))?;
        value.set_sensitive(true);
        checked.append(header, value);
    }
    Ok(checked)
}

/// A refused secret: it is not shown, not even where it was wrong.
fn hidden(field: String, allowed: &str) -> Invalid {
    Invalid::new(field, Problem::Malformed, "…", allowed)
}

/// A refused name, as it may be shown: somebody may have put the whole line there, with its secret.
fn name_shown(name: &str) -> &str {
    name.split([':', '=', ' ']).next().unwrap_or_default()
}
