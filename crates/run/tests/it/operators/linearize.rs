//! Checks whether the requests about one letter are linearizable: whether one sequential order of events explains every
//! reply.
//!
//! A request takes effect at one moment between its begin and its end. A request without a reply may have taken effect
//! or not. The check explores every possible order; if none is left, a reply was wrong.

use redrive_core::Time;

use super::letter::{Letter, LetterOp, LetterReply};

/// A request about one letter.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) op: LetterOp,
    pub(super) begun: usize,
    pub(super) ended: usize,
    /// When it ended, by the clock of the scenario.
    pub(super) at: Time,
    /// `None` if the reply was not received.
    pub(super) reply: Option<LetterReply>,
}

/// A possible state of the letter, and the open requests that took effect in it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PossibleState {
    letter: Option<Letter>,
    applied: Vec<usize>,
}

/// Checks the history of one letter. The error names the request after which no order was possible. Claims without a
/// reply may have taken the letter at any time while one of them was open.
pub(super) fn check(entries: &[Entry], claims_without_reply: &[Entry]) -> Result<(), String> {
    let mut points: Vec<(usize, bool, usize)> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        points.push((entry.begun, false, index));
        points.push((entry.ended, true, index));
    }
    points.sort_unstable();
    let mut open: Vec<usize> = Vec::new();
    let mut possible = vec![PossibleState { letter: None, applied: Vec::new() }];
    let mut before = 0;
    for (point, is_end, index) in points {
        if !is_end {
            open.push(index);
            continue;
        }
        let claim = claims_without_reply.iter().find(|claim| claim.begun <= point && claim.ended >= before);
        let mut after = explore(entries, &open, claim, possible.clone(), entries[index].at);
        before = point;
        open.retain(|other| *other != index);
        after.retain(|state| state.applied.contains(&index) || entries[index].reply.is_none());
        possible.clear();
        for mut state in after {
            state.applied.retain(|other| *other != index);
            if !possible.contains(&state) {
                possible.push(state);
            }
        }
        if possible.is_empty() {
            let history: Vec<String> = entries.iter().map(|entry| format!("{entry:?}")).collect();
            return Err(format!("no possible order explains: {:?}\n{}", entries[index], history.join("\n")));
        }
    }
    Ok(())
}

/// All states that are reachable from `from`.
fn explore(
    entries: &[Entry],
    open: &[usize],
    claim: Option<&Entry>,
    from: Vec<PossibleState>,
    now: Time,
) -> Vec<PossibleState> {
    let mut found = from;
    let mut next = 0;
    while next < found.len() {
        let state = found[next].clone();
        next += 1;
        let automatic = state.letter.iter().flat_map(|letter| letter.automatic_changes(now)).map(Some);
        let claimed =
            claim.filter(|_| state.letter.is_some()).and_then(|claim| apply(claim, state.letter.as_ref(), now));
        let automatic = automatic.chain(claimed);
        let automatic = automatic.map(|letter| PossibleState { letter, applied: state.applied.clone() });
        let requested = open.iter().filter(|index| !state.applied.contains(index));
        let requested = requested.filter_map(|index| {
            let letter = apply(&entries[*index], state.letter.as_ref(), now)?;
            let mut applied = state.applied.clone();
            applied.push(*index);
            applied.sort_unstable();
            Some(PossibleState { letter, applied })
        });
        let more: Vec<PossibleState> = automatic.chain(requested).collect();
        for state in more {
            if !found.contains(&state) {
                found.push(state);
            }
        }
    }
    found
}

/// The letter after the request took effect now; `None` if the recorded reply is impossible in this state.
fn apply(entry: &Entry, letter: Option<&Letter>, now: Time) -> Option<Option<Letter>> {
    let (Some(letter), op) = (letter, &entry.op) else {
        // Before its capture, no other request can have reached the letter.
        let LetterOp::Capture(letter) = &entry.op else { return None };
        return Some(Some((**letter).clone()));
    };
    let mut after = letter.clone();
    let reply = after.apply(op, entry.reply.as_ref(), now);
    let is_possible = match &entry.reply {
        Some(received) => *received == reply,
        // A request without a reply and without an effect need not be explored.
        None => after != *letter,
    };
    is_possible.then_some(Some(after))
}
