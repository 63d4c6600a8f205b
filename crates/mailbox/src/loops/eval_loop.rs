//! The loop that evaluates the answers of a main loop.

use std::error::Error;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use redrive_core::Failure;
use redrive_run::Call;
use redrive_store::{Clock, SystemClock};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::mailbox_loop::{MailboxLoop, TypedLoop, answering, check_of, named};
use super::main_loop::{Execute, ExpandingHandler, decode_request, failure_of};
use super::{EvalRequest, EvalResult, MainLoop, Progress, Sample, Score};
use crate::body_check::BodyIds;
use crate::decode::encode;
use crate::{Heartbeat, Mailbox};

type Evaluate<O, X> = Arc<dyn Fn(O, X) -> BoxFuture<'static, Result<Score, Box<Failure>>> + Send + Sync>;

/// Processes samples: lets a [`MainLoop`] produce the output, evaluates it, and replies with the score.
///
/// The message of the sample is the one that is leased and retried: what the handler of the main loop reports as
/// progress extends its lease. Failures are treated as those of a main loop.
pub struct EvalLoop<Q, O, X> {
    mailbox_loop: MailboxLoop,
    types: std::marker::PhantomData<fn(Q, X) -> O>,
}

impl<Q, O, X> EvalLoop<Q, O, X>
where
    Q: DeserializeOwned + Send + 'static,
    O: Serialize + Send + 'static,
    X: DeserializeOwned + Send + 'static,
{
    /// A loop over the requests of a mailbox. `evaluate` compares an output with what was expected.
    pub fn new<F, Fut, E>(main: &MainLoop<Q, O>, evaluate: F, requests: Mailbox<EvalRequest<Q, X>, EvalResult>) -> Self
    where
        F: Fn(O, X) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Score, E>> + Send + 'static,
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let heartbeat = Heartbeat::new(Arc::clone(&clock));
        let evaluate: Evaluate<O, X> =
            Arc::new(move |output, expected| evaluate(output, expected).map(|score| score.map_err(failure_of)).boxed());
        let evaluation = Arc::new(Evaluation { execute: main.execute(), evaluate, clock: Arc::clone(&clock) });
        let process = move |call, progress| Arc::clone(&evaluation).process(call, progress);
        let handler = Arc::new(ExpandingHandler { heartbeat: heartbeat.clone(), process });
        let (mailbox, resolver) = requests.into_parts();
        let check = check_of::<EvalRequest<Q, X>>();
        let mut mailbox_loop = MailboxLoop::new(mailbox, resolver, check, handler, (clock, heartbeat));
        mailbox_loop.failure_reply = Some(Arc::new(|failed| {
            let (request_id, error) = (failed.request_id, Some(failed.error));
            encode(&EvalResult { request_id, sample_id: sample_id(&failed.body), score: None, latency_ms: None, error })
        }));
        Self { mailbox_loop, types: std::marker::PhantomData }
    }

    answering!();

    named!();
}

impl<Q: 'static, O: 'static, X: 'static> TypedLoop for EvalLoop<Q, O, X> {
    fn mailbox_loop(&self) -> &MailboxLoop {
        &self.mailbox_loop
    }
}

impl<Q, O, X> std::fmt::Debug for EvalLoop<Q, O, X> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EvalLoop").field("name", &self.mailbox_loop.name).finish_non_exhaustive()
    }
}

struct Evaluation<Q, O, X> {
    execute: Execute<Q, O>,
    evaluate: Evaluate<O, X>,
    clock: Arc<dyn Clock>,
}

impl<Q: DeserializeOwned, O, X: DeserializeOwned> Evaluation<Q, O, X> {
    async fn process(self: Arc<Self>, call: Call, progress: Progress) -> Result<EvalResult, Box<Failure>> {
        let EvalRequest { request_id, sample, .. } = decode_request::<EvalRequest<Q, X>>(&call)?;
        let Sample { id, input, expected } = sample;
        let begin = self.clock.monotonic();
        let output = (self.execute)(input, progress.clone()).await?;
        let latency_ms = self.clock.monotonic().since(begin).as_micros() / 1000;
        progress.beat();
        let score = (self.evaluate)(output, expected).await?;
        if !score.value.is_finite() {
            let message = format!("the score is {}, which is not a finite number", score.value);
            return Err(Box::new(Failure::of_kind_named("serialization.result", message)));
        }
        let (request_id, sample_id) = (Some(request_id), Some(id));
        Ok(EvalResult { request_id, sample_id, score: Some(score), latency_ms: Some(latency_ms), error: None })
    }
}

/// The id of the sample in the body of a request, if it has one that is not too long for a reply.
fn sample_id(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct OfRequest {
        sample: OfSample,
    }
    #[derive(Deserialize)]
    struct OfSample {
        id: String,
    }
    let request: OfRequest = serde_json::from_slice(body).ok()?;
    Some(request.sample.id).filter(|id| id.len() <= BodyIds::BYTES_MAX)
}
