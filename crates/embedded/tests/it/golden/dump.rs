//! A dump of everything a store shows, in a form that later versions keep.

use redrive_core::{Span, Time};
use redrive_embedded::EmbeddedStore;
use redrive_model::{
    Content, FeedChange, FullLetter, GetConservation, GetLetter, GetStats, ItemInfo, ItemListKind, ItemState,
    LetterInfo, ListItems, ListLetters, ListQueues, QueueSettings, ReadChanges, ScanKeys,
};
use redrive_store::Store;
use serde_json::{Value, json};

use super::history::READER;

const ALL: usize = 100_000;

/// Dumps everything a store shows.
pub(super) async fn everything(store: &EmbeddedStore, now: Time) -> Value {
    let mut queues = Vec::new();
    let list = ListQueues { limit: ALL, ..ListQueues::default() };
    for settings in store.queues(list).await.unwrap() {
        queues.push(queue(store, &settings).await);
    }
    let scan = ScanKeys { prefix: "".into(), from: "".into(), limit: ALL };
    let keys = store.keys(scan).await.unwrap();
    let keys: Vec<Value> =
        keys.iter().map(|entry| json!([hex(&entry.key), hex(&entry.value), entry.version])).collect();
    let read = ReadChanges { cursor: READER.to_owned(), after: None, limit: ALL, wait: Span::ZERO };
    let page = store.changes(read).await.unwrap();
    let changes: Vec<Value> = page.changes.iter().map(change).collect();
    let sum = store.conservation(GetConservation).await.unwrap();
    assert!(sum.holds());
    json!({
        "now": now.as_micros(),
        "queues": queues,
        "keys": keys,
        "changes": changes,
        "position": page.position,
        "conservation": [sum.arrived, sum.present, sum.ended],
    })
}

async fn queue(store: &EmbeddedStore, settings: &QueueSettings) -> Value {
    let name = settings.name.clone();
    let mut items = Vec::new();
    for partition in 0..settings.partitions {
        let list = ListItems { queue: name.clone(), partition, which: ItemListKind::Items, pivot: None, limit: ALL };
        for item in store.items(list).await.unwrap() {
            items.push(json!({ "info": info(&item.info), "content": content(&item.content) }));
        }
    }
    let list = ListLetters { queue: name.clone(), statuses: Vec::new(), after: None, limit: ALL };
    let mut letters = Vec::new();
    for item in store.letters(list).await.unwrap() {
        let id = item.info.letter.as_ref().unwrap().id;
        letters.push(letter(&store.letter(GetLetter { queue: name.clone(), letter: id }).await.unwrap()));
    }
    let stats = store.stats(GetStats { queue: name }).await.unwrap();
    json!({
        "settings": serde_json::to_value(settings).unwrap(),
        "items": items,
        "letters": letters,
        "arrived": stats.counts.arrived(),
        "ended": stats.counts.ended_in_all(),
    })
}

fn info(info: &ItemInfo) -> Value {
    let (state, at) = match info.state {
        ItemState::Ready => ("ready", None),
        ItemState::Leased { deadline } => ("leased", Some(deadline)),
        ItemState::Scheduled { at } => ("scheduled", Some(at)),
        ItemState::Due { at } => ("due", Some(at)),
        ItemState::Stranded => ("stranded", None),
        ItemState::Finished => ("finished", None),
        ItemState::Damaged => ("damaged", None),
    };
    json!({
        "id": info.id.to_string(),
        "first_id": info.first_id.to_string(),
        "partition": info.partition,
        "source_id": info.source_id,
        "state": state,
        "at": micros(at),
        "priority": info.priority.to_string(),
        "attempts": info.attempts,
        "deliveries": info.deliveries,
        "max_attempts": info.max_attempts,
        "created_at": info.created_at.as_micros(),
        "expires_at": micros(info.expires_at),
        "hand_over_only": info.is_hand_over_only,
        "edited": info.is_edited,
        "letter": info.letter.as_deref().map(letter_info),
    })
}

fn letter_info(letter: &LetterInfo) -> Value {
    let before =
        letter.before.map(|before| json!([before.status.to_string(), micros(before.due), micros(before.since)]));
    json!({
        "id": letter.id.to_string(),
        "generation": letter.generation,
        "revision": letter.revision,
        "status": letter.status.to_string(),
        "category": letter.category.to_string(),
        "policy": letter.policy.to_string(),
        "policy_source": letter.policy_source.to_string(),
        "fingerprint": letter.fingerprint.to_string(),
        "retries": letter.retries,
        "max_retries": letter.max_retries,
        "total_attempts": letter.total_attempts,
        "next_retry_at": micros(letter.next_retry_at),
        "first_failed_at": letter.first_failed_at.as_micros(),
        "last_failed_at": letter.last_failed_at.as_micros(),
        "ended_at": micros(letter.ended_at),
        "outcome_unknown": letter.is_outcome_unknown,
        "overflow": letter.is_overflow,
        "blocked": letter.is_blocked,
        "before": before,
        "trigger": letter.trigger.to_string(),
        "destination": &*letter.destination,
    })
}

fn letter(letter: &FullLetter) -> Value {
    json!({
        "info": info(&letter.info),
        "content": content(&letter.content),
        "context": serde_json::to_value(&letter.context).unwrap(),
        "attempts": serde_json::to_value(&letter.attempts).unwrap(),
        "original": letter.original.as_deref().map(content),
        "notes": letter.notes.iter().map(|note| hex(note)).collect::<Vec<_>>(),
        "parts": letter.parts,
    })
}

fn content(content: &Content) -> Value {
    let headers: Vec<Value> = content.headers.iter().map(|header| json!([header.name, hex(&header.value)])).collect();
    json!({
        "kind": content.kind,
        "encoding": content.encoding,
        "reference": content.reference,
        "key": content.key.as_deref().map(hex),
        "headers": headers,
        "payload": hex(&content.payload),
    })
}

fn change(change: &FeedChange) -> Value {
    match change {
        FeedChange::Now { queue, letter } => json!(["now", queue.as_str(), letter.info.id.to_string()]),
        FeedChange::Gone { queue, letter } => json!(["gone", queue.as_str(), letter.to_string()]),
        FeedChange::QueueGone { queue } => json!(["queue_gone", queue.as_str()]),
    }
}

fn micros(time: Option<Time>) -> Option<i64> {
    time.map(Time::as_micros)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
