//! Failures in the returned value.

use bytes::Bytes;
use redrive_core::{Evidence, Failure, GrpcCode};
use serde_json::Value;

use crate::Handled;

/// A return value that may describe a failure.
pub trait Returned {
    /// The failure that the value describes; `None` for a success.
    fn failure(&self) -> Option<Failure>;
}

macro_rules! always_a_success {
    ($($Type:ty),*) => {
        $(impl Returned for $Type {
            fn failure(&self) -> Option<Failure> {
                None
            }
        })*
    };
}

always_a_success!((), Bytes, String, bool, u64, i64);

impl<T: Returned> Returned for Option<T> {
    fn failure(&self) -> Option<Failure> {
        self.as_ref().and_then(Returned::failure)
    }
}

impl Returned for Handled {
    fn failure(&self) -> Option<Failure> {
        match self {
            Self::Failed(failure) => Some((**failure).clone()),
            Self::Done { .. } | Self::HandedBack { .. } | Self::Deferred { .. } | Self::Untouched => None,
        }
    }
}

/// A JSON object is a failure if its `status` is `failed`, `error`, `cancelled`, `timeout` or `partial`, if it has
/// `success: false` or non-empty `errors`, or if it has an HTTP status of 400 or more or a gRPC status other than 0.
/// With the status `partial`, `failed` or `failed_repos` names the failed parts.
impl Returned for Value {
    fn failure(&self) -> Option<Failure> {
        let fields = self.as_object()?;
        let text = |field: &str| fields.get(field).and_then(Value::as_str);
        let number = |fields_of: &[&str]| fields_of.iter().find_map(|field| fields.get(*field)?.as_u64());
        let status = text("status").map(str::to_ascii_lowercase);
        // `status` may be a word or an HTTP status code.
        let http = number(&["status_code", "http_status", "http", "status"]).filter(|status| *status >= 400);
        let grpc = number(&["grpc_code", "grpc_status", "grpc"]).filter(|code| *code != 0);
        let parts = parts_of(fields.get("failed").or_else(|| fields.get("failed_repos")));
        let is_failed = matches!(status.as_deref(), Some("failed" | "error" | "cancelled" | "timeout"));
        let is_partial = status.as_deref() == Some("partial");
        let is_unsuccessful = fields.get("success") == Some(&Value::Bool(false));
        let has_errors = fields.get("errors").is_some_and(|errors| !is_empty(errors));
        if !(is_failed || is_partial || is_unsuccessful || has_errors || http.is_some() || grpc.is_some()) {
            return None;
        }
        let message = text("error").or_else(|| text("message")).map(str::to_owned);
        let message = message.or_else(|| fields.get("errors").map(first_text)).or(status).unwrap_or_default();
        let mut failure = Failure::new(message);
        failure.error.kind = text("error_type").and_then(|kind| kind.parse().ok());
        failure.error.evidence = match (http.and_then(|status| u16::try_from(status).ok()), grpc) {
            (Some(status), _) => Some(Evidence::http(status)),
            (None, Some(code)) => u32::try_from(code).ok().and_then(GrpcCode::from_number).map(Evidence::Grpc),
            (None, None) => None,
        };
        failure.parts = if is_partial { parts } else { Vec::new() };
        Some(failure)
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(values) => values.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::String(text) => text.is_empty(),
        // The number of errors.
        Value::Number(count) => count.as_f64() == Some(0.0),
        Value::Bool(true) => false,
    }
}

fn first_text(errors: &Value) -> String {
    match errors {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.first().map(first_text).unwrap_or_default(),
        Value::Object(fields) => match fields.get("message").or_else(|| fields.values().next()) {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        },
        other => other.to_string(),
    }
}

fn parts_of(failed: Option<&Value>) -> Vec<String> {
    let named =
        |part: &Value| part.as_str().or_else(|| part.get("part").or(part.get("repo"))?.as_str()).map(str::to_owned);
    match failed {
        Some(Value::Array(parts)) => parts.iter().filter_map(named).collect(),
        Some(Value::Object(parts)) => parts.keys().cloned().collect(),
        _ => Vec::new(),
    }
}
