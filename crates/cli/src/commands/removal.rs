//! What a command is about to delete from a queue.

use std::fmt;

use anyhow::Result;
use redrive_client::proto::querator::QueuePartitionStats;
use redrive_client::proto::redrive::v1::{LettersStatsRequest, StatusBreakdown};

use crate::cli_error::CliError;
use crate::console::{items, letters};
use crate::session::Session;

/// The numbers of items and letters that a command deletes. Displayed as in `3 items, including 1 letter`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Removal {
    /// Letters included. `None` if the caller may not read the number.
    pub(super) items: Option<u64>,
    /// How many of the items are leased.
    pub(super) leased: u64,
    /// `None` if the caller may not read the number.
    pub(super) letters: Option<LetterCount>,
}

/// A number of letters between two bounds. They differ if a queue has scheduled letters and scheduled plain items: its
/// statistics do not say which of the letters are scheduled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LetterCount {
    min: u64,
    max: u64,
}

/// The items of a queue that are not finished letters, by state.
#[derive(Debug, Clone, Copy, Default)]
struct ItemCounts {
    /// Damaged ones included.
    ready: u64,
    leased: u64,
    scheduled: u64,
}

impl Removal {
    /// All items and letters of a queue.
    pub(super) async fn of_queue(name: &str, session: &Session) -> Result<Self> {
        let letters = statuses(name, session).await?;
        let counts = item_counts(name, session).await?;
        let finished = letters.as_ref().map_or(0, |letters| sum([letters.completed, letters.archived]));
        let all = |letters: &StatusBreakdown| finished + live(letters);
        Ok(Self {
            items: counts.map(|counts| counts.ready + counts.leased + counts.scheduled + finished),
            leased: 0,
            letters: letters.as_ref().map(all).map(LetterCount::exactly),
        })
    }

    /// What `queue clear` deletes with these options. Completed and archived letters are kept.
    pub(super) async fn of_clear(name: &str, is_scheduled: bool, is_leased: bool, session: &Session) -> Result<Self> {
        let letters = statuses(name, session).await?;
        let counts = item_counts(name, session).await?;
        let selected = |counts: ItemCounts| ItemCounts {
            leased: if is_leased { counts.leased } else { 0 },
            scheduled: if is_scheduled { counts.scheduled } else { 0 },
            ..counts
        };
        let removed = counts.map(selected);
        let of = |letters: StatusBreakdown| cleared_letters(&letters, counts, is_scheduled, is_leased);
        Ok(Self {
            items: removed.map(|removed| removed.ready + removed.leased + removed.scheduled),
            leased: removed.map_or(0, |removed| removed.leased),
            letters: letters.map(of),
        })
    }

    /// Fails without a reason, unless it is certain that no letter of the queue is deleted.
    pub(super) fn require_reason(&self, queue: &str, session: &Session) -> Result<(), CliError> {
        let found = match self.letters {
            Some(LetterCount { max: 0, .. }) => return Ok(()),
            Some(count) => format!("queue '{queue}' has {count}"),
            None => format!("you may not read whether queue '{queue}' has letters"),
        };
        session.require_reason(format!("{found}, and deleting letters needs a reason"))
    }
}

impl fmt::Display for Removal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.items {
            Some(count) => write!(f, "{}", items(count))?,
            None => write!(f, "an unknown number of items")?,
        }
        let leased = (self.leased > 0).then(|| format!("{} leased", self.leased));
        let letters = match self.letters {
            Some(LetterCount { max: 0, .. }) => None,
            Some(count) => Some(count.to_string()),
            None => Some("an unknown number of letters".to_owned()),
        };
        let parts = leased.into_iter().chain(letters).collect::<Vec<_>>();
        if parts.is_empty() { Ok(()) } else { write!(f, ", including {}", parts.join(" and ")) }
    }
}

impl LetterCount {
    pub(super) const fn exactly(count: u64) -> Self {
        Self { min: count, max: count }
    }

    /// The number, if it is certain.
    pub(super) fn exact(self) -> Option<u64> {
        (self.min == self.max).then_some(self.max)
    }
}

impl fmt::Display for LetterCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = if self.min == self.max { "" } else { "up to " };
        write!(f, "{bound}{}", letters(self.max))
    }
}

