//! A simulated disk that breaks everything that a real disk does not guarantee.
//!
//! It lives in memory and simulates the effects of a power loss. Of each unsynced write, any page may be on disk or
//! not, in any order, and any sector of a page. Unsynced names may be lost. The growth of a file may be lost, or found
//! as zeros. A failed sync leaves pages that look written and never reach the disk. All choices are drawn from a
//! seed, so that a history can be replayed.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Disk, DiskFile, DiskLock, DiskSpace};

const SECTOR: usize = 512;
const SECTORS_IN_PAGE: usize = 8;

/// A simulated disk. Clones are the same disk.
#[derive(Debug, Clone, Default)]
pub struct SimDisk {
    state: Arc<Mutex<State>>,
}

/// What happens to unsynced data in a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crash {
    /// Power loss: all unsynced data is lost.
    LoseAll,
    /// Power loss: all unsynced data survives.
    KeepAll,
    /// Only the process ends: all data is visible, and unsynced data stays unsynced.
    ProcessOnly,
    /// Power loss: drawn for each page and each name.
    Any,
}

/// How a sync fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncFault {
    /// The sync returns an error and the unsynced data is discarded: a later sync succeeds without it.
    Error,
    /// The machine stops during the sync: any part of the unsynced data may be on disk.
    PowerLoss,
}

#[derive(Debug, Default)]
struct State {
    /// Names as the running system sees them, and as they are on disk.
    names: BTreeMap<PathBuf, usize>,
    synced_names: BTreeMap<PathBuf, usize>,
    files: Vec<Content>,
    locks: Vec<PathBuf>,
    capacity: Option<usize>,
    changes: u64,
    /// The number of changes after which the disk is full.
    full_from: Option<u64>,
    /// The number of syncs that still succeed, and the fault of those after them.
    sync_fault: Option<(u64, SyncFault)>,
    /// The number of changes that still succeed before the machine stops.
    changes_left: Option<u64>,
    writes: u64,
    syncs: u64,
    /// Incremented by a crash: handles from before it are invalid.
    boot: u64,
}

#[derive(Debug, Default, Clone)]
struct Content {
    /// The content as the running system sees it.
    visible: Vec<u8>,
    /// The content on disk.
    durable: Vec<u8>,
    /// Sectors that were written since the last sync.
    dirty: Vec<Range<usize>>,
    /// Sectors whose sync failed: visible, but never on disk unless they are written again.
    sync_failed: BTreeSet<usize>,
}

impl SimDisk {
    pub fn new() -> Self {
        Self::default()
    }

    /// Limits the total size of all files; writes beyond it fail. `None` removes the limit.
    pub fn set_capacity(&self, bytes: Option<usize>) {
        let mut state = self.lock_state();
        state.capacity = bytes;
        state.full_from = None;
    }

    /// Makes the disk full after this many further changes of any kind, until the capacity is set again. On a full disk
    /// no file can be created or grow, and a file that has grown since its last sync cannot be synced. Removing a file
    /// frees space.
    pub fn fill_after(&self, changes: u64) {
        let mut state = self.lock_state();
        state.full_from = Some(state.changes.saturating_add(changes));
    }

    /// The number of changes of any kind so far.
    pub fn changes(&self) -> u64 {
        self.lock_state().changes
    }

    /// Lets this many file syncs succeed; all later ones fail with `fault`.
    pub fn fail_syncs_after(&self, syncs: u64, fault: SyncFault) {
        self.lock_state().sync_fault = Some((syncs, fault));
    }

    /// Lets all syncs succeed again.
    pub fn heal_syncs(&self) {
        self.lock_state().sync_fault = None;
    }

    /// Stops the machine after this many further changes of any kind: from then on every change fails, until the
    /// [`crash`](Self::crash) that must follow.
    pub fn stop_after(&self, changes: u64) {
        self.lock_state().changes_left = Some(changes);
    }

    /// The number of file writes and of file syncs so far.
    pub fn writes_and_syncs(&self) -> (u64, u64) {
        let state = self.lock_state();
        (state.writes, state.syncs)
    }

    /// The total size of all files in bytes.
    pub fn used(&self) -> usize {
        self.lock_state().used()
    }

    /// The names of all files, with their lengths.
    pub fn files(&self) -> Vec<(PathBuf, usize)> {
        let state = self.lock_state();
        state.names.iter().map(|(path, file)| (path.clone(), state.files[*file].visible.len())).collect()
    }

    /// Damages a file: flips one bit of its durable content.
    pub fn flip_bit(&self, path: &Path, byte: usize, bit: u8) {
        let mut state = self.lock_state();
        if let Some(file) = state.names.get(path).copied() {
            let content = &mut state.files[file];
            for bytes in [&mut content.visible, &mut content.durable] {
                if let Some(byte) = bytes.get_mut(byte) {
                    *byte ^= 1 << (bit % 8);
                }
            }
        }
    }

