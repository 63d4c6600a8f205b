//! The regular expressions of a CEL expression: compiled once, and bounded in what they may cost.
//!
//! A match takes time with the size of the text × the size of the compiled pattern, and neither is known when a condition
//! is written: a short pattern may become a large program, and a text has the size that somebody sent. So what the matches
//! of one evaluation may cost is counted while it runs, and the one that goes beyond is an error.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cel::ExecutionError;
use cel::extractors::This;
use regex::{Regex, RegexBuilder};

/// How deeply a regular expression may be nested: its parser has only the caller's stack.
pub(crate) const PATTERN_DEPTH_MAX: u32 = 32;
const PROGRAM_BYTES_MAX: usize = 64 * 1024;
const PROGRAM_BYTES_MIN: usize = 1024;
/// Bytes of text × bytes of the compiled pattern, over all matches of one evaluation. So the largest pattern may look at
/// 8 KiB of text, and a small one at some hundred.
const WORK_MAX: u64 = PROGRAM_BYTES_MAX as u64 * 8 * 1024;
pub(crate) const TOO_MUCH_WORK: &str = "matches() has too much to do: at most 536870912 in one evaluation, which is bytes \
                                        of text × bytes of the compiled pattern; use a smaller pattern, or contains()";

/// By their texts.
#[derive(Debug, Default)]
pub(crate) struct Patterns(HashMap<String, Pattern>);

#[derive(Debug)]
struct Pattern {
    regex: Regex,
    /// The size of its program, to the next power of two.
    program_bytes: u64,
}

impl Patterns {
    /// Compiles one; `false` where it does not compile, or becomes too large.
    pub(crate) fn add(&mut self, source: &str) -> bool {
        let compiled = Pattern::compile(source);
        let is_sound = compiled.is_some();
        self.0.extend(compiled.map(|pattern| (source.to_owned(), pattern)));
        is_sound
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `matches()` for one evaluation.
    pub(crate) fn matches(
        self: &Arc<Self>,
    ) -> impl Fn(This<Arc<String>>, Arc<String>) -> Result<bool, ExecutionError> + Send + Sync + use<> {
        let (patterns, work) = (Arc::clone(self), AtomicU64::new(0));
        move |This(text), source| {
            // Every pattern is written out, so it was compiled with the expression.
            let known = patterns.0.get(source.as_str());
            let pattern = known.ok_or_else(|| ExecutionError::function_error("matches", "unknown pattern"))?;
            let cost = pattern.program_bytes.saturating_mul(text.len() as u64);
            if work.fetch_add(cost, Ordering::Relaxed).saturating_add(cost) > WORK_MAX {
                return Err(ExecutionError::function_error("matches", TOO_MUCH_WORK));
            }
            Ok(pattern.regex.is_match(&text))
        }
    }
}

impl Pattern {
    fn compile(source: &str) -> Option<Self> {
        let sizes = std::iter::successors(Some(PROGRAM_BYTES_MIN), |size| Some(size * 2));
        sizes.take_while(|size| *size <= PROGRAM_BYTES_MAX).find_map(|size| {
            let regex = RegexBuilder::new(source).size_limit(size).nest_limit(PATTERN_DEPTH_MAX).build().ok()?;
            Some(Self { regex, program_bytes: size as u64 })
        })
    }
}
