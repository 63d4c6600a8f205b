//! The state machine as a store drives it: facts are written to a log in batches, and a recovery from the log must give
//! the same state.

use std::collections::HashMap;

use bytes::Bytes;
use redrive_core::Time;
use redrive_model::{DocumentRef, OpContext};
use redrive_queue::{Checkpoint, Facts, KeptDocuments, Relocate, State, Tick};

use super::compare::{Checked, same};

/// The number of records per segment; small, so that there are several segment_usage.
const RECORDS_PER_SHELF: usize = 32;
/// The maximum number of concurrent replicas.
const REPLICAS_MAX: usize = 3;

/// A stored fact.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) kind: u8,
    pub(crate) body: Bytes,
    pub(crate) place: DocumentRef,
}

#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) state: State,
    pub(crate) facts: Facts,
    pub(crate) log: Vec<Record>,
    documents: HashMap<DocumentRef, (u8, Bytes)>,
    replicas: Vec<Replica>,
    /// The running checkpoint, and the index of its first record.
    checkpoint: Option<(Checkpoint, usize)>,
    /// The records from which a recovery may begin.
    pub(crate) points: Vec<usize>,
    /// The number of restarts from a recovery point.
    pub(crate) returns: usize,
}

/// A state that is built by reading the log as it grows.
#[derive(Debug)]
struct Replica {
    state: State,
    /// Whether it has read the log from its first record on.
    is_whole: bool,
    /// Whether the checkpoint at which it began has ended.
    is_complete: bool,
}

impl Machine {
    pub(crate) fn new() -> Self {
        Self {
            state: State::new(),
            facts: Facts::new(),
            log: Vec::new(),
            documents: HashMap::new(),
            replicas: Vec::new(),
            checkpoint: None,
            points: Vec::new(),
            returns: 0,
        }
    }

    /// Adds a replica that reads the log as it grows.
    pub(crate) fn add_replica(&mut self) {
        self.replicas.push(Replica { state: State::new(), is_whole: true, is_complete: true });
    }

    /// Ends a batch: stores its records and passes their places to the state.
    pub(crate) fn close(&mut self) -> Checked {
        let first = self.log.len();
        for (index, recorded) in (first..).zip(self.facts.iter()) {
            let body = Bytes::from([recorded.head, recorded.payload].concat());
            let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
            let segment = number(index / RECORDS_PER_SHELF);
            let place = DocumentRef { segment, offset: number(index), len: number(body.len()) };
            if recorded.slot.is_some() {
                self.documents.insert(place, (recorded.kind, body.clone()));
            }
            self.log.push(Record { kind: recorded.kind, body, place });
        }
        self.state.kept(&self.facts, self.log[first..].iter().map(|record| record.place));
        self.facts.clear();
        for freed in self.state.take_freed() {
            self.documents.remove(&freed).ok_or_else(|| format!("{freed:?} is freed twice"))?;
        }
        for replica in &mut self.replicas {
            replica.read(&self.log[first..])?;
            replica.check(&self.state)?;
        }
        Ok(())
    }

    /// The documents at a place.
    pub(crate) fn kept(&self, place: DocumentRef) -> Checked<KeptDocuments> {
        let (kind, body) = self.record(place)?;
        Facts::kept_in(*kind, body).map_err(|broken| broken.to_string())
    }

    fn record(&self, place: DocumentRef) -> Checked<&(u8, Bytes)> {
        self.documents.get(&place).ok_or_else(|| format!("nothing is stored at {place:?}"))
    }

    /// The number of stored records with documents; `None` after a restart from a recovery point, which does not know
    /// the documents of items that were cleared before.
    pub(crate) fn documents(&self) -> Option<usize> {
        (self.returns == 0).then_some(self.documents.len())
    }

    pub(crate) fn tick(&mut self, limit: usize, op: OpContext) -> bool {
        Tick { limit }.apply(&mut self.state, op, &mut self.facts)
    }

