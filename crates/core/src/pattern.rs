//! The regular expressions of a CEL expression: compiled once, with a bounded cost.
//!
//! The time of a match grows with the size of the text × the size of the compiled pattern. Neither follows from the
//! source of a condition: a short pattern may compile to a large program, and a producer chooses the size of the text.
//! So the cost of the matches is counted during each evaluation, and the match that exceeds the limit fails.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cel::ExecutionError;
use cel::extractors::This;
use regex::{Regex, RegexBuilder};

/// Maximum nesting depth of a regular expression: its parser recurses on the caller's stack.
pub(crate) const PATTERN_DEPTH_MAX: u32 = 32;
const PROGRAM_BYTES_MAX: usize = 64 * 1024;
const PROGRAM_BYTES_MIN: usize = 1024;
/// Maximum of bytes of text × bytes of the compiled pattern, summed over all matches of one evaluation. The largest
/// pattern may scan 8 KiB of text, the smallest 512 KiB.
const WORK_MAX: u64 = PROGRAM_BYTES_MAX as u64 * 8 * 1024;
pub(crate) const TOO_MUCH_WORK: &str = "matches() has too much to do: at most 536870912 in one evaluation, which is bytes \
                                        of text × bytes of the compiled pattern; use a smaller pattern, or contains()";

/// Compiled patterns by their source text.
#[derive(Debug, Default)]
pub(crate) struct Patterns(HashMap<String, Pattern>);

#[derive(Debug)]
struct Pattern {
    regex: Regex,
    /// The size of the compiled program, rounded up to a power of two.
    program_bytes: u64,
}

impl Patterns {
    /// Compiles a pattern. Returns `false` if it does not compile or the program is too large.
    pub(crate) fn add(&mut self, source: &str) -> bool {
        let compiled = Pattern::compile(source);
        let is_valid = compiled.is_some();
        self.0.extend(compiled.map(|pattern| (source.to_owned(), pattern)));
        is_valid
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
            // Patterns must be literals, so each was compiled with the expression.
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
