//! `audit.*`: the records of administrative acts.

use redrive_proto::redrive::v1::{AuditListRequest, AuditListResponse};

use crate::call::Call;
use crate::{Client, ClientError};

impl Client {
    /// Lists a page of audit records, the newest first unless the request says otherwise.
    pub async fn list_audit(&self, request: &AuditListRequest) -> Result<AuditListResponse, ClientError> {
        self.call(Call::read("/v1/audit.list"), request).await
    }
}
