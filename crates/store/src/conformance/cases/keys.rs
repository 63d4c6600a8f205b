//! The key space, and what is written into it along with other operations.

use crate::{Reply, Request, StoreError, conformance::bed::Bed};
use bytes::Bytes;
use redrive_model::{
    GetKey, KeyCondition, KeyEntry, KeyWrite, NewItem, Produce, QueueSettings, Rejection, ScanKeys, WriteKeys,
};

use crate::conformance::words::{failure, name, refusal};

fn put(key: &'static str, value: &'static str) -> KeyWrite {
    put_if(key, value, KeyCondition::Any)
}

fn put_if(key: &'static str, value: &'static str, condition: KeyCondition) -> KeyWrite {
    KeyWrite { key: Bytes::from_static(key.as_bytes()), value: Some(Bytes::from_static(value.as_bytes())), condition }
}

fn delete(key: &'static str, condition: KeyCondition) -> KeyWrite {
    KeyWrite { key: Bytes::from_static(key.as_bytes()), value: None, condition }
}

async fn get(bed: &Bed, key: &'static str) -> Option<KeyEntry> {
    bed.store().key(GetKey { key: Bytes::from_static(key.as_bytes()) }).await.unwrap()
}

async fn value(bed: &Bed, key: &'static str) -> Option<Bytes> {
    get(bed, key).await.map(|entry| entry.value)
}

async fn write(bed: &Bed, writes: Vec<KeyWrite>) -> Result<(), StoreError> {
    bed.store().write_keys(WriteKeys { writes }).await
}

async fn scan(bed: &Bed, prefix: &'static str, from: &'static str, limit: usize) -> Vec<String> {
    let [prefix, from] = [prefix, from].map(|text| Bytes::from_static(text.as_bytes()));
    let entries = bed.store().keys(ScanKeys { prefix, from, limit }).await.unwrap();
    entries.into_iter().map(|entry| String::from_utf8(entry.key.to_vec()).unwrap()).collect()
}

pub(in crate::conformance) async fn a_key_is_put_read_and_deleted(bed: &Bed) {
    assert_eq!(get(bed, "a").await, None);
    write(bed, vec![put("a", "1"), put("empty", "")]).await.unwrap();
    assert_eq!(value(bed, "a").await.as_deref(), Some(b"1".as_slice()));
    assert_eq!(value(bed, "empty").await.as_deref(), Some(b"".as_slice()), "an empty value is a value");
    write(bed, vec![put("a", "2")]).await.unwrap();
    assert_eq!(value(bed, "a").await.as_deref(), Some(b"2".as_slice()));
    write(bed, vec![delete("a", KeyCondition::Any), delete("never", KeyCondition::Any)]).await.unwrap();
    assert_eq!(get(bed, "a").await, None);
}

pub(in crate::conformance) async fn a_version_is_never_the_same_twice(bed: &Bed) {
    let mut seen = Vec::new();
    for _ in 0..3 {
        write(bed, vec![put("a", "same")]).await.unwrap();
        seen.push(get(bed, "a").await.expect("it was put").version);
        write(bed, vec![put("a", "same")]).await.unwrap();
        seen.push(get(bed, "a").await.expect("it was put").version);
        write(bed, vec![delete("a", KeyCondition::Any)]).await.unwrap();
    }
    let count = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), count, "also after a deletion");
}

pub(in crate::conformance) async fn who_changes_an_old_version_is_told(bed: &Bed) {
    write(bed, vec![put("a", "1")]).await.unwrap();
    let read = KeyCondition::Version(get(bed, "a").await.expect("it was put").version);
    write(bed, vec![put_if("a", "2", read)]).await.unwrap();
    let changed = || Rejection::KeyChanged { key: Bytes::from_static(b"a") };
    assert_eq!(refusal(write(bed, vec![put_if("a", "3", read)]).await), changed());
    assert_eq!(refusal(write(bed, vec![delete("a", read)]).await), changed());
    assert_eq!(refusal(write(bed, vec![put_if("a", "3", KeyCondition::Absent)]).await), changed());
    assert_eq!(value(bed, "a").await.as_deref(), Some(b"2".as_slice()));
    let today = KeyCondition::Version(get(bed, "a").await.expect("it is there").version);
    write(bed, vec![delete("a", today)]).await.unwrap();
    assert_eq!(refusal(write(bed, vec![put_if("a", "3", today)]).await), changed(), "it is gone");
    write(bed, vec![put_if("a", "4", KeyCondition::Absent)]).await.unwrap();
}

pub(in crate::conformance) async fn one_condition_that_does_not_hold_refuses_all(bed: &Bed) {
    write(bed, vec![put("b", "old")]).await.unwrap();
    let writes = vec![put("a", "1"), put_if("b", "new", KeyCondition::Absent), delete("b", KeyCondition::Any)];
    assert_eq!(refusal(write(bed, writes).await), Rejection::KeyChanged { key: Bytes::from_static(b"b") });
    assert_eq!((get(bed, "a").await, value(bed, "b").await.as_deref()), (None, Some(b"old".as_slice())));
}

