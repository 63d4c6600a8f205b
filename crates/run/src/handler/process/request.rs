//! Requests to a worker.

use std::fmt::Write;
use std::io::IoSlice;

use bytes::Bytes;
use redrive_core::Metadata;
use redrive_model::Header;
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use tokio::io::{AsyncWrite, AsyncWriteExt};

use super::frame::{HEADER_LENGTH_BYTES, LENGTH_BYTES};
use crate::Work;

/// An encoded request. The payload is not copied.
#[derive(Debug)]
pub(super) struct WorkerRequest {
    head: Vec<u8>,
    payload: Bytes,
}

/// Why work cannot be sent to a worker.
#[derive(Debug, thiserror::Error)]
pub(super) enum RequestError {
    #[error("validation: the work takes a frame of {length} bytes, and its worker takes {most}; raise frame_bytes_max")]
    TooLarge { length: usize, most: usize },
    #[error("validation: the work cannot be described in JSON")]
    Unwritable(#[source] serde_json::Error),
}

impl WorkerRequest {
    pub(super) fn new(call: u64, work: &Work, frame_bytes_max: usize) -> Result<Self, RequestError> {
        let payload = work.content.payload.clone();
        let too_large = |length| RequestError::TooLarge { length, most: frame_bytes_max };
        if payload.len() > frame_bytes_max {
            return Err(too_large(payload.len()));
        }
        let mut head = Vec::with_capacity(512);
        head.resize(LENGTH_BYTES + HEADER_LENGTH_BYTES, 0);
        serde_json::to_writer(&mut head, &RequestHeader::new(call, work)).map_err(RequestError::Unwritable)?;
        let length = head.len() - LENGTH_BYTES + payload.len();
        let header = head.len() - LENGTH_BYTES - HEADER_LENGTH_BYTES;
        match (u32::try_from(length), u32::try_from(header)) {
            (Ok(written_length), Ok(header)) if length <= frame_bytes_max => {
                head[..LENGTH_BYTES].copy_from_slice(&written_length.to_be_bytes());
                head[LENGTH_BYTES..LENGTH_BYTES + HEADER_LENGTH_BYTES].copy_from_slice(&header.to_be_bytes());
                Ok(Self { head, payload })
            }
            _ => Err(too_large(length)),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.head.len() + self.payload.len()
    }

    /// Writes all of it, in one system call if the pipe has space.
    pub(super) async fn write_to(&self, to: &mut (impl AsyncWrite + Unpin)) -> std::io::Result<()> {
        let (mut head, mut payload) = (&self.head[..], &self.payload[..]);
        while !head.is_empty() || !payload.is_empty() {
            let written = to.write_vectored(&[IoSlice::new(head), IoSlice::new(payload)]).await?;
            if written == 0 {
                return Err(std::io::ErrorKind::WriteZero.into());
            }
            let of_head = written.min(head.len());
            head = &head[of_head..];
            payload = &payload[written - of_head..];
        }
        Ok(())
    }
}

/// The header of a request, without empty fields.
#[derive(Serialize)]
struct RequestHeader<'a> {
    #[serde(rename = "type")]
    frame: &'static str,
    call: u64,
    id: String,
    attempt: u32,
    deliveries: u32,
    idempotency_key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    kind: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    encoding: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    reference: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<Octets<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    parts: &'a [String],
    #[serde(skip_serializing_if = "Metadata::is_empty")]
    metadata: &'a Metadata,
    #[serde(skip_serializing_if = "Headers::is_empty")]
    headers: Headers<'a>,
}

impl<'a> RequestHeader<'a> {
    fn new(call: u64, work: &'a Work) -> Self {
        let content = &*work.content;
        Self {
            frame: "request",
            call,
            id: work.id.to_string(),
            attempt: work.attempt,
            deliveries: work.deliveries,
            idempotency_key: work.idempotency_key(),
            trace_id: work.trace_id.as_deref(),
            request_id: work.request_id.as_deref(),
            kind: &content.kind,
            encoding: &content.encoding,
            reference: &content.reference,
            key: content.key.as_deref().map(Octets),
            parts: &work.parts,
            metadata: &work.metadata,
            headers: Headers(&content.headers),
        }
    }
}

/// A list of `[name, value]`, not an object: names may repeat.
struct Headers<'a>(&'a [Header]);

impl Headers<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Headers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut pairs = serializer.serialize_seq(Some(self.0.len()))?;
        for Header { name, value } in self.0 {
            pairs.serialize_element(&(name, Octets(value)))?;
        }
        pairs.end()
    }
}

/// A string if the bytes are UTF-8, else `{"hex": "ff00"}`, which every language can decode without a library.
struct Octets<'a>(&'a [u8]);

impl Serialize for Octets<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Ok(text) = std::str::from_utf8(self.0) {
            return serializer.serialize_str(text);
        }
        let mut hex = String::with_capacity(self.0.len() * 2);
        for byte in self.0 {
            write!(hex, "{byte:02x}").map_err(serde::ser::Error::custom)?;
        }
        let mut object = serializer.serialize_map(Some(1))?;
        object.serialize_entry("hex", &hex)?;
        object.end()
    }
}
