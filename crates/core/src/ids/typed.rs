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
