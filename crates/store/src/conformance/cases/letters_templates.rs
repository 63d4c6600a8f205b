//! The letter templates of a queue.

use crate::conformance::fixture::StoreFixture;
use redrive_core::{Failure, RetryPolicy};
use redrive_model::{GetQueue, LetterOverrides, LetterTemplate, Templates, UpdateQueue};

fn template(name: &str, regex: &str) -> LetterTemplate {
    LetterTemplate {
        name: name.to_owned(),
        regex: Some(regex.to_owned()),
        policy: Some(RetryPolicy::Linear),
        // The maximum length, in characters whose encoding is longest.
        note: Some("\u{1}".repeat(LetterTemplate::NOTE_BYTES_MAX)),
        ..LetterTemplate::default()
    }
}

pub(in crate::conformance) async fn templates_are_kept_in_order(fixture: &StoreFixture) {
    let mut templates = Templates::default();
    for number in 0..Templates::MAX {
        templates = templates.with(template(&format!("t-{number}"), &format!("fault {number}$")), Some(1)).unwrap();
    }
    let queue = fixture.queue_with("dead", |settings| settings.letters.templates = templates.clone()).await;
    let letters = LetterOverrides { templates: templates.without("t-7").unwrap(), ..LetterOverrides::default() };
    let update = UpdateQueue { letters: Some(letters), ..UpdateQueue::of(queue.clone()) };
    fixture.store().update_queue(update).await.unwrap();
    let update = UpdateQueue { max_attempts: Some(3), ..UpdateQueue::of(queue.clone()) };
    fixture.store().update_queue(update).await.unwrap();
    fixture.reopen().await;
    let kept = fixture.store().queue(GetQueue { name: queue }).await.unwrap().letters.templates;
    assert_eq!((kept.version(), kept.list().len()), (33, 31));
    let matched = |text: &str| kept.matched(&Failure::new(text), 1).template.map(|template| template.name.clone());
    assert_eq!(matched("fault 8"), Some("t-8".to_owned()));
    assert_eq!(matched("fault 7"), None, "it was removed");
}
