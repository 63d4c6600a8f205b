//! Records follow from one another, and whoever changes one is noticed.

use bytes::Bytes;
use redrive_model::{KeyCondition, KeyEntry, KeyWrite, ScanKeys, WriteKeys};
use redrive_server::{AuditError, Settings, read_audit};
use redrive_store::Store;
use serde_json::json;

use crate::bed::{Bed, Caller, Ground, each};
use crate::tenancy::{namespace, second_server};

async fn entries(bed: &Bed) -> Vec<KeyEntry> {
    let prefix = Bytes::from_static(b"audit\0\x01");
    bed.store().keys(ScanKeys { from: prefix.clone(), prefix, limit: 10_000 }).await.unwrap()
}

async fn write(bed: &Bed, key: &Bytes, value: Option<Bytes>) {
    let write = KeyWrite { key: key.clone(), value, condition: KeyCondition::Any };
    bed.store().write_keys(WriteKeys { writes: vec![write] }).await.unwrap();
}

async fn fill(bed: &Bed) {
    let mut caller = bed.caller().await;
    for number in 0..5 {
        namespace(&mut caller, &format!("n{number}")).await;
    }
}

async fn broken_at(bed: &Bed) -> u64 {
    match read_audit(bed.store()).await {
        Err(AuditError::Broken { sequence, .. }) => sequence,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_chain_begins_with_the_start_of_its_server() {
    each(async |bed| {
        fill(&bed).await;
        let chains = read_audit(bed.store()).await.unwrap();
        assert_eq!(chains.len(), 1);
        let [chain] = &chains[..] else { panic!() };
        let actions: Vec<&str> = chain.records.iter().map(|record| record.action.as_str()).collect();
        assert_eq!(actions[..2], ["server.start", "server.bootstrap"]);
        assert_eq!(actions[2..], ["namespaces.create"; 5]);
        for (sequence, record) in chain.records.iter().enumerate() {
            assert_eq!(record.sequence, sequence as u64);
            assert_eq!(record.incarnation, chain.incarnation);
        }
        assert_eq!(chain.records[0].previous, "0".repeat(64));
        assert_eq!(chain.head.len(), 64);
    })
    .await;
}

#[tokio::test]
async fn every_start_begins_a_chain_of_its_own() {
    let mut bed = Bed::new(Ground::Journal).await;
    fill(&bed).await;
    let before = read_audit(bed.store()).await.unwrap();
    bed.advance(redrive_core::Span::from_secs(1));
    bed.restart().await;
    let after = read_audit(bed.store()).await.unwrap();
    assert_eq!(after[..1], before, "what was written stays");
    assert_eq!(after.len(), 2);
    assert_ne!(after[0].incarnation, after[1].incarnation);
}

#[tokio::test]
async fn a_changed_record_is_noticed() {
    each(async |bed| {
        fill(&bed).await;
        let third = entries(&bed).await.swap_remove(3);
        let text = String::from_utf8(third.value.to_vec()).unwrap();
        write(&bed, &third.key, Some(text.replace(r#""n1""#, r#""nx""#).into())).await;
        assert_eq!(broken_at(&bed).await, 4, "the next one names what it was");
    })
    .await;
}

#[tokio::test]
async fn a_missing_record_is_noticed() {
    each(async |bed| {
        fill(&bed).await;
        let third = entries(&bed).await.swap_remove(3);
        write(&bed, &third.key, None).await;
        assert_eq!(broken_at(&bed).await, 4);
    })
    .await;
}

#[tokio::test]
async fn records_that_changed_places_are_noticed() {
    each(async |bed| {
        fill(&bed).await;
        let all = entries(&bed).await;
        write(&bed, &all[3].key, Some(all[4].value.clone())).await;
        write(&bed, &all[4].key, Some(all[3].value.clone())).await;
        assert_eq!(broken_at(&bed).await, 4);
    })
    .await;
}

#[tokio::test]
async fn a_first_record_that_is_not_the_first_is_noticed() {
    each(async |bed| {
        let first = entries(&bed).await.swap_remove(0);
        let text = String::from_utf8(first.value.to_vec()).unwrap();
        write(&bed, &first.key, Some(text.replace(&"0".repeat(64), &"1".repeat(64)).into())).await;
        assert_eq!(broken_at(&bed).await, 0);
    })
    .await;
}

#[tokio::test]
async fn a_cut_end_shows_in_the_head() {
    each(async |bed| {
        fill(&bed).await;
        let before = read_audit(bed.store()).await.unwrap().remove(0);
        let last = entries(&bed).await.pop().unwrap();
        write(&bed, &last.key, None).await;
        let after = read_audit(bed.store()).await.unwrap().remove(0);
        assert_ne!(after.head, before.head);
        assert_eq!(after.head, before.records.last().unwrap().previous);
    })
    .await;
}

/// As when an act was done and its caller had gone.
#[tokio::test]
async fn a_server_that_is_behind_its_chain_goes_to_its_end() {
    each(async |bed| {
        let caller = bed.caller().await;
        drop(caller);
        let last = entries(&bed).await.pop().unwrap();
        let mut record: serde_json::Value = serde_json::from_slice(&last.value).unwrap();
        record["sequence"] = json!(2);
        let hash = read_audit(bed.store()).await.unwrap().remove(0).head;
        record["previous"] = json!(hash);
        let mut key = last.key.to_vec();
        let at = key.len() - 3;
        key[at] = b'2';
        write(&bed, &key.into(), Some(record.to_string().into())).await;
        fill(&bed).await;
        assert_eq!(read_audit(bed.store()).await.unwrap().remove(0).records.len(), 3 + 5);
    })
    .await;
}

#[tokio::test]
async fn two_servers_write_two_chains() {
    each(async |bed| {
        let other = second_server(&bed).await;
        fill(&bed).await;
        namespace(&mut Caller::connect(other).await, "other").await;
        let chains = read_audit(bed.store()).await.unwrap();
        let mut counts: Vec<usize> = chains.iter().map(|chain| chain.records.len()).collect();
        counts.sort_unstable();
        assert_eq!(counts, [2, 7]);
    })
    .await;
}

#[tokio::test]
async fn the_oldest_records_go_when_there_are_too_many() {
    for ground in Ground::ALL {
        let listen = ([127, 0, 0, 1], 0).into();
        let bed = Bed::with(ground, Settings { listen, audit_records_max: 4, ..Settings::default() }).await;
        fill(&bed).await;
        let chain = read_audit(bed.store()).await.unwrap().remove(0);
        let sequences: Vec<u64> = chain.records.iter().map(|record| record.sequence).collect();
        assert_eq!(sequences, [3, 4, 5, 6]);
    }
}

#[tokio::test]
async fn a_lower_limit_is_reached_by_and_by_and_old_chains_go_first() {
    let mut bed = Bed::new(Ground::Journal).await;
    fill(&bed).await;
    fill_again(&bed, 40).await;
    bed.advance(redrive_core::Span::from_secs(1));
    bed.settings.audit_records_max = 3;
    bed.restart().await;
    fill_again(&bed, 10).await;
    let chains = read_audit(bed.store()).await.unwrap();
    assert_eq!(chains.len(), 1);
    let sequences: Vec<u64> = chains[0].records.iter().map(|record| record.sequence).collect();
    assert_eq!(sequences, [8, 9, 10]);
}

async fn fill_again(bed: &Bed, times: usize) {
    let mut caller = bed.caller().await;
    for _ in 0..times {
        caller.ok("/v1/namespaces.update", json!({ "name": "n0" })).await;
    }
}
