//! List letters by the time of their capture or of their next retry.

use redrive_core::{Status, Time};
use redrive_model::{CaptureTimes, LetterOrder};
use redrive_proto::redrive::v1::{Letter, LettersListRequest, LettersListResponse};

use super::fields::{limit, statuses, targets};
use super::filter::Filter;
use super::letter_search::{LetterSearch, ListedLetter};
use super::list_position::ListPosition;
use super::view;
use crate::api_error::ApiError;
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::problems::Problems;
use crate::request_context::RequestContext;
use crate::wire::{big_count, time_or_age};

pub(crate) struct List;

impl Endpoint for List {
    type Request = LettersListRequest;
    type Answer = LettersListResponse;

    const PATH: &'static str = "/v1/letters.list";
    const NEEDS: Permission = Permission::LettersRead;

    fn targets(request: &LettersListRequest) -> Option<Vec<AuditTarget>> {
        // A filter over confidential fields is an administrative act; any other list is not.
        let filter = Filter::parse(&request.filter).ok().flatten();
        filter.filter(Filter::reveals).and_then(|_| targets(&request.queue_name, &[]))
    }

    async fn call(ctx: &RequestContext, request: LettersListRequest) -> Result<LettersListResponse, ApiError> {
        let now = ctx.app.deadlines.now();
        let checked = check(&request, now);
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await;
        let queue = queue.map_err(|error| error.with_problems_of(&checked))?;
        let CheckedList { statuses, order, after, limit, filter, captured } = checked?;
        let is_by_due = is_by_due(order);
        let search = LetterSearch::new(ctx, queue, statuses, filter).in_order(order, captured);
        let reveals = search.reveals().await?;
        let mut page = match request.query.trim() {
            "" => search.page(after, limit).await?,
            _ if is_by_due => {
                return Err(ApiError::bad("sort is invalid; the letters of a query are sorted by id or -id"));
            }
            #[cfg(feature = "search")]
            words => search.page_of_query(words, after, limit).await?,
            #[cfg(not(feature = "search"))]
            _ => return Err(crate::letter_index::no_index()),
        };
        if request.errors {
            page.letters = search.with_errors(page.letters).await?;
        }
        if reveals {
            ctx.record_act().await?;
        }
        Ok(LettersListResponse {
            letters: page.letters.into_iter().map(|listed| letter(&request, listed)).collect(),
            next: page.next.map(|next| next.to_string()).unwrap_or_default(),
            total: page.total.map(big_count),
            now: Some(now.into()),
        })
    }
}

/// The fields of a request, without its queue.
struct CheckedList {
    statuses: Vec<Status>,
    order: LetterOrder,
    after: Option<ListPosition>,
    limit: usize,
    filter: Option<Filter>,
    captured: CaptureTimes,
}

fn check(request: &LettersListRequest, now: Time) -> Result<CheckedList, ApiError> {
    let mut problems = Problems::default();
    let statuses = problems.field("statuses", statuses(&request.statuses));
    let order = problems.field("sort", order(&request.sort).map(Some));
    // The positions of an unknown order are not known either.
    let after = order.map(|order| ListPosition::read(&request.after, is_by_due(order))).transpose();
    let after = problems.field("after", after).flatten();
    let limit = problems.field("limit", limit(request.limit));
    let filter = problems.field("filter", Filter::parse(&request.filter));
    let since = problems.field("since", time_or_age("since", &request.since, now));
    let until = problems.field("until", time_or_age("until", &request.until, now));
    let captured = CaptureTimes { since, until };
    let order = order.unwrap_or_default();
    problems.finish(CheckedList { statuses, order, after, limit, filter, captured })
}

fn letter(request: &LettersListRequest, listed: ListedLetter) -> Letter {
    let ListedLetter { info, last_error } = listed;
    let last_error = last_error.filter(|_| request.errors).unwrap_or_default();
    Letter { last_error, ..view::letter(&request.queue_name, &info) }
}

fn is_by_due(order: LetterOrder) -> bool {
    matches!(order, LetterOrder::DueFirst | LetterOrder::DueLast)
}

fn order(sort: &str) -> Result<LetterOrder, ApiError> {
    match sort {
        "" | "id" => Ok(LetterOrder::OldestFirst),
        "-id" => Ok(LetterOrder::NewestFirst),
        "due" => Ok(LetterOrder::DueFirst),
        "-due" => Ok(LetterOrder::DueLast),
        other => Err(ApiError::bad(format!("sort is invalid; '{other}' is not one of id, -id, due, -due"))),
    }
}
