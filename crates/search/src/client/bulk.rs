//! Bulk requests: many documents, each with its own result.
//!
//! A bulk request succeeds although documents in it failed. So the result of each document counts, and the answer must have
//! one for each of them.

use bytes::Bytes;
use redrive_core::LetterId;
use serde::Deserialize;

use super::trouble::ErrorForm;
use super::{Client, SearchTrouble};

/// The lines of a request to one index or alias.
#[derive(Debug, Default)]
pub(crate) struct Bulk {
    lines: Vec<u8>,
    letters: Vec<LetterId>,
}

/// The result of one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ItemResult {
    pub(crate) letter: LetterId,
    pub(crate) verdict: Verdict,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It was indexed or deleted.
    Done,
    /// The index has this version already, or a newer one.
    Newer,
    /// The index rejects this document for good.
    Unfit,
    Trouble(SearchTrouble),
}

#[derive(Deserialize)]
struct Answer {
    items: Vec<Item>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Item {
    Index(Outcome),
    Delete(Outcome),
}

#[derive(Deserialize)]
struct Outcome {
    #[serde(rename = "_id")]
    id: String,
    status: u16,
    #[serde(default)]
    error: Option<ErrorForm>,
}

impl Bulk {
    pub(crate) fn add(&mut self, letter: LetterId, lines: &[u8]) {
        self.lines.extend_from_slice(lines);
        self.letters.push(letter);
    }

    /// Sends it. With `is_alias`, OpenSearch does not create an index of that name if the alias is missing.
    pub(crate) async fn send(
        self,
        client: &Client,
        index: &str,
        is_alias: bool,
    ) -> Result<Vec<ItemResult>, SearchTrouble> {
        let path = format!("/{index}/_bulk?require_alias={is_alias}");
        let answer = client.post_lines(&path, Bytes::from(self.lines)).await?;
        read(&answer, &self.letters)
    }
}

fn read(answer: &[u8], letters: &[LetterId]) -> Result<Vec<ItemResult>, SearchTrouble> {
    let answer: Answer = serde_json::from_slice(answer).map_err(|_| SearchTrouble::Garbage)?;
    if answer.items.len() != letters.len() {
        return Err(SearchTrouble::Garbage);
    }
    let results = answer.items.into_iter().zip(letters).map(|(item, letter)| {
        let (Item::Index(outcome) | Item::Delete(outcome)) = &item;
        if outcome.id != letter.to_string() {
            return Err(SearchTrouble::Garbage);
        }
        Ok(ItemResult { letter: *letter, verdict: verdict(&item) })
    });
    results.collect()
}

fn verdict(item: &Item) -> Verdict {
    let (Item::Index(outcome) | Item::Delete(outcome)) = item;
    let is_delete = matches!(item, Item::Delete(_));
    let kind = outcome.error.as_ref().and_then(ErrorForm::kind);
    match outcome.status {
        200..=299 if outcome.error.is_none() => Verdict::Done,
        404 if is_delete && outcome.error.is_none() => Verdict::Done,
        409 => Verdict::Newer,
        400 | 413 => Verdict::Unfit,
        status => Verdict::Trouble(SearchTrouble::of_status(status, kind, None)),
    }
}

#[cfg(test)]
mod tests {
    use redrive_core::Ksuid;

    use super::*;

    fn letters() -> Vec<LetterId> {
        vec![LetterId::new(Ksuid::MIN), LetterId::new(Ksuid::MAX)]
    }

    fn answer(first: &str, second: &str) -> String {
        format!("{{\"took\":1,\"errors\":true,\"items\":[{first},{second}]}}")
    }

    fn index(letter: LetterId, rest: &str) -> String {
        format!("{{\"index\":{{\"_id\":\"{letter}\",{rest}}}}}")
    }

    #[test]
    fn each_document_has_its_own_result() {
        let [a, b] = letters()[..] else { panic!("two") };
        let conflict = "\"status\":409,\"error\":{\"type\":\"version_conflict_engine_exception\"}";
        let results = read(answer(&index(a, "\"status\":201"), &index(b, conflict)).as_bytes(), &letters()).unwrap();
        assert_eq!(results[0].verdict, Verdict::Done);
        assert_eq!(results[1].verdict, Verdict::Newer);
        let unfit = "\"status\":400,\"error\":{\"type\":\"mapper_parsing_exception\",\"reason\":\"5ecret\"}";
        let busy = "\"status\":429,\"error\":{\"type\":\"rejected_execution_exception\"}";
        let results = read(answer(&index(a, unfit), &index(b, busy)).as_bytes(), &letters()).unwrap();
        assert_eq!(results[0].verdict, Verdict::Unfit);
        assert_eq!(results[1].verdict, Verdict::Trouble(SearchTrouble::Busy { status: 429, retry_after: None }));
    }

    #[test]
    fn a_delete_of_what_is_not_there_is_done_and_of_an_index_that_is_not_there_is_not() {
        let [a, b] = letters()[..] else { panic!("two") };
        let gone = format!("{{\"delete\":{{\"_id\":\"{a}\",\"status\":404,\"result\":\"not_found\"}}}}");
        let no_index = format!(
            "{{\"delete\":{{\"_id\":\"{b}\",\"status\":404,\"error\":{{\"type\":\"index_not_found_exception\"}}}}}}"
        );
        let results = read(answer(&gone, &no_index).as_bytes(), &letters()).unwrap();
        assert_eq!(results[0].verdict, Verdict::Done);
        assert_eq!(results[1].verdict, Verdict::Trouble(SearchTrouble::IndexGone));
    }

    /// A proxy that answers 200 to everything must not count as an index.
    #[test]
    fn an_answer_without_a_result_for_each_document_is_none() {
        let [a, b] = letters()[..] else { panic!("two") };
        let done = "\"status\":201";
        for bad in [
            "{}".to_owned(),
            "ok".to_owned(),
            "{\"errors\":false,\"items\":[]}".to_owned(),
            answer(&index(a, done), &index(a, done)),
            answer(&index(b, done), &index(a, done)),
            answer(&index(a, done), "{\"create\":{}}"),
            answer(&index(a, done), &index(b, "\"result\":\"created\"")),
        ] {
            assert_eq!(read(bad.as_bytes(), &letters()), Err(SearchTrouble::Garbage), "{bad}");
        }
    }
}
