//! Which letters a list contains.

use redrive_core::{LetterId, Status, Time};
use redrive_model::{CaptureTimes, LetterOrder};
use redrive_proto::redrive::v1::{LettersListRequest, LettersListResponse};

use super::LetterSummary;
use crate::wire::{number, text};

/// Which letters [`Letters::list`](crate::Letters::list) returns. The default is all, the oldest first, in pages of 100.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LetterQuery {
    /// Empty for all statuses.
    pub statuses: Vec<Status>,
    /// A condition in CEL over the fields of a letter.
    pub filter: Option<String>,
    /// Words in the error, names or metadata of a letter. Requires a search index on the server.
    pub words: Option<String>,
    pub captured: CaptureTimes,
    pub order: LetterOrder,
    /// Starts after this position: the `next` of the previous page.
    pub after: Option<LetterCursor>,
    /// Maximum number of letters of a page, up to 1000; if unset, 100.
    pub limit: Option<u32>,
}

/// A position in a list of letters. It is valid for the query that returned it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterCursor(String);

/// A page of letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterPage {
    pub letters: Vec<LetterSummary>,
    /// Continues the list; `None` after the last page. A page that is short or empty need not be the last.
    pub next: Option<LetterCursor>,
    /// The number of all matching letters, on any page; `None` if the server does not know it.
    pub total: Option<u64>,
}

/// The position after a letter in a list that is sorted by id.
impl From<LetterId> for LetterCursor {
    fn from(letter: LetterId) -> Self {
        Self(letter.to_string())
    }
}

impl LetterQuery {
    pub(super) fn request(&self, queue_name: String) -> LettersListRequest {
        let time = |time: Option<Time>| time.map(|time| time.to_string()).unwrap_or_default();
        let sort = match self.order {
            LetterOrder::OldestFirst => "id",
            LetterOrder::NewestFirst => "-id",
            LetterOrder::DueFirst => "due",
            LetterOrder::DueLast => "-due",
        };
        LettersListRequest {
            queue_name,
            statuses: self.statuses.iter().map(ToString::to_string).collect(),
            filter: self.filter.clone().unwrap_or_default(),
            after: self.after.clone().map(|LetterCursor(after)| after).unwrap_or_default(),
            limit: self.limit.map_or(0, number),
            query: self.words.clone().unwrap_or_default(),
            sort: sort.to_owned(),
            since: time(self.captured.since),
            until: time(self.captured.until),
            errors: false,
        }
    }
}

impl LetterPage {
    pub(super) fn of(answer: LettersListResponse) -> Option<Self> {
        let letters = answer.letters.into_iter().map(LetterSummary::of).collect::<Option<_>>()?;
        let total = answer.total.map(u64::try_from).transpose().ok()?;
        Some(Self { letters, next: text(answer.next).map(LetterCursor), total })
    }
}
