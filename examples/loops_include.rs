//! Dead-letter some errors at once: no retry makes an invalid request valid.
//!
//! Errors are chosen by their kind and everything below it, also if another error wraps them.
//!
//! Run it with `cargo run -p redrive --example loops_include --features mailbox`.
//!
//! Output:
//!
//! ```text
//! attempt 1: 'place an order'
//! attempt 1: 'an order without a book'
//! attempt 1: 'an order that nobody may place'
//! letter: validation.order after 1 attempts: no book was named
//! letter: content_policy after 1 attempts: the order was not placed
//! ```

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use redrive::core::{Failure, Span};
use redrive::mailbox::{
    DeadLetter, DlqPolicy, LoopRequest, LoopResult, LoopTiming, Mailbox, MailboxBackend, MailboxName, MailboxSettings,
    MainLoop, MemoryMailboxes, Progress, ReceiveSpec, Runnable,
};
use redrive::store::SystemClock;

/// A failure of a kind. The kinds of this program are all valid.
fn failure(kind: &str, message: &str) -> Failure {
    kind.parse().map_or_else(|_| Failure::new(message), |kind| Failure::of_kind(kind, message))
}

async fn order(text: String, progress: Progress) -> Result<(), Failure> {
    println!("attempt {}: '{text}'", progress.work().attempt);
    match text.as_str() {
        "an order without a book" => Err(failure("validation.order", "no book was named")),
        "an order that nobody may place" => {
            // The kind is that of the error that is reported; a cause may match as well.
            Err(failure("content_policy", "the order was not placed").caused_by(failure("policy.age", "too young")))
        }
        _ => Ok(()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let memory = MemoryMailboxes::new(Arc::new(SystemClock));
    let letters = memory.open(MailboxName::new("orders-dlq")?, MailboxSettings::of_letters());
    let backend = memory.open(MailboxName::new("orders")?, MailboxSettings::default());
    let requests: Mailbox<LoopRequest<String>, LoopResult<()>> = Mailbox::new(backend);
    for text in ["place an order", "an order without a book", "an order that nobody may place"] {
        requests.send(&LoopRequest::new(text, text.to_owned())).await?;
    }

    let dlq = DlqPolicy::new(letters.clone()).include(["validation".parse()?, "content_policy".parse()?]);
    let main = Arc::new(MainLoop::new(requests, order).with_dlq(dlq));
    let running = tokio::spawn({
        let main = Arc::clone(&main);
        async move { main.run(LoopTiming::ALONE).await }
    });
    while letters.counts().await?.total() < 2 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    main.shutdown(Span::from_secs(10));
    running.await??;
    for message in letters.receive(ReceiveSpec { max_messages: 10, ..ReceiveSpec::default() }).await? {
        let letter = DeadLetter::from_body(&message.body)?;
        let DeadLetter { last_error_type, delivery_count, last_error, .. } = &letter;
        println!("letter: {last_error_type} after {delivery_count} attempts: {last_error}");
    }
    Ok(())
}
