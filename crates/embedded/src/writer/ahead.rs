//! Reading ahead of those who lease out of a backlog, so that nobody waits for a read.

use redrive_model::DocumentRef;

use super::Writer;
use crate::answer::{LastLease, location};
use crate::persistence::Persistence;
use crate::readers::Ahead;

/// As many items are read ahead as so many leases like the last one get, but no fewer and no more than these, and no more
/// bytes. Whoever is woken for a few spends more time on that than on reading.
const LEASES: usize = 8;
const ITEMS_MIN: usize = 256;
const ITEMS_MAX: usize = 2048;
const BYTES_MAX: usize = 2 << 20;

impl Writer {
    /// Has read what the next leases will ask for, when half of it is not at hand any more.
    pub(super) fn read_ahead(&mut self, last: &LastLease) {
        let Persistence::Log(log) = &self.persistence else { return };
        let LastLease { queue, partition, count } = last;
        let place = |slot: u32| self.state.place_of(slot).map(|place| (slot, place));
        let upcoming = |count| self.state.upcoming(queue, *partition, count).filter_map(place);
        // As if all were as long as the next one: what does not fit would be read for nothing, again and again.
        let Some((_, next)) = upcoming(1).next() else { return };
        let fit = (BYTES_MAX / (next.len as usize).max(1)).max(1);
        let window = count.saturating_mul(LEASES).clamp(ITEMS_MIN, ITEMS_MAX).min(fit);
        let middle = self.state.upcoming(queue, *partition, window).take(window / 2 + 1).last();
        let is_at_hand = |place: DocumentRef| log.cache.get(place).is_some();
        if middle.and_then(place).is_none_or(|(_, place)| is_at_hand(place)) {
            return;
        }
        let mut bytes = 0;
        let in_reach = upcoming(window).take_while(|(_, place)| {
            bytes += place.len as usize;
            bytes <= BYTES_MAX
        });
        let wanted: Vec<(u32, DocumentRef)> = in_reach.filter(|(_, place)| !is_at_hand(*place)).collect();
        if wanted.is_empty() {
            return;
        }
        let Some(running) = self.under_way.begin(queue, *partition) else { return };
        // What cannot be read is told to whoever asks for it.
        if let Ok(reader) = log.reader().pinned(wanted.iter().map(|(_, place)| location(*place))) {
            self.readers.read_ahead(Ahead { wanted, reader, running });
        }
    }

    /// Takes what was read ahead.
    pub(super) fn keep_ahead(&mut self) {
        let Persistence::Log(log) = &mut self.persistence else { return };
        for (slot, place, content) in self.readers.fetched.take().into_iter().flat_map(|fetch| fetch.contents) {
            // It may have been written again elsewhere, or be gone: nobody would ever take it from the shelf.
            if self.state.holds(slot, place) {
                log.cache.put_ahead(place, content);
            }
        }
    }
}
