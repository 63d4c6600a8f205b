//! Counts letters by group, where the store has no counts: of certain letters, and how many arrived lately.
//!
//! A letter that was captured before is not read: letters are examined from the newest on, as far back as the time before
//! the window. A limit bounds how many letters one call examines, so that it costs the same on a full store.

use std::cmp::Reverse;
use std::collections::HashMap;

use redrive_core::{Fingerprint, LetterId, QueueName, Span, Status, Time};
use redrive_model::{CaptureTimes, FailureGroupInfo, FindLetters, Groups, LetterInfo, LetterOrder};
use redrive_proto::redrive::v1::StatusBreakdown;

use super::fields::{PAGE_MAX, letter_error};
use super::filter::Filter;
use super::letter_search::{BATCH, LetterSearch};
use super::view;
use crate::api_error::{ApiError, Code};

/// Maximum number of letters that one call examines, in all queues together.
const EXAMINED_MAX: usize = 100_000;
/// The same if the filter reads letters from disk.
const READS_MAX: usize = 5_000;

/// The time in which letters arrived, and the time of the same length before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct TrendWindow {
    pub(super) since: Time,
    pub(super) before_since: Time,
}

impl TrendWindow {
    /// The window from a time until now; `None` if the time is not in the past.
    pub(super) fn new(since: Time, now: Time) -> Option<Self> {
        let length = now.since(since);
        (length > Span::ZERO).then(|| Self { since, before_since: since.saturating_sub(length) })
    }

    fn contains(&self, letter: LetterId) -> bool {
        CaptureTimes { since: Some(self.since), until: None }.contains(letter)
    }
}

/// The letters of one group that were counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroupCounts {
    by_status: [u64; Status::ALL.len()],
    /// Letters in any status that arrived in the window, and in the time before it.
    pub(super) arrived: u64,
    pub(super) arrived_before: u64,
    pub(super) first_seen: Time,
    pub(super) last_seen: Time,
    pub(super) sample: Option<LetterId>,
}

impl GroupCounts {
    const NONE: Self = Self {
        by_status: [0; Status::ALL.len()],
        arrived: 0,
        arrived_before: 0,
        first_seen: Time::MAX,
        last_seen: Time::MIN,
        sample: None,
    };

    pub(super) fn of_stored(group: &FailureGroupInfo) -> Self {
        let mut by_status = [0; Status::ALL.len()];
        by_status[Status::Pending as usize] = group.counts.pending.into();
        by_status[Status::Retrying as usize] = group.counts.retrying.into();
        by_status[Status::Exhausted as usize] = group.counts.exhausted.into();
        let (first_seen, last_seen, sample) = (group.first_seen, group.last_seen, group.sample);
        Self { by_status, first_seen, last_seen, sample, ..Self::NONE }
    }

    pub(super) fn letters(&self) -> u64 {
        self.by_status.iter().sum()
    }

    pub(super) fn breakdown(&self) -> StatusBreakdown {
        view::breakdown(|status| self.by_status[status as usize])
    }

    fn add(&mut self, letter: &LetterInfo) {
        self.by_status[letter.status as usize] += 1;
        self.first_seen = self.first_seen.min(letter.first_failed_at);
        self.last_seen = self.last_seen.max(letter.last_failed_at);
        // The newest letter comes first.
        self.sample.get_or_insert(letter.id);
    }
}

/// A group that was counted.
#[derive(Debug, Clone)]
pub(super) struct CountedGroup {
    pub(super) queue: QueueName,
    pub(super) fingerprint: Fingerprint,
    pub(super) counts: GroupCounts,
}

/// A count of letters by group.
#[derive(Debug)]
pub(super) struct GroupSearch<'c> {
    search: LetterSearch<'c>,
    /// The statuses of the letters that are counted; arrivals are counted in any status.
    statuses: Vec<Status>,
    window: Option<TrendWindow>,
    /// Whether the counts of the store are those that are searched.
    is_stored: bool,
    groups: HashMap<(QueueName, Fingerprint), GroupCounts>,
    /// How many letters may still be examined.
    left: usize,
    /// Whether the search has ended at its limit.
    pub(super) is_cut: bool,
}

