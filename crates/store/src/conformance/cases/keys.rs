//! The key space, and key writes that accompany other operations.

use crate::{Reply, Request, StoreError, conformance::fixture::StoreFixture};
use bytes::Bytes;
use redrive_model::{
    GetKey, KeyCondition, KeyEntry, KeyWrite, NewItem, Produce, QueueSettings, Rejection, ScanKeys, WriteKeys,
};

use crate::conformance::samples::{failure, name, rejection};

fn put(key: &'static str, value: &'static str) -> KeyWrite {
    put_if(key, value, KeyCondition::Any)
}

fn put_if(key: &'static str, value: &'static str, condition: KeyCondition) -> KeyWrite {
    KeyWrite { key: Bytes::from_static(key.as_bytes()), value: Some(Bytes::from_static(value.as_bytes())), condition }
}

fn delete(key: &'static str, condition: KeyCondition) -> KeyWrite {
    KeyWrite { key: Bytes::from_static(key.as_bytes()), value: None, condition }
}

async fn get(fixture: &StoreFixture, key: &'static str) -> Option<KeyEntry> {
    fixture.store().key(GetKey { key: Bytes::from_static(key.as_bytes()) }).await.unwrap()
}

async fn value(fixture: &StoreFixture, key: &'static str) -> Option<Bytes> {
    get(fixture, key).await.map(|entry| entry.value)
}

async fn write(fixture: &StoreFixture, writes: Vec<KeyWrite>) -> Result<(), StoreError> {
    fixture.store().write_keys(WriteKeys { writes }).await
}

async fn scan(fixture: &StoreFixture, prefix: &'static str, from: &'static str, limit: usize) -> Vec<String> {
    let [prefix, from] = [prefix, from].map(|text| Bytes::from_static(text.as_bytes()));
    let entries = fixture.store().keys(ScanKeys { prefix, from, limit }).await.unwrap();
    entries.into_iter().map(|entry| String::from_utf8(entry.key.to_vec()).unwrap()).collect()
}

pub(in crate::conformance) async fn a_key_is_put_read_and_deleted(fixture: &StoreFixture) {
    assert_eq!(get(fixture, "a").await, None);
    write(fixture, vec![put("a", "1"), put("empty", "")]).await.unwrap();
    assert_eq!(value(fixture, "a").await.as_deref(), Some(b"1".as_slice()));
    assert_eq!(value(fixture, "empty").await.as_deref(), Some(b"".as_slice()), "an empty value is a value");
    write(fixture, vec![put("a", "2")]).await.unwrap();
    assert_eq!(value(fixture, "a").await.as_deref(), Some(b"2".as_slice()));
    write(fixture, vec![delete("a", KeyCondition::Any), delete("never", KeyCondition::Any)]).await.unwrap();
    assert_eq!(get(fixture, "a").await, None);
}

pub(in crate::conformance) async fn a_version_is_never_the_same_twice(fixture: &StoreFixture) {
    let mut seen = Vec::new();
    for _ in 0..3 {
        write(fixture, vec![put("a", "same")]).await.unwrap();
        seen.push(get(fixture, "a").await.expect("it was put").version);
        write(fixture, vec![put("a", "same")]).await.unwrap();
        seen.push(get(fixture, "a").await.expect("it was put").version);
        write(fixture, vec![delete("a", KeyCondition::Any)]).await.unwrap();
    }
    let count = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), count, "also after a deletion");
}

pub(in crate::conformance) async fn a_write_to_an_old_version_is_rejected(fixture: &StoreFixture) {
    write(fixture, vec![put("a", "1")]).await.unwrap();
    let read = KeyCondition::Version(get(fixture, "a").await.expect("it was put").version);
    write(fixture, vec![put_if("a", "2", read)]).await.unwrap();
    let changed = || Rejection::KeyChanged { key: Bytes::from_static(b"a") };
    assert_eq!(rejection(write(fixture, vec![put_if("a", "3", read)]).await), changed());
    assert_eq!(rejection(write(fixture, vec![delete("a", read)]).await), changed());
    assert_eq!(rejection(write(fixture, vec![put_if("a", "3", KeyCondition::Absent)]).await), changed());
    assert_eq!(value(fixture, "a").await.as_deref(), Some(b"2".as_slice()));
    let today = KeyCondition::Version(get(fixture, "a").await.expect("it exists").version);
    write(fixture, vec![delete("a", today)]).await.unwrap();
    assert_eq!(rejection(write(fixture, vec![put_if("a", "3", today)]).await), changed(), "it was deleted");
    write(fixture, vec![put_if("a", "4", KeyCondition::Absent)]).await.unwrap();
}

pub(in crate::conformance) async fn one_failed_condition_rejects_all_writes(fixture: &StoreFixture) {
    write(fixture, vec![put("b", "old")]).await.unwrap();
    let writes = vec![put("a", "1"), put_if("b", "new", KeyCondition::Absent), delete("b", KeyCondition::Any)];
    assert_eq!(rejection(write(fixture, writes).await), Rejection::KeyChanged { key: Bytes::from_static(b"b") });
    assert_eq!((get(fixture, "a").await, value(fixture, "b").await.as_deref()), (None, Some(b"old".as_slice())));
}

