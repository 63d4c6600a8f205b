//! Finds the letter that a caller names by its id or by its source id.

use futures_util::future::try_join_all;
use redrive_core::{LetterId, QueueName, Status};
use redrive_model::{FindLetters, ItemInfo, LetterInfo};
use redrive_store::Transactional;

use super::fields::{letter_error, letter_id};
use crate::api_error::{ApiError, Code};
use crate::audit::{Change, ChangeError};
use crate::request_context::RequestContext;

/// Maximum number of letters that one request may name.
const NAMES_MAX: usize = 10_000;
/// Maximum number of concurrent lookups.
const CONCURRENT_MAX: usize = 64;
/// Maximum number of letters that the error about an ambiguous source id lists.
const LISTED: usize = 10;

impl RequestContext {
    /// The letter with this id; otherwise the live letter with this source id; otherwise the only letter with it.
    pub(in crate::letters) async fn letter(&self, queue: &QueueName, name: &str) -> Result<LetterId, ApiError> {
        if name.is_empty() {
            return letter_id(name);
        }
        let id = letter_id(name).ok();
        let find = FindLetters { source_id: Some(name.to_owned()), ..FindLetters::all(queue.clone(), LISTED + 1) };
        let found = self.store().find_letters(find.clone()).await.map_err(letter_error)?;
        match id {
            Some(id) if found.letters.is_empty() => return Ok(id),
            // The source id of an item that died in its queue may have the format of an id.
            Some(id) if self.record_of(queue, id).await?.is_some() => return Ok(id),
            _ => {}
        }
        let mut named: Vec<LetterInfo> = letters(found.letters);
        if found.next.is_some() {
            // The live letter is the newest, so it may come after all that were found.
            let live = FindLetters { statuses: Status::ALL.iter().copied().filter(|s| s.is_live()).collect(), ..find };
            named.extend(letters(self.store().find_letters(live).await.map_err(letter_error)?.letters));
        }
        chosen(name, &named)
    }

    /// Like [`letter`](Self::letter) for each name of a list, which must not be empty.
    pub(in crate::letters) async fn letters(
        &self,
        queue: &QueueName,
        names: &[String],
    ) -> Result<Vec<LetterId>, ApiError> {
        if names.is_empty() {
            return Err(ApiError::bad("ids is invalid; cannot be empty"));
        }
        if names.len() > NAMES_MAX {
            let given = names.len();
            return Err(ApiError::bad(format!("ids is invalid; at most {NAMES_MAX} at once, but {given} were given")));
        }
        let mut letters = Vec::with_capacity(names.len());
        for chunk in names.chunks(CONCURRENT_MAX) {
            let lookups: Vec<_> = chunk.iter().map(|name| self.letter(queue, name)).collect();
            letters.extend(try_join_all(lookups).await?);
        }
        Ok(letters)
    }

    /// Records an act on one letter that changes no data of the store in the same transaction.
    pub(in crate::letters) async fn record_act_on(&self, name: &str, letter: LetterId) -> Result<(), ChangeError> {
        self.act(by_id(Change::of_keys(Vec::new()), name, letter)).await
    }
}

/// Adds the id of a letter that was named by its source id to the audit record: later another letter may have that
/// source id.
pub(super) fn by_id<O: Transactional>(change: Change<O>, name: &str, letter: LetterId) -> Change<O> {
    let id = letter.to_string();
    if id == name { change } else { change.target("letter", &id) }
}

fn letters(found: Vec<ItemInfo>) -> Vec<LetterInfo> {
    found.into_iter().filter_map(|info| info.letter.map(|letter| *letter)).collect()
}

/// Of the letters with the same source id: the live one, otherwise the only one.
fn chosen(name: &str, named: &[LetterInfo]) -> Result<LetterId, ApiError> {
    let live = named.iter().find(|letter| letter.status.is_live());
    match (live, named) {
        (Some(live), _) => Ok(live.id),
        (None, [only]) => Ok(only.id),
        (None, []) => {
            let message = format!("letter '{name}' does not exist; no letter of this queue has that id or source id");
            let missing = ApiError::new(Code::NotFound, message).because("no_such_letter").with("letter", name);
            Err(missing.grouped("not_found"))
        }
        (None, several) => {
            let ids: Vec<String> = several.iter().take(LISTED).map(|letter| letter.id.to_string()).collect();
            let more = if several.len() > LISTED { " and more" } else { "" };
            let message = format!(
                "source id '{name}' is that of several letters, and none of them is live: {}{more}; name one by its id",
                ids.join(", ")
            );
            Err(ApiError::new(Code::Conflict, message).because("ambiguous").with("source_id", name))
        }
    }
}
