//! The statistics, lists and pages that the model expects of a store.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use redrive_core::{Ksuid, LetterId, Span, Status, Time};
use redrive_model::{
    CaptureTimes, EndReason, Event, FailureGroupInfo, FindLetters, FoundLetters, ItemInfo, ItemListKind, ItemState,
    LetterCounts, LetterOrder, LiveCounts, PartitionStats, QueueSettings, QueueStats,
};

use super::compare::{Checked, same};
use super::naive::{Item, Model, Queue};

/// The settings of all queues, in the order of their names.
pub fn queues(model: &Model) -> Vec<QueueSettings> {
    let mut queues: Vec<QueueSettings> = model.queues.iter().map(|queue| queue.settings.clone()).collect();
    queues.sort_by(|one, other| one.name.cmp(&other.name));
    queues
}

/// The items of a queue, in any state.
pub fn items_of<'m>(model: &'m Model, queue: &Queue) -> Vec<&'m Item> {
    model.items.iter().filter(|item| item.queue == queue.number).collect()
}

/// Compares the statistics of a queue with a count of its items.
pub fn stats(stats: &QueueStats, queue: &Queue, items: &[&Item], now: Time) -> Checked {
    let name = &queue.settings.name;
    let partitions: Vec<PartitionStats> =
        (0..queue.settings.partitions).map(|partition| of_partition(partition, items, now)).collect();
    same("the counters of the partitions", &stats.partitions, &partitions)?;
    for why in Event::ALL {
        let expected = queue.events.get(&why).copied().unwrap_or(0);
        same(&format!("how often {why:?} happened in {name}"), &stats.counts.of(why), &expected)?;
    }
    for ending in EndReason::ALL {
        let expected = queue.ends.get(&ending).copied().unwrap_or(0);
        same(&format!("how many {ending:?} there were in {name}"), &stats.counts.ended(ending), &expected)?;
    }
    let mut counts = LetterCounts::default();
    for letter in items.iter().filter_map(|item| item.letter()) {
        counts.by_status[letter.status as usize] += 1;
        if letter.status.is_live() {
            counts.by_category[letter.category as usize] += 1;
            counts.by_policy[letter.policy as usize] += 1;
        }
    }
    counts.overflow = items.iter().filter(|item| item.is_waiting_overflow()).count() as u64;
    let is_pending = |item: &Item| item.letter().is_some_and(|letter| letter.status == Status::Pending);
    counts.blocked = items.iter().filter(|item| item.is_blocked() && is_pending(item)).count() as u64;
    same("the counts of letters", &stats.letters, &counts)?;
    let scheduled = items.iter().filter(|item| item.letter().is_some() && item.is_scheduled()).count() as u64;
    same("the number of scheduled letters", &stats.scheduled_letters, &scheduled)?;
    let pending = items.iter().filter(|item| is_pending(item));
    let oldest = pending.min_by_key(|item| item.letter_id()).map(|item| item.info.created_at);
    same("the time of the oldest pending letter", &stats.oldest_pending_at, &oldest)?;
    let mut heads = BTreeMap::new();
    for item in items.iter().filter(|item| item.is_ready()) {
        let head = heads.entry((item.info.partition, item.info.priority)).or_insert(item);
        *head = if item.order < head.order { item } else { head };
    }
    let oldest = heads.values().map(|item| item.info.created_at).min();
    same("the time of the oldest ready item", &stats.oldest_ready_at, &oldest)?;
    let overdue = items.iter().filter_map(|item| item.due()).filter(|due| *due <= now).count() as u64;
    same("the number of overdue letters", &stats.overdue, &overdue)?;
    unaccounted(queue, stats)?;
    same("the next due time", &stats.next_due_at, &items.iter().filter_map(|item| item.due()).min())
}

/// Each letter that was created exists, was removed by a caller, or was removed by retention.
fn unaccounted(queue: &Queue, stats: &QueueStats) -> Checked {
    let present: u64 = stats.letters.by_status.iter().sum();
    let gone = stats.counts.of(Event::LetterCleared) + stats.counts.of(Event::LetterForgotten);
    same(&format!("the letters of {}", queue.settings.name), &stats.counts.of(Event::LetterMade), &(present + gone))
}

fn of_partition(partition: u32, items: &[&Item], now: Time) -> PartitionStats {
    let here = || items.iter().filter(|item| item.info.partition == partition && !item.is_finished());
    let present = || here().filter(|item| !item.is_scheduled());
    let leased = || present().filter(|item| item.is_leased());
    let created = |item: &&&Item| i128::from(item.info.created_at.as_micros());
    PartitionStats {
        partition,
        total: present().count() as u64,
        leased: leased().count() as u64,
        scheduled: here().filter(|item| item.is_scheduled()).count() as u64,
        stranded: present().filter(|item| item.info.state == ItemState::Stranded).count() as u64,
        // The model has no damaged records.
        damaged: 0,
        average_age: mean_age(&present().map(|item| created(&item)).collect::<Vec<_>>(), now),
        average_leased_age: mean_age(&leased().map(|item| created(&item)).collect::<Vec<_>>(), now),
    }
}

