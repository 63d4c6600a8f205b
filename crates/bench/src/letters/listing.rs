//! The time until the first page of a list of letters.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use redrive_core::{Category, LetterId, Span, Status, Time, Trigger};
use redrive_model::{Archive, CaptureTimes, ClaimById, FindLetters, FoundLetters, LetterOrder};
use redrive_store::Store;

use super::caller::Caller;
use super::failures::{FailureKind, source_id};
use crate::figure::{Figure, Target};

/// Letters per page.
const PAGE: usize = 100;
const RUNS: usize = 5;

/// Changes the statuses of letters: archives those that are not retried automatically, except one in `every`, and
/// claims one in `every` of the others.
pub(super) fn prepare(caller: &Caller, every: u64) -> Result<()> {
    let (mut validation, mut transient) = (0, 0);
    let mut after = None;
    loop {
        let found = caller.find(FindLetters { after, ..FindLetters::all(caller.queue.clone(), 1000) })?;
        let (mut archived, mut claimed) = (Vec::new(), Vec::new());
        for letter in found.letters.iter().filter_map(|info| info.letter.as_ref()) {
            match letter.category {
                Category::Validation => {
                    validation += 1;
                    archived.extend((validation % every != 0).then_some(letter.id));
                }
                Category::Transient => {
                    transient += 1;
                    claimed.extend((transient % every == 0).then_some(letter.id));
                }
                _ => {}
            }
        }
        caller.archive(archived)?;
        caller.claim(claimed)?;
        after = found.next;
        if after.is_none() {
            return Ok(());
        }
    }
}

/// The slowest of all queries over many letters, compared with the same query over few.
pub(super) fn figure(many: &Caller, few: &Caller, rare: &FailureKind) -> Result<Figure> {
    let mut slowest = ("", 0.0, 0.0);
    for (name, find) in queries(many, rare)? {
        let (value, found) = time_query(many, &find)?;
        let (reference, _) = time_query(few, &find)?;
        eprintln!("  {name}: {value:.2} ms, {found} letters; at 10 k {reference:.2} ms");
        if value > slowest.1 {
            slowest = (name, value, reference);
        }
    }
    eprintln!("  longest: {}", slowest.0);
    Ok(Figure::of("first page of 2 M", "ms, the longest of sixteen questions", (slowest.1, slowest.2))
        .beside("at 10 k", Target::AtMost(50.0)))
}

/// Common means a half or a hundredth of all letters, rare means five or ten letters.
fn queries(many: &Caller, rare: &FailureKind) -> Result<Vec<(&'static str, FindLetters)>> {
    let common = many.failures.common(0);
    let live = || Status::ALL.iter().copied().filter(|status| status.is_live()).collect();
    let in_order = |order| FindLetters { order, statuses: live(), ..FindLetters::all(many.queue.clone(), PAGE) };
    let (oldest, newest) = (many.first(LetterOrder::OldestFirst)?, many.first(LetterOrder::NewestFirst)?);
    let middle = oldest.saturating_add(Span::from_micros(newest.since(oldest).as_micros() / 2));
    let later = CaptureTimes { since: Some(middle), until: None };
    let last = CaptureTimes { since: Some(newest), until: None };
    let all = || FindLetters::all(many.queue.clone(), PAGE);
    let of = |status, category| FindLetters { statuses: vec![status], category: Some(category), ..all() };
    Ok(vec![
        ("newest first", in_order(LetterOrder::NewestFirst)),
        ("due first", in_order(LetterOrder::DueFirst)),
        ("due last", in_order(LetterOrder::DueLast)),
        ("the later half, newest first", FindLetters { captured: later, ..in_order(LetterOrder::NewestFirst) }),
        ("the later half, due first", FindLetters { captured: later, ..in_order(LetterOrder::DueFirst) }),
        ("the last second, due first", FindLetters { captured: last, ..in_order(LetterOrder::DueFirst) }),
        ("status, common", FindLetters { statuses: vec![Status::Pending], ..all() }),
        ("status, rare", FindLetters { statuses: vec![Status::Retrying], ..all() }),
        ("category, common", FindLetters { category: Some(Category::Transient), ..all() }),
        ("category, rare", FindLetters { category: Some(rare.category), ..all() }),
        ("fingerprint, common", FindLetters { fingerprint: Some(common.fingerprint), ..all() }),
        ("fingerprint, rare", FindLetters { fingerprint: Some(rare.fingerprint), ..all() }),
        ("source id", FindLetters { source_id: Some(source_id(4321)), ..all() }),
        ("status and category, common", of(Status::Pending, Category::Transient)),
        ("status and category, one of them rare", of(Status::Pending, rare.category)),
        ("status and category, rare only together", of(Status::Pending, Category::Validation)),
    ])
}

/// The milliseconds until a page is full or there are no more letters, in the median run, and the number of letters. An
/// incomplete page with a cursor is continued.
fn time_query(caller: &Caller, find: &FindLetters) -> Result<(f64, usize)> {
    let mut times = Vec::new();
    let mut count = 0;
    for _ in 0..RUNS {
        let begin = Instant::now();
        let mut find = find.clone();
        count = 0;
        loop {
            find.limit = PAGE - count;
            let found = caller.find(find.clone())?;
            count += found.letters.len();
            if count == PAGE || !found.has_more() {
                break;
            }
            (find.after, find.after_due) = (found.next, found.next_due);
        }
        times.push(begin.elapsed().as_secs_f64() * 1e3);
        ensure!(count > 0, "the query found no letter");
    }
    times.sort_by(f64::total_cmp);
    Ok((*times.get(RUNS / 2).context("no run")?, count))
}

impl Caller {
    /// The time of capture of the first letter in an order.
    fn first(&self, order: LetterOrder) -> Result<Time> {
        let found = self.find(FindLetters { order, ..FindLetters::all(self.queue.clone(), 1) })?;
        let letter = found.letters.first().and_then(|info| info.letter.as_ref()).context("no letter")?;
        Ok(letter.id.ksuid().time())
    }

    fn find(&self, find: FindLetters) -> Result<FoundLetters> {
        Ok(self.runtime.block_on(self.store.find_letters(find))?)
    }

    fn archive(&self, letters: Vec<LetterId>) -> Result<()> {
        if !letters.is_empty() {
            self.runtime.block_on(self.store.archive(Archive { queue: self.queue.clone(), letters }))?;
        }
        Ok(())
    }

    fn claim(&self, letters: Vec<LetterId>) -> Result<()> {
        if !letters.is_empty() {
            let (queue, lease) = (self.queue.clone(), Span::from_hours(1));
            let letters = letters.into_iter().map(Into::into).collect();
            let claim = ClaimById { queue, letters, lease, trigger: Trigger::Manual };
            self.runtime.block_on(self.store.claim_by_id(claim))?;
        }
        Ok(())
    }
}
