//! Damage of all kinds, followed by a salvage: the new store opens and works, contains every item whose records are
//! intact, and everything missing is reported.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{ItemId, QueueName};
use redrive_embedded::{EmbeddedStore, doctor};
use redrive_journal::{Crash, Disk, SimDisk};
use redrive_model::codec::FieldReader;
use redrive_model::{GetConservation, ItemListKind, ListItems, ListLetters, ListQueues, Stamp};
use redrive_queue::{Loss, Relocate};
use redrive_store::Store;
use redrive_testkit::seeds;

use super::actor::Actor;
use super::machine::Wrap;
use super::oracle::Checked;
use crate::rig::{self, DIRECTORY, Random, item, lease_and_complete, number_of, produce, run};

const NO_FAULT: Wrap = |disk| disk;
const SAVED: &str = "/saved";
/// The kinds of records for an item, for removed items and for a deleted queue.
const ITEM: u8 = 35;
const GONE: u8 = 39;
const QUEUE_GONE: u8 = 34;

/// Items by their current id: queue and payload.
type Items = BTreeMap<ItemId, (QueueName, Bytes)>;

async fn everything(store: &EmbeddedStore) -> Checked<Items> {
    let wrong = |error| format!("listing failed: {error}");
    let mut items = Items::new();
    for settings in store.queues(ListQueues { limit: usize::MAX, ..ListQueues::default() }).await.map_err(wrong)? {
        let queue = settings.name;
        let mut found = Vec::new();
        for partition in 0..settings.partitions {
            for which in [ItemListKind::Items, ItemListKind::Scheduled] {
                let list = ListItems { queue: queue.clone(), partition, which, pivot: None, limit: usize::MAX };
                found.extend(store.items(list).await.map_err(wrong)?);
            }
        }
        let list = ListLetters { queue: queue.clone(), statuses: Vec::new(), after: None, limit: usize::MAX };
        found.extend(store.letters(list).await.map_err(wrong)?);
        for stored in found {
            if number_of(&stored.content.payload).is_none() {
                return Err(format!("{} has a wrong payload", stored.info.id));
            }
            items.insert(stored.info.id, (queue.clone(), stored.content.payload.clone()));
        }
    }
    Ok(items)
}

fn inflict_damage(disk: &SimDisk, random: &mut Random) -> String {
    const PAGE: usize = 4096;
    let is_of_the_log = |path: &Path| path.extension().is_some_and(|extension| extension != "tmp");
    let files: Vec<(PathBuf, usize)> =
        disk.files().into_iter().filter(|(path, _)| is_of_the_log(path) && path.starts_with(DIRECTORY)).collect();
    let Some((file, len)) = random.pick(&files).cloned() else { return "no file is left to damage".to_owned() };
    match random.below(10) {
        0..6 if len > 0 => {
            let (byte, bit) = (random.below(len), random.below(8));
            disk.flip_bit(&file, byte, u8::try_from(bit).unwrap());
            format!("{}: bit {bit} of byte {byte}", file.display())
        }
        6 | 7 if len > 0 => {
            let page = random.below(len.div_ceil(PAGE)) * PAGE;
            let zeros = vec![0; PAGE.min(len - page)];
            disk.open(&file).unwrap().write_all_at(&zeros, page as u64).unwrap();
            format!("{}: the page at {page}", file.display())
        }
        8 if len > 0 => {
            let keep = random.below(len);
            let mut bytes = vec![0; keep];
            disk.open(&file).unwrap().read_at(&mut bytes, 0).unwrap();
            disk.remove(&file).unwrap();
            disk.create(&file).unwrap().write_all_at(&bytes, 0).unwrap();
            format!("{}: all but {keep} bytes", file.display())
        }
        _ => {
            disk.remove(&file).unwrap();
            format!("{}: the file", file.display())
        }
    }
}

/// Whether the record of an item, with its payload, is still intact.
fn is_recorded(disk: &SimDisk, id: ItemId, payload: &[u8]) -> bool {
    let (_, slot) = Stamp::split(id.ksuid());
    let journal = redrive_journal::doctor::DamagedJournal::open(disk, Path::new(DIRECTORY)).unwrap();
    let mut is_there = false;
    let read = journal.read(|record| {
        let is_its = record.kind == ITEM && Relocate::slot_of(record.kind, record.body) == Some(slot);
        // The item was removed, and added again by a record that is lost.
        if record.kind == QUEUE_GONE || record.kind == GONE && gone_slots(record.body).contains(&u64::from(slot)) {
            is_there = false;
        }
        is_there |= is_its && record.body.windows(payload.len()).any(|part| part == payload);
    });
    read.unwrap();
    is_there
}