fn mean_age(created: &[i128], now: Time) -> Span {
    let Some(count) = i128::try_from(created.len()).ok().filter(|count| *count > 0) else { return Span::ZERO };
    let mean = created.iter().sum::<i128>().div_euclid(count);
    Span::from_micros(u64::try_from(i128::from(now.as_micros()) - mean).unwrap_or(0))
}

/// The letters among some items, in the order of their ids.
pub fn letters<'i>(items: &[&'i Item]) -> Vec<&'i ItemInfo> {
    let mut letters: Vec<&ItemInfo> =
        items.iter().filter(|item| item.letter().is_some()).map(|item| &item.info).collect();
    letters.sort_by_key(|info| info.letter.as_ref().map(|letter| letter.id));
    letters
}

/// The letters in these statuses.
pub fn in_status(letters: &[&ItemInfo], statuses: &[Status]) -> Vec<ItemInfo> {
    let is_wanted = |info: &&ItemInfo| info.letter.as_ref().is_some_and(|letter| statuses.contains(&letter.status));
    letters.iter().copied().filter(is_wanted).cloned().collect()
}

/// All letters in each order, and searches for each letter by its properties and its time of capture.
pub fn searches(all: &FindLetters, letters: &[&ItemInfo]) -> Vec<FindLetters> {
    let of_all = [LetterOrder::NewestFirst, LetterOrder::DueFirst, LetterOrder::DueLast];
    let of_all = of_all.map(|order| FindLetters { order, ..all.clone() });
    of_all.into_iter().chain(letters.iter().flat_map(|info| searches_for(all, info))).collect()
}

fn searches_for(all: &FindLetters, info: &ItemInfo) -> Vec<FindLetters> {
    let Some(letter) = &info.letter else { return Vec::new() };
    let source_id = info.source_id.as_deref().map(ToOwned::to_owned);
    let (category, fingerprint) = (Some(letter.category), Some(letter.fingerprint));
    let statuses = || vec![letter.status];
    let captured = letter.id.ksuid().time();
    let later = captured.saturating_add(Span::from_millis(1_500));
    let live = Status::ALL.iter().copied().filter(|status| status.is_live()).collect();
    let (since, before) = (
        CaptureTimes { since: Some(captured.saturating_add(Span::from_millis(999))), until: None },
        CaptureTimes { since: None, until: Some(captured) },
    );
    let in_second = CaptureTimes { since: Some(captured), until: Some(later) };
    vec![
        FindLetters { statuses: statuses(), ..all.clone() },
        FindLetters { category, captured: before, ..all.clone() },
        FindLetters { fingerprint, statuses: statuses(), order: LetterOrder::NewestFirst, ..all.clone() },
        FindLetters { fingerprint, statuses: live, order: LetterOrder::DueFirst, ..all.clone() },
        FindLetters { source_id, after: Some(LetterId::new(Ksuid::MIN)), ..all.clone() },
        FindLetters { captured: since, ..all.clone() },
        FindLetters { captured: before, order: LetterOrder::NewestFirst, statuses: statuses(), ..all.clone() },
        FindLetters { captured: in_second, order: LetterOrder::DueLast, ..all.clone() },
        FindLetters { category, order: LetterOrder::DueLast, ..all.clone() },
    ]
}

/// The expected result of a search without a limit.
pub fn found(find: &FindLetters, letters: &[&ItemInfo]) -> FoundLetters {
    let mut found: Vec<&ItemInfo> = letters.iter().copied().filter(|info| is_match(find, info)).collect();
    let letter = |info: &ItemInfo| info.letter.as_ref().map(|letter| letter.id);
    let due = |info: &ItemInfo| info.letter.as_ref().and_then(|letter| letter.next_retry_at);
    let newest_without_due = |info: &ItemInfo| Reverse(letter(info).filter(|_| due(info).is_none()));
    match find.order {
        LetterOrder::OldestFirst => found.sort_by_key(|info| letter(info)),
        LetterOrder::NewestFirst => found.sort_by_key(|info| Reverse(letter(info))),
        LetterOrder::DueFirst => {
            found.sort_by_key(|info| (due(info).is_none(), newest_without_due(info), due(info), info.id));
        }
        LetterOrder::DueLast => {
            found.sort_by_key(|info| (due(info).is_none(), newest_without_due(info), Reverse((due(info), info.id))));
        }
    }
    let total = Some(found.len() as u64);
    FoundLetters { letters: found.into_iter().cloned().collect(), next: None, next_due: None, total }
}

