//! Scans the letters of a queue in the index, in the order of their ids.

use redrive_core::{LetterId, QueueName};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::client::{Client, SearchTrouble};

/// A page of letters of a queue after one, with their revisions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scan<'s> {
    pub(crate) index: &'s str,
    pub(crate) queue: &'s QueueName,
    pub(crate) after: Option<LetterId>,
    pub(crate) limit: usize,
}

/// The response of a search.
#[derive(Debug, Deserialize)]
pub(crate) struct Answer<S> {
    /// Some shards may not have responded; their documents are missing.
    timed_out: bool,
    #[serde(rename = "_shards")]
    shards: Shards,
    pub(crate) hits: Hits<S>,
}

#[derive(Debug, Deserialize)]
struct Shards {
    failed: u64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Hits<S> {
    #[serde(default)]
    pub(crate) total: Option<Total>,
    pub(crate) hits: Vec<Hit<S>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Total {
    pub(crate) value: u64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Hit<S> {
    #[serde(rename = "_id")]
    id: String,
    #[serde(rename = "_version", default)]
    pub(crate) version: Option<u64>,
    #[serde(rename = "_source", default = "none")]
    pub(crate) source: Option<S>,
    #[serde(default)]
    pub(crate) sort: Vec<Value>,
}

fn none<S>() -> Option<S> {
    None
}

impl<S> Answer<S> {
    /// Returns the hits, if all shards responded.
    pub(crate) fn complete(self) -> Result<Hits<S>, SearchTrouble> {
        if self.timed_out || self.shards.failed > 0 {
            return Err(SearchTrouble::Busy { status: 503, retry_after: None });
        }
        Ok(self.hits)
    }
}

impl<S> Hit<S> {
    pub(crate) fn letter(&self) -> Result<LetterId, SearchTrouble> {
        // A document from another source has another kind of id.
        self.id.parse().map_err(|_| SearchTrouble::Garbage)
    }
}

impl Scan<'_> {
    pub(crate) async fn read(self, client: &Client) -> Result<Vec<(LetterId, u64)>, SearchTrouble> {
        let mut query = json!({
            "size": self.limit,
            "query": {"term": {"queue": self.queue}},
            "sort": [{"letter_id": "asc"}],
            "_source": false,
            "version": true,
            "track_total_hits": false,
        });
        if let Some(after) = self.after {
            query["search_after"] = json!([after]);
        }
        let answer: Answer<Value> = client.post(&format!("/{}/_search", self.index), &query).await?;
        let hits = answer.complete()?.hits;
        hits.iter().map(|hit| Ok((hit.letter()?, hit.version.ok_or(SearchTrouble::Garbage)?))).collect()
    }
}
