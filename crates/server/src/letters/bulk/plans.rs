//! Plans that wait for their confirmation.
//!
//! The letters of a plan are those that matched when it was made: what comes later stays out of it, whatever the
//! filter says. So they are kept, by id and revision, in memory and for a while. A server that is started again knows
//! no plans, and nothing was done that was not confirmed.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use redrive_core::{QueueName, Span, Time};
use redrive_model::LetterRevision;
use redrive_proto::redrive::v1::SkippedLetter;

use super::act::Act;

/// For so long a plan can be confirmed.
const VALID: Span = Span::from_mins(10);
/// So many plans are kept; then the oldest go.
const PLANS_MAX: usize = 64;

#[derive(Debug, Default)]
pub(crate) struct Plans {
    by_token: Mutex<HashMap<String, Kept>>,
}

#[derive(Debug, Clone)]
struct Kept {
    made: Arc<Planned>,
    progress: Arc<tokio::sync::Mutex<Progress>>,
}

/// What was planned.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) queue: QueueName,
    pub(super) act: Act,
    pub(super) caller: String,
    pub(super) digest: String,
    pub(super) expires_at: Time,
}

/// How far it came.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// What is still to be done, in the order of their ids.
    pub(super) left: VecDeque<LetterRevision>,
    pub(super) changed: u64,
    pub(super) skipped: u64,
    pub(super) failed: u64,
    /// Letters that were passed over by calls which had an error to tell instead.
    pub(super) unsaid: Vec<SkippedLetter>,
}

impl Plans {
    pub(super) fn valid_until(now: Time) -> Time {
        now.saturating_add(VALID)
    }

    pub(super) fn keep(&self, token: String, planned: Planned, letters: Vec<LetterRevision>, now: Time) {
        let mut plans = self.by_token.lock().unwrap_or_else(PoisonError::into_inner);
        plans.retain(|_, plan| plan.made.expires_at > now);
        if plans.len() >= PLANS_MAX {
            let oldest = plans.iter().min_by_key(|(_, plan)| plan.made.expires_at).map(|(token, _)| token.clone());
            oldest.into_iter().for_each(|token| drop(plans.remove(&token)));
        }
        let progress = Progress { left: letters.into(), ..Progress::default() };
        plans.insert(token, Kept { made: Arc::new(planned), progress: Arc::new(progress.into()) });
    }

    /// The plan of a token, if it is this caller's and its time is not over.
    pub(super) fn find(
        &self,
        token: &str,
        caller: &str,
        now: Time,
    ) -> Option<(Arc<Planned>, Arc<tokio::sync::Mutex<Progress>>)> {
        let plans = self.by_token.lock().unwrap_or_else(PoisonError::into_inner);
        let plan = plans.get(token).filter(|plan| plan.made.caller == caller && plan.made.expires_at > now)?;
        Some((Arc::clone(&plan.made), Arc::clone(&plan.progress)))
    }
}
