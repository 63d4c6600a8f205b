//! Looking at a damaged store, and saving what can be saved into a new one.
//!
//! The log is read record by record, as far as there are whole ones. What they say gives a state in which nothing refers to
//! what is lost; its documents and a description of it are written to a new log. So what a salvage writes opens like any store.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use redrive_journal::doctor::{DamagedJournal, Findings, SalvageTarget};
use redrive_journal::{AppendError, Batch, Damage, Disk, MaintainError, OpenError, Options, Reader, Seq, Use};
use redrive_model::{CorruptRecord, DocumentRef};
use redrive_queue::{Checkpoint, Facts, KnownSettings, Loss, Mismatch, Relocate, Salvage, State};

use crate::answer::{location, place};
use crate::log::fill;
use crate::options::EmbeddedOptions;

/// What is wrong with a store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnosis {
    pub segments: u64,
    /// Records that can be read.
    pub records: u64,
    /// Items that are whole, letters included.
    pub items: u64,
    /// What of the log cannot be read.
    pub damages: Vec<Damage>,
    /// What that means for the items.
    pub losses: Vec<Loss>,
}

impl Diagnosis {
    pub fn is_healthy(&self) -> bool {
        self.damages.is_empty() && self.losses.is_empty()
    }
}

impl fmt::Display for Diagnosis {
    /// A line for each finding.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} records in {} segments can be read; {} items are whole",
            self.records, self.segments, self.items
        )?;
        self.damages.iter().try_for_each(|damage| writeln!(f, "{damage}"))?;
        self.losses.iter().try_for_each(|loss| writeln!(f, "{loss}"))
    }
}

