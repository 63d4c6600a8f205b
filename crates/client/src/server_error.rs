//! An error that the server reported.

use http::{HeaderMap, HeaderName};
use redrive_model::{Rejection, RejectionFields};
use redrive_proto::duh::v1::Reply;
use redrive_proto::redrive::v1::Refused;

/// The exact reason of an error, and the values of its message as JSON. Calls of Querator have no details.
const REASON_CODE: HeaderName = HeaderName::from_static("x-redrive-reason-code");
const REASON_FIELDS: HeaderName = HeaderName::from_static("x-redrive-reason-fields");

/// An error as the server reported it. `docs/errors.md` lists the reasons.
#[derive(Debug, Clone, Default, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct ServerError {
    /// What failed, for people.
    pub message: String,
    /// The stable name of the error; empty if the server is older than reasons.
    pub reason: String,
    /// A more exact name, if the reason stands for several rejections; empty otherwise.
    pub rejection: String,
    /// The values that the message names.
    pub fields: RejectionFields,
}

impl ServerError {
    /// Reads an error from the details of its reply, or from its headers.
    pub(crate) fn of_reply(reply: Reply, headers: &HeaderMap) -> Self {
        let Reply { message, details: mut fields, .. } = reply;
        let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        if let Some(more) = text(&REASON_FIELDS).and_then(|json| serde_json::from_str::<RejectionFields>(json).ok()) {
            fields.extend(more);
        }
        let rejection = fields.remove("rejection").unwrap_or_default();
        let reason = fields.remove("reason").or_else(|| text(&REASON_CODE).map(str::to_owned)).unwrap_or_default();
        Self { message, reason, rejection, fields }
    }

    pub(crate) fn exact_reason(&self) -> &str {
        if self.rejection.is_empty() { &self.reason } else { &self.rejection }
    }

    pub(crate) fn rejection(&self) -> Rejection {
        Rejection::from_parts(self.exact_reason(), self.fields.clone(), self.message.as_str())
    }
}

/// The error of one item of a request.
impl From<Refused> for ServerError {
    fn from(refused: Refused) -> Self {
        let Refused { message, reason, fields, .. } = refused;
        Self { message, reason, rejection: String::new(), fields }
    }
}
