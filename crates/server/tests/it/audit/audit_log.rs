//! Reading the audit log in tests.

use redrive_server::{AuditRecord, read_audit};

use crate::harness::TestServer;

/// The records of the newest chain, without the `server.*` records of the start.
pub(crate) async fn records(server: &TestServer) -> Vec<AuditRecord> {
    let chains = read_audit(server.store()).await.unwrap();
    let records = chains.into_iter().next_back().unwrap().records;
    records.into_iter().filter(|record| !record.action.starts_with("server.")).collect()
}

pub(super) trait LastRecord {
    /// The action, code and targets of the last record.
    async fn last_record(&self) -> (String, u16, Vec<String>);
}

impl LastRecord for TestServer {
    async fn last_record(&self) -> (String, u16, Vec<String>) {
        let record = records(self).await.pop().unwrap();
        let targets = record.targets.iter().map(|target| format!("{}={}", target.kind, target.name)).collect();
        (record.action, record.result.code, targets)
    }
}