/// The slots of removed items, encoded as in `proto/store/v1/records.proto`, after the length of the message.
fn gone_slots(body: &[u8]) -> Vec<u64> {
    let mut fields = FieldReader::new(&body[4..]);
    let mut slots = Vec::new();
    while let Ok(Some((number, value))) = fields.field() {
        if number == 3 {
            slots.extend(value.packed().unwrap());
        }
    }
    slots
}

/// Damages a store, salvages it, and returns the number of lost items.
fn damage(seed: u64) -> Checked<usize> {
    run(async {
        let mut actor = Actor::new(seed, NO_FAULT).await?;
        for _ in 0..20 + actor.random.below(60) {
            actor.act().await?;
        }
        let before = everything(&actor.store).await?;
        if actor.random.chance(80) {
            actor.store.close().await.map_err(|error| error.to_string())?;
        }
        let seed = actor.random.next();
        actor.machine.crash(Crash::KeepAll, seed);
        let disk = actor.machine.disk.clone();
        let damages: Vec<String> =
            (0..1 + actor.random.below(3)).map(|_| inflict_damage(&disk, &mut actor.random)).collect();
        let context = |wrong: String| format!("{wrong}; damaged: {damages:?}");

        let shared: Arc<dyn Disk> = Arc::new(disk.clone());
        let said = |error: doctor::DoctorError| context(rig::error_chain(&error));
        let checked = doctor::check(&disk, Path::new(DIRECTORY)).map_err(said)?;
        let saved = doctor::salvage(&shared, Path::new(DIRECTORY), Path::new(SAVED)).map_err(said)?;
        if saved != checked {
            return Err(context(format!("the salvage reported {saved:?}, the check {checked:?}")));
        }
        // At time zero nothing expires, so the content is compared as it was salvaged.
        let clock = rig::clock();
        let open = || {
            EmbeddedStore::open_on(Arc::clone(&shared), Path::new(SAVED), &rig::options(&clock))
                .map_err(|error| context(format!("the salvaged store does not open: {}", rig::error_chain(&error))))
        };
        let store = open()?;
        let after = everything(&store).await.map_err(context)?;
        // If its newest records are lost, an item is found in an older state, under its id at that time.
        let saved_payloads: BTreeSet<&Bytes> = after.values().map(|(_, payload)| payload).collect();
        let missing: Vec<_> = before.iter().filter(|(_, (_, payload))| !saved_payloads.contains(payload)).collect();
        for (id, (queue, payload)) in &missing {
            if checked.is_healthy() {
                return Err(context(format!("{id} is missing, but the doctor reported no damage")));
            }
            let may_be_cleared = saved
                .losses
                .iter()
                .any(|loss| matches!(loss, Loss::Cleared { queue: cleared, .. } if cleared == queue));
            if is_recorded(&disk, **id, payload) && !may_be_cleared {
                return Err(context(format!("{id} is missing, but its record is intact; {saved}")));
            }
        }
        if !store.conservation(GetConservation).await.unwrap().holds() {
            return Err(context("the counters do not add up".to_owned()));
        }
        let queues = store.queues(ListQueues { limit: 1, ..ListQueues::default() }).await.unwrap();
        if let Some(queue) = queues.first() {
            produce(&store, queue.name.as_str(), vec![item(9_999_999, 100)]).await.unwrap();
            lease_and_complete(&store, queue.name.as_str(), 1_000).await.unwrap();
        }
        store.close().await.map_err(|error| context(error.to_string()))?;
        open()?.close().await.map_err(|error| context(error.to_string()))?;
        let again = doctor::check(&disk, Path::new(SAVED)).map_err(said)?;
        if !again.is_healthy() {
            return Err(context(format!("the salvaged store is not healthy: {again}")));
        }
        Ok(missing.len())
    })
}

#[test]
fn a_salvaged_store_opens_and_contains_every_intact_item() {
    let mut lossy = 0;
    for seed in seeds(250) {
        match damage(seed.number()) {
            Ok(missing) => lossy += u64::from(missing > 0),
            Err(wrong) => panic!("{seed}: {wrong}"),
        }
    }
    println!("{lossy} runs lost items");
    if std::env::var_os("REDRIVE_SEED").is_none() {
        assert!(lossy > 0, "no run lost an item");
    }
}
