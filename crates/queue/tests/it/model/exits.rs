//! No letter is stuck: wherever a history leaves one, somebody or time can lead it out of its status.

use std::collections::{BTreeMap, BTreeSet};

use redrive_core::{LetterId, QueueName, Span, Status, Time, Trigger};
use redrive_model::{Archive, ClaimById, GetLetter, ListLetters, ListQueues, OpContext, Purge, Rejection, Restore};
use redrive_queue::{Facts, State, View};
use redrive_store::conformance::model::operation::Operation;
use redrive_store::conformance::model::random::seeds;

use super::compare::{ALL, Checked, same};
use super::fork::pass_time;
use super::history::History;
use super::machine::recover;
use super::perform::perform;
use super::{Plan, USUAL};

/// A week of completed letters, and whatever a lease can be, is over by then.
const LONG: Span = Span::from_days(400);

/// All letters, with their status.
fn letters(state: &State) -> Checked<Vec<(QueueName, LetterId, Status)>> {
    let mut all = Vec::new();
    for settings in (ListQueues { namespace: None, pivot: None, limit: ALL }).view(state) {
        let list = ListLetters { queue: settings.name.clone(), statuses: Vec::new(), after: None, limit: ALL };
        let infos = list.view(state).map_err(|refusal| refusal.to_string())?;
        let found = infos.into_iter().filter_map(|item| item.info.letter);
        all.extend(found.map(|letter| (settings.name.clone(), letter.id, letter.status)));
    }
    Ok(all)
}

/// What a letter is; `None` when it is gone.
fn status(state: &State, queue: &QueueName, letter: LetterId) -> Option<Status> {
    let info = GetLetter { queue: queue.clone(), letter }.view(state).ok()?;
    info.info.letter.map(|letter| letter.status)
}

/// The acts that lead out of a status; each alone must do.
fn exits(queue: &QueueName, letter: LetterId, status: Status) -> Vec<Operation> {
    let (queue, letters) = (queue.clone(), vec![letter]);
    let purge = Operation::Purge(Purge { queue: queue.clone(), letters: letters.clone() });
    let archive = Operation::Archive(Archive { queue: queue.clone(), letters: letters.clone() });
    let (lease, trigger) = (Span::from_mins(1), Trigger::Manual);
    match status {
        Status::Pending | Status::Exhausted => {
            let letters = letters.into_iter().map(Into::into).collect();
            vec![purge, archive, Operation::ClaimById(ClaimById { queue, letters, lease, trigger })]
        }
        Status::Retrying | Status::Completed => vec![purge, archive],
        Status::Archived => vec![purge, Operation::Restore(Restore { queue, letters })],
    }
}

fn leads_out(history: &History, now: Time, met: &mut BTreeMap<String, u64>) -> Checked {
    let there = letters(&history.machine.state)?;
    for (queue, letter, before) in &there {
        for exit in exits(queue, *letter, *before) {
            let mut state = recover(None, &history.machine.log)?;
            let is_restore = matches!(exit, Operation::Restore(_));
            let taken = perform(exit.clone(), &mut state, OpContext::new(now, 7), &mut Facts::new());
            match taken {
                // Somebody holds its place: then that one leads out, or the purge does.
                Err(Rejection::SourceHeld { .. }) if is_restore => continue,
                Err(refusal) => return Err(format!("{before} {letter}, {exit:?}: {refusal}")),
                Ok(_) => {}
            }
            let after = status(&state, queue, *letter);
            if after == Some(*before) {
                return Err(format!("{letter} is {before} before and after {exit:?}"));
            }
            *met.entry(format!("{before} {after:?}")).or_default() += 1;
        }
    }
    // Nobody does anything: what somebody has comes back by itself, and what is done goes by itself.
    let mut state = recover(None, &history.machine.log)?;
    pass_time(&mut state, ALL, now.saturating_add(LONG))?;
    let left = letters(&state)?.into_iter().find(|(.., status)| matches!(status, Status::Retrying | Status::Completed));
    same("a letter that time does not lead out", &left, &None)
}

#[test]
fn every_status_that_a_letter_reaches_has_an_exit() {
    let mut met = BTreeMap::new();
    let seeds = seeds(90);
    for seed in seeds.clone() {
        let mut history = History::new(seed, Plan { steps: 60, ..USUAL });
        let checked = history.run().and_then(|()| leads_out(&history, history.now, &mut met));
        if let Err(wrong) = checked {
            panic!("REDRIVE_SEED={seed}: {wrong}");
        }
    }
    let from: BTreeSet<&str> = met.keys().filter_map(|way| way.split(' ').next()).collect();
    let is_one_alone = seeds.count() == 1;
    assert!(is_one_alone || from.len() == Status::ALL.len(), "the histories come by every status: {met:?}");
}
