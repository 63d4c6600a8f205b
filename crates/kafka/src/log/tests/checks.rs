//! Commits, and the comparison of the log with the model.

use redrive_core::{Span, Time};

use super::broker::BrokerPartition;
use super::model::{ModelPartition, ModelState};
use super::results::ClaimResult;
use super::scenario::{LogScenario, RareEvent};
use crate::KafkaSettings;
use crate::log::{CommitPoint, RecordFence};

impl LogScenario {
    // Commits

    /// Commits one assignment, or all that are not draining; sometimes with letters, which become durable with it.
    pub(super) fn commit(&mut self, of: Option<u64>, is_confirmed: bool) {
        let is_chosen = |(epoch, model): &(&u64, &ModelPartition)| of.map_or(!model.is_draining, |of| of == **epoch);
        let chosen: Vec<u64> = self.partitions.iter().filter(is_chosen).map(|(epoch, _)| *epoch).collect();
        let mut letters = Vec::new();
        if self.random.one_in(2) {
            for epoch in &chosen {
                let records = self.partitions[epoch].records.iter().enumerate();
                let handing_over = records.filter(|(_, record)| record.state == ModelState::HandingOver);
                letters.extend(handing_over.map(|(index, record)| RecordFence {
                    epoch: *epoch,
                    seq: index as u64,
                    delivery: record.deliveries,
                }));
            }
            letters.retain(|_| !self.random.one_in(3));
        }
        let points = self.log.commits(of.as_ref().map(std::slice::from_ref), &letters);
        self.check_points(&chosen, &points, &letters);
        for letter in &letters {
            let result = if is_confirmed { ClaimResult::HandedOver } else { ClaimResult::HandOverFailed };
            self.report(*letter, result);
            self.counts.add(RareEvent::LetterInCommit, u64::from(is_confirmed));
        }
        for point in points.into_iter().filter(|_| is_confirmed) {
            let model = self.partitions.get_mut(&point.epoch).unwrap();
            model.confirmed = Some((point.position, point.metadata.clone()));
            self.brokers[model.broker].commit(point.position, point.metadata.clone());
            self.log.confirm(point);
        }
    }

    pub(super) fn check_points(&self, chosen: &[u64], points: &[CommitPoint], letters: &[RecordFence]) {
        assert!(points.iter().all(|point| chosen.contains(&point.epoch)), "only the chosen assignments are committed");
        for epoch in chosen {
            let model = &self.partitions[epoch];
            let next = points.iter().find(|point| point.epoch == *epoch);
            assert!(next.is_none_or(|next| next.at == self.brokers[model.broker].at));
            let next = next.map(|next| (next.position, next.metadata.clone()));
            let of_epoch = letters.iter().filter(|letter| letter.epoch == *epoch);
            let letters: Vec<usize> = of_epoch.map(|letter| usize::try_from(letter.seq).unwrap()).collect();
            model.check_commit(next.as_ref(), &letters, self.map);
        }
    }

    // Checks

    pub(super) fn compare(&mut self) {
        let epochs: Vec<u64> = self.partitions.keys().copied().collect();
        assert_eq!(self.log.epochs(), epochs);
        for real in self.log.partitions() {
            self.partitions[&real.epoch].compare(real);
        }
        for (epoch, model) in &self.partitions {
            assert_eq!(self.log.is_drained(&[*epoch]), model.held() == 0);
        }
        for broker in &self.brokers {
            assert_eq!(self.log.epoch_of(&broker.at), broker.epoch);
        }
        let points = self.log.commits(Some(&epochs), &[]);
        self.check_points(&epochs, &points, &[]);
        self.check_waiter();
        assert_eq!(self.log.totals.stale_results, self.counts.count(RareEvent::Stale));
        assert_eq!(self.log.totals.restored_skipped, self.counts.count(RareEvent::Skipped));
        assert_eq!(self.log.totals.forced, self.counts.count(RareEvent::Forced));
        self.compare_pressure();
        for index in self.fences.len().saturating_sub(40)..self.fences.len() {
            let fence = self.fences[index];
            let state = self.record_of(fence).map(|record| record.state);
            let is_held = matches!(state, Some(ModelState::Claimed | ModelState::HandingOver));
            assert_eq!(self.log.is_held(fence), is_held, "{fence:?}");
        }
    }

