//! The bulk actions on letters.

use redrive_core::Status;
use serde::{Deserialize, Serialize};

use crate::api_error::ApiError;
use crate::auth::Permission;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Act {
    Retry,
    Resume,
    Archive,
    Restore,
    Purge,
}

impl Act {
    pub(super) fn parse(text: &str) -> Result<Self, ApiError> {
        match text {
            "retry" => Ok(Self::Retry),
            "resume" => Ok(Self::Resume),
            "archive" => Ok(Self::Archive),
            "restore" => Ok(Self::Restore),
            "purge" => Ok(Self::Purge),
            _ => {
                let message =
                    format!("action is invalid; '{text}' is not one of retry, resume, archive, restore, purge");
                Err(ApiError::bad(message))
            }
        }
    }

    pub(super) const fn permission(self) -> Permission {
        match self {
            Self::Retry | Self::Resume => Permission::LettersRetry,
            Self::Archive | Self::Restore => Permission::LettersArchive,
            Self::Purge => Permission::LettersClear,
        }
    }

    /// Whether the action is possible on a full disk.
    pub(super) const fn frees_space(self) -> bool {
        matches!(self, Self::Archive | Self::Purge)
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::Resume => "resume",
            Self::Archive => "archive",
            Self::Restore => "restore",
            Self::Purge => "purge",
        }
    }

    /// Whether the action applies to letters with this status.
    pub(super) const fn applies_to(self, status: Status, include_archived: bool) -> bool {
        match (self, status) {
            (Self::Retry, Status::Pending | Status::Exhausted) => true,
            (Self::Retry, _) => false,
            (Self::Resume, status) => matches!(status, Status::Exhausted),
            (Self::Archive, status) => !matches!(status, Status::Archived),
            (Self::Restore, status) => matches!(status, Status::Archived),
            (Self::Purge, Status::Archived) => include_archived,
            (Self::Purge, _) => true,
        }
    }
}
