//! Which letters a list contains.

use redrive_core::{LetterId, Status};
use redrive_proto::redrive::v1::{LettersListRequest, LettersListResponse};

use super::LetterSummary;
use crate::wire::{number, text};

/// Which letters [`Letters::list`](crate::Letters::list) returns. The default is all, in pages of 100.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LetterQuery {
    /// Empty for all statuses.
    pub statuses: Vec<Status>,
    /// A condition in CEL over the fields of a letter.
    pub filter: Option<String>,
    /// Words in the error, names or metadata of a letter. Requires a search index on the server.
    pub words: Option<String>,
    /// Starts after this letter: the `next` of the previous page.
    pub after: Option<LetterId>,
    /// Maximum number of letters of a page, up to 1000; if unset, 100.
    pub limit: Option<u32>,
}

/// A page of letters, in the order of their ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterPage {
    pub letters: Vec<LetterSummary>,
    /// Continues the list; `None` after the last page. A page that is short or empty need not be the last.
    pub next: Option<LetterId>,
}

impl LetterQuery {
    pub(super) fn request(&self, queue_name: String) -> LettersListRequest {
        LettersListRequest {
            queue_name,
            statuses: self.statuses.iter().map(ToString::to_string).collect(),
            filter: self.filter.clone().unwrap_or_default(),
            after: self.after.map(|after| after.to_string()).unwrap_or_default(),
            limit: self.limit.map_or(0, number),
            query: self.words.clone().unwrap_or_default(),
        }
    }
}

impl LetterPage {
    pub(super) fn of(answer: LettersListResponse) -> Option<Self> {
        let letters = answer.letters.into_iter().map(LetterSummary::of).collect::<Option<_>>()?;
        let next = text(answer.next).map(|next| next.parse()).transpose().ok()?;
        Some(Self { letters, next })
    }
}
