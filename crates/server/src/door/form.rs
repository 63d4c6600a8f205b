//! Which form a message has: protobuf, or protobuf's JSON.

use bytes::Bytes;
use http::HeaderMap;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderName};
use redrive_proto::prost::Message;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::fault::{Code, Fault};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Json,
    Protobuf,
}

impl Form {
    /// The form of a request. Its sender names it: a page can have a browser send anything without a name.
    pub(crate) fn of_request(headers: &HeaderMap, is_empty: bool) -> Result<Self, Fault> {
        let given = named(headers, &CONTENT_TYPE);
        let is_named = !matches!(given.split([';', ',']).next().map(str::trim), Some("" | "*/*" | "application/*"));
        Self::parse(&given).filter(|_| is_named || is_empty).ok_or_else(|| {
            let message = format!("Content-Type header '{given}' is invalid format or unrecognized content type");
            Fault::new(Code::ContentError, message)
        })
    }

    /// The form in which the answer is wanted.
    pub(crate) fn of_answer(headers: &HeaderMap) -> Result<Self, Fault> {
        let given = named(headers, &ACCEPT);
        Self::parse(&given).ok_or_else(|| {
            let message = format!(
                "Accept header '{given}' is invalid format or unrecognized content type, only \
                 [application/json,application/protobuf] are supported by this method"
            );
            Fault::new(Code::ContentError, message)
        })
    }

    /// What follows `;` or `,` does not matter.
    fn parse(given: &str) -> Option<Self> {
        let name = given.split([';', ',']).next().unwrap_or_default().trim();
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        if is("application/protobuf") {
            Some(Self::Protobuf)
        } else if ["", "*/*", "application/*", "application/json"].iter().any(|known| is(known)) {
            Some(Self::Json)
        } else {
            None
        }
    }

    pub(crate) const fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Protobuf => "application/protobuf",
        }
    }

    pub(crate) fn decode<M: Message + Default + DeserializeOwned>(self, body: Bytes) -> Result<M, Fault> {
        let decoded = match self {
            Self::Protobuf => M::decode(body).map_err(|error| error.to_string()),
            Self::Json => serde_json::from_slice(&body).map_err(|error| error.to_string()),
        };
        decoded.map_err(|error| Fault::new(Code::ContentError, error))
    }

    pub(crate) fn encode<M: Message + Serialize>(self, message: &M) -> Result<Bytes, Fault> {
        match self {
            Self::Protobuf => Ok(message.encode_to_vec().into()),
            Self::Json => Self::text(serde_json::to_vec(message)),
        }
    }

    /// What was written as JSON.
    pub(super) fn text(written: serde_json::Result<Vec<u8>>) -> Result<Bytes, Fault> {
        written.map(Bytes::from).map_err(|error| {
            tracing::error!(%error, "an answer could not be written");
            Fault::internal()
        })
    }
}

/// A header as text; what is no text is shown as far as it is.
fn named(headers: &HeaderMap, name: &HeaderName) -> String {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).unwrap_or_default()
}
