//! Reads complete letters from the index, to restore a lost store.

use futures_util::future::BoxFuture;
use redrive_core::{Invalid, LetterId, QueueName};
use redrive_model::{FullLetter, KeptLetter, KeptLetterError};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::client::{Client, SearchTrouble};
use crate::scan::Answer;
use crate::{SearchError, SearchSettings};

/// Reads complete letters from an index, in the order of their ids.
#[derive(Debug, Clone)]
pub struct IndexRestore {
    client: Client,
    index: String,
}

/// A page of letters as they were when they were indexed.
#[derive(Debug)]
pub struct RestorePage {
    pub letters: Vec<Restored>,
    /// Start of the next page; `None` after the last one.
    pub next: Option<LetterId>,
}

/// A letter, or why it is incomplete.
#[derive(Debug)]
pub struct Restored {
    pub queue: QueueName,
    pub letter: LetterId,
    pub record: Result<Box<FullLetter>, KeptLetterError>,
}

#[derive(Deserialize)]
struct Source {
    queue: QueueName,
    #[serde(default)]
    letter: Option<Box<RawValue>>,
}

impl IndexRestore {
    /// Maximum letters per page: each of them may be large.
    pub const LIMIT_MAX: usize = 100;

    pub fn new(settings: &SearchSettings) -> Result<Self, Invalid> {
        Ok(Self::with_client(Client::new(settings)?, settings.index.clone()))
    }

    pub(crate) const fn with_client(client: Client, index: String) -> Self {
        Self { client, index }
    }

    /// Returns the number of letters in the index.
    pub fn count(&self) -> BoxFuture<'_, Result<u64, SearchError>> {
        Box::pin(async move {
            self.client.refresh(&self.index).await?;
            Ok(self.client.count(&self.index).await?)
        })
    }

    /// Returns up to `limit` letters after one.
    pub fn read(&self, after: Option<LetterId>, limit: usize) -> BoxFuture<'_, Result<RestorePage, SearchError>> {
        Box::pin(async move {
            let limit = limit.clamp(1, Self::LIMIT_MAX);
            let mut query = json!({
                "size": limit,
                "query": {"match_all": {}},
                "sort": [{"letter_id": "asc"}],
                "_source": ["queue", "letter"],
                "track_total_hits": false,
            });
            if let Some(after) = after {
                query["search_after"] = json!([after]);
            }
            let answer: Answer<Source> = self.client.post(&format!("/{}/_search", self.index), &query).await?;
            let hits = answer.complete()?.hits;
            let is_full = hits.len() == limit;
            let letters = hits.into_iter().map(|hit| {
                let letter = hit.letter()?;
                let Source { queue, letter: kept } = hit.source.ok_or(SearchTrouble::Garbage)?;
                let record = kept.ok_or(KeptLetterError::Reduced).and_then(|kept| KeptLetter::read(kept.get()));
                Ok(Restored { queue, letter, record: record.map(Box::new) })
            });
            let letters: Vec<Restored> = letters.collect::<Result<_, SearchTrouble>>()?;
            let next = letters.last().filter(|_| is_full).map(|last| last.letter);
            Ok(RestorePage { letters, next })
        })
    }
}
