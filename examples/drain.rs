//! Drain letters to HTTP: a processor sends every due letter of a dead queue to an endpoint, and the status of the
//! response is the result.
//!
//! Here three failed orders are captured as letters with one retry each, due at once. The endpoint is a small server in
//! this program; it accepts two of the orders, and rejects the one that does not say what to deliver.
//!
//! Run it with `cargo run -p redrive --example drain --features http`.
//!
//! Output:
//!
//! ```text
//! received b"a novel", answered 204 No Content
//! received b"", answered 422 Unprocessable Entity
//! received b"an atlas", answered 204 No Content
//! order-1: completed
//! order-2: exhausted
//! order-3: completed
//! ```

use std::error::Error;
use std::sync::Arc;

use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use redrive::core::{Failure, Policy, QueueName, RetryPolicy, Span};
use redrive::embedded::{EmbeddedOptions, EmbeddedStore};
use redrive::model::{Content, CreateQueue, FindLetters, QueueSettings};
use redrive::run::{
    Guard, HttpSettings, HttpTarget, Processor, ProcessorSettings, RunnerSettings, StoreLetterBox, Task,
};
use redrive::store::{Store, SystemClock};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

/// The endpoint: accepts an order with 204, and rejects an empty one with 422.
async fn receive(
    request: Request<Incoming>,
    tx: mpsc::Sender<()>,
) -> Result<Response<String>, Box<dyn Error + Send + Sync>> {
    let order = request.into_body().collect().await?.to_bytes();
    let status = if order.is_empty() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::NO_CONTENT };
    println!("received {order:?}, answered {status}");
    tx.send(()).await?;
    Ok(Response::builder().status(status).body(String::new())?)
}

async fn serve(listener: TcpListener, tx: mpsc::Sender<()>) -> std::io::Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        let tx = tx.clone();
        let service = service_fn(move |request| receive(request, tx.clone()));
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/orders", listener.local_addr()?);
    let (tx, mut rx) = mpsc::channel(1);
    tokio::spawn(serve(listener, tx));

    let store: Arc<dyn Store> = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default())?);
    let failed = QueueName::new("orders-failed")?;
    store.create_queue(CreateQueue { settings: QueueSettings::new(failed.clone()) }).await?;
    let guard = Guard::new(StoreLetterBox::new(Arc::clone(&store)), failed.clone(), Policy::default());
    for (id, order) in [("order-1", "a novel"), ("order-2", ""), ("order-3", "an atlas")] {
        let mut task = Task::new("order", Content::of_payload(order)).with_id(id);
        (task.policy, task.max_retries) = (Some(RetryPolicy::Immediate), Some(1));
        guard.capture(task, Failure::new("HTTP 503 Service Unavailable")).await;
    }

    let settings = ProcessorSettings {
        // One request at a time, for an output in a fixed order.
        runner: RunnerSettings { concurrency: 1, ..RunnerSettings::default() },
        lease: Span::from_secs(30),
        policy: Policy::default(),
        interval: Span::from_secs(60),
    };
    let mut processor = Processor::new(Arc::clone(&store), Arc::new(SystemClock), settings);
    processor.add(failed.clone(), Arc::new(HttpTarget::new(&HttpSettings::new(url))?))?;
    processor.start(&failed).await?;
    for _request in 0..3 {
        rx.recv().await;
    }
    processor.stop(&failed, Span::from_secs(10)).await?;

    for found in store.find_letters(FindLetters::all(failed, 10)).await?.letters {
        let Some(letter) = &found.letter else { continue };
        println!("{}: {}", found.task_id(), letter.status);
    }
    store.close().await?;
    Ok(())
}
