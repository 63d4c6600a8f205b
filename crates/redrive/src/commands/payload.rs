//! Payloads are bytes. As text they are shown as such, else in base64.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use redrive_client::proto::redrive::v1::Header;

use crate::console::excerpt;

/// No server takes anything larger.
const FILE_BYTES_MAX: u64 = 64 << 20;

/// So much of a payload has a place in a table; `--output json` has all of it.
const SHOWN_CHARS_MAX: usize = 100;

/// One of two fields, so that a program need not guess which it is.
pub(super) fn fields(payload: &[u8]) -> (Option<String>, Option<String>) {
    match std::str::from_utf8(payload) {
        Ok(text) => (Some(text.to_owned()), None),
        Err(_) => (None, Some(BASE64_STANDARD.encode(payload))),
    }
}

/// The bytes that the fields were made of; none, if they are not of that form.
pub(super) fn bytes(text: Option<String>, base64: Option<String>) -> Option<Bytes> {
    match (text, base64) {
        (Some(_), Some(_)) => None,
        (Some(text), None) => Some(text.into()),
        (None, Some(base64)) => BASE64_STANDARD.decode(base64).ok().map(Bytes::from),
        (None, None) => Some(Bytes::new()),
    }
}

/// The beginning of it, for people.
pub(super) fn cell(payload: &[u8]) -> String {
    match std::str::from_utf8(payload) {
        Ok(text) => excerpt(text, SHOWN_CHARS_MAX),
        // Three bytes are four characters.
        Err(_) => {
            let head = &payload[..payload.len().min(SHOWN_CHARS_MAX / 4 * 3)];
            let more = if head.len() < payload.len() { "…" } else { "" };
            format!("base64:{}{more}", BASE64_STANDARD.encode(head))
        }
    }
}

/// A file that is a payload, byte for byte.
pub(super) fn read_file(file: &Path) -> Result<Vec<u8>> {
    let shown = file.display();
    let mut bytes = Vec::new();
    let opened = File::open(file).with_context(|| format!("cannot read {shown}"))?;
    opened.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read {shown}"))?;
    if u64::try_from(bytes.len())? > FILE_BYTES_MAX {
        bail!("{shown} is larger than {FILE_BYTES_MAX} bytes, which no server takes");
    }
    Ok(bytes)
}

/// A header as it is written at the command line.
pub(super) fn parse_header(text: &str) -> Result<Header, String> {
    let (name, value) = text.split_once('=').ok_or("name=value is needed")?;
    Ok(Header { name: name.to_owned(), value: value.to_owned().into() })
}
