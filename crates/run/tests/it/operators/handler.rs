//! A handler that does what chance wants, and says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use redrive_core::{LetterId, Span};
use redrive_run::{Call, Handled, Handler, WorkId};
use redrive_store::{Clock, ManualClock};
use tokio::sync::watch;

use super::log::Log;
use crate::rig::{Random, permanent, transient};

#[derive(Debug, Clone)]
pub(super) struct Chance {
    pub(super) seed: u64,
    pub(super) log: Arc<Log>,
    pub(super) clock: ManualClock,
    /// Every step of the play.
    pub(super) steps: watch::Receiver<u64>,
    /// From now on everything succeeds at once.
    pub(super) is_healed: Arc<AtomicBool>,
}

#[async_trait]
impl Handler for Chance {
    async fn handle(&self, call: Call) -> Handled {
        let WorkId::Given(id) = call.id else { panic!("a letter has an id") };
        let letter = LetterId::new(id);
        let body = String::from_utf8_lossy(&call.content.payload).into_owned();
        self.log.begin_work(letter, call.deliveries, &body);
        if self.is_healed.load(Ordering::Relaxed) {
            self.log.did(letter, body);
            return Handled::DONE;
        }
        let bytes = body
            .bytes()
            .map(u64::from)
            .fold(u64::from(call.deliveries), |sum, byte| sum.wrapping_mul(31).wrapping_add(byte));
        let mut random = Random::new(self.seed ^ bytes);
        let mut steps = self.steps.clone();
        for _ in 0..random.below(5) {
            steps.mark_unchanged();
            // The play is over when nobody steps any more.
            let _is_over = steps.changed().await;
        }
        match random.below(100) {
            0..35 => {
                self.log.did(letter, body);
                Handled::DONE
            }
            35..70 => Handled::failed(transient()),
            70..80 => Handled::failed(permanent()),
            80..90 => Handled::Deferred { until: self.clock.now().saturating_add(Span::from_secs(30)) },
            90..95 => Handled::Untouched,
            // It hangs until it is stopped.
            _ => std::future::pending().await,
        }
    }
}
