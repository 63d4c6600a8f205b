//! The type name or error code at the beginning of a message, as most languages print it.

/// The leading identifier of `socket.gaierror: Name or service not known`.
///
/// `Database connection: access denied` has none: an identifier has no spaces, and its last segment is in `CamelCase`
/// or `SNAKE_CASE`, is an errno, or ends in error or exception.
pub(super) fn leading_identifier(message: &str) -> Option<&str> {
    const BYTES_MAX: usize = 256;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
    let message = message.trim_start();
    let end = message.as_bytes().iter().take(BYTES_MAX).take_while(|byte| is_part(byte)).count();
    if message.as_bytes().get(end) != Some(&b':') || message[end..].starts_with("://") {
        return None;
    }
    let name = &message[..end];
    let last = name.rsplit('.').next().unwrap_or(name);
    (is_camel_case(last) || is_snake_case(last) || is_errno(last) || names_an_error(last)).then_some(name)
}

/// Whether a second word begins inside the segment: `RateLimit`, `OOMKilled`.
fn is_camel_case(segment: &str) -> bool {
    let bytes = segment.as_bytes();
    bytes.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        || bytes.windows(3).any(|three| {
            three[0].is_ascii_uppercase() && three[1].is_ascii_uppercase() && three[2].is_ascii_lowercase()
        })
}

fn is_snake_case(segment: &str) -> bool {
    segment.contains('_') && !segment.bytes().any(|byte| byte.is_ascii_lowercase())
}

fn is_errno(segment: &str) -> bool {
    segment.len() >= 4
        && segment.starts_with('E')
        && segment.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
}

fn names_an_error(segment: &str) -> bool {
    let ends_in = |suffix: &str| {
        segment.len() >= suffix.len()
            && segment.as_bytes()[segment.len() - suffix.len()..].eq_ignore_ascii_case(suffix.as_bytes())
    };
    ends_in("error") || ends_in("exception")
}
