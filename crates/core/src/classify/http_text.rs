//! Recognises HTTP statuses in text.
//!
//! "order 429 not found" is not a throttled request. A number is a status only if the words before it (`HTTP`,
//! `HTTP/1.1`, `status`, `status code`) or after it (`Client Error`, `Server Error`, or the reason phrase of this
//! number) confirm it.

/// Whether the words after a number confirm that it is a status.
pub(super) fn confirmed_by_what_follows(status: u16, rest: &[u8]) -> bool {
    let side = if status < 500 { "client error" } else { "server error" };
    begins_with_words(rest, side) || reasons(status).iter().any(|reason| begins_with_words(rest, reason))
}

/// Whether `rest` begins with the words, in any case, separated by any characters except letters and digits.
fn begins_with_words(mut rest: &[u8], words: &str) -> bool {
    for word in words.split(' ') {
        let gap = rest.iter().position(u8::is_ascii_alphanumeric).unwrap_or(rest.len());
        rest = &rest[gap..];
        let ends = rest.get(word.len()).is_none_or(|byte| !byte.is_ascii_alphanumeric());
        if !(ends && rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))) {
            return false;
        }
        rest = &rest[word.len()..];
    }
    true
}

/// The reason phrases of a status, including older spellings.
fn reasons(status: u16) -> &'static [&'static str] {
    match status {
        400 => &["bad request"],
        401 => &["unauthorized", "unauthorised"],
        402 => &["payment required"],
        403 => &["forbidden"],
        404 => &["not found"],
        405 => &["method not allowed"],
        406 => &["not acceptable"],
        407 => &["proxy authentication required"],
        408 => &["request timeout", "request time out"],
        409 => &["conflict"],
        410 => &["gone"],
        411 => &["length required"],
        412 => &["precondition failed"],
        413 => &["content too large", "payload too large", "request entity too large"],
        414 => &["uri too long", "request uri too long", "request uri too large"],
        415 => &["unsupported media type"],
        416 => &["range not satisfiable", "requested range not satisfiable"],
        417 => &["expectation failed"],
        418 => &["i m a teapot"],
        421 => &["misdirected request"],
        422 => &["unprocessable content", "unprocessable entity"],
        423 => &["locked"],
        424 => &["failed dependency"],
        425 => &["too early"],
        426 => &["upgrade required"],
        428 => &["precondition required"],
        429 => &["too many requests"],
        431 => &["request header fields too large"],
        451 => &["unavailable for legal reasons"],
        499 => &["client closed request"],
        500 => &["internal server error"],
        501 => &["not implemented"],
        502 => &["bad gateway"],
        503 => &["service unavailable", "service temporarily unavailable"],
        504 => &["gateway timeout", "gateway time out"],
        505 => &["http version not supported"],
        506 => &["variant also negotiates"],
        507 => &["insufficient storage"],
        508 => &["loop detected"],
        510 => &["not extended"],
        511 => &["network authentication required"],
        520 => &["web server returned an unknown error"],
        521 => &["web server is down"],
        522 => &["connection timed out"],
        523 => &["origin is unreachable"],
        524 => &["a timeout occurred"],
        529 => &["site is overloaded", "overloaded"],
        598 => &["network read timeout error"],
        599 => &["network connect timeout error"],
        _ => &[],
    }
}
