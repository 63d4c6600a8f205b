//! Changing an item that is there.

use bytes::Bytes;
use redrive_core::{Span, Status, Time};

use super::State;
use crate::fact::{Attach, Fact, Facts, Tail};
use crate::item::{DocKind, Item, Phase};
use crate::letter::{Letter, Settled};
use crate::queue::Why;
use crate::stamp::Stamp;
use crate::{Attempt, Moment};

impl State {
    /// Changes an item and records what it is now, with a document where there is one. A letter gets its next
    /// revision and its place in the feed.
    pub(crate) fn revise(
        &mut self,
        slot: u32,
        why: Why,
        (attach, tail): (Attach, Tail),
        facts: &mut Facts,
        change: impl FnOnce(&mut Item),
    ) {
        let Some(mut item) = self.items.get(slot).cloned() else { return };
        let (stamp, was_delivered) = (item.stamp, item.deliveries > 0);
        change(&mut item);
        if item.stamp != stamp && was_delivered && item.letter().is_none() {
            item.rare_mut().first.get_or_insert(stamp);
        }
        let number = self.feed.numbers(1);
        if let Some(letter) = item.letter_mut() {
            letter.revision += 1;
            letter.change = number;
        }
        self.record_with(Fact::Item { why, slot, item, attach }, tail, facts);
    }

    /// Puts a letter where it waits for what it was settled to: for its own retry, for room, for others, or for a person.
    pub(crate) fn parked(&mut self, item: Item, settled: Settled, moment: Moment) -> Item {
        let stamp = self.stamps.next(moment);
        let mut item = item.parked(settled, stamp, moment);
        if item.phase == Phase::Ready {
            item.at = self.archived_at(&item, moment);
        }
        item
    }

    /// When a letter that is exhausted, or was before it was claimed, is archived by itself; [`Time::MAX`] for never.
    ///
    /// A letter that was exhausted for longer than that was in somebody's hands since, or was restored: it has the time
    /// once more, or nobody could look at it. Where the time is nothing at all, it is left to whoever had it.
    pub(crate) fn archived_at(&self, item: &Item, moment: Moment) -> Time {
        let is_exhausted = |letter: &&Letter| {
            let before = letter.before.as_ref().map(|before| before.status);
            letter.status == Status::Exhausted || before == Some(Status::Exhausted)
        };
        let Some(letter) = item.letter().filter(is_exhausted) else { return Time::MAX };
        let queue = self.queues.get(&item.queue);
        let after = queue.and_then(|queue| queue.settings.letters.over(&self.treatment).auto_archive);
        let Some(after) = after else { return Time::MAX };
        let since = letter.ended_at.get().unwrap_or(moment.now);
        let at = since.saturating_add(after);
        let is_left_alone = after == Span::ZERO && since < moment.now;
        match at {
            at if at > moment.now => at,
            _ if is_left_alone => Time::MAX,
            _ => moment.now.saturating_add(after),
        }
    }
}

impl Item {
    /// The item where it waits for what it was settled to, under a new id.
    pub(crate) fn parked(self, settled: Settled, stamp: Stamp, moment: Moment) -> Self {
        let mut item = Self { stamp, ..self };
        // One that is over the size of its queue has its retry when there is room; without a retry it needs none.
        let is_overflow = settled.due.is_some() && item.letter().is_some_and(|letter| letter.is_overflow);
        let is_held_back = is_overflow || item.is_blocked();
        (item.phase, item.at) = match settled.due.filter(|_| !is_held_back) {
            Some(due) => (Phase::Due, due),
            None => (Phase::Ready, Time::MAX),
        };
        if let Some(letter) = item.letter_mut() {
            letter.is_overflow = is_overflow;
            letter.status = settled.status;
            letter.before = None;
            let since = letter.ended_at.get().unwrap_or(moment.now);
            letter.ended_at = (settled.status == Status::Exhausted).then_some(since).into();
        }
        item
    }
}

/// What a record carries for an attempt; nothing where nothing is known of it.
pub(crate) fn attempt_document(attempt: Option<&Attempt>) -> (Attach, Tail) {
    attempt.map_or(NO_DOCUMENT, |attempt| document(DocKind::Attempt, attempt.document()))
}

pub(crate) fn document(kind: DocKind, bytes: Bytes) -> (Attach, Tail) {
    (Attach::Doc(kind), Tail::Bytes(bytes))
}

pub(crate) const NO_DOCUMENT: (Attach, Tail) = (Attach::Nothing, Tail::None);
