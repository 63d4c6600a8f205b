//! From what a server answers to what its user is told: what was wrong, and what to do.

use std::error::Error;

use redrive_client::proto::querator::QueuesListRequest;
use redrive_client::{Client, ClientError};

use crate::complaint::Complaint;
use crate::exit::Exit;

/// How like a name has to be to the one that was meant.
const LIKENESS: f64 = 0.8;

pub(super) async fn explain(client: &Client, error: &ClientError) -> Complaint {
    if error.is_no_such_queue() {
        let name = quoted(error).unwrap_or_default();
        let complaint = Complaint::new(Exit::NotFound, format!("no such queue named '{name}'"));
        return complaint.advise(match nearest(client, name).await {
            Some(near) => format!("there is one named '{near}'; list all with: redrive queue list"),
            None => "list all with: redrive queue list".to_owned(),
        });
    }
    if error.is_no_items() {
        return Complaint::new(Exit::Nothing, "no item came in time")
            .advise("wait longer with --wait, or look at what there is with: redrive queue stats QUEUE");
    }
    match error {
        ClientError::BadRequest { message } | ClientError::Failed { message } => refused(error, message),
        ClientError::NotFound { message, .. } => letter_not_found(error, message),
        ClientError::Conflict { message, reason } => {
            let complaint = Complaint::new(Exit::Refused, message.clone());
            match reason.as_deref() {
                Some("stale_revision") => complaint.advise(
                    "somebody changed it meanwhile, and nothing was overwritten; look at it again with: redrive letters show",
                ),
                Some("other_payload") => complaint
                    .advise("change the letter with: redrive letters edit; or capture it with another --source-id"),
                Some("breaker_open") => complaint
                    .advise("see what is held with: redrive letters process QUEUE; try it all the same with --force"),
                _ => complaint,
            }
        }
        ClientError::TooMany { message, .. } => Complaint::new(Exit::Refused, message.clone())
            .advise("make room with: redrive letters archive QUEUE ID; or: redrive letters purge QUEUE ID"),
        ClientError::Unauthorized { message } => Complaint::new(Exit::Refused, message.clone())
            .advise("give a key with --key-file FILE, or in the variable REDRIVE_API_KEY"),
        ClientError::Denied { message } => Complaint::new(Exit::Refused, message.clone())
            .advise("the key is right and may not do this; ask whoever gives out roles"),
        ClientError::Connect { address, source } => {
            let complaint = format!("cannot connect to {address}: {}", innermost(source.as_ref()));
            Complaint::new(Exit::Unreachable, complaint)
                .advise("start a server with: redrive serve; or name one with --server URL, or in REDRIVE_SERVER")
        }
        ClientError::Timeout { address, within } => {
            Complaint::new(Exit::Unreachable, format!("no answer came from {address} within {within}"))
                .advise("it may have been done all the same: look before you ask again; --timeout allows more time")
        }
        ClientError::Broken { .. } | ClientError::Infrastructure { .. } | ClientError::NotUnderstood { .. } => {
            halves(error)
        }
        _ => Complaint::new(Exit::Error, error.to_string()),
    }
}

/// What the server says no to, by the half of its message that does not change.
fn refused(error: &ClientError, message: &str) -> Complaint {
    let complaint = |exit| Complaint::new(exit, message.to_owned());
    let name = quoted(error).unwrap_or_default();
    match error.key().unwrap_or_default() {
        "dead_queue does not exist" => Complaint::new(Exit::NotFound, format!("no such queue named '{name}'"))
            .advise(format!("a dead queue is there before it is named: redrive queue create {name}")),
        "service is shutting down" => complaint(Exit::Unreachable).advise("ask again when it is back"),
        "No retry callback configured" => complaint(Exit::Refused)
            .advise("say in dlq.targets of the server's configuration where the letters of this queue are retried"),
        "namespace does not exist" => complaint(Exit::NotFound),
        "invalid storage id" if message.ends_with("does not exist") => Complaint::new(
            Exit::NotFound,
            format!("no such item: '{name}'"),
        )
        .advise(
            "it is done, is in another partition, or its lease ended and it has another id: redrive items list QUEUE",
        ),
        "invalid queue" if message.ends_with("already exists") => complaint(Exit::Refused)
            .advise(format!("look at it with: redrive queue info {name}; change it with: redrive queue update {name}")),
        "queue is in use" => complaint(Exit::Refused)
            .advise("take it away from that one with: redrive queue update NAME --no-dead-queue; or use --force"),
        "items is invalid" if message.contains("max_produce_batch_size") => {
            complaint(Exit::Refused).advise("send fewer at a time with --batch N")
        }
        _ => complaint(Exit::Refused),
    }
}

/// The words that programs of before look for.
fn letter_not_found(error: &ClientError, message: &str) -> Complaint {
    if !message.starts_with("letter '") {
        return Complaint::new(Exit::NotFound, message.to_owned());
    }
    let id = quoted(error).unwrap_or_default();
    Complaint::new(Exit::NotFound, format!("Task {id} not found in dead letter queue"))
        .advise("it was purged, or is in another queue: redrive letters list QUEUE")
}

/// The client's own errors say what was wrong and what to do, in two halves.
fn halves(error: &ClientError) -> Complaint {
    let text = error.to_string();
    match text.split_once("; ") {
        Some((what, advice)) => Complaint::new(Exit::Unreachable, what).advise(advice),
        None => Complaint::new(Exit::Unreachable, text)
            .advise("nobody knows whether it was done; look before you ask again"),
    }
}

/// What the first quotes of the server's message are around.
fn quoted(error: &ClientError) -> Option<&str> {
    error.message()?.split_once('\'')?.1.split('\'').next()
}

fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut inner = error;
    while let Some(cause) = inner.source() {
        inner = cause;
    }
    inner.to_string()
}

/// The queue that was meant, perhaps. Where the list cannot be had, the advice is a little shorter.
async fn nearest(client: &Client, name: &str) -> Option<String> {
    let listed = client.list_queues(&QueuesListRequest::default()).await.ok()?;
    let likeness = |queue: &String| strsim::jaro_winkler(name, queue);
    let names = listed.items.into_iter().map(|queue| queue.queue_name);
    names.filter(|queue| likeness(queue) > LIKENESS).max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
}
