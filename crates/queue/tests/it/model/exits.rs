//! No letter is stuck: an operator or time can change the status of every letter that a history leaves behind.

use std::collections::{BTreeMap, BTreeSet};

use redrive_core::{LetterId, QueueName, Span, Status, Time, Trigger};
use redrive_model::{Archive, ClaimById, GetLetter, ListLetters, ListQueues, OpContext, Purge, Rejection, Restore};
use redrive_queue::{Facts, State, View};
use redrive_store::conformance::model::operation::Operation;
use redrive_testkit::seeds;

use super::compare::{ALL, Checked, same};
use super::fork::pass_time;
use super::history::History;
use super::machine::recover;
use super::perform::perform;
use super::{Plan, USUAL};

/// Longer than the retention of completed letters and the longest lease.
const LONG: Span = Span::from_days(400);

/// All letters, with their status.
fn letters(state: &State) -> Checked<Vec<(QueueName, LetterId, Status)>> {
    let mut all = Vec::new();
    for settings in (ListQueues { namespace: None, pivot: None, limit: ALL }).view(state) {
        let list = ListLetters { queue: settings.name.clone(), statuses: Vec::new(), after: None, limit: ALL };
        let infos = list.view(state).map_err(|rejection| rejection.to_string())?;
        let found = infos.into_iter().filter_map(|item| item.info.letter);
        all.extend(found.map(|letter| (settings.name.clone(), letter.id, letter.status)));
    }
    Ok(all)
}

/// The status of a letter; `None` if it was removed.
fn status(state: &State, queue: &QueueName, letter: LetterId) -> Option<Status> {
    let info = GetLetter { queue: queue.clone(), letter }.view(state).ok()?;
    info.info.letter.map(|letter| letter.status)
}

/// The operations that change a status; each of them must succeed alone.
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

fn check_exits(history: &History, now: Time, covered: &mut BTreeMap<String, u64>) -> Checked {
    let all = letters(&history.machine.state)?;
    for (queue, letter, before) in &all {
        for exit in exits(queue, *letter, *before) {
            let mut state = recover(None, &history.machine.log)?;
            let is_restore = matches!(exit, Operation::Restore(_));
            let result = perform(exit.clone(), &mut state, OpContext::new(now, 7), &mut Facts::new());
            match result {
                // A live letter holds the source id: the exits of that letter and the purge remain.
                Err(Rejection::SourceHeld { .. }) if is_restore => continue,
                Err(rejection) => return Err(format!("{before} {letter}, {exit:?}: {rejection}")),
                Ok(_) => {}
            }
            let after = status(&state, queue, *letter);
            if after == Some(*before) {
                return Err(format!("{letter} is {before} before and after {exit:?}"));
            }
            *covered.entry(format!("{before} {after:?}")).or_default() += 1;
        }
    }
    // Without any request, claims expire and completed letters are removed automatically.
    let mut state = recover(None, &history.machine.log)?;
    pass_time(&mut state, ALL, now.saturating_add(LONG))?;
    let left = letters(&state)?.into_iter().find(|(.., status)| matches!(status, Status::Retrying | Status::Completed));
    same("a letter whose status time does not change", &left, &None)
}

#[test]
fn every_status_that_a_letter_reaches_has_an_exit() {
    let mut covered = BTreeMap::new();
    let mut count = 0;
    for seed in seeds(23) {
        count += 1;
        let mut history = History::new(seed.number(), Plan { steps: 60, ..USUAL });
        let checked = history.run().and_then(|()| check_exits(&history, history.now, &mut covered));
        if let Err(wrong) = checked {
            panic!("{seed}: {wrong}");
        }
    }
    let from: BTreeSet<&str> = covered.keys().filter_map(|exit| exit.split(' ').next()).collect();
    assert!(count == 1 || from.len() == Status::ALL.len(), "the histories must cover every status: {covered:?}");
}
