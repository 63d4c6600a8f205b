//! Finding letters.

use crate::conformance::fixture::StoreFixture;
use redrive_core::{Category, LetterId, Span, Status};
use redrive_model::{Archive, CaptureTimes, FindLetters, FoundLetters, LetterOrder, NewLetter, Purge};

use crate::conformance::samples::{MINUTE, failure, failure_due, failure_for_good, fingerprint};

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

fn ids(found: &FoundLetters) -> Vec<LetterId> {
    found.letters.iter().filter_map(|info| info.letter.as_ref()).map(|letter| letter.id).collect()
}

/// All pages of a search.
async fn pages(fixture: &StoreFixture, mut find: FindLetters) -> Vec<LetterId> {
    let mut all = Vec::new();
    loop {
        let page = fixture.store().find_letters(find.clone()).await.unwrap();
        all.extend(ids(&page));
        if !page.has_more() {
            return all;
        }
        (find.after, find.after_due) = (page.next, page.next_due);
    }
}

pub(in crate::conformance) async fn letters_are_found_in_the_order_of_capture_or_of_their_retries(
    fixture: &StoreFixture,
) {
    let dead_queue = fixture.queue("dead").await;
    let mut letters = Vec::new();
    let (unscheduled, soon, later) = (failure_for_good, failure_due, failure);
    for letter in [unscheduled("a"), later("b"), soon("c"), unscheduled("d"), later("e"), soon("f")] {
        letters.push(fixture.capture(&dead_queue, letter).await.letter);
        fixture.advance(Span::from_millis(10));
    }
    let in_order = |order: [usize; 6]| order.map(|at| letters[at]).to_vec();
    let dues = async |order| {
        let find = FindLetters { order, limit: 9, ..FindLetters::all(dead_queue.clone(), 9) };
        let found = fixture.store().find_letters(find).await.unwrap();
        found.letters.iter().filter_map(|info| info.letter.as_ref()?.next_retry_at).collect::<Vec<_>>()
    };
    assert!(dues(LetterOrder::DueFirst).await.is_sorted() && dues(LetterOrder::DueFirst).await.len() == 4);
    assert!(dues(LetterOrder::DueLast).await.iter().rev().is_sorted());
    for limit in [1, 2, 4, 9] {
        let all = |order| FindLetters { order, ..FindLetters::all(dead_queue.clone(), limit) };
        assert_eq!(pages(fixture, all(LetterOrder::OldestFirst)).await, letters, "{limit}");
        assert_eq!(pages(fixture, all(LetterOrder::NewestFirst)).await, in_order([5, 4, 3, 2, 1, 0]), "{limit}");
        let due_first = pages(fixture, all(LetterOrder::DueFirst)).await;
        let due_last = pages(fixture, all(LetterOrder::DueLast)).await;
        assert_eq!(due_first.len(), 6, "{limit}");
        assert_eq!(due_first[4..], [letters[3], letters[0]], "letters without a retry follow, the newest first");
        assert_eq!(due_last[4..], [letters[3], letters[0]], "in both directions");
        assert!(due_last[..4].iter().rev().eq(&due_first[..4]), "{limit}: {due_last:?} {due_first:?}");
        let exhausted = FindLetters { statuses: vec![Status::Exhausted], ..all(LetterOrder::DueFirst) };
        assert_eq!(pages(fixture, exhausted).await, [], "only pending letters are due");
    }
    // A page continues where the last one ended, even if that letter is gone.
    let first = FindLetters { order: LetterOrder::DueFirst, ..FindLetters::all(dead_queue.clone(), 2) };
    let page = fixture.store().find_letters(first.clone()).await.unwrap();
    let gone = ids(&page);
    fixture.store().purge(Purge { queue: dead_queue.clone(), letters: gone.clone() }).await.unwrap();
    let rest = pages(fixture, FindLetters { after_due: page.next_due, ..first }).await;
    assert_eq!(rest.len(), 4);
    assert!(!rest.iter().any(|letter| gone.contains(letter)));
}

pub(in crate::conformance) async fn letters_are_found_by_the_time_of_their_capture(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let mut letters = Vec::new();
    let mut times = Vec::new();
    for id in ["a", "b", "c", "d"] {
        times.push(fixture.now());
        letters.push(fixture.capture(&dead_queue, failure_due(id)).await.letter);
        fixture.advance(MINUTE);
    }
    fixture.store().archive(Archive { queue: dead_queue.clone(), letters: vec![letters[2]] }).await.unwrap();
    for order in [LetterOrder::OldestFirst, LetterOrder::NewestFirst, LetterOrder::DueFirst, LetterOrder::DueLast] {
        for limit in [1, 9] {
            let found = async |since: Option<usize>, until: Option<usize>| {
                let at =
                    |number: Option<usize>| number.map(|number| times[number].saturating_add(Span::from_millis(3)));
                let captured = CaptureTimes { since: at(since), until: at(until) };
                let find = FindLetters { captured, order, ..FindLetters::all(dead_queue.clone(), limit) };
                let mut found = pages(fixture, find).await;
                found.sort_unstable();
                found
            };
            assert_eq!(found(Some(2), None).await, letters[2..], "{order:?}: within the second is late enough");
            assert_eq!(found(None, Some(2)).await, letters[..2], "{order:?}: the end is exclusive");
            assert_eq!(found(Some(1), Some(3)).await, letters[1..3], "{order:?}");
            assert_eq!(found(Some(3), Some(1)).await, [], "{order:?}");
        }
    }
    let ancient = CaptureTimes { since: None, until: Some(redrive_core::Time::EPOCH) };
    let find = FindLetters { captured: ancient, ..FindLetters::all(dead_queue.clone(), 9) };
    assert_eq!(pages(fixture, find).await, []);
}

pub(in crate::conformance) async fn the_number_of_letters_is_known_on_every_page(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let mut letters = Vec::new();
    for id in ["a", "b", "c", "d", "e"] {
        letters.push(fixture.capture(&dead_queue, failure_due(id)).await.letter);
        fixture.advance(MINUTE);
    }
    fixture.store().archive(Archive { queue: dead_queue.clone(), letters: letters[..1].to_vec() }).await.unwrap();
    for order in [LetterOrder::OldestFirst, LetterOrder::NewestFirst, LetterOrder::DueFirst, LetterOrder::DueLast] {
        let all = FindLetters { order, ..FindLetters::all(dead_queue.clone(), 2) };
        let total = async |find: FindLetters| {
            let first = fixture.store().find_letters(find.clone()).await.unwrap();
            let next = FindLetters { after: first.next, after_due: first.next_due, ..find };
            assert_eq!(fixture.store().find_letters(next).await.unwrap().total, first.total, "{order:?}");
            first.total
        };
        assert_eq!(total(all.clone()).await, Some(5), "{order:?}");
        assert_eq!(total(FindLetters { statuses: vec![Status::Pending], ..all.clone() }).await, Some(4), "{order:?}");
        let since = CaptureTimes { since: Some(fixture.now().saturating_sub(MINUTE)), until: None };
        let last = FindLetters { captured: since, ..all.clone() };
        assert_eq!(fixture.store().find_letters(last).await.unwrap().total, Some(1), "{order:?}");
    }
}
