//! Enums with a list of their members.

/// Defines an enum with the list of its members.
macro_rules! listed {
    ($(#[$meta:meta])* pub enum $Name:ident { $( $(#[$member_meta:meta])* $Member:ident ),+ $(,)? }) => {
        $(#[$meta])*
        pub enum $Name {
            $( $(#[$member_meta])* $Member ),+
        }

        impl $Name {
            /// All members, in the order of their numbers in records.
            pub const ALL: [Self; [$( Self::$Member ),+].len()] = [$( Self::$Member ),+];
        }
    };
}

pub(crate) use listed;
