//! Reading complete letters from the index.

use std::collections::BTreeMap;

use redrive_search::IndexRestore;

use super::fixture::{Fixture, caught_up, letters};
use super::history::{Random, perform_random};
use crate::failures::record;

#[tokio::test]
async fn every_letter_is_restored_completely() {
    let (fixture, projection) = Fixture::with_projection().await;
    perform_random(&*fixture.store, &mut Random(21), 400).await;
    caught_up(&fixture, &projection).await;
    projection.refresh().await.unwrap();
    let mut expected = BTreeMap::new();
    for (queue, letter) in letters(&*fixture.store).await {
        let record = record(&*fixture.store, &queue, letter).await;
        expected.insert(letter, (queue, record));
    }
    let restore = IndexRestore::new(&fixture.settings()).unwrap();
    assert_eq!(restore.count().await.unwrap(), expected.len() as u64);
    let (mut found, mut after) = (BTreeMap::new(), None);
    loop {
        let page = restore.read(after, 17).await.unwrap();
        for restored in page.letters {
            found.insert(restored.letter, (restored.queue, *restored.record.unwrap()));
        }
        match page.next {
            Some(next) => after = Some(next),
            None => break,
        }
    }
    assert_eq!(found, expected);
    fixture.end(&projection).await;
}
