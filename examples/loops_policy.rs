//! Decide with code of your own which requests are dead-lettered.
//!
//! The function knows the message and the failure. Here it gives a customer up when too many of its requests fail;
//! all else is decided by the number of attempts.
//!
//! Run it with `cargo run -p redrive --example loops_policy --features mailbox`.
//!
//! Output:
//!
//! ```text
//! letter about bob-1 after 3 attempts
//! letter about bob-2 after 1 attempts
//! letter about bob-3 after 1 attempts
//! ```

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use redrive::core::{Answer, Backoff, Failure, Span};
use redrive::mailbox::{
    DeadLetter, DlqPolicy, LoopRequest, LoopResult, LoopSettings, LoopTiming, Mailbox, MailboxBackend, MailboxName,
    MailboxSettings, MainLoop, MemoryMailboxes, Progress, ReceiveSpec, Runnable,
};
use redrive::run::Work;
use redrive::store::SystemClock;

/// How many failures of a customer are tolerated.
const ERROR_BUDGET: u32 = 3;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let memory = MemoryMailboxes::new(Arc::new(SystemClock));
    let letters = memory.open(MailboxName::new("orders-dlq")?, MailboxSettings::of_letters());
    let backend = memory.open(MailboxName::new("orders")?, MailboxSettings::default());
    let requests: Mailbox<LoopRequest<String>, LoopResult<()>> = Mailbox::new(backend);

    let failures = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&failures);
    let order = move |_: String, _: Progress| {
        counted.fetch_add(1, Ordering::Relaxed);
        async { Err::<(), _>(Failure::new("the payment was declined")) }
    };
    let over_budget = move |work: &Work, _: &Failure| {
        let is_bob = work.request_id.as_deref().is_some_and(|id| id.starts_with("bob"));
        (is_bob && failures.load(Ordering::Relaxed) > ERROR_BUDGET).then_some(Answer::DeadLetter)
    };
    let dlq = DlqPolicy::new(letters.clone()).max_delivery_count(3).deciding_by(over_budget);
    let settings = LoopSettings { backoff: Some(Backoff::fixed(Span::from_millis(10))), ..LoopSettings::default() };
    let main = Arc::new(MainLoop::new(requests.clone(), order).with_dlq(dlq).with_settings(settings));
    let running = tokio::spawn({
        let main = Arc::clone(&main);
        async move { main.run(LoopTiming::ALONE).await }
    });
    let spec = ReceiveSpec { wait: Span::from_secs(10), ..ReceiveSpec::default() };
    for id in ["bob-1", "bob-2", "bob-3"] {
        requests.send(&LoopRequest::new(id, "one book".to_owned())).await?;
        for message in letters.receive(spec).await? {
            let letter = DeadLetter::from_body(&message.body)?;
            println!("letter about {} after {} attempts", letter.request_id.unwrap_or_default(), letter.delivery_count);
            letters.acknowledge(&message.handle).await?;
        }
    }
    main.shutdown(Span::from_secs(10));
    running.await??;
    Ok(())
}
