//! The bodies of requests and results.

use serde::{Deserialize, Deserializer, Serialize};

use crate::{Mailbox, MailboxError, MailboxName, MessageId};

/// A request to a [`MainLoop`](super::MainLoop).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopRequest<Q> {
    /// Chosen by the sender; the result has the same.
    pub request_id: String,
    pub request: Q,
    /// Links the request with what caused it, in letters and logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
}

impl<Q> LoopRequest<Q> {
    pub fn new(request_id: impl Into<String>, request: Q) -> Self {
        Self { request_id: request_id.into(), request, trace_id: None }
    }
}

/// The result of a request: an output, or the error with which it was dead-lettered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(deserialize = "O: Deserialize<'de>"))]
pub struct LoopResult<O> {
    /// `None` if the request cannot be decoded.
    #[serde(default)]
    pub request_id: Option<String>,
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub output: Option<O>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A value that exists, and may be `null` itself: the output of a handler that returns nothing.
fn present<'de, D: Deserializer<'de>, O: Deserialize<'de>>(deserializer: D) -> Result<Option<O>, D::Error> {
    O::deserialize(deserializer).map(Some)
}

/// A sample of a dataset: an input, and what its output is compared with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample<Q, X> {
    pub id: String,
    pub input: Q,
    pub expected: X,
}

/// A request to an [`EvalLoop`](super::EvalLoop).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvalRequest<Q, X> {
    pub request_id: String,
    pub sample: Sample<Q, X>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
}

/// How good an output is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// A finite number. A sample with any other score fails.
    pub value: f64,
    pub has_passed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The result of an evaluation: a score, or the error with which the request was dead-lettered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvalResult {
    /// `None` if the request cannot be decoded.
    #[serde(default)]
    pub request_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// How long the main loop took for the output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Submits the samples of a dataset, with the mailbox that collects their results. Returns the ids of the messages.
///
/// # Errors
///
/// As [`Mailbox::send`]. Samples before the one that failed were sent.
pub async fn submit_samples<Q: Serialize, X: Serialize>(
    requests: &Mailbox<EvalRequest<Q, X>, EvalResult>,
    samples: impl IntoIterator<Item = Sample<Q, X>>,
    reply_to: &MailboxName,
    new_request_id: impl Fn(&Sample<Q, X>) -> String,
) -> Result<Vec<MessageId>, MailboxError> {
    let mut sent = Vec::new();
    for sample in samples {
        let request = EvalRequest { request_id: new_request_id(&sample), sample, trace_id: None };
        sent.push(requests.send_expecting_reply(&request, reply_to).await?);
    }
    Ok(sent)
}

#[cfg(test)]
mod tests {
    use super::LoopResult;

    #[test]
    fn an_output_that_is_nothing_is_not_a_missing_output() {
        let done = LoopResult { request_id: Some("r".to_owned()), output: Some(()), error: None };
        let text = serde_json::to_string(&done).unwrap();
        assert_eq!(serde_json::from_str::<LoopResult<()>>(&text).unwrap(), done);
        let none = LoopResult::<Option<u8>> { request_id: None, output: Some(None), error: None };
        let text = serde_json::to_string(&none).unwrap();
        assert_eq!(serde_json::from_str::<LoopResult<Option<u8>>>(&text).unwrap(), none);
        let failed = LoopResult::<()> { request_id: None, output: None, error: Some("no".to_owned()) };
        let text = serde_json::to_string(&failed).unwrap();
        assert_eq!(serde_json::from_str::<LoopResult<()>>(&text).unwrap(), failed);
    }
}
