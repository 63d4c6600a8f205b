//! Closed sets of names: written in lower case, parsed in any case; unknown names are rejected.

/// Defines an enum with one name per member, and its `Display`, `FromStr` and serde forms.
///
/// The default of a set, if it has one, is defined beside the set.
macro_rules! closed_set {
    (
        $(#[$meta:meta])*
        pub enum $Name:ident ($what:literal) {
            $( $(#[$member_meta:meta])* $Member:ident = $text:expr ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $Name {
            $( $(#[$member_meta])* $Member ),+
        }

        impl $Name {
            /// Every member, in the order of lists and statistics.
            pub const ALL: &'static [Self] = &[$( Self::$Member ),+];

            /// The name on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$Member => $text ),+ }
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $Name {
            type Err = $crate::Invalid;

            fn from_str(text: &str) -> Result<Self, $crate::Invalid> {
                Self::ALL
                    .iter()
                    .copied()
                    .find(|member| member.as_str().eq_ignore_ascii_case(text))
                    .ok_or_else(|| {
                        let allowed: Vec<_> = Self::ALL.iter().map(|member| member.as_str()).collect();
                        $crate::Invalid::new(
                            $what,
                            $crate::Problem::UnknownName,
                            text,
                            allowed.join(", "),
                        )
                    })
            }
        }

        impl serde::Serialize for $Name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        $crate::as_text::deserialize_from_text!($Name);
    };
}

pub(crate) use closed_set;