pub(in crate::conformance) async fn keys_are_scanned_in_order(bed: &Bed) {
    let writes = ["user/b", "user/a", "user/ab", "users", "role/a", "user/\u{fffd}"].map(|key| put(key, "1"));
    write(bed, writes.to_vec()).await.unwrap();
    assert_eq!(scan(bed, "user/", "", 9).await, ["user/a", "user/ab", "user/b", "user/\u{fffd}"]);
    assert_eq!(scan(bed, "user/", "", 2).await, ["user/a", "user/ab"]);
    assert_eq!(scan(bed, "user/", "user/ab", 9).await, ["user/ab", "user/b", "user/\u{fffd}"], "from this key on");
    assert_eq!(scan(bed, "user/", "user/aa", 1).await, ["user/ab"]);
    assert!(scan(bed, "user/", "v", 9).await.is_empty());
    assert_eq!(scan(bed, "", "", 9).await.len(), 6);
    assert_eq!(scan(bed, "", "user/b", 9).await, ["user/b", "user/\u{fffd}", "users"]);
    assert!(scan(bed, "nothing", "", 9).await.is_empty());
}

pub(in crate::conformance) async fn keys_and_values_have_limits(bed: &Bed) {
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
        let refused = bed.store().write_keys(WriteKeys { writes: vec![put("a", "1"), write] }).await;
        assert_eq!(refusal(refused), expected);
        assert_eq!(get(bed, "a").await, None, "all of them or none");
    }
    // A store may refuse the request for its size before it looks at the value.
    let refused =
        refusal(bed.store().write_keys(WriteKeys { writes: vec![put("a", "1"), of(1, (1 << 20) + 1)] }).await);
    assert!(matches!(refused, Rejection::ValueTooLong { .. } | Rejection::TooLarge { .. }), "{refused:?}");
    bed.store().write_keys(WriteKeys { writes: vec![of(2048, 50_000)] }).await.unwrap();
}

pub(in crate::conformance) async fn bytes_are_bytes(bed: &Bed) {
    let key = Bytes::from_static(&[0xFF, 0x00, 0xFF]);
    let value: Bytes = (0..=255).collect::<Vec<u8>>().into();
    let entry = KeyWrite { key: key.clone(), value: Some(value.clone()), condition: KeyCondition::Any };
    write(bed, vec![entry]).await.unwrap();
    assert_eq!(bed.store().key(GetKey { key: key.clone() }).await.unwrap().expect("it was put").value, value);
    let prefix = Bytes::from_static(&[0xFF]);
    let found = bed.store().keys(ScanKeys { prefix, from: Bytes::new(), limit: 9 }).await.unwrap();
    assert_eq!(found[0].key, key);
}

// Along with other operations

fn produce() -> Request {
    Request::Produce(Produce::new(name("orders"), vec![NewItem::of_payload("a")]))
}

pub(in crate::conformance) async fn keys_go_along_with_an_operation(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let reply = bed.store().submit(produce(), vec![put("audit/1", "produced")]).await.unwrap();
    assert!(matches!(reply, Reply::Produce(_)));
    assert_eq!(bed.numbers(&orders).await.0, 1);
    assert_eq!(value(bed, "audit/1").await.as_deref(), Some(b"produced".as_slice()));
    // Whatever the operation is.
    let create = redrive_model::CreateQueue { settings: QueueSettings::new(name("dead")) };
    bed.store().submit(create.into(), vec![put("audit/2", "created")]).await.unwrap();
    let capture = redrive_model::Capture::new(name("dead"), vec![failure("f-1")]);
    bed.store().submit(Request::Capture(capture), vec![put("audit/3", "captured")]).await.unwrap();
    let forget = redrive_model::DeleteQueue { name: name("dead"), force: false };
    bed.store().submit(Request::DeleteQueue(forget), vec![put("audit/4", "deleted")]).await.unwrap();
    assert_eq!(scan(bed, "audit/", "", 9).await.len(), 4);
}

pub(in crate::conformance) async fn a_refused_operation_writes_no_keys(bed: &Bed) {
    let refused = bed.store().submit(produce(), vec![put("audit/1", "produced")]).await;
    assert_eq!(refusal(refused), Rejection::NoSuchQueue(name("orders")));
    assert_eq!(get(bed, "audit/1").await, None);
}

pub(in crate::conformance) async fn refused_keys_refuse_the_operation(bed: &Bed) {
    let orders = bed.queue("orders").await;
    write(bed, vec![put("a", "1")]).await.unwrap();
    let along = vec![put("b", "1"), put_if("a", "2", KeyCondition::Absent)];
    let refused = bed.store().submit(produce(), along).await;
    assert_eq!(refusal(refused), Rejection::KeyChanged { key: Bytes::from_static(b"a") });
    assert_eq!(bed.numbers(&orders).await.0, 0);
    assert_eq!(get(bed, "b").await, None);
    let refused = bed.store().submit(produce(), vec![put("", "1")]).await;
    assert_eq!(refusal(refused), Rejection::BadKey { most: 2048 });
    assert_eq!(bed.numbers(&orders).await.0, 0);
}

pub(in crate::conformance) async fn key_writes_and_keys_along_are_one_unit(bed: &Bed) {
    let absent = KeyCondition::Absent;
    let operation = WriteKeys { writes: vec![put_if("a", "1", absent), put("b", "1")] };
    let answer = bed.store().submit(Request::WriteKeys(operation), vec![put_if("a", "2", absent)]).await;
    let there = [get(bed, "a").await.is_some(), get(bed, "b").await.is_some()];
    assert_eq!(there, [answer.is_ok(); 2], "both, or neither: {answer:?}");
}