impl<'c> GroupSearch<'c> {
    /// A count of the letters of a search with these statuses, by default of the live ones.
    pub(super) fn new(search: LetterSearch<'c>, statuses: Vec<Status>, window: Option<TrendWindow>) -> Self {
        let is_stored = search.filter.is_none() && statuses.is_empty() && window.is_none();
        let live = || Status::ALL.iter().copied().filter(|status| status.is_live()).collect();
        let statuses = if statuses.is_empty() { live() } else { statuses };
        let reads = search.filter.as_ref().is_some_and(Filter::needs_record);
        let captured = CaptureTimes { since: window.map(|window| window.before_since), until: None };
        let search = LetterSearch {
            statuses: if window.is_some() { Vec::new() } else { statuses.clone() },
            ..search.in_order(LetterOrder::NewestFirst, captured)
        };
        let left = if reads { READS_MAX } else { EXAMINED_MAX };
        Self { search, statuses, window, is_stored, groups: HashMap::new(), left, is_cut: false }
    }

    /// Counts the letters of these queues. Each queue may use an equal share of what is left of the limit: the queues with
    /// the fewest letters should come first.
    pub(super) async fn count(&mut self, queues: Vec<QueueName>) -> Result<(), ApiError> {
        let number = queues.len();
        for (index, queue) in queues.into_iter().enumerate() {
            let share = self.left / (number - index);
            self.search.has_target = self.search.ctx.app.has_target(&queue);
            self.search.queue = queue;
            let examined = match if self.is_stored { self.stored(share).await } else { self.letters(share).await } {
                Ok(examined) => examined,
                // One of several queues was deleted meanwhile.
                Err(error) if error.code == Code::NotFound && number > 1 => 0,
                Err(error) => return Err(error),
            };
            self.left = self.left.saturating_sub(examined);
        }
        Ok(())
    }

    /// Takes the counts of the store for the groups of the queue, up to this number.
    async fn stored(&mut self, groups_max: usize) -> Result<usize, ApiError> {
        let (mut after, mut examined) = (None, 0);
        loop {
            if examined >= groups_max {
                self.is_cut = true;
                return Ok(examined);
            }
            let limit = PAGE_MAX.min(groups_max - examined);
            let find = Groups { queue: self.search.queue.clone(), after, limit };
            let found = self.search.ctx.store().failure_groups(find).await.map_err(letter_error)?;
            examined += found.len();
            for group in &found {
                let key = (self.search.queue.clone(), group.fingerprint);
                self.groups.insert(key, GroupCounts::of_stored(group));
            }
            after = found.last().map(|last| last.fingerprint);
            if found.len() < limit {
                return Ok(examined);
            }
        }
    }

    /// Counts letters of the queue, up to this number of examined ones.
    async fn letters(&mut self, examined_max: usize) -> Result<usize, ApiError> {
        let (mut after, mut examined) = (None, 0);
        loop {
            if examined >= examined_max {
                self.is_cut = true;
                return Ok(examined);
            }
            let page = self.search.page_within(after, PAGE_MAX, examined_max - examined).await?;
            page.letters.iter().filter_map(|listed| listed.info.letter.as_deref()).for_each(|letter| self.add(letter));
            after = page.next;
            if after.is_none() {
                return Ok(examined + page.examined);
            }
            // A page that found nothing has visited many letters, too.
            examined += page.examined.max(BATCH);
        }
    }

    fn add(&mut self, letter: &LetterInfo) {
        let is_in_window = self.window.is_none_or(|window| window.contains(letter.id));
        let key = (self.search.queue.clone(), letter.fingerprint);
        let counts = self.groups.entry(key).or_insert(GroupCounts::NONE);
        if is_in_window {
            counts.arrived += 1;
        } else {
            counts.arrived_before += 1;
        }
        if is_in_window && self.statuses.contains(&letter.status) {
            counts.add(letter);
        }
    }

    /// The groups with counted letters, the largest first.
    pub(super) fn into_groups(self) -> Vec<CountedGroup> {
        let groups = self.groups.into_iter().filter(|(_, counts)| counts.letters() > 0);
        let mut groups: Vec<CountedGroup> =
            groups.map(|((queue, fingerprint), counts)| CountedGroup { queue, fingerprint, counts }).collect();
        groups.sort_unstable_by(|one, other| {
            let size = |group: &CountedGroup| Reverse((group.counts.letters(), group.counts.arrived));
            let name = |group: &CountedGroup| (group.queue.clone(), group.fingerprint);
            size(one).cmp(&size(other)).then_with(|| name(one).cmp(&name(other)))
        });
        groups
    }
}

impl CountedGroup {
    /// A search that finds a letter of the group from before a time.
    pub(super) fn earlier(&self, than: Time) -> FindLetters {
        FindLetters {
            fingerprint: Some(self.fingerprint),
            captured: CaptureTimes { since: None, until: Some(than) },
            ..FindLetters::all(self.queue.clone(), 1)
        }
    }
}
