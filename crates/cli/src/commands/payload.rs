//! Payloads: printed as text if they are UTF-8, else in base64.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use redrive_client::proto::redrive::v1::Header;

use crate::console::excerpt;

/// The maximum size of a payload file: no server accepts a larger request.
const FILE_BYTES_MAX: u64 = 64 << 20;

/// The characters of a payload in a table; `--output json` prints the whole payload.
const SHOWN_CHARS_MAX: usize = 100;

/// The payload as text or in base64, in one of two fields, so that a program can tell which it is.
pub(super) fn fields(payload: &[u8]) -> (Option<String>, Option<String>) {
    match std::str::from_utf8(payload) {
        Ok(text) => (Some(text.to_owned()), None),
        Err(_) => (None, Some(BASE64_STANDARD.encode(payload))),
    }
}

/// The payload of the two fields; `None` if both are set or the base64 is invalid.
pub(super) fn bytes(text: Option<String>, base64: Option<String>) -> Option<Bytes> {
    match (text, base64) {
        (Some(_), Some(_)) => None,
        (Some(text), None) => Some(text.into()),
        (None, Some(base64)) => BASE64_STANDARD.decode(base64).ok().map(Bytes::from),
        (None, None) => Some(Bytes::new()),
    }
}

/// The beginning of the payload, for a table.
pub(super) fn cell(payload: &[u8]) -> String {
    match std::str::from_utf8(payload) {
        Ok(text) => excerpt(text, SHOWN_CHARS_MAX),
        // Base64 has four characters for three bytes.
        Err(_) => {
            let head = &payload[..payload.len().min(SHOWN_CHARS_MAX / 4 * 3)];
            let more = if head.len() < payload.len() { "…" } else { "" };
            format!("base64:{}{more}", BASE64_STANDARD.encode(head))
        }
    }
}

/// Reads a payload from a file, byte for byte.
pub(super) fn read_file(file: &Path) -> Result<Vec<u8>> {
    let shown = file.display();
    let mut bytes = Vec::new();
    let opened = File::open(file).with_context(|| format!("cannot read {shown}"))?;
    opened.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read {shown}"))?;
    if u64::try_from(bytes.len())? > FILE_BYTES_MAX {
        bail!("{shown} is larger than {FILE_BYTES_MAX} bytes, the maximum");
    }
    Ok(bytes)
}

/// Parses a `NAME=VALUE` header.
pub(super) fn parse_header(text: &str) -> Result<Header, String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok(Header { name: name.to_owned(), value: value.to_owned().into() })
}
