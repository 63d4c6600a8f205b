//! The pages of a list of audit records.

use anyhow::Result;
use redrive_client::proto::redrive::v1::{AuditListRequest, AuditRecordInfo};

use crate::session::Session;

const PAGE_MAX: usize = 1_000;

pub(super) struct AuditPages<'s> {
    session: &'s Session,
    request: AuditListRequest,
    /// How many more records are wanted.
    left: usize,
    is_over: bool,
}

impl<'s> AuditPages<'s> {
    pub(super) const fn new(session: &'s Session, request: AuditListRequest, limit: usize) -> Self {
        Self { session, request, left: limit, is_over: false }
    }

    /// The next page, which may be empty; `None` at the end or at the limit.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<AuditRecordInfo>>> {
        if self.is_over || self.left == 0 {
            return Ok(None);
        }
        self.request.limit = i32::try_from(self.left.min(PAGE_MAX))?;
        let page = self.session.call(self.session.client.list_audit(&self.request)).await?;
        self.left = self.left.saturating_sub(page.records.len());
        self.is_over = page.next.is_empty();
        self.request.after = page.next;
        Ok(Some(page.records))
    }

    /// Whether the list ended before the limit.
    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }
}
