//! Types that stand on the wire and in files as the text that people read, too.

/// Serialises a type as what it displays, and reads it back as what it parses.
macro_rules! serde_as_text {
    ($Type:ident) => {
        impl serde::Serialize for $Type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        $crate::as_text::deserialize_from_text!($Type);
    };
}

/// Reads a type as what it parses.
macro_rules! deserialize_from_text {
    ($Type:ident) => {
        impl<'de> serde::Deserialize<'de> for $Type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use {deserialize_from_text, serde_as_text};
