//! A disk that keeps no promise it did not make.
//!
//! It lives in memory and does what a power loss may do. Of each write that was not synced, any page may
//! be on disk or not, in any order, and of a page any sector. Names that were not synced may be forgotten. A
//! file's growth may be lost, or found as zeros. A failed sync leaves pages that look written and never
//! reach the disk. All of it is drawn from a seed, so that a history can be run again.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Disk, DiskFile, DiskLock};

const SECTOR: usize = 512;
const SECTORS_IN_PAGE: usize = 8;

/// A simulated disk. Clones are the same disk.
#[derive(Debug, Clone, Default)]
pub struct SimDisk {
    state: Arc<Mutex<State>>,
}

/// What became of unsynced data when the power was lost: one of them, drawn for each page and name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crash {
    /// Nothing that was not synced is there.
    LoseAll,
    /// Everything is there.
    KeepAll,
    /// Only the process ended: everything is there, and what was not certain still is not.
    ProcessOnly,
    /// Anything may be there.
    Any,
}

/// How a sync fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncFault {
    /// The system says so, and forgets what was to be written: a later sync succeeds without it.
    Error,
    /// The machine stops before it answers: anything of what was written may be there.
    PowerLoss,
}

#[derive(Debug, Default)]
struct State {
    /// Names as the running system sees them, and as the disk has them.
    names: BTreeMap<PathBuf, usize>,
    synced_names: BTreeMap<PathBuf, usize>,
    files: Vec<Content>,
    locks: Vec<PathBuf>,
    capacity: Option<usize>,
    /// Syncs that still succeed, and what then happens.
    sync_fault: Option<(u64, SyncFault)>,
    /// Changes that are still made before the machine stops.
    changes_left: Option<u64>,
    writes: u64,
    syncs: u64,
    /// Raised by a crash: handles of before it are dead.
    boot: u64,
}

#[derive(Debug, Default, Clone)]
struct Content {
    /// What the running system sees.
    seen: Vec<u8>,
    /// What is certain.
    certain: Vec<u8>,
    /// Sectors that were written since the last sync.
    dirty: Vec<Range<usize>>,
    /// Sectors whose sync failed: seen, and not to be on disk unless they are written again.
    doomed: BTreeSet<usize>,
}

impl SimDisk {
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes fail once the files hold this many bytes in total; `None` is without limit.
    pub fn set_capacity(&self, bytes: Option<usize>) {
        self.lock_state().capacity = bytes;
    }

    /// Lets this many syncs of files succeed, and then none, in the given way.
    pub fn fail_syncs_after(&self, syncs: u64, fault: SyncFault) {
        self.lock_state().sync_fault = Some((syncs, fault));
    }

    /// Lets all syncs succeed again.
    pub fn heal_syncs(&self) {
        self.lock_state().sync_fault = None;
    }

    /// Stops the machine after this many changes of any kind, wherever that is: from then on everything fails
    /// until the [`crash`](Self::crash) that must follow.
    pub fn stop_after(&self, changes: u64) {
        self.lock_state().changes_left = Some(changes);
    }

    /// How often files were written and synced.
    pub fn writes_and_syncs(&self) -> (u64, u64) {
        let state = self.lock_state();
        (state.writes, state.syncs)
    }

    /// The bytes that all files hold.
    pub fn used(&self) -> usize {
        let state = self.lock_state();
        state.names.values().map(|file| state.files[*file].seen.len()).sum()
    }

    /// The names of all files, with their lengths.
    pub fn files(&self) -> Vec<(PathBuf, usize)> {
        let state = self.lock_state();
        state.names.iter().map(|(path, file)| (path.clone(), state.files[*file].seen.len())).collect()
    }

    /// Damages what is stored: flips one bit of the file, for good.
    pub fn flip_bit(&self, path: &Path, byte: usize, bit: u8) {
        let mut state = self.lock_state();
        if let Some(file) = state.names.get(path).copied() {
            let content = &mut state.files[file];
            for bytes in [&mut content.seen, &mut content.certain] {
                if let Some(byte) = bytes.get_mut(byte) {
                    *byte ^= 1 << (bit % 8);
                }
            }
        }
    }

