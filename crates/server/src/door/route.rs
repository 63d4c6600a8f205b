//! The way to one call: from the bytes of a request to the bytes of its answer.

use bytes::Bytes;
use futures_util::future::BoxFuture;
use redrive_proto::prost::Message;

use super::endpoint::Endpoint;
use super::form::Form;
use crate::app::App;
use crate::auth::Permission;
use crate::desk::Desk;
use crate::fault::Fault;
use crate::settings::Settings;

/// What came, and in which form the answer is wanted.
#[derive(Debug)]
pub(crate) struct Sent {
    pub(crate) body: Bytes,
    pub(crate) form: Form,
    pub(crate) answer_form: Form,
}

type Serve = for<'d> fn(&'d Desk, Sent) -> BoxFuture<'d, Result<Bytes, Fault>>;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Route {
    pub(crate) path: &'static str,
    /// The place of the call among all.
    pub(crate) number: usize,
    pub(crate) body_max: usize,
    /// One of these its callers must be allowed somewhere.
    pub(crate) needs: Permission,
    pub(crate) or: &'static [Permission],
    pub(crate) serve: Serve,
    pub(crate) refused: fn(&App, &Fault),
}

impl Route {
    pub(super) fn of<E: Endpoint>(number: usize, settings: &Settings) -> Self {
        Self {
            path: E::PATH,
            number,
            body_max: E::body_max(settings),
            needs: E::NEEDS,
            or: E::OR,
            serve: serve::<E>,
            refused: E::refused,
        }
    }
}

fn serve<E: Endpoint>(desk: &Desk, sent: Sent) -> BoxFuture<'_, Result<Bytes, Fault>> {
    Box::pin(async move {
        let request = sent.form.decode(sent.body)?;
        let Some(targets) = E::targets(&request) else {
            return written::<E>(sent.answer_form, &E::call(desk, request).await?);
        };
        let targets = desk.targets.get_or_init(|| targets);
        tracing::debug!(request = %desk.request, ?targets, "an administrative act");
        let answer = E::call(desk, request).await;
        if let Err(fault) = &answer {
            desk.record_refusal(fault).await;
        }
        written::<E>(sent.answer_form, &answer?)
    })
}

fn written<E: Endpoint>(form: Form, answer: &E::Answer) -> Result<Bytes, Fault> {
    match form {
        Form::Protobuf => Ok(answer.encode_to_vec().into()),
        Form::Json => Form::text(E::json(answer)),
    }
}
