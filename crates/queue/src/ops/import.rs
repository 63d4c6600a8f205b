//! Put items into a queue as they were somewhere else.
//!
//! Everything but the id and the time of creation is kept. An item whose source id is in the queue already is
//! passed over, so that an import that was interrupted can be repeated.

use std::sync::Arc;

use redrive_core::{Priority, QueueName, Time};

use super::{check_count, check_source_id};
use crate::fact::{Attach, Fact, Facts, Tail};
use crate::item::{Item, Phase, Place};
use crate::queue::Why;
use crate::{Content, ItemInfo, Moment, Refusal, State};

/// Items for one partition of a queue.
#[derive(Debug, Clone)]
pub struct Import {
    pub queue: QueueName,
    pub partition: u32,
    pub items: Vec<ImportItem>,
}

/// An item as it was somewhere else.
#[derive(Debug, Clone, Default)]
pub struct ImportItem {
    pub content: Arc<Content>,
    pub source_id: Option<Box<str>>,
    /// Until when somebody holds it.
    pub lease_deadline: Option<Time>,
    /// The queue's own time from now on, if nothing is said.
    pub expires_at: Option<Time>,
    /// From when on it is offered.
    pub enqueue_at: Option<Time>,
    pub attempts: u32,
    pub max_attempts: u32,
    pub priority: Priority,
}

impl ImportItem {
    /// Whether a queue takes it, whatever else is in it.
    pub fn check(&self) -> Result<(), Refusal> {
        self.content.check()?;
        self.source_id.as_deref().map_or(Ok(()), check_source_id)
    }
}

impl Import {
    /// So many are put in at once.
    pub const ITEMS_MAX: usize = super::ITEMS_MAX;

    /// What became of each item, in their order; `None` for those that were there already.
    pub fn apply(self, state: &mut State, moment: Moment, facts: &mut Facts) -> Result<Vec<Option<ItemInfo>>, Refusal> {
        let number = state.named_with_partition(&self.queue, Some(self.partition))?;
        check_count("items", self.items.len())?;
        self.items.iter().try_for_each(ImportItem::check)?;
        if state.items.next_frees().nth(self.items.len()).is_none() {
            return Err(Refusal::NoSlots);
        }
        let lives = state.queues.get(&number).map(|queue| queue.settings.expire_timeout).unwrap_or_default();
        let imported = self.items.into_iter().map(|import| {
            if import.source_id.as_deref().is_some_and(|id| state.slot_of_source(number, id).is_some()) {
                return None;
            }
            let slot = state.items.next_frees().next()?;
            let from = import.enqueue_at.filter(|at| *at > moment.now);
            let (phase, at) = match (import.lease_deadline, from) {
                (Some(deadline), _) => (Phase::Leased, deadline),
                (None, Some(at)) => (Phase::Scheduled, at),
                (None, None) => (Phase::Ready, Time::MAX),
            };
            let item = Item {
                stamp: state.stamps.next(moment),
                created_at: moment.now,
                expires_at: import.expires_at.unwrap_or_else(|| from.unwrap_or(moment.now).saturating_add(lives)),
                at,
                source_id: import.source_id,
                extra: None,
                place: Place::NONE,
                queue: number,
                partition: self.partition,
                attempts: import.attempts,
                deliveries: import.attempts,
                max_attempts: import.max_attempts,
                phase,
                priority: import.priority,
                is_condemned: false,
                is_filed: false,
            };
            let fact = Fact::Item { why: Why::Imported, slot, item, attach: Attach::Content };
            state.record_with(fact, Tail::Content(import.content), facts);
            state.items.get(slot).map(|item| ItemInfo::of(slot, item))
        });
        Ok(imported.collect())
    }
}
