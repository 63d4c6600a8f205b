//! Finding letters.

use crate::conformance::fixture::StoreFixture;
use redrive_core::{Category, LetterId, Status};
use redrive_model::{Archive, FindLetters, NewLetter};

use crate::conformance::samples::{failure, failure_for_good, fingerprint};

async fn find(fixture: &StoreFixture, find: FindLetters) -> (Vec<LetterId>, Option<LetterId>) {
    let found = fixture.store().find_letters(find).await.unwrap();
    (found.letters.into_iter().map(|info| info.letter.expect("a letter").id).collect(), found.next)
}

pub(in crate::conformance) async fn letters_are_found_by_indexed_properties(fixture: &StoreFixture) {
    const OTHER: &str = "disk full";
    let dead_queue = fixture.queue("dead").await;
    let other =
        |id| NewLetter { category: Category::Resource, fingerprint: fingerprint(OTHER), ..failure_for_good(id) };
    let mut ids = Vec::new();
    for letter in [failure("a"), other("b"), failure("quote \" and \\"), other("d")] {
        ids.push(fixture.capture(&dead_queue, letter).await.letter);
    }
    fixture.store().archive(Archive { queue: dead_queue.clone(), letters: vec![ids[3]] }).await.unwrap();
    let all = FindLetters::all(dead_queue.clone(), 9);
    let resource = FindLetters { category: Some(Category::Resource), ..all.clone() };
    let alike = FindLetters { fingerprint: Some(fingerprint(OTHER)), ..all.clone() };

    assert_eq!(find(fixture, all.clone()).await, (ids.clone(), None));
    assert_eq!(find(fixture, resource.clone()).await, (vec![ids[1], ids[3]], None));
    assert_eq!(find(fixture, FindLetters { statuses: vec![Status::Archived], ..resource }).await, (vec![ids[3]], None));
    assert_eq!(find(fixture, alike.clone()).await, (vec![ids[1], ids[3]], None));
    let named = FindLetters { source_id: Some("quote \" and \\".to_owned()), ..all.clone() };
    assert_eq!(find(fixture, named).await, (vec![ids[2]], None));
    let unmatched = FindLetters { category: Some(Category::Validation), ..all };
    assert_eq!(find(fixture, unmatched).await, (vec![], None));
    let (first, next) = find(fixture, FindLetters { limit: 1, ..alike.clone() }).await;
    assert_eq!((first, next), (vec![ids[1]], Some(ids[1])), "there is another page");
    assert_eq!(find(fixture, FindLetters { after: next, ..alike }).await, (vec![ids[3]], None));
}
