//! The text rules, as data, in order of precedence.
//!
//! Notation of a row: `x*` is a prefix of a token, `(w)` an optional word. A row of one word in [`WORDS`] also matches
//! the word with a suffix of error(s) or exception(s); a row of several words matches adjacent tokens, or the same
//! words joined in one token.

use crate::Category;

pub(crate) struct Tables {
    /// Phrases that rule out a retry. They take precedence over all other text rules.
    pub(crate) finals: Vec<&'static str>,
    /// Groups in order of precedence.
    pub(crate) phrases: Vec<(Category, Vec<&'static str>)>,
    pub(crate) words: Vec<(Category, Vec<&'static str>)>,
    /// Pairs of adjacent tokens that name a setting, not an event. They are removed before any rule is applied.
    pub(crate) settings: Vec<(&'static str, Vec<&'static str>)>,
}

impl Tables {
    pub(crate) fn built_in() -> Self {
        let groups = |groups: &[(Category, &'static [&'static str])]| {
            groups.iter().map(|(category, rows)| (*category, rows.to_vec())).collect()
        };
        Self {
            finals: FINAL.to_vec(),
            phrases: groups(PHRASES),
            words: groups(WORDS),
            settings: SETTINGS.iter().map(|(first, second)| (*first, second.to_vec())).collect(),
        }
    }
}

const FINAL: &[&str] = &[
    "non retryable",
    "not retryable",
    "retryable false",
    "do not retry",
    "unretryable",
    "unrecoverable",
    "certificate (has) expired",
    "certificate revoked",
];

const PHRASES: &[(Category, &[&str])] = &[
    (
        Category::Transient,
        &[
            "rate limit*",
            "too many requests",
            "service busy",
            "bad gateway",
            "try again",
            "retry later",
            "circuit open",
            "(circuit) breaker (is) open",
            "lock (wait) timeout",
            "serialization failure",
            "could not serialize",
            "not leader",
            "leader not available",
            "database (is) locked",
            "resource temporarily unavailable",
            "throughput exceeded",
        ],
    ),
    (
        Category::Permission,
        &[
            "access (is) denied",
            "access (is) forbidden",
            "access not allowed",
            "access revoked",
            "permission denied",
            "not authorized",
            "not permitted",
            "invalid credential",
            "invalid credentials",
            "bad credentials",
            "invalid token",
            "token (has) expired",
            "invalid api key",
            "login failed",
            "password incorrect",
        ],
    ),
    (
        Category::Resource,
        &[
            "out of memory",
            "out of space",
            "no space",
            "space left",
            "disk space",
            "insufficient space",
            "resource exhausted",
            "resources exhausted",
            "insufficient resources",
            "too many open files",
            "too many connections",
            "limit exceeded",
            "cannot allocate",
            "unable to allocate",
        ],
    ),
    (
        Category::Network,
        &[
            "timed out",
            "deadline exceeded",
            "broken pipe",
            "no route to host",
            "reset by peer",
            "name or service not known",
            "name resolution",
            "max retries exceeded",
            "unexpected eof",
        ],
    ),
    (
        Category::Validation,
        &[
            "value error",
            "type error",
            "parse error",
            "decode error",
            "syntax error",
            "while parsing",
            "bad request",
            "not valid",
        ],
    ),
];

const WORDS: &[(Category, &[&str])] = &[
    (
        Category::Transient,
        &[
            "throttl*",
            "ratelimit*",
            "temporary",
            "temporarily",
            "transient",
            "busy",
            "unavailable",
            "offline",
            "retryable",
            "overload*",
            "deadlock*",
            "backpressure",
        ],
    ),
    (
        Category::Network,
        &[
            "connection*",
            "connect",
            "timeout*",
            "network*",
            "connectivity",
            "socket*",
            "ssl",
            "tls",
            "certificate*",
            "handshake",
            "dns",
            "gaierror",
            "getaddrinfo",
            "unreachable",
            "disconnect*",
            "econn*",
            "etimedout",
            "ehostunreach",
            "enetunreach",
            "epipe",
        ],
    ),
    (Category::Resource, &["memory", "disk", "quota*", "capacity", "oom", "enospc", "enomem", "emfile", "edquot"]),
    (
        Category::Permission,
        &[
            "permission*",
            "denied",
            "forbidden",
            "unauthori*",
            "unauthenticated",
            "auth",
            "authn",
            "authz",
            "authenticat*",
            "authoriz*",
            "authoris*",
            "credential*",
            "eacces",
            "eperm",
        ],
    ),
    (Category::Validation, &["invalid", "malformed", "validat*", "format", "schema*", "assert*", "unprocessable"]),
];

const SETTINGS: &[(&str, &[&str])] = &[
    ("connection", &["string", "url", "uri", "name", "id", "option", "setting", "parameter", "config"]),
    ("timeout", &["value", "option", "setting", "parameter", "must", "should"]),
    ("socket", &["path", "option", "address"]),
    ("network", &["name", "id", "policy"]),
    ("memory", &["address", "layout"]),
    ("disk", &["image", "name", "id"]),
    ("access", &["log", "method", "pattern"]),
    ("temporary", &["file", "directory", "path", "table"]),
    ("format", &["string"]),
];
