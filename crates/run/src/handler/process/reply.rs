//! What a worker says.

use redrive_core::{Failure, Span, Time};
use serde::Deserialize;

use super::error_report::ErrorReport;
use super::frame::Breach;

/// The version of the protocol that is spoken here.
pub(super) const PROTOCOL_VERSION: u64 = 1;

/// What a frame from a worker says, besides its payload.
#[derive(Debug)]
pub(super) enum WorkerMessage {
    /// It is there, speaks this version, and takes so many requests before it has answered.
    Hello { version: u64, ahead: usize },
    /// It still works at this call.
    Beat { call: u64 },
    /// This is what became of the call.
    Reply { call: u64, outcome: Outcome },
}

/// What became of a call, in the worker's words.
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
            FrameType::Hello => {
                let ahead = written.ahead.map_or(0, |ahead| usize::try_from(ahead).unwrap_or(usize::MAX));
                Ok(Self::Hello { version: needed("hello", "version", written.version)?, ahead })
            }
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

/// A header as it may be written: fields that nobody knows are left alone, for the versions that will.
#[derive(Debug, Deserialize)]
struct Written {
    #[serde(rename = "type")]
    frame: FrameType,
    version: Option<u64>,
    ahead: Option<u64>,
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
            // A failure that nobody explains is one all the same.
            OutcomeName::Failed => Ok(failed(self.error, self.failed_parts.unwrap_or_default())),
            // Without a list, the parts that were done would be done again. An empty one says that none failed.
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