    /// A claim that waits is woken when a record becomes available, and when one becomes due before it looks again.
    fn check_waiter(&mut self) {
        let is_woken = self.log.take_wake();
        let forced_at =
            |model: &ModelPartition| self.settings.blocking_limit().and_then(|longest| model.forced_at(longest));
        let times = self.partitions.values().flat_map(|model| [model.next_time(), forced_at(model)]);
        let first_time = times.flatten().min();
        let is_in_time = |next: Option<Time>| first_time.is_none_or(|at| next.is_some_and(|next| next <= at));
        assert!(is_in_time(self.log.next_time()), "a claim wakes in time");
        let Some(waiter) = &mut self.waiter else { return };
        waiter.is_woken |= is_woken;
        let is_available = self.partitions.values().any(|model| !model.is_draining && !model.runnable().is_empty());
        assert!(waiter.is_woken || !is_available, "a claim was not woken");
        assert!(waiter.is_woken || is_in_time(waiter.until), "a claim was not woken for an earlier time");
    }

    /// Above a limit no more records are accepted, until both loads are below their share.
    pub(super) fn compare_pressure(&mut self) {
        let loads: Vec<(usize, u64)> = self.partitions.values().map(ModelPartition::load).collect();
        let open: usize = loads.iter().map(|(open, _)| open).sum();
        let bytes: u64 = loads.iter().map(|(_, bytes)| bytes).sum();
        let KafkaSettings { queue_max_messages: open_max, queue_max_bytes: bytes_max, resume_percent, .. } =
            *self.settings;
        let percent = usize::from(resume_percent);
        let is_within = open * 100 <= open_max * percent && bytes * 100 <= bytes_max * percent as u64;
        let was_over = self.is_over;
        self.is_over = if was_over { !is_within } else { open >= open_max || bytes >= bytes_max };
        self.counts.add(RareEvent::Paused, u64::from(self.is_over && !was_over));
        assert_eq!(self.log.is_over(), self.is_over, "{open} records, {bytes} bytes of {open_max}, {bytes_max}");
    }

    /// Ends all work. Then everything is done, and the committed positions are the ends.
    pub(super) fn quiesce(&mut self) {
        while self.partitions.values().any(|model| model.is_draining) {
            self.end_draining();
            self.compare();
        }
        for broker in 0..self.brokers.len() {
            self.assign(broker);
        }
        let is_busy = |scenario: &Self| {
            scenario.brokers.iter().any(BrokerPartition::has_unread)
                || scenario.partitions.values().any(|model| model.load().0 > 0)
        };
        for round in 0.. {
            if !is_busy(self) {
                break;
            }
            assert!(round < 10_000, "the work does not end");
            (0..self.brokers.len()).for_each(|broker| self.deliver(broker));
            self.now = self.now.saturating_add(Span::from_secs(10));
            self.claim(10);
            for fence in self.held_fences() {
                let is_letter = self.record_of(fence).unwrap().state == ModelState::HandingOver;
                self.report(fence, if is_letter { ClaimResult::HandedOver } else { ClaimResult::Finish });
            }
            self.compare();
        }
        self.note_client_positions();
        self.commit(None, true);
        self.compare();
        self.assert_all_done();
    }

    pub(super) fn assert_all_done(&self) {
        for broker in &self.brokers {
            let undone = broker.records.iter().find(|record| !broker.done.contains(&record.offset));
            assert!(undone.is_none(), "{undone:?} was never done");
            let Some(last) = broker.records.last() else { continue };
            let (position, metadata) = broker.committed.as_ref().unwrap();
            // An assignment without a record commits nothing, and so keeps to the position of the one before.
            let has_records = broker.epoch.is_some_and(|epoch| !self.partitions[&epoch].records.is_empty());
            let is_at_end = if has_records { *position == broker.end } else { *position > last.offset };
            assert!(is_at_end && metadata.is_empty(), "the commit is not the end: {broker:?}");
        }
        for real in self.log.partitions() {
            assert_eq!((real.open(), real.bytes, real.held(), real.gaps()), (0, 0, 0, 0));
        }
    }
}
