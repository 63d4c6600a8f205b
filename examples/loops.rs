//! Process requests with a loop: replies, retries and dead letters.
//!
//! A request that fails is retried; after its last attempt it becomes a dead letter, and its sender gets one reply that
//! says so. A real program uses the default of 5 attempts and delays of minutes, and mailboxes on Redis.
//!
//! Run it with `cargo run -p redrive --example loops --features mailbox`.
//!
//! Output:
//!
//! ```text
//! reply to order-1: 2 books
//! reply to order-3: 4 books
//! reply to order-2: Dead-lettered after 2 attempts: only 10 books are in stock
//! letter about order-2: stock.too_few after 2 attempts
//! ```

use std::error::Error;
use std::sync::Arc;

use redrive::core::{Backoff, Failure, Span};
use redrive::mailbox::{
    DeadLetter, DlqPolicy, LoopRequest, LoopResult, LoopSettings, LoopTiming, Mailbox, MailboxName, MailboxSettings,
    MainLoop, MemoryMailboxes, Progress, ReceiveSpec, ReplyResolver, Runnable,
};
use redrive::store::SystemClock;

/// The handler: orders a number of books.
async fn order(books: u32, _: Progress) -> Result<String, Failure> {
    if books > 10 {
        let kind = "stock.too_few".parse().map_err(|_| Failure::new("an invalid kind"))?;
        return Err(Failure::of_kind(kind, "only 10 books are in stock"));
    }
    Ok(format!("{books} books"))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let memory = MemoryMailboxes::new(Arc::new(SystemClock));
    let requests = memory.open(MailboxName::new("orders")?, MailboxSettings::default());
    let letters = memory.open(MailboxName::new("orders-dlq")?, MailboxSettings::of_letters());
    let replies = memory.open(MailboxName::new("replies")?, MailboxSettings::default());
    // A loop replies only to mailboxes that its resolver knows.
    let resolver = ReplyResolver::builder().register(replies.clone()).build();
    let requests: Mailbox<LoopRequest<u32>, LoopResult<String>> = Mailbox::new(requests).with_resolver(resolver);
    for (id, books) in [("order-1", 2), ("order-2", 30), ("order-3", 4)] {
        requests.send_expecting_reply(&LoopRequest::new(id, books), &MailboxName::new("replies")?).await?;
    }

    let settings = LoopSettings { backoff: Some(Backoff::fixed(Span::from_millis(50))), ..LoopSettings::default() };
    let dlq = DlqPolicy::new(letters.clone()).max_delivery_count(2);
    let main = Arc::new(MainLoop::new(requests, order).with_dlq(dlq).with_settings(settings));
    let running = tokio::spawn({
        let main = Arc::clone(&main);
        async move { main.run(LoopTiming::ALONE).await }
    });

    let replies: Mailbox<LoopResult<String>, ()> = Mailbox::new(replies);
    let spec = ReceiveSpec { wait: Span::from_secs(10), ..ReceiveSpec::default() };
    for _ in 0..3 {
        for reply in replies.receive(spec).await? {
            if let Some(LoopResult { request_id: Some(id), output, error }) = reply.body().decoded() {
                println!("reply to {id}: {}", output.as_ref().or(error.as_ref()).map_or("", String::as_str));
            }
            reply.acknowledge().await?;
        }
    }
    main.shutdown(Span::from_secs(10));
    running.await??;

    let letters: Mailbox<u32, ()> = Mailbox::new(letters);
    for message in letters.receive(ReceiveSpec::default()).await? {
        let letter = DeadLetter::from_body(&message.raw().body)?;
        let (id, attempts) = (letter.request_id.unwrap_or_default(), letter.delivery_count);
        println!("letter about {id}: {} after {attempts} attempts", letter.last_error_type);
    }
    Ok(())
}
