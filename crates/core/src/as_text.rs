//! Types whose serialised form is their text form.

/// Serialises a type with its `Display` text and deserialises it with `FromStr`.
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

/// Deserialises a type with `FromStr`.
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
