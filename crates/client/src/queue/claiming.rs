//! Claims that can be dropped at any time without leasing anything.
//!
//! Until the server answers, it notices a dropped claim itself. Between its answer and the moment when the caller has it,
//! only the client knows. So a claim runs in a separate task: it hangs up when the caller is gone, and releases the items of
//! an answer that arrives anyway.

use std::time::Duration;

use redrive_proto::redrive::v1::settle_item::Verb;
use redrive_proto::redrive::v1::{QueueClaimRequest, QueueClaimResponse, QueueSettleRequest, Release, SettleItem};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::transport::WaitingRequest;
use crate::{Client, ClientError};

/// How long to wait for an answer after hanging up.
const LAST_ANSWER_WITHIN: Duration = Duration::from_secs(10);

pub(super) async fn claim(client: &Client, request: QueueClaimRequest) -> Result<QueueClaimResponse, ClientError> {
    let (sender, unread) = oneshot::channel();
    tokio::spawn(run(client.clone(), request, sender));
    match unread.await {
        Ok(unread) => unread.open(),
        // The task is cancelled only by a runtime that shuts down.
        Err(_) => Err(client.taken_back()),
    }
}

async fn run(client: Client, request: QueueClaimRequest, mut sender: oneshot::Sender<UnreadClaim>) {
    let waiting = WaitingRequest::default();
    let answer = {
        let mut claiming = std::pin::pin!(client.claim_on(&waiting, &request));
        tokio::select! {
            biased;
            answer = &mut claiming => answer,
            () = sender.closed() => {
                if !waiting.hang_up() {
                    return;
                }
                match tokio::time::timeout(LAST_ANSWER_WITHIN, claiming).await {
                    Ok(answer) => answer,
                    Err(_) => return,
                }
            }
        }
    };
    let is_taken = answer.as_ref().is_ok_and(|answer| !answer.items.is_empty());
    let back = is_taken.then(|| (Handle::current(), client.clone()));
    // If the caller is gone, dropping the unread claim releases its items.
    let _gone = sender.send(UnreadClaim { answer: Some(answer), back });
}

/// An answer that the caller has not received yet. If it is dropped, its items are released.
#[derive(Debug)]
struct UnreadClaim {
    answer: Option<Result<QueueClaimResponse, ClientError>>,
    back: Option<(Handle, Client)>,
}

impl UnreadClaim {
    fn open(mut self) -> Result<QueueClaimResponse, ClientError> {
        self.back = None;
        let answer = self.answer.take();
        answer.unwrap_or_else(|| Ok(QueueClaimResponse::default()))
    }
}

impl Drop for UnreadClaim {
    fn drop(&mut self) {
        let (Some((runtime, client)), Some(Ok(answer))) = (self.back.take(), self.answer.take()) else { return };
        runtime.spawn(give_back(client, answer));
    }
}

async fn give_back(client: Client, answer: QueueClaimResponse) {
    let release = |id: String| SettleItem { id, attempt: None, fault: None, verb: Some(Verb::Release(Release {})) };
    let request = QueueSettleRequest {
        queue_name: answer.queue_name,
        partition: Some(answer.partition),
        items: answer.items.into_iter().map(|item| release(item.id)).collect(),
        stop_at_refused: false,
    };
    if let Err(error) = client.settle(&request).await {
        tracing::warn!(%error, "items of a dropped claim could not be released; their leases will expire");
    }
}
