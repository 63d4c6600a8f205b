//! Which failures are captured automatically.

use crate::closed_set::closed_set;
use crate::{CaptureReason, Category};

closed_set! {
    /// Which failures become letters automatically.
    #[derive(Default)]
    pub enum Strategy ("strategy") {
        /// Every final failure.
        #[default]
        Automatic = "automatic",
        /// Failures that may pass with time: transient, network and resource.
        Selective = "selective",
        /// None: only explicit captures.
        Manual = "manual",
        /// None, not even explicit captures.
        Disabled = "disabled",
    }
}

impl Strategy {
    /// Why a failure of this category is not captured automatically; `None` if it is captured.
    pub const fn skips(self, category: Category) -> Option<DropReason> {
        match self {
            Self::Automatic => None,
            Self::Selective if category.is_passing() => None,
            Self::Selective | Self::Manual => Some(DropReason::SkippedByStrategy),
            Self::Disabled => Some(DropReason::Disabled),
        }
    }

    /// Why a capture is rejected; `None` if it is accepted. Explicit captures are accepted for every category.
    pub const fn refuses(self, by: CapturedBy, category: Category) -> Option<DropReason> {
        match (by, self) {
            (CapturedBy::Automatic, _) => self.skips(category),
            (CapturedBy::Explicit, Self::Disabled) => Some(DropReason::Disabled),
            (CapturedBy::Explicit, _) => None,
        }
    }
}

/// How a capture was requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CapturedBy {
    /// The runner of the work reports every failure.
    Automatic,
    /// A user or program requested this capture.
    Explicit,
}

closed_set! {
    /// Why a final failure did not become a letter. Also the name of its counter.
    pub enum DropReason ("drop reason") {
        /// The dead letter queue is disabled.
        Disabled = "disabled",
        /// The strategy does not capture this category automatically.
        SkippedByStrategy = "skipped_by_strategy",
    }
}

impl From<DropReason> for CaptureReason {
    fn from(why: DropReason) -> Self {
        match why {
            DropReason::Disabled => Self::Disabled,
            DropReason::SkippedByStrategy => Self::SkippedByStrategy,
        }
    }
}
