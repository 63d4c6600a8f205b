//! Random events on a log, and on the model of it: assignments and arriving records.

use std::collections::BTreeMap;
use std::sync::Arc;

use redrive_core::{Span, Time};

use super::broker::BrokerPartition;
use super::model::{MapRule, ModelArrival, ModelPartition};
use super::random::LogRandom;
use crate::KafkaSettings;
use crate::log::{CompletionMap, Log, RecordFence};
use crate::record::Record;
use crate::settings::{OffsetMetadata, OrderingMode};

#[derive(Debug)]
pub(super) struct LogScenario {
    pub(super) random: LogRandom,
    pub(super) settings: Arc<KafkaSettings>,
    pub(super) map: MapRule,
    pub(super) log: Log,
    pub(super) now: Time,
    pub(super) brokers: Vec<BrokerPartition>,
    /// By epoch.
    pub(super) partitions: BTreeMap<u64, ModelPartition>,
    /// All fences that were issued.
    pub(super) fences: Vec<RecordFence>,
    pub(super) is_over: bool,
    /// The last claim, if it found less than it wanted: the next one waits.
    pub(super) waiter: Option<WaitingClaim>,
    pub(super) counts: ScenarioCounts,
}

/// A claim that waits for records.
#[derive(Debug)]
pub(super) struct WaitingClaim {
    /// When it looks again without being woken.
    pub(super) until: Option<Time>,
    pub(super) is_woken: bool,
}

/// Events that are rarer than others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RareEvent {
    /// A record was skipped because an earlier assignment had done it.
    Skipped,
    Stale,
    Regressed,
    /// A map was dropped because offsets are used again.
    MapDropped,
    LetterInCommit,
    Drained,
    Lost,
    Paused,
    /// A record blocked its partition for too long.
    Forced,
    /// The client yielded a record a second time.
    Repeated,
}

/// How often the rarer events happened.
#[derive(Debug, Default)]
pub(super) struct ScenarioCounts([u64; RareEvent::Repeated as usize + 1]);

impl ScenarioCounts {
    pub(super) fn add(&mut self, event: RareEvent, times: u64) {
        self.0[event as usize] += times;
    }

    pub(super) const fn count(&self, event: RareEvent) -> u64 {
        self.0[event as usize]
    }

    pub(super) fn add_all(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }

    /// Whether each event occurred at least once in ten scenarios, on average.
    pub(super) fn has_everything(&self, scenarios: u64) -> bool {
        self.0.iter().all(|count| *count * 10 >= scenarios)
    }
}

impl LogScenario {
    pub(super) fn new(mut random: LogRandom) -> Self {
        let ordering =
            random.one_of(&[OrderingMode::Key, OrderingMode::Key, OrderingMode::Partition, OrderingMode::Unordered]);
        let map = random.one_of(&[MapRule::Whole, MapRule::Whole, MapRule::Part, MapRule::None]).unwrap();
        let settings = Arc::new(KafkaSettings {
            ordering_mode: ordering.unwrap(),
            queue_max_messages: 10 + random.below(30),
            queue_max_bytes: 8_000 + random.below(20_000) as u64,
            resume_percent: 70,
            max_blocking_duration: if random.one_in(3) { Span::from_secs(4) } else { Span::ZERO },
            offset_metadata_bytes: if map == MapRule::Part { 12 + random.below(8) } else { 4_000 },
            offset_metadata: if map == MapRule::None {
                OffsetMetadata::ContiguousOnly
            } else {
                OffsetMetadata::CompletionMap
            },
            ..KafkaSettings::default()
        });
        let brokers = 0..=i32::try_from(random.below(3)).unwrap();
        Self {
            brokers: brokers.map(|number| BrokerPartition::new(number, &mut random)).collect(),
            log: Log::new(Arc::clone(&settings)),
            settings,
            map,
            random,
            now: Time::from_secs(1_000),
            partitions: BTreeMap::new(),
            fences: Vec::new(),
            is_over: false,
            waiter: None,
            counts: ScenarioCounts::default(),
        }
    }

