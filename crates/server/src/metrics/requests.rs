//! The metrics of requests. Labels are the known calls, never text of a request.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use http::StatusCode;
use metrics::{Counter, Histogram, Key, Label, Level, Metadata, Recorder};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use redrive_core::{QueueName, Time};
use redrive_routes::RunningRoutes;
use redrive_run::Processor;
use redrive_store::Store;

use super::captures::Captures;
use super::page::Page;
use crate::disk_space::DiskSpace;
use crate::letter_index::LetterIndex;

/// The number of requests that are not a known call.
pub(crate) const OTHER: usize = usize::MAX;

/// The codes with a counter each; all others share one.
const CODES: [u16; 13] = [200, 400, 401, 403, 404, 409, 429, 453, 454, 455, 500, 501, 503];
const DURATION: &str = "http_handler_duration";
const ANSWERS: &str = "redrive_http_requests_total";
const METADATA: Metadata<'_> = Metadata::new(module_path!(), Level::INFO, None);
/// Samples are aggregated once per this many answers, so that they do not accumulate without bound.
const ANSWERS_BETWEEN_UPKEEPS: u64 = 4096;

pub(crate) struct Metrics {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    calls: Vec<Call>,
    other: Call,
    answers: AtomicU64,
    pub(crate) captures: Captures,
}

/// The metrics of one call. A series is created with its first sample: most combinations of call and code never occur.
struct Call {
    path: &'static str,
    duration: OnceLock<Histogram>,
    /// The counters of `CODES`, then that of all other codes.
    codes: [OnceLock<Counter>; CODES.len() + 1],
}

impl Metrics {
    pub(crate) fn new(paths: &[&'static str]) -> Self {
        let recorder = PrometheusBuilder::new().build_recorder();
        recorder.describe_histogram(DURATION.into(), None, "Duration of calls in seconds".into());
        recorder.describe_counter(ANSWERS.into(), None, "Answered calls, by status code".into());
        Self {
            handle: recorder.handle(),
            calls: paths.iter().map(|path| Call::new(path)).collect(),
            other: Call::new("other"),
            recorder,
            answers: AtomicU64::new(0),
            captures: Captures::default(),
        }
    }

    #[expect(clippy::disallowed_methods, reason = "the duration of a call decides nothing")]
    pub(crate) fn timer(&self) -> Instant {
        Instant::now()
    }

    #[expect(clippy::disallowed_methods, reason = "the duration of a call decides nothing")]
    pub(crate) fn answered(&self, number: usize, status: StatusCode, timer: Instant) {
        let call = self.calls.get(number).unwrap_or(&self.other);
        call.duration(&self.recorder).record(timer.elapsed().as_secs_f64());
        call.answers(&self.recorder, status.as_u16()).increment(1);
        if self.answers.fetch_add(1, Ordering::Relaxed).is_multiple_of(ANSWERS_BETWEEN_UPKEEPS) {
            self.handle.run_upkeep();
        }
    }

    /// Renders the page. If the store fails, its metrics are left out.
    pub(crate) async fn render(
        &self,
        store: &dyn Store,
        disk_space: Option<DiskSpace>,
        now: Time,
        processor: Option<&Processor>,
        routes: Option<&RunningRoutes>,
        index: Option<&LetterIndex>,
    ) -> String {
        let mut page = self.handle.render();
        let mut own = Page::default();
        self.captures.render(&mut own);
        super::process::render(&mut own);
        if let Some(space) = disk_space {
            super::store::disk(&mut own, &space);
        }
        page.push_str(&own.into_text());
        let has_target = |queue: &QueueName| processor.is_some_and(|processor| processor.has_target(queue));
        match super::store::render(store, now, has_target).await {
            Ok(numbers) => page.push_str(&numbers),
            Err(error) => tracing::warn!(%error, "reading the metrics of the store failed"),
        }
        if let Some(processor) = processor {
            page.push_str(&super::runners::render(processor));
        }
        if let Some(routes) = routes {
            page.push_str(&super::routes::render(routes).await);
        }
        if let Some(index) = index {
            page.push_str(&index.metrics());
        }
        page
    }
}

impl Call {
    const fn new(path: &'static str) -> Self {
        Self { path, duration: OnceLock::new(), codes: [const { OnceLock::new() }; CODES.len() + 1] }
    }

    fn duration(&self, recorder: &PrometheusRecorder) -> &Histogram {
        self.duration.get_or_init(|| {
            let key = Key::from_parts(DURATION, vec![Label::new("path", self.path)]);
            recorder.register_histogram(&key, &METADATA)
        })
    }

    fn answers(&self, recorder: &PrometheusRecorder, code: u16) -> &Counter {
        let known = CODES.iter().position(|known| *known == code);
        self.codes[known.unwrap_or(CODES.len())].get_or_init(|| {
            let code = known.map_or_else(|| "other".to_owned(), |_| code.to_string());
            let labels = vec![Label::new("path", self.path), Label::new("code", code)];
            recorder.register_counter(&Key::from_parts(ANSWERS, labels), &METADATA)
        })
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").field("calls", &self.calls.len()).finish_non_exhaustive()
    }
}
