//! Searches among many letters.

use redrive_core::{Category, Failure, Fingerprint, QueueName, RetryPolicy, Span, Time};
use redrive_model::{
    Capture, CaptureTimes, CreateQueue, FindLetters, LetterOrder, NewLetter, OpContext, QueueSettings,
};
use redrive_queue::{Apply, Facts, State, View};

use crate::letters::letter;

const MANY: usize = 20_100;

/// A search that would visit all letters stops at a limit and returns where to continue; a search with few matches uses
/// the index.
#[test]
fn few_matches_are_found_by_index_and_a_long_scan_returns_where_to_continue() {
    let op = OpContext::new(Time::from_secs(1_800_000_000), 1);
    let queue = QueueName::new("dead").unwrap();
    let (mut state, mut facts) = (State::new(), Facts::new());
    CreateQueue { settings: QueueSettings::new(queue.clone()) }.apply(&mut state, op, &mut facts).unwrap();
    let kinds = [(Category::Network, MANY), (Category::Transient, MANY), (Category::Validation, 3)];
    for (category, count) in kinds {
        for number in 0..count {
            let letters = vec![letter_of(category, number)];
            Capture::new(queue.clone(), letters).apply(&mut state, op, &mut facts).unwrap();
            facts.clear();
        }
    }
    let find = |category| FindLetters { category: Some(category), ..FindLetters::all(queue.clone(), 2) };

    let few = find(Category::Validation).view(&state).unwrap();
    assert_eq!((few.letters.len(), few.next.is_some()), (2, true));
    let last = FindLetters { after: few.next, ..find(Category::Validation) }.view(&state).unwrap();
    assert_eq!((last.letters.len(), last.next), (1, None));

    let (mut pages, mut found) = (0, FindLetters::view(&find(Category::Transient), &state).unwrap());
    while found.letters.is_empty() {
        pages += 1;
        assert!(found.next.is_some(), "a page without letters must have a next position");
        found = FindLetters { after: found.next, ..find(Category::Transient) }.view(&state).unwrap();
    }
    assert_eq!((pages, found.letters.len()), (1, 2), "all letters of another category precede them");
    let first = found.letters[0].source_id.as_deref();
    assert_eq!(first, Some("transient-0"), "no letter was skipped");
}

/// In due order, the letters without a due time follow. Finding them passes those with one, within the limit of a page.
#[test]
fn the_end_of_a_list_in_due_order_visits_no_more_letters_than_any_page() {
    let op = OpContext::new(Time::from_secs(1_800_000_000), 1);
    let queue = QueueName::new("dead").unwrap();
    let (mut state, mut facts) = (State::new(), Facts::new());
    CreateQueue { settings: QueueSettings::new(queue.clone()) }.apply(&mut state, op, &mut facts).unwrap();
    for number in 0..=MANY {
        let policy = if number == 0 { RetryPolicy::Never } else { RetryPolicy::Exponential };
        let letter = NewLetter { policy, ..letter_of(Category::Network, number) };
        Capture::new(queue.clone(), vec![letter]).apply(&mut state, op, &mut facts).unwrap();
        facts.clear();
    }
    let newest = FindLetters { order: LetterOrder::NewestFirst, ..FindLetters::all(queue.clone(), 1) };
    let after = newest.view(&state).unwrap().next;
    let find = FindLetters { order: LetterOrder::DueFirst, after, ..FindLetters::all(queue, 2) };
    let found = find.view(&state).unwrap();
    assert_eq!((found.letters.len(), found.next.is_some()), (0, true), "the page ends at the limit of visits");
    let found = FindLetters { after: found.next, ..find }.view(&state).unwrap();
    let last: Vec<_> = found.letters.iter().map(|info| info.source_id.as_deref()).collect();
    assert_eq!((last, found.next), (vec![Some("network-0")], None));
}

/// The letters of the last seconds are the last in due order, too: they are found without a visit of most earlier ones.
#[test]
fn the_newest_of_many_letters_are_found_at_once_in_every_order() {
    let begin = Time::from_secs(1_800_000_000);
    let queue = QueueName::new("dead").unwrap();
    let (mut state, mut facts) = (State::new(), Facts::new());
    let op = |second: usize| {
        let now = begin.saturating_add(Span::from_secs(second.try_into().unwrap()));
        OpContext::new(now, second.try_into().unwrap())
    };
    CreateQueue { settings: QueueSettings::new(queue.clone()) }.apply(&mut state, op(0), &mut facts).unwrap();
    // More letters than one page visits, before and after the time of the search.
    let (seconds, each) = (600, 100);
    for second in 0..seconds {
        for number in 0..each {
            let due =
                NewLetter { policy: RetryPolicy::Exponential, ..letter_of(Category::Network, second * each + number) };
            Capture::new(queue.clone(), vec![due]).apply(&mut state, op(second), &mut facts).unwrap();
            facts.clear();
        }
    }
    let since = Some(op(seconds / 2).now);
    let captured = CaptureTimes { since, until: None };
    for order in [LetterOrder::OldestFirst, LetterOrder::NewestFirst, LetterOrder::DueFirst, LetterOrder::DueLast] {
        let find = FindLetters { order, captured, ..FindLetters::all(queue.clone(), 50) };
        let found = find.view(&state).unwrap();
        let first = found.letters.first().and_then(|info| info.source_id.clone()).map(String::from);
        let expected = match order {
            LetterOrder::OldestFirst | LetterOrder::DueFirst => seconds / 2 * each,
            LetterOrder::NewestFirst | LetterOrder::DueLast => seconds * each - 1,
        };
        assert_eq!((found.letters.len(), first), (50, Some(format!("network-{expected}"))), "{order:?}");
        assert_eq!(found.total, Some((seconds / 2 * each) as u64), "{order:?}");
    }
    // A few letters among many are sorted, wherever they are in due order.
    let until = Some(op(3).now);
    let captured = CaptureTimes { since: None, until };
    let find = FindLetters { order: LetterOrder::DueLast, captured, ..FindLetters::all(queue, 50) };
    let found = find.view(&state).unwrap();
    assert_eq!((found.letters.len(), found.total), (50, Some(300)));
}

fn letter_of(category: Category, number: usize) -> NewLetter {
    let fingerprint = Fingerprint::of(&Failure::new(category.as_str()));
    NewLetter { category, fingerprint, ..letter(&format!("{category}-{number}")) }
}
