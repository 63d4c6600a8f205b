//! The pages of a list of letters.

use anyhow::Result;
use redrive_client::proto::Timestamp;
use redrive_client::proto::redrive::v1::{Letter, LettersListRequest};

use crate::session::Session;

/// The maximum page size of the server.
const PAGE_MAX: usize = 1_000;

/// The pages of a list, up to a limit.
pub(super) struct LetterPages<'s> {
    session: &'s Session,
    request: LettersListRequest,
    left: usize,
    pub(super) listed: u64,
    /// The number of all matching letters, if the server knows it.
    pub(super) total: Option<u64>,
    /// The time of the server.
    pub(super) now: Option<Timestamp>,
    pub(super) is_over: bool,
}

impl<'s> LetterPages<'s> {
    pub(super) const fn new(session: &'s Session, request: LettersListRequest, limit: usize) -> Self {
        Self { session, request, left: limit, listed: 0, total: None, now: None, is_over: false }
    }

    /// The next page. It may be empty without being the last.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<Letter>>> {
        if self.is_over || self.left == 0 {
            return Ok(None);
        }
        self.request.limit = i32::try_from(self.left.min(PAGE_MAX))?;
        let mut page = self.session.call(self.session.client.list_letters(&self.request)).await?;
        self.is_over = page.next.is_empty();
        self.request.after = page.next;
        self.total = page.total.map(i64::unsigned_abs);
        self.now = page.now;
        page.letters.truncate(self.left);
        self.left -= page.letters.len();
        self.listed += u64::try_from(page.letters.len())?;
        Ok(Some(page.letters))
    }
}
