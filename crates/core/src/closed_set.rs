//! Sets of names that are fixed: on the wire in lower case, read in any case, everything else refused.

/// Defines an enum whose members have one name each, with all the forms that the name takes.
///
/// The default of each set, where it has one, stands in the set's own file.
macro_rules! closed_set {
    (
        $(#[$meta:meta])*
        pub enum $Name:ident ($what:literal) {
            $( $(#[$member_meta:meta])* $Member:ident = $text:literal ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $Name {
            $( $(#[$member_meta])* $Member ),+
        }

        impl $Name {
            /// Every member, in the order in which lists and statistics show them.
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
