//! Letters that are looked for.

use crate::conformance::bed::Bed;
use redrive_core::{Category, LetterId, Status};
use redrive_model::{Archive, FindLetters, NewLetter};

use crate::conformance::words::{failure, failure_for_good, fingerprint};

async fn find(bed: &Bed, find: FindLetters) -> (Vec<LetterId>, Option<LetterId>) {
    let found = bed.store().find_letters(find).await.unwrap();
    (found.letters.into_iter().map(|info| info.letter.expect("a letter").id).collect(), found.next)
}

pub(in crate::conformance) async fn letters_are_found_by_what_is_known_of_them(bed: &Bed) {
    const OTHER: &str = "disk full";
    let dead_queue = bed.queue("dead").await;
    let other =
        |id| NewLetter { category: Category::Resource, fingerprint: fingerprint(OTHER), ..failure_for_good(id) };
    let mut ids = Vec::new();
    for letter in [failure("a"), other("b"), failure("quote \" and \\"), other("d")] {
        ids.push(bed.capture(&dead_queue, letter).await.letter);
    }
    bed.store().archive(Archive { queue: dead_queue.clone(), letters: vec![ids[3]] }).await.unwrap();
    let all = FindLetters::all(dead_queue.clone(), 9);
    let resource = FindLetters { category: Some(Category::Resource), ..all.clone() };
    let alike = FindLetters { fingerprint: Some(fingerprint(OTHER)), ..all.clone() };

    assert_eq!(find(bed, all.clone()).await, (ids.clone(), None));
    assert_eq!(find(bed, resource.clone()).await, (vec![ids[1], ids[3]], None));
    assert_eq!(find(bed, FindLetters { statuses: vec![Status::Archived], ..resource }).await, (vec![ids[3]], None));
    assert_eq!(find(bed, alike.clone()).await, (vec![ids[1], ids[3]], None));
    let named = FindLetters { source_id: Some("quote \" and \\".to_owned()), ..all.clone() };
    assert_eq!(find(bed, named).await, (vec![ids[2]], None));
    let nobody = FindLetters { category: Some(Category::Validation), ..all };
    assert_eq!(find(bed, nobody).await, (vec![], None));
    let (first, next) = find(bed, FindLetters { limit: 1, ..alike.clone() }).await;
    assert_eq!((first, next), (vec![ids[1]], Some(ids[1])), "there is another page");
    assert_eq!(find(bed, FindLetters { after: next, ..alike }).await, (vec![ids[3]], None));
}
