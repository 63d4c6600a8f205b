//! What is not part of the error: addresses, and advice that was appended for people.
//!
//! `see https://wiki/network-timeouts` is no timeout, and "Hint: check your connection" is what somebody
//! guessed when they wrote the message, not what happened.

use std::ops::Range;

use memchr::memchr_iter;

/// Labels that begin appended advice, where they begin a line or a sentence and a colon follows.
const ADVICE: &[&str] = &[
    "advice",
    "docs",
    "documentation",
    "help",
    "hint",
    "hints",
    "how to fix",
    "more info",
    "more information",
    "next steps",
    "recovery",
    "recovery steps",
    "recommendation",
    "remedy",
    "resolution",
    "see",
    "see also",
    "suggested fix",
    "suggestion",
    "suggestions",
    "tip",
    "troubleshooting",
];

/// The text up to where advice begins. Advice that nothing precedes is all there is, and stays.
pub(super) fn without_advice(text: &str) -> &str {
    let start = memchr_iter(b':', text.as_bytes()).find_map(|colon| advice_start(text, colon));
    &text[..start.unwrap_or(text.len())]
}

/// Where the label that ends at this colon begins, if it is one.
fn advice_start(text: &str, colon: usize) -> Option<usize> {
    const LABEL_BYTES_MAX: usize = 24;
    let before = &text.as_bytes()[..colon];
    let window = &before[before.len().saturating_sub(LABEL_BYTES_MAX)..];
    let run = window.iter().rev().take_while(|byte| byte.is_ascii_alphabetic() || **byte == b' ').count();
    let label = window[window.len() - run..].trim_ascii_start();
    let start = colon - label.len();
    let label = label.trim_ascii_end();
    if !ADVICE.iter().any(|advice| label.eq_ignore_ascii_case(advice.as_bytes())) {
        return None;
    }

    let preceding = text[..start].trim_end_matches([' ', '\t', '*', '#', '>', '-']);
    let gap = &text[preceding.len()..start];
    let is_appended = !preceding.trim().is_empty();
    let begins_a_sentence = preceding.ends_with(['\n', '.', ';', '!', '?', ')', ']', '|', '—']) || gap.contains(" - ");
    (is_appended && begins_a_sentence).then_some(start)
}

/// The first address (`scheme://…`) that ends after `from`; the empty end of the text when there is none.
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
