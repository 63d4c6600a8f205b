//! What is counted about requests. Labels are the calls that there are, never what somebody sent.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use http::StatusCode;
use metrics::{Counter, Histogram, Key, Label, Level, Metadata, Recorder};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use redrive_core::Time;
use redrive_run::Processor;
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
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    calls: Vec<Call>,
    other: Call,
    answers: AtomicU64,
    pub(crate) captures: Captures,
}

/// A series is made when it first has something to say: there are many more calls and codes than ever occur together.
struct Call {
    path: &'static str,
    duration: OnceLock<Histogram>,
    codes: [OnceLock<Counter>; CODES.len()],
    other_codes: OnceLock<Counter>,
}

/// When a request came.
#[derive(Clone, Copy)]
pub(crate) struct Timer(Instant);

impl Metrics {
    pub(crate) fn new(paths: &[&'static str]) -> Self {
        let recorder = PrometheusBuilder::new().build_recorder();
        Self {
            handle: recorder.handle(),
            calls: paths.iter().map(|path| Call::new(path)).collect(),
            other: Call::new("other"),
            recorder,
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
        call.duration(&self.recorder).record(timer.0.elapsed().as_secs_f64());
        call.answers(&self.recorder, status.as_u16()).increment(1);
        if self.answers.fetch_add(1, Ordering::Relaxed).is_multiple_of(ANSWERS_BETWEEN_UPKEEPS) {
            self.handle.run_upkeep();
        }
    }

    /// The page that is read. What the store does not tell is left out.
    pub(crate) async fn render(
        &self,
        store: &dyn Store,
        now: Time,
        processor: Option<&Processor>,
        index: Option<&LetterIndex>,
    ) -> String {
        let mut page = self.handle.render();
        let mut captures = Page::default();
        self.captures.render(&mut captures);
        page.push_str(&captures.into_text());
        match super::store::render(store, now).await {
            Ok(numbers) => page.push_str(&numbers),
            Err(error) => tracing::warn!(%error, "the store did not tell its numbers"),
        }
        if let Some(processor) = processor {
            page.push_str(&super::runners::render(processor));
        }
        if let Some(index) = index {
            page.push_str(&super::index::render(&index.projection.numbers()));
        }
        page
    }
}

impl Call {
    const fn new(path: &'static str) -> Self {
        Self {
            path,
            duration: OnceLock::new(),
            codes: [const { OnceLock::new() }; CODES.len()],
            other_codes: OnceLock::new(),
        }
    }

    fn duration(&self, recorder: &PrometheusRecorder) -> &Histogram {
        self.duration.get_or_init(|| {
            let key = Key::from_parts("http_handler_duration", vec![Label::new("path", self.path)]);
            recorder.register_histogram(&key, &METADATA)
        })
    }

    fn answers(&self, recorder: &PrometheusRecorder, code: u16) -> &Counter {
        let register = |code: String| {
            let labels = vec![Label::new("path", self.path), Label::new("code", code)];
            recorder.register_counter(&Key::from_parts("redrive_http_requests_total", labels), &METADATA)
        };
        let known = CODES.iter().position(|known| *known == code);
        match known.and_then(|known| self.codes.get(known)) {
            Some(counter) => counter.get_or_init(|| register(code.to_string())),
            None => self.other_codes.get_or_init(|| register("other".to_owned())),
        }
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").field("calls", &self.calls.len()).finish_non_exhaustive()
    }
}
