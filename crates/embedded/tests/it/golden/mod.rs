//! Stores written by released versions: the current version opens them, shows the same content, and can use them.
//!
//! `tests/golden/VERSION` contains two stores: one that is read from its first record on (`whole`), and one that is
//! read from a checkpoint on and whose earlier segments were dropped (`compacted`). In each, `dump.json` is a dump of
//! its content. These files never change after the version was released; [`HASHES`] checks that. A new version adds its
//! own with `cargo test -p redrive-embedded --test it golden::write -- --ignored` and a line in that list.

mod dump;
mod history;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use redrive_core::Time;
use redrive_embedded::{EmbeddedOptions, EmbeddedStore, StoreOpenError, doctor};
use redrive_journal::{Batch, Disk, Journal, SimDisk, Use};
use redrive_model::{CorruptRecord, GetConservation};
use redrive_store::{Clock, ManualClock, Store};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::rig::{
    DIRECTORY, SEGMENT, START, clock, error_chain, item, lease_and_complete, open, open_with, options, produce, run,
    try_open,
};

/// Each store with the SHA-256 of its files, concatenated in the order of their names.
const HASHES: [(&str, &str); 2] = [
    ("0.1.0/compacted", "e445d7c1ef0c306324a37710f5bb5e0d3915b085bdb0883faca5578c376c80a3"),
    ("0.1.0/whole", "4f3fc8226c38c474e2b0b3bfac5257c83449e169bc58e1b40277c742958ae8fe"),
];

const LAYOUT: redrive_journal::Options = redrive_journal::Options { segment_bytes: SEGMENT, spares: 1 };

/// The kinds of records in the stores of released versions. Kind 52 was added later.
const KINDS: std::ops::RangeInclusive<u8> = 32..=50;

fn directory(store: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(store)
}

/// The files of a directory, in the order of their names.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn hash(directory: &Path) -> String {
    let mut hash = Sha256::new();
    files(directory).iter().for_each(|file| hash.update(fs::read(file).unwrap()));
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A copy of the store, on a disk in memory.
fn copy(store: &str) -> SimDisk {
    let disk = SimDisk::new();
    disk.create_directory(Path::new(DIRECTORY)).unwrap();
    for file in files(&directory(store)).iter().filter(|file| !file.ends_with("dump.json")) {
        let copy = disk.create(&Path::new(DIRECTORY).join(file.file_name().unwrap())).unwrap();
        copy.write_all_at(&fs::read(file).unwrap(), 0).unwrap();
    }
    disk
}

fn open_at(disk: &SimDisk, now: Time) -> EmbeddedStore {
    open(disk, &ManualClock::new(now))
}

/// Whether `now` contains everything in `then`. A later version may show more.
fn shows(now: &Value, then: &Value) -> bool {
    match (now, then) {
        (Value::Object(now), Value::Object(then)) => {
            then.iter().all(|(name, then)| now.get(name).is_some_and(|now| shows(now, then)))
        }
        (Value::Array(now), Value::Array(then)) => {
            now.len() == then.len() && now.iter().zip(then).all(|(now, then)| shows(now, then))
        }
        _ => now == then,
    }
}

/// The kinds of all records in a store.
fn kinds(disk: &SimDisk) -> BTreeSet<u8> {
    let (journal, _) = Journal::open(Arc::new(disk.clone()), Path::new(DIRECTORY), LAYOUT, |_| Ok(())).unwrap();
    let mut kinds = BTreeSet::new();
    for segment in journal.segments() {
        let walked = journal.reader().walk(segment.id, |record| {
            kinds.insert(record.kind);
        });
        walked.unwrap();
    }
    journal.close().unwrap();
    kinds
}

#[test]
fn no_released_store_was_changed() {
    for (store, expected) in HASHES {
        assert_eq!(hash(&directory(store)), expected, "the files of {store}");
    }
    let versions = files(&directory(""));
    let there = versions.iter().flat_map(|version| files(version));
    let there: Vec<_> = there.map(|store| store.strip_prefix(directory("")).unwrap().to_owned()).collect();
    let listed = HASHES.map(|(store, _)| PathBuf::from(store));
    assert_eq!(there, listed, "every directory must be listed, and every listed one must exist");
}

#[test]
fn stores_of_released_versions_can_be_read_and_written() {
    for (name, _) in HASHES {
        let then: Value = serde_json::from_slice(&fs::read(directory(name).join("dump.json")).unwrap()).unwrap();
        let now = Time::from_micros(then["now"].as_i64().unwrap());
        let copy = copy(name);
        let diagnosis = doctor::check(&copy, Path::new(DIRECTORY)).unwrap();
        assert!(diagnosis.is_healthy(), "{name}: {diagnosis}");
        run(async {
            let store = open_at(&copy, now);
            let shown = dump::everything(&store, now).await;
            assert!(shows(&shown, &then), "{name} shows:\n{shown:#}\nand showed:\n{then:#}");
            produce(&store, "orders", vec![item(7_777, 100)]).await.unwrap();
            store.close().await.unwrap();

            let store = open_at(&copy, now);
            assert!(store.conservation(GetConservation).await.unwrap().holds());
            let mut completed = Vec::new();
            while let Ok(numbers) = lease_and_complete(&store, "orders", 100).await {
                completed.extend(numbers);
            }
            assert!(completed.contains(&7_777), "{name}: {completed:?}");
            store.close().await.unwrap();
        });
    }
}

