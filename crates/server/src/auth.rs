//! Who calls, and what they may do.

use http::HeaderMap;
use http::header::AUTHORIZATION;
use redrive_core::NamespaceName;

use crate::fault::{Code, Fault};

/// The namespace of whatever names none.
pub(crate) const SYSTEM: &str = "_system";

/// What a call needs its caller to be allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permission {
    QueueCreate,
    QueueDelete,
    QueueUpdate,
    QueueList,
    QueueProduce,
    QueueLease,
    QueueComplete,
    QueueRetry,
    QueueStats,
    QueueClear,
}

/// Who calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Caller {
    pub(crate) user: String,
}

#[derive(Debug)]
pub(crate) struct Auth;

impl Auth {
    /// Whether everybody may do everything.
    pub(crate) const fn is_open(&self) -> bool {
        true
    }

    pub(crate) async fn authenticate(&self, headers: &HeaderMap) -> Result<Caller, Fault> {
        let Some(given) = headers.get(AUTHORIZATION) else { return Ok(Caller { user: "anonymous".to_owned() }) };
        if !given.as_bytes().starts_with(b"Bearer ") {
            return Err(Fault::new(Code::Unauthorized, "invalid authorization header format"));
        }
        Ok(Caller { user: "anonymous".to_owned() })
    }

    pub(crate) async fn allow(
        &self,
        _caller: &Caller,
        _permission: Permission,
        _namespace: Option<&NamespaceName>,
    ) -> Result<(), Fault> {
        Ok(())
    }
}
