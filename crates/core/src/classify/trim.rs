//! Removes text that does not describe the error: URLs and appended advice.
//!
//! `see https://wiki/network-timeouts` is not a timeout, and "Hint: check your connection" is a guess of the message's
//! author, not the cause.

use std::ops::Range;

use memchr::{memchr_iter, memchr3_iter};

/// Labels of appended advice: at the beginning of a line, a sentence or a bracket, and followed by a colon.
const LABELS: &[&str] = &[
    "action",
    "advice",
    "docs",
    "documentation",
    "fix",
    "help",
    "hint",
    "hints",
    "how to fix",
    "more info",
    "more information",
    "next steps",
    "recommendation",
    "recovery",
    "recovery steps",
    "remedy",
    "resolution",
    "see",
    "see also",
    "solution",
    "suggested fix",
    "suggestion",
    "suggestions",
    "tip",
    "troubleshooting",
];

/// The lengths of the shortest and the longest label, for a quick check of the word before a colon.
const LABEL_LEN_MIN: usize = 3;
const LABEL_LEN_MAX: usize = 16;

/// Beginnings of sentences of advice. "Please try again" is not one: it says that a retry may help.
const OPENINGS: &[&str] = &[
    "check your ",
    "consider ",
    "did you mean ",
    "for more details",
    "for more information",
    "please check ",
    "please consult ",
    "please ensure ",
    "please make sure ",
    "please refer ",
    "please see ",
    "please verify ",
    "refer to ",
    "see the ",
    "to fix this",
];

/// The text before any advice. A text that consists of advice only is returned unchanged.
pub(super) fn without_advice(text: &str) -> &str {
    let bytes = text.as_bytes();
    let first = bytes.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
    let by_label = memchr_iter(b':', bytes).find_map(|colon| label_before(text, colon).filter(|start| *start > first));
    let labelled = &bytes[..by_label.unwrap_or(bytes.len())];
    let by_opening = memchr3_iter(b'.', b'\n', b';', labelled).find_map(|end| sentence_of_advice(labelled, end + 1));
    let end = by_opening.filter(|start| *start > first).or(by_label).unwrap_or(text.len());
    &text[..end]
}

/// The start of the advice label before this colon, if there is one.
fn label_before(text: &str, colon: usize) -> Option<usize> {
    const LABEL_BYTES_MAX: usize = 24;
    let before = &text.as_bytes()[..colon];
    let window = &before[before.len().saturating_sub(LABEL_BYTES_MAX)..];
    let run = window.iter().rev().take_while(|byte| byte.is_ascii_alphabetic() || **byte == b' ').count();
    let label = window[window.len() - run..].trim_ascii_start();
    let start = colon - label.len();
    let label = label.trim_ascii_end();
    if !(LABEL_LEN_MIN..=LABEL_LEN_MAX).contains(&label.len())
        || !LABELS.iter().any(|advice| label.eq_ignore_ascii_case(advice.as_bytes()))
    {
        return None;
    }
    let preceding = text[..start].trim_end_matches([' ', '\t', '*', '#', '>', '-']);
    let gap = &text[preceding.len()..start];
    let begins_something =
        preceding.ends_with(['\n', '.', ';', '!', '?', '(', ')', '[', ']', '|', '—']) || gap.contains(" - ");
    begins_something.then_some(start)
}

/// The start of the first word after `start`, if it begins a sentence of advice.
fn sentence_of_advice(text: &[u8], start: usize) -> Option<usize> {
    let rest = &text[start..];
    let gap = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let is_new_line = text[start - 1] == b'\n';
    let sentence = &rest[gap..];
    let begins = |opening: &&str| {
        sentence.get(..opening.len()).is_some_and(|start| start.eq_ignore_ascii_case(opening.as_bytes()))
    };
    ((gap > 0 || is_new_line) && OPENINGS.iter().any(begins)).then_some(start + gap)
}

/// The first URL (`scheme://…`) that ends after `from`; an empty range at the end of the text if there is none.
pub(super) fn next_url(text: &[u8], from: usize) -> Range<usize> {
    let is_url =
        |colon: &usize| text[*colon..].starts_with(b"://") && *colon > 0 && text[*colon - 1].is_ascii_alphanumeric();
    let Some(colon) = memchr_iter(b':', &text[from..]).map(|at| from + at).find(is_url) else {
        return text.len()..text.len();
    };
    let is_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'+' | b'.' | b'-');
    let start = colon - text[..colon].iter().rev().take_while(is_scheme).count();
    let is_end =
        |byte: &u8| byte.is_ascii_whitespace() || matches!(*byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b')' | b']');
    let end = text[colon..].iter().position(is_end).map_or(text.len(), |at| colon + at);
    start.max(from)..end
}