/// Compares the number of all matching letters, which a store need not know.
pub fn total(found: &FoundLetters, expected: &FoundLetters) -> Checked {
    same("the number of all letters that match", &found.total.or(expected.total), &expected.total)
}

fn is_match(find: &FindLetters, info: &ItemInfo) -> bool {
    info.letter.as_ref().is_some_and(|letter| {
        (find.statuses.is_empty() || find.statuses.contains(&letter.status))
            && find.category.is_none_or(|category| category == letter.category)
            && find.fingerprint.is_none_or(|fingerprint| fingerprint == letter.fingerprint)
            && find.source_id.as_deref().is_none_or(|source_id| info.source_id.as_deref() == Some(source_id))
            && find.captured.since.is_none_or(|since| letter.id.ksuid().time() >= Time::from_secs(since.as_secs()))
            && find.captured.until.is_none_or(|until| letter.id.ksuid().time() < Time::from_secs(until.as_secs()))
    })
}

/// Compares the failure groups of a queue with its live letters. The first and last time of a group may be further apart than
/// those of its current letters, since letters that were removed count, too.
pub fn failure_groups(groups: &[FailureGroupInfo], items: &[&Item]) -> Checked {
    let live = || items.iter().filter_map(|item| item.letter()).filter(|letter| letter.status.is_live());
    let mut fingerprints: Vec<_> = live().map(|letter| letter.fingerprint).collect();
    fingerprints.sort_unstable();
    fingerprints.dedup();
    same("the failure groups", &groups.iter().map(|group| group.fingerprint).collect(), &fingerprints)?;
    for group in groups {
        let of_group = || live().filter(|letter| letter.fingerprint == group.fingerprint);
        let mut counts = LiveCounts::default();
        of_group().filter_map(|letter| counts.of(letter.status).map(|count| *count += 1)).for_each(drop);
        same("the number of letters of a fault", &group.counts, &counts)?;
        let sample = group.sample.ok_or("a fault has no sample")?;
        same("whether a sample is a letter of the fault", &of_group().any(|letter| letter.id == sample), &true)?;
        let is_covered = of_group()
            .all(|letter| group.first_seen <= letter.first_failed_at && group.last_seen >= letter.last_failed_at);
        same("whether a fault covers its letters", &is_covered, &true)?;
    }
    Ok(())
}

/// The items that a list of a partition must contain.
pub fn listed<'i>(items: &[&'i Item], partition: u32, which: ItemListKind) -> Vec<&'i ItemInfo> {
    let is_listed = |item: &&&Item| {
        item.info.partition == partition
            && !item.is_finished()
            && (which == ItemListKind::All || item.is_scheduled() == (which == ItemListKind::Scheduled))
    };
    let mut listed: Vec<&ItemInfo> = items.iter().filter(is_listed).map(|item| &item.info).collect();
    listed.sort_by_key(|info| info.id);
    listed
}

/// Pivots for pages of a list: existing ids, stale ids, and both ends. A pivot is inclusive; if no item has it any
/// more, the page begins at the next greater id.
pub fn pivots(items: &[&Item], listed: &[&ItemInfo]) -> Vec<Ksuid> {
    // The id of a letter is its first item id, which is stale by now, unless the letter was created in another store.
    let born_here = items.iter().filter(|item| !item.is_put_back);
    let stale = born_here.filter_map(|item| item.letter_id()).map(LetterId::ksuid).take(2);
    listed.iter().map(|info| info.id.ksuid()).take(2).chain(stale).chain([Ksuid::MIN, Ksuid::MAX]).collect()
}

/// Invariants that do not depend on the rules of individual operations.
pub fn invariants(model: &Model) -> Checked {
    let live: Vec<&Item> = model.items.iter().filter(|item| !item.is_finished()).collect();
    for (at, one) in live.iter().enumerate() {
        for other in live[at + 1..].iter().filter(|other| other.queue == one.queue) {
            let same_source = one.info.source_id.is_some() && one.info.source_id == other.info.source_id;
            let same_message = one.coordinates.is_some() && one.coordinates == other.coordinates;
            if same_source || same_message {
                return Err(format!("two live items with one message: {:?} and {:?}", one.info, other.info));
            }
        }
    }
    match model.items.iter().filter_map(Item::letter).find(|letter| letter.total_attempts < 1 + letter.retries) {
        Some(letter) => Err(format!("more failed retries than attempts: {letter:?}")),
        None => Ok(()),
    }
}