    /// The power is lost and comes back. Locks are gone, open files are dead.
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
        // Each name that is not certain is found as it was last synced, or as it was last changed.
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
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn handle(&self, file: usize, boot: u64) -> Arc<dyn DiskFile> {
        Arc::new(SimFile { disk: self.clone(), file, boot })
    }
}

impl State {
    /// One more change of what is on disk, unless the machine has stopped.
    fn change(&mut self) -> io::Result<()> {
        match &mut self.changes_left {
            Some(0) => Err(io::Error::other("the machine has stopped")),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }
}

impl Content {
    fn write(&mut self, bytes: &[u8], offset: usize) {
        let end = offset + bytes.len();
        if self.seen.len() < end {
            self.seen.resize(end, 0);
        }
        self.seen[offset..end].copy_from_slice(bytes);
        let written = offset / SECTOR..end.div_ceil(SECTOR);
        // What is written again after a failed sync has a new chance.
        self.doomed.retain(|sector| !written.contains(sector));
        self.dirty.push(written);
    }

    fn sync(&mut self) {
        let Self { seen, certain, dirty, doomed } = self;
        certain.resize(seen.len(), 0);
        for sector in dirty.drain(..).flatten() {
            if !doomed.contains(&sector) {
                copy_sector(seen, certain, sector);
            }
        }
    }

    fn crash(&mut self, random: &mut Random, survives: impl Fn(&mut Random) -> bool) {
        let dirty: Vec<usize> = self.dirty.drain(..).flatten().collect();
        if !dirty.is_empty() && survives(random) && self.certain.len() < self.seen.len() {
            self.certain.resize(self.seen.len(), 0);
        }
        // A page is there, or not, or is torn: then each of its sectors has its own fate.
        let mut page: Option<(usize, Fate)> = None;
        for sector in dirty {
            let number = sector / SECTORS_IN_PAGE;
            let fate = match page {
                Some((known, fate)) if known == number => fate,
                _ => Fate::draw(random, &survives),
            };
            page = Some((number, fate));
            let is_there = match fate {
                Fate::There => true,
                Fate::Lost => false,
                Fate::Torn => survives(random),
            };
            if is_there && !self.doomed.contains(&sector) {
                copy_sector(&self.seen, &mut self.certain, sector);
            }
        }
        self.doomed.clear();
        self.seen = self.certain.clone();
    }
}

#[derive(Debug, Clone, Copy)]
enum Fate {
    There,
    Lost,
    Torn,
}

impl Fate {
    fn draw(random: &mut Random, survives: impl Fn(&mut Random) -> bool) -> Self {
        if random.next().is_multiple_of(4) {
            Self::Torn
        } else if survives(random) {
            Self::There
        } else {
            Self::Lost
        }
    }
}

/// Brings one sector to the disk, as far as the file there is long enough.
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
        self.content(|state, file| Ok(state.files[file].seen.len() as u64))
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.content(|state, file| {
            let seen = &state.files[file].seen;
            let start = usize::try_from(offset).map_err(io::Error::other)?.min(seen.len());
            let len = buffer.len().min(seen.len() - start);
            buffer[..len].copy_from_slice(&seen[start..start + len]);
            Ok(len)
        })
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.content(|state, file| {
            let offset = usize::try_from(offset).map_err(io::Error::other)?;
            let used: usize = state.names.values().map(|file| state.files[*file].seen.len()).sum();
            let grows = (offset + bytes.len()).saturating_sub(state.files[file].seen.len());
            if state.capacity.is_some_and(|capacity| used + grows > capacity && grows > 0) {
                return Err(io::ErrorKind::StorageFull.into());
            }
            state.change()?;
            state.writes += 1;
            state.files[file].write(bytes, offset);
            Ok(())
        })
    }

    fn sync(&self) -> io::Result<()> {
        self.content(|state, file| {
            state.change()?;
            state.syncs += 1;
            match &mut state.sync_fault {
                Some((0, fault)) => {
                    let content = &mut state.files[file];
                    if *fault == SyncFault::Error {
                        let lost = std::mem::take(&mut content.dirty);
                        content.doomed.extend(lost.into_iter().flatten());
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

/// SplitMix64: small, and the same everywhere.
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
