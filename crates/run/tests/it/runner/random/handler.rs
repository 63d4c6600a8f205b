//! A handler with random results, which it records in the model.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use redrive_core::{Failure, Span, Time};
use redrive_run::{Call, Handled, Handler};
use redrive_store::{Clock, ManualClock};
use tokio::sync::watch;

use super::model::{HandlerResult, Model};
use crate::fixture::{Random, permanent, transient};

#[derive(Debug, Clone)]
pub(super) struct RandomHandler {
    pub(super) seed: u64,
    /// When a shutdown of the runner stops its handlers.
    pub(super) aborts_at: Arc<Mutex<Option<Time>>>,
    pub(super) model: Arc<Model>,
    pub(super) clock: ManualClock,
    /// Changes with every step of the scenario.
    pub(super) steps: watch::Receiver<u64>,
    /// If set, every call succeeds immediately.
    pub(super) always_succeeds: Arc<AtomicBool>,
    pub(super) is_letter: bool,
    pub(super) has_breaker: bool,
}

/// Records the result of a handler when it is dropped, however it ends.
struct ResultRecorder<'h> {
    handler: &'h RandomHandler,
    name: String,
    claim: u64,
    result: HandlerResult,
}

impl Drop for ResultRecorder<'_> {
    fn drop(&mut self) {
        let Self { handler, name, claim, result } = self;
        let now = handler.clock.now();
        let is_aborted = handler.aborts_at.lock().unwrap().is_some_and(|at| at <= now);
        if *result == HandlerResult::TimedOut && is_aborted {
            *result = HandlerResult::Aborted;
        }
        handler.model.end(name, (handler.is_letter, handler.has_breaker), *claim, *result, now);
    }
}

#[async_trait]
impl Handler for RandomHandler {
    async fn handle(&self, call: Call) -> Handled {
        let name = String::from_utf8_lossy(&call.content.payload).into_owned();
        let (claim, starts) = self.model.begin(&name, self.is_letter, call.attempt, self.clock.now());
        let mut random = Random::new(self.seed ^ hash(&name) ^ u64::from(starts) << 32);
        let mut recorder = ResultRecorder { handler: self, name, claim, result: HandlerResult::TimedOut };
        if self.always_succeeds.load(Ordering::Relaxed) {
            recorder.result = HandlerResult::Done;
            return Handled::DONE;
        }
        let mut steps = self.steps.clone();
        for _ in 0..random.below(8).saturating_sub(3) {
            steps.mark_unchanged();
            // An error means that the scenario has ended.
            let _is_over = steps.changed().await;
            call.beat();
        }
        match random.below(100) {
            0..40 => {
                recorder.result = HandlerResult::Done;
                Handled::DONE
            }
            40..65 => {
                recorder.result = HandlerResult::Transient;
                Handled::failed(transient())
            }
            65..75 => {
                recorder.result = HandlerResult::Permanent;
                Handled::failed(permanent())
            }
            75..80 => {
                // A panic without a message: the classifier does not know it, so it is permanent.
                recorder.result = HandlerResult::Permanent;
                drop(recorder);
                std::panic::resume_unwind(Box::new(17))
            }
            80..85 => {
                let until = self.clock.now().saturating_add(Span::from_secs(random.below(60) as u64));
                recorder.result = HandlerResult::Deferred(until);
                Handled::Deferred { until }
            }
            85..88 => {
                recorder.result = HandlerResult::Untouched;
                Handled::Untouched
            }
            88..92 => {
                recorder.result = HandlerResult::Transient;
                Handled::failed(Failure::new("connection reset by peer"))
            }
            // Hangs until the attempt is stopped.
            _ => std::future::pending().await,
        }
    }
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