    pub(crate) fn is_anything_due(&self, now: Time) -> bool {
        self.state.next_timer().is_some_and(|at| at <= now)
    }

    /// Relocates a document, like the compaction of a segment.
    pub(crate) fn relocate(&mut self, slot: u32, old: DocumentRef, op: OpContext) -> Checked {
        let (kind, body) = self.record(old)?;
        let relocate = Relocate::new(slot, old, *kind, body).map_err(|broken| broken.to_string())?;
        let is_held = relocate.apply(&mut self.state, op, &mut self.facts);
        same("whether the document is still held", &is_held, &true)
    }

    /// Writes the next piece of a checkpoint, or begins a new one. Only at the start of a batch.
    pub(crate) fn proceed_with_checkpoint(&mut self, budget: usize) -> Checked {
        let Some((checkpoint, point)) = &mut self.checkpoint else {
            let point = self.log.len();
            self.checkpoint = Some((Checkpoint::begin(&mut self.state, &mut self.facts), point));
            if self.replicas.len() < REPLICAS_MAX && !self.replicas.is_empty() {
                self.replicas.push(Replica { state: State::recovering(), is_whole: false, is_complete: false });
            }
            return Ok(());
        };
        if checkpoint.proceed(&mut self.state, budget, &mut self.facts) {
            self.points.push(*point);
            self.checkpoint = None;
            self.close()?;
            for replica in &mut self.replicas {
                replica.is_complete = true;
                replica.check(&self.state)?;
            }
        }
        Ok(())
    }

    /// Restarts the process: it continues with the recovered state. Only at the start of a batch.
    pub(crate) fn restart(&mut self, from_point: bool) -> Checked {
        let point = self.points.last().copied().filter(|_| from_point);
        self.state = recover(point, &self.log)?;
        self.returns += usize::from(point.is_some());
        self.abandon_checkpoint();
        Ok(())
    }

    /// Checks that a recovery from the beginning of the log and from every recovery point gives the current state.
    pub(crate) fn check_recoveries(&self) -> Checked {
        for point in std::iter::once(None).chain(self.points.iter().copied().map(Some)) {
            let recovered = recover(point, &self.log)?;
            check_same_state(&self.state, &recovered).map_err(|wrong| format!("from {point:?}: {wrong}"))?;
        }
        Ok(())
    }

    /// Abandons the running checkpoint. A replica that began with it is complete when the next one has ended.
    pub(crate) fn abandon_checkpoint(&mut self) {
        self.checkpoint = None;
    }
}

impl Replica {
    fn read(&mut self, records: &[Record]) -> Checked {
        for record in records {
            let read = self.state.recover(record.kind, &record.body, record.place);
            read.map_err(|broken| format!("recovery of a record of kind {}: {broken}", record.kind))?;
        }
        Ok(())
    }

    fn check(&mut self, live: &State) -> Checked {
        if !self.is_complete {
            return Ok(());
        }
        self.state.recovered().map_err(|broken| broken.to_string())?;
        check_same_state(live, &self.state)?;
        // A checkpoint does not contain cleared items, so their documents are not counted after it.
        if self.is_whole || live.items_in_slots() == self.state.items_in_slots() {
            same("the usage of segment_usage after recovery", self.state.segment_usage(), live.segment_usage())?;
        }
        Ok(())
    }
}

/// Recovers the state from a log: from its beginning, or from a recovery point.
pub(crate) fn recover(point: Option<usize>, log: &[Record]) -> Checked<State> {
    let state = if point.is_some() { State::recovering() } else { State::new() };
    let mut replica = Replica { state, is_whole: point.is_none(), is_complete: true };
    replica.read(&log[point.unwrap_or(0)..])?;
    replica.state.recovered().map_err(|broken| broken.to_string())?;
    Ok(replica.state)
}

pub(crate) fn check_same_state(live: &State, recovered: &State) -> Checked {
    recovered.same_as(live).map_err(|mismatch| format!("after recovery, {mismatch}"))
}
