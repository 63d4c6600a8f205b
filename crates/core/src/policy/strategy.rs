//! Which failures become letters by themselves.

use crate::closed_set::closed_set;
use crate::{CaptureReason, Category};

closed_set! {
    /// What is captured without being asked.
    #[derive(Default)]
    pub enum Strategy ("strategy") {
        /// Every final failure.
        #[default]
        Automatic = "automatic",
        /// What time may heal: transient, network and resource failures.
        Selective = "selective",
        /// Only what a person or program hands over explicitly.
        Manual = "manual",
        /// Nothing, not even on request.
        Disabled = "disabled",
    }
}

impl Strategy {
    /// Why a failure of this category is not captured; `None` when it is.
    pub const fn skips(self, category: Category) -> Option<DropReason> {
        match self {
            Self::Automatic => None,
            Self::Selective if category.is_passing() => None,
            Self::Selective | Self::Manual => Some(DropReason::SkippedByStrategy),
            Self::Disabled => Some(DropReason::Disabled),
        }
    }

    /// The same of a failure that somebody wants captured: one that is handed over explicitly is taken whatever its category.
    pub const fn refuses(self, by: CapturedBy, category: Category) -> Option<DropReason> {
        match (by, self) {
            (CapturedBy::Automatic, _) => self.skips(category),
            (CapturedBy::Explicit, Self::Disabled) => Some(DropReason::Disabled),
            (CapturedBy::Explicit, _) => None,
        }
    }
}

/// Who wants a failure to become a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CapturedBy {
    /// Whoever ran the work reports every failure.
    Automatic,
    /// A person or program hands over this one.
    Explicit,
}

closed_set! {
    /// Why a final failure left no letter. Counted under this name.
    pub enum DropReason ("drop reason") {
        /// The dead letter queue is switched off.
        Disabled = "disabled",
        /// The strategy does not capture this category by itself.
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
