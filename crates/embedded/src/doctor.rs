//! Checking a damaged store, and salvaging its readable content into a new store.
//!
//! All intact records of the log are read. They yield a state without references to lost data; its documents and a
//! checkpoint of it are written to a new log. So a salvaged store opens like any other.

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

/// The result of checking or salvaging a store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnosis {
    pub segments: u64,
    /// Readable records.
    pub records: u64,
    /// Intact items, including letters.
    pub items: u64,
    /// Unreadable parts of the log.
    pub damages: Vec<Damage>,
    /// The consequences for items.
    pub losses: Vec<Loss>,
}

impl Diagnosis {
    pub fn is_healthy(&self) -> bool {
        self.damages.is_empty() && self.losses.is_empty()
    }
}

impl fmt::Display for Diagnosis {
    /// A summary line, then one line per finding.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} records in {} segments are readable; {} items are intact",
            self.records, self.segments, self.items
        )?;
        self.damages.iter().try_for_each(|damage| writeln!(f, "{damage}"))?;
        self.losses.iter().try_for_each(|loss| writeln!(f, "{loss}"))
    }
}

/// A store could not be checked or salvaged. It was not changed.
#[derive(Debug, thiserror::Error)]
pub enum DoctorError {
    #[error(transparent)]
    Journal(#[from] OpenError),
    /// The store was written by a version with another format.
    #[error(transparent)]
    Format(CorruptRecord),
    #[error("the new store could not be written")]
    Write(#[from] AppendError),
    #[error("the new store could not be finished")]
    Finish(#[from] MaintainError),
    #[error("the report could not be written")]
    Report(#[source] io::Error),
    #[error("the recovered state is inconsistent and was discarded: {0}")]
    Mismatch(#[from] Mismatch),
}

/// The file in a salvaged store that lists what was lost or changed.
const REPORT: &str = "salvage-report.txt";

/// Reads the whole store and reports damage. Nothing is changed. The store must not be open.
pub fn check(disk: &dyn Disk, directory: &Path) -> Result<Diagnosis, DoctorError> {
    let journal = DamagedJournal::open(disk, directory)?;
    let mut saved = SalvagedLog::read(&journal)?;
    let documents = ReadableDocuments::of(&journal, &saved)?;
    for (slot, places) in saved.salvage.items().collect::<Vec<_>>() {
        let readable = places.into_iter().filter(|place| documents.read(slot, *place).is_some());
        let unmoved: Vec<Moved> = readable.map(|place| (place, place)).collect();
        saved.salvage.move_documents(slot, &unmoved);
    }
    saved.finish().map(|(_, diagnosis)| diagnosis)
}

/// Salvages the readable content of a store into the directory `target`, which must be empty. The store is not changed.
pub fn salvage(disk: &Arc<dyn Disk>, directory: &Path, target: &Path) -> Result<Diagnosis, DoctorError> {
    let journal = DamagedJournal::open(disk.as_ref(), directory)?;
    let mut saved = SalvagedLog::read(&journal)?;
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
    copy.write_checkpoint(&mut state)?;
    write_report(disk.as_ref(), target, &diagnosis).map_err(DoctorError::Report)?;
    copy.target.finish()?;
    Ok(diagnosis)
}

/// The old and the new place of a document.
type Moved = (DocumentRef, DocumentRef);

/// Reads documents of a damaged store.
struct ReadableDocuments {
    reader: Reader,
    /// Contents that are unreadable at their current place, with an older, readable copy.
    first_copies: BTreeMap<DocumentRef, DocumentRef>,
}

impl ReadableDocuments {
    fn of(journal: &DamagedJournal, saved: &SalvagedLog) -> Result<Self, DoctorError> {
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

    /// A document of an item, if it is readable.
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
    /// For each fact, the index of the item whose document it is, and the old place of the document.
    owners: Vec<Option<(usize, DocumentRef)>>,
    /// Items, with their documents written so far.
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

    /// Writes the added documents and updates their places in the salvage. The last `open` items are kept back: more
    /// documents of theirs may follow.
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

    /// Writes the facts as one batch and returns their places.
    fn append(&mut self) -> Result<Vec<DocumentRef>, DoctorError> {
        fill(&mut self.batch, &self.facts)?;
        self.facts.clear();
        let appended = self.target.journal.append(&mut self.batch, Use::FreesSpace)?;
        Ok(appended.locations.into_iter().map(place).collect())
    }

    /// Writes a checkpoint of the state and sets the recovery point to it.
    fn write_checkpoint(&mut self, state: &mut State) -> Result<(), DoctorError> {
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

/// The readable content of a damaged log.
struct SalvagedLog {
    salvage: Salvage,
    findings: Findings,
}

impl SalvagedLog {
    /// Reads the log from the recovery point on; from the beginning if the checkpoint there is damaged.
    fn read(journal: &DamagedJournal) -> Result<Self, DoctorError> {
        let from = journal.recovery_point();
        let mut known = KnownSettings::default();
        journal.read(|record| known.add_record(record.kind, record.body))?;
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
        let (mut salvage, mut rejected) = (Salvage::new(known), None);
        let findings = journal.read(|record| {
            let place = place(record.location);
            let taken = match record.seq {
                seq if seq < from || rejected.is_some() => Ok(()),
                seq if seq < point => salvage.take_earlier(record.kind, record.body, place),
                _ => salvage.take(record.kind, record.body, place),
            };
            rejected = rejected.or(taken.err());
        })?;
        match rejected {
            Some(rejected) => Err(DoctorError::Format(rejected)),
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
