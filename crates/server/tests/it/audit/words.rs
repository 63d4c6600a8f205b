//! What several tests look at.

use redrive_server::{AuditRecord, read_audit};

use crate::bed::Bed;

/// The records of the newest server, without those of its start.
pub(crate) async fn records(bed: &Bed) -> Vec<AuditRecord> {
    let chains = read_audit(bed.store()).await.unwrap();
    let records = chains.into_iter().next_back().unwrap().records;
    records.into_iter().filter(|record| !record.action.starts_with("server.")).collect()
}

pub(super) trait AuditedBed {
    /// The action, code and targets of the last record.
    async fn last(&self) -> (String, u16, Vec<String>);
}

impl AuditedBed for Bed {
    async fn last(&self) -> (String, u16, Vec<String>) {
        let record = records(self).await.pop().unwrap();
        let targets = record.targets.iter().map(|target| format!("{}={}", target.kind, target.name)).collect();
        (record.action, record.result.code, targets)
    }
}
