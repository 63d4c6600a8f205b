//! `audit.*`: the records of administrative acts.

use redrive_proto::redrive::v1::{AuditListRequest, AuditListResponse};

use super::table::calls;

calls! {
    /// Lists a page of audit records, the newest first unless the request says otherwise.
    list_audit(AuditListRequest) -> AuditListResponse = call read "/v1/audit.list";
}
