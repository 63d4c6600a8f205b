//! A transport that takes letters back, checked and not connected yet.

use std::fmt;
use std::sync::Arc;

use redrive_run::HandBack;

use super::TargetError;

/// Opens the transport when its target starts.
pub(crate) struct CheckedHandBack(Box<dyn FnOnce() -> Result<Arc<dyn HandBack>, TargetError> + Send + Sync>);

impl CheckedHandBack {
    #[cfg(any(feature = "kafka", feature = "redis"))]
    pub(super) fn new(open: impl FnOnce() -> Result<Arc<dyn HandBack>, TargetError> + Send + Sync + 'static) -> Self {
        Self(Box::new(open))
    }

    pub(super) fn open(self) -> Result<Arc<dyn HandBack>, TargetError> {
        (self.0)()
    }
}

impl fmt::Debug for CheckedHandBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckedHandBack").finish_non_exhaustive()
    }
}