/// An undamaged store is salvaged completely: items, letters and their documents, queues, keys and counters.
#[test]
fn a_salvage_of_an_undamaged_store_shows_the_same() {
    for (name, _) in HASHES {
        let then: Value = serde_json::from_slice(&fs::read(directory(name).join("dump.json")).unwrap()).unwrap();
        let now = Time::from_micros(then["now"].as_i64().unwrap());
        let disk: Arc<dyn Disk> = Arc::new(copy(name));
        let diagnosis = doctor::salvage(&disk, Path::new(DIRECTORY), Path::new("/saved")).unwrap();
        assert!(diagnosis.is_healthy(), "{name}: {diagnosis}");
        run(async {
            let options = options(&ManualClock::new(now));
            let store = EmbeddedStore::open_on(Arc::clone(&disk), Path::new("/saved"), &options).unwrap();
            let shown = dump::everything(&store, now).await;
            assert!(shows(&shown, &then), "{name} shows:\n{shown:#}\nand showed:\n{then:#}");
        });
    }
}

/// Otherwise the golden stores would not cover that kind.
#[test]
fn released_stores_have_records_of_every_kind() {
    let found: BTreeSet<u8> = HASHES.iter().flat_map(|(store, _)| kinds(&copy(store))).collect();
    let missing: Vec<u8> = KINDS.filter(|kind| !found.contains(kind)).collect();
    assert_eq!(missing, Vec::<u8>::new());
}

/// For a store from before the format was fixed, the error only says what to do.
#[test]
fn a_store_in_the_old_format_is_rejected_with_one_sentence() {
    let (disk, clock) = (SimDisk::new(), clock());
    let (mut journal, _) = Journal::open(Arc::new(disk.clone()), Path::new(DIRECTORY), LAYOUT, |_| Ok(())).unwrap();
    let mut batch = Batch::new();
    // A queue record in the old format.
    batch.push(1, &[&[4, 0, 0, 0, 0, 2], b"{}"]).unwrap();
    journal.append(&mut batch, Use::Ordinary).unwrap();
    journal.close().unwrap();
    let error = try_open(&disk, &clock).unwrap_err();
    assert!(matches!(error, StoreOpenError::Format(CorruptRecord::OldFormat)), "{error:?}");
    assert_eq!(
        error_chain(&error),
        "this store was written before its format was fixed; export it with that version and import it here"
    );
}

/// Writes the golden stores of this version. Existing ones are never overwritten.
#[test]
#[ignore = "writes the golden stores of a version, once"]
fn write() {
    for name in ["compacted", "whole"] {
        let store = format!("{}/{name}", env!("CARGO_PKG_VERSION"));
        let target = directory(&store);
        assert!(!target.exists(), "{} already exists", target.display());
        let (disk, shown) = live(name == "compacted");
        fs::create_dir_all(&target).unwrap();
        for name in disk.list(Path::new(DIRECTORY)).unwrap() {
            let file = disk.open(&Path::new(DIRECTORY).join(&name)).unwrap();
            let mut bytes = vec![0; usize::try_from(file.size().unwrap()).unwrap()];
            assert_eq!(file.read_at(&mut bytes, 0).unwrap(), bytes.len());
            fs::write(target.join(name), bytes).unwrap();
        }
        fs::write(target.join("dump.json"), serde_json::to_vec_pretty(&shown).unwrap()).unwrap();
        println!("(\"{store}\", \"{}\")", hash(&target));
    }
}

/// A store with a history, and its dump.
fn live(is_compacted: bool) -> (SimDisk, Value) {
    let (disk, clock) = (SimDisk::new(), ManualClock::new(START));
    let recovery_bytes = Some(if is_compacted { 4 * SEGMENT as u64 } else { u64::MAX });
    let options = EmbeddedOptions { recovery_bytes, garbage_percent: 20, ..options(&clock) };
    let shown = run(async {
        let store = open_with(Arc::new(disk.clone()), &options).unwrap();
        history::begin(&store).await;
        history::ordinary_day(&store, &clock, 0).await;
        history::ordinary_day(&store, &clock, 1).await;
        if is_compacted {
            history::sparse_files(&store).await;
            history::ordinary_day(&store, &clock, 2).await;
        }
        store.close().await.unwrap();
        let now = clock.now();
        let store = open_at(&disk, now);
        let shown = dump::everything(&store, now).await;
        store.close().await.unwrap();
        shown
    });
    (disk, shown)
}
