//! A handler with random results, which records in the log what it did.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use redrive_core::{LetterId, Span};
use redrive_run::{Call, Handled, Handler, WorkId};
use redrive_store::{Clock, ManualClock};
use tokio::sync::watch;

use super::log::RequestLog;
use crate::fixture::{Random, permanent, transient};

#[derive(Debug, Clone)]
pub(super) struct RandomHandler {
    pub(super) seed: u64,
    pub(super) log: Arc<RequestLog>,
    pub(super) clock: ManualClock,
    /// Changes with every step of the scenario.
    pub(super) steps: watch::Receiver<u64>,
    /// If set, every call succeeds immediately.
    pub(super) always_succeeds: Arc<AtomicBool>,
}

#[async_trait]
impl Handler for RandomHandler {
    async fn handle(&self, call: Call) -> Handled {
        let WorkId::Given(id) = call.id else { panic!("a letter has an id") };
        let letter = LetterId::new(id);
        let body = String::from_utf8_lossy(&call.content.payload).into_owned();
        self.log.begin_work(letter, call.deliveries, &body);
        if self.always_succeeds.load(Ordering::Relaxed) {
            self.log.record_done(letter, body);
            return Handled::DONE;
        }
        let hash = body
            .bytes()
            .map(u64::from)
            .fold(u64::from(call.deliveries), |sum, byte| sum.wrapping_mul(31).wrapping_add(byte));
        let mut random = Random::new(self.seed ^ hash);
        let mut steps = self.steps.clone();
        for _ in 0..random.below(5) {
            steps.mark_unchanged();
            // An error means that the scenario has ended.
            let _is_over = steps.changed().await;
        }
        match random.below(100) {
            0..35 => {
                self.log.record_done(letter, body);
                Handled::DONE
            }
            35..70 => Handled::failed(transient()),
            70..80 => Handled::failed(permanent()),
            80..90 => Handled::Deferred { until: self.clock.now().saturating_add(Span::from_secs(30)) },
            90..95 => Handled::Untouched,
            // Hangs until the attempt is stopped.
            _ => std::future::pending().await,
        }
    }
}
