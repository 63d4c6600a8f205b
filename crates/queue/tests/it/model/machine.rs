//! The state machine as a store drives it: facts go to a log, batch by batch, and whoever reads the log again
//! must have the same state.

use std::collections::HashMap;

use bytes::Bytes;
use redrive_core::Time;
use redrive_model::{DocumentRef, OpContext};
use redrive_queue::{Checkpoint, Facts, KeptDocuments, Relocate, State, Tick};

use super::compare::{Checked, same};

/// Bodies on one shelf; small, so that there are several.
const RECORDS_PER_SHELF: usize = 32;
/// Recoveries that are followed at once.
const REPLICAS_MAX: usize = 3;

/// A fact as a store keeps it.
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
    /// A description that is under way, and the record that it began with.
    sweep: Option<(Checkpoint, usize)>,
    /// The records from which a recovery may begin.
    pub(crate) points: Vec<usize>,
    /// How often the process came back at a recovery point.
    pub(crate) returns: usize,
}

/// Somebody who reads the log as it grows.
#[derive(Debug)]
struct Replica {
    state: State,
    /// It has read the log from its first record on.
    is_whole: bool,
    /// The description that it began with has ended.
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
            sweep: None,
            points: Vec::new(),
            returns: 0,
        }
    }

    /// From now on, the log is read as it grows.
    pub(crate) fn follow(&mut self) {
        self.replicas.push(Replica { state: State::new(), is_whole: true, is_complete: true });
    }

    /// Ends a batch: its records are kept, and the state is told where.
    pub(crate) fn close(&mut self) -> Checked {
        let first = self.log.len();
        for (index, recorded) in (first..).zip(self.facts.iter()) {
            let body = Bytes::from([recorded.head, recorded.payload].concat());
            let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
            let shelf = number(index / RECORDS_PER_SHELF);
            let place = DocumentRef { shelf, offset: number(index), len: number(body.len()) };
            if recorded.slot.is_some() {
                self.documents.insert(place, (recorded.kind, body.clone()));
            }
            self.log.push(Record { kind: recorded.kind, body, place });
        }
        self.state.kept(&self.facts, self.log[first..].iter().map(|record| record.place));
        self.facts.clear();
        for freed in self.state.take_freed() {
            self.documents.remove(&freed).ok_or_else(|| format!("{freed:?} is given back twice"))?;
        }
        for replica in &mut self.replicas {
            replica.read(&self.log[first..])?;
            replica.check(&self.state)?;
        }
        Ok(())
    }

    /// What the state says is kept.
    pub(crate) fn kept(&self, place: DocumentRef) -> Checked<KeptDocuments> {
        let (kind, body) = self.record(place)?;
        Facts::kept_in(*kind, body).map_err(|broken| broken.to_string())
    }

    fn record(&self, place: DocumentRef) -> Checked<&(u8, Bytes)> {
        self.documents.get(&place).ok_or_else(|| format!("nothing is kept at {place:?}"))
    }

    /// How many records with documents were kept and not given back; `None` where that cannot be known any more: what was cleared
    /// away before a recovery point is not heard of behind it.
    pub(crate) fn documents(&self) -> Option<usize> {
        (self.returns == 0).then_some(self.documents.len())
    }

    pub(crate) fn tick(&mut self, limit: usize, op: OpContext) -> bool {
        Tick { limit }.apply(&mut self.state, op, &mut self.facts)
    }

    pub(crate) fn is_anything_due(&self, now: Time) -> bool {
        self.state.next_timer().is_some_and(|at| at <= now)
    }

    /// Writes a document again elsewhere, as whoever clears a shelf does.
    pub(crate) fn relocate(&mut self, slot: u32, old: DocumentRef, op: OpContext) -> Checked {
        let (kind, body) = self.record(old)?;
        let relocate = Relocate::new(slot, old, *kind, body).map_err(|broken| broken.to_string())?;
        let is_held = relocate.apply(&mut self.state, op, &mut self.facts);
        same("whether the document is still held", &is_held, &true)
    }

    /// Describes a little more of the state; begins anew when all was described. Only at the start of a batch.
    pub(crate) fn describe(&mut self, budget: usize) -> Checked {
        let Some((sweep, point)) = &mut self.sweep else {
            let point = self.log.len();
            self.sweep = Some((Checkpoint::begin(&mut self.state, &mut self.facts), point));
            if self.replicas.len() < REPLICAS_MAX && !self.replicas.is_empty() {
                self.replicas.push(Replica { state: State::recovering(), is_whole: false, is_complete: false });
            }
            return Ok(());
        };
        if sweep.proceed(&mut self.state, budget, &mut self.facts) {
            self.points.push(*point);
            self.sweep = None;
            self.close()?;
            for replica in &mut self.replicas {
                replica.is_complete = true;
                replica.check(&self.state)?;
            }
        }
        Ok(())
    }

    /// The process ends and comes back: it goes on with what it reads. Only at the start of a batch.
    pub(crate) fn restart(&mut self, from_point: bool) -> Checked {
        let point = self.points.last().copied().filter(|_| from_point);
        self.state = recover(point, &self.log)?;
        self.returns += usize::from(point.is_some());
        self.abandon();
        Ok(())
    }

    /// Whoever opens the log now, at its beginning or at any recovery point, has today's state.
    pub(crate) fn check_recoveries(&self) -> Checked {
        for point in std::iter::once(None).chain(self.points.iter().copied().map(Some)) {
            alike(&self.state, &recover(point, &self.log)?).map_err(|wrong| format!("from {point:?}: {wrong}"))?;
        }
        Ok(())
    }

    /// A description ends in the middle. Whoever reads it knows everything when the next one has ended.
    pub(crate) fn abandon(&mut self) {
        self.sweep = None;
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
        alike(live, &self.state)?;
        // What was cleared away before a recovery point is not described, so its documents are not counted.
        if self.is_whole || live.items_in_slots() == self.state.items_in_slots() {
            same("the shelves after recovery", self.state.shelves(), live.shelves())?;
        }
        Ok(())
    }
}

/// The state that a log leads to: from its beginning, or from a recovery point on.
pub(crate) fn recover(point: Option<usize>, log: &[Record]) -> Checked<State> {
    let state = if point.is_some() { State::recovering() } else { State::new() };
    let mut replica = Replica { state, is_whole: point.is_none(), is_complete: true };
    replica.read(&log[point.unwrap_or(0)..])?;
    replica.state.recovered().map_err(|broken| broken.to_string())?;
    Ok(replica.state)
}

pub(crate) fn alike(live: &State, recovered: &State) -> Checked {
    recovered.same_as(live).map_err(|mismatch| format!("after recovery, {mismatch}"))
}