    pub(super) fn step(&mut self) {
        let broker = self.random.below(self.brokers.len());
        match self.random.below(117) {
            0..=14 => {
                let count = self.random.below(5);
                self.brokers[broker].append(count, &mut self.random);
            }
            15..=29 => self.deliver(broker),
            30..=44 => {
                let count = 1 + self.random.below(12);
                self.claim(count);
            }
            45..=79 => self.settle(),
            80..=84 => self.now = self.now.saturating_add(Span::from_millis(self.random.below(3_000) as u64)),
            85..=91 => {
                let is_confirmed = !self.random.one_in(4);
                self.commit(None, is_confirmed);
            }
            92..=93 => self.note_client_positions(),
            94..=101 => self.assign(broker),
            102..=103 => self.withdraw(broker),
            104..=107 => self.end_draining(),
            108..=110 => self.lose(broker),
            _ => self.reuse_offsets(broker),
        }
        self.compare();
    }

    // Assignments

    pub(super) fn assign(&mut self, broker: usize) {
        let BrokerPartition { at, committed, epoch, .. } = &mut self.brokers[broker];
        if epoch.is_some() {
            return;
        }
        let committed = committed.as_ref().map(|(position, metadata)| {
            (*position, CompletionMap::decode(*position, metadata).unwrap(), metadata.clone())
        });
        let model = ModelPartition::new(broker, self.settings.ordering_mode, committed.clone(), self.now);
        let new = self.log.assign(at, committed, self.now);
        assert!(self.partitions.last_key_value().is_none_or(|(newest, _)| new > *newest), "epochs rise");
        *epoch = Some(new);
        self.partitions.insert(new, model);
        self.brokers[broker].rewind();
    }

    pub(super) fn withdraw(&mut self, broker: usize) {
        let Some(epoch) = self.brokers[broker].epoch.take() else { return };
        self.log.withdraw(&[epoch]);
        self.partitions.get_mut(&epoch).unwrap().is_draining = true;
    }

    pub(super) fn draining(&self) -> Vec<u64> {
        let draining = self.partitions.iter().filter(|(_, model)| model.is_draining);
        draining.map(|(epoch, _)| *epoch).collect()
    }

    /// Ends a revocation: with a last commit, unless the partition was assigned again meanwhile.
    pub(super) fn end_draining(&mut self) {
        let draining = self.draining();
        let Some(epoch) = self.random.one_of(&draining) else { return };
        let broker = self.partitions[&epoch].broker;
        let assignments = self.partitions.values().filter(|model| model.broker == broker).count();
        if assignments == 1 {
            let is_confirmed = !self.random.one_in(4);
            self.commit(Some(epoch), is_confirmed);
        }
        self.counts.add(RareEvent::Drained, 1);
        self.remove(epoch);
    }

    pub(super) fn lose(&mut self, broker: usize) {
        let Some(epoch) = self.brokers[broker].epoch.take() else { return };
        self.counts.add(RareEvent::Lost, 1);
        self.remove(epoch);
    }

    pub(super) fn remove(&mut self, epoch: u64) {
        let cancel = self.log.partitions().find(|partition| partition.epoch == epoch).unwrap().cancel.clone();
        self.log.remove(&[epoch]);
        self.partitions.remove(&epoch);
        assert!(cancel.is_cancelled(), "the holders of the claims are notified");
    }

    /// The topic is created again, or the end of the partition is lost: its offsets are used a second time.
    pub(super) fn reuse_offsets(&mut self, broker: usize) {
        // A commit of an assignment that drains would be about the offsets of before.
        for epoch in self.draining() {
            if self.partitions[&epoch].broker == broker {
                self.remove(epoch);
            }
        }
        match self.brokers[broker].epoch {
            Some(_) if !self.random.one_in(6) => {}
            Some(epoch) if self.partitions[&epoch].records.is_empty() => self.lose(broker),
            Some(epoch) => {
                let has_map = self.partitions[&epoch].has_map();
                let partition = &mut self.brokers[broker];
                // Sometimes the client returns the last records of before with the first ones of after.
                let mut records = partition.read(if has_map { 0 } else { 3 });
                partition.recreate(&mut self.random);
                records.extend(partition.read(1));
                self.deliver_records(broker, &records);
            }
            None => self.truncate(broker),
        }
    }

