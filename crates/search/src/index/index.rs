//! The alias, and the index to which it points.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::mapping::{fits, has_flat_objects, mapping, mapping_without_flat_objects, template};
use crate::client::{Client, SearchTrouble};
use crate::{SearchError, SearchSettings};

/// The alias, and the index to which it points.
#[derive(Debug, Clone)]
pub(crate) struct Index {
    client: Client,
    alias: String,
    template: Value,
}

/// An existing index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ExistingIndex {
    pub(crate) name: String,
    /// The mark that it got when it was created.
    pub(crate) token: Option<String>,
    pub(crate) has_alias: bool,
}

#[derive(Deserialize)]
struct Found {
    #[serde(default)]
    aliases: BTreeMap<String, Value>,
    #[serde(default)]
    mappings: Value,
}

#[derive(Deserialize)]
struct Health {
    status: String,
}

impl Index {
    pub(crate) fn new(client: Client, settings: &SearchSettings) -> Self {
        Self { client, alias: settings.index.clone(), template: template(settings) }
    }

    pub(crate) fn alias(&self) -> &str {
        &self.alias
    }

    /// Creates the index template and verifies it.
    pub(crate) async fn ensure_template(&self) -> Result<(), SearchError> {
        let path = format!("/_index_template/{}", self.alias);
        let mut template = self.template.clone();
        template["template"]["mappings"] = self.mapping().await?;
        self.client.put(&path, &template).await?;
        let found: Value = self.client.get(&path).await?;
        let mappings = found.pointer("/index_templates/0/index_template/template/mappings");
        if mappings.is_some_and(fits) { Ok(()) } else { Err(SearchError::OtherTemplate { name: self.alias.clone() }) }
    }

    /// Returns the mapping for this version of OpenSearch.
    async fn mapping(&self) -> Result<Value, SearchTrouble> {
        #[derive(Deserialize)]
        struct Root {
            version: Version,
        }
        #[derive(Deserialize)]
        struct Version {
            number: String,
        }
        let root: Root = self.client.get("/").await?;
        Ok(if has_flat_objects(&root.version.number) { mapping() } else { mapping_without_flat_objects() })
    }

    /// Returns the index to which the alias points.
    pub(crate) async fn current(&self) -> Result<Option<ExistingIndex>, SearchError> {
        let Some(found) = self.client.find::<BTreeMap<String, Found>>(&format!("/{}", self.alias)).await? else {
            return Ok(None);
        };
        let mut found = found.into_iter();
        match (found.next(), found.next()) {
            (Some((name, _)), _) if name == self.alias => Err(SearchError::AliasIsIndex { name }),
            (Some((name, index)), None) => Ok(Some(self.existing(name, &index))),
            _ => Err(SearchError::SeveralIndices { alias: self.alias.clone() }),
        }
    }

    fn existing(&self, name: String, index: &Found) -> ExistingIndex {
        let token = index.mappings.pointer("/_meta/redrive/store").and_then(Value::as_str).map(str::to_owned);
        ExistingIndex { name, token, has_alias: index.aliases.contains_key(&self.alias) }
    }

    /// Checks that the index has the fields of a document.
    pub(crate) async fn verify(&self, name: &str) -> Result<(), SearchError> {
        let found: BTreeMap<String, Found> = self.client.get(&format!("/{name}")).await?;
        let is_fine = found.get(name).is_some_and(|index| fits(&index.mappings));
        if is_fine { Ok(()) } else { Err(SearchError::OtherMapping { index: name.to_owned() }) }
    }

    /// Creates the next index, with the mark of the store that will fill it. The alias does not point to it yet.
    pub(crate) async fn create(&self, token: &str) -> Result<String, SearchError> {
        let all = self.client.find::<BTreeMap<String, Found>>(&format!("/{}-*", self.alias)).await?;
        let numbers = all.into_iter().flatten().filter_map(|(name, _)| self.number_of(&name));
        let name = format!("{}-{:06}", self.alias, numbers.max().unwrap_or(0) + 1);
        let mut mappings = self.mapping().await?;
        mappings["_meta"] = json!({"redrive": {"v": 1, "store": token}});
        self.client.put(&format!("/{name}"), &json!({"mappings": mappings})).await?;
        self.verify(&name).await?;
        Ok(name)
    }

    fn number_of(&self, name: &str) -> Option<u64> {
        name.strip_prefix(&self.alias)?.strip_prefix('-')?.parse().ok()
    }

    /// Returns the indices with this mark to which the alias does not point.
    pub(crate) async fn abandoned(&self, token: &str) -> Result<Vec<String>, SearchError> {
        let all = self.client.find::<BTreeMap<String, Found>>(&format!("/{}-*", self.alias)).await?;
        let all = all.into_iter().flatten().map(|(name, index)| self.existing(name, &index));
        let is_abandoned = |index: &ExistingIndex| {
            !index.has_alias && index.token.as_deref() == Some(token) && self.number_of(&index.name).is_some()
        };
        Ok(all.filter(is_abandoned).map(|index| index.name).collect())
    }

    /// Points the alias to this index only.
    pub(crate) async fn point_at(&self, name: &str, instead_of: Option<&str>) -> Result<(), SearchError> {
        let mut actions = vec![json!({"add": {"index": name, "alias": self.alias, "is_write_index": true}})];
        if let Some(old) = instead_of.filter(|old| *old != name) {
            actions.push(json!({"remove": {"index": old, "alias": self.alias}}));
        }
        self.client.post::<Value>("/_aliases", &json!({"actions": actions})).await?;
        Ok(())
    }

    pub(crate) async fn remove(&self, name: &str) -> Result<(), SearchError> {
        match self.client.delete(&format!("/{name}")).await {
            Ok(()) | Err(SearchTrouble::IndexGone) => Ok(()),
            Err(trouble) => Err(trouble.into()),
        }
    }

    /// Checks whether the index is writable now.
    pub(crate) async fn is_well(&self) -> Result<(), SearchTrouble> {
        let health: Health = self.client.get(&format!("/_cluster/health/{}?timeout=1s", self.alias)).await?;
        match health.status.as_str() {
            "green" | "yellow" => Ok(()),
            "red" => Err(SearchTrouble::Busy { status: 503, retry_after: None }),
            _ => Err(SearchTrouble::Garbage),
        }
    }
}