/// Pending letters are ready or scheduled, retrying ones leased, and exhausted ones ready.
fn cleared_letters(
    letters: &StatusBreakdown,
    counts: Option<ItemCounts>,
    is_scheduled: bool,
    is_leased: bool,
) -> LetterCount {
    let StatusBreakdown { pending, retrying, exhausted, .. } = *letters;
    let leased = if is_leased { sum([retrying]) } else { 0 };
    let (pending, exhausted) = (sum([pending]), sum([exhausted]));
    if is_scheduled {
        return LetterCount::exactly(pending + exhausted + leased);
    }
    // Without statistics of the items, each pending letter may be ready.
    let (min, max) = counts.map_or((0, pending), |counts| {
        (pending.saturating_sub(counts.scheduled), pending.min(counts.ready.saturating_sub(exhausted)))
    });
    LetterCount { min: min + exhausted + leased, max: max.max(min) + exhausted + leased }
}

async fn statuses(name: &str, session: &Session) -> Result<Option<StatusBreakdown>> {
    let request = LettersStatsRequest { queue_name: name.to_owned() };
    let stats = session.call_if_allowed(session.client.letter_stats(&request)).await?;
    Ok(stats.map(|stats| stats.status_breakdown.unwrap_or_default()))
}

async fn item_counts(name: &str, session: &Session) -> Result<Option<ItemCounts>> {
    let stats = session.call_if_allowed(session.client.queue(name).stats()).await?;
    Ok(stats.map(|stats| {
        let sum = |count: fn(&QueuePartitionStats) -> i32| {
            stats.partitions.iter().map(|part| u64::from(count(part).unsigned_abs())).sum()
        };
        ItemCounts {
            ready: sum(|part| part.total.saturating_sub(part.total_leased).saturating_add(part.damaged)),
            leased: sum(|part| part.total_leased),
            scheduled: sum(|part| part.scheduled),
        }
    }))
}

fn live(letters: &StatusBreakdown) -> u64 {
    sum([letters.pending, letters.retrying, letters.exhausted])
}

fn sum<const N: usize>(counts: [i64; N]) -> u64 {
    counts.into_iter().map(i64::unsigned_abs).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleared(pending: i64, exhausted: i64, [ready, leased, scheduled]: [u64; 3]) -> LetterCount {
        let letters = StatusBreakdown { pending, exhausted, retrying: 1, completed: 7, archived: 9 };
        cleared_letters(&letters, Some(ItemCounts { ready, leased, scheduled }), false, false)
    }

    #[test]
    fn the_letters_that_a_clear_removes_are_known_if_all_scheduled_items_are_letters() {
        assert_eq!(cleared(5, 2, [4, 1, 3]), LetterCount::exactly(4));
        assert_eq!(cleared(3, 0, [0, 1, 3]), LetterCount::exactly(0), "all of them are scheduled");
        assert_eq!(cleared(3, 1, [4, 1, 0]), LetterCount::exactly(4));
        let mixed = cleared(3, 1, [3, 1, 2]);
        assert_eq!((mixed, mixed.exact()), (LetterCount { min: 2, max: 3 }, None));
        assert_eq!(mixed.to_string(), "up to 3 letters");
    }

    #[test]
    fn retrying_letters_are_removed_if_leased_items_are_and_finished_ones_never() {
        let letters = StatusBreakdown { pending: 2, retrying: 3, exhausted: 4, completed: 5, archived: 6 };
        assert_eq!(cleared_letters(&letters, None, true, false), LetterCount::exactly(6));
        assert_eq!(cleared_letters(&letters, None, true, true), LetterCount::exactly(9));
    }

    #[test]
    fn a_removal_is_shown_with_its_numbers() {
        let shown = |items, leased, letters| Removal { items, leased, letters }.to_string();
        assert_eq!(shown(Some(1), 0, Some(LetterCount::exactly(0))), "1 item");
        assert_eq!(shown(Some(3), 0, Some(LetterCount::exactly(1))), "3 items, including 1 letter");
        assert_eq!(shown(Some(3), 2, Some(LetterCount::exactly(1))), "3 items, including 2 leased and 1 letter");
        assert_eq!(shown(None, 0, None), "an unknown number of items, including an unknown number of letters");
    }
}