    /// Loses the end of a partition that has no owner: its committed position is beyond the end then.
    pub(super) fn truncate(&mut self, broker: usize) {
        let partition = &mut self.brokers[broker];
        let committed = partition.committed.as_ref().map(|(position, _)| *position);
        let Some(committed) = committed.filter(|committed| *committed > partition.start) else { return };
        let kept = usize::try_from(committed - partition.start).unwrap();
        let end = partition.start + self.random.offset_below(kept);
        partition.truncate(end, &mut self.random);
        self.assign(broker);
        // The client finds its position beyond the end, and starts again.
        self.brokers[broker].next_read = self.brokers[broker].start;
        self.deliver(broker);
        // Until the next commit, the committed position is about the offsets of before.
        self.commit(None, true);
    }

    // Records

    pub(super) fn deliver(&mut self, broker: usize) {
        if self.brokers[broker].epoch.is_none() {
            return self.deliver_while_draining(broker);
        }
        let count = 1 + self.random.below(8);
        // After a pause, the client may yield its last record again.
        let again = self.brokers[broker].last_read().filter(|last| {
            let model = &self.partitions[&self.brokers[broker].epoch.unwrap()];
            self.random.one_in(8) && model.records.last().is_some_and(|delivered| delivered.offset == last.offset)
        });
        let read = self.brokers[broker].read(count);
        let records: Vec<Record> = again.into_iter().chain(read).collect();
        self.deliver_records(broker, &records);
    }

    pub(super) fn deliver_records(&mut self, broker: usize, records: &[Record]) {
        let epoch = self.brokers[broker].epoch.unwrap();
        let delivered = self.log.deliver(epoch, records.to_vec(), self.now);
        let mut expected = epoch;
        for record in records {
            expected = self.expect_arrival(expected, delivered, record);
        }
        assert_eq!(delivered, expected);
        self.brokers[broker].epoch = Some(delivered);
    }

    /// Delivers a record to the model. Returns the epoch that it belongs to, which is `next` if the offsets went back.
    pub(super) fn expect_arrival(&mut self, epoch: u64, next: u64, record: &Record) -> u64 {
        let model = self.partitions.get_mut(&epoch).unwrap();
        let had_map = model.has_map();
        match model.deliver(record) {
            ModelArrival::Open => {}
            ModelArrival::Repeated => self.counts.add(RareEvent::Repeated, 1),
            ModelArrival::Skipped => {
                let broker = &self.brokers[model.broker];
                assert!(broker.done.contains(&record.offset), "{} was skipped and is not done", record.offset);
                self.counts.add(RareEvent::Skipped, 1);
            }
            ModelArrival::Regressed => {
                assert!(next > epoch, "offsets that go back are another assignment");
                self.counts.add(RareEvent::Regressed, 1);
                let mut fresh = ModelPartition::new(model.broker, self.settings.ordering_mode, None, self.now);
                fresh.deliver(record);
                fresh.note_first(self.now);
                self.partitions.remove(&epoch);
                self.partitions.insert(next, fresh);
                return next;
            }
        }
        model.note_first(self.now);
        self.counts.add(RareEvent::MapDropped, u64::from(had_map && !model.has_map()));
        epoch
    }

    /// Records that arrive for a draining assignment belong to the next one.
    pub(super) fn deliver_while_draining(&mut self, broker: usize) {
        let draining = self.partitions.iter().find(|(_, model)| model.broker == broker);
        let Some((epoch, _)) = draining else { return };
        let records = self.brokers[broker].records.clone();
        assert_eq!(self.log.deliver(*epoch, records, self.now), *epoch);
    }

    pub(super) fn note_client_positions(&mut self) {
        for broker in &self.brokers {
            let Some(epoch) = broker.epoch else { continue };
            let position = if broker.has_unread() { broker.next_read } else { broker.end.max(broker.next_read) };
            self.log.set_client_position(&broker.at, position);
            self.partitions.get_mut(&epoch).unwrap().client_position = Some(position);
        }
    }
}
