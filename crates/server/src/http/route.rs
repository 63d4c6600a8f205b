//! The route of one call: from the bytes of a request to the bytes of its answer.

use bytes::Bytes;
use futures_util::future::BoxFuture;

use super::endpoint::Endpoint;
use super::wire_format::WireFormat;
use crate::api_error::ApiError;
use crate::app::App;
use crate::auth::Permission;
use crate::request_context::RequestContext;
use crate::settings::Settings;

/// A request that is not decoded yet.
#[derive(Debug)]
pub(crate) struct RawRequest {
    pub(crate) body: Bytes,
    pub(crate) format: WireFormat,
    pub(crate) answer_format: WireFormat,
}

type Serve = for<'d> fn(&'d RequestContext, RawRequest) -> BoxFuture<'d, Result<Bytes, ApiError>>;

/// The API that a call is part of. It determines where the reason of an error is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Api {
    Querator,
    Redrive,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Route {
    pub(crate) path: &'static str,
    pub(crate) api: Api,
    /// The index of the call among all calls, for metrics.
    pub(crate) number: usize,
    pub(crate) body_max: usize,
    /// A caller needs this or one of `or` in at least one namespace.
    pub(crate) needs: Permission,
    pub(crate) or: &'static [Permission],
    pub(crate) serve: Serve,
    pub(crate) on_rejected: fn(&App, &ApiError),
}

impl Route {
    pub(super) fn of<E: Endpoint>(api: Api, number: usize, settings: &Settings) -> Self {
        Self {
            path: E::PATH,
            api,
            number,
            body_max: E::body_max(settings),
            needs: E::NEEDS,
            or: E::OR,
            serve: serve::<E>,
            on_rejected: E::on_rejected,
        }
    }
}

fn serve<E: Endpoint>(ctx: &RequestContext, raw: RawRequest) -> BoxFuture<'_, Result<Bytes, ApiError>> {
    Box::pin(async move {
        let request = raw.format.decode(raw.body)?;
        let Some(targets) = E::targets(&request) else {
            return raw.answer_format.encode(&E::call(ctx, request).await?, E::json);
        };
        let targets = ctx.targets.get_or_init(|| targets);
        tracing::debug!(request = %ctx.request, ?targets, "administrative act received");
        let answer = E::call(ctx, request).await;
        if let Err(error) = &answer {
            ctx.record_rejection(error).await;
        }
        raw.answer_format.encode(&answer?, E::json)
    })
}
