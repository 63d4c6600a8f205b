impl serde::Serialize for ApiKeyInfo {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.id.is_empty() {
            len += 1;
        }
        if !self.user_id.is_empty() {
            len += 1;
        }
        if !self.namespace_scope.is_empty() {
            len += 1;
        }
        if !self.name.is_empty() {
            len += 1;
        }
        if !self.prefix.is_empty() {
            len += 1;
        }
        if self.expires_at.is_some() {
            len += 1;
        }
        if self.last_used_at.is_some() {
            len += 1;
        }
        if self.created_at.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.ApiKeyInfo", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.user_id.is_empty() {
            struct_ser.serialize_field("user_id", &self.user_id)?;
        }
        if !self.namespace_scope.is_empty() {
            struct_ser.serialize_field("namespace_scope", &self.namespace_scope)?;
        }
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if !self.prefix.is_empty() {
            struct_ser.serialize_field("prefix", &self.prefix)?;
        }
        if let Some(v) = self.expires_at.as_ref() {
            struct_ser.serialize_field("expires_at", v)?;
        }
        if let Some(v) = self.last_used_at.as_ref() {
            struct_ser.serialize_field("last_used_at", v)?;
        }
        if let Some(v) = self.created_at.as_ref() {
            struct_ser.serialize_field("created_at", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ApiKeyInfo {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "user_id",
            "namespace_scope",
            "name",
            "prefix",
            "expires_at",
            "last_used_at",
            "created_at",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            UserId,
            NamespaceScope,
            Name,
            Prefix,
            ExpiresAt,
            LastUsedAt,
            CreatedAt,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "id" => Ok(GeneratedField::Id),
                            "user_id" => Ok(GeneratedField::UserId),
                            "namespace_scope" => Ok(GeneratedField::NamespaceScope),
                            "name" => Ok(GeneratedField::Name),
                            "prefix" => Ok(GeneratedField::Prefix),
                            "expires_at" => Ok(GeneratedField::ExpiresAt),
                            "last_used_at" => Ok(GeneratedField::LastUsedAt),
                            "created_at" => Ok(GeneratedField::CreatedAt),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ApiKeyInfo;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.ApiKeyInfo")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ApiKeyInfo, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut user_id__ = None;
                let mut namespace_scope__ = None;
                let mut name__ = None;
                let mut prefix__ = None;
                let mut expires_at__ = None;
                let mut last_used_at__ = None;
                let mut created_at__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::UserId => {
                            if user_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("user_id"));
                            }
                            user_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::NamespaceScope => {
                            if namespace_scope__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace_scope"));
                            }
                            namespace_scope__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Name => {
                            if name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("name"));
                            }
                            name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Prefix => {
                            if prefix__.is_some() {
                                return Err(serde::de::Error::duplicate_field("prefix"));
                            }
                            prefix__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::ExpiresAt => {
                            if expires_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("expires_at"));
                            }
                            expires_at__ = map_.next_value()?;
                        }
                        GeneratedField::LastUsedAt => {
                            if last_used_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("last_used_at"));
                            }
                            last_used_at__ = map_.next_value()?;
                        }
                        GeneratedField::CreatedAt => {
                            if created_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("created_at"));
                            }
                            created_at__ = map_.next_value()?;
                        }
                    }
                }
                Ok(ApiKeyInfo {
                    id: id__.unwrap_or_default(),
                    user_id: user_id__.unwrap_or_default(),
                    namespace_scope: namespace_scope__.unwrap_or_default(),
                    name: name__.unwrap_or_default(),
                    prefix: prefix__.unwrap_or_default(),
                    expires_at: expires_at__,
                    last_used_at: last_used_at__,
                    created_at: created_at__,
                })
            }
        }
        deserializer.deserialize_struct("querator.ApiKeyInfo", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ApiKeysCreateRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.user_id.is_empty() {
            len += 1;
        }
        if !self.name.is_empty() {
            len += 1;
        }
        if !self.namespace_scope.is_empty() {
            len += 1;
        }
        if self.expires_at.is_some() {
            len += 1;
        }
        if !self.key_tag.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.ApiKeysCreateRequest", len)?;
        if !self.user_id.is_empty() {
            struct_ser.serialize_field("user_id", &self.user_id)?;
        }
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if !self.namespace_scope.is_empty() {
            struct_ser.serialize_field("namespace_scope", &self.namespace_scope)?;
        }
        if let Some(v) = self.expires_at.as_ref() {
            struct_ser.serialize_field("expires_at", v)?;
        }
        if !self.key_tag.is_empty() {
            struct_ser.serialize_field("key_tag", &self.key_tag)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ApiKeysCreateRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "user_id",
            "name",
            "namespace_scope",
            "expires_at",
            "key_tag",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            UserId,
            Name,
            NamespaceScope,
            ExpiresAt,
            KeyTag,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "user_id" => Ok(GeneratedField::UserId),
                            "name" => Ok(GeneratedField::Name),
                            "namespace_scope" => Ok(GeneratedField::NamespaceScope),
                            "expires_at" => Ok(GeneratedField::ExpiresAt),
                            "key_tag" => Ok(GeneratedField::KeyTag),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ApiKeysCreateRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.ApiKeysCreateRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ApiKeysCreateRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut user_id__ = None;
                let mut name__ = None;
                let mut namespace_scope__ = None;
                let mut expires_at__ = None;
                let mut key_tag__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::UserId => {
                            if user_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("user_id"));
                            }
                            user_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Name => {
                            if name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("name"));
                            }
                            name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::NamespaceScope => {
                            if namespace_scope__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace_scope"));
                            }
                            namespace_scope__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::ExpiresAt => {
                            if expires_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("expires_at"));
                            }
                            expires_at__ = map_.next_value()?;
                        }
                        GeneratedField::KeyTag => {
                            if key_tag__.is_some() {
                                return Err(serde::de::Error::duplicate_field("key_tag"));
                            }
                            key_tag__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(ApiKeysCreateRequest {
                    user_id: user_id__.unwrap_or_default(),
                    name: name__.unwrap_or_default(),
                    namespace_scope: namespace_scope__.unwrap_or_default(),
                    expires_at: expires_at__,
                    key_tag: key_tag__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.ApiKeysCreateRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ApiKeysCreateResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.id.is_empty() {
            len += 1;
        }
        if !self.key.is_empty() {
            len += 1;
        }
        if !self.prefix.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.ApiKeysCreateResponse", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.key.is_empty() {
            struct_ser.serialize_field("key", &self.key)?;
        }
        if !self.prefix.is_empty() {
            struct_ser.serialize_field("prefix", &self.prefix)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ApiKeysCreateResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "key",
            "prefix",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            Key,
            Prefix,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "id" => Ok(GeneratedField::Id),
                            "key" => Ok(GeneratedField::Key),
                            "prefix" => Ok(GeneratedField::Prefix),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ApiKeysCreateResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.ApiKeysCreateResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ApiKeysCreateResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut key__ = None;
                let mut prefix__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Key => {
                            if key__.is_some() {
                                return Err(serde::de::Error::duplicate_field("key"));
                            }
                            key__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Prefix => {
                            if prefix__.is_some() {
                                return Err(serde::de::Error::duplicate_field("prefix"));
                            }
                            prefix__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(ApiKeysCreateResponse {
                    id: id__.unwrap_or_default(),
                    key: key__.unwrap_or_default(),
                    prefix: prefix__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.ApiKeysCreateResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ApiKeysDeleteRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.id.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.ApiKeysDeleteRequest", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ApiKeysDeleteRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "id" => Ok(GeneratedField::Id),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ApiKeysDeleteRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.ApiKeysDeleteRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ApiKeysDeleteRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(ApiKeysDeleteRequest {
                    id: id__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.ApiKeysDeleteRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ApiKeysListRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.user_id.is_empty() {
            len += 1;
        }
        if self.limit != 0 {
            len += 1;
        }
        if !self.pivot.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.ApiKeysListRequest", len)?;
        if !self.user_id.is_empty() {
            struct_ser.serialize_field("user_id", &self.user_id)?;
        }
        if self.limit != 0 {
            struct_ser.serialize_field("limit", &self.limit)?;
        }
        if !self.pivot.is_empty() {
            struct_ser.serialize_field("pivot", &self.pivot)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ApiKeysListRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "user_id",
            "limit",
            "pivot",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            UserId,
            Limit,
            Pivot,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "user_id" => Ok(GeneratedField::UserId),
                            "limit" => Ok(GeneratedField::Limit),
                            "pivot" => Ok(GeneratedField::Pivot),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ApiKeysListRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.ApiKeysListRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ApiKeysListRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut user_id__ = None;
                let mut limit__ = None;
                let mut pivot__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::UserId => {
                            if user_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("user_id"));
                            }
                            user_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Limit => {
                            if limit__.is_some() {
                                return Err(serde::de::Error::duplicate_field("limit"));
                            }
                            limit__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Pivot => {
                            if pivot__.is_some() {
                                return Err(serde::de::Error::duplicate_field("pivot"));
                            }
                            pivot__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(ApiKeysListRequest {
                    user_id: user_id__.unwrap_or_default(),
                    limit: limit__.unwrap_or_default(),
                    pivot: pivot__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.ApiKeysListRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ApiKeysListResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.items.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.ApiKeysListResponse", len)?;
        if !self.items.is_empty() {
            struct_ser.serialize_field("items", &self.items)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ApiKeysListResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "items",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Items,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "items" => Ok(GeneratedField::Items),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ApiKeysListResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.ApiKeysListResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ApiKeysListResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut items__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Items => {
                            if items__.is_some() {
                                return Err(serde::de::Error::duplicate_field("items"));
                            }
                            items__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(ApiKeysListResponse {
                    items: items__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.ApiKeysListResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LogicalQueueStats {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.produce_waiting != 0 {
            len += 1;
        }
        if self.lease_waiting != 0 {
            len += 1;
        }
        if self.complete_waiting != 0 {
            len += 1;
        }
        if self.in_flight != 0 {
            len += 1;
        }
        if !self.partitions.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.LogicalQueueStats", len)?;
        if self.produce_waiting != 0 {
            struct_ser.serialize_field("produce_waiting", &self.produce_waiting)?;
        }
        if self.lease_waiting != 0 {
            struct_ser.serialize_field("lease_waiting", &self.lease_waiting)?;
        }
        if self.complete_waiting != 0 {
            struct_ser.serialize_field("complete_waiting", &self.complete_waiting)?;
        }
        if self.in_flight != 0 {
            struct_ser.serialize_field("in_flight", &self.in_flight)?;
        }
        if !self.partitions.is_empty() {
            struct_ser.serialize_field("partitions", &self.partitions)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LogicalQueueStats {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "produceWaiting",
            "produce_waiting",
            "leaseWaiting",
            "lease_waiting",
            "completeWaiting",
            "complete_waiting",
            "inFlight",
            "in_flight",
            "partitions",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            ProduceWaiting,
            LeaseWaiting,
            CompleteWaiting,
            InFlight,
            Partitions,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "produce_waiting" | "produceWaiting" => Ok(GeneratedField::ProduceWaiting),
                            "lease_waiting" | "leaseWaiting" => Ok(GeneratedField::LeaseWaiting),
                            "complete_waiting" | "completeWaiting" => Ok(GeneratedField::CompleteWaiting),
                            "in_flight" | "inFlight" => Ok(GeneratedField::InFlight),
                            "partitions" => Ok(GeneratedField::Partitions),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LogicalQueueStats;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.LogicalQueueStats")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LogicalQueueStats, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut produce_waiting__ = None;
                let mut lease_waiting__ = None;
                let mut complete_waiting__ = None;
                let mut in_flight__ = None;
                let mut partitions__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::ProduceWaiting => {
                            if produce_waiting__.is_some() {
                                return Err(serde::de::Error::duplicate_field("produce_waiting"));
                            }
                            produce_waiting__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::LeaseWaiting => {
                            if lease_waiting__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lease_waiting"));
                            }
                            lease_waiting__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::CompleteWaiting => {
                            if complete_waiting__.is_some() {
                                return Err(serde::de::Error::duplicate_field("complete_waiting"));
                            }
                            complete_waiting__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::InFlight => {
                            if in_flight__.is_some() {
                                return Err(serde::de::Error::duplicate_field("in_flight"));
                            }
                            in_flight__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Partitions => {
                            if partitions__.is_some() {
                                return Err(serde::de::Error::duplicate_field("partitions"));
                            }
                            partitions__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LogicalQueueStats {
                    produce_waiting: produce_waiting__.unwrap_or_default(),
                    lease_waiting: lease_waiting__.unwrap_or_default(),
                    complete_waiting: complete_waiting__.unwrap_or_default(),
                    in_flight: in_flight__.unwrap_or_default(),
                    partitions: partitions__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.LogicalQueueStats", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for NamespaceInfo {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.name.is_empty() {
            len += 1;
        }
        if !self.description.is_empty() {
            len += 1;
        }
        if self.created_at.is_some() {
            len += 1;
        }
        if !self.api_key_tag.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.NamespaceInfo", len)?;
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if !self.description.is_empty() {
            struct_ser.serialize_field("description", &self.description)?;
        }
        if let Some(v) = self.created_at.as_ref() {
            struct_ser.serialize_field("created_at", v)?;
        }
        if !self.api_key_tag.is_empty() {
            struct_ser.serialize_field("api_key_tag", &self.api_key_tag)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for NamespaceInfo {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "name",
            "description",
            "createdAt",
            "created_at",
            "api_key_tag",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Name,
            Description,
            CreatedAt,
            ApiKeyTag,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "name" => Ok(GeneratedField::Name),
                            "description" => Ok(GeneratedField::Description),
                            "created_at" | "createdAt" => Ok(GeneratedField::CreatedAt),
                            "api_key_tag" => Ok(GeneratedField::ApiKeyTag),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = NamespaceInfo;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.NamespaceInfo")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<NamespaceInfo, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut name__ = None;
                let mut description__ = None;
                let mut created_at__ = None;
                let mut api_key_tag__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Name => {
                            if name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("name"));
                            }
                            name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Description => {
                            if description__.is_some() {
                                return Err(serde::de::Error::duplicate_field("description"));
                            }
                            description__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::CreatedAt => {
                            if created_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("created_at"));
                            }
                            created_at__ = map_.next_value()?;
                        }
                        GeneratedField::ApiKeyTag => {
                            if api_key_tag__.is_some() {
                                return Err(serde::de::Error::duplicate_field("api_key_tag"));
                            }
                            api_key_tag__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(NamespaceInfo {
                    name: name__.unwrap_or_default(),
                    description: description__.unwrap_or_default(),
                    created_at: created_at__,
                    api_key_tag: api_key_tag__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.NamespaceInfo", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for NamespacesDeleteRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.name.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.NamespacesDeleteRequest", len)?;
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for NamespacesDeleteRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "name",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Name,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "name" => Ok(GeneratedField::Name),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = NamespacesDeleteRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.NamespacesDeleteRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<NamespacesDeleteRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut name__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Name => {
                            if name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("name"));
                            }
                            name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(NamespacesDeleteRequest {
                    name: name__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.NamespacesDeleteRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for NamespacesListRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.pivot.is_empty() {
            len += 1;
        }
        if self.limit != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.NamespacesListRequest", len)?;
        if !self.pivot.is_empty() {
            struct_ser.serialize_field("pivot", &self.pivot)?;
        }
        if self.limit != 0 {
            struct_ser.serialize_field("limit", &self.limit)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for NamespacesListRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "pivot",
            "limit",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Pivot,
            Limit,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "pivot" => Ok(GeneratedField::Pivot),
                            "limit" => Ok(GeneratedField::Limit),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = NamespacesListRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.NamespacesListRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<NamespacesListRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut pivot__ = None;
                let mut limit__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Pivot => {
                            if pivot__.is_some() {
                                return Err(serde::de::Error::duplicate_field("pivot"));
                            }
                            pivot__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Limit => {
                            if limit__.is_some() {
                                return Err(serde::de::Error::duplicate_field("limit"));
                            }
                            limit__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(NamespacesListRequest {
                    pivot: pivot__.unwrap_or_default(),
                    limit: limit__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.NamespacesListRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for NamespacesListResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.items.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.NamespacesListResponse", len)?;
        if !self.items.is_empty() {
            struct_ser.serialize_field("items", &self.items)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for NamespacesListResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "items",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Items,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "items" => Ok(GeneratedField::Items),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = NamespacesListResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.NamespacesListResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<NamespacesListResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut items__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Items => {
                            if items__.is_some() {
                                return Err(serde::de::Error::duplicate_field("items"));
                            }
                            items__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(NamespacesListResponse {
                    items: items__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.NamespacesListResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for PartitionInfo {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.partition != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.PartitionInfo", len)?;
        if self.partition != 0 {
            struct_ser.serialize_field("partition", &self.partition)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for PartitionInfo {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "partition",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Partition,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "partition" => Ok(GeneratedField::Partition),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = PartitionInfo;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.PartitionInfo")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<PartitionInfo, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut partition__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Partition => {
                            if partition__.is_some() {
                                return Err(serde::de::Error::duplicate_field("partition"));
                            }
                            partition__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(PartitionInfo {
                    partition: partition__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.PartitionInfo", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueClearRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.queue_name.is_empty() {
            len += 1;
        }
        if self.scheduled {
            len += 1;
        }
        if self.queue {
            len += 1;
        }
        if self.destructive {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.QueueClearRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if self.scheduled {
            struct_ser.serialize_field("scheduled", &self.scheduled)?;
        }
        if self.queue {
            struct_ser.serialize_field("queue", &self.queue)?;
        }
        if self.destructive {
            struct_ser.serialize_field("destructive", &self.destructive)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueClearRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queueName",
            "queue_name",
            "scheduled",
            "queue",
            "destructive",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Scheduled,
            Queue,
            Destructive,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "queue_name" | "queueName" => Ok(GeneratedField::QueueName),
                            "scheduled" => Ok(GeneratedField::Scheduled),
                            "queue" => Ok(GeneratedField::Queue),
                            "destructive" => Ok(GeneratedField::Destructive),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueClearRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.QueueClearRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueClearRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut scheduled__ = None;
                let mut queue__ = None;
                let mut destructive__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Scheduled => {
                            if scheduled__.is_some() {
                                return Err(serde::de::Error::duplicate_field("scheduled"));
                            }
                            scheduled__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Queue => {
                            if queue__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue"));
                            }
                            queue__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Destructive => {
                            if destructive__.is_some() {
                                return Err(serde::de::Error::duplicate_field("destructive"));
                            }
                            destructive__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueClearRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    scheduled: scheduled__.unwrap_or_default(),
                    queue: queue__.unwrap_or_default(),
                    destructive: destructive__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.QueueClearRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueCompleteRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.queue_name.is_empty() {
            len += 1;
        }
        if self.partition != 0 {
            len += 1;
        }
        if !self.request_timeout.is_empty() {
            len += 1;
        }
        if !self.ids.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.QueueCompleteRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if self.partition != 0 {
            struct_ser.serialize_field("partition", &self.partition)?;
        }
        if !self.request_timeout.is_empty() {
            struct_ser.serialize_field("request_timeout", &self.request_timeout)?;
        }
        if !self.ids.is_empty() {
            struct_ser.serialize_field("ids", &self.ids)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueCompleteRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queueName",
            "queue_name",
            "partition",
            "requestTimeout",
            "request_timeout",
            "ids",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Partition,
            RequestTimeout,
            Ids,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "queue_name" | "queueName" => Ok(GeneratedField::QueueName),
                            "partition" => Ok(GeneratedField::Partition),
                            "request_timeout" | "requestTimeout" => Ok(GeneratedField::RequestTimeout),
                            "ids" => Ok(GeneratedField::Ids),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueCompleteRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.QueueCompleteRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueCompleteRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut partition__ = None;
                let mut request_timeout__ = None;
                let mut ids__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Partition => {
                            if partition__.is_some() {
                                return Err(serde::de::Error::duplicate_field("partition"));
                            }
                            partition__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::RequestTimeout => {
                            if request_timeout__.is_some() {
                                return Err(serde::de::Error::duplicate_field("request_timeout"));
                            }
                            request_timeout__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Ids => {
                            if ids__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ids"));
                            }
                            ids__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueCompleteRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    partition: partition__.unwrap_or_default(),
                    request_timeout: request_timeout__.unwrap_or_default(),
                    ids: ids__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.QueueCompleteRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueInfo {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.queue_name.is_empty() {
            len += 1;
        }
        if self.created_at.is_some() {
            len += 1;
        }
        if self.updated_at.is_some() {
            len += 1;
        }
        if !self.dead_queue.is_empty() {
            len += 1;
        }
        if !self.reference.is_empty() {
            len += 1;
        }
        if !self.lease_timeout.is_empty() {
            len += 1;
        }
        if !self.expire_timeout.is_empty() {
            len += 1;
        }
        if self.max_attempts != 0 {
            len += 1;
        }
        if self.requested_partitions != 0 {
            len += 1;
        }
        if !self.partitions.is_empty() {
            len += 1;
        }
        if !self.namespace.is_empty() {
            len += 1;
        }
        if self.max_items.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.QueueInfo", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if let Some(v) = self.created_at.as_ref() {
            struct_ser.serialize_field("created_at", v)?;
        }
        if let Some(v) = self.updated_at.as_ref() {
            struct_ser.serialize_field("updated_at", v)?;
        }
        if !self.dead_queue.is_empty() {
            struct_ser.serialize_field("dead_queue", &self.dead_queue)?;
        }
        if !self.reference.is_empty() {
            struct_ser.serialize_field("reference", &self.reference)?;
        }
        if !self.lease_timeout.is_empty() {
            struct_ser.serialize_field("lease_timeout", &self.lease_timeout)?;
        }
        if !self.expire_timeout.is_empty() {
            struct_ser.serialize_field("expire_timeout", &self.expire_timeout)?;
        }
        if self.max_attempts != 0 {
            struct_ser.serialize_field("max_attempts", &self.max_attempts)?;
        }
        if self.requested_partitions != 0 {
            struct_ser.serialize_field("requested_partitions", &self.requested_partitions)?;
        }
        if !self.partitions.is_empty() {
            struct_ser.serialize_field("partitions", &self.partitions)?;
        }
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if let Some(v) = self.max_items.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("max_items", ToString::to_string(&v).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueInfo {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queueName",
            "queue_name",
            "createdAt",
            "created_at",
            "updatedAt",
            "updated_at",
            "deadQueue",
            "dead_queue",
            "reference",
            "leaseTimeout",
            "lease_timeout",
            "expireTimeout",
            "expire_timeout",
            "maxAttempts",
            "max_attempts",
            "requestedPartitions",
            "requested_partitions",
            "partitions",
            "namespace",
            "maxItems",
            "max_items",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            CreatedAt,
            UpdatedAt,
            DeadQueue,
            Reference,
            LeaseTimeout,
            ExpireTimeout,
            MaxAttempts,
            RequestedPartitions,
            Partitions,
            Namespace,
            MaxItems,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "queue_name" | "queueName" => Ok(GeneratedField::QueueName),
                            "created_at" | "createdAt" => Ok(GeneratedField::CreatedAt),
                            "updated_at" | "updatedAt" => Ok(GeneratedField::UpdatedAt),
                            "dead_queue" | "deadQueue" => Ok(GeneratedField::DeadQueue),
                            "reference" => Ok(GeneratedField::Reference),
                            "lease_timeout" | "leaseTimeout" => Ok(GeneratedField::LeaseTimeout),
                            "expire_timeout" | "expireTimeout" => Ok(GeneratedField::ExpireTimeout),
                            "max_attempts" | "maxAttempts" => Ok(GeneratedField::MaxAttempts),
                            "requested_partitions" | "requestedPartitions" => Ok(GeneratedField::RequestedPartitions),
                            "partitions" => Ok(GeneratedField::Partitions),
                            "namespace" => Ok(GeneratedField::Namespace),
                            "max_items" | "maxItems" => Ok(GeneratedField::MaxItems),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueInfo;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.QueueInfo")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueInfo, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut created_at__ = None;
                let mut updated_at__ = None;
                let mut dead_queue__ = None;
                let mut reference__ = None;
                let mut lease_timeout__ = None;
                let mut expire_timeout__ = None;
                let mut max_attempts__ = None;
                let mut requested_partitions__ = None;
                let mut partitions__ = None;
                let mut namespace__ = None;
                let mut max_items__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::CreatedAt => {
                            if created_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("created_at"));
                            }
                            created_at__ = map_.next_value()?;
                        }
                        GeneratedField::UpdatedAt => {
                            if updated_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("updated_at"));
                            }
                            updated_at__ = map_.next_value()?;
                        }
                        GeneratedField::DeadQueue => {
                            if dead_queue__.is_some() {
                                return Err(serde::de::Error::duplicate_field("dead_queue"));
                            }
                            dead_queue__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Reference => {
                            if reference__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reference"));
                            }
                            reference__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::LeaseTimeout => {
                            if lease_timeout__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lease_timeout"));
                            }
                            lease_timeout__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::ExpireTimeout => {
                            if expire_timeout__.is_some() {
                                return Err(serde::de::Error::duplicate_field("expire_timeout"));
                            }
                            expire_timeout__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::MaxAttempts => {
                            if max_attempts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("max_attempts"));
                            }
                            max_attempts__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::RequestedPartitions => {
                            if requested_partitions__.is_some() {
                                return Err(serde::de::Error::duplicate_field("requested_partitions"));
                            }
                            requested_partitions__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Partitions => {
                            if partitions__.is_some() {
                                return Err(serde::de::Error::duplicate_field("partitions"));
                            }
                            partitions__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::MaxItems => {
                            if max_items__.is_some() {
                                return Err(serde::de::Error::duplicate_field("max_items"));
                            }
                            max_items__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                    }
                }
                Ok(QueueInfo {
                    queue_name: queue_name__.unwrap_or_default(),
                    created_at: created_at__,
                    updated_at: updated_at__,
                    dead_queue: dead_queue__.unwrap_or_default(),
                    reference: reference__.unwrap_or_default(),
                    lease_timeout: lease_timeout__.unwrap_or_default(),
                    expire_timeout: expire_timeout__.unwrap_or_default(),
                    max_attempts: max_attempts__.unwrap_or_default(),
                    requested_partitions: requested_partitions__.unwrap_or_default(),
                    partitions: partitions__.unwrap_or_default(),
                    namespace: namespace__.unwrap_or_default(),
                    max_items: max_items__,
                })
            }
        }
        deserializer.deserialize_struct("querator.QueueInfo", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueLeaseItem {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.encoding.is_empty() {
            len += 1;
        }
        if !self.kind.is_empty() {
            len += 1;
        }
        if !self.reference.is_empty() {
            len += 1;
        }
        if !self.id.is_empty() {
            len += 1;
        }
        if self.attempts != 0 {
            len += 1;
        }
        if self.lease_deadline.is_some() {
            len += 1;
        }
        if !self.bytes.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.QueueLeaseItem", len)?;
        if !self.encoding.is_empty() {
            struct_ser.serialize_field("encoding", &self.encoding)?;
        }
        if !self.kind.is_empty() {
            struct_ser.serialize_field("kind", &self.kind)?;
        }
        if !self.reference.is_empty() {
            struct_ser.serialize_field("reference", &self.reference)?;
        }
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if self.attempts != 0 {
            struct_ser.serialize_field("attempts", &self.attempts)?;
        }
        if let Some(v) = self.lease_deadline.as_ref() {
            struct_ser.serialize_field("lease_deadline", v)?;
        }
        if !self.bytes.is_empty() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("bytes", pbjson::private::base64::encode(&self.bytes).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueLeaseItem {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "encoding",
            "kind",
            "reference",
            "id",
            "attempts",
            "leaseDeadline",
            "lease_deadline",
            "bytes",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Encoding,
            Kind,
            Reference,
            Id,
            Attempts,
            LeaseDeadline,
            Bytes,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "encoding" => Ok(GeneratedField::Encoding),
                            "kind" => Ok(GeneratedField::Kind),
                            "reference" => Ok(GeneratedField::Reference),
                            "id" => Ok(GeneratedField::Id),
                            "attempts" => Ok(GeneratedField::Attempts),
                            "lease_deadline" | "leaseDeadline" => Ok(GeneratedField::LeaseDeadline),
                            "bytes" => Ok(GeneratedField::Bytes),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueLeaseItem;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.QueueLeaseItem")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueLeaseItem, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut encoding__ = None;
                let mut kind__ = None;
                let mut reference__ = None;
                let mut id__ = None;
                let mut attempts__ = None;
                let mut lease_deadline__ = None;
                let mut bytes__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Encoding => {
                            if encoding__.is_some() {
                                return Err(serde::de::Error::duplicate_field("encoding"));
                            }
                            encoding__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Kind => {
                            if kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("kind"));
                            }
                            kind__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Reference => {
                            if reference__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reference"));
                            }
                            reference__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Attempts => {
                            if attempts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("attempts"));
                            }
                            attempts__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::LeaseDeadline => {
                            if lease_deadline__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lease_deadline"));
                            }
                            lease_deadline__ = map_.next_value()?;
                        }
                        GeneratedField::Bytes => {
                            if bytes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("bytes"));
                            }
                            bytes__ = 
                                Some(map_.next_value::<::std::option::Option<::pbjson::private::BytesDeserialize<_>>>()?.map(|x| x.0).unwrap_or_default())
                            ;
                        }
                    }
                }
                Ok(QueueLeaseItem {
                    encoding: encoding__.unwrap_or_default(),
                    kind: kind__.unwrap_or_default(),
                    reference: reference__.unwrap_or_default(),
                    id: id__.unwrap_or_default(),
                    attempts: attempts__.unwrap_or_default(),
                    lease_deadline: lease_deadline__,
                    bytes: bytes__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.QueueLeaseItem", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueLeaseRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.queue_name.is_empty() {
            len += 1;
        }
        if self.batch_size != 0 {
            len += 1;
        }
        if !self.client_id.is_empty() {
            len += 1;
        }
        if !self.request_timeout.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.QueueLeaseRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if self.batch_size != 0 {
            struct_ser.serialize_field("batch_size", &self.batch_size)?;
        }
        if !self.client_id.is_empty() {
            struct_ser.serialize_field("client_id", &self.client_id)?;
        }
        if !self.request_timeout.is_empty() {
            struct_ser.serialize_field("request_timeout", &self.request_timeout)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueLeaseRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queueName",
            "queue_name",
            "batchSize",
            "batch_size",
            "clientId",
            "client_id",
            "requestTimeout",
            "request_timeout",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            BatchSize,
            ClientId,
            RequestTimeout,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "queue_name" | "queueName" => Ok(GeneratedField::QueueName),
                            "batch_size" | "batchSize" => Ok(GeneratedField::BatchSize),
                            "client_id" | "clientId" => Ok(GeneratedField::ClientId),
                            "request_timeout" | "requestTimeout" => Ok(GeneratedField::RequestTimeout),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueLeaseRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.QueueLeaseRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueLeaseRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut batch_size__ = None;
                let mut client_id__ = None;
                let mut request_timeout__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::BatchSize => {
                            if batch_size__.is_some() {
                                return Err(serde::de::Error::duplicate_field("batch_size"));
                            }
                            batch_size__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::ClientId => {
                            if client_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("client_id"));
                            }
                            client_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RequestTimeout => {
                            if request_timeout__.is_some() {
                                return Err(serde::de::Error::duplicate_field("request_timeout"));
                            }
                            request_timeout__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueLeaseRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    batch_size: batch_size__.unwrap_or_default(),
                    client_id: client_id__.unwrap_or_default(),
                    request_timeout: request_timeout__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.QueueLeaseRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueLeaseResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.queue_name.is_empty() {
            len += 1;
        }
        if self.partition != 0 {
            len += 1;
        }
        if !self.items.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.QueueLeaseResponse", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if self.partition != 0 {
            struct_ser.serialize_field("partition", &self.partition)?;
        }
        if !self.items.is_empty() {
            struct_ser.serialize_field("items", &self.items)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueLeaseResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queueName",
            "queue_name",
            "partition",
            "items",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Partition,
            Items,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "queue_name" | "queueName" => Ok(GeneratedField::QueueName),
                            "partition" => Ok(GeneratedField::Partition),
                            "items" => Ok(GeneratedField::Items),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueLeaseResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.QueueLeaseResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueLeaseResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut partition__ = None;
                let mut items__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Partition => {
                            if partition__.is_some() {
                                return Err(serde::de::Error::duplicate_field("partition"));
                            }
                            partition__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Items => {
                            if items__.is_some() {
                                return Err(serde::de::Error::duplicate_field("items"));
                            }
                            items__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueLeaseResponse {
                    queue_name: queue_name__.unwrap_or_default(),
                    partition: partition__.unwrap_or_default(),
                    items: items__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.QueueLeaseResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueuePartitionStats {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.partition != 0 {
            len += 1;
        }
        if self.total != 0 {
            len += 1;
        }
        if self.total_leased != 0 {
            len += 1;
        }
        if self.failures != 0 {
            len += 1;
        }
        if !self.average_age.is_empty() {
            len += 1;
        }
        if !self.average_leased_age.is_empty() {
            len += 1;
        }
        if self.scheduled != 0 {
            len += 1;
        }
        if self.damaged != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.QueuePartitionStats", len)?;
        if self.partition != 0 {
            struct_ser.serialize_field("partition", &self.partition)?;
        }
        if self.total != 0 {
            struct_ser.serialize_field("total", &self.total)?;
        }
        if self.total_leased != 0 {
            struct_ser.serialize_field("total_leased", &self.total_leased)?;
        }
        if self.failures != 0 {
            struct_ser.serialize_field("failures", &self.failures)?;
        }
        if !self.average_age.is_empty() {
            struct_ser.serialize_field("average_age", &self.average_age)?;
        }
        if !self.average_leased_age.is_empty() {
            struct_ser.serialize_field("average_leased_age", &self.average_leased_age)?;
        }
        if self.scheduled != 0 {
            struct_ser.serialize_field("scheduled", &self.scheduled)?;
        }
        if self.damaged != 0 {
            struct_ser.serialize_field("damaged", &self.damaged)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueuePartitionStats {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "partition",
            "total",
            "totalLeased",
            "total_leased",
            "failures",
            "averageAge",
            "average_age",
            "averageLeasedAge",
            "average_leased_age",
            "scheduled",
            "damaged",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Partition,
            Total,
            TotalLeased,
            Failures,
            AverageAge,
            AverageLeasedAge,
            Scheduled,
            Damaged,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "partition" => Ok(GeneratedField::Partition),
                            "total" => Ok(GeneratedField::Total),
                            "total_leased" | "totalLeased" => Ok(GeneratedField::TotalLeased),
                            "failures" => Ok(GeneratedField::Failures),
                            "average_age" | "averageAge" => Ok(GeneratedField::AverageAge),
                            "average_leased_age" | "averageLeasedAge" => Ok(GeneratedField::AverageLeasedAge),
                            "scheduled" => Ok(GeneratedField::Scheduled),
                            "damaged" => Ok(GeneratedField::Damaged),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueuePartitionStats;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.QueuePartitionStats")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueuePartitionStats, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut partition__ = None;
                let mut total__ = None;
                let mut total_leased__ = None;
                let mut failures__ = None;
                let mut average_age__ = None;
                let mut average_leased_age__ = None;
                let mut scheduled__ = None;
                let mut damaged__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Partition => {
                            if partition__.is_some() {
                                return Err(serde::de::Error::duplicate_field("partition"));
                            }
                            partition__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Total => {
                            if total__.is_some() {
                                return Err(serde::de::Error::duplicate_field("total"));
                            }
                            total__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::TotalLeased => {
                            if total_leased__.is_some() {
                                return Err(serde::de::Error::duplicate_field("total_leased"));
                            }
                            total_leased__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Failures => {
                            if failures__.is_some() {
                                return Err(serde::de::Error::duplicate_field("failures"));
                            }
                            failures__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::AverageAge => {
                            if average_age__.is_some() {
                                return Err(serde::de::Error::duplicate_field("average_age"));
                            }
                            average_age__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::AverageLeasedAge => {
                            if average_leased_age__.is_some() {
                                return Err(serde::de::Error::duplicate_field("average_leased_age"));
                            }
                            average_leased_age__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Scheduled => {
                            if scheduled__.is_some() {
                                return Err(serde::de::Error::duplicate_field("scheduled"));
                            }
                            scheduled__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Damaged => {
                            if damaged__.is_some() {
                                return Err(serde::de::Error::duplicate_field("damaged"));
                            }
                            damaged__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(QueuePartitionStats {
                    partition: partition__.unwrap_or_default(),
                    total: total__.unwrap_or_default(),
                    total_leased: total_leased__.unwrap_or_default(),
                    failures: failures__.unwrap_or_default(),
                    average_age: average_age__.unwrap_or_default(),
                    average_leased_age: average_leased_age__.unwrap_or_default(),
                    scheduled: scheduled__.unwrap_or_default(),
                    damaged: damaged__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.QueuePartitionStats", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueProduceItem {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.encoding.is_empty() {
            len += 1;
        }
        if !self.kind.is_empty() {
            len += 1;
        }
        if !self.reference.is_empty() {
            len += 1;
        }
        if self.enqueue_at.is_some() {
            len += 1;
        }
        if !self.bytes.is_empty() {
            len += 1;
        }
        if !self.utf8.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.QueueProduceItem", len)?;
        if !self.encoding.is_empty() {
            struct_ser.serialize_field("encoding", &self.encoding)?;
        }
        if !self.kind.is_empty() {
            struct_ser.serialize_field("kind", &self.kind)?;
        }
        if !self.reference.is_empty() {
            struct_ser.serialize_field("reference", &self.reference)?;
        }
        if let Some(v) = self.enqueue_at.as_ref() {
            struct_ser.serialize_field("enqueue_at", v)?;
        }
        if !self.bytes.is_empty() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("bytes", pbjson::private::base64::encode(&self.bytes).as_str())?;
        }
        if !self.utf8.is_empty() {
            struct_ser.serialize_field("utf8", &self.utf8)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueProduceItem {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "encoding",
            "kind",
            "reference",
            "enqueueAt",
            "enqueue_at",
            "bytes",
            "utf8",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Encoding,
            Kind,
            Reference,
            EnqueueAt,
            Bytes,
            Utf8,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "encoding" => Ok(GeneratedField::Encoding),
                            "kind" => Ok(GeneratedField::Kind),
                            "reference" => Ok(GeneratedField::Reference),
                            "enqueue_at" | "enqueueAt" => Ok(GeneratedField::EnqueueAt),
                            "bytes" => Ok(GeneratedField::Bytes),
                            "utf8" => Ok(GeneratedField::Utf8),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueProduceItem;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.QueueProduceItem")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueProduceItem, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut encoding__ = None;
                let mut kind__ = None;
                let mut reference__ = None;
                let mut enqueue_at__ = None;
                let mut bytes__ = None;
                let mut utf8__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Encoding => {
                            if encoding__.is_some() {
                                return Err(serde::de::Error::duplicate_field("encoding"));
                            }
                            encoding__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Kind => {
                            if kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("kind"));
                            }
                            kind__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Reference => {
                            if reference__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reference"));
                            }
                            reference__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::EnqueueAt => {
                            if enqueue_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("enqueue_at"));
                            }
                            enqueue_at__ = map_.next_value()?;
                        }
                        GeneratedField::Bytes => {
                            if bytes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("bytes"));
                            }
                            bytes__ = 
                                Some(map_.next_value::<::std::option::Option<::pbjson::private::BytesDeserialize<_>>>()?.map(|x| x.0).unwrap_or_default())
                            ;
                        }
                        GeneratedField::Utf8 => {
                            if utf8__.is_some() {
                                return Err(serde::de::Error::duplicate_field("utf8"));
                            }
                            utf8__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueProduceItem {
                    encoding: encoding__.unwrap_or_default(),
                    kind: kind__.unwrap_or_default(),
                    reference: reference__.unwrap_or_default(),
                    enqueue_at: enqueue_at__,
                    bytes: bytes__.unwrap_or_default(),
                    utf8: utf8__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.QueueProduceItem", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueProduceRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.queue_name.is_empty() {
            len += 1;
        }
        if !self.request_timeout.is_empty() {
            len += 1;
        }
        if !self.items.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.QueueProduceRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.request_timeout.is_empty() {
            struct_ser.serialize_field("request_timeout", &self.request_timeout)?;
        }
        if !self.items.is_empty() {
            struct_ser.serialize_field("items", &self.items)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueProduceRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queueName",
            "queue_name",
            "requestTimeout",
            "request_timeout",
            "items",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            RequestTimeout,
            Items,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "queue_name" | "queueName" => Ok(GeneratedField::QueueName),
                            "request_timeout" | "requestTimeout" => Ok(GeneratedField::RequestTimeout),
                            "items" => Ok(GeneratedField::Items),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueProduceRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.QueueProduceRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueProduceRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut request_timeout__ = None;
                let mut items__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RequestTimeout => {
                            if request_timeout__.is_some() {
                                return Err(serde::de::Error::duplicate_field("request_timeout"));
                            }
                            request_timeout__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Items => {
                            if items__.is_some() {
                                return Err(serde::de::Error::duplicate_field("items"));
                            }
                            items__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueProduceRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    request_timeout: request_timeout__.unwrap_or_default(),
                    items: items__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.QueueProduceRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueReloadRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.queue_name.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.QueueReloadRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueReloadRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queueName",
            "queue_name",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "queue_name" | "queueName" => Ok(GeneratedField::QueueName),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueReloadRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.QueueReloadRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueReloadRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueReloadRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.QueueReloadRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueRetryItem {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.id.is_empty() {
            len += 1;
        }
        if self.retry_at.is_some() {
            len += 1;
        }
        if self.dead {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.QueueRetryItem", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if let Some(v) = self.retry_at.as_ref() {
            struct_ser.serialize_field("retry_at", v)?;
        }
        if self.dead {
            struct_ser.serialize_field("dead", &self.dead)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueRetryItem {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "retryAt",
            "retry_at",
            "dead",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            RetryAt,
            Dead,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "id" => Ok(GeneratedField::Id),
                            "retry_at" | "retryAt" => Ok(GeneratedField::RetryAt),
                            "dead" => Ok(GeneratedField::Dead),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueRetryItem;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.QueueRetryItem")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueRetryItem, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut retry_at__ = None;
                let mut dead__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RetryAt => {
                            if retry_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry_at"));
                            }
                            retry_at__ = map_.next_value()?;
                        }
                        GeneratedField::Dead => {
                            if dead__.is_some() {
                                return Err(serde::de::Error::duplicate_field("dead"));
                            }
                            dead__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueRetryItem {
                    id: id__.unwrap_or_default(),
                    retry_at: retry_at__,
                    dead: dead__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.QueueRetryItem", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueRetryRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.queue_name.is_empty() {
            len += 1;
        }
        if self.partition != 0 {
            len += 1;
        }
        if !self.items.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.QueueRetryRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if self.partition != 0 {
            struct_ser.serialize_field("partition", &self.partition)?;
        }
        if !self.items.is_empty() {
            struct_ser.serialize_field("items", &self.items)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueRetryRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queueName",
            "queue_name",
            "partition",
            "items",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Partition,
            Items,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "queue_name" | "queueName" => Ok(GeneratedField::QueueName),
                            "partition" => Ok(GeneratedField::Partition),
                            "items" => Ok(GeneratedField::Items),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueRetryRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.QueueRetryRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueRetryRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut partition__ = None;
                let mut items__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Partition => {
                            if partition__.is_some() {
                                return Err(serde::de::Error::duplicate_field("partition"));
                            }
                            partition__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Items => {
                            if items__.is_some() {
                                return Err(serde::de::Error::duplicate_field("items"));
                            }
                            items__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueRetryRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    partition: partition__.unwrap_or_default(),
                    items: items__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.QueueRetryRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueStatsRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.queue_name.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.QueueStatsRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueStatsRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queueName",
            "queue_name",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "queue_name" | "queueName" => Ok(GeneratedField::QueueName),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueStatsRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.QueueStatsRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueStatsRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueStatsRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.QueueStatsRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueStatsResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.queue_name.is_empty() {
            len += 1;
        }
        if !self.logical_queues.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.QueueStatsResponse", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.logical_queues.is_empty() {
            struct_ser.serialize_field("logicalQueues", &self.logical_queues)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueStatsResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queueName",
            "queue_name",
            "logicalQueues",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            LogicalQueues,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "queue_name" | "queueName" => Ok(GeneratedField::QueueName),
                            "logicalQueues" => Ok(GeneratedField::LogicalQueues),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueStatsResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.QueueStatsResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueStatsResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut logical_queues__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::LogicalQueues => {
                            if logical_queues__.is_some() {
                                return Err(serde::de::Error::duplicate_field("logicalQueues"));
                            }
                            logical_queues__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueStatsResponse {
                    queue_name: queue_name__.unwrap_or_default(),
                    logical_queues: logical_queues__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.QueueStatsResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueuesDeleteRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.queue_name.is_empty() {
            len += 1;
        }
        if self.force {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.QueuesDeleteRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if self.force {
            struct_ser.serialize_field("force", &self.force)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueuesDeleteRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queueName",
            "queue_name",
            "force",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Force,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "queue_name" | "queueName" => Ok(GeneratedField::QueueName),
                            "force" => Ok(GeneratedField::Force),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueuesDeleteRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.QueuesDeleteRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueuesDeleteRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut force__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Force => {
                            if force__.is_some() {
                                return Err(serde::de::Error::duplicate_field("force"));
                            }
                            force__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueuesDeleteRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    force: force__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.QueuesDeleteRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueuesInfoRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.queue_name.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.QueuesInfoRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueuesInfoRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queueName",
            "queue_name",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "queue_name" | "queueName" => Ok(GeneratedField::QueueName),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueuesInfoRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.QueuesInfoRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueuesInfoRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueuesInfoRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.QueuesInfoRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueuesListRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.pivot.is_empty() {
            len += 1;
        }
        if self.limit != 0 {
            len += 1;
        }
        if !self.namespace.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.QueuesListRequest", len)?;
        if !self.pivot.is_empty() {
            struct_ser.serialize_field("pivot", &self.pivot)?;
        }
        if self.limit != 0 {
            struct_ser.serialize_field("limit", &self.limit)?;
        }
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueuesListRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "pivot",
            "limit",
            "namespace",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Pivot,
            Limit,
            Namespace,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "pivot" => Ok(GeneratedField::Pivot),
                            "limit" => Ok(GeneratedField::Limit),
                            "namespace" => Ok(GeneratedField::Namespace),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueuesListRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.QueuesListRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueuesListRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut pivot__ = None;
                let mut limit__ = None;
                let mut namespace__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Pivot => {
                            if pivot__.is_some() {
                                return Err(serde::de::Error::duplicate_field("pivot"));
                            }
                            pivot__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Limit => {
                            if limit__.is_some() {
                                return Err(serde::de::Error::duplicate_field("limit"));
                            }
                            limit__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueuesListRequest {
                    pivot: pivot__.unwrap_or_default(),
                    limit: limit__.unwrap_or_default(),
                    namespace: namespace__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.QueuesListRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueuesListResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.items.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.QueuesListResponse", len)?;
        if !self.items.is_empty() {
            struct_ser.serialize_field("items", &self.items)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueuesListResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "items",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Items,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "items" => Ok(GeneratedField::Items),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueuesListResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.QueuesListResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueuesListResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut items__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Items => {
                            if items__.is_some() {
                                return Err(serde::de::Error::duplicate_field("items"));
                            }
                            items__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueuesListResponse {
                    items: items__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.QueuesListResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoleBindingInfo {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.id.is_empty() {
            len += 1;
        }
        if !self.namespace.is_empty() {
            len += 1;
        }
        if !self.user_id.is_empty() {
            len += 1;
        }
        if !self.role_id.is_empty() {
            len += 1;
        }
        if self.created_at.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.RoleBindingInfo", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.user_id.is_empty() {
            struct_ser.serialize_field("user_id", &self.user_id)?;
        }
        if !self.role_id.is_empty() {
            struct_ser.serialize_field("role_id", &self.role_id)?;
        }
        if let Some(v) = self.created_at.as_ref() {
            struct_ser.serialize_field("created_at", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoleBindingInfo {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "namespace",
            "user_id",
            "role_id",
            "created_at",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            Namespace,
            UserId,
            RoleId,
            CreatedAt,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "id" => Ok(GeneratedField::Id),
                            "namespace" => Ok(GeneratedField::Namespace),
                            "user_id" => Ok(GeneratedField::UserId),
                            "role_id" => Ok(GeneratedField::RoleId),
                            "created_at" => Ok(GeneratedField::CreatedAt),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoleBindingInfo;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.RoleBindingInfo")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoleBindingInfo, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut namespace__ = None;
                let mut user_id__ = None;
                let mut role_id__ = None;
                let mut created_at__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::UserId => {
                            if user_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("user_id"));
                            }
                            user_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RoleId => {
                            if role_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("role_id"));
                            }
                            role_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::CreatedAt => {
                            if created_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("created_at"));
                            }
                            created_at__ = map_.next_value()?;
                        }
                    }
                }
                Ok(RoleBindingInfo {
                    id: id__.unwrap_or_default(),
                    namespace: namespace__.unwrap_or_default(),
                    user_id: user_id__.unwrap_or_default(),
                    role_id: role_id__.unwrap_or_default(),
                    created_at: created_at__,
                })
            }
        }
        deserializer.deserialize_struct("querator.RoleBindingInfo", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoleBindingsCreateRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.namespace.is_empty() {
            len += 1;
        }
        if !self.role_name.is_empty() {
            len += 1;
        }
        if !self.user_id.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.RoleBindingsCreateRequest", len)?;
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.role_name.is_empty() {
            struct_ser.serialize_field("role_name", &self.role_name)?;
        }
        if !self.user_id.is_empty() {
            struct_ser.serialize_field("user_id", &self.user_id)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoleBindingsCreateRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "namespace",
            "role_name",
            "user_id",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Namespace,
            RoleName,
            UserId,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "namespace" => Ok(GeneratedField::Namespace),
                            "role_name" => Ok(GeneratedField::RoleName),
                            "user_id" => Ok(GeneratedField::UserId),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoleBindingsCreateRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.RoleBindingsCreateRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoleBindingsCreateRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut namespace__ = None;
                let mut role_name__ = None;
                let mut user_id__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RoleName => {
                            if role_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("role_name"));
                            }
                            role_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::UserId => {
                            if user_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("user_id"));
                            }
                            user_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(RoleBindingsCreateRequest {
                    namespace: namespace__.unwrap_or_default(),
                    role_name: role_name__.unwrap_or_default(),
                    user_id: user_id__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.RoleBindingsCreateRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoleBindingsCreateResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.id.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.RoleBindingsCreateResponse", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoleBindingsCreateResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "id" => Ok(GeneratedField::Id),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoleBindingsCreateResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.RoleBindingsCreateResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoleBindingsCreateResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(RoleBindingsCreateResponse {
                    id: id__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.RoleBindingsCreateResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoleBindingsDeleteRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.namespace.is_empty() {
            len += 1;
        }
        if !self.role_name.is_empty() {
            len += 1;
        }
        if !self.user_id.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.RoleBindingsDeleteRequest", len)?;
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.role_name.is_empty() {
            struct_ser.serialize_field("role_name", &self.role_name)?;
        }
        if !self.user_id.is_empty() {
            struct_ser.serialize_field("user_id", &self.user_id)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoleBindingsDeleteRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "namespace",
            "role_name",
            "user_id",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Namespace,
            RoleName,
            UserId,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "namespace" => Ok(GeneratedField::Namespace),
                            "role_name" => Ok(GeneratedField::RoleName),
                            "user_id" => Ok(GeneratedField::UserId),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoleBindingsDeleteRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.RoleBindingsDeleteRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoleBindingsDeleteRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut namespace__ = None;
                let mut role_name__ = None;
                let mut user_id__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RoleName => {
                            if role_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("role_name"));
                            }
                            role_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::UserId => {
                            if user_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("user_id"));
                            }
                            user_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(RoleBindingsDeleteRequest {
                    namespace: namespace__.unwrap_or_default(),
                    role_name: role_name__.unwrap_or_default(),
                    user_id: user_id__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.RoleBindingsDeleteRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoleBindingsListRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.namespace.is_empty() {
            len += 1;
        }
        if !self.user_id_filter.is_empty() {
            len += 1;
        }
        if self.limit != 0 {
            len += 1;
        }
        if !self.pivot.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.RoleBindingsListRequest", len)?;
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.user_id_filter.is_empty() {
            struct_ser.serialize_field("user_id_filter", &self.user_id_filter)?;
        }
        if self.limit != 0 {
            struct_ser.serialize_field("limit", &self.limit)?;
        }
        if !self.pivot.is_empty() {
            struct_ser.serialize_field("pivot", &self.pivot)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoleBindingsListRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "namespace",
            "user_id_filter",
            "limit",
            "pivot",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Namespace,
            UserIdFilter,
            Limit,
            Pivot,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "namespace" => Ok(GeneratedField::Namespace),
                            "user_id_filter" => Ok(GeneratedField::UserIdFilter),
                            "limit" => Ok(GeneratedField::Limit),
                            "pivot" => Ok(GeneratedField::Pivot),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoleBindingsListRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.RoleBindingsListRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoleBindingsListRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut namespace__ = None;
                let mut user_id_filter__ = None;
                let mut limit__ = None;
                let mut pivot__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::UserIdFilter => {
                            if user_id_filter__.is_some() {
                                return Err(serde::de::Error::duplicate_field("user_id_filter"));
                            }
                            user_id_filter__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Limit => {
                            if limit__.is_some() {
                                return Err(serde::de::Error::duplicate_field("limit"));
                            }
                            limit__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Pivot => {
                            if pivot__.is_some() {
                                return Err(serde::de::Error::duplicate_field("pivot"));
                            }
                            pivot__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(RoleBindingsListRequest {
                    namespace: namespace__.unwrap_or_default(),
                    user_id_filter: user_id_filter__.unwrap_or_default(),
                    limit: limit__.unwrap_or_default(),
                    pivot: pivot__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.RoleBindingsListRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoleBindingsListResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.items.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.RoleBindingsListResponse", len)?;
        if !self.items.is_empty() {
            struct_ser.serialize_field("items", &self.items)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoleBindingsListResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "items",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Items,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "items" => Ok(GeneratedField::Items),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoleBindingsListResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.RoleBindingsListResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoleBindingsListResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut items__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Items => {
                            if items__.is_some() {
                                return Err(serde::de::Error::duplicate_field("items"));
                            }
                            items__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(RoleBindingsListResponse {
                    items: items__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.RoleBindingsListResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoleInfo {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.id.is_empty() {
            len += 1;
        }
        if !self.namespace.is_empty() {
            len += 1;
        }
        if !self.name.is_empty() {
            len += 1;
        }
        if !self.permissions.is_empty() {
            len += 1;
        }
        if self.created_at.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.RoleInfo", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if !self.permissions.is_empty() {
            struct_ser.serialize_field("permissions", &self.permissions)?;
        }
        if let Some(v) = self.created_at.as_ref() {
            struct_ser.serialize_field("created_at", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoleInfo {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "namespace",
            "name",
            "permissions",
            "created_at",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            Namespace,
            Name,
            Permissions,
            CreatedAt,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "id" => Ok(GeneratedField::Id),
                            "namespace" => Ok(GeneratedField::Namespace),
                            "name" => Ok(GeneratedField::Name),
                            "permissions" => Ok(GeneratedField::Permissions),
                            "created_at" => Ok(GeneratedField::CreatedAt),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoleInfo;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.RoleInfo")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoleInfo, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut namespace__ = None;
                let mut name__ = None;
                let mut permissions__ = None;
                let mut created_at__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Name => {
                            if name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("name"));
                            }
                            name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Permissions => {
                            if permissions__.is_some() {
                                return Err(serde::de::Error::duplicate_field("permissions"));
                            }
                            permissions__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::CreatedAt => {
                            if created_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("created_at"));
                            }
                            created_at__ = map_.next_value()?;
                        }
                    }
                }
                Ok(RoleInfo {
                    id: id__.unwrap_or_default(),
                    namespace: namespace__.unwrap_or_default(),
                    name: name__.unwrap_or_default(),
                    permissions: permissions__.unwrap_or_default(),
                    created_at: created_at__,
                })
            }
        }
        deserializer.deserialize_struct("querator.RoleInfo", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RolesCreateRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.namespace.is_empty() {
            len += 1;
        }
        if !self.name.is_empty() {
            len += 1;
        }
        if !self.permissions.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.RolesCreateRequest", len)?;
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if !self.permissions.is_empty() {
            struct_ser.serialize_field("permissions", &self.permissions)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RolesCreateRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "namespace",
            "name",
            "permissions",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Namespace,
            Name,
            Permissions,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "namespace" => Ok(GeneratedField::Namespace),
                            "name" => Ok(GeneratedField::Name),
                            "permissions" => Ok(GeneratedField::Permissions),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RolesCreateRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.RolesCreateRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RolesCreateRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut namespace__ = None;
                let mut name__ = None;
                let mut permissions__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Name => {
                            if name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("name"));
                            }
                            name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Permissions => {
                            if permissions__.is_some() {
                                return Err(serde::de::Error::duplicate_field("permissions"));
                            }
                            permissions__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(RolesCreateRequest {
                    namespace: namespace__.unwrap_or_default(),
                    name: name__.unwrap_or_default(),
                    permissions: permissions__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.RolesCreateRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RolesCreateResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.id.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.RolesCreateResponse", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RolesCreateResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "id" => Ok(GeneratedField::Id),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RolesCreateResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.RolesCreateResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RolesCreateResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(RolesCreateResponse {
                    id: id__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.RolesCreateResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RolesDeleteRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.namespace.is_empty() {
            len += 1;
        }
        if !self.name.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.RolesDeleteRequest", len)?;
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RolesDeleteRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "namespace",
            "name",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Namespace,
            Name,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "namespace" => Ok(GeneratedField::Namespace),
                            "name" => Ok(GeneratedField::Name),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RolesDeleteRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.RolesDeleteRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RolesDeleteRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut namespace__ = None;
                let mut name__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Name => {
                            if name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("name"));
                            }
                            name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(RolesDeleteRequest {
                    namespace: namespace__.unwrap_or_default(),
                    name: name__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.RolesDeleteRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RolesListRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.namespace.is_empty() {
            len += 1;
        }
        if self.limit != 0 {
            len += 1;
        }
        if !self.pivot.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.RolesListRequest", len)?;
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if self.limit != 0 {
            struct_ser.serialize_field("limit", &self.limit)?;
        }
        if !self.pivot.is_empty() {
            struct_ser.serialize_field("pivot", &self.pivot)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RolesListRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "namespace",
            "limit",
            "pivot",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Namespace,
            Limit,
            Pivot,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "namespace" => Ok(GeneratedField::Namespace),
                            "limit" => Ok(GeneratedField::Limit),
                            "pivot" => Ok(GeneratedField::Pivot),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RolesListRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.RolesListRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RolesListRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut namespace__ = None;
                let mut limit__ = None;
                let mut pivot__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Limit => {
                            if limit__.is_some() {
                                return Err(serde::de::Error::duplicate_field("limit"));
                            }
                            limit__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Pivot => {
                            if pivot__.is_some() {
                                return Err(serde::de::Error::duplicate_field("pivot"));
                            }
                            pivot__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(RolesListRequest {
                    namespace: namespace__.unwrap_or_default(),
                    limit: limit__.unwrap_or_default(),
                    pivot: pivot__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.RolesListRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RolesListResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.items.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.RolesListResponse", len)?;
        if !self.items.is_empty() {
            struct_ser.serialize_field("items", &self.items)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RolesListResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "items",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Items,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "items" => Ok(GeneratedField::Items),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RolesListResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.RolesListResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RolesListResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut items__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Items => {
                            if items__.is_some() {
                                return Err(serde::de::Error::duplicate_field("items"));
                            }
                            items__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(RolesListResponse {
                    items: items__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.RolesListResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RolesUpdateRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.namespace.is_empty() {
            len += 1;
        }
        if !self.name.is_empty() {
            len += 1;
        }
        if !self.permissions.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.RolesUpdateRequest", len)?;
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if !self.permissions.is_empty() {
            struct_ser.serialize_field("permissions", &self.permissions)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RolesUpdateRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "namespace",
            "name",
            "permissions",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Namespace,
            Name,
            Permissions,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "namespace" => Ok(GeneratedField::Namespace),
                            "name" => Ok(GeneratedField::Name),
                            "permissions" => Ok(GeneratedField::Permissions),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RolesUpdateRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.RolesUpdateRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RolesUpdateRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut namespace__ = None;
                let mut name__ = None;
                let mut permissions__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Name => {
                            if name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("name"));
                            }
                            name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Permissions => {
                            if permissions__.is_some() {
                                return Err(serde::de::Error::duplicate_field("permissions"));
                            }
                            permissions__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(RolesUpdateRequest {
                    namespace: namespace__.unwrap_or_default(),
                    name: name__.unwrap_or_default(),
                    permissions: permissions__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.RolesUpdateRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StorageItem {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.id.is_empty() {
            len += 1;
        }
        if !self.source_id.is_empty() {
            len += 1;
        }
        if self.is_leased {
            len += 1;
        }
        if self.lease_deadline.is_some() {
            len += 1;
        }
        if self.expire_deadline.is_some() {
            len += 1;
        }
        if self.dead_deadline.is_some() {
            len += 1;
        }
        if self.created_at.is_some() {
            len += 1;
        }
        if self.updated_at.is_some() {
            len += 1;
        }
        if self.enqueue_at.is_some() {
            len += 1;
        }
        if self.attempts != 0 {
            len += 1;
        }
        if self.max_attempts != 0 {
            len += 1;
        }
        if !self.reference.is_empty() {
            len += 1;
        }
        if !self.encoding.is_empty() {
            len += 1;
        }
        if !self.kind.is_empty() {
            len += 1;
        }
        if !self.payload.is_empty() {
            len += 1;
        }
        if self.key.is_some() {
            len += 1;
        }
        if !self.headers.is_empty() {
            len += 1;
        }
        if !self.priority.is_empty() {
            len += 1;
        }
        if !self.first_id.is_empty() {
            len += 1;
        }
        if self.deliveries != 0 {
            len += 1;
        }
        if self.is_condemned {
            len += 1;
        }
        if self.first_received_at.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.StorageItem", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.source_id.is_empty() {
            struct_ser.serialize_field("source_id", &self.source_id)?;
        }
        if self.is_leased {
            struct_ser.serialize_field("is_leased", &self.is_leased)?;
        }
        if let Some(v) = self.lease_deadline.as_ref() {
            struct_ser.serialize_field("lease_deadline", v)?;
        }
        if let Some(v) = self.expire_deadline.as_ref() {
            struct_ser.serialize_field("expire_deadline", v)?;
        }
        if let Some(v) = self.dead_deadline.as_ref() {
            struct_ser.serialize_field("dead_deadline", v)?;
        }
        if let Some(v) = self.created_at.as_ref() {
            struct_ser.serialize_field("created_at", v)?;
        }
        if let Some(v) = self.updated_at.as_ref() {
            struct_ser.serialize_field("updated_at", v)?;
        }
        if let Some(v) = self.enqueue_at.as_ref() {
            struct_ser.serialize_field("enqueue_at", v)?;
        }
        if self.attempts != 0 {
            struct_ser.serialize_field("attempts", &self.attempts)?;
        }
        if self.max_attempts != 0 {
            struct_ser.serialize_field("max_attempts", &self.max_attempts)?;
        }
        if !self.reference.is_empty() {
            struct_ser.serialize_field("reference", &self.reference)?;
        }
        if !self.encoding.is_empty() {
            struct_ser.serialize_field("encoding", &self.encoding)?;
        }
        if !self.kind.is_empty() {
            struct_ser.serialize_field("kind", &self.kind)?;
        }
        if !self.payload.is_empty() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("payload", pbjson::private::base64::encode(&self.payload).as_str())?;
        }
        if let Some(v) = self.key.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("key", pbjson::private::base64::encode(&v).as_str())?;
        }
        if !self.headers.is_empty() {
            struct_ser.serialize_field("headers", &self.headers)?;
        }
        if !self.priority.is_empty() {
            struct_ser.serialize_field("priority", &self.priority)?;
        }
        if !self.first_id.is_empty() {
            struct_ser.serialize_field("first_id", &self.first_id)?;
        }
        if self.deliveries != 0 {
            struct_ser.serialize_field("deliveries", &self.deliveries)?;
        }
        if self.is_condemned {
            struct_ser.serialize_field("is_condemned", &self.is_condemned)?;
        }
        if let Some(v) = self.first_received_at.as_ref() {
            struct_ser.serialize_field("first_received_at", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StorageItem {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "source_id",
            "isLeased",
            "is_leased",
            "leaseDeadline",
            "lease_deadline",
            "expireDeadline",
            "expire_deadline",
            "deadDeadline",
            "dead_deadline",
            "createdAt",
            "created_at",
            "updatedAt",
            "updated_at",
            "enqueueAt",
            "enqueue_at",
            "attempts",
            "maxAttempts",
            "max_attempts",
            "reference",
            "encoding",
            "kind",
            "payload",
            "key",
            "headers",
            "priority",
            "first_id",
            "deliveries",
            "is_condemned",
            "first_received_at",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            SourceId,
            IsLeased,
            LeaseDeadline,
            ExpireDeadline,
            DeadDeadline,
            CreatedAt,
            UpdatedAt,
            EnqueueAt,
            Attempts,
            MaxAttempts,
            Reference,
            Encoding,
            Kind,
            Payload,
            Key,
            Headers,
            Priority,
            FirstId,
            Deliveries,
            IsCondemned,
            FirstReceivedAt,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "id" => Ok(GeneratedField::Id),
                            "source_id" => Ok(GeneratedField::SourceId),
                            "is_leased" | "isLeased" => Ok(GeneratedField::IsLeased),
                            "lease_deadline" | "leaseDeadline" => Ok(GeneratedField::LeaseDeadline),
                            "expire_deadline" | "expireDeadline" => Ok(GeneratedField::ExpireDeadline),
                            "dead_deadline" | "deadDeadline" => Ok(GeneratedField::DeadDeadline),
                            "created_at" | "createdAt" => Ok(GeneratedField::CreatedAt),
                            "updated_at" | "updatedAt" => Ok(GeneratedField::UpdatedAt),
                            "enqueue_at" | "enqueueAt" => Ok(GeneratedField::EnqueueAt),
                            "attempts" => Ok(GeneratedField::Attempts),
                            "max_attempts" | "maxAttempts" => Ok(GeneratedField::MaxAttempts),
                            "reference" => Ok(GeneratedField::Reference),
                            "encoding" => Ok(GeneratedField::Encoding),
                            "kind" => Ok(GeneratedField::Kind),
                            "payload" => Ok(GeneratedField::Payload),
                            "key" => Ok(GeneratedField::Key),
                            "headers" => Ok(GeneratedField::Headers),
                            "priority" => Ok(GeneratedField::Priority),
                            "first_id" => Ok(GeneratedField::FirstId),
                            "deliveries" => Ok(GeneratedField::Deliveries),
                            "is_condemned" => Ok(GeneratedField::IsCondemned),
                            "first_received_at" => Ok(GeneratedField::FirstReceivedAt),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StorageItem;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.StorageItem")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StorageItem, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut source_id__ = None;
                let mut is_leased__ = None;
                let mut lease_deadline__ = None;
                let mut expire_deadline__ = None;
                let mut dead_deadline__ = None;
                let mut created_at__ = None;
                let mut updated_at__ = None;
                let mut enqueue_at__ = None;
                let mut attempts__ = None;
                let mut max_attempts__ = None;
                let mut reference__ = None;
                let mut encoding__ = None;
                let mut kind__ = None;
                let mut payload__ = None;
                let mut key__ = None;
                let mut headers__ = None;
                let mut priority__ = None;
                let mut first_id__ = None;
                let mut deliveries__ = None;
                let mut is_condemned__ = None;
                let mut first_received_at__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::SourceId => {
                            if source_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("source_id"));
                            }
                            source_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::IsLeased => {
                            if is_leased__.is_some() {
                                return Err(serde::de::Error::duplicate_field("is_leased"));
                            }
                            is_leased__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::LeaseDeadline => {
                            if lease_deadline__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lease_deadline"));
                            }
                            lease_deadline__ = map_.next_value()?;
                        }
                        GeneratedField::ExpireDeadline => {
                            if expire_deadline__.is_some() {
                                return Err(serde::de::Error::duplicate_field("expire_deadline"));
                            }
                            expire_deadline__ = map_.next_value()?;
                        }
                        GeneratedField::DeadDeadline => {
                            if dead_deadline__.is_some() {
                                return Err(serde::de::Error::duplicate_field("dead_deadline"));
                            }
                            dead_deadline__ = map_.next_value()?;
                        }
                        GeneratedField::CreatedAt => {
                            if created_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("created_at"));
                            }
                            created_at__ = map_.next_value()?;
                        }
                        GeneratedField::UpdatedAt => {
                            if updated_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("updated_at"));
                            }
                            updated_at__ = map_.next_value()?;
                        }
                        GeneratedField::EnqueueAt => {
                            if enqueue_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("enqueue_at"));
                            }
                            enqueue_at__ = map_.next_value()?;
                        }
                        GeneratedField::Attempts => {
                            if attempts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("attempts"));
                            }
                            attempts__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::MaxAttempts => {
                            if max_attempts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("max_attempts"));
                            }
                            max_attempts__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Reference => {
                            if reference__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reference"));
                            }
                            reference__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Encoding => {
                            if encoding__.is_some() {
                                return Err(serde::de::Error::duplicate_field("encoding"));
                            }
                            encoding__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Kind => {
                            if kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("kind"));
                            }
                            kind__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Payload => {
                            if payload__.is_some() {
                                return Err(serde::de::Error::duplicate_field("payload"));
                            }
                            payload__ = 
                                Some(map_.next_value::<::std::option::Option<::pbjson::private::BytesDeserialize<_>>>()?.map(|x| x.0).unwrap_or_default())
                            ;
                        }
                        GeneratedField::Key => {
                            if key__.is_some() {
                                return Err(serde::de::Error::duplicate_field("key"));
                            }
                            key__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::BytesDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Headers => {
                            if headers__.is_some() {
                                return Err(serde::de::Error::duplicate_field("headers"));
                            }
                            headers__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Priority => {
                            if priority__.is_some() {
                                return Err(serde::de::Error::duplicate_field("priority"));
                            }
                            priority__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::FirstId => {
                            if first_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("first_id"));
                            }
                            first_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Deliveries => {
                            if deliveries__.is_some() {
                                return Err(serde::de::Error::duplicate_field("deliveries"));
                            }
                            deliveries__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::IsCondemned => {
                            if is_condemned__.is_some() {
                                return Err(serde::de::Error::duplicate_field("is_condemned"));
                            }
                            is_condemned__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::FirstReceivedAt => {
                            if first_received_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("first_received_at"));
                            }
                            first_received_at__ = map_.next_value()?;
                        }
                    }
                }
                Ok(StorageItem {
                    id: id__.unwrap_or_default(),
                    source_id: source_id__.unwrap_or_default(),
                    is_leased: is_leased__.unwrap_or_default(),
                    lease_deadline: lease_deadline__,
                    expire_deadline: expire_deadline__,
                    dead_deadline: dead_deadline__,
                    created_at: created_at__,
                    updated_at: updated_at__,
                    enqueue_at: enqueue_at__,
                    attempts: attempts__.unwrap_or_default(),
                    max_attempts: max_attempts__.unwrap_or_default(),
                    reference: reference__.unwrap_or_default(),
                    encoding: encoding__.unwrap_or_default(),
                    kind: kind__.unwrap_or_default(),
                    payload: payload__.unwrap_or_default(),
                    key: key__,
                    headers: headers__.unwrap_or_default(),
                    priority: priority__.unwrap_or_default(),
                    first_id: first_id__.unwrap_or_default(),
                    deliveries: deliveries__.unwrap_or_default(),
                    is_condemned: is_condemned__.unwrap_or_default(),
                    first_received_at: first_received_at__,
                })
            }
        }
        deserializer.deserialize_struct("querator.StorageItem", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StorageItemsDeleteRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.queue_name.is_empty() {
            len += 1;
        }
        if self.partition != 0 {
            len += 1;
        }
        if !self.ids.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.StorageItemsDeleteRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if self.partition != 0 {
            struct_ser.serialize_field("partition", &self.partition)?;
        }
        if !self.ids.is_empty() {
            struct_ser.serialize_field("ids", &self.ids)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StorageItemsDeleteRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queueName",
            "queue_name",
            "partition",
            "ids",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Partition,
            Ids,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "queue_name" | "queueName" => Ok(GeneratedField::QueueName),
                            "partition" => Ok(GeneratedField::Partition),
                            "ids" => Ok(GeneratedField::Ids),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StorageItemsDeleteRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.StorageItemsDeleteRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StorageItemsDeleteRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut partition__ = None;
                let mut ids__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Partition => {
                            if partition__.is_some() {
                                return Err(serde::de::Error::duplicate_field("partition"));
                            }
                            partition__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Ids => {
                            if ids__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ids"));
                            }
                            ids__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(StorageItemsDeleteRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    partition: partition__.unwrap_or_default(),
                    ids: ids__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.StorageItemsDeleteRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StorageItemsImportRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.queue_name.is_empty() {
            len += 1;
        }
        if self.partition != 0 {
            len += 1;
        }
        if !self.items.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.StorageItemsImportRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if self.partition != 0 {
            struct_ser.serialize_field("partition", &self.partition)?;
        }
        if !self.items.is_empty() {
            struct_ser.serialize_field("items", &self.items)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StorageItemsImportRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queueName",
            "queue_name",
            "partition",
            "items",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Partition,
            Items,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "queue_name" | "queueName" => Ok(GeneratedField::QueueName),
                            "partition" => Ok(GeneratedField::Partition),
                            "items" => Ok(GeneratedField::Items),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StorageItemsImportRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.StorageItemsImportRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StorageItemsImportRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut partition__ = None;
                let mut items__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Partition => {
                            if partition__.is_some() {
                                return Err(serde::de::Error::duplicate_field("partition"));
                            }
                            partition__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Items => {
                            if items__.is_some() {
                                return Err(serde::de::Error::duplicate_field("items"));
                            }
                            items__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(StorageItemsImportRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    partition: partition__.unwrap_or_default(),
                    items: items__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.StorageItemsImportRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StorageItemsImportResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.items.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.StorageItemsImportResponse", len)?;
        if !self.items.is_empty() {
            struct_ser.serialize_field("items", &self.items)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StorageItemsImportResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "items",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Items,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "items" => Ok(GeneratedField::Items),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StorageItemsImportResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.StorageItemsImportResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StorageItemsImportResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut items__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Items => {
                            if items__.is_some() {
                                return Err(serde::de::Error::duplicate_field("items"));
                            }
                            items__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(StorageItemsImportResponse {
                    items: items__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.StorageItemsImportResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StorageItemsListRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.queue_name.is_empty() {
            len += 1;
        }
        if self.partition != 0 {
            len += 1;
        }
        if !self.pivot.is_empty() {
            len += 1;
        }
        if self.limit != 0 {
            len += 1;
        }
        if self.extended {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.StorageItemsListRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if self.partition != 0 {
            struct_ser.serialize_field("partition", &self.partition)?;
        }
        if !self.pivot.is_empty() {
            struct_ser.serialize_field("pivot", &self.pivot)?;
        }
        if self.limit != 0 {
            struct_ser.serialize_field("limit", &self.limit)?;
        }
        if self.extended {
            struct_ser.serialize_field("extended", &self.extended)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StorageItemsListRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queueName",
            "queue_name",
            "partition",
            "pivot",
            "limit",
            "extended",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Partition,
            Pivot,
            Limit,
            Extended,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "queue_name" | "queueName" => Ok(GeneratedField::QueueName),
                            "partition" => Ok(GeneratedField::Partition),
                            "pivot" => Ok(GeneratedField::Pivot),
                            "limit" => Ok(GeneratedField::Limit),
                            "extended" => Ok(GeneratedField::Extended),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StorageItemsListRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.StorageItemsListRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StorageItemsListRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut partition__ = None;
                let mut pivot__ = None;
                let mut limit__ = None;
                let mut extended__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Partition => {
                            if partition__.is_some() {
                                return Err(serde::de::Error::duplicate_field("partition"));
                            }
                            partition__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Pivot => {
                            if pivot__.is_some() {
                                return Err(serde::de::Error::duplicate_field("pivot"));
                            }
                            pivot__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Limit => {
                            if limit__.is_some() {
                                return Err(serde::de::Error::duplicate_field("limit"));
                            }
                            limit__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Extended => {
                            if extended__.is_some() {
                                return Err(serde::de::Error::duplicate_field("extended"));
                            }
                            extended__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(StorageItemsListRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    partition: partition__.unwrap_or_default(),
                    pivot: pivot__.unwrap_or_default(),
                    limit: limit__.unwrap_or_default(),
                    extended: extended__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.StorageItemsListRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StorageItemsListResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.items.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.StorageItemsListResponse", len)?;
        if !self.items.is_empty() {
            struct_ser.serialize_field("items", &self.items)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StorageItemsListResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "items",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Items,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "items" => Ok(GeneratedField::Items),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StorageItemsListResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.StorageItemsListResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StorageItemsListResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut items__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Items => {
                            if items__.is_some() {
                                return Err(serde::de::Error::duplicate_field("items"));
                            }
                            items__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(StorageItemsListResponse {
                    items: items__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.StorageItemsListResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for UserInfo {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.id.is_empty() {
            len += 1;
        }
        if !self.username.is_empty() {
            len += 1;
        }
        if !self.external_id.is_empty() {
            len += 1;
        }
        if !self.email.is_empty() {
            len += 1;
        }
        if self.created_at.is_some() {
            len += 1;
        }
        if self.updated_at.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.UserInfo", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.username.is_empty() {
            struct_ser.serialize_field("username", &self.username)?;
        }
        if !self.external_id.is_empty() {
            struct_ser.serialize_field("external_id", &self.external_id)?;
        }
        if !self.email.is_empty() {
            struct_ser.serialize_field("email", &self.email)?;
        }
        if let Some(v) = self.created_at.as_ref() {
            struct_ser.serialize_field("created_at", v)?;
        }
        if let Some(v) = self.updated_at.as_ref() {
            struct_ser.serialize_field("updated_at", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for UserInfo {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "username",
            "external_id",
            "email",
            "created_at",
            "updated_at",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            Username,
            ExternalId,
            Email,
            CreatedAt,
            UpdatedAt,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "id" => Ok(GeneratedField::Id),
                            "username" => Ok(GeneratedField::Username),
                            "external_id" => Ok(GeneratedField::ExternalId),
                            "email" => Ok(GeneratedField::Email),
                            "created_at" => Ok(GeneratedField::CreatedAt),
                            "updated_at" => Ok(GeneratedField::UpdatedAt),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = UserInfo;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.UserInfo")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<UserInfo, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut username__ = None;
                let mut external_id__ = None;
                let mut email__ = None;
                let mut created_at__ = None;
                let mut updated_at__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Username => {
                            if username__.is_some() {
                                return Err(serde::de::Error::duplicate_field("username"));
                            }
                            username__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::ExternalId => {
                            if external_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("external_id"));
                            }
                            external_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Email => {
                            if email__.is_some() {
                                return Err(serde::de::Error::duplicate_field("email"));
                            }
                            email__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::CreatedAt => {
                            if created_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("created_at"));
                            }
                            created_at__ = map_.next_value()?;
                        }
                        GeneratedField::UpdatedAt => {
                            if updated_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("updated_at"));
                            }
                            updated_at__ = map_.next_value()?;
                        }
                    }
                }
                Ok(UserInfo {
                    id: id__.unwrap_or_default(),
                    username: username__.unwrap_or_default(),
                    external_id: external_id__.unwrap_or_default(),
                    email: email__.unwrap_or_default(),
                    created_at: created_at__,
                    updated_at: updated_at__,
                })
            }
        }
        deserializer.deserialize_struct("querator.UserInfo", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for UsersCreateRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.username.is_empty() {
            len += 1;
        }
        if !self.email.is_empty() {
            len += 1;
        }
        if !self.external_id.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.UsersCreateRequest", len)?;
        if !self.username.is_empty() {
            struct_ser.serialize_field("username", &self.username)?;
        }
        if !self.email.is_empty() {
            struct_ser.serialize_field("email", &self.email)?;
        }
        if !self.external_id.is_empty() {
            struct_ser.serialize_field("external_id", &self.external_id)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for UsersCreateRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "username",
            "email",
            "external_id",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Username,
            Email,
            ExternalId,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "username" => Ok(GeneratedField::Username),
                            "email" => Ok(GeneratedField::Email),
                            "external_id" => Ok(GeneratedField::ExternalId),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = UsersCreateRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.UsersCreateRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<UsersCreateRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut username__ = None;
                let mut email__ = None;
                let mut external_id__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Username => {
                            if username__.is_some() {
                                return Err(serde::de::Error::duplicate_field("username"));
                            }
                            username__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Email => {
                            if email__.is_some() {
                                return Err(serde::de::Error::duplicate_field("email"));
                            }
                            email__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::ExternalId => {
                            if external_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("external_id"));
                            }
                            external_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(UsersCreateRequest {
                    username: username__.unwrap_or_default(),
                    email: email__.unwrap_or_default(),
                    external_id: external_id__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.UsersCreateRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for UsersCreateResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.id.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.UsersCreateResponse", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for UsersCreateResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "id" => Ok(GeneratedField::Id),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = UsersCreateResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.UsersCreateResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<UsersCreateResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(UsersCreateResponse {
                    id: id__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.UsersCreateResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for UsersDeleteRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.id.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.UsersDeleteRequest", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for UsersDeleteRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "id" => Ok(GeneratedField::Id),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = UsersDeleteRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.UsersDeleteRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<UsersDeleteRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(UsersDeleteRequest {
                    id: id__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.UsersDeleteRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for UsersListRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.limit != 0 {
            len += 1;
        }
        if !self.pivot.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.UsersListRequest", len)?;
        if self.limit != 0 {
            struct_ser.serialize_field("limit", &self.limit)?;
        }
        if !self.pivot.is_empty() {
            struct_ser.serialize_field("pivot", &self.pivot)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for UsersListRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "limit",
            "pivot",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Limit,
            Pivot,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "limit" => Ok(GeneratedField::Limit),
                            "pivot" => Ok(GeneratedField::Pivot),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = UsersListRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.UsersListRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<UsersListRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut limit__ = None;
                let mut pivot__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Limit => {
                            if limit__.is_some() {
                                return Err(serde::de::Error::duplicate_field("limit"));
                            }
                            limit__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Pivot => {
                            if pivot__.is_some() {
                                return Err(serde::de::Error::duplicate_field("pivot"));
                            }
                            pivot__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(UsersListRequest {
                    limit: limit__.unwrap_or_default(),
                    pivot: pivot__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.UsersListRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for UsersListResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.items.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("querator.UsersListResponse", len)?;
        if !self.items.is_empty() {
            struct_ser.serialize_field("items", &self.items)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for UsersListResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "items",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Items,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "items" => Ok(GeneratedField::Items),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = UsersListResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct querator.UsersListResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<UsersListResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut items__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Items => {
                            if items__.is_some() {
                                return Err(serde::de::Error::duplicate_field("items"));
                            }
                            items__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(UsersListResponse {
                    items: items__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("querator.UsersListResponse", FIELDS, GeneratedVisitor)
    }
}