    /// Simulates a crash and a restart. All locks are released, and handles of open files become invalid.
    pub fn crash(&self, crash: Crash, seed: u64) {
        let mut random = Random(seed);
        let mut state = self.lock_state();
        state.locks.clear();
        state.boot += 1;
        state.changes_left = None;
        if crash == Crash::ProcessOnly {
            return;
        }
        let survives = |random: &mut Random| match crash {
            Crash::LoseAll => false,
            Crash::KeepAll | Crash::ProcessOnly => true,
            Crash::Any => random.next().is_multiple_of(2),
        };
        let state = &mut *state;
        for content in &mut state.files {
            content.crash(&mut random, survives);
        }
        // Each unsynced name is found as it was last synced, or as it was last changed.
        let changed: Vec<PathBuf> = state
            .names
            .keys()
            .chain(state.synced_names.keys())
            .filter(|path| state.names.get(*path) != state.synced_names.get(*path))
            .cloned()
            .collect();
        for path in changed {
            if survives(&mut random) {
                match state.names.get(&path) {
                    Some(file) => state.synced_names.insert(path, *file),
                    None => state.synced_names.remove(&path),
                };
            }
        }
        state.names = state.synced_names.clone();
    }

    fn lock_state(&self) -> MutexGuard<'_, State> {
        // A test that panicked while it held the lock has failed already.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.fill_if_due();
        state
    }

    fn handle(&self, file: usize, boot: u64) -> Arc<dyn DiskFile> {
        Arc::new(SimFile { disk: self.clone(), file, boot })
    }
}

impl State {
    /// Counts a change. Fails if the machine has stopped.
    fn change(&mut self) -> io::Result<()> {
        match &mut self.changes_left {
            Some(0) => return Err(io::Error::other("the machine has stopped")),
            Some(left) => *left -= 1,
            None => {}
        }
        self.changes += 1;
        Ok(())
    }

    fn fill_if_due(&mut self) {
        let changes = self.changes;
        if self.full_from.take_if(|from| changes >= *from).is_some() {
            self.capacity = Some(self.names.values().map(|file| self.files[*file].durable.len()).sum());
        }
    }

    /// The total size of all files in bytes.
    fn used(&self) -> usize {
        self.names.values().map(|file| self.files[*file].visible.len()).sum()
    }

    /// Fails if `bytes` exceeds the capacity.
    fn check_capacity(&self, bytes: usize) -> io::Result<()> {
        if self.capacity.is_some_and(|capacity| bytes > capacity) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }
}

impl Content {
    fn write(&mut self, bytes: &[u8], offset: usize) {
        let end = offset + bytes.len();
        if self.visible.len() < end {
            self.visible.resize(end, 0);
        }
        self.visible[offset..end].copy_from_slice(bytes);
        let written = offset / SECTOR..end.div_ceil(SECTOR);
        // A sector that is written again after a failed sync can be synced again.
        self.sync_failed.retain(|sector| !written.contains(sector));
        self.dirty.push(written);
    }

    /// Whether the file has grown since its last sync: the file system may not have allocated that space yet.
    const fn has_grown(&self) -> bool {
        self.visible.len() > self.durable.len()
    }

    fn sync(&mut self) {
        let Self { visible, durable, dirty, sync_failed } = self;
        durable.resize(visible.len(), 0);
        for sector in dirty.drain(..).flatten() {
            if !sync_failed.contains(&sector) {
                copy_sector(visible, durable, sector);
            }
        }
    }

    fn crash(&mut self, random: &mut Random, survives: impl Fn(&mut Random) -> bool) {
        let dirty: Vec<usize> = self.dirty.drain(..).flatten().collect();
        if !dirty.is_empty() && survives(random) && self.durable.len() < self.visible.len() {
            self.durable.resize(self.visible.len(), 0);
        }
        // A page survives, is lost, or is torn: then each of its sectors survives or is lost.
        let mut page: Option<(usize, PageOutcome)> = None;
        for sector in dirty {
            let number = sector / SECTORS_IN_PAGE;
            let outcome = match page {
                Some((known, outcome)) if known == number => outcome,
                _ => PageOutcome::draw(random, &survives),
            };
            page = Some((number, outcome));
            let is_there = match outcome {
                PageOutcome::Kept => true,
                PageOutcome::Lost => false,
                PageOutcome::Torn => survives(random),
            };
            if is_there && !self.sync_failed.contains(&sector) {
                copy_sector(&self.visible, &mut self.durable, sector);
            }
        }
        self.sync_failed.clear();
        self.visible = self.durable.clone();
    }
}

#[derive(Debug, Clone, Copy)]
enum PageOutcome {
    Kept,
    Lost,
    Torn,
}

impl PageOutcome {
    fn draw(random: &mut Random, survives: impl Fn(&mut Random) -> bool) -> Self {
        if random.next().is_multiple_of(4) {
            Self::Torn
        } else if survives(random) {
            Self::Kept
        } else {
            Self::Lost
        }
    }
}