/// A store could not be looked at, or not be saved. It was not changed.
#[derive(Debug, thiserror::Error)]
pub enum DoctorError {
    #[error(transparent)]
    Journal(#[from] OpenError),
    /// Written by a version with another format.
    #[error(transparent)]
    Format(CorruptRecord),
    #[error("the new store could not be written")]
    Write(#[from] AppendError),
    #[error("the new store could not be finished")]
    Finish(#[from] MaintainError),
    #[error("the report could not be written")]
    Report(#[source] io::Error),
    #[error("what was saved does not fit together, and was not kept: {0}")]
    Mismatch(#[from] Mismatch),
}

/// The file in a saved store that says what is not in it as it was.
const REPORT: &str = "salvage-report.txt";

/// Reads everything and changes nothing. The store must not be open.
pub fn check(disk: &dyn Disk, directory: &Path) -> Result<Diagnosis, DoctorError> {
    let journal = DamagedJournal::open(disk, directory)?;
    let mut saved = Saved::read(&journal)?;
    let documents = ReadableDocuments::of(&journal, &saved)?;
    for (slot, places) in saved.salvage.items().collect::<Vec<_>>() {
        let readable = places.into_iter().filter(|place| documents.read(slot, *place).is_some());
        let unmoved: Vec<Moved> = readable.map(|place| (place, place)).collect();
        saved.salvage.move_documents(slot, &unmoved);
    }
    saved.finish().map(|(_, diagnosis)| diagnosis)
}

/// Saves what can be saved into a directory that must be empty. The store itself is not changed.
pub fn salvage(disk: &Arc<dyn Disk>, directory: &Path, target: &Path) -> Result<Diagnosis, DoctorError> {
    let journal = DamagedJournal::open(disk.as_ref(), directory)?;
    let mut saved = Saved::read(&journal)?;
    let segment_bytes = journal.segment_bytes().max(EmbeddedOptions::SEGMENT_BYTES_MIN);
    let options = Options { segment_bytes, spares: 1 };
    let mut copy = Copier {
        target: SalvageTarget::begin(Arc::clone(disk), target, options)?,
        batch: Batch::new(),
        facts: Facts::of_new_store(),
        owners: vec![None],
        items: Vec::new(),
        piece_bytes: segment_bytes / 4,
    };
    let documents = ReadableDocuments::of(&journal, &saved)?;
    for (slot, places) in saved.salvage.items().collect::<Vec<_>>() {
        copy.items.push((slot, Vec::new()));
        for place in places {
            if let Some(document) = documents.read(slot, place) {
                if copy.is_full(&document) {
                    copy.flush(&mut saved.salvage, 1)?;
                }
                copy.add(place, document);
            }
        }
    }
    copy.flush(&mut saved.salvage, 0)?;
    let (mut state, diagnosis) = saved.finish()?;
    copy.describe(&mut state)?;
    write_report(disk.as_ref(), target, &diagnosis).map_err(DoctorError::Report)?;
    copy.target.finish()?;
    Ok(diagnosis)
}

/// Where a document was, and where it is now.
type Moved = (DocumentRef, DocumentRef);

/// Reads documents of a damaged store.
struct ReadableDocuments {
    reader: Reader,
    /// The contents that cannot be read where they are now, and that can where they were first.
    first_copies: BTreeMap<DocumentRef, DocumentRef>,
}

impl ReadableDocuments {
    fn of(journal: &DamagedJournal, saved: &Saved) -> Result<Self, DoctorError> {
        let mut documents = Self { reader: journal.reader(), first_copies: BTreeMap::new() };
        if saved.findings.damages.is_empty() {
            return Ok(documents);
        }
        let contents = saved.salvage.items().filter_map(|(slot, places)| Some((slot, *places.first()?)));
        let lost: BTreeMap<u32, DocumentRef> =
            contents.filter(|(slot, content)| documents.read(*slot, *content).is_none()).collect();
        journal.read(|record| {
            let slot = Relocate::slot_of(record.kind, record.body);
            let Some((slot, content)) = slot.and_then(|slot| lost.get_key_value(&slot)) else { return };
            if saved.salvage.is_content_of(*slot, record.kind, record.body) {
                documents.first_copies.insert(*content, place(record.location));
            }
        })?;
        Ok(documents)
    }

    /// A document of an item, if it can be read.
    fn read(&self, slot: u32, place: DocumentRef) -> Option<Relocate> {
        let at = self.first_copies.get(&place).copied().unwrap_or(place);
        let record = self.reader.read(location(at)).ok()?;
        Relocate::new(slot, at, record.kind, &record.body).ok()
    }
}

/// Writes the new store.
struct Copier {
    target: SalvageTarget,
    batch: Batch,
    facts: Facts,
    /// Of each of the facts, whose document it is (by its place among the items), and where that was.
    owners: Vec<Option<(usize, DocumentRef)>>,
    /// Items, with those of their documents that were written.
    items: Vec<(u32, Vec<Moved>)>,
    piece_bytes: usize,
}

impl Copier {
    fn is_full(&self, next: &Relocate) -> bool {
        !self.facts.is_empty() && self.facts.bytes() + next.len() > self.piece_bytes
    }

    /// Adds a document of the last item.
    fn add(&mut self, old: DocumentRef, document: Relocate) {
        document.record(&mut self.facts);
        self.owners.push(Some((self.items.len() - 1, old)));
    }

    /// Writes what was added, and tells where the documents of items are; of the last `open` items, more may come.
    fn flush(&mut self, salvage: &mut Salvage, open: usize) -> Result<(), DoctorError> {
        let places = self.append()?;
        for (owner, new) in std::mem::take(&mut self.owners).into_iter().zip(places) {
            if let Some((item, old)) = owner {
                self.items[item].1.push((old, new));
            }
        }
        let whole = self.items.len().saturating_sub(open);
        for (slot, moved) in self.items.drain(..whole) {
            salvage.move_documents(slot, &moved);
        }
        Ok(())
    }

    /// Writes the facts as one batch; gives where they stand.
    fn append(&mut self) -> Result<Vec<DocumentRef>, DoctorError> {
        fill(&mut self.batch, &self.facts)?;
        self.facts.clear();
        let appended = self.target.journal.append(&mut self.batch, Use::FreesRoom)?;
        Ok(appended.locations.into_iter().map(place).collect())
    }

    /// Describes the state, and has recovery begin there.
    fn describe(&mut self, state: &mut State) -> Result<(), DoctorError> {
        let from = self.target.journal.next();
        let mut checkpoint = Checkpoint::begin(state, &mut self.facts);
        while !checkpoint.proceed(state, self.piece_bytes / 2, &mut self.facts) {
            self.append()?;
        }
        self.append()?;
        self.target.journal.set_recovery_point(from, &[])?;
        Ok(())
    }
}

fn write_report(disk: &dyn Disk, target: &Path, diagnosis: &Diagnosis) -> io::Result<()> {
    let mut text = Vec::new();
    write!(text, "{diagnosis}")?;
    let file = disk.create(&target.join(REPORT))?;
    file.write_all_at(&text, 0)?;
    file.sync()
}

/// What was read of a damaged log.
struct Saved {
    salvage: Salvage,
    findings: Findings,
}

impl Saved {
    /// From the recovery point on; from the beginning, where the description there is damaged.
    fn read(journal: &DamagedJournal) -> Result<Self, DoctorError> {
        let from = journal.recovery_point();
        let mut known = KnownSettings::default();
        journal.read(|record| known.hear(record.kind, record.body))?;
        let certain = Self::take(journal, known.clone(), from)?;
        if from == Seq::FIRST || certain.salvage.is_described() {
            return Ok(certain);
        }
        let certain: BTreeSet<u32> = certain.salvage.items().map(|(slot, _)| slot).collect();
        let mut all = Self::take(journal, known, Seq::FIRST)?;
        all.salvage.compare(&certain);
        Ok(all)
    }

    fn take(journal: &DamagedJournal, known: KnownSettings, from: Seq) -> Result<Self, DoctorError> {
        let point = journal.recovery_point();
        let (mut salvage, mut refused) = (Salvage::new(known), None);
        let findings = journal.read(|record| {
            let place = place(record.location);
            let taken = match record.seq {
                seq if seq < from || refused.is_some() => Ok(()),
                seq if seq < point => salvage.take_earlier(record.kind, record.body, place),
                _ => salvage.take(record.kind, record.body, place),
            };
            refused = refused.or(taken.err());
        })?;
        match refused {
            Some(refused) => Err(DoctorError::Format(refused)),
            None => Ok(Self { salvage, findings }),
        }
    }

    fn finish(self) -> Result<(State, Diagnosis), DoctorError> {
        let Findings { segments, records, damages } = self.findings;
        let (state, mut losses) = self.salvage.finish();
        state.verify()?;
        if damages.is_empty() {
            losses.retain(|loss| !matches!(loss, Loss::Cleared { .. }));
        }
        let items = state.items_in_slots();
        Ok((state, Diagnosis { segments, records, items, damages, losses }))
    }
}
