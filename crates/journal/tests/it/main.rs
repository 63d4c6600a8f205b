//! Tests of the journal through its public API.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot continue has failed")]

mod costs;
mod first_segment;
mod full_disk;
mod full_start;
mod input;
mod killed;
mod maintenance;
mod reading;
mod real_disk;
mod strange_files;
mod sync_error;

use std::path::Path;
use std::sync::Arc;

use redrive_journal::{Appended, Batch, Disk, Journal, Options, Record, Report, SimDisk, Use};

const DIRECTORY: &str = "/journal";
const SMALL: Options = Options { segment_bytes: 16 * 1024, spares: 1 };

fn open_with(
    disk: Arc<dyn Disk>,
    directory: &Path,
    options: Options,
    mut visit: impl FnMut(Record<'_>),
) -> (Journal, Report) {
    let opened = Journal::open(disk, directory, options, |record| {
        visit(record);
        Ok(())
    });
    opened.unwrap_or_else(|error| panic!("opening failed: {error}"))
}

fn open(disk: &(impl Disk + Clone + 'static)) -> Journal {
    open_with(Arc::new(disk.clone()), Path::new(DIRECTORY), SMALL, |_| {}).0
}

/// A new journal, and its disk.
fn new_journal() -> (SimDisk, Journal) {
    let disk = SimDisk::new();
    let journal = open(&disk);
    (disk, journal)
}

/// Opens the journal and returns the number and body of each record.
fn contents(disk: &(impl Disk + Clone + 'static)) -> Vec<(u64, Vec<u8>)> {
    let mut records = Vec::new();
    open_with(Arc::new(disk.clone()), Path::new(DIRECTORY), SMALL, |record| {
        records.push((record.seq.0, record.body.to_vec()));
    });
    records
}

fn batch_of(bodies: &[&[u8]]) -> Batch {
    let mut batch = Batch::new();
    for body in bodies {
        batch.push(1, &[body]).unwrap();
    }
    batch
}

fn append(journal: &mut Journal, bodies: &[&[u8]]) -> Appended {
    journal.append(&mut batch_of(bodies), Use::Ordinary).unwrap()
}
