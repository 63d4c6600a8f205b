impl serde::Serialize for Ack {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("redrive.v1.Ack", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Ack {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
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
                            Err(serde::de::Error::unknown_field(value, FIELDS))
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Ack;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Ack")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Ack, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(Ack {
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Ack", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Attempt {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.trigger.is_empty() {
            len += 1;
        }
        if !self.outcome.is_empty() {
            len += 1;
        }
        if self.started_at.is_some() {
            len += 1;
        }
        if self.ended_at.is_some() {
            len += 1;
        }
        if !self.cause.is_empty() {
            len += 1;
        }
        if !self.error_type.is_empty() {
            len += 1;
        }
        if !self.error.is_empty() {
            len += 1;
        }
        if !self.category.is_empty() {
            len += 1;
        }
        if !self.rule.is_empty() {
            len += 1;
        }
        if !self.fingerprint.is_empty() {
            len += 1;
        }
        if !self.failed_parts.is_empty() {
            len += 1;
        }
        if !self.worker.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.Attempt", len)?;
        if !self.trigger.is_empty() {
            struct_ser.serialize_field("trigger", &self.trigger)?;
        }
        if !self.outcome.is_empty() {
            struct_ser.serialize_field("outcome", &self.outcome)?;
        }
        if let Some(v) = self.started_at.as_ref() {
            struct_ser.serialize_field("started_at", v)?;
        }
        if let Some(v) = self.ended_at.as_ref() {
            struct_ser.serialize_field("ended_at", v)?;
        }
        if !self.cause.is_empty() {
            struct_ser.serialize_field("cause", &self.cause)?;
        }
        if !self.error_type.is_empty() {
            struct_ser.serialize_field("error_type", &self.error_type)?;
        }
        if !self.error.is_empty() {
            struct_ser.serialize_field("error", &self.error)?;
        }
        if !self.category.is_empty() {
            struct_ser.serialize_field("category", &self.category)?;
        }
        if !self.rule.is_empty() {
            struct_ser.serialize_field("rule", &self.rule)?;
        }
        if !self.fingerprint.is_empty() {
            struct_ser.serialize_field("fingerprint", &self.fingerprint)?;
        }
        if !self.failed_parts.is_empty() {
            struct_ser.serialize_field("failed_parts", &self.failed_parts)?;
        }
        if !self.worker.is_empty() {
            struct_ser.serialize_field("worker", &self.worker)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Attempt {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "trigger",
            "outcome",
            "started_at",
            "ended_at",
            "cause",
            "error_type",
            "error",
            "category",
            "rule",
            "fingerprint",
            "failed_parts",
            "worker",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Trigger,
            Outcome,
            StartedAt,
            EndedAt,
            Cause,
            ErrorType,
            Error,
            Category,
            Rule,
            Fingerprint,
            FailedParts,
            Worker,
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
                            "trigger" => Ok(GeneratedField::Trigger),
                            "outcome" => Ok(GeneratedField::Outcome),
                            "started_at" => Ok(GeneratedField::StartedAt),
                            "ended_at" => Ok(GeneratedField::EndedAt),
                            "cause" => Ok(GeneratedField::Cause),
                            "error_type" => Ok(GeneratedField::ErrorType),
                            "error" => Ok(GeneratedField::Error),
                            "category" => Ok(GeneratedField::Category),
                            "rule" => Ok(GeneratedField::Rule),
                            "fingerprint" => Ok(GeneratedField::Fingerprint),
                            "failed_parts" => Ok(GeneratedField::FailedParts),
                            "worker" => Ok(GeneratedField::Worker),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Attempt;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Attempt")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Attempt, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut trigger__ = None;
                let mut outcome__ = None;
                let mut started_at__ = None;
                let mut ended_at__ = None;
                let mut cause__ = None;
                let mut error_type__ = None;
                let mut error__ = None;
                let mut category__ = None;
                let mut rule__ = None;
                let mut fingerprint__ = None;
                let mut failed_parts__ = None;
                let mut worker__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Trigger => {
                            if trigger__.is_some() {
                                return Err(serde::de::Error::duplicate_field("trigger"));
                            }
                            trigger__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Outcome => {
                            if outcome__.is_some() {
                                return Err(serde::de::Error::duplicate_field("outcome"));
                            }
                            outcome__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::StartedAt => {
                            if started_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("started_at"));
                            }
                            started_at__ = map_.next_value()?;
                        }
                        GeneratedField::EndedAt => {
                            if ended_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ended_at"));
                            }
                            ended_at__ = map_.next_value()?;
                        }
                        GeneratedField::Cause => {
                            if cause__.is_some() {
                                return Err(serde::de::Error::duplicate_field("cause"));
                            }
                            cause__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::ErrorType => {
                            if error_type__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error_type"));
                            }
                            error_type__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Error => {
                            if error__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error"));
                            }
                            error__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Category => {
                            if category__.is_some() {
                                return Err(serde::de::Error::duplicate_field("category"));
                            }
                            category__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Rule => {
                            if rule__.is_some() {
                                return Err(serde::de::Error::duplicate_field("rule"));
                            }
                            rule__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Fingerprint => {
                            if fingerprint__.is_some() {
                                return Err(serde::de::Error::duplicate_field("fingerprint"));
                            }
                            fingerprint__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::FailedParts => {
                            if failed_parts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("failed_parts"));
                            }
                            failed_parts__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Worker => {
                            if worker__.is_some() {
                                return Err(serde::de::Error::duplicate_field("worker"));
                            }
                            worker__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(Attempt {
                    trigger: trigger__.unwrap_or_default(),
                    outcome: outcome__.unwrap_or_default(),
                    started_at: started_at__,
                    ended_at: ended_at__,
                    cause: cause__.unwrap_or_default(),
                    error_type: error_type__.unwrap_or_default(),
                    error: error__.unwrap_or_default(),
                    category: category__.unwrap_or_default(),
                    rule: rule__.unwrap_or_default(),
                    fingerprint: fingerprint__.unwrap_or_default(),
                    failed_parts: failed_parts__.unwrap_or_default(),
                    worker: worker__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Attempt", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ClaimedItem {
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
        if !self.first_id.is_empty() {
            len += 1;
        }
        if !self.source_id.is_empty() {
            len += 1;
        }
        if self.attempts != 0 {
            len += 1;
        }
        if self.deliveries != 0 {
            len += 1;
        }
        if self.max_attempts != 0 {
            len += 1;
        }
        if self.lease_deadline.is_some() {
            len += 1;
        }
        if self.created_at.is_some() {
            len += 1;
        }
        if self.expire_deadline.is_some() {
            len += 1;
        }
        if !self.priority.is_empty() {
            len += 1;
        }
        if self.is_condemned {
            len += 1;
        }
        if !self.encoding.is_empty() {
            len += 1;
        }
        if !self.kind.is_empty() {
            len += 1;
        }
        if !self.reference.is_empty() {
            len += 1;
        }
        if self.key.is_some() {
            len += 1;
        }
        if !self.headers.is_empty() {
            len += 1;
        }
        if !self.payload.is_empty() {
            len += 1;
        }
        if self.parts.is_some() {
            len += 1;
        }
        if !self.letter_id.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.ClaimedItem", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.first_id.is_empty() {
            struct_ser.serialize_field("first_id", &self.first_id)?;
        }
        if !self.source_id.is_empty() {
            struct_ser.serialize_field("source_id", &self.source_id)?;
        }
        if self.attempts != 0 {
            struct_ser.serialize_field("attempts", &self.attempts)?;
        }
        if self.deliveries != 0 {
            struct_ser.serialize_field("deliveries", &self.deliveries)?;
        }
        if self.max_attempts != 0 {
            struct_ser.serialize_field("max_attempts", &self.max_attempts)?;
        }
        if let Some(v) = self.lease_deadline.as_ref() {
            struct_ser.serialize_field("lease_deadline", v)?;
        }
        if let Some(v) = self.created_at.as_ref() {
            struct_ser.serialize_field("created_at", v)?;
        }
        if let Some(v) = self.expire_deadline.as_ref() {
            struct_ser.serialize_field("expire_deadline", v)?;
        }
        if !self.priority.is_empty() {
            struct_ser.serialize_field("priority", &self.priority)?;
        }
        if self.is_condemned {
            struct_ser.serialize_field("is_condemned", &self.is_condemned)?;
        }
        if !self.encoding.is_empty() {
            struct_ser.serialize_field("encoding", &self.encoding)?;
        }
        if !self.kind.is_empty() {
            struct_ser.serialize_field("kind", &self.kind)?;
        }
        if !self.reference.is_empty() {
            struct_ser.serialize_field("reference", &self.reference)?;
        }
        if let Some(v) = self.key.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("key", pbjson::private::base64::encode(&v).as_str())?;
        }
        if !self.headers.is_empty() {
            struct_ser.serialize_field("headers", &self.headers)?;
        }
        if !self.payload.is_empty() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("payload", pbjson::private::base64::encode(&self.payload).as_str())?;
        }
        if let Some(v) = self.parts.as_ref() {
            struct_ser.serialize_field("parts", v)?;
        }
        if !self.letter_id.is_empty() {
            struct_ser.serialize_field("letter_id", &self.letter_id)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ClaimedItem {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "first_id",
            "source_id",
            "attempts",
            "deliveries",
            "max_attempts",
            "lease_deadline",
            "created_at",
            "expire_deadline",
            "priority",
            "is_condemned",
            "encoding",
            "kind",
            "reference",
            "key",
            "headers",
            "payload",
            "parts",
            "letter_id",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            FirstId,
            SourceId,
            Attempts,
            Deliveries,
            MaxAttempts,
            LeaseDeadline,
            CreatedAt,
            ExpireDeadline,
            Priority,
            IsCondemned,
            Encoding,
            Kind,
            Reference,
            Key,
            Headers,
            Payload,
            Parts,
            LetterId,
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
                            "first_id" => Ok(GeneratedField::FirstId),
                            "source_id" => Ok(GeneratedField::SourceId),
                            "attempts" => Ok(GeneratedField::Attempts),
                            "deliveries" => Ok(GeneratedField::Deliveries),
                            "max_attempts" => Ok(GeneratedField::MaxAttempts),
                            "lease_deadline" => Ok(GeneratedField::LeaseDeadline),
                            "created_at" => Ok(GeneratedField::CreatedAt),
                            "expire_deadline" => Ok(GeneratedField::ExpireDeadline),
                            "priority" => Ok(GeneratedField::Priority),
                            "is_condemned" => Ok(GeneratedField::IsCondemned),
                            "encoding" => Ok(GeneratedField::Encoding),
                            "kind" => Ok(GeneratedField::Kind),
                            "reference" => Ok(GeneratedField::Reference),
                            "key" => Ok(GeneratedField::Key),
                            "headers" => Ok(GeneratedField::Headers),
                            "payload" => Ok(GeneratedField::Payload),
                            "parts" => Ok(GeneratedField::Parts),
                            "letter_id" => Ok(GeneratedField::LetterId),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ClaimedItem;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.ClaimedItem")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ClaimedItem, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut first_id__ = None;
                let mut source_id__ = None;
                let mut attempts__ = None;
                let mut deliveries__ = None;
                let mut max_attempts__ = None;
                let mut lease_deadline__ = None;
                let mut created_at__ = None;
                let mut expire_deadline__ = None;
                let mut priority__ = None;
                let mut is_condemned__ = None;
                let mut encoding__ = None;
                let mut kind__ = None;
                let mut reference__ = None;
                let mut key__ = None;
                let mut headers__ = None;
                let mut payload__ = None;
                let mut parts__ = None;
                let mut letter_id__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::FirstId => {
                            if first_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("first_id"));
                            }
                            first_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::SourceId => {
                            if source_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("source_id"));
                            }
                            source_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Attempts => {
                            if attempts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("attempts"));
                            }
                            attempts__ = 
                                Some(map_.next_value::<crate::number::Number>()?.0)
                            ;
                        }
                        GeneratedField::Deliveries => {
                            if deliveries__.is_some() {
                                return Err(serde::de::Error::duplicate_field("deliveries"));
                            }
                            deliveries__ = 
                                Some(map_.next_value::<crate::number::Number>()?.0)
                            ;
                        }
                        GeneratedField::MaxAttempts => {
                            if max_attempts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("max_attempts"));
                            }
                            max_attempts__ = 
                                Some(map_.next_value::<crate::number::Number>()?.0)
                            ;
                        }
                        GeneratedField::LeaseDeadline => {
                            if lease_deadline__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lease_deadline"));
                            }
                            lease_deadline__ = map_.next_value()?;
                        }
                        GeneratedField::CreatedAt => {
                            if created_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("created_at"));
                            }
                            created_at__ = map_.next_value()?;
                        }
                        GeneratedField::ExpireDeadline => {
                            if expire_deadline__.is_some() {
                                return Err(serde::de::Error::duplicate_field("expire_deadline"));
                            }
                            expire_deadline__ = map_.next_value()?;
                        }
                        GeneratedField::Priority => {
                            if priority__.is_some() {
                                return Err(serde::de::Error::duplicate_field("priority"));
                            }
                            priority__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::IsCondemned => {
                            if is_condemned__.is_some() {
                                return Err(serde::de::Error::duplicate_field("is_condemned"));
                            }
                            is_condemned__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
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
                        GeneratedField::Reference => {
                            if reference__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reference"));
                            }
                            reference__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
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
                        GeneratedField::Payload => {
                            if payload__.is_some() {
                                return Err(serde::de::Error::duplicate_field("payload"));
                            }
                            payload__ = 
                                Some(map_.next_value::<::std::option::Option<::pbjson::private::BytesDeserialize<_>>>()?.map(|x| x.0).unwrap_or_default())
                            ;
                        }
                        GeneratedField::Parts => {
                            if parts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("parts"));
                            }
                            parts__ = map_.next_value()?;
                        }
                        GeneratedField::LetterId => {
                            if letter_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("letter_id"));
                            }
                            letter_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(ClaimedItem {
                    id: id__.unwrap_or_default(),
                    first_id: first_id__.unwrap_or_default(),
                    source_id: source_id__.unwrap_or_default(),
                    attempts: attempts__.unwrap_or_default(),
                    deliveries: deliveries__.unwrap_or_default(),
                    max_attempts: max_attempts__.unwrap_or_default(),
                    lease_deadline: lease_deadline__,
                    created_at: created_at__,
                    expire_deadline: expire_deadline__,
                    priority: priority__.unwrap_or_default(),
                    is_condemned: is_condemned__.unwrap_or_default(),
                    encoding: encoding__.unwrap_or_default(),
                    kind: kind__.unwrap_or_default(),
                    reference: reference__.unwrap_or_default(),
                    key: key__,
                    headers: headers__.unwrap_or_default(),
                    payload: payload__.unwrap_or_default(),
                    parts: parts__,
                    letter_id: letter_id__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.ClaimedItem", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Condemn {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("redrive.v1.Condemn", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Condemn {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
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
                            Err(serde::de::Error::unknown_field(value, FIELDS))
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Condemn;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Condemn")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Condemn, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(Condemn {
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Condemn", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for DeadLetter {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.why.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.DeadLetter", len)?;
        if !self.why.is_empty() {
            struct_ser.serialize_field("why", &self.why)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for DeadLetter {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "why",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Why,
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
                            "why" => Ok(GeneratedField::Why),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = DeadLetter;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.DeadLetter")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<DeadLetter, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut why__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Why => {
                            if why__.is_some() {
                                return Err(serde::de::Error::duplicate_field("why"));
                            }
                            why__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(DeadLetter {
                    why: why__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.DeadLetter", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Defer {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.until.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.Defer", len)?;
        if let Some(v) = self.until.as_ref() {
            struct_ser.serialize_field("until", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Defer {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "until",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Until,
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
                            "until" => Ok(GeneratedField::Until),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Defer;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Defer")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Defer, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut until__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Until => {
                            if until__.is_some() {
                                return Err(serde::de::Error::duplicate_field("until"));
                            }
                            until__ = map_.next_value()?;
                        }
                    }
                }
                Ok(Defer {
                    until: until__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Defer", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Drop {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("redrive.v1.Drop", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Drop {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
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
                            Err(serde::de::Error::unknown_field(value, FIELDS))
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Drop;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Drop")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Drop, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(Drop {
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Drop", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Header {
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
        if !self.value.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.Header", len)?;
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if !self.value.is_empty() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("value", pbjson::private::base64::encode(&self.value).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Header {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "name",
            "value",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Name,
            Value,
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
                            "value" => Ok(GeneratedField::Value),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Header;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Header")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Header, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut name__ = None;
                let mut value__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Name => {
                            if name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("name"));
                            }
                            name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Value => {
                            if value__.is_some() {
                                return Err(serde::de::Error::duplicate_field("value"));
                            }
                            value__ = 
                                Some(map_.next_value::<::std::option::Option<::pbjson::private::BytesDeserialize<_>>>()?.map(|x| x.0).unwrap_or_default())
                            ;
                        }
                    }
                }
                Ok(Header {
                    name: name__.unwrap_or_default(),
                    value: value__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Header", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Parts {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.names.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.Parts", len)?;
        if !self.names.is_empty() {
            struct_ser.serialize_field("names", &self.names)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Parts {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "names",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Names,
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
                            "names" => Ok(GeneratedField::Names),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Parts;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Parts")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Parts, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut names__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Names => {
                            if names__.is_some() {
                                return Err(serde::de::Error::duplicate_field("names"));
                            }
                            names__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(Parts {
                    names: names__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Parts", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for PutItem {
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
        if self.key.is_some() {
            len += 1;
        }
        if !self.headers.is_empty() {
            len += 1;
        }
        if !self.message_id.is_empty() {
            len += 1;
        }
        if !self.priority.is_empty() {
            len += 1;
        }
        if !self.expire_timeout.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.PutItem", len)?;
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
        if let Some(v) = self.key.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("key", pbjson::private::base64::encode(&v).as_str())?;
        }
        if !self.headers.is_empty() {
            struct_ser.serialize_field("headers", &self.headers)?;
        }
        if !self.message_id.is_empty() {
            struct_ser.serialize_field("message_id", &self.message_id)?;
        }
        if !self.priority.is_empty() {
            struct_ser.serialize_field("priority", &self.priority)?;
        }
        if !self.expire_timeout.is_empty() {
            struct_ser.serialize_field("expire_timeout", &self.expire_timeout)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for PutItem {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "encoding",
            "kind",
            "reference",
            "enqueue_at",
            "bytes",
            "utf8",
            "key",
            "headers",
            "message_id",
            "priority",
            "expire_timeout",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Encoding,
            Kind,
            Reference,
            EnqueueAt,
            Bytes,
            Utf8,
            Key,
            Headers,
            MessageId,
            Priority,
            ExpireTimeout,
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
                            "enqueue_at" => Ok(GeneratedField::EnqueueAt),
                            "bytes" => Ok(GeneratedField::Bytes),
                            "utf8" => Ok(GeneratedField::Utf8),
                            "key" => Ok(GeneratedField::Key),
                            "headers" => Ok(GeneratedField::Headers),
                            "message_id" => Ok(GeneratedField::MessageId),
                            "priority" => Ok(GeneratedField::Priority),
                            "expire_timeout" => Ok(GeneratedField::ExpireTimeout),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = PutItem;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.PutItem")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<PutItem, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut encoding__ = None;
                let mut kind__ = None;
                let mut reference__ = None;
                let mut enqueue_at__ = None;
                let mut bytes__ = None;
                let mut utf8__ = None;
                let mut key__ = None;
                let mut headers__ = None;
                let mut message_id__ = None;
                let mut priority__ = None;
                let mut expire_timeout__ = None;
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
                        GeneratedField::MessageId => {
                            if message_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message_id"));
                            }
                            message_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Priority => {
                            if priority__.is_some() {
                                return Err(serde::de::Error::duplicate_field("priority"));
                            }
                            priority__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::ExpireTimeout => {
                            if expire_timeout__.is_some() {
                                return Err(serde::de::Error::duplicate_field("expire_timeout"));
                            }
                            expire_timeout__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(PutItem {
                    encoding: encoding__.unwrap_or_default(),
                    kind: kind__.unwrap_or_default(),
                    reference: reference__.unwrap_or_default(),
                    enqueue_at: enqueue_at__,
                    bytes: bytes__.unwrap_or_default(),
                    utf8: utf8__.unwrap_or_default(),
                    key: key__,
                    headers: headers__.unwrap_or_default(),
                    message_id: message_id__.unwrap_or_default(),
                    priority: priority__.unwrap_or_default(),
                    expire_timeout: expire_timeout__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.PutItem", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for PutResult {
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
        if self.is_duplicate {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.PutResult", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if self.is_duplicate {
            struct_ser.serialize_field("is_duplicate", &self.is_duplicate)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for PutResult {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "is_duplicate",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            IsDuplicate,
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
                            "is_duplicate" => Ok(GeneratedField::IsDuplicate),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = PutResult;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.PutResult")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<PutResult, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut is_duplicate__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::IsDuplicate => {
                            if is_duplicate__.is_some() {
                                return Err(serde::de::Error::duplicate_field("is_duplicate"));
                            }
                            is_duplicate__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(PutResult {
                    id: id__.unwrap_or_default(),
                    is_duplicate: is_duplicate__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.PutResult", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueClaimRequest {
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
        if !self.lease_timeout.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.QueueClaimRequest", len)?;
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
        if !self.lease_timeout.is_empty() {
            struct_ser.serialize_field("lease_timeout", &self.lease_timeout)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueClaimRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "batch_size",
            "client_id",
            "request_timeout",
            "lease_timeout",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            BatchSize,
            ClientId,
            RequestTimeout,
            LeaseTimeout,
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
                            "queue_name" => Ok(GeneratedField::QueueName),
                            "batch_size" => Ok(GeneratedField::BatchSize),
                            "client_id" => Ok(GeneratedField::ClientId),
                            "request_timeout" => Ok(GeneratedField::RequestTimeout),
                            "lease_timeout" => Ok(GeneratedField::LeaseTimeout),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueClaimRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.QueueClaimRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueClaimRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut batch_size__ = None;
                let mut client_id__ = None;
                let mut request_timeout__ = None;
                let mut lease_timeout__ = None;
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
                                Some(map_.next_value::<crate::number::Number>()?.0)
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
                        GeneratedField::LeaseTimeout => {
                            if lease_timeout__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lease_timeout"));
                            }
                            lease_timeout__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueClaimRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    batch_size: batch_size__.unwrap_or_default(),
                    client_id: client_id__.unwrap_or_default(),
                    request_timeout: request_timeout__.unwrap_or_default(),
                    lease_timeout: lease_timeout__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.QueueClaimRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueClaimResponse {
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
        let mut struct_ser = serializer.serialize_struct("redrive.v1.QueueClaimResponse", len)?;
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
impl<'de> serde::Deserialize<'de> for QueueClaimResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
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
                            "queue_name" => Ok(GeneratedField::QueueName),
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
            type Value = QueueClaimResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.QueueClaimResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueClaimResponse, V::Error>
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
                                Some(map_.next_value::<crate::number::Number>()?.0)
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
                Ok(QueueClaimResponse {
                    queue_name: queue_name__.unwrap_or_default(),
                    partition: partition__.unwrap_or_default(),
                    items: items__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.QueueClaimResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueExtendRequest {
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
        if self.partition.is_some() {
            len += 1;
        }
        if !self.ids.is_empty() {
            len += 1;
        }
        if !self.lease_timeout.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.QueueExtendRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if let Some(v) = self.partition.as_ref() {
            struct_ser.serialize_field("partition", v)?;
        }
        if !self.ids.is_empty() {
            struct_ser.serialize_field("ids", &self.ids)?;
        }
        if !self.lease_timeout.is_empty() {
            struct_ser.serialize_field("lease_timeout", &self.lease_timeout)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueExtendRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "partition",
            "ids",
            "lease_timeout",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Partition,
            Ids,
            LeaseTimeout,
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
                            "queue_name" => Ok(GeneratedField::QueueName),
                            "partition" => Ok(GeneratedField::Partition),
                            "ids" => Ok(GeneratedField::Ids),
                            "lease_timeout" => Ok(GeneratedField::LeaseTimeout),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueExtendRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.QueueExtendRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueExtendRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut partition__ = None;
                let mut ids__ = None;
                let mut lease_timeout__ = None;
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
                                map_.next_value::<::std::option::Option<crate::number::Number>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Ids => {
                            if ids__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ids"));
                            }
                            ids__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::LeaseTimeout => {
                            if lease_timeout__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lease_timeout"));
                            }
                            lease_timeout__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueExtendRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    partition: partition__,
                    ids: ids__.unwrap_or_default(),
                    lease_timeout: lease_timeout__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.QueueExtendRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueExtendResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.lease_deadlines.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.QueueExtendResponse", len)?;
        if !self.lease_deadlines.is_empty() {
            struct_ser.serialize_field("lease_deadlines", &self.lease_deadlines)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueExtendResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "lease_deadlines",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            LeaseDeadlines,
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
                            "lease_deadlines" => Ok(GeneratedField::LeaseDeadlines),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueExtendResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.QueueExtendResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueExtendResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut lease_deadlines__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::LeaseDeadlines => {
                            if lease_deadlines__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lease_deadlines"));
                            }
                            lease_deadlines__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueExtendResponse {
                    lease_deadlines: lease_deadlines__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.QueueExtendResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueuePauseRequest {
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
        let mut struct_ser = serializer.serialize_struct("redrive.v1.QueuePauseRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueuePauseRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
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
                            "queue_name" => Ok(GeneratedField::QueueName),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueuePauseRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.QueuePauseRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueuePauseRequest, V::Error>
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
                Ok(QueuePauseRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.QueuePauseRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueuePutRequest {
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
        let mut struct_ser = serializer.serialize_struct("redrive.v1.QueuePutRequest", len)?;
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
impl<'de> serde::Deserialize<'de> for QueuePutRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
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
                            "queue_name" => Ok(GeneratedField::QueueName),
                            "request_timeout" => Ok(GeneratedField::RequestTimeout),
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
            type Value = QueuePutRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.QueuePutRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueuePutRequest, V::Error>
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
                Ok(QueuePutRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    request_timeout: request_timeout__.unwrap_or_default(),
                    items: items__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.QueuePutRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueuePutResponse {
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
        if !self.items.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.QueuePutResponse", len)?;
        if self.partition != 0 {
            struct_ser.serialize_field("partition", &self.partition)?;
        }
        if !self.items.is_empty() {
            struct_ser.serialize_field("items", &self.items)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueuePutResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "partition",
            "items",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
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
            type Value = QueuePutResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.QueuePutResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueuePutResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut partition__ = None;
                let mut items__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Partition => {
                            if partition__.is_some() {
                                return Err(serde::de::Error::duplicate_field("partition"));
                            }
                            partition__ = 
                                Some(map_.next_value::<crate::number::Number>()?.0)
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
                Ok(QueuePutResponse {
                    partition: partition__.unwrap_or_default(),
                    items: items__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.QueuePutResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueResumeRequest {
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
        let mut struct_ser = serializer.serialize_struct("redrive.v1.QueueResumeRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueResumeRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
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
                            "queue_name" => Ok(GeneratedField::QueueName),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueResumeRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.QueueResumeRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueResumeRequest, V::Error>
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
                Ok(QueueResumeRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.QueueResumeRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueSettleRequest {
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
        if self.partition.is_some() {
            len += 1;
        }
        if !self.items.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.QueueSettleRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if let Some(v) = self.partition.as_ref() {
            struct_ser.serialize_field("partition", v)?;
        }
        if !self.items.is_empty() {
            struct_ser.serialize_field("items", &self.items)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueSettleRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
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
                            "queue_name" => Ok(GeneratedField::QueueName),
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
            type Value = QueueSettleRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.QueueSettleRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueSettleRequest, V::Error>
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
                                map_.next_value::<::std::option::Option<crate::number::Number>>()?.map(|x| x.0)
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
                Ok(QueueSettleRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    partition: partition__,
                    items: items__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.QueueSettleRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueSettleResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.settled != 0 {
            len += 1;
        }
        if self.refused.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.QueueSettleResponse", len)?;
        if self.settled != 0 {
            struct_ser.serialize_field("settled", &self.settled)?;
        }
        if let Some(v) = self.refused.as_ref() {
            struct_ser.serialize_field("refused", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueSettleResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "settled",
            "refused",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Settled,
            Refused,
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
                            "settled" => Ok(GeneratedField::Settled),
                            "refused" => Ok(GeneratedField::Refused),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueSettleResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.QueueSettleResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueSettleResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut settled__ = None;
                let mut refused__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Settled => {
                            if settled__.is_some() {
                                return Err(serde::de::Error::duplicate_field("settled"));
                            }
                            settled__ = 
                                Some(map_.next_value::<crate::number::Number>()?.0)
                            ;
                        }
                        GeneratedField::Refused => {
                            if refused__.is_some() {
                                return Err(serde::de::Error::duplicate_field("refused"));
                            }
                            refused__ = map_.next_value()?;
                        }
                    }
                }
                Ok(QueueSettleResponse {
                    settled: settled__.unwrap_or_default(),
                    refused: refused__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.QueueSettleResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Refused {
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
        if self.is_stale {
            len += 1;
        }
        if !self.message.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.Refused", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if self.is_stale {
            struct_ser.serialize_field("is_stale", &self.is_stale)?;
        }
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Refused {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "is_stale",
            "message",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            IsStale,
            Message,
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
                            "is_stale" => Ok(GeneratedField::IsStale),
                            "message" => Ok(GeneratedField::Message),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Refused;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Refused")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Refused, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut is_stale__ = None;
                let mut message__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::IsStale => {
                            if is_stale__.is_some() {
                                return Err(serde::de::Error::duplicate_field("is_stale"));
                            }
                            is_stale__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(Refused {
                    id: id__.unwrap_or_default(),
                    is_stale: is_stale__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Refused", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Release {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("redrive.v1.Release", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Release {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
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
                            Err(serde::de::Error::unknown_field(value, FIELDS))
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Release;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Release")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Release, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(Release {
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Release", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Retry {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.at.is_some() {
            len += 1;
        }
        if self.is_free {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.Retry", len)?;
        if let Some(v) = self.at.as_ref() {
            struct_ser.serialize_field("at", v)?;
        }
        if self.is_free {
            struct_ser.serialize_field("is_free", &self.is_free)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Retry {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "at",
            "is_free",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            At,
            IsFree,
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
                            "at" => Ok(GeneratedField::At),
                            "is_free" => Ok(GeneratedField::IsFree),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Retry;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Retry")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Retry, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut at__ = None;
                let mut is_free__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::At => {
                            if at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("at"));
                            }
                            at__ = map_.next_value()?;
                        }
                        GeneratedField::IsFree => {
                            if is_free__.is_some() {
                                return Err(serde::de::Error::duplicate_field("is_free"));
                            }
                            is_free__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(Retry {
                    at: at__,
                    is_free: is_free__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Retry", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SettleItem {
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
        if self.attempt.is_some() {
            len += 1;
        }
        if self.verb.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.SettleItem", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if let Some(v) = self.attempt.as_ref() {
            struct_ser.serialize_field("attempt", v)?;
        }
        if let Some(v) = self.verb.as_ref() {
            match v {
                settle_item::Verb::Ack(v) => {
                    struct_ser.serialize_field("ack", v)?;
                }
                settle_item::Verb::Retry(v) => {
                    struct_ser.serialize_field("retry", v)?;
                }
                settle_item::Verb::DeadLetter(v) => {
                    struct_ser.serialize_field("dead_letter", v)?;
                }
                settle_item::Verb::Drop(v) => {
                    struct_ser.serialize_field("drop", v)?;
                }
                settle_item::Verb::Defer(v) => {
                    struct_ser.serialize_field("defer", v)?;
                }
                settle_item::Verb::Release(v) => {
                    struct_ser.serialize_field("release", v)?;
                }
                settle_item::Verb::Condemn(v) => {
                    struct_ser.serialize_field("condemn", v)?;
                }
            }
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SettleItem {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "attempt",
            "ack",
            "retry",
            "dead_letter",
            "drop",
            "defer",
            "release",
            "condemn",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            Attempt,
            Ack,
            Retry,
            DeadLetter,
            Drop,
            Defer,
            Release,
            Condemn,
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
                            "attempt" => Ok(GeneratedField::Attempt),
                            "ack" => Ok(GeneratedField::Ack),
                            "retry" => Ok(GeneratedField::Retry),
                            "dead_letter" => Ok(GeneratedField::DeadLetter),
                            "drop" => Ok(GeneratedField::Drop),
                            "defer" => Ok(GeneratedField::Defer),
                            "release" => Ok(GeneratedField::Release),
                            "condemn" => Ok(GeneratedField::Condemn),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = SettleItem;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.SettleItem")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SettleItem, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut attempt__ = None;
                let mut verb__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Attempt => {
                            if attempt__.is_some() {
                                return Err(serde::de::Error::duplicate_field("attempt"));
                            }
                            attempt__ = map_.next_value()?;
                        }
                        GeneratedField::Ack => {
                            if verb__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ack"));
                            }
                            verb__ = map_.next_value::<::std::option::Option<_>>()?.map(settle_item::Verb::Ack)
;
                        }
                        GeneratedField::Retry => {
                            if verb__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry"));
                            }
                            verb__ = map_.next_value::<::std::option::Option<_>>()?.map(settle_item::Verb::Retry)
;
                        }
                        GeneratedField::DeadLetter => {
                            if verb__.is_some() {
                                return Err(serde::de::Error::duplicate_field("dead_letter"));
                            }
                            verb__ = map_.next_value::<::std::option::Option<_>>()?.map(settle_item::Verb::DeadLetter)
;
                        }
                        GeneratedField::Drop => {
                            if verb__.is_some() {
                                return Err(serde::de::Error::duplicate_field("drop"));
                            }
                            verb__ = map_.next_value::<::std::option::Option<_>>()?.map(settle_item::Verb::Drop)
;
                        }
                        GeneratedField::Defer => {
                            if verb__.is_some() {
                                return Err(serde::de::Error::duplicate_field("defer"));
                            }
                            verb__ = map_.next_value::<::std::option::Option<_>>()?.map(settle_item::Verb::Defer)
;
                        }
                        GeneratedField::Release => {
                            if verb__.is_some() {
                                return Err(serde::de::Error::duplicate_field("release"));
                            }
                            verb__ = map_.next_value::<::std::option::Option<_>>()?.map(settle_item::Verb::Release)
;
                        }
                        GeneratedField::Condemn => {
                            if verb__.is_some() {
                                return Err(serde::de::Error::duplicate_field("condemn"));
                            }
                            verb__ = map_.next_value::<::std::option::Option<_>>()?.map(settle_item::Verb::Condemn)
;
                        }
                    }
                }
                Ok(SettleItem {
                    id: id__.unwrap_or_default(),
                    attempt: attempt__,
                    verb: verb__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.SettleItem", FIELDS, GeneratedVisitor)
    }
}
