//! Typed ids: the compiler rejects an id of the wrong kind.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Ksuid, KsuidError};

macro_rules! typed_id {
    ($(#[$meta:meta])* $Name:ident) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $Name(Ksuid);

        impl $Name {
            pub const fn new(id: Ksuid) -> Self {
                Self(id)
            }

            pub const fn ksuid(self) -> Ksuid {
                self.0
            }
        }

        impl fmt::Display for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $Name {
            type Err = KsuidError;

            fn from_str(text: &str) -> Result<Self, KsuidError> {
                text.parse().map(Self)
            }
        }
    };
}

typed_id! {
    /// The current id of an item. An item gets a new id whenever its current claim must end, so the id is both its
    /// position in the queue and the fence of its claims.
    ItemId
}

typed_id! {
    /// The permanent id of a letter.
    LetterId
}

typed_id! {
    /// Proof of a claim: the id of the item at the time of the claim.
    ///
    /// ```
    /// use redrive_core::{ClaimToken, ItemId, Ksuid};
    ///
    /// let claimed = ItemId::new(Ksuid::MIN);
    /// let token = ClaimToken::of(claimed);
    /// assert!(token.holds(claimed));
    /// assert!(!token.holds(ItemId::new(Ksuid::MAX)), "the item has moved on: the claim is stale");
    /// ```
    ClaimToken
}

impl ClaimToken {
    pub const fn of(item: ItemId) -> Self {
        Self(item.0)
    }

    /// Whether the claim still holds, given the current id of the item.
    pub fn holds(self, item: ItemId) -> bool {
        self.0 == item.0
    }
}