/// Copies one sector to the disk, up to the length of the file there.
fn copy_sector(from: &[u8], to: &mut [u8], sector: usize) {
    let start = sector * SECTOR;
    let end = (start + SECTOR).min(from.len()).min(to.len());
    if start < end {
        to[start..end].copy_from_slice(&from[start..end]);
    }
}

impl Disk for SimDisk {
    fn create_directory(&self, _path: &Path) -> io::Result<()> {
        Ok(())
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<String>> {
        let state = self.lock_state();
        let inside = state.names.keys().filter(|path| path.parent() == Some(directory));
        Ok(inside.filter_map(|path| path.file_name()?.to_str().map(str::to_owned)).collect())
    }

    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        let mut state = self.lock_state();
        if state.names.contains_key(path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        // A name takes space, too.
        state.check_capacity(state.used() + 1)?;
        state.change()?;
        state.files.push(Content::default());
        let file = state.files.len() - 1;
        state.names.insert(path.to_owned(), file);
        Ok(self.handle(file, state.boot))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        let state = self.lock_state();
        let file = state.names.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(self.handle(*file, state.boot))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut state = self.lock_state();
        if !state.names.contains_key(path) {
            return Err(io::ErrorKind::NotFound.into());
        }
        state.change()?;
        state.names.remove(path);
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.lock_state();
        state.change()?;
        let file = state.names.remove(from).ok_or(io::ErrorKind::NotFound)?;
        state.names.insert(to.to_owned(), file);
        Ok(())
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        let mut state = self.lock_state();
        let state = &mut *state;
        state.change()?;
        let inside = |name: &PathBuf| name.parent() == Some(path);
        state.synced_names.retain(|name, _| !inside(name));
        let names = state.names.iter().filter(|(name, _)| inside(name));
        state.synced_names.extend(names.map(|(name, file)| (name.clone(), *file)));
        Ok(())
    }

    fn lock(&self, path: &Path) -> io::Result<Arc<dyn DiskLock>> {
        let mut state = self.lock_state();
        if state.locks.iter().any(|locked| locked == path) {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        state.locks.push(path.to_owned());
        Ok(Arc::new(SimLock { disk: self.clone(), path: path.to_owned(), boot: state.boot }))
    }

    fn space(&self, _directory: &Path) -> io::Result<Option<DiskSpace>> {
        let state = self.lock_state();
        let space = |total: usize| DiskSpace { free: total.saturating_sub(state.used()) as u64, total: total as u64 };
        Ok(state.capacity.map(space))
    }
}

#[derive(Debug)]
struct SimFile {
    disk: SimDisk,
    file: usize,
    boot: u64,
}

impl SimFile {
    fn content<T>(&self, work: impl FnOnce(&mut State, usize) -> io::Result<T>) -> io::Result<T> {
        let mut state = self.disk.lock_state();
        if state.boot != self.boot {
            return Err(io::Error::other("the file was opened before the crash"));
        }
        work(&mut state, self.file)
    }
}

impl DiskFile for SimFile {
    fn size(&self) -> io::Result<u64> {
        self.content(|state, file| Ok(state.files[file].visible.len() as u64))
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.content(|state, file| {
            let visible = &state.files[file].visible;
            let start = usize::try_from(offset).map_err(io::Error::other)?.min(visible.len());
            let len = buffer.len().min(visible.len() - start);
            buffer[..len].copy_from_slice(&visible[start..start + len]);
            Ok(len)
        })
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.content(|state, file| {
            let offset = usize::try_from(offset).map_err(io::Error::other)?;
            let grows = (offset + bytes.len()).saturating_sub(state.files[file].visible.len());
            if grows > 0 {
                state.check_capacity(state.used() + grows)?;
            }
            state.change()?;
            state.writes += 1;
            state.files[file].write(bytes, offset);
            Ok(())
        })
    }

    fn sync(&self) -> io::Result<()> {
        self.content(|state, file| {
            if state.files[file].has_grown() {
                state.check_capacity(state.used())?;
            }
            state.change()?;
            state.syncs += 1;
            match &mut state.sync_fault {
                Some((0, fault)) => {
                    let content = &mut state.files[file];
                    if *fault == SyncFault::Error {
                        let lost = std::mem::take(&mut content.dirty);
                        content.sync_failed.extend(lost.into_iter().flatten());
                    }
                    return Err(io::Error::other("simulated sync failure"));
                }
                Some((left, _)) => *left -= 1,
                None => {}
            }
            state.files[file].sync();
            Ok(())
        })
    }
}

#[derive(Debug)]
struct SimLock {
    disk: SimDisk,
    path: PathBuf,
    boot: u64,
}

impl DiskLock for SimLock {}

impl Drop for SimLock {
    fn drop(&mut self) {
        let mut state = self.disk.lock_state();
        if state.boot == self.boot {
            state.locks.retain(|locked| *locked != self.path);
        }
    }
}

/// SplitMix64: a small generator with the same sequence on every platform.
#[derive(Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}
