//! `status.get`: the overview.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use redrive_proto::redrive::v1::{StatusGetRequest, StatusGetResponse, StatusTotals};

use super::attention::Findings;
use super::queue_pass::QueuePass;
use super::queue_status::{add, queue_status};
use super::retries::retries;
use super::routes::routes;
use super::server_status::server_status;
use crate::api_error::ApiError;
use crate::auth::{Permission, namespace_of};
use crate::http::{BodyLimit, Endpoint};
use crate::paging::{self, ListPage};
use crate::queues::{namespace, pivot};
use crate::request_context::RequestContext;
use crate::wire::big_count;

/// Default number of queues of a page.
const QUEUES: usize = 100;

pub(crate) struct Get;

impl Endpoint for Get {
    type Request = StatusGetRequest;
    type Answer = StatusGetResponse;

    const PATH: &'static str = "/v1/status.get";
    const NEEDS: Permission = Permission::QueueStats;
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    async fn call(ctx: &RequestContext, request: StatusGetRequest) -> Result<StatusGetResponse, ApiError> {
        let now = ctx.app.deadlines.now();
        // Without a namespace, the queues of those namespaces are returned in which the caller has the permission.
        let of_one = !request.namespace.is_empty();
        if of_one {
            ctx.allow_in(Self::NEEDS, &request.namespace).await?;
        } else {
            ctx.allow_somewhere(Self::NEEDS).await?;
        }
        let limit = paging::limit(request.limit, QUEUES)?;
        let pivot = pivot(&request.pivot)?.unwrap_or_default();
        let namespace = namespace(&request.namespace).ok();
        let mut page = ListPage::new(limit);
        let mut totals = StatusTotals::default();
        let mut next = String::new();
        let mut findings = Findings::default();
        let mut processed = BTreeMap::new();
        // A namespace with an invalid name has no queues.
        if let Some(namespace) = namespace {
            QueuePass::new(ctx, of_one.then_some(namespace))
                .run(|queue| {
                    let name = &queue.settings.name;
                    let status = queue_status(&queue, now);
                    add(&mut totals, &status);
                    findings.check_queue(&queue, &status, ctx.settings(), now);
                    // Destinations and errors of retries are content of letters.
                    if queue.has_target && queue.permissions.has(Permission::LettersRead) {
                        processed.insert(name.clone(), (namespace_of(queue.settings).to_owned(), status.overdue));
                    }
                    if name.as_str() >= &*pivot && next.is_empty() {
                        if page.remaining() > 0 {
                            page.push(status);
                        } else {
                            next = name.to_string();
                        }
                    }
                    ControlFlow::Continue(())
                })
                .await?;
        }
        for queue in ctx.app.missing_target_queues().await? {
            let namespace = ctx.app.target_namespace(&queue);
            let is_of_request = !of_one || request.namespace == namespace;
            if is_of_request && ctx.permissions_in(namespace).await?.has(Self::NEEDS) {
                findings.add_missing_queue(&queue, namespace);
            }
        }
        let retries = match ctx.app.processor.get() {
            Some(processor) => retries(processor, processed.keys()).await,
            None => Vec::new(),
        };
        let server = server_status(&ctx.app);
        for (retries, (namespace, overdue)) in retries.iter().zip(processed.values()) {
            findings.check_retries(retries, namespace, *overdue);
        }
        ctx.stalled_runs(&request.namespace).await?.into_iter().for_each(|run| findings.check_run(run));
        let (routes, routes_total) = routes(ctx, &request.namespace, &mut findings).await?;
        findings.check_server(&server);
        Ok(StatusGetResponse {
            now: Some(now.into()),
            attention_total: big_count(findings.len()),
            attention: findings.into_entries(ctx).await?,
            totals: Some(totals),
            queues: page.into_entries(),
            next,
            retries: retries.into_iter().map(|retries| retries.status).collect(),
            server: Some(server),
            routes,
            routes_total: big_count(routes_total),
        })
    }
}
