//! The journal on the real disk, beside a plain write and sync of the same bytes.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use anyhow::{Context, Result};
use redrive_journal::{Batch, Journal, Options, RealDisk, Spares, Use};

use crate::figure::{Figure, Reference, Target};
use crate::folder::Folder;
use crate::measure::side_by_side;

const BODY: [u8; 1024] = [7; 1024];
const PLAIN_FILE_BYTES: u64 = 256 << 20;
/// Segments that are kept before the oldest are dropped: disk use stays bounded.
const SEGMENTS_MAX: usize = 8;

/// The append path alone, into segments that are ready; then with the making of segments, which writes
/// everything a second time, as zeros.
pub(crate) fn figures() -> Result<Vec<Figure>> {
    Ok(vec![
        figure("append/1", 1, Segments::ReadyBefore, 0.8)?,
        figure("append/64", 64, Segments::ReadyBefore, 0.8)?,
        figure("append/512", 512, Segments::ReadyBefore, 0.5)?,
        figure("sustained/512", 512, Segments::MadeMeanwhile, 0.5)?,
    ])
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Segments {
    ReadyBefore,
    MadeMeanwhile,
}

fn figure(name: &'static str, records: u32, segments: Segments, target: f64) -> Result<Figure> {
    let folder = Folder::new("journal")?;
    let mut journal = Writer::open(folder.path(), segments)?;
    let mut plain = Plain::open(&folder.path().join("plain"), records)?;
    let mut failed = None;
    let rates = side_by_side(|| failed = failed.take().or(journal.append(records).err()), || plain.append(), records);
    match failed {
        Some(error) => Err(error),
        None => Ok(Figure {
            name,
            value: rates.work,
            unit: "records/s of 1 KiB, durable",
            reference: Reference { name: "plain append+fdatasync", value: rates.reference },
            target: Target::RatioAtLeast(target),
        }),
    }
}

/// A journal as its owner drives it: spares are made by another thread, old segments go.
struct Writer {
    journal: Journal,
    batch: Batch,
    /// Where wishes for spares go; none where all were made before.
    wanted: Option<SyncSender<()>>,
}

impl Writer {
    fn open(directory: &Path, segments: Segments) -> Result<Self> {
        let spares = match segments {
            Segments::ReadyBefore => Options::SPARES_MAX,
            Segments::MadeMeanwhile => 2,
        };
        let options = Options { spares, ..Options::default() };
        let (journal, _) = Journal::open(Arc::new(RealDisk), &directory.join("log"), options, |_| Ok(()))?;
        journal.spares().fill()?;
        let wanted = (segments == Segments::MadeMeanwhile).then(|| {
            let (wanted, wishes) = sync_channel(1);
            let spares = journal.spares().clone();
            std::thread::spawn(move || fill_on_demand(&spares, &wishes));
            wanted
        });
        Ok(Self { journal, batch: Batch::new(), wanted })
    }

    fn append(&mut self, records: u32) -> Result<()> {
        self.batch.clear();
        for _ in 0..records {
            self.batch.push(1, &[&BODY])?;
        }
        self.journal.append(&mut self.batch, Use::Ordinary)?;
        if let Some(wanted) = &self.wanted
            && self.journal.spares().are_wanted()
        {
            // A wish that is already there is as good as two.
            let _already_wished = wanted.try_send(());
            self.drop_old()?;
        }
        Ok(())
    }

    fn drop_old(&mut self) -> Result<()> {
        let segments = self.journal.segments();
        if segments.len() > SEGMENTS_MAX {
            self.journal.set_recovery_point(self.journal.next(), &[])?;
            for info in &segments[..segments.len() - 1] {
                self.journal.drop_segment(info.id)?;
            }
        }
        Ok(())
    }
}

/// Ends with the writer, whose wishes it waits for.
fn fill_on_demand(spares: &Spares, wishes: &Receiver<()>) {
    while wishes.recv().is_ok() {
        if let Err(error) = spares.fill() {
            eprintln!("no spare segment: {error}");
        }
    }
}

/// The least that any log must do: write the same bytes and sync them, into room that is already there.
struct Plain {
    file: File,
    bytes: Vec<u8>,
    offset: u64,
}

impl Plain {
    fn open(path: &Path, records: u32) -> Result<Self> {
        let file = OpenOptions::new()
            .create(true)
            .truncate(true)
            .write(true)
            .open(path)
            .context("no room for the reference")?;
        let zeros = vec![0; 1 << 20];
        for at in (0..PLAIN_FILE_BYTES).step_by(zeros.len()) {
            file.write_all_at(&zeros, at)?;
        }
        file.sync_all()?;
        Ok(Self { file, bytes: BODY.repeat(usize::try_from(records)?), offset: 0 })
    }

    fn append(&mut self) -> std::io::Result<()> {
        let len = self.bytes.len() as u64;
        if self.offset + len > PLAIN_FILE_BYTES {
            self.offset = 0;
        }
        self.file.write_all_at(&self.bytes, self.offset)?;
        self.offset += len;
        self.file.sync_data()
    }
}
