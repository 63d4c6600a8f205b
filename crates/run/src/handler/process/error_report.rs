//! The error in a worker's reply.
//!
//! Unknown codes are logged and left out: the attempt failed, whatever its code means, and killing a worker over a new
//! code would cost more than it helps.

use std::fmt;
use std::str::FromStr;

use redrive_core::{Evidence, Failure, GrpcCode, IoKind, Kind, Link, Span, SqlState};
use serde::Deserialize;

use super::events::EVENTS;

/// The error in a worker's reply. Every field is optional.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ErrorReport {
    #[serde(rename = "type")]
    kind: Option<String>,
    parents: Option<Vec<String>>,
    code: Option<NumberOrText>,
    message: Option<String>,
    http: Option<u64>,
    rate_limited: Option<bool>,
    grpc: Option<NumberOrText>,
    sqlstate: Option<String>,
    io: Option<String>,
    retry_after_ms: Option<u64>,
    causes: Option<Vec<ErrorReport>>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum NumberOrText {
    Number(i64),
    Text(String),
}

impl ErrorReport {
    /// Longer messages are cut: the message is recorded with every attempt, and classification reads no more of it.
    const MESSAGE_BYTES_MAX: usize = 8 << 10;
    const CODE_BYTES_MAX: usize = 256;
    const PARENTS_MAX: usize = 32;

    pub(super) fn into_failure(self) -> Failure {
        let evidence = self.evidence();
        let parents = self.parents.unwrap_or_default();
        let failure = Failure {
            error: Link {
                kind: self.kind.as_deref().and_then(kind_of),
                parents: parents.iter().take(Self::PARENTS_MAX).filter_map(|parent| kind_of(parent)).collect(),
                code: self.code.map(|code| cut(code.to_string(), Self::CODE_BYTES_MAX)),
                message: cut(self.message.unwrap_or_default(), Self::MESSAGE_BYTES_MAX),
                evidence,
            },
            retry_after: self.retry_after_ms.map(Span::from_millis),
            answer_at: Some(0),
            ..Failure::default()
        };
        let causes = self.causes.into_iter().flatten();
        causes.fold(failure, |failure, cause| failure.caused_by(cause.into_failure()))
    }

    /// The first that is present and valid: an error has at most one.
    fn evidence(&self) -> Option<Evidence> {
        let http = || {
            let status = u16::try_from(self.http?).ok()?;
            Some(Evidence::Http { status, rate_limited: self.rate_limited.unwrap_or_default() })
        };
        let grpc = || match self.grpc.as_ref()? {
            NumberOrText::Number(number) => u32::try_from(*number).ok().and_then(GrpcCode::from_number),
            NumberOrText::Text(name) => known::<GrpcCode>("grpc", name),
        };
        http()
            .or_else(|| grpc().map(Evidence::Grpc))
            .or_else(|| known::<SqlState>("sqlstate", self.sqlstate.as_deref()?).map(Evidence::Sql))
            .or_else(|| known::<IoKind>("io", self.io.as_deref()?).map(Evidence::Io))
    }
}

impl fmt::Display for NumberOrText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

fn known<T: FromStr<Err: fmt::Display>>(field: &'static str, text: &str) -> Option<T> {
    let log = |error: &T::Err| tracing::warn!(target: EVENTS, field, %error, "ignored unknown evidence of a worker");
    text.parse().inspect_err(log).ok()
}

/// A type name with spaces and control characters replaced: some languages have them.
fn kind_of(name: &str) -> Option<Kind> {
    let fitting = name.trim().chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect();
    cut(fitting, Kind::BYTES_MAX).parse().ok()
}

/// The text, cut at a character boundary to at most `bytes_max` bytes.
fn cut(mut text: String, bytes_max: usize) -> String {
    text.truncate(text.floor_char_boundary(bytes_max));
    text
}
