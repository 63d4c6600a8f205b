//! The loop that evaluates.

use std::io;
use std::sync::Arc;

use redrive_core::Span;
use redrive_mailbox::{
    DlqPolicy, EvalLoop, EvalRequest, EvalResult, LoopSettings, Mailbox, MailboxBackend, MailboxSettings, MainLoop,
    MemoryMailboxes, Progress, ReplyResolver, Runnable, Sample, Score, submit_samples,
};
use redrive_store::SystemClock;

use super::fixture::{Requests, browse, failure, name, start_shared, until};

type Evals = Mailbox<EvalRequest<String, String>, EvalResult>;

struct EvalFixture {
    evals: Evals,
    results: Arc<dyn MailboxBackend>,
    letters: Arc<dyn MailboxBackend>,
    eval: Arc<EvalLoop<String, String, String>>,
}

fn fixture(settings: LoopSettings) -> EvalFixture {
    let memory = MemoryMailboxes::new(Arc::new(SystemClock));
    let open = |text: &str, settings| memory.open(name(text), settings) as Arc<dyn MailboxBackend>;
    let (results, letters) =
        (open("results", MailboxSettings::default()), open("evals-dlq", MailboxSettings::of_letters()));
    let resolver = ReplyResolver::builder().register(Arc::clone(&results)).build();
    let evals: Evals = Mailbox::new(open("evals", MailboxSettings::default())).with_resolver(resolver);
    let requests: Requests = Mailbox::new(open("requests", MailboxSettings::default()));
    let main = MainLoop::new(requests, |request: String, progress: Progress| async move {
        for _ in 0..6 {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            progress.beat();
        }
        if request == "bad" { Err(failure("content_policy", "not allowed")) } else { Ok(request.to_uppercase()) }
    });
    let evaluate = |output: String, expected: String| async move {
        let has_passed = output == expected;
        let value = if output == "ODD" { f64::NAN } else { f64::from(u8::from(has_passed)) };
        Ok::<_, io::Error>(Score { value, has_passed, reason: None })
    };
    let dlq = DlqPolicy::new(Arc::clone(&letters))
        .include(["content_policy".parse().unwrap(), "serialization".parse().unwrap()]);
    let eval = EvalLoop::new(&main, evaluate, evals.clone()).with_dlq(dlq).with_settings(settings);
    EvalFixture { evals, results, letters, eval: Arc::new(eval) }
}

/// What the main loop reports as progress extends the lease of the sample, which is much shorter than the work.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn samples_are_scored_and_inner_progress_keeps_their_lease() {
    let settings = LoopSettings {
        visibility: Some(Span::from_millis(150)),
        extension: Span::from_millis(150),
        extend_every: Span::from_millis(30),
        concurrency: 4,
        ..LoopSettings::default()
    };
    let EvalFixture { evals, results, letters, eval } = fixture(settings);
    let sample =
        |id: &str, expected: &str| Sample { id: id.to_owned(), input: id.to_owned(), expected: expected.to_owned() };
    let samples = [sample("good", "GOOD"), sample("wrong", "RIGHT"), sample("bad", ""), sample("odd", "")];
    let sent = submit_samples(&evals, samples, &name("results"), |sample| format!("r-{}", sample.id)).await.unwrap();
    assert_eq!(sent.len(), 4);
    let running = start_shared(Arc::clone(&eval) as Arc<dyn Runnable>);
    until("four results", async || browse(&results).await.len() == 4).await;
    let mut all: Vec<EvalResult> =
        browse(&results).await.iter().map(|result| serde_json::from_slice(&result.body).unwrap()).collect();
    all.sort_by(|a, b| a.request_id.cmp(&b.request_id));
    let [bad, good, odd, wrong] = &all[..] else { panic!("{all:?}") };
    assert_eq!(good.score.as_ref().unwrap().value.to_bits(), 1.0_f64.to_bits());
    assert!(good.latency_ms.unwrap() >= 300 && good.sample_id.as_deref() == Some("good"));
    assert!(!wrong.score.as_ref().unwrap().has_passed);
    assert_eq!(bad.error.as_deref(), Some("Dead-lettered after 1 attempts: not allowed"));
    assert_eq!((bad.request_id.as_deref(), bad.score.as_ref()), (Some("r-bad"), None));
    assert_eq!((bad.sample_id.as_deref(), odd.sample_id.as_deref()), (Some("bad"), Some("odd")));
    // JSON has no such number: a collector could not decode the result.
    assert!(odd.error.as_ref().unwrap().contains("NaN, which is not a finite number"), "{odd:?}");
    assert_eq!(browse(&letters).await.len(), 2);
    until("no samples", async || evals.approximate_count().await.unwrap() == 0).await;
    let report = running.stop().await;
    assert_eq!((report.done, report.dead_lettered, report.lost), (2, 2, 0), "no sample was delivered twice");
}
