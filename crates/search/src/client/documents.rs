//! Questions about all documents of an index, or about some by their ids.

use std::collections::HashMap;

use redrive_core::LetterId;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Client, SearchTrouble};

#[derive(Deserialize)]
struct Counted {
    count: u64,
}

#[derive(Deserialize)]
struct Found {
    docs: Vec<Doc>,
}

#[derive(Deserialize)]
struct Doc {
    #[serde(rename = "_id")]
    id: String,
    #[serde(rename = "_version", default)]
    version: Option<u64>,
}

impl Client {
    /// Makes all written documents visible to searches.
    pub(crate) async fn refresh(&self, index: &str) -> Result<(), SearchTrouble> {
        self.post::<Value>(&format!("/{index}/_refresh"), &json!({})).await.map(|_| ())
    }

    /// Returns the number of searchable documents.
    pub(crate) async fn count(&self, index: &str) -> Result<u64, SearchTrouble> {
        let counted: Counted = self.get(&format!("/{index}/_count")).await?;
        Ok(counted.count)
    }

    /// Returns the revisions of the letters that the index has. This is not a search, so it needs no refresh.
    pub(crate) async fn versions(
        &self,
        index: &str,
        letters: &[LetterId],
    ) -> Result<HashMap<LetterId, u64>, SearchTrouble> {
        let found: Found = self.post(&format!("/{index}/_mget?_source=false"), &json!({"ids": letters})).await?;
        if found.docs.len() != letters.len() {
            return Err(SearchTrouble::Garbage);
        }
        Ok(found.docs.into_iter().filter_map(|doc| Some((doc.id.parse().ok()?, doc.version?))).collect())
    }
}
