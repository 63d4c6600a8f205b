//! A position in a list of letters, as the API shows it.

use std::fmt;

use redrive_core::{ItemId, Ksuid, LetterId, Time};
use redrive_model::DuePosition;

use super::fields::letter_id;
use crate::api_error::ApiError;

/// A position in a list. Sorted by due time, a list ends with the letters that have none, which are named by their ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListPosition {
    Letter(LetterId),
    Due(DuePosition),
}

/// The first word of a position with a due time.
const DUE: &str = "due";

impl ListPosition {
    /// Reads `after` of a request; `None` if it is empty. `is_by_due` is whether the list is sorted by due time.
    pub(super) fn read(text: &str, is_by_due: bool) -> Result<Option<Self>, ApiError> {
        if text.is_empty() {
            return Ok(None);
        }
        if !text.starts_with(DUE) {
            return letter_id(text).map(|letter| Some(Self::Letter(letter)));
        }
        let due = if is_by_due { read_due(text) } else { None };
        due.map(|due| Some(Self::Due(due))).ok_or_else(|| {
            let message = format!("after is invalid; '{text}' is not the next of a page in this order");
            ApiError::bad(message)
        })
    }

    #[cfg(feature = "search")]
    pub(super) const fn letter(self) -> Option<LetterId> {
        match self {
            Self::Letter(letter) => Some(letter),
            Self::Due(_) => None,
        }
    }
}

fn read_due(text: &str) -> Option<DuePosition> {
    let mut words = text.split('.').skip(1);
    let (at, item, None) = (words.next()?, words.next()?, words.next()) else { return None };
    let at = Time::from_micros(at.parse().ok()?);
    item.parse::<Ksuid>().ok().map(|item| DuePosition { at, item: ItemId::new(item) })
}

impl fmt::Display for ListPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Letter(letter) => letter.fmt(f),
            Self::Due(DuePosition { at, item }) => write!(f, "{DUE}.{}.{item}", at.as_micros()),
        }
    }
}
