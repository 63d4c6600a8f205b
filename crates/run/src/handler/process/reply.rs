//! Messages from a worker.

use redrive_core::{Failure, Span, Time};
use serde::Deserialize;

use super::error_report::ErrorReport;
use super::frame::Breach;

/// The version of the protocol.
pub(super) const PROTOCOL_VERSION: u64 = 1;

/// The header of a frame from a worker.
#[derive(Debug)]
pub(super) enum WorkerMessage {
    /// The first message of each worker.
    Hello { version: u64 },
    /// The worker is still working on the call.
    Beat { call: u64 },
    /// The result of the call.
    Reply { call: u64, outcome: Outcome },
}

/// The result of a call.
#[derive(Debug)]
pub(super) enum Outcome {
    Done,
    Failed(Box<Failure>),
    DeferredUntil(Time),
    DeferredFor(Span),
}

impl WorkerMessage {
    pub(super) fn parse(header: &[u8]) -> Result<Self, Breach> {
        let written: Written = serde_json::from_slice(header).map_err(Breach::Header)?;
        match written.frame {
            FrameType::Hello => Ok(Self::Hello { version: needed("hello", "version", written.version)? }),
            FrameType::Beat => Ok(Self::Beat { call: needed("beat", "call", written.call)? }),
            FrameType::Reply => {
                let call = needed("reply", "call", written.call)?;
                Ok(Self::Reply { call, outcome: written.outcome()? })
            }
        }
    }

    pub(super) const fn frame(&self) -> &'static str {
        match self {
            Self::Hello { .. } => "hello",
            Self::Beat { .. } => "beat",
            Self::Reply { .. } => "reply",
        }
    }
}

/// A header as it is written. Unknown fields are ignored: later versions may add some.
#[derive(Debug, Deserialize)]
struct Written {
    #[serde(rename = "type")]
    frame: FrameType,
    version: Option<u64>,
    call: Option<u64>,
    outcome: Option<OutcomeName>,
    error: Option<Box<ErrorReport>>,
    failed_parts: Option<Vec<String>>,
    until: Option<Time>,
    after_ms: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FrameType {
    Hello,
    Beat,
    Reply,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum OutcomeName {
    Done,
    Failed,
    Partial,
    Deferred,
}

impl Written {
    fn outcome(self) -> Result<Outcome, Breach> {
        match needed("reply", "outcome", self.outcome)? {
            OutcomeName::Done => Ok(Outcome::Done),
            // A failure without an error is a failure, too.
            OutcomeName::Failed => Ok(failed(self.error, self.failed_parts.unwrap_or_default())),
            // Without the list, completed parts would be repeated. An empty list means that none failed.
            OutcomeName::Partial => match needed("partial reply", "failed_parts", self.failed_parts)? {
                parts if parts.is_empty() => Ok(Outcome::Done),
                parts => Ok(failed(self.error, parts)),
            },
            OutcomeName::Deferred => match (self.until, self.after_ms) {
                (Some(until), _) => Ok(Outcome::DeferredUntil(until)),
                (None, after) => {
                    let after = needed("deferred reply", "until' or 'after_ms", after)?;
                    Ok(Outcome::DeferredFor(Span::from_millis(after)))
                }
            },
        }
    }
}

fn failed(error: Option<Box<ErrorReport>>, parts: Vec<String>) -> Outcome {
    let mut failure = error.map(|report| report.into_failure()).unwrap_or_default();
    failure.parts = parts;
    Outcome::Failed(Box::new(failure))
}

fn needed<T>(frame: &'static str, field: &'static str, value: Option<T>) -> Result<T, Breach> {
    value.ok_or(Breach::Missing { frame, field })
}
