//! Full-text search of letters.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::future::BoxFuture;
use redrive_core::{Invalid, LetterId, QueueName, Status};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::client::{Client, SearchTrouble};
use crate::scan::{Answer, Hit};
use crate::{SearchError, SearchSettings};

/// Searches letters in an index.
#[derive(Debug, Clone)]
pub struct Search {
    client: Client,
    index: String,
}

/// A search.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// Words, all of which must occur. `-word` must not occur, `"two words"` must be adjacent, `wor*` is a prefix,
    /// `a|b` is an alternative. Every text is a valid query; an empty one matches every letter.
    pub text: String,
    pub queue: Option<QueueName>,
    /// Empty for all statuses.
    pub statuses: Vec<Status>,
    /// Cursor of the previous page.
    pub cursor: Option<String>,
    pub limit: usize,
    pub order: Order,
}

/// Order of the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// The newest failures first.
    #[default]
    Newest,
    /// By id, as a store lists them. The cursor is the id of the last letter.
    ById,
    /// By id, the newest first. The cursor is the id of the last letter.
    ByIdDescending,
}

/// One page of results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    pub letters: Vec<(QueueName, LetterId)>,
    /// Cursor of the next page; `None` after the last one.
    pub cursor: Option<String>,
    /// Number of matching letters; a lower bound from ten thousand on.
    pub total: u64,
}

/// The searched fields, with their boosts.
const FIELDS: [&str; 12] = [
    "error^2",
    "last_error^2",
    "task_id",
    "repos",
    "queue",
    "source_id",
    "matched_rule",
    "fingerprint",
    "trace_id",
    "origin",
    "letter_id",
    "metadata",
];

#[derive(Deserialize)]
struct Source {
    queue: QueueName,
}

impl Query {
    pub const LIMIT_MAX: usize = 1_000;
    /// Each word is searched in a dozen fields, so the text is limited.
    pub const TEXT_BYTES_MAX: usize = 1_000;
    pub const WORDS_MAX: usize = 64;
}

impl Search {
    /// Creates a search without a projection.
    pub fn new(settings: &SearchSettings) -> Result<Self, Invalid> {
        Ok(Self::with_client(Client::new(settings)?, settings.index.clone()))
    }

    pub(crate) const fn with_client(client: Client, index: String) -> Self {
        Self { client, index }
    }

    /// Returns one page of letters. Changes of the last second may be missing, unless the index was
    /// [refreshed](crate::Projection::refresh).
    pub fn find<'f>(&'f self, query: &'f Query) -> BoxFuture<'f, Result<Page, SearchError>> {
        Box::pin(async move {
            let limit = query.limit.min(Query::LIMIT_MAX);
            let body = body(query, limit)?;
            let answer = self.client.post(&format!("/{}/_search", self.index), &body).await;
            let answer: Answer<Source> = answer.map_err(|trouble| match trouble {
                SearchTrouble::Refused { status: 400, .. } => SearchError::BadQuery,
                trouble => trouble.into(),
            })?;
            let hits = answer.complete()?;
            let is_full = hits.hits.len() == limit && limit > 0;
            let cursor = match query.order {
                Order::Newest => hits.hits.last().map(|last| write_cursor(&last.sort)),
                Order::ById | Order::ByIdDescending => {
                    hits.hits.last().map(Hit::letter).transpose()?.map(|letter| letter.to_string())
                }
            };
            let cursor = cursor.filter(|_| is_full);
            let letters =
                hits.hits.iter().filter_map(|hit| Some((hit.source.as_ref()?.queue.clone(), hit.letter().ok()?)));
            Ok(Page { letters: letters.collect(), cursor, total: hits.total.map_or(0, |total| total.value) })
        })
    }
}

fn body(query: &Query, limit: usize) -> Result<Value, SearchError> {
    let text = query.text.as_str();
    if text.len() > Query::TEXT_BYTES_MAX || text.split_whitespace().count() > Query::WORDS_MAX {
        return Err(SearchError::BadQuery);
    }
    let mut filters = Vec::new();
    if let Some(queue) = &query.queue {
        filters.push(json!({"term": {"queue": queue}}));
    }
    if !query.statuses.is_empty() {
        filters.push(json!({"terms": {"status": query.statuses}}));
    }
    let condition = if text.trim().is_empty() {
        json!({"match_all": {}})
    } else {
        json!({"simple_query_string": {
            "query": text, "fields": FIELDS, "default_operator": "and", "lenient": true,
        }})
    };
    let mut body = json!({
        "size": limit,
        "query": {"bool": {"must": [condition], "filter": filters}},
        "sort": match query.order {
            Order::Newest => json!([{"failed_at": "desc"}, {"letter_id": "asc"}]),
            Order::ById => json!([{"letter_id": "asc"}]),
            Order::ByIdDescending => json!([{"letter_id": "desc"}]),
        },
        "_source": ["queue"],
        "track_total_hits": 10_000,
    });
    if let Some(cursor) = &query.cursor {
        body["search_after"] = match query.order {
            Order::Newest => read_cursor(cursor)?,
            Order::ById | Order::ByIdDescending => {
                json!([cursor.parse::<LetterId>().map_err(|_| SearchError::BadCursor)?])
            }
        };
    }
    Ok(body)
}

fn write_cursor(sort: &[Value]) -> String {
    URL_SAFE_NO_PAD.encode(json!(sort).to_string())
}

/// Reads the two values that [`write_cursor`] wrote: anything else could inject a query.
fn read_cursor(cursor: &str) -> Result<Value, SearchError> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| SearchError::BadCursor)?;
    let (at, letter): (i64, LetterId) = serde_json::from_slice(&bytes).map_err(|_| SearchError::BadCursor)?;
    Ok(json!([at, letter]))
}

#[cfg(test)]
mod tests {
    use redrive_core::Ksuid;

    use super::*;

    #[test]
    fn a_cursor_round_trips_and_anything_else_is_rejected() {
        let sort = [json!(1_794_757_053_107_i64), json!(LetterId::new(Ksuid::MAX))];
        assert_eq!(read_cursor(&write_cursor(&sort)).unwrap(), json!(sort));
        for bad in ["", "x", "W10", &URL_SAFE_NO_PAD.encode("[1]"), &URL_SAFE_NO_PAD.encode("[{\"match_all\":{}},1]")] {
            assert_eq!(read_cursor(bad), Err(SearchError::BadCursor), "{bad}");
        }
    }
}
