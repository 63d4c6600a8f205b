//! A claim whose caller may go at any time.
//!
//! A claim that is dropped has taken nothing. The server knows that for as long as it has not answered; from then on
//! until the caller has the answer in hand, it is known only here. So a claim runs in a task of its own, which lives
//! until it knows: it hangs up when the caller goes, and gives back whatever comes all the same.

use std::time::Duration;

use redrive_proto::redrive::v1::settle_item::Verb;
use redrive_proto::redrive::v1::{QueueClaimRequest, QueueClaimResponse, QueueSettleRequest, Release, SettleItem};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::transport::Line;
use crate::{Client, ClientError};

/// How long an answer may take that was on its way when its caller went.
const LAST_WORD: Duration = Duration::from_secs(10);

pub(super) async fn claim(client: &Client, request: QueueClaimRequest) -> Result<QueueClaimResponse, ClientError> {
    let (sender, unread) = oneshot::channel();
    tokio::spawn(run(client.clone(), request, sender));
    match unread.await {
        Ok(unread) => unread.open(),
        // Nobody ends the task but a runtime that shuts down.
        Err(_) => Err(client.taken_back()),
    }
}

async fn run(client: Client, request: QueueClaimRequest, mut sender: oneshot::Sender<UnreadClaim>) {
    let line = Line::default();
    let answer = {
        let mut claiming = std::pin::pin!(client.claim_on(&line, &request));
        tokio::select! {
            biased;
            answer = &mut claiming => answer,
            () = sender.closed() => {
                if !line.hang_up() {
                    return;
                }
                match tokio::time::timeout(LAST_WORD, claiming).await {
                    Ok(answer) => answer,
                    Err(_) => return,
                }
            }
        }
    };
    let is_taken = answer.as_ref().is_ok_and(|answer| !answer.items.is_empty());
    let back = is_taken.then(|| (Handle::current(), client.clone()));
    // A caller that is gone does not want it any more; the unread claim knows what to do.
    let _gone = sender.send(UnreadClaim { answer: Some(answer), back });
}

/// An answer on its way to the caller. One that is never opened gives its items back.
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
    let release = |id: String| SettleItem { id, attempt: None, verb: Some(Verb::Release(Release {})) };
    let request = QueueSettleRequest {
        queue_name: answer.queue_name,
        partition: Some(answer.partition),
        items: answer.items.into_iter().map(|item| release(item.id)).collect(),
        stop_at_refused: false,
    };
    if let Err(error) = client.settle(&request).await {
        tracing::warn!(%error, "items that nobody waited for could not be given back; their leases run out");
    }
}
