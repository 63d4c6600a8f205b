//! Archive or remove letters, each only if it is still as somebody saw it.
//!
//! Whoever acts on many letters has looked at them before, and decided by what there was to see. Only here can nothing
//! change between a second look and the act.

use std::collections::HashSet;

use redrive_core::{LetterId, QueueName};

use super::check_count;
use crate::fact::Facts;
use crate::{Moment, Refusal, State};

/// One act on letters that are as they were seen; the others stay as they are.
#[derive(Debug, Clone)]
pub struct ActOnSeen {
    pub queue: QueueName,
    pub letters: Vec<SeenLetter>,
    pub act: SeenAct,
}

/// A letter as somebody saw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenLetter {
    pub id: LetterId,
    pub revision: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeenAct {
    Archive,
    Purge,
}

/// What became of one letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acted {
    Done,
    /// It is not as it was seen, and nothing was done.
    Changed,
    /// It was not there any more.
    Gone,
}

impl ActOnSeen {
    /// What became of each letter, in their order.
    pub fn apply(self, state: &mut State, moment: Moment, facts: &mut Facts) -> Result<Vec<Acted>, Refusal> {
        let number = state.queue_number(&self.queue)?;
        check_count("letters", self.letters.len())?;
        let mut acted = Vec::with_capacity(self.letters.len());
        // Those that are removed become one fact, so whoever is named twice is known here.
        let mut removed = Vec::new();
        let mut is_removed = HashSet::new();
        for seen in self.letters {
            acted.push(match (state.slot_of_letter(number, seen.id), self.act) {
                (None, _) => Acted::Gone,
                (Some((slot, _)), _) if is_removed.contains(&slot) => Acted::Gone,
                (Some((_, letter)), _) if letter.revision != seen.revision => Acted::Changed,
                (Some((slot, _)), SeenAct::Archive) => {
                    state.put_away_once(slot, moment, facts);
                    Acted::Done
                }
                (Some((slot, _)), SeenAct::Purge) => {
                    removed.push(slot);
                    is_removed.insert(slot);
                    Acted::Done
                }
            });
        }
        state.purge_slots(removed, facts);
        Ok(acted)
    }
}
