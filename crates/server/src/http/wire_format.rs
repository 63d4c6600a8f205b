//! The formats of messages: protobuf and protobuf's JSON.

use bytes::Bytes;
use http::HeaderMap;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderName};
use redrive_proto::prost::Message;
use serde::de::DeserializeOwned;

use crate::api_error::{ApiError, Code};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WireFormat {
    Json,
    Protobuf,
}

impl WireFormat {
    /// The format of a request, from `Content-Type`. It is required for a request with a body: a web page can make a
    /// browser send anything without one.
    pub(crate) fn of_request(headers: &HeaderMap, is_empty: bool) -> Result<Self, ApiError> {
        let given = header(headers, &CONTENT_TYPE);
        let is_specific = !matches!(given.split([';', ',']).next().map(str::trim), Some("" | "*/*" | "application/*"));
        Self::parse(&given).filter(|_| is_specific || is_empty).ok_or_else(|| {
            let message = format!("Content-Type header '{given}' is invalid format or unrecognized content type");
            ApiError::new(Code::ContentError, message)
        })
    }

    /// The format of the answer, from `Accept`.
    pub(crate) fn of_answer(headers: &HeaderMap) -> Result<Self, ApiError> {
        let given = header(headers, &ACCEPT);
        Self::parse(&given).ok_or_else(|| {
            let message = format!(
                "Accept header '{given}' is invalid format or unrecognized content type, only \
                 [application/json,application/protobuf] are supported by this method"
            );
            ApiError::new(Code::ContentError, message)
        })
    }

    /// Parses the first media type of a header; parameters and alternatives are ignored.
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

    pub(crate) fn decode<M: Message + Default + DeserializeOwned>(self, body: Bytes) -> Result<M, ApiError> {
        let decoded = match self {
            Self::Protobuf => M::decode(body).map_err(|error| error.to_string()),
            Self::Json => serde_json::from_slice(&body).map_err(|error| error.to_string()),
        };
        decoded.map_err(|error| ApiError::new(Code::ContentError, error))
    }

    /// Encodes a message, of which `json` makes the JSON.
    pub(crate) fn encode<M: Message>(
        self,
        message: &M,
        json: fn(&M) -> serde_json::Result<Vec<u8>>,
    ) -> Result<Bytes, ApiError> {
        match self {
            Self::Protobuf => Ok(message.encode_to_vec().into()),
            Self::Json => json(message).map(Bytes::from).map_err(|error| {
                tracing::error!(%error, "encoding an answer failed");
                ApiError::internal()
            }),
        }
    }
}

/// A header as text, with invalid UTF-8 replaced; empty if it is missing.
fn header(headers: &HeaderMap, name: &HeaderName) -> String {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).unwrap_or_default()
}
