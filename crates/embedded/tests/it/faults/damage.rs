//! Flipped bits: opening fails, or a read does, or they are harmless. They never yield a wrong payload or go
//! undetected.

use redrive_embedded::{EmbeddedStore, StoreOpenError};
use redrive_journal::{Crash, OpenError as JournalError};
use redrive_model::{GetLetter, ItemListKind, ItemState, ListItems, ListLetters, StoredItem};
use redrive_store::{Store, StoreError};
use redrive_testkit::seeds;

use super::actor::Actor;
use super::machine::Wrap;
use super::oracle::{Checked, TestQueue};
use crate::rig::{self, name, number_of, run};

/// The effect of one flipped bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// Opening fails and reports the place.
    Rejected,
    /// The store opens, and reading the affected item reports damage.
    Unreadable,
    /// The bit is in the last batch, which looks like an interrupted write; the report lists the cut.
    Cut,
    /// The bit is not part of needed data.
    Harmless,
}

const NO_FAULT: Wrap = |disk| disk;

fn damage(seed: u64) -> Checked<Outcome> {
    run(async {
        let mut actor = Actor::new(seed, NO_FAULT).await?;
        for _ in 0..20 + actor.random.below(60) {
            actor.act().await?;
        }
        actor.check().await?;
        let is_closed = actor.random.chance(70);
        if is_closed {
            actor.store.close().await.map_err(|error| error.to_string())?;
        }
        let seed = actor.random.next();
        actor.machine.crash(Crash::KeepAll, seed);
        let files = actor.machine.disk.files();
        let of_the_log = files.into_iter().filter(|(path, len)| {
            *len > 0 && path.extension().is_some_and(|extension| extension == "segment" || extension == "point")
        });
        let of_the_log: Vec<_> = of_the_log.collect();
        let (file, len) = actor.random.pick(&of_the_log).cloned().ok_or("there are no files")?;
        let (byte, bit) = (actor.random.below(len), actor.random.below(8));
        actor.machine.disk.flip_bit(&file, byte, u8::try_from(bit).unwrap_or(0));

        let store = match rig::open_with(actor.machine.boot(), &rig::options(&actor.clock)) {
            Ok(store) => store,
            Err(StoreOpenError::Journal(JournalError::Damaged(_))) => return Ok(Outcome::Rejected),
            Err(error) => return Err(format!("not reported as damage: {}", rig::error_chain(&error))),
        };
        let is_cut = store.report().cut.is_some();
        actor.store = store;
        if read_everything(&actor.store).await? {
            return Ok(Outcome::Unreadable);
        }
        // Closing proves the last batch: a cut then removes no acknowledged data.
        if is_cut && !is_closed {
            return Ok(Outcome::Cut);
        }
        actor.has_pending_timers = true;
        actor.check().await.map(|()| Outcome::Harmless)
    })
}

/// Reads all lists and checks the payloads. Returns whether any item is reported as damaged.
async fn read_everything(store: &EmbeddedStore) -> Checked<bool> {
    let mut is_unreadable = false;
    for test_queue in TestQueue::ALL {
        let queue = name(test_queue.name());
        for partition in 0..test_queue.partitions() {
            for which in [ItemListKind::Items, ItemListKind::Scheduled] {
                let list = ListItems { queue: queue.clone(), partition, which, pivot: None, limit: usize::MAX };
                is_unreadable |= is_told_or_right(store.items(list).await)?;
            }
        }
        let list = ListLetters { queue, statuses: Vec::new(), after: None, limit: usize::MAX };
        let letters = store.letters(list.clone()).await;
        for stored in letters.iter().flatten() {
            let Some(letter) = stored.info.letter.as_ref().map(|letter| letter.id) else { continue };
            let get = GetLetter { queue: list.queue.clone(), letter };
            let letter = store.letter(get).await;
            let stored = letter.map(|letter| StoredItem { info: letter.info, content: letter.content, context: None });
            is_unreadable |= is_told_or_right(stored.map(|stored| vec![stored]))?;
        }
        is_unreadable |= is_told_or_right(letters)?;
    }
    Ok(is_unreadable)
}

fn is_told_or_right(listed: Result<Vec<StoredItem>, StoreError>) -> Checked<bool> {
    match listed {
        Ok(items) => {
            let (damaged, whole): (Vec<_>, Vec<_>) =
                items.into_iter().partition(|item| item.info.state == ItemState::Damaged);
            match whole.iter().find(|item| number_of(&item.content.payload).is_none()) {
                Some(wrong) => Err(format!("{} has a wrong payload", wrong.info.id)),
                None => Ok(!damaged.is_empty()),
            }
        }
        Err(error) => Err(format!("listing failed: {error}")),
    }
}

#[test]
fn a_flipped_bit_never_yields_a_wrong_payload() {
    let mut outcomes = [0u64; 4];
    for seed in seeds(100) {
        match damage(seed.number()) {
            Ok(outcome) => outcomes[outcome as usize] += 1,
            Err(wrong) => panic!("{seed}: {wrong}"),
        }
    }
    let [rejected, unreadable, cut, harmless] = outcomes;
    println!("{rejected} rejected, {unreadable} unreadable, {cut} in the last batch, {harmless} harmless");
    if std::env::var_os("REDRIVE_SEED").is_none() {
        assert!(outcomes.iter().all(|times| *times > 0), "each outcome must occur: {outcomes:?}");
    }
}
