//! What is counted about requests. Labels are the calls that there are, never what somebody sent.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use http::StatusCode;
use metrics::{Counter, Histogram, Key, Label, Level, Metadata, Recorder};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use redrive_core::Time;
use redrive_store::Store;

use super::captures::Captures;
use super::page::Page;
use crate::letter_index::LetterIndex;

/// The number of whatever is no call.
pub(crate) const OTHER: usize = usize::MAX;

/// The codes that are told apart.
const CODES: [u16; 13] = [200, 400, 401, 403, 404, 409, 429, 453, 454, 455, 500, 501, 503];
const METADATA: Metadata<'_> = Metadata::new(module_path!(), Level::INFO, None);
/// Samples are summed up after so many answers, so that they never grow without bound.
const ANSWERS_BETWEEN_UPKEEPS: u64 = 4096;

pub(crate) struct Metrics {
    handle: PrometheusHandle,
    calls: Vec<Call>,
    other: Call,
    answers: AtomicU64,
    pub(crate) captures: Captures,
}

struct Call {
    duration: Histogram,
    codes: [Counter; CODES.len()],
    other_codes: Counter,
}

/// When a request came.
#[derive(Clone, Copy)]
pub(crate) struct Timer(Instant);

impl Metrics {
    pub(crate) fn new(paths: &[&'static str]) -> Self {
        let recorder = PrometheusBuilder::new().build_recorder();
        Self {
            handle: recorder.handle(),
            calls: paths.iter().map(|path| Call::new(&recorder, path)).collect(),
            other: Call::new(&recorder, "other"),
            answers: AtomicU64::new(0),
            captures: Captures::default(),
        }
    }

    #[expect(clippy::disallowed_methods, reason = "how long a call takes is no decision")]
    pub(crate) fn timer(&self) -> Timer {
        Timer(Instant::now())
    }

    #[expect(clippy::disallowed_methods, reason = "how long a call takes is no decision")]
    pub(crate) fn answered(&self, number: usize, status: StatusCode, timer: Timer) {
        let call = self.calls.get(number).unwrap_or(&self.other);
        call.duration.record(timer.0.elapsed().as_secs_f64());
        let known = CODES.iter().position(|code| *code == status.as_u16());
        known.and_then(|known| call.codes.get(known)).unwrap_or(&call.other_codes).increment(1);
        if self.answers.fetch_add(1, Ordering::Relaxed).is_multiple_of(ANSWERS_BETWEEN_UPKEEPS) {
            self.handle.run_upkeep();
        }
    }

    /// The page that is read. What the store does not tell is left out.
    pub(crate) async fn render(&self, store: &dyn Store, now: Time, index: Option<&LetterIndex>) -> String {
        let mut page = self.handle.render();
        let mut captures = Page::default();
        self.captures.render(&mut captures);
        page.push_str(&captures.into_text());
        match super::store::render(store, now).await {
            Ok(numbers) => page.push_str(&numbers),
            Err(error) => tracing::warn!(%error, "the store did not tell its numbers"),
        }
        if let Some(index) = index {
            page.push_str(&super::index::render(&index.projection.numbers()));
        }
        page
    }
}

impl Call {
    fn new(recorder: &PrometheusRecorder, path: &'static str) -> Self {
        let path = Label::new("path", path);
        let counter = |code: String| {
            let key = Key::from_parts("redrive_http_requests_total", vec![path.clone(), Label::new("code", code)]);
            recorder.register_counter(&key, &METADATA)
        };
        let duration = Key::from_parts("http_handler_duration", vec![path.clone()]);
        Self {
            duration: recorder.register_histogram(&duration, &METADATA),
            codes: CODES.map(|code| counter(code.to_string())),
            other_codes: counter("other".to_owned()),
        }
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").field("calls", &self.calls.len()).finish_non_exhaustive()
    }
}
