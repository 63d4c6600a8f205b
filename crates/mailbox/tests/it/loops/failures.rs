//! What becomes of requests that fail.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use redrive_core::{Answer, Backoff, Evidence, Failure, Span};
use redrive_mailbox::{
    DlqPolicy, LoopError, LoopSettings, LoopTiming, Mailbox, MainLoop, NewMessage, ReceiveSpec, ReplyResolver,
    ReplyState, Runnable,
};

use super::fixture::{LoopFixture, START, failure, name, now, receive_one, settled, start, until};

const SECOND: Span = Span::from_secs(1);

/// Retries after a second, so that tests need few steps of the clock.
fn quick() -> LoopSettings {
    LoopSettings { backoff: Some(Backoff::fixed(SECOND)), ..LoopSettings::default() }
}

#[tokio::test]
async fn a_request_is_answered_and_gone() {
    let fixture = LoopFixture::with_request("a").await;
    let running = start(fixture.main_loop(&fixture.mailboxes).with_dlq(fixture.dlq()));
    fixture.until_no_requests().await;
    let replies = fixture.replies().await;
    assert_eq!((replies[0].request_id.as_deref(), replies[0].output.as_deref()), (Some("a"), Some("a, done")));
    assert_eq!((replies.len(), replies[0].error.as_deref()), (1, None));
    let report = running.stop().await;
    assert_eq!((report.done, report.lost, fixture.letters().await.len()), (1, 0, 0));
}

