//! Ticks with and without a limit lead to the same state.

use std::collections::BTreeMap;

use redrive_core::{Ksuid, Span, Time};
use redrive_model::{
    EndReason, Event, GetStats, ItemInfo, ItemListKind, ListItems, ListLetters, ListQueues, OpContext,
};
use redrive_queue::{Facts, State, Tick, View};
use redrive_testkit::seeds;

use super::compare::{ALL, Checked, same};
use super::history::History;
use super::machine::recover;
use super::{Plan, USUAL};

/// Applies everything that is due, up to `limit` transitions per tick.
pub(super) fn pass_time(state: &mut State, limit: usize, now: Time) -> Checked {
    // More ticks than this mean that the work never ends, which is an error, too.
    for random in 0..10_000 {
        let mut facts = Facts::new();
        let is_all = Tick { limit }.apply(state, OpContext::new(now, random), &mut facts);
        // One record per transition, two if a claim and its letter end together, and one for all reclaimed slots.
        if facts.len() > limit.saturating_mul(2).saturating_add(1) {
            return Err(format!("{} records of {limit} transitions", facts.len()));
        }
        if is_all {
            return state.verify().map_err(|mismatch| mismatch.to_string());
        }
    }
    Err("ticks do not come to an end".to_owned())
}

/// A summary of the state without what depends on the order of transitions: ids, partitions, and which of two
/// duplicates was dropped.
fn summary(state: &State) -> Checked<Vec<String>> {
    let mut lines = Vec::new();
    let mut sums: BTreeMap<String, u64> = BTreeMap::new();
    for settings in (ListQueues { namespace: None, pivot: None, limit: ALL }).view(state) {
        let queue = || settings.name.clone();
        let mut items = ListLetters { queue: queue(), statuses: Vec::new(), after: None, limit: ALL }
            .view(state)
            .map_err(|rejection| rejection.to_string())?;
        for partition in 0..settings.partitions {
            for which in [ItemListKind::Items, ItemListKind::Scheduled] {
                let list = ListItems { queue: queue(), partition, which, pivot: None, limit: ALL };
                items.extend(
                    list.view(state)
                        .map_err(|rejection| rejection.to_string())?
                        .into_iter()
                        .filter(|item| item.info.letter.is_none()),
                );
            }
        }
        lines.extend(items.iter().map(|item| format!("{} {}", settings.name, summary_of(&item.info))));
        let counts =
            state.stats(&GetStats { queue: queue() }, Time::EPOCH).map_err(|rejection| rejection.to_string())?.counts;
        Event::ALL.iter().for_each(|why| *sums.entry(format!("{why:?}")).or_default() += counts.of(*why));
        EndReason::ALL
            .iter()
            .for_each(|ending| *sums.entry(format!("{ending:?}")).or_default() += counts.ended(*ending));
    }
    lines.sort_unstable();
    lines.extend(sums.iter().map(|(what, count)| format!("{what} {count}")));
    Ok(lines)
}

fn summary_of(info: &ItemInfo) -> String {
    // A source id that is the item id of a dead item depends on the order of transitions.
    let source_id = info.source_id.as_deref().filter(|id| id.parse::<Ksuid>().is_err());
    let letter = info.letter.as_ref().map(|letter| (letter.status, letter.generation, letter.retries));
    format!("{:?} {source_id:?} {letter:?}", info.state)
}

fn fork(seed: u64) -> Checked {
    let mut history = History::new(seed, Plan { steps: 60, ..USUAL });
    history.run()?;
    for secs in [0, 1, 8, 60, 700, 100_000] {
        let now = history.now.saturating_add(Span::from_secs(secs));
        let mut at_once = recover(None, &history.machine.log)?;
        pass_time(&mut at_once, ALL, now)?;
        for limit in 1..5 {
            let mut in_steps = recover(None, &history.machine.log)?;
            pass_time(&mut in_steps, limit, now)?;
            same("the state after limited ticks", &summary(&in_steps)?, &summary(&at_once)?)?;
        }
    }
    Ok(())
}

#[test]
fn limited_ticks_lead_to_the_same_state() {
    for seed in seeds(15) {
        if let Err(wrong) = fork(seed.number()) {
            panic!("{seed}: {wrong}");
        }
    }
}
