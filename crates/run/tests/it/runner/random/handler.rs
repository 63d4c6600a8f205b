//! A handler that does what chance wants, and writes it down.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use redrive_core::{Failure, Span};
use redrive_run::{Call, Handled, Handler};
use redrive_store::{Clock, ManualClock};
use tokio::sync::watch;

use super::book::{Book, Said};
use crate::rig::{Random, permanent, transient};

#[derive(Debug, Clone)]
pub(super) struct Chance {
    pub(super) seed: u64,
    pub(super) book: Arc<Book>,
    pub(super) clock: ManualClock,
    /// Every step of the play.
    pub(super) steps: watch::Receiver<u64>,
    /// From now on everything succeeds at once.
    pub(super) is_healed: Arc<AtomicBool>,
    pub(super) is_letter: bool,
}

/// Writes the end of a handler down, however it ends.
struct Ending<'c> {
    chance: &'c Chance,
    name: String,
    claim: u64,
    said: Said,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        let Self { chance, name, claim, said } = self;
        chance.book.end(name, chance.is_letter, *claim, *said, chance.clock.now());
    }
}

#[async_trait]
impl Handler for Chance {
    async fn handle(&self, call: Call) -> Handled {
        let name = String::from_utf8_lossy(&call.content.payload).into_owned();
        let (claim, begun) = self.book.begin(&name, self.is_letter, call.attempt, self.clock.now());
        let mut random = Random::new(self.seed ^ hash(&name) ^ u64::from(begun) << 32);
        let mut ending = Ending { chance: self, name, claim, said: Said::Stopped };
        if self.is_healed.load(Ordering::Relaxed) {
            ending.said = Said::Done;
            return Handled::DONE;
        }
        let mut steps = self.steps.clone();
        for _ in 0..random.below(8).saturating_sub(3) {
            steps.mark_unchanged();
            // The play is over when nobody steps any more.
            let _is_over = steps.changed().await;
            call.beat();
        }
        match random.below(100) {
            0..40 => {
                ending.said = Said::Done;
                Handled::DONE
            }
            40..65 => {
                ending.said = Said::Transient;
                Handled::failed(transient())
            }
            65..75 => {
                ending.said = Said::Permanent;
                Handled::failed(permanent())
            }
            75..80 => {
                // A panic without its message: nothing knows it, so it is permanent.
                ending.said = Said::Permanent;
                drop(ending);
                std::panic::resume_unwind(Box::new(17))
            }
            80..85 => {
                let until = self.clock.now().saturating_add(Span::from_secs(random.below(60) as u64));
                ending.said = Said::Deferred(until);
                Handled::Deferred { until }
            }
            85..88 => {
                ending.said = Said::Untouched;
                Handled::Untouched
            }
            88..92 => {
                ending.said = Said::Transient;
                Handled::failed(Failure::new("connection reset by peer"))
            }
            // It hangs until it is stopped.
            _ => std::future::pending().await,
        }
    }
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
