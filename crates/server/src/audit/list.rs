//! List audit records.

use std::collections::BTreeMap;

use redrive_model::{GetKey, KeyEntry};
use redrive_proto::prost::Message;
use redrive_proto::redrive::v1::{AuditListRequest, AuditListResponse, AuditRecordInfo};

use super::filter::{AuditFilter, AuditView};
use super::pages::AuditPages;
use super::view::{info, unreadable};
use super::{AuditRecord, AuditRecordId};
use crate::api_error::ApiError;
use crate::auth::{Permission, Permissions, Reach, SYSTEM, or_system};
use crate::http::Endpoint;
use crate::paging;
use crate::problems::Problems;
use crate::records::read_value;
use crate::request_context::RequestContext;
use crate::tenancy::{KnownUsers, Namespace};

/// Default length of a page.
const LIMIT: usize = 100;
/// Maximum number of records that are examined for one page.
const EXAMINED_MAX: usize = 20_000;

pub(crate) struct List;

impl Endpoint for List {
    type Request = AuditListRequest;
    type Answer = AuditListResponse;

    const PATH: &'static str = "/v1/audit.list";
    const NEEDS: Permission = Permission::AuditRead;

    async fn call(ctx: &RequestContext, request: AuditListRequest) -> Result<AuditListResponse, ApiError> {
        let view = match (request.all_namespaces, request.namespace.as_str()) {
            (false, namespace) => ctx.audit_view(namespace).await?,
            (true, "") => ctx.audit_view_of_all().await?,
            (true, _) => return Err(ApiError::bad("namespace is invalid; must be empty with all_namespaces")),
        };
        if request.stored {
            ctx.allow_in(Self::NEEDS, SYSTEM).await?;
        }
        let mut problems = Problems::default();
        let limit = problems.field("limit", paging::limit(request.limit, LIMIT));
        let filter = AuditFilter::new(&request, view, ctx.app.deadlines.now(), &mut problems);
        let read = |field, text: &str| (!text.is_empty()).then(|| id(field, text)).transpose();
        let one = problems.field("id", read("id", &request.id));
        let after = problems.field("after", if one.is_some() { Ok(None) } else { read("after", &request.after) });
        problems.finish(())?;
        let list = AuditList { ctx, is_stored: request.stored, filter };
        if let Some(one) = one {
            return list.one(&one).await;
        }
        let pages = if request.oldest_first {
            AuditPages::oldest_first(after.as_ref())
        } else {
            AuditPages::newest_first(ctx.store(), after.as_ref()).await?
        };
        list.page(pages, limit).await
    }
}

fn id(field: &str, text: &str) -> Result<AuditRecordId, ApiError> {
    text.parse().map_err(|error| ApiError::bad(format!("{field} is invalid; '{text}': {error}")))
}

impl RequestContext {
    /// What the caller may see of the audit log, in a namespace or in all of them.
    async fn audit_view(&self, namespace: &str) -> Result<AuditView, ApiError> {
        if namespace.is_empty() {
            self.allow_in(Permission::AuditRead, SYSTEM).await?;
            return Ok(AuditView::All);
        }
        self.allow_in(Permission::AuditRead, namespace).await?;
        if self.permissions_in(SYSTEM).await?.has(Permission::AuditRead) {
            return Ok(AuditView::AllIn(namespace.to_owned()));
        }
        self.audit_view_only_in([namespace.to_owned()]).await
    }

    /// What the caller may see of the audit log in all namespaces in which it has the permission.
    async fn audit_view_of_all(&self) -> Result<AuditView, ApiError> {
        self.allow_somewhere(Permission::AuditRead).await?;
        match self.app.auth.reach(&self.caller, Permissions::default().with(Permission::AuditRead)).await? {
            Reach::All => Ok(AuditView::All),
            Reach::Only(namespaces) => self.audit_view_only_in(namespaces).await,
        }
    }

    async fn audit_view_only_in(&self, namespaces: impl IntoIterator<Item = String>) -> Result<AuditView, ApiError> {
        let mut since = BTreeMap::new();
        for namespace in namespaces {
            // Nothing is shown of a namespace that does not exist.
            if let Some(found) = Namespace::find(self.records(), &namespace).await? {
                since.insert(namespace, found.record.created_at.0);
            }
        }
        Ok(AuditView::OnlyIn(since))
    }
}

/// A list of audit records for one caller.
struct AuditList<'c> {
    ctx: &'c RequestContext,
    filter: AuditFilter,
    /// Whether the answer contains the records as they are stored.
    is_stored: bool,
}

impl AuditList<'_> {
    /// The record with this id, if it matches.
    async fn one(&self, id: &AuditRecordId) -> Result<AuditListResponse, ApiError> {
        let entry = self.ctx.store().key(GetKey { key: id.key() }).await?;
        let records = entry.and_then(|entry| self.shown(&entry)).into_iter().collect();
        self.answer(records, String::new()).await
    }

    /// Adds the names of users among the targets.
    async fn answer(&self, mut records: Vec<AuditRecordInfo>, next: String) -> Result<AuditListResponse, ApiError> {
        let mut known = KnownUsers::new(self.ctx);
        for AuditRecordInfo { namespace, targets, .. } in &mut records {
            for target in targets.iter_mut().filter(|target| target.kind == "user") {
                target.username = known.name(&target.name, or_system(namespace)).await?;
            }
        }
        Ok(AuditListResponse { records, next })
    }

    async fn page(&self, mut pages: AuditPages, limit: usize) -> Result<AuditListResponse, ApiError> {
        let mut records = Vec::new();
        let (mut bytes, mut examined) = (0, 0);
        while let Some(entries) = pages.next(self.ctx.store()).await? {
            for entry in &entries {
                examined += 1;
                if let Some(record) = self.shown(entry) {
                    bytes += record.encoded_len();
                    records.push(record);
                }
                let is_full = records.len() >= limit || bytes >= paging::BYTES_MAX || examined >= EXAMINED_MAX;
                // The list can be continued only after a key of a record. Other keys do not occur unless the store was
                // changed; a page with them may exceed the limit.
                if let Some(last) = AuditRecordId::of_key(&entry.key).filter(|_| is_full) {
                    return self.answer(records, last.to_string()).await;
                }
            }
        }
        self.answer(records, String::new()).await
    }

    /// A record as the caller sees it; `None` if it does not match.
    fn shown(&self, entry: &KeyEntry) -> Option<AuditRecordInfo> {
        let id = AuditRecordId::shown(&entry.key);
        let mut shown = match read_value::<AuditRecord>(&entry.value) {
            Ok(record) if self.filter.matches(&record) => info(id, record, self.filter.view()),
            Err(why) if self.filter.matches_all() => unreadable(id, why),
            Ok(_) | Err(_) => return None,
        };
        if self.is_stored {
            shown.stored = entry.value.clone();
        }
        Some(shown)
    }
}
