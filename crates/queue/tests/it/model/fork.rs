//! Two futures of one past: whatever time does at once or piece by piece, it comes to the same end.

use std::collections::BTreeMap;

use redrive_core::{Ksuid, Span, Time};
use redrive_model::{EndReason, Event, GetStats, ItemInfo, ListItems, ListLetters, ListQueues, OpContext, Which};
use redrive_queue::{Facts, State, Tick, View};
use redrive_store::conformance::model::random::seeds;

use super::compare::{ALL, Checked, same};
use super::history::History;
use super::machine::recover;
use super::{Plan, USUAL};

/// Lets everything happen that is due, so many transitions at a time.
pub(super) fn pass_time(state: &mut State, limit: usize, now: Time) -> Checked {
    // Whatever waits is done after so many turns; one that never ends is an error, too.
    for random in 0..10_000 {
        let mut facts = Facts::new();
        let is_all = Tick { limit }.apply(state, OpContext::new(now, random), &mut facts);
        // One record for each transition, two where a claim and its letter end together, and one for all slots that
        // are given back.
        if facts.len() > limit.saturating_mul(2).saturating_add(1) {
            return Err(format!("{} records of {limit} transitions", facts.len()));
        }
        if is_all {
            return state.verify().map_err(|mismatch| mismatch.to_string());
        }
    }
    Err("time does not come to an end".to_owned())
}

/// Everything but what depends on who came first: ids and partitions, and which of two twins was dropped.
fn outline(state: &State) -> Checked<Vec<String>> {
    let mut lines = Vec::new();
    let mut sums: BTreeMap<String, u64> = BTreeMap::new();
    for settings in (ListQueues { namespace: None, pivot: None, limit: ALL }).view(state) {
        let queue = || settings.name.clone();
        let mut items = ListLetters { queue: queue(), statuses: Vec::new(), after: None, limit: ALL }
            .view(state)
            .map_err(|refusal| refusal.to_string())?;
        for partition in 0..settings.partitions {
            for which in [Which::Items, Which::Scheduled] {
                let list = ListItems { queue: queue(), partition, which, pivot: None, limit: ALL };
                items.extend(
                    list.view(state)
                        .map_err(|refusal| refusal.to_string())?
                        .into_iter()
                        .filter(|item| item.info.letter.is_none()),
                );
            }
        }
        lines.extend(items.iter().map(|item| format!("{} {}", settings.name, outline_of(&item.info))));
        let tally =
            state.stats(&GetStats { queue: queue() }, Time::EPOCH).map_err(|refusal| refusal.to_string())?.tally;
        Event::ALL.iter().for_each(|why| *sums.entry(format!("{why:?}")).or_default() += tally.of(*why));
        EndReason::ALL
            .iter()
            .for_each(|ending| *sums.entry(format!("{ending:?}")).or_default() += tally.ended(*ending));
    }
    lines.sort_unstable();
    lines.extend(sums.iter().map(|(what, count)| format!("{what} {count}")));
    Ok(lines)
}

fn outline_of(info: &ItemInfo) -> String {
    // A letter that is known by the id that it died with is known by another one in another future.
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
            let mut by_and_by = recover(None, &history.machine.log)?;
            pass_time(&mut by_and_by, limit, now)?;
            same("the other future", &outline(&by_and_by)?, &outline(&at_once)?)?;
        }
    }
    Ok(())
}

#[test]
fn a_bounded_tick_comes_to_the_same_end() {
    for seed in seeds(60) {
        if let Err(wrong) = fork(seed) {
            panic!("REDRIVE_SEED={seed}: {wrong}");
        }
    }
}
