//! Plans that wait for their confirmation.
//!
//! A plan contains the letters that matched when it was made, by id and revision; later letters are not part of it.
//! Plans are in memory only and expire. A restart drops them, which loses nothing: an unconfirmed plan has changed
//! nothing.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use redrive_core::{QueueName, Span, Time};
use redrive_model::LetterRevision;
use redrive_proto::redrive::v1::{FailedRetry, SkippedLetter};

use super::act::Act;

/// How long a plan can be confirmed.
const VALID: Span = Span::from_mins(10);
/// Maximum number of plans; the oldest is dropped.
const PLANS_MAX: usize = 64;

#[derive(Debug, Default)]
pub(crate) struct Plans {
    by_token: Mutex<HashMap<String, StoredPlan>>,
}

#[derive(Debug, Clone)]
struct StoredPlan {
    planned: Arc<Planned>,
    progress: Arc<tokio::sync::Mutex<Progress>>,
}

/// The constant part of a plan.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) queue: QueueName,
    pub(super) act: Act,
    pub(super) caller: String,
    pub(super) digest: String,
    pub(super) expires_at: Time,
}

/// The progress of a plan.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// The letters that are still to be worked on, in the order of their ids.
    pub(super) remaining: VecDeque<LetterRevision>,
    pub(super) changed: u64,
    pub(super) skipped: u64,
    pub(super) failed: u64,
    /// Skipped letters and failed retries that were not reported yet, because their calls returned an error.
    pub(super) unreported: Unreported,
}

/// What a call reports letter by letter.
#[derive(Debug, Default)]
pub(super) struct Unreported {
    pub(super) skips: Vec<SkippedLetter>,
    pub(super) failures: Vec<FailedRetry>,
}

impl Plans {
    pub(super) fn valid_until(now: Time) -> Time {
        now.saturating_add(VALID)
    }

    pub(super) fn keep(&self, token: String, planned: Planned, letters: Vec<LetterRevision>, now: Time) {
        let mut plans = self.by_token.lock().unwrap_or_else(PoisonError::into_inner);
        plans.retain(|_, plan| plan.planned.expires_at > now);
        if plans.len() >= PLANS_MAX {
            let oldest = plans.iter().min_by_key(|(_, plan)| plan.planned.expires_at).map(|(token, _)| token.clone());
            oldest.into_iter().for_each(|token| drop(plans.remove(&token)));
        }
        let progress = Progress { remaining: letters.into(), ..Progress::default() };
        plans.insert(token, StoredPlan { planned: Arc::new(planned), progress: Arc::new(progress.into()) });
    }

    /// The plan of a token, if it belongs to this caller and has not expired.
    pub(super) fn find(
        &self,
        token: &str,
        caller: &str,
        now: Time,
    ) -> Option<(Arc<Planned>, Arc<tokio::sync::Mutex<Progress>>)> {
        let plans = self.by_token.lock().unwrap_or_else(PoisonError::into_inner);
        let plan = plans.get(token).filter(|plan| plan.planned.caller == caller && plan.planned.expires_at > now)?;
        Some((Arc::clone(&plan.planned), Arc::clone(&plan.progress)))
    }
}
