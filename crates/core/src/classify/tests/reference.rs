//! The text rules as documented, to compare the tables of the classifier with. Nothing here is derived from the code
//! under test.

use crate::Category;

pub(super) const FINAL: &str = "non retryable, not retryable, retryable false, do not retry, unretryable, \
    unrecoverable, certificate (has) expired, certificate revoked";

/// Groups of phrases in order of precedence.
pub(super) const PHRASES: [(Category, &str); 5] = [
    (
        Category::Transient,
        "rate limit*, too many requests, service busy, bad gateway, try again, retry later, circuit open, \
         (circuit) breaker (is) open, lock (wait) timeout, serialization failure, could not serialize, not leader, \
         leader not available, database (is) locked, resource temporarily unavailable, throughput exceeded",
    ),
    (
        Category::Permission,
        "access (is) denied, access (is) forbidden, access not allowed, access revoked, permission denied, \
         not authorized, not permitted, invalid credential, invalid credentials, bad credentials, invalid token, \
         token (has) expired, invalid api key, login failed, password incorrect",
    ),
    (
        Category::Resource,
        "out of memory, out of space, no space, space left, disk space, insufficient space, resource exhausted, \
         resources exhausted, insufficient resources, too many open files, too many connections, limit exceeded, \
         cannot allocate, unable to allocate",
    ),
    (
        Category::Network,
        "timed out, deadline exceeded, broken pipe, no route to host, reset by peer, name or service not known, \
         name resolution, max retries exceeded, unexpected eof",
    ),
    (
        Category::Validation,
        "value error, type error, parse error, decode error, syntax error, while parsing, bad request, not valid",
    ),
];

/// Groups of words in order of precedence.
pub(super) const WORDS: [(Category, &str); 5] = [
    (
        Category::Transient,
        "throttl*, ratelimit*, temporary, temporarily, transient, busy, unavailable, offline, retryable, overload*, \
         deadlock*, backpressure",
    ),
    (
        Category::Network,
        "connection*, connect, timeout*, network*, connectivity, socket*, ssl, tls, certificate*, handshake, dns, \
         gaierror, getaddrinfo, unreachable, disconnect*, econn*, etimedout, ehostunreach, enetunreach, epipe",
    ),
    (Category::Resource, "memory, disk, quota*, capacity, oom, enospc, enomem, emfile, edquot"),
    (
        Category::Permission,
        "permission*, denied, forbidden, unauthori*, unauthenticated, auth, authn, authz, authenticat*, authoriz*, \
         authoris*, credential*, eacces, eperm",
    ),
    (Category::Validation, "invalid, malformed, validat*, format, schema*, assert*, unprocessable"),
];

pub(super) const SETTINGS: &str = "connection + string/url/uri/name/id/option/setting/parameter/config; \
    timeout + value/option/setting/parameter/must/should; socket + path/option/address; network + name/id/policy; \
    memory + address/layout; disk + image/name/id; access + log/method/pattern; \
    temporary + file/directory/path/table; format + string";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    Final,
    Phrase,
    Word,
}

/// One row, with its precedence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) form: Form,
    pub(super) group: usize,
    pub(super) category: Category,
    pub(super) text: &'static str,
}

impl Row {
    /// Every spelling of the row: with and without each optional word, and with `suffix` for a `*`.
    pub(super) fn spellings(&self, suffix: &str) -> Vec<Vec<String>> {
        let mut all = vec![Vec::new()];
        for word in self.text.split(' ') {
            let bare = word.trim_matches(['(', ')']);
            let written = bare.replace('*', suffix);
            let without = all.clone();
            all.iter_mut().for_each(|spelling| spelling.push(written.clone()));
            if bare != word {
                all.extend(without);
            }
        }
        all
    }
}

pub(super) fn rows() -> Vec<Row> {
    let list = |form, groups: &[(Category, &'static str)]| -> Vec<Row> {
        let of_group = |(group, (category, rows)): (usize, &(Category, &'static str))| {
            let category = *category;
            rows.split(", ").map(move |text| Row { form, group, category, text: text.trim() }).collect::<Vec<_>>()
        };
        groups.iter().enumerate().flat_map(of_group).collect()
    };
    let finals = list(Form::Final, &[(Category::Permanent, FINAL)]);
    [finals, list(Form::Phrase, &PHRASES), list(Form::Word, &WORDS)].concat()
}

pub(super) fn settings() -> Vec<(&'static str, &'static str)> {
    let pairs = |entry: &'static str| {
        let (first, seconds) = entry.split_once(" + ").expect("an entry is 'first + second/second'");
        seconds.split('/').map(move |second| (first.trim(), second.trim()))
    };
    SETTINGS.split(';').flat_map(pairs).collect()
}

/// The category of a status: by its own row, else by its hundred.
pub(super) fn http(status: u16) -> Category {
    match status {
        409 | 421 | 423 | 425 | 429 | 500 | 502 | 503 | 529 => Category::Transient,
        408 | 504 | 520 | 521 | 522 | 523 | 524 | 598 | 599 => Category::Network,
        507 => Category::Resource,
        401 | 403 | 407 | 451 | 511 => Category::Permission,
        400 | 405 | 406 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 422 | 428 | 431 => Category::Validation,
        402 | 404 | 410 | 501 | 505 => Category::Permanent,
        other if other >= 500 => Category::Transient,
        _ => Category::Permanent,
    }
}

/// Reason phrases of statuses: the registered ones, those of proxies, and older spellings.
pub(super) const REASONS: &str = "400 bad request; 401 unauthorized; 401 unauthorised; 402 payment required; \
    403 forbidden; 404 not found; 405 method not allowed; 406 not acceptable; 407 proxy authentication required; \
    408 request timeout; 408 request time out; 409 conflict; 410 gone; 411 length required; 412 precondition failed; \
    413 content too large; 413 payload too large; 413 request entity too large; 414 uri too long; \
    414 request uri too long; 414 request uri too large; 415 unsupported media type; 416 range not satisfiable; \
    416 requested range not satisfiable; 417 expectation failed; 418 i m a teapot; 421 misdirected request; \
    422 unprocessable content; 422 unprocessable entity; 423 locked; 424 failed dependency; 425 too early; \
    426 upgrade required; 428 precondition required; 429 too many requests; 431 request header fields too large; \
    451 unavailable for legal reasons; 499 client closed request; 500 internal server error; 501 not implemented; \
    502 bad gateway; 503 service unavailable; 503 service temporarily unavailable; 504 gateway timeout; \
    504 gateway time out; 505 http version not supported; 506 variant also negotiates; 507 insufficient storage; \
    508 loop detected; 510 not extended; 511 network authentication required; \
    520 web server returned an unknown error; 521 web server is down; 522 connection timed out; \
    523 origin is unreachable; 524 a timeout occurred; 529 site is overloaded; 529 overloaded; \
    598 network read timeout error; 599 network connect timeout error";

pub(super) fn reasons(status: u16) -> impl Iterator<Item = &'static str> {
    let of_status = move |entry: &'static str| {
        let (number, reason) = entry.trim().split_once(' ')?;
        (number == status.to_string()).then_some(reason)
    };
    REASONS.split(';').filter_map(of_status)
}
