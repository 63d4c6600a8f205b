//! The errors of callers that may not make a call.
//!
//! A message names the caller and the missing permission, and no namespace that the request does not name: that of a
//! queue, and those in which another user has roles, are not for every caller.

use redrive_core::Time;
use redrive_proto::Timestamp;

use super::caller::KeyIdentity;
use super::{Caller, Permission};
use crate::api_error::{ApiError, Code};

impl Caller {
    /// The error of a caller without a permission that its request needs.
    pub(crate) fn denied(&self, permission: Permission) -> ApiError {
        let (permission, limit) = (permission.name(), self.scope_limit());
        let message = format!("access denied; {self} lacks the permission '{permission}' for this request{limit}");
        ApiError::new(Code::Forbidden, message).with("permission", permission)
    }

    /// The error of a caller that would grant a permission which it does not have.
    pub(super) fn cannot_grant(&self, permission: Permission, namespace: &str) -> ApiError {
        let (permission, namespace) = (permission.name(), namespace.escape_debug());
        let message = format!("access denied; {self} lacks '{permission}' in '{namespace}', and cannot grant it");
        ApiError::new(Code::Forbidden, message)
    }

    /// The error of a caller that would create a key with a permission which it does not have. Where the user of the key
    /// has that permission is not revealed.
    pub(super) fn cannot_act_as(&self, permission: Permission) -> ApiError {
        let permission = permission.name();
        let message = format!("access denied; {self} lacks '{permission}', which the new key would have");
        ApiError::new(Code::Forbidden, message)
    }

    /// The error of a caller that would create a key which is valid where its own is not.
    pub(super) fn cannot_widen(&self, scope: &str) -> ApiError {
        let scope = scope.escape_debug();
        let message =
            format!("access denied; {self} is limited to the namespace '{scope}', and so are keys it creates");
        ApiError::new(Code::Forbidden, message)
    }

    /// The limit of the caller's key, as the end of a message. It is shown whatever the target is, so that it does not
    /// reveal the namespace of the target.
    fn scope_limit(&self) -> String {
        let limit = |scope: &str| format!("; the key is limited to the namespace '{}'", scope.escape_debug());
        self.scope().map(limit).unwrap_or_default()
    }
}

impl KeyIdentity {
    /// The error of a caller whose key has expired.
    pub(crate) fn expired(&self, at: Time) -> ApiError {
        let (user, key) = (self.user_name.escape_debug(), self.shown_name().escape_debug());
        let at = Timestamp::from(at);
        let message = format!("api key has expired; '{key}' of user '{user}' was valid until {at}");
        ApiError::new(Code::Unauthorized, message).because("expired_api_key")
    }
}
