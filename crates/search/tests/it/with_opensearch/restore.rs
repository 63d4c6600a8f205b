//! Whole letters back from the index.

use std::collections::BTreeMap;

use redrive_search::IndexRestore;

use super::bed::{Bed, caught_up, letters};
use super::history::{Random, happen};
use crate::failures::record;

#[tokio::test]
async fn every_letter_comes_back_whole() {
    let bed = Bed::new();
    let projection = bed.started().await;
    happen(&*bed.store, &mut Random(21), 400).await;
    caught_up(&bed, &projection).await;
    projection.refresh().await.unwrap();
    let mut expected = BTreeMap::new();
    for (queue, letter) in letters(&*bed.store).await {
        let record = record(&*bed.store, &queue, letter).await;
        expected.insert(letter, (queue, record));
    }
    let restore = IndexRestore::new(&bed.settings()).unwrap();
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
    bed.end(&projection).await;
}
