//! A disk that counts operations.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use redrive_journal::{Disk, SimDisk};

use crate::hooked_disk::{DiskHook, HookedDisk};

/// The number of reads, writes, syncs and operations on names.
#[derive(Debug, Clone, Default)]
pub(crate) struct OperationCount(Arc<AtomicU64>);

impl OperationCount {
    /// A disk whose operations are counted.
    pub(crate) fn disk(&self, disk: &SimDisk) -> Arc<dyn Disk> {
        HookedDisk::wrap(Arc::new(disk.clone()), self.clone())
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn count<T>(&self, operation: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        self.0.fetch_add(1, Ordering::Relaxed);
        operation()
    }
}

impl DiskHook for OperationCount {
    fn on_names<T>(&self, operation: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        self.count(operation)
    }

    fn on_file<T>(&self, operation: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        self.count(operation)
    }
}
