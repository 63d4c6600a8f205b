//! Reading ahead in queues with a backlog, so that leases do not wait for reads from disk.

use redrive_model::DocumentRef;

use super::Writer;
use crate::answer::{LastLease, location};
use crate::persistence::Persistence;
use crate::readers::ReadAhead;

/// The read-ahead window: as many items as this many leases like the last one get, within these limits of items and
/// bytes. The minimum exists because waking a reader thread for a few items takes longer than reading them.
const LEASES: usize = 8;
const ITEMS_MIN: usize = 256;
const ITEMS_MAX: usize = 2048;
const BYTES_MAX: usize = 2 << 20;

impl Writer {
    /// Reads ahead the contents that the next leases will need, once less than half of the window is cached.
    pub(super) fn read_ahead(&mut self, last: &LastLease) {
        let Persistence::Log(log) = &self.persistence else { return };
        let LastLease { queue, partition, count } = last;
        let place = |slot: u32| self.state.place_of(slot).map(|place| (slot, place));
        let upcoming = |count| self.state.upcoming(queue, *partition, count).filter_map(place);
        // The window is estimated from the length of the next content: contents that do not fit into the cache would be
        // read repeatedly and for nothing.
        let Some((_, next)) = upcoming(1).next() else { return };
        let fit = (BYTES_MAX / (next.len as usize).max(1)).max(1);
        let window = count.saturating_mul(LEASES).clamp(ITEMS_MIN, ITEMS_MAX).min(fit);
        let middle = self.state.upcoming(queue, *partition, window).take(window / 2 + 1).last();
        let is_cached = |place: DocumentRef| log.cache.get(place).is_some();
        if middle.and_then(place).is_none_or(|(_, place)| is_cached(place)) {
            return;
        }
        let mut bytes = 0;
        let fitting = upcoming(window).take_while(|(_, place)| {
            bytes += place.len as usize;
            bytes <= BYTES_MAX
        });
        let documents: Vec<(u32, DocumentRef)> = fitting.filter(|(_, place)| !is_cached(*place)).collect();
        if documents.is_empty() {
            return;
        }
        let Some(running) = self.read_ahead_runs.begin(queue, *partition) else { return };
        // An error is ignored here: it is reported to the caller that leases the item.
        if let Ok(reader) = log.reader().pinned(documents.iter().map(|(_, place)| location(*place))) {
            self.readers.read_ahead(ReadAhead { documents, reader, running });
        }
    }

    /// Puts the contents that were read ahead into the cache.
    pub(super) fn cache_read_ahead(&mut self) {
        let Persistence::Log(log) = &mut self.persistence else { return };
        for (slot, place, content) in self.readers.fetched.take().into_iter().flat_map(|fetch| fetch.contents) {
            // If the item has been moved or removed meanwhile, the content is not cached: it would never be removed
            // again.
            if self.state.holds(slot, place) {
                log.cache.put_read_ahead(place, content);
            }
        }
    }
}
