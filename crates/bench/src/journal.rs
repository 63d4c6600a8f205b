//! The journal on the real disk, compared with a plain write and sync of the same bytes.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use anyhow::{Context, Result};
use redrive_journal::{Batch, Journal, Options, RealDisk, Spares, Use};

use crate::figure::{Figure, Target};
use crate::folder::Folder;
use crate::measure::try_side_by_side;

const BODY: [u8; 1024] = [7; 1024];
const PLAIN_FILE_BYTES: u64 = 256 << 20;
/// The maximum number of segments; beyond it the oldest are dropped, so that disk use stays bounded.
const SEGMENTS_MAX: usize = 8;

/// `append/…` measures appends into spare segments that were created before. `sustained/…` includes the creation of
/// segments, which writes every byte a second time, as zeros.
pub(crate) fn figures() -> Result<Vec<Figure>> {
    Ok(vec![
        figure("append/1", 1, Segments::CreatedBefore, 0.8)?,
        figure("append/64", 64, Segments::CreatedBefore, 0.8)?,
        figure("append/512", 512, Segments::CreatedBefore, 0.5)?,
        figure("sustained/512", 512, Segments::CreatedMeanwhile, 0.5)?,
    ])
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Segments {
    CreatedBefore,
    CreatedMeanwhile,
}

fn figure(name: &'static str, records: u32, segments: Segments, target: f64) -> Result<Figure> {
    let folder = Folder::new("journal")?;
    let mut journal = Writer::open(folder.path(), segments)?;
    let mut plain = Plain::open(&folder.path().join("plain"), records)?;
    let rates = try_side_by_side(|| journal.append(records), || Ok(plain.append()?), records)?;
    let target = Target::RatioAtLeast(target);
    Ok(Figure::of(name, "records/s of 1 KiB, durable", rates).beside("plain append+fdatasync", target))
}

/// A journal as the store uses it: another thread creates spare segments, and old segments are dropped.
struct Writer {
    journal: Journal,
    batch: Batch,
    /// Requests for spare segments; `None` if all were created before.
    spares_tx: Option<SyncSender<()>>,
}

impl Writer {
    fn open(directory: &Path, segments: Segments) -> Result<Self> {
        let spares = match segments {
            Segments::CreatedBefore => Options::SPARES_MAX,
            Segments::CreatedMeanwhile => 2,
        };
        let options = Options { spares, ..Options::default() };
        let (journal, _) = Journal::open(Arc::new(RealDisk), &directory.join("log"), options, |_| Ok(()))?;
        journal.spares().fill()?;
        let spares_tx = (segments == Segments::CreatedMeanwhile).then(|| {
            let (tx, rx) = sync_channel(1);
            let spares = journal.spares().clone();
            std::thread::spawn(move || fill_on_demand(&spares, &rx));
            tx
        });
        Ok(Self { journal, batch: Batch::new(), spares_tx })
    }

    fn append(&mut self, records: u32) -> Result<()> {
        self.batch.clear();
        for _ in 0..records {
            self.batch.push(1, &[&BODY])?;
        }
        self.journal.append(&mut self.batch, Use::Ordinary)?;
        if let Some(tx) = &self.spares_tx
            && self.journal.spares().are_wanted()
        {
            // A request that is already pending suffices.
            let _already_pending = tx.try_send(());
            self.drop_old()?;
        }
        Ok(())
    }

    fn drop_old(&mut self) -> Result<()> {
        let segments = self.journal.segments();
        if segments.len() > SEGMENTS_MAX {
            self.journal.set_recovery_point(self.journal.next(), &[])?;
            for info in &segments[..segments.len() - 1] {
                self.journal.detach_segment(info.id)?.remove()?;
            }
        }
        Ok(())
    }
}

/// Creates spare segments on request, until the writer is dropped.
fn fill_on_demand(spares: &Spares, rx: &Receiver<()>) {
    while rx.recv().is_ok() {
        if let Err(error) = spares.fill() {
            eprintln!("could not create a spare segment: {error}");
        }
    }
}

/// The minimum work of any log: writes the same bytes into preallocated space and syncs them.
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
            .context("could not create the file of the reference")?;
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