pub(in crate::conformance) async fn keys_are_scanned_in_order(fixture: &StoreFixture) {
    let writes = ["user/b", "user/a", "user/ab", "users", "role/a", "user/\u{fffd}"].map(|key| put(key, "1"));
    write(fixture, writes.to_vec()).await.unwrap();
    assert_eq!(scan(fixture, "user/", "", 9).await, ["user/a", "user/ab", "user/b", "user/\u{fffd}"]);
    assert_eq!(scan(fixture, "user/", "", 2).await, ["user/a", "user/ab"]);
    assert_eq!(scan(fixture, "user/", "user/ab", 9).await, ["user/ab", "user/b", "user/\u{fffd}"], "from this key on");
    assert_eq!(scan(fixture, "user/", "user/aa", 1).await, ["user/ab"]);
    assert!(scan(fixture, "user/", "v", 9).await.is_empty());
    assert_eq!(scan(fixture, "", "", 9).await.len(), 6);
    assert_eq!(scan(fixture, "", "user/b", 9).await, ["user/b", "user/\u{fffd}", "users"]);
    assert!(scan(fixture, "nothing", "", 9).await.is_empty());
}

pub(in crate::conformance) async fn keys_and_values_have_limits(fixture: &StoreFixture) {
    let of = |key: usize, value: usize| KeyWrite {
        key: Bytes::from(vec![b'k'; key]),
        value: Some(Bytes::from(vec![b'v'; value])),
        condition: KeyCondition::Any,
    };
    for (write, expected) in [
        (of(0, 1), Rejection::BadKey { most: 2048 }),
        (of(2049, 1), Rejection::BadKey { most: 2048 }),
        (KeyWrite { value: None, ..of(0, 0) }, Rejection::BadKey { most: 2048 }),
    ] {
        let rejected = fixture.store().write_keys(WriteKeys { writes: vec![put("a", "1"), write] }).await;
        assert_eq!(rejection(rejected), expected);
        assert_eq!(get(fixture, "a").await, None, "all writes or none");
    }
    // A store may reject the request for its size before it checks the value.
    let rejected =
        rejection(fixture.store().write_keys(WriteKeys { writes: vec![put("a", "1"), of(1, (1 << 20) + 1)] }).await);
    assert!(matches!(rejected, Rejection::ValueTooLong { .. } | Rejection::TooLarge { .. }), "{rejected:?}");
    fixture.store().write_keys(WriteKeys { writes: vec![of(2048, 50_000)] }).await.unwrap();
}

pub(in crate::conformance) async fn bytes_are_bytes(fixture: &StoreFixture) {
    let key = Bytes::from_static(&[0xFF, 0x00, 0xFF]);
    let value: Bytes = (0..=255).collect::<Vec<u8>>().into();
    let entry = KeyWrite { key: key.clone(), value: Some(value.clone()), condition: KeyCondition::Any };
    write(fixture, vec![entry]).await.unwrap();
    assert_eq!(fixture.store().key(GetKey { key: key.clone() }).await.unwrap().expect("it was put").value, value);
    let prefix = Bytes::from_static(&[0xFF]);
    let found = fixture.store().keys(ScanKeys { prefix, from: Bytes::new(), limit: 9 }).await.unwrap();
    assert_eq!(found[0].key, key);
}

// Accompanying other operations

fn produce() -> Request {
    Request::Produce(Produce::new(name("orders"), vec![NewItem::of_payload("a")]))
}

pub(in crate::conformance) async fn keys_are_written_together_with_an_operation(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let reply = fixture.store().submit(produce(), vec![put("audit/1", "produced")]).await.unwrap();
    assert!(matches!(reply, Reply::Produce(_)));
    assert_eq!(fixture.numbers(&orders).await.0, 1);
    assert_eq!(value(fixture, "audit/1").await.as_deref(), Some(b"produced".as_slice()));
    // With any operation.
    let create = redrive_model::CreateQueue { settings: QueueSettings::new(name("dead")) };
    fixture.store().submit(create.into(), vec![put("audit/2", "created")]).await.unwrap();
    let capture = redrive_model::Capture::new(name("dead"), vec![failure("f-1")]);
    fixture.store().submit(Request::Capture(capture), vec![put("audit/3", "captured")]).await.unwrap();
    let forget = redrive_model::DeleteQueue { name: name("dead"), force: false };
    fixture.store().submit(Request::DeleteQueue(forget), vec![put("audit/4", "deleted")]).await.unwrap();
    assert_eq!(scan(fixture, "audit/", "", 9).await.len(), 4);
}

pub(in crate::conformance) async fn a_rejected_operation_writes_no_keys(fixture: &StoreFixture) {
    let rejected = fixture.store().submit(produce(), vec![put("audit/1", "produced")]).await;
    assert_eq!(rejection(rejected), Rejection::NoSuchQueue(name("orders")));
    assert_eq!(get(fixture, "audit/1").await, None);
}

pub(in crate::conformance) async fn rejected_keys_reject_the_operation(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    write(fixture, vec![put("a", "1")]).await.unwrap();
    let along = vec![put("b", "1"), put_if("a", "2", KeyCondition::Absent)];
    let rejected = fixture.store().submit(produce(), along).await;
    assert_eq!(rejection(rejected), Rejection::KeyChanged { key: Bytes::from_static(b"a") });
    assert_eq!(fixture.numbers(&orders).await.0, 0);
    assert_eq!(get(fixture, "b").await, None);
    let rejected = fixture.store().submit(produce(), vec![put("", "1")]).await;
    assert_eq!(rejection(rejected), Rejection::BadKey { most: 2048 });
    assert_eq!(fixture.numbers(&orders).await.0, 0);
}

pub(in crate::conformance) async fn key_writes_and_accompanying_keys_are_one_transaction(fixture: &StoreFixture) {
    let absent = KeyCondition::Absent;
    let operation = WriteKeys { writes: vec![put_if("a", "1", absent), put("b", "1")] };
    let answer = fixture.store().submit(Request::WriteKeys(operation), vec![put_if("a", "2", absent)]).await;
    let there = [get(fixture, "a").await.is_some(), get(fixture, "b").await.is_some()];
    assert_eq!(there, [answer.is_ok(); 2], "both, or neither: {answer:?}");
}
