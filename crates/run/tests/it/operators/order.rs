//! Whether there is an order of events in which everybody was told the truth.
//!
//! A request happens at one moment between its beginning and its end. One whose answer was never heard may have
//! happened or not. All orders that are possible are followed; where none is left, somebody was told what is not so.

use redrive_core::Time;

use super::letter::{Ask, Letter, Told};

/// A request about one letter.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) ask: Ask,
    pub(super) begun: usize,
    pub(super) ended: usize,
    /// When it ended, by the clock of the play.
    pub(super) at: Time,
    /// `None` where the answer was not heard.
    pub(super) told: Option<Told>,
}

/// What the letter may be, and which of the open requests have happened then.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Possible {
    letter: Option<Letter>,
    happened: Vec<usize>,
}

/// Follows the story of one letter; an error tells where nothing was possible any more. Claims whose answer was not
/// heard may have taken it whenever one of them was open.
pub(super) fn check(entries: &[Entry], unheard: &[Entry]) -> Result<(), String> {
    let mut points: Vec<(usize, bool, usize)> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        points.push((entry.begun, false, index));
        points.push((entry.ended, true, index));
    }
    points.sort_unstable();
    let mut open: Vec<usize> = Vec::new();
    let mut possible = vec![Possible { letter: None, happened: Vec::new() }];
    let mut before = 0;
    for (point, is_end, index) in points {
        if !is_end {
            open.push(index);
            continue;
        }
        let claim = unheard.iter().find(|claim| claim.begun <= point && claim.ended >= before);
        let mut after = follow(entries, &open, claim, possible.clone(), entries[index].at);
        before = point;
        open.retain(|other| *other != index);
        after.retain(|way| way.happened.contains(&index) || entries[index].told.is_none());
        possible.clear();
        for mut way in after {
            way.happened.retain(|other| *other != index);
            if !possible.contains(&way) {
                possible.push(way);
            }
        }
        if possible.is_empty() {
            let story: Vec<String> = entries.iter().map(|entry| format!("{entry:?}")).collect();
            return Err(format!("this cannot be: {:?}\n{}", entries[index], story.join("\n")));
        }
    }
    Ok(())
}

/// All ways on from here.
fn follow(entries: &[Entry], open: &[usize], claim: Option<&Entry>, from: Vec<Possible>, now: Time) -> Vec<Possible> {
    let mut found = from;
    let mut next = 0;
    while next < found.len() {
        let way = found[next].clone();
        next += 1;
        let by_itself = way.letter.iter().flat_map(|letter| letter.by_itself(now)).map(Some);
        let claimed = claim.filter(|_| way.letter.is_some()).and_then(|claim| happen(claim, way.letter.as_ref(), now));
        let by_itself = by_itself.chain(claimed);
        let by_itself = by_itself.map(|letter| Possible { letter, happened: way.happened.clone() });
        let asked = open.iter().filter(|index| !way.happened.contains(index));
        let asked = asked.filter_map(|index| {
            let letter = happen(&entries[*index], way.letter.as_ref(), now)?;
            let mut happened = way.happened.clone();
            happened.push(*index);
            happened.sort_unstable();
            Some(Possible { letter, happened })
        });
        let more: Vec<Possible> = by_itself.chain(asked).collect();
        for way in more {
            if !found.contains(&way) {
                found.push(way);
            }
        }
    }
    found
}

/// What the letter is when the request happens now; `None` where it cannot, with the answer that was given.
fn happen(entry: &Entry, letter: Option<&Letter>, now: Time) -> Option<Option<Letter>> {
    let (Some(letter), ask) = (letter, &entry.ask) else {
        // Nothing is asked of a letter before it is there.
        let Ask::Capture(letter) = &entry.ask else { return None };
        return Some(Some((**letter).clone()));
    };
    let mut after = letter.clone();
    let told = after.answer(ask, entry.told.as_ref(), now);
    let is_so = match &entry.told {
        Some(heard) => *heard == told,
        // What changes nothing may as well not have happened: there are ways enough to follow.
        None => after != *letter,
    };
    is_so.then_some(Some(after))
}