/// The delays, the letter and the reply are those of the specification.
#[tokio::test]
async fn a_request_that_always_fails_is_dead_lettered_after_five_attempts() {
    let fixture = LoopFixture::with_request("fail provider.overloaded").await;
    let running = start(fixture.main_loop(&fixture.mailboxes).with_dlq(fixture.dlq()));
    for delay in [60, 120, 180, 240] {
        assert!(fixture.replies().await.is_empty() && fixture.letters().await.is_empty(), "retries never reply");
        fixture.advance_to_retry(Span::from_secs(delay)).await;
    }
    fixture.until_no_requests().await;
    assert_eq!(fixture.attempts().iter().map(|(_, attempt)| *attempt).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    let letters = fixture.letters().await;
    let letter = &letters[0];
    assert_eq!((letters.len(), letter.delivery_count, letter.source_mailbox.as_str()), (1, 5, "requests"));
    assert_eq!(
        (letter.last_error.as_str(), letter.last_error_type.as_str()),
        ("it does not work", "provider.overloaded")
    );
    assert_eq!(
        (letter.first_received_at, letter.enqueued_at, letter.dead_lettered_at),
        (START, START, now(&fixture.clock))
    );
    assert_eq!(letter.request_id.as_deref(), Some("fail provider.overloaded"));
    assert_eq!((letter.reply_to.as_deref(), letter.reply_state), (Some("replies"), ReplyState::FollowsLetter));
    assert!(letter.trace_id.is_some(), "every loop fills it");
    let replies = fixture.replies().await;
    assert_eq!(replies.len(), 1);
    assert_eq!(replies[0].error.as_deref(), Some("Dead-lettered after 5 attempts: it does not work"));
    assert_eq!(replies[0].request_id.as_deref(), Some("fail provider.overloaded"));
    running.stop().await;
}

#[tokio::test]
async fn the_delay_of_retries_is_at_most_fifteen_minutes() {
    let fixture = LoopFixture::with_request("fail provider").await;
    let running = start(fixture.main_loop(&fixture.mailboxes).with_dlq(fixture.dlq().max_delivery_count(20)));
    for attempt in 1..=17_u64 {
        fixture.advance_to_retry(Span::from_secs((60 * attempt).min(900))).await;
    }
    running.stop().await;
}

#[tokio::test]
async fn a_a_garbage_body_becomes_one_letter_with_its_bytes_and_the_loop_goes_on() {
    let fixture = LoopFixture::new();
    let garbage: [&[u8]; 3] = [b"\xFF\x00 garbage", b"{\"request_id\":\"1\"}", b""];
    for body in garbage {
        fixture.send_raw(body, Some("replies")).await;
    }
    fixture.request("next").await;
    let running = start(fixture.main_loop(&fixture.mailboxes).with_dlq(fixture.dlq()));
    fixture.until_no_requests().await;
    let mut letters = fixture.letters().await;
    letters.sort_by(|a, b| b.body.cmp(&a.body));
    let bodies: Vec<&[u8]> = letters.iter().map(|letter| &*letter.body).collect();
    assert_eq!(bodies, garbage);
    for letter in &letters {
        assert_eq!((letter.last_error_type.as_str(), letter.request_id.as_deref()), ("serialization.body", None));
        assert!(letter.trace_id.is_some());
    }
    assert_eq!(fixture.attempts(), [("next".to_owned(), 1)], "the handler runs for the valid request only");
    let replies = fixture.replies().await;
    assert_eq!(replies.iter().filter(|reply| reply.error.is_some() && reply.request_id.is_none()).count(), 3);
    assert_eq!(replies.iter().filter(|reply| reply.output.is_some()).count(), 1);
    running.stop().await;
}

/// In a rolling upgrade, another version may be able to decode it.
#[tokio::test]
async fn a_a_garbage_body_is_retried_if_serialization_is_excluded() {
    for with_dlq in [true, false] {
        let fixture = LoopFixture::new();
        fixture.send_raw(b"garbage", None).await;
        let main = fixture.main_loop(&fixture.mailboxes).with_settings(quick());
        let excluding = fixture.dlq().exclude(["serialization".parse().unwrap()]);
        let running = start(if with_dlq { main.with_dlq(excluding) } else { main });
        for _ in 0..8 {
            fixture.advance_to_retry(SECOND).await;
        }
        assert!(fixture.letters().await.is_empty());
        fixture.request("next").await;
        until("the next reply", async || fixture.replies().await.len() == 1).await;
        assert_eq!(fixture.attempts().len(), 1);
        running.stop().await;
    }
}

/// A message whose receivers crashed: no attempt was settled.
#[tokio::test]
async fn b_a_message_that_killed_its_workers_becomes_a_letter_without_another_attempt() {
    let fixture = LoopFixture::with_request("kill").await;
    for attempt in 1..=5 {
        let got = receive_one(&fixture.mailboxes.requests).await;
        assert_eq!(got.delivery_count, attempt);
        if attempt == 3 {
            // One worker could still say why.
            let nack = redrive_mailbox::NackSpec { last_error: Some("out of memory".to_owned()), ..Default::default() };
            fixture.mailboxes.requests.nack(&got.handle, nack).await.unwrap();
        }
        fixture.clock.advance(Span::from_secs(30));
    }
    let running = start(fixture.main_loop(&fixture.mailboxes).with_dlq(fixture.dlq()));
    fixture.until_no_requests().await;
    assert!(fixture.attempts().is_empty(), "the handler does not run a sixth time");
    let letter = fixture.letters().await.remove(0);
    assert_eq!((letter.last_error_type.as_str(), letter.delivery_count), ("delivery_count_exceeded", 5));
    assert_eq!(letter.last_error, "out of memory");
    let reply = fixture.replies().await.remove(0);
    assert_eq!(reply.error.as_deref(), Some("Dead-lettered after 5 attempts: out of memory"));
    running.stop().await;
}

/// The fifth delivery still runs.
#[tokio::test]
async fn b_the_last_attempt_after_crashes_runs() {
    let fixture = LoopFixture::with_request("late").await;
    for _ in 0..4 {
        receive_one(&fixture.mailboxes.requests).await;
        fixture.clock.advance(Span::from_secs(30));
    }
    let running = start(fixture.main_loop(&fixture.mailboxes).with_dlq(fixture.dlq()));
    fixture.until_no_requests().await;
    assert_eq!(fixture.attempts(), [("late".to_owned(), 5)]);
    assert_eq!(fixture.replies().await[0].output.as_deref(), Some("late, done"));
    running.stop().await;
}

#[tokio::test]
async fn b_excluded_errors_far_beyond_the_limit_make_no_letter() {
    let fixture = LoopFixture::with_request("fail connection.reset").await;
    let dlq = fixture.dlq().exclude(["connection".parse().unwrap()]);
    let running = start(fixture.main_loop(&fixture.mailboxes).with_dlq(dlq).with_settings(quick()));
    for _ in 0..20 {
        fixture.advance_to_retry(SECOND).await;
    }
    assert!(fixture.attempts().len() >= 20);
    assert!(fixture.letters().await.is_empty() && fixture.replies().await.is_empty());
    running.stop().await;
}

#[tokio::test]
async fn k_wrapped_errors_and_kinds_below_follow_their_category() {
    type Case = (fn() -> Failure, &'static str, bool);
    let wrapped = || failure("order.failed", "outer").caused_by(failure("validation.schema", "inner"));
    let io_error = || Failure::from_error(&io::Error::new(io::ErrorKind::ConnectionReset, "reset by peer"));
    let by_evidence = || Failure::new("outer").caused_by(Failure::typed(Evidence::http(429)));
    let failures: [Case; 6] = [
        (|| failure("validation", "exact"), "validation", true),
        (|| failure("validation.schema", "below"), "validation", true),
        (wrapped, "validation", true),
        (|| failure("providers", "another word"), "provider", false),
        (io_error, "connection", true),
        (by_evidence, "rate_limit", true),
    ];
    for (fail, matcher, is_matched) in failures {
        for is_included in [true, false] {
            let fixture = LoopFixture::with_request("a").await;
            let matchers = [matcher.parse().unwrap()];
            let dlq = fixture.dlq().max_delivery_count(if is_included { 100 } else { 1 });
            let dlq = if is_included { dlq.include(matchers) } else { dlq.exclude(matchers) };
            let main = fixture.loop_of(&fixture.mailboxes, move |_, _| async move { Err(fail()) });
            let running = start(main.with_dlq(dlq).with_settings(quick()));
            let is_dead = is_matched == is_included;
            let what = format!("{:?} with {matcher} included: {is_included}", fail());
            let requests = &fixture.mailboxes.requests;
            until(&what, async || {
                let counts = requests.counts().await.unwrap();
                if is_dead { counts.total() == 0 } else { counts.delayed == 1 }
            })
            .await;
            assert_eq!(fixture.letters().await.len(), usize::from(is_dead), "{what}");
            running.stop().await;
        }
    }
}

#[tokio::test]
async fn without_a_policy_failures_are_retried_without_an_end_and_without_a_reply() {
    let fixture = LoopFixture::with_request("fail validation").await;
    let running = start(fixture.main_loop(&fixture.mailboxes));
    for attempt in 1..=7_u64 {
        fixture.advance_to_retry(Span::from_secs(60 * attempt)).await;
    }
    assert!(fixture.replies().await.is_empty() && fixture.letters().await.is_empty());
    running.stop().await;
}

#[tokio::test]
async fn a_custom_decision_precedes_the_lists_and_the_count() {
    let fixture = LoopFixture::new();
    let decide = |work: &redrive_run::Work, failure: &Failure| {
        let body = String::from_utf8_lossy(&work.content.payload).into_owned();
        if failure.error.kind.as_ref().is_some_and(|kind| kind.as_str() == "keep.forever") {
            return Some(Answer::Retry);
        }
        body.contains("poison").then_some(Answer::DeadLetter)
    };
    let dlq = fixture.dlq().max_delivery_count(1).exclude(["poison".parse().unwrap()]).deciding_by(decide);
    fixture.request("fail poison").await;
    fixture.request("fail keep.forever").await;
    let running = start(fixture.main_loop(&fixture.mailboxes).with_dlq(dlq).with_settings(quick()));
    until("a letter", async || fixture.letters().await.len() == 1).await;
    for _ in 0..3 {
        fixture.advance_to_retry(SECOND).await;
    }
    assert_eq!(fixture.letters().await.len(), 1);
    running.stop().await;
}

/// The hook is asked about spent messages, too, before their handler runs.
#[tokio::test]
async fn a_custom_decision_can_run_a_message_whose_attempts_are_spent() {
    let fixture = LoopFixture::with_request("late").await;
    for _ in 0..3 {
        receive_one(&fixture.mailboxes.requests).await;
        fixture.clock.advance(Span::from_secs(30));
    }
    let dlq = fixture.dlq().max_delivery_count(2).deciding_by(|_, failure| {
        let is_spent = failure.error.kind.as_ref().is_some_and(|kind| kind.as_str() == "delivery_count_exceeded");
        is_spent.then_some(Answer::Retry)
    });
    let running = start(fixture.main_loop(&fixture.mailboxes).with_dlq(dlq));
    fixture.until_no_requests().await;
    assert_eq!(fixture.attempts(), [("late".to_owned(), 4)]);
    running.stop().await;
}

#[tokio::test]
async fn a_reply_address_that_is_not_allowed_runs_no_handler_and_is_kept_in_the_letter() {
    let fixture = LoopFixture::new();
    fixture.send_raw(b"{\"request_id\":\"1\",\"request\":\"a\"}", Some("somewhere else")).await;
    let dlq = fixture.dlq().include(["resolution".parse().unwrap()]);
    let running = start(fixture.main_loop(&fixture.mailboxes).with_dlq(dlq));
    fixture.until_no_requests().await;
    assert!(fixture.attempts().is_empty());
    let letter = fixture.letters().await.remove(0);
    assert_eq!((letter.last_error_type.as_str(), letter.reply_to.as_deref()), ("resolution", Some("somewhere else")));
    assert_eq!((letter.reply_state, letter.request_id.as_deref()), (ReplyState::Unresolved, Some("1")));
    running.stop().await;
}

/// A letter has the ids besides the body: with an id of any length it might exceed what its mailbox accepts.
#[tokio::test]
async fn a_request_with_a_huge_id_becomes_one_letter() {
    let fixture = LoopFixture::new();
    let id = "i".repeat(3 << 20);
    let body = format!("{{\"request_id\":\"{id}\",\"trace_id\":\"{id:.60000}\",\"request\":\"fail validation\"}}");
    let message = NewMessage { reply_to: Some(name("replies")), ..NewMessage::new(body.clone()) };
    fixture.mailboxes.requests.send(message).await.unwrap();
    let dlq = fixture.dlq().include(["validation".parse().unwrap()]);
    let running = start(fixture.main_loop(&fixture.mailboxes).with_dlq(dlq));
    fixture.until_no_requests().await;
    let letters = fixture.letters().await;
    assert_eq!((letters.len(), letters[0].body.len()), (1, body.len()));
    assert_eq!(letters[0].request_id, None, "it is not copied");
    assert!(letters[0].trace_id.as_ref().is_some_and(|id| id.len() <= 256), "the id of the message takes its place");
    let replies = fixture.replies().await;
    assert_eq!((replies.len(), replies[0].request_id.as_deref()), (1, None));
    running.stop().await;
}

/// The name of the reply mailbox was chosen by the sender.
#[tokio::test]
async fn a_factory_that_panics_does_not_end_the_loop() {
    let fixture = LoopFixture::new();
    let replies = Arc::clone(&fixture.mailboxes.replies);
    let resolver = ReplyResolver::builder()
        .factory(move |name| {
            assert_ne!(name.as_str(), "bad", "a defect of the factory");
            let replies = Arc::clone(&replies);
            Box::pin(async move { Ok(replies) })
        })
        .allow_prefix("")
        .build();
    let requests = Mailbox::new(Arc::clone(&fixture.mailboxes.requests)).with_resolver(resolver);
    let main = MainLoop::on_clock(requests, Arc::new(fixture.clock.clone()), |request: String, _| async move {
        Ok::<_, Failure>(request)
    });
    fixture.send_raw(b"{\"request_id\":\"1\",\"request\":\"a\"}", Some("bad")).await;
    fixture.send_raw(b"{\"request_id\":\"2\",\"request\":\"b\"}", Some("good")).await;
    let running = start(main.with_dlq(fixture.dlq()));
    until("the other reply", async || fixture.replies().await.len() == 1).await;
    assert_eq!(fixture.replies().await[0].output.as_deref(), Some("b"));
    running.runnable.shutdown(Span::ZERO);
    running.task.abort();
}

#[tokio::test(start_paused = true)]
async fn a_factory_that_hangs_is_an_error_that_may_pass() {
    let resolver = ReplyResolver::builder().factory(|_| Box::pin(std::future::pending())).allow_prefix("").build();
    let begin = tokio::time::Instant::now();
    let error = resolver.resolve("replies").await.unwrap_err();
    assert!(error.is_temporary(), "{error}");
    assert_eq!(begin.elapsed().as_secs(), 10);
}

#[tokio::test]
async fn a_panic_is_a_failure_and_the_loop_goes_on() {
    let fixture = LoopFixture::with_request("panic out of bounds").await;
    fixture.request("next").await;
    let dlq = fixture.dlq().include(["panic".parse().unwrap()]);
    let running = start(fixture.main_loop(&fixture.mailboxes).with_dlq(dlq));
    fixture.until_no_requests().await;
    let letter = fixture.letters().await.remove(0);
    assert_eq!((letter.last_error_type.as_str(), letter.delivery_count), ("panic", 1));
    assert_eq!(fixture.attempts().len(), 2);
    running.stop().await;
}

#[tokio::test]
async fn a_handler_that_expands_what_it_sees_is_called_again_without_a_delivery() {
    let fixture = LoopFixture::with_request("a").await;
    let calls = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&calls);
    let main = fixture.loop_of(&fixture.mailboxes, move |_, _| {
        let call = counted.fetch_add(1, Ordering::Relaxed);
        async move {
            if call < 10 { Err(failure("visibility_expansion", "one more section")) } else { Ok("done".to_owned()) }
        }
    });
    let running = start(main.with_dlq(fixture.dlq()));
    fixture.until_no_requests().await;
    assert_eq!(calls.load(Ordering::Relaxed), 11);
    assert_eq!(fixture.replies().await[0].output.as_deref(), Some("done"));
    assert_eq!(running.stop().await.retried, 0);
}

#[tokio::test]
async fn a_loop_with_settings_out_of_range_does_not_start() {
    let fixture = LoopFixture::new();
    let error = |main: redrive_mailbox::MainLoop<String, String>| async move {
        main.run(LoopTiming::ALONE).await.unwrap_err().to_string()
    };
    let main = || fixture.main_loop(&fixture.mailboxes);
    let with = |settings| main().with_settings(settings);
    let zero = with(LoopSettings { visibility: Some(Span::ZERO), ..LoopSettings::default() });
    assert_eq!(error(zero).await, "invalid lease 0s: allowed are leases longer than 0s");
    let spinning = with(LoopSettings { wait: Some(Span::ZERO), ..LoopSettings::default() });
    assert!(error(spinning).await.contains("wait"), "an empty mailbox would be asked without a pause");
    let long = with(LoopSettings { extension: Span::from_hours(13), ..LoopSettings::default() });
    assert!(error(long).await.contains("extension"), "no lease is so long");
    let short = with(LoopSettings { extension: Span::from_secs(60), ..LoopSettings::default() });
    assert!(error(short).await.contains("longer than extend_every"), "an extension that is not longer");
    assert!(error(main().with_dlq(fixture.dlq().max_delivery_count(0))).await.contains("max_delivery_count"));
    let to_itself = DlqPolicy::new(Arc::clone(&fixture.mailboxes.requests));
    assert!(error(main().with_dlq(to_itself)).await.contains("mailboxes other than the source"));
    let both = ["validation".parse().unwrap()];
    let contradiction = fixture.dlq().include(both.clone()).exclude(both);
    assert!(error(main().with_dlq(contradiction)).await.contains("not in both"));
}

#[tokio::test]
async fn a_loop_runs_once_at_a_time_and_not_after_its_shutdown() {
    let fixture = LoopFixture::new();
    let running = start(fixture.main_loop(&fixture.mailboxes));
    let runnable = Arc::clone(&running.runnable);
    until("a running loop", async || runnable.is_running()).await;
    assert!(matches!(runnable.run(LoopTiming::ALONE).await, Err(LoopError::AlreadyRunning(_))));
    running.stop().await;
    assert!(!runnable.is_running());
    fixture.request("too late").await;
    assert_eq!(runnable.run(LoopTiming::ALONE).await.unwrap().done, 0);
    settled().await;
    assert!(fixture.attempts().is_empty());
}

#[tokio::test]
async fn a_closed_mailbox_ends_its_loop() {
    let fixture = LoopFixture::new();
    let running = start(fixture.main_loop(&fixture.mailboxes));
    until("a running loop", async || running.runnable.is_running()).await;
    fixture.mailboxes.requests.close();
    let ended = tokio::time::timeout(std::time::Duration::from_secs(20), running.task).await.unwrap();
    assert!(ended.unwrap().is_ok());
    assert!(!running.runnable.can_restart());
    let nothing = fixture.mailboxes.requests.receive(ReceiveSpec::default()).await.unwrap();
    assert_eq!(nothing, []);
}
