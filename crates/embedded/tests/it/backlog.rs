//! A backlog that does not fit into the cache is read from disk, ahead of the leases.

use redrive_embedded::EmbeddedOptions;
use redrive_model::CreateQueue;
use redrive_store::Store;

use crate::rig::{item, lease, name, number_of, on_disk, open_with, options, produce, settings};

/// Regardless of read-ahead, caching and compaction, each lease gets the next items with their correct payloads.
#[test]
fn a_backlog_is_leased_in_order_with_any_batch_size() {
    for cache_bytes in [0, 16 * 1024, 4 << 20] {
        on_disk(async |disk, clock| {
            let options = EmbeddedOptions { cache_bytes, ..options(&clock) };
            let store = open_with(std::sync::Arc::new(disk.clone()), &options).unwrap();
            store.create_queue(CreateQueue { settings: settings("orders") }).await.unwrap();
            let (mut next, mut newest) = (0, 0);
            let mut put = async |count: u64| {
                let items = (newest..newest + count).map(|number| item(number, 700)).collect();
                newest += count;
                produce(&store, "orders", items).await.unwrap();
            };
            for _ in 0..20 {
                put(40).await;
            }
            for batch in [1, 1, 3, 100, 40, 1, 64, 65, 2, 7, 300].into_iter().cycle().take(60) {
                put(batch.min(40)).await;
                let leased = lease(&store, "orders", batch).await.unwrap();
                for item in &leased.items {
                    assert_eq!(number_of(&item.content.payload), Some(next));
                    next += 1;
                }
                let ids = leased.items.iter().map(|item| item.info.id).collect();
                store.complete(name("orders"), leased.partition, ids).await.unwrap();
            }
            assert!(next > 1_000, "only {next} items were leased");
            store.close().await.unwrap();
        });
    }
}
