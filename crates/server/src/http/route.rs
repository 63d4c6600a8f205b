//! The route of one call: from the bytes of a request to the bytes of its answer.

use bytes::Bytes;
use futures_util::future::BoxFuture;
use redrive_proto::prost::Message;

use super::endpoint::Endpoint;
use super::wire_format::WireFormat;
use crate::app::App;
use crate::auth::Permission;
use crate::fault::Fault;
use crate::request_context::RequestContext;
use crate::settings::Settings;

/// A request that is not decoded yet.
#[derive(Debug)]
pub(crate) struct RawRequest {
    pub(crate) body: Bytes,
    pub(crate) format: WireFormat,
    pub(crate) answer_format: WireFormat,
}

type Serve = for<'d> fn(&'d RequestContext, RawRequest) -> BoxFuture<'d, Result<Bytes, Fault>>;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Route {
    pub(crate) path: &'static str,
    /// The index of the call among all calls, for metrics.
    pub(crate) number: usize,
    pub(crate) body_max: usize,
    /// A caller needs this or one of `or` in at least one namespace.
    pub(crate) needs: Permission,
    pub(crate) or: &'static [Permission],
    pub(crate) serve: Serve,
    pub(crate) on_rejected: fn(&App, &Fault),
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
            on_rejected: E::on_rejected,
        }
    }
}

fn serve<E: Endpoint>(ctx: &RequestContext, raw: RawRequest) -> BoxFuture<'_, Result<Bytes, Fault>> {
    Box::pin(async move {
        let request = raw.format.decode(raw.body)?;
        let Some(targets) = E::targets(&request) else {
            return encode::<E>(raw.answer_format, &E::call(ctx, request).await?);
        };
        let targets = ctx.targets.get_or_init(|| targets);
        tracing::debug!(request = %ctx.request, ?targets, "administrative act received");
        let answer = E::call(ctx, request).await;
        if let Err(fault) = &answer {
            ctx.record_rejection(fault).await;
        }
        encode::<E>(raw.answer_format, &answer?)
    })
}

fn encode<E: Endpoint>(format: WireFormat, answer: &E::Answer) -> Result<Bytes, Fault> {
    match format {
        WireFormat::Protobuf => Ok(answer.encode_to_vec().into()),
        WireFormat::Json => WireFormat::json_bytes(E::json(answer)),
    }
}
