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
impl serde::Serialize for Attention {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.severity.is_empty() {
            len += 1;
        }
        if !self.kind.is_empty() {
            len += 1;
        }
        if !self.queue_name.is_empty() {
            len += 1;
        }
        if self.count != 0 {
            len += 1;
        }
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.route_name.is_empty() {
            len += 1;
        }
        if !self.namespace.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.Attention", len)?;
        if !self.severity.is_empty() {
            struct_ser.serialize_field("severity", &self.severity)?;
        }
        if !self.kind.is_empty() {
            struct_ser.serialize_field("kind", &self.kind)?;
        }
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if self.count != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("count", ToString::to_string(&self.count).as_str())?;
        }
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.route_name.is_empty() {
            struct_ser.serialize_field("route_name", &self.route_name)?;
        }
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Attention {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "severity",
            "kind",
            "queue_name",
            "count",
            "message",
            "route_name",
            "namespace",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Severity,
            Kind,
            QueueName,
            Count,
            Message,
            RouteName,
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
                            "severity" => Ok(GeneratedField::Severity),
                            "kind" => Ok(GeneratedField::Kind),
                            "queue_name" => Ok(GeneratedField::QueueName),
                            "count" => Ok(GeneratedField::Count),
                            "message" => Ok(GeneratedField::Message),
                            "route_name" => Ok(GeneratedField::RouteName),
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
            type Value = Attention;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Attention")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Attention, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut severity__ = None;
                let mut kind__ = None;
                let mut queue_name__ = None;
                let mut count__ = None;
                let mut message__ = None;
                let mut route_name__ = None;
                let mut namespace__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Severity => {
                            if severity__.is_some() {
                                return Err(serde::de::Error::duplicate_field("severity"));
                            }
                            severity__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Kind => {
                            if kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("kind"));
                            }
                            kind__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Count => {
                            if count__.is_some() {
                                return Err(serde::de::Error::duplicate_field("count"));
                            }
                            count__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RouteName => {
                            if route_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("route_name"));
                            }
                            route_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(Attention {
                    severity: severity__.unwrap_or_default(),
                    kind: kind__.unwrap_or_default(),
                    queue_name: queue_name__.unwrap_or_default(),
                    count: count__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                    route_name: route_name__.unwrap_or_default(),
                    namespace: namespace__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Attention", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for AuditListRequest {
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
        if !self.since.is_empty() {
            len += 1;
        }
        if !self.until.is_empty() {
            len += 1;
        }
        if !self.actor.is_empty() {
            len += 1;
        }
        if !self.action.is_empty() {
            len += 1;
        }
        if !self.target.is_empty() {
            len += 1;
        }
        if !self.queue_name.is_empty() {
            len += 1;
        }
        if !self.id.is_empty() {
            len += 1;
        }
        if !self.after.is_empty() {
            len += 1;
        }
        if self.limit != 0 {
            len += 1;
        }
        if self.oldest_first {
            len += 1;
        }
        if self.stored {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.AuditListRequest", len)?;
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.since.is_empty() {
            struct_ser.serialize_field("since", &self.since)?;
        }
        if !self.until.is_empty() {
            struct_ser.serialize_field("until", &self.until)?;
        }
        if !self.actor.is_empty() {
            struct_ser.serialize_field("actor", &self.actor)?;
        }
        if !self.action.is_empty() {
            struct_ser.serialize_field("action", &self.action)?;
        }
        if !self.target.is_empty() {
            struct_ser.serialize_field("target", &self.target)?;
        }
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.after.is_empty() {
            struct_ser.serialize_field("after", &self.after)?;
        }
        if self.limit != 0 {
            struct_ser.serialize_field("limit", &self.limit)?;
        }
        if self.oldest_first {
            struct_ser.serialize_field("oldest_first", &self.oldest_first)?;
        }
        if self.stored {
            struct_ser.serialize_field("stored", &self.stored)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for AuditListRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "namespace",
            "since",
            "until",
            "actor",
            "action",
            "target",
            "queue_name",
            "id",
            "after",
            "limit",
            "oldest_first",
            "stored",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Namespace,
            Since,
            Until,
            Actor,
            Action,
            Target,
            QueueName,
            Id,
            After,
            Limit,
            OldestFirst,
            Stored,
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
                            "since" => Ok(GeneratedField::Since),
                            "until" => Ok(GeneratedField::Until),
                            "actor" => Ok(GeneratedField::Actor),
                            "action" => Ok(GeneratedField::Action),
                            "target" => Ok(GeneratedField::Target),
                            "queue_name" => Ok(GeneratedField::QueueName),
                            "id" => Ok(GeneratedField::Id),
                            "after" => Ok(GeneratedField::After),
                            "limit" => Ok(GeneratedField::Limit),
                            "oldest_first" => Ok(GeneratedField::OldestFirst),
                            "stored" => Ok(GeneratedField::Stored),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = AuditListRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.AuditListRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<AuditListRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut namespace__ = None;
                let mut since__ = None;
                let mut until__ = None;
                let mut actor__ = None;
                let mut action__ = None;
                let mut target__ = None;
                let mut queue_name__ = None;
                let mut id__ = None;
                let mut after__ = None;
                let mut limit__ = None;
                let mut oldest_first__ = None;
                let mut stored__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Since => {
                            if since__.is_some() {
                                return Err(serde::de::Error::duplicate_field("since"));
                            }
                            since__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Until => {
                            if until__.is_some() {
                                return Err(serde::de::Error::duplicate_field("until"));
                            }
                            until__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Actor => {
                            if actor__.is_some() {
                                return Err(serde::de::Error::duplicate_field("actor"));
                            }
                            actor__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Action => {
                            if action__.is_some() {
                                return Err(serde::de::Error::duplicate_field("action"));
                            }
                            action__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Target => {
                            if target__.is_some() {
                                return Err(serde::de::Error::duplicate_field("target"));
                            }
                            target__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::After => {
                            if after__.is_some() {
                                return Err(serde::de::Error::duplicate_field("after"));
                            }
                            after__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Limit => {
                            if limit__.is_some() {
                                return Err(serde::de::Error::duplicate_field("limit"));
                            }
                            limit__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::OldestFirst => {
                            if oldest_first__.is_some() {
                                return Err(serde::de::Error::duplicate_field("oldest_first"));
                            }
                            oldest_first__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Stored => {
                            if stored__.is_some() {
                                return Err(serde::de::Error::duplicate_field("stored"));
                            }
                            stored__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(AuditListRequest {
                    namespace: namespace__.unwrap_or_default(),
                    since: since__.unwrap_or_default(),
                    until: until__.unwrap_or_default(),
                    actor: actor__.unwrap_or_default(),
                    action: action__.unwrap_or_default(),
                    target: target__.unwrap_or_default(),
                    queue_name: queue_name__.unwrap_or_default(),
                    id: id__.unwrap_or_default(),
                    after: after__.unwrap_or_default(),
                    limit: limit__.unwrap_or_default(),
                    oldest_first: oldest_first__.unwrap_or_default(),
                    stored: stored__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.AuditListRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for AuditListResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.records.is_empty() {
            len += 1;
        }
        if !self.next.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.AuditListResponse", len)?;
        if !self.records.is_empty() {
            struct_ser.serialize_field("records", &self.records)?;
        }
        if !self.next.is_empty() {
            struct_ser.serialize_field("next", &self.next)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for AuditListResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "records",
            "next",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Records,
            Next,
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
                            "records" => Ok(GeneratedField::Records),
                            "next" => Ok(GeneratedField::Next),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = AuditListResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.AuditListResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<AuditListResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut records__ = None;
                let mut next__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Records => {
                            if records__.is_some() {
                                return Err(serde::de::Error::duplicate_field("records"));
                            }
                            records__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Next => {
                            if next__.is_some() {
                                return Err(serde::de::Error::duplicate_field("next"));
                            }
                            next__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(AuditListResponse {
                    records: records__.unwrap_or_default(),
                    next: next__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.AuditListResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for AuditRecordInfo {
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
        if !self.incarnation.is_empty() {
            len += 1;
        }
        if self.sequence != 0 {
            len += 1;
        }
        if self.time.is_some() {
            len += 1;
        }
        if !self.namespace.is_empty() {
            len += 1;
        }
        if !self.user_id.is_empty() {
            len += 1;
        }
        if !self.username.is_empty() {
            len += 1;
        }
        if !self.key_id.is_empty() {
            len += 1;
        }
        if !self.key_name.is_empty() {
            len += 1;
        }
        if !self.peer.is_empty() {
            len += 1;
        }
        if !self.request_id.is_empty() {
            len += 1;
        }
        if !self.action.is_empty() {
            len += 1;
        }
        if !self.targets.is_empty() {
            len += 1;
        }
        if !self.reason.is_empty() {
            len += 1;
        }
        if !self.before.is_empty() {
            len += 1;
        }
        if !self.after.is_empty() {
            len += 1;
        }
        if !self.plan.is_empty() {
            len += 1;
        }
        if self.code != 0 {
            len += 1;
        }
        if !self.message.is_empty() {
            len += 1;
        }
        if self.unrecorded != 0 {
            len += 1;
        }
        if !self.previous.is_empty() {
            len += 1;
        }
        if !self.stored.is_empty() {
            len += 1;
        }
        if !self.problem.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.AuditRecordInfo", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.incarnation.is_empty() {
            struct_ser.serialize_field("incarnation", &self.incarnation)?;
        }
        if self.sequence != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("sequence", ToString::to_string(&self.sequence).as_str())?;
        }
        if let Some(v) = self.time.as_ref() {
            struct_ser.serialize_field("time", v)?;
        }
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.user_id.is_empty() {
            struct_ser.serialize_field("user_id", &self.user_id)?;
        }
        if !self.username.is_empty() {
            struct_ser.serialize_field("username", &self.username)?;
        }
        if !self.key_id.is_empty() {
            struct_ser.serialize_field("key_id", &self.key_id)?;
        }
        if !self.key_name.is_empty() {
            struct_ser.serialize_field("key_name", &self.key_name)?;
        }
        if !self.peer.is_empty() {
            struct_ser.serialize_field("peer", &self.peer)?;
        }
        if !self.request_id.is_empty() {
            struct_ser.serialize_field("request_id", &self.request_id)?;
        }
        if !self.action.is_empty() {
            struct_ser.serialize_field("action", &self.action)?;
        }
        if !self.targets.is_empty() {
            struct_ser.serialize_field("targets", &self.targets)?;
        }
        if !self.reason.is_empty() {
            struct_ser.serialize_field("reason", &self.reason)?;
        }
        if !self.before.is_empty() {
            struct_ser.serialize_field("before", &self.before)?;
        }
        if !self.after.is_empty() {
            struct_ser.serialize_field("after", &self.after)?;
        }
        if !self.plan.is_empty() {
            struct_ser.serialize_field("plan", &self.plan)?;
        }
        if self.code != 0 {
            struct_ser.serialize_field("code", &self.code)?;
        }
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if self.unrecorded != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("unrecorded", ToString::to_string(&self.unrecorded).as_str())?;
        }
        if !self.previous.is_empty() {
            struct_ser.serialize_field("previous", &self.previous)?;
        }
        if !self.stored.is_empty() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("stored", pbjson::private::base64::encode(&self.stored).as_str())?;
        }
        if !self.problem.is_empty() {
            struct_ser.serialize_field("problem", &self.problem)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for AuditRecordInfo {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "incarnation",
            "sequence",
            "time",
            "namespace",
            "user_id",
            "username",
            "key_id",
            "key_name",
            "peer",
            "request_id",
            "action",
            "targets",
            "reason",
            "before",
            "after",
            "plan",
            "code",
            "message",
            "unrecorded",
            "previous",
            "stored",
            "problem",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            Incarnation,
            Sequence,
            Time,
            Namespace,
            UserId,
            Username,
            KeyId,
            KeyName,
            Peer,
            RequestId,
            Action,
            Targets,
            Reason,
            Before,
            After,
            Plan,
            Code,
            Message,
            Unrecorded,
            Previous,
            Stored,
            Problem,
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
                            "incarnation" => Ok(GeneratedField::Incarnation),
                            "sequence" => Ok(GeneratedField::Sequence),
                            "time" => Ok(GeneratedField::Time),
                            "namespace" => Ok(GeneratedField::Namespace),
                            "user_id" => Ok(GeneratedField::UserId),
                            "username" => Ok(GeneratedField::Username),
                            "key_id" => Ok(GeneratedField::KeyId),
                            "key_name" => Ok(GeneratedField::KeyName),
                            "peer" => Ok(GeneratedField::Peer),
                            "request_id" => Ok(GeneratedField::RequestId),
                            "action" => Ok(GeneratedField::Action),
                            "targets" => Ok(GeneratedField::Targets),
                            "reason" => Ok(GeneratedField::Reason),
                            "before" => Ok(GeneratedField::Before),
                            "after" => Ok(GeneratedField::After),
                            "plan" => Ok(GeneratedField::Plan),
                            "code" => Ok(GeneratedField::Code),
                            "message" => Ok(GeneratedField::Message),
                            "unrecorded" => Ok(GeneratedField::Unrecorded),
                            "previous" => Ok(GeneratedField::Previous),
                            "stored" => Ok(GeneratedField::Stored),
                            "problem" => Ok(GeneratedField::Problem),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = AuditRecordInfo;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.AuditRecordInfo")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<AuditRecordInfo, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut incarnation__ = None;
                let mut sequence__ = None;
                let mut time__ = None;
                let mut namespace__ = None;
                let mut user_id__ = None;
                let mut username__ = None;
                let mut key_id__ = None;
                let mut key_name__ = None;
                let mut peer__ = None;
                let mut request_id__ = None;
                let mut action__ = None;
                let mut targets__ = None;
                let mut reason__ = None;
                let mut before__ = None;
                let mut after__ = None;
                let mut plan__ = None;
                let mut code__ = None;
                let mut message__ = None;
                let mut unrecorded__ = None;
                let mut previous__ = None;
                let mut stored__ = None;
                let mut problem__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Incarnation => {
                            if incarnation__.is_some() {
                                return Err(serde::de::Error::duplicate_field("incarnation"));
                            }
                            incarnation__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Sequence => {
                            if sequence__.is_some() {
                                return Err(serde::de::Error::duplicate_field("sequence"));
                            }
                            sequence__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Time => {
                            if time__.is_some() {
                                return Err(serde::de::Error::duplicate_field("time"));
                            }
                            time__ = map_.next_value()?;
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
                        GeneratedField::Username => {
                            if username__.is_some() {
                                return Err(serde::de::Error::duplicate_field("username"));
                            }
                            username__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::KeyId => {
                            if key_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("key_id"));
                            }
                            key_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::KeyName => {
                            if key_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("key_name"));
                            }
                            key_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Peer => {
                            if peer__.is_some() {
                                return Err(serde::de::Error::duplicate_field("peer"));
                            }
                            peer__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RequestId => {
                            if request_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("request_id"));
                            }
                            request_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Action => {
                            if action__.is_some() {
                                return Err(serde::de::Error::duplicate_field("action"));
                            }
                            action__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Targets => {
                            if targets__.is_some() {
                                return Err(serde::de::Error::duplicate_field("targets"));
                            }
                            targets__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Reason => {
                            if reason__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reason"));
                            }
                            reason__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Before => {
                            if before__.is_some() {
                                return Err(serde::de::Error::duplicate_field("before"));
                            }
                            before__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::After => {
                            if after__.is_some() {
                                return Err(serde::de::Error::duplicate_field("after"));
                            }
                            after__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Plan => {
                            if plan__.is_some() {
                                return Err(serde::de::Error::duplicate_field("plan"));
                            }
                            plan__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Code => {
                            if code__.is_some() {
                                return Err(serde::de::Error::duplicate_field("code"));
                            }
                            code__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Unrecorded => {
                            if unrecorded__.is_some() {
                                return Err(serde::de::Error::duplicate_field("unrecorded"));
                            }
                            unrecorded__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Previous => {
                            if previous__.is_some() {
                                return Err(serde::de::Error::duplicate_field("previous"));
                            }
                            previous__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Stored => {
                            if stored__.is_some() {
                                return Err(serde::de::Error::duplicate_field("stored"));
                            }
                            stored__ = 
                                Some(map_.next_value::<::std::option::Option<::pbjson::private::BytesDeserialize<_>>>()?.map(|x| x.0).unwrap_or_default())
                            ;
                        }
                        GeneratedField::Problem => {
                            if problem__.is_some() {
                                return Err(serde::de::Error::duplicate_field("problem"));
                            }
                            problem__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(AuditRecordInfo {
                    id: id__.unwrap_or_default(),
                    incarnation: incarnation__.unwrap_or_default(),
                    sequence: sequence__.unwrap_or_default(),
                    time: time__,
                    namespace: namespace__.unwrap_or_default(),
                    user_id: user_id__.unwrap_or_default(),
                    username: username__.unwrap_or_default(),
                    key_id: key_id__.unwrap_or_default(),
                    key_name: key_name__.unwrap_or_default(),
                    peer: peer__.unwrap_or_default(),
                    request_id: request_id__.unwrap_or_default(),
                    action: action__.unwrap_or_default(),
                    targets: targets__.unwrap_or_default(),
                    reason: reason__.unwrap_or_default(),
                    before: before__.unwrap_or_default(),
                    after: after__.unwrap_or_default(),
                    plan: plan__.unwrap_or_default(),
                    code: code__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                    unrecorded: unrecorded__.unwrap_or_default(),
                    previous: previous__.unwrap_or_default(),
                    stored: stored__.unwrap_or_default(),
                    problem: problem__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.AuditRecordInfo", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for AuditTargetInfo {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.kind.is_empty() {
            len += 1;
        }
        if !self.name.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.AuditTargetInfo", len)?;
        if !self.kind.is_empty() {
            struct_ser.serialize_field("kind", &self.kind)?;
        }
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for AuditTargetInfo {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "kind",
            "name",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Kind,
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
                            "kind" => Ok(GeneratedField::Kind),
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
            type Value = AuditTargetInfo;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.AuditTargetInfo")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<AuditTargetInfo, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut kind__ = None;
                let mut name__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Kind => {
                            if kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("kind"));
                            }
                            kind__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Name => {
                            if name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("name"));
                            }
                            name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(AuditTargetInfo {
                    kind: kind__.unwrap_or_default(),
                    name: name__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.AuditTargetInfo", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for BlockingRecordInfo {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.topic.is_empty() {
            len += 1;
        }
        if self.partition != 0 {
            len += 1;
        }
        if self.offset != 0 {
            len += 1;
        }
        if !self.state.is_empty() {
            len += 1;
        }
        if self.attempt != 0 {
            len += 1;
        }
        if self.age_ms != 0 {
            len += 1;
        }
        if !self.error.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.BlockingRecordInfo", len)?;
        if !self.topic.is_empty() {
            struct_ser.serialize_field("topic", &self.topic)?;
        }
        if self.partition != 0 {
            struct_ser.serialize_field("partition", &self.partition)?;
        }
        if self.offset != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("offset", ToString::to_string(&self.offset).as_str())?;
        }
        if !self.state.is_empty() {
            struct_ser.serialize_field("state", &self.state)?;
        }
        if self.attempt != 0 {
            struct_ser.serialize_field("attempt", &self.attempt)?;
        }
        if self.age_ms != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("age_ms", ToString::to_string(&self.age_ms).as_str())?;
        }
        if !self.error.is_empty() {
            struct_ser.serialize_field("error", &self.error)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for BlockingRecordInfo {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "topic",
            "partition",
            "offset",
            "state",
            "attempt",
            "age_ms",
            "error",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Topic,
            Partition,
            Offset,
            State,
            Attempt,
            AgeMs,
            Error,
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
                            "topic" => Ok(GeneratedField::Topic),
                            "partition" => Ok(GeneratedField::Partition),
                            "offset" => Ok(GeneratedField::Offset),
                            "state" => Ok(GeneratedField::State),
                            "attempt" => Ok(GeneratedField::Attempt),
                            "age_ms" => Ok(GeneratedField::AgeMs),
                            "error" => Ok(GeneratedField::Error),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = BlockingRecordInfo;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.BlockingRecordInfo")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<BlockingRecordInfo, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut topic__ = None;
                let mut partition__ = None;
                let mut offset__ = None;
                let mut state__ = None;
                let mut attempt__ = None;
                let mut age_ms__ = None;
                let mut error__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Topic => {
                            if topic__.is_some() {
                                return Err(serde::de::Error::duplicate_field("topic"));
                            }
                            topic__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Partition => {
                            if partition__.is_some() {
                                return Err(serde::de::Error::duplicate_field("partition"));
                            }
                            partition__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Offset => {
                            if offset__.is_some() {
                                return Err(serde::de::Error::duplicate_field("offset"));
                            }
                            offset__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::State => {
                            if state__.is_some() {
                                return Err(serde::de::Error::duplicate_field("state"));
                            }
                            state__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Attempt => {
                            if attempt__.is_some() {
                                return Err(serde::de::Error::duplicate_field("attempt"));
                            }
                            attempt__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::AgeMs => {
                            if age_ms__.is_some() {
                                return Err(serde::de::Error::duplicate_field("age_ms"));
                            }
                            age_ms__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Error => {
                            if error__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error"));
                            }
                            error__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(BlockingRecordInfo {
                    topic: topic__.unwrap_or_default(),
                    partition: partition__.unwrap_or_default(),
                    offset: offset__.unwrap_or_default(),
                    state: state__.unwrap_or_default(),
                    attempt: attempt__.unwrap_or_default(),
                    age_ms: age_ms__.unwrap_or_default(),
                    error: error__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.BlockingRecordInfo", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for CaptureLetter {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.source_id.is_empty() {
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
        if self.origin.is_some() {
            len += 1;
        }
        if self.fault.is_some() {
            len += 1;
        }
        if self.attempts != 0 {
            len += 1;
        }
        if !self.retry_policy.is_empty() {
            len += 1;
        }
        if self.max_retries.is_some() {
            len += 1;
        }
        if !self.priority.is_empty() {
            len += 1;
        }
        if !self.depends_on.is_empty() {
            len += 1;
        }
        if !self.parts.is_empty() {
            len += 1;
        }
        if !self.metadata.is_empty() {
            len += 1;
        }
        if !self.reply_to.is_empty() {
            len += 1;
        }
        if !self.trace_id.is_empty() {
            len += 1;
        }
        if !self.request_id.is_empty() {
            len += 1;
        }
        if self.failed_at.is_some() {
            len += 1;
        }
        if !self.destination.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.CaptureLetter", len)?;
        if !self.source_id.is_empty() {
            struct_ser.serialize_field("source_id", &self.source_id)?;
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
        if let Some(v) = self.origin.as_ref() {
            struct_ser.serialize_field("origin", v)?;
        }
        if let Some(v) = self.fault.as_ref() {
            struct_ser.serialize_field("fault", v)?;
        }
        if self.attempts != 0 {
            struct_ser.serialize_field("attempts", &self.attempts)?;
        }
        if !self.retry_policy.is_empty() {
            struct_ser.serialize_field("retry_policy", &self.retry_policy)?;
        }
        if let Some(v) = self.max_retries.as_ref() {
            struct_ser.serialize_field("max_retries", v)?;
        }
        if !self.priority.is_empty() {
            struct_ser.serialize_field("priority", &self.priority)?;
        }
        if !self.depends_on.is_empty() {
            struct_ser.serialize_field("depends_on", &self.depends_on)?;
        }
        if !self.parts.is_empty() {
            struct_ser.serialize_field("parts", &self.parts)?;
        }
        if !self.metadata.is_empty() {
            struct_ser.serialize_field("metadata", &self.metadata)?;
        }
        if !self.reply_to.is_empty() {
            struct_ser.serialize_field("reply_to", &self.reply_to)?;
        }
        if !self.trace_id.is_empty() {
            struct_ser.serialize_field("trace_id", &self.trace_id)?;
        }
        if !self.request_id.is_empty() {
            struct_ser.serialize_field("request_id", &self.request_id)?;
        }
        if let Some(v) = self.failed_at.as_ref() {
            struct_ser.serialize_field("failed_at", v)?;
        }
        if !self.destination.is_empty() {
            struct_ser.serialize_field("destination", &self.destination)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for CaptureLetter {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "source_id",
            "encoding",
            "kind",
            "reference",
            "bytes",
            "utf8",
            "key",
            "headers",
            "origin",
            "fault",
            "attempts",
            "retry_policy",
            "max_retries",
            "priority",
            "depends_on",
            "parts",
            "metadata",
            "reply_to",
            "trace_id",
            "request_id",
            "failed_at",
            "destination",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            SourceId,
            Encoding,
            Kind,
            Reference,
            Bytes,
            Utf8,
            Key,
            Headers,
            Origin,
            Fault,
            Attempts,
            RetryPolicy,
            MaxRetries,
            Priority,
            DependsOn,
            Parts,
            Metadata,
            ReplyTo,
            TraceId,
            RequestId,
            FailedAt,
            Destination,
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
                            "source_id" => Ok(GeneratedField::SourceId),
                            "encoding" => Ok(GeneratedField::Encoding),
                            "kind" => Ok(GeneratedField::Kind),
                            "reference" => Ok(GeneratedField::Reference),
                            "bytes" => Ok(GeneratedField::Bytes),
                            "utf8" => Ok(GeneratedField::Utf8),
                            "key" => Ok(GeneratedField::Key),
                            "headers" => Ok(GeneratedField::Headers),
                            "origin" => Ok(GeneratedField::Origin),
                            "fault" => Ok(GeneratedField::Fault),
                            "attempts" => Ok(GeneratedField::Attempts),
                            "retry_policy" => Ok(GeneratedField::RetryPolicy),
                            "max_retries" => Ok(GeneratedField::MaxRetries),
                            "priority" => Ok(GeneratedField::Priority),
                            "depends_on" => Ok(GeneratedField::DependsOn),
                            "parts" => Ok(GeneratedField::Parts),
                            "metadata" => Ok(GeneratedField::Metadata),
                            "reply_to" => Ok(GeneratedField::ReplyTo),
                            "trace_id" => Ok(GeneratedField::TraceId),
                            "request_id" => Ok(GeneratedField::RequestId),
                            "failed_at" => Ok(GeneratedField::FailedAt),
                            "destination" => Ok(GeneratedField::Destination),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = CaptureLetter;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.CaptureLetter")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<CaptureLetter, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut source_id__ = None;
                let mut encoding__ = None;
                let mut kind__ = None;
                let mut reference__ = None;
                let mut bytes__ = None;
                let mut utf8__ = None;
                let mut key__ = None;
                let mut headers__ = None;
                let mut origin__ = None;
                let mut fault__ = None;
                let mut attempts__ = None;
                let mut retry_policy__ = None;
                let mut max_retries__ = None;
                let mut priority__ = None;
                let mut depends_on__ = None;
                let mut parts__ = None;
                let mut metadata__ = None;
                let mut reply_to__ = None;
                let mut trace_id__ = None;
                let mut request_id__ = None;
                let mut failed_at__ = None;
                let mut destination__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::SourceId => {
                            if source_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("source_id"));
                            }
                            source_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
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
                        GeneratedField::Origin => {
                            if origin__.is_some() {
                                return Err(serde::de::Error::duplicate_field("origin"));
                            }
                            origin__ = map_.next_value()?;
                        }
                        GeneratedField::Fault => {
                            if fault__.is_some() {
                                return Err(serde::de::Error::duplicate_field("fault"));
                            }
                            fault__ = map_.next_value()?;
                        }
                        GeneratedField::Attempts => {
                            if attempts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("attempts"));
                            }
                            attempts__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::RetryPolicy => {
                            if retry_policy__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry_policy"));
                            }
                            retry_policy__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::MaxRetries => {
                            if max_retries__.is_some() {
                                return Err(serde::de::Error::duplicate_field("max_retries"));
                            }
                            max_retries__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Priority => {
                            if priority__.is_some() {
                                return Err(serde::de::Error::duplicate_field("priority"));
                            }
                            priority__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::DependsOn => {
                            if depends_on__.is_some() {
                                return Err(serde::de::Error::duplicate_field("depends_on"));
                            }
                            depends_on__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Parts => {
                            if parts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("parts"));
                            }
                            parts__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Metadata => {
                            if metadata__.is_some() {
                                return Err(serde::de::Error::duplicate_field("metadata"));
                            }
                            metadata__ = Some(
                                map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default()
                            );
                        }
                        GeneratedField::ReplyTo => {
                            if reply_to__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reply_to"));
                            }
                            reply_to__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::TraceId => {
                            if trace_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("trace_id"));
                            }
                            trace_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RequestId => {
                            if request_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("request_id"));
                            }
                            request_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::FailedAt => {
                            if failed_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("failed_at"));
                            }
                            failed_at__ = map_.next_value()?;
                        }
                        GeneratedField::Destination => {
                            if destination__.is_some() {
                                return Err(serde::de::Error::duplicate_field("destination"));
                            }
                            destination__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(CaptureLetter {
                    source_id: source_id__.unwrap_or_default(),
                    encoding: encoding__.unwrap_or_default(),
                    kind: kind__.unwrap_or_default(),
                    reference: reference__.unwrap_or_default(),
                    bytes: bytes__.unwrap_or_default(),
                    utf8: utf8__.unwrap_or_default(),
                    key: key__,
                    headers: headers__.unwrap_or_default(),
                    origin: origin__,
                    fault: fault__,
                    attempts: attempts__.unwrap_or_default(),
                    retry_policy: retry_policy__.unwrap_or_default(),
                    max_retries: max_retries__,
                    priority: priority__.unwrap_or_default(),
                    depends_on: depends_on__.unwrap_or_default(),
                    parts: parts__.unwrap_or_default(),
                    metadata: metadata__.unwrap_or_default(),
                    reply_to: reply_to__.unwrap_or_default(),
                    trace_id: trace_id__.unwrap_or_default(),
                    request_id: request_id__.unwrap_or_default(),
                    failed_at: failed_at__,
                    destination: destination__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.CaptureLetter", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for CapturedLetter {
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
        if self.generation != 0 {
            len += 1;
        }
        if !self.status.is_empty() {
            len += 1;
        }
        if self.created {
            len += 1;
        }
        if !self.reason.is_empty() {
            len += 1;
        }
        if !self.category.is_empty() {
            len += 1;
        }
        if !self.rule.is_empty() {
            len += 1;
        }
        if !self.retry_policy.is_empty() {
            len += 1;
        }
        if self.max_retries != 0 {
            len += 1;
        }
        if !self.template.is_empty() {
            len += 1;
        }
        if !self.broken_template.is_empty() {
            len += 1;
        }
        if !self.broken_rule.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.CapturedLetter", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if self.generation != 0 {
            struct_ser.serialize_field("generation", &self.generation)?;
        }
        if !self.status.is_empty() {
            struct_ser.serialize_field("status", &self.status)?;
        }
        if self.created {
            struct_ser.serialize_field("created", &self.created)?;
        }
        if !self.reason.is_empty() {
            struct_ser.serialize_field("reason", &self.reason)?;
        }
        if !self.category.is_empty() {
            struct_ser.serialize_field("category", &self.category)?;
        }
        if !self.rule.is_empty() {
            struct_ser.serialize_field("rule", &self.rule)?;
        }
        if !self.retry_policy.is_empty() {
            struct_ser.serialize_field("retry_policy", &self.retry_policy)?;
        }
        if self.max_retries != 0 {
            struct_ser.serialize_field("max_retries", &self.max_retries)?;
        }
        if !self.template.is_empty() {
            struct_ser.serialize_field("template", &self.template)?;
        }
        if !self.broken_template.is_empty() {
            struct_ser.serialize_field("broken_template", &self.broken_template)?;
        }
        if !self.broken_rule.is_empty() {
            struct_ser.serialize_field("broken_rule", &self.broken_rule)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for CapturedLetter {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "generation",
            "status",
            "created",
            "reason",
            "category",
            "rule",
            "retry_policy",
            "max_retries",
            "template",
            "broken_template",
            "broken_rule",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            Generation,
            Status,
            Created,
            Reason,
            Category,
            Rule,
            RetryPolicy,
            MaxRetries,
            Template,
            BrokenTemplate,
            BrokenRule,
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
                            "generation" => Ok(GeneratedField::Generation),
                            "status" => Ok(GeneratedField::Status),
                            "created" => Ok(GeneratedField::Created),
                            "reason" => Ok(GeneratedField::Reason),
                            "category" => Ok(GeneratedField::Category),
                            "rule" => Ok(GeneratedField::Rule),
                            "retry_policy" => Ok(GeneratedField::RetryPolicy),
                            "max_retries" => Ok(GeneratedField::MaxRetries),
                            "template" => Ok(GeneratedField::Template),
                            "broken_template" => Ok(GeneratedField::BrokenTemplate),
                            "broken_rule" => Ok(GeneratedField::BrokenRule),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = CapturedLetter;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.CapturedLetter")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<CapturedLetter, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut generation__ = None;
                let mut status__ = None;
                let mut created__ = None;
                let mut reason__ = None;
                let mut category__ = None;
                let mut rule__ = None;
                let mut retry_policy__ = None;
                let mut max_retries__ = None;
                let mut template__ = None;
                let mut broken_template__ = None;
                let mut broken_rule__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Generation => {
                            if generation__.is_some() {
                                return Err(serde::de::Error::duplicate_field("generation"));
                            }
                            generation__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Status => {
                            if status__.is_some() {
                                return Err(serde::de::Error::duplicate_field("status"));
                            }
                            status__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Created => {
                            if created__.is_some() {
                                return Err(serde::de::Error::duplicate_field("created"));
                            }
                            created__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Reason => {
                            if reason__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reason"));
                            }
                            reason__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
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
                        GeneratedField::RetryPolicy => {
                            if retry_policy__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry_policy"));
                            }
                            retry_policy__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::MaxRetries => {
                            if max_retries__.is_some() {
                                return Err(serde::de::Error::duplicate_field("max_retries"));
                            }
                            max_retries__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Template => {
                            if template__.is_some() {
                                return Err(serde::de::Error::duplicate_field("template"));
                            }
                            template__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::BrokenTemplate => {
                            if broken_template__.is_some() {
                                return Err(serde::de::Error::duplicate_field("broken_template"));
                            }
                            broken_template__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::BrokenRule => {
                            if broken_rule__.is_some() {
                                return Err(serde::de::Error::duplicate_field("broken_rule"));
                            }
                            broken_rule__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(CapturedLetter {
                    id: id__.unwrap_or_default(),
                    generation: generation__.unwrap_or_default(),
                    status: status__.unwrap_or_default(),
                    created: created__.unwrap_or_default(),
                    reason: reason__.unwrap_or_default(),
                    category: category__.unwrap_or_default(),
                    rule: rule__.unwrap_or_default(),
                    retry_policy: retry_policy__.unwrap_or_default(),
                    max_retries: max_retries__.unwrap_or_default(),
                    template: template__.unwrap_or_default(),
                    broken_template: broken_template__.unwrap_or_default(),
                    broken_rule: broken_rule__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.CapturedLetter", FIELDS, GeneratedVisitor)
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
        if self.first_received_at.is_some() {
            len += 1;
        }
        if self.error.is_some() {
            len += 1;
        }
        if self.verdict.is_some() {
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
        if let Some(v) = self.first_received_at.as_ref() {
            struct_ser.serialize_field("first_received_at", v)?;
        }
        if let Some(v) = self.error.as_ref() {
            struct_ser.serialize_field("error", v)?;
        }
        if let Some(v) = self.verdict.as_ref() {
            struct_ser.serialize_field("verdict", v)?;
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
            "first_received_at",
            "error",
            "verdict",
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
            FirstReceivedAt,
            Error,
            Verdict,
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
                            "first_received_at" => Ok(GeneratedField::FirstReceivedAt),
                            "error" => Ok(GeneratedField::Error),
                            "verdict" => Ok(GeneratedField::Verdict),
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
                let mut first_received_at__ = None;
                let mut error__ = None;
                let mut verdict__ = None;
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
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Deliveries => {
                            if deliveries__.is_some() {
                                return Err(serde::de::Error::duplicate_field("deliveries"));
                            }
                            deliveries__ = 
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
                        GeneratedField::FirstReceivedAt => {
                            if first_received_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("first_received_at"));
                            }
                            first_received_at__ = map_.next_value()?;
                        }
                        GeneratedField::Error => {
                            if error__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error"));
                            }
                            error__ = map_.next_value()?;
                        }
                        GeneratedField::Verdict => {
                            if verdict__.is_some() {
                                return Err(serde::de::Error::duplicate_field("verdict"));
                            }
                            verdict__ = map_.next_value()?;
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
                    first_received_at: first_received_at__,
                    error: error__,
                    verdict: verdict__,
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
        let mut len = 0;
        if self.at.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.Condemn", len)?;
        if let Some(v) = self.at.as_ref() {
            struct_ser.serialize_field("at", v)?;
        }
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
            "at",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            At,
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
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
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
                let mut at__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::At => {
                            if at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("at"));
                            }
                            at__ = map_.next_value()?;
                        }
                    }
                }
                Ok(Condemn {
                    at: at__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Condemn", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Content {
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
        if self.key.is_some() {
            len += 1;
        }
        if !self.headers.is_empty() {
            len += 1;
        }
        if !self.payload.is_empty() {
            len += 1;
        }
        if self.payload_bytes != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.Content", len)?;
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
        if self.payload_bytes != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("payload_bytes", ToString::to_string(&self.payload_bytes).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Content {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "encoding",
            "kind",
            "reference",
            "key",
            "headers",
            "payload",
            "payload_bytes",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Encoding,
            Kind,
            Reference,
            Key,
            Headers,
            Payload,
            PayloadBytes,
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
                            "key" => Ok(GeneratedField::Key),
                            "headers" => Ok(GeneratedField::Headers),
                            "payload" => Ok(GeneratedField::Payload),
                            "payload_bytes" => Ok(GeneratedField::PayloadBytes),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Content;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Content")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Content, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut encoding__ = None;
                let mut kind__ = None;
                let mut reference__ = None;
                let mut key__ = None;
                let mut headers__ = None;
                let mut payload__ = None;
                let mut payload_bytes__ = None;
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
                        GeneratedField::PayloadBytes => {
                            if payload_bytes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("payload_bytes"));
                            }
                            payload_bytes__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(Content {
                    encoding: encoding__.unwrap_or_default(),
                    kind: kind__.unwrap_or_default(),
                    reference: reference__.unwrap_or_default(),
                    key: key__,
                    headers: headers__.unwrap_or_default(),
                    payload: payload__.unwrap_or_default(),
                    payload_bytes: payload_bytes__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Content", FIELDS, GeneratedVisitor)
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
impl serde::Serialize for Death {
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
        if !self.id.is_empty() {
            len += 1;
        }
        if !self.reason.is_empty() {
            len += 1;
        }
        if self.attempts != 0 {
            len += 1;
        }
        if self.created_at.is_some() {
            len += 1;
        }
        if self.expire_deadline.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.Death", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if self.partition != 0 {
            struct_ser.serialize_field("partition", &self.partition)?;
        }
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.reason.is_empty() {
            struct_ser.serialize_field("reason", &self.reason)?;
        }
        if self.attempts != 0 {
            struct_ser.serialize_field("attempts", &self.attempts)?;
        }
        if let Some(v) = self.created_at.as_ref() {
            struct_ser.serialize_field("created_at", v)?;
        }
        if let Some(v) = self.expire_deadline.as_ref() {
            struct_ser.serialize_field("expire_deadline", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Death {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "partition",
            "id",
            "reason",
            "attempts",
            "created_at",
            "expire_deadline",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Partition,
            Id,
            Reason,
            Attempts,
            CreatedAt,
            ExpireDeadline,
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
                            "id" => Ok(GeneratedField::Id),
                            "reason" => Ok(GeneratedField::Reason),
                            "attempts" => Ok(GeneratedField::Attempts),
                            "created_at" => Ok(GeneratedField::CreatedAt),
                            "expire_deadline" => Ok(GeneratedField::ExpireDeadline),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Death;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Death")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Death, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut partition__ = None;
                let mut id__ = None;
                let mut reason__ = None;
                let mut attempts__ = None;
                let mut created_at__ = None;
                let mut expire_deadline__ = None;
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
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Reason => {
                            if reason__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reason"));
                            }
                            reason__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Attempts => {
                            if attempts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("attempts"));
                            }
                            attempts__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
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
                    }
                }
                Ok(Death {
                    queue_name: queue_name__.unwrap_or_default(),
                    partition: partition__.unwrap_or_default(),
                    id: id__.unwrap_or_default(),
                    reason: reason__.unwrap_or_default(),
                    attempts: attempts__.unwrap_or_default(),
                    created_at: created_at__,
                    expire_deadline: expire_deadline__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Death", FIELDS, GeneratedVisitor)
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
impl serde::Serialize for DestinationStatus {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.destination.is_empty() {
            len += 1;
        }
        if !self.breaker.is_empty() {
            len += 1;
        }
        if self.next_probe_at.is_some() {
            len += 1;
        }
        if !self.last_error.is_empty() {
            len += 1;
        }
        if self.failing_since.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.DestinationStatus", len)?;
        if !self.destination.is_empty() {
            struct_ser.serialize_field("destination", &self.destination)?;
        }
        if !self.breaker.is_empty() {
            struct_ser.serialize_field("breaker", &self.breaker)?;
        }
        if let Some(v) = self.next_probe_at.as_ref() {
            struct_ser.serialize_field("next_probe_at", v)?;
        }
        if !self.last_error.is_empty() {
            struct_ser.serialize_field("last_error", &self.last_error)?;
        }
        if let Some(v) = self.failing_since.as_ref() {
            struct_ser.serialize_field("failing_since", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for DestinationStatus {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "destination",
            "breaker",
            "next_probe_at",
            "last_error",
            "failing_since",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Destination,
            Breaker,
            NextProbeAt,
            LastError,
            FailingSince,
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
                            "destination" => Ok(GeneratedField::Destination),
                            "breaker" => Ok(GeneratedField::Breaker),
                            "next_probe_at" => Ok(GeneratedField::NextProbeAt),
                            "last_error" => Ok(GeneratedField::LastError),
                            "failing_since" => Ok(GeneratedField::FailingSince),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = DestinationStatus;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.DestinationStatus")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<DestinationStatus, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut destination__ = None;
                let mut breaker__ = None;
                let mut next_probe_at__ = None;
                let mut last_error__ = None;
                let mut failing_since__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Destination => {
                            if destination__.is_some() {
                                return Err(serde::de::Error::duplicate_field("destination"));
                            }
                            destination__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Breaker => {
                            if breaker__.is_some() {
                                return Err(serde::de::Error::duplicate_field("breaker"));
                            }
                            breaker__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::NextProbeAt => {
                            if next_probe_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("next_probe_at"));
                            }
                            next_probe_at__ = map_.next_value()?;
                        }
                        GeneratedField::LastError => {
                            if last_error__.is_some() {
                                return Err(serde::de::Error::duplicate_field("last_error"));
                            }
                            last_error__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::FailingSince => {
                            if failing_since__.is_some() {
                                return Err(serde::de::Error::duplicate_field("failing_since"));
                            }
                            failing_since__ = map_.next_value()?;
                        }
                    }
                }
                Ok(DestinationStatus {
                    destination: destination__.unwrap_or_default(),
                    breaker: breaker__.unwrap_or_default(),
                    next_probe_at: next_probe_at__,
                    last_error: last_error__.unwrap_or_default(),
                    failing_since: failing_since__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.DestinationStatus", FIELDS, GeneratedVisitor)
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
impl serde::Serialize for ErrorCategories {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.transient != 0 {
            len += 1;
        }
        if self.network != 0 {
            len += 1;
        }
        if self.resource != 0 {
            len += 1;
        }
        if self.permission != 0 {
            len += 1;
        }
        if self.validation != 0 {
            len += 1;
        }
        if self.permanent != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.ErrorCategories", len)?;
        if self.transient != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("transient", ToString::to_string(&self.transient).as_str())?;
        }
        if self.network != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("network", ToString::to_string(&self.network).as_str())?;
        }
        if self.resource != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("resource", ToString::to_string(&self.resource).as_str())?;
        }
        if self.permission != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("permission", ToString::to_string(&self.permission).as_str())?;
        }
        if self.validation != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("validation", ToString::to_string(&self.validation).as_str())?;
        }
        if self.permanent != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("permanent", ToString::to_string(&self.permanent).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ErrorCategories {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "transient",
            "network",
            "resource",
            "permission",
            "validation",
            "permanent",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Transient,
            Network,
            Resource,
            Permission,
            Validation,
            Permanent,
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
                            "transient" => Ok(GeneratedField::Transient),
                            "network" => Ok(GeneratedField::Network),
                            "resource" => Ok(GeneratedField::Resource),
                            "permission" => Ok(GeneratedField::Permission),
                            "validation" => Ok(GeneratedField::Validation),
                            "permanent" => Ok(GeneratedField::Permanent),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ErrorCategories;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.ErrorCategories")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ErrorCategories, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut transient__ = None;
                let mut network__ = None;
                let mut resource__ = None;
                let mut permission__ = None;
                let mut validation__ = None;
                let mut permanent__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Transient => {
                            if transient__.is_some() {
                                return Err(serde::de::Error::duplicate_field("transient"));
                            }
                            transient__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Network => {
                            if network__.is_some() {
                                return Err(serde::de::Error::duplicate_field("network"));
                            }
                            network__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Resource => {
                            if resource__.is_some() {
                                return Err(serde::de::Error::duplicate_field("resource"));
                            }
                            resource__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Permission => {
                            if permission__.is_some() {
                                return Err(serde::de::Error::duplicate_field("permission"));
                            }
                            permission__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Validation => {
                            if validation__.is_some() {
                                return Err(serde::de::Error::duplicate_field("validation"));
                            }
                            validation__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Permanent => {
                            if permanent__.is_some() {
                                return Err(serde::de::Error::duplicate_field("permanent"));
                            }
                            permanent__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(ErrorCategories {
                    transient: transient__.unwrap_or_default(),
                    network: network__.unwrap_or_default(),
                    resource: resource__.unwrap_or_default(),
                    permission: permission__.unwrap_or_default(),
                    validation: validation__.unwrap_or_default(),
                    permanent: permanent__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.ErrorCategories", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ExplainedAttempt {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.attempt != 0 {
            len += 1;
        }
        if !self.delay.is_empty() {
            len += 1;
        }
        if !self.after.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.ExplainedAttempt", len)?;
        if self.attempt != 0 {
            struct_ser.serialize_field("attempt", &self.attempt)?;
        }
        if !self.delay.is_empty() {
            struct_ser.serialize_field("delay", &self.delay)?;
        }
        if !self.after.is_empty() {
            struct_ser.serialize_field("after", &self.after)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ExplainedAttempt {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "attempt",
            "delay",
            "after",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Attempt,
            Delay,
            After,
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
                            "attempt" => Ok(GeneratedField::Attempt),
                            "delay" => Ok(GeneratedField::Delay),
                            "after" => Ok(GeneratedField::After),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ExplainedAttempt;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.ExplainedAttempt")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ExplainedAttempt, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut attempt__ = None;
                let mut delay__ = None;
                let mut after__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Attempt => {
                            if attempt__.is_some() {
                                return Err(serde::de::Error::duplicate_field("attempt"));
                            }
                            attempt__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Delay => {
                            if delay__.is_some() {
                                return Err(serde::de::Error::duplicate_field("delay"));
                            }
                            delay__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::After => {
                            if after__.is_some() {
                                return Err(serde::de::Error::duplicate_field("after"));
                            }
                            after__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(ExplainedAttempt {
                    attempt: attempt__.unwrap_or_default(),
                    delay: delay__.unwrap_or_default(),
                    after: after__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.ExplainedAttempt", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ExtendedItem {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.lease_deadline.is_some() {
            len += 1;
        }
        if self.refused.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.ExtendedItem", len)?;
        if let Some(v) = self.lease_deadline.as_ref() {
            struct_ser.serialize_field("lease_deadline", v)?;
        }
        if let Some(v) = self.refused.as_ref() {
            struct_ser.serialize_field("refused", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ExtendedItem {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "lease_deadline",
            "refused",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            LeaseDeadline,
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
                            "lease_deadline" => Ok(GeneratedField::LeaseDeadline),
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
            type Value = ExtendedItem;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.ExtendedItem")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ExtendedItem, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut lease_deadline__ = None;
                let mut refused__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::LeaseDeadline => {
                            if lease_deadline__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lease_deadline"));
                            }
                            lease_deadline__ = map_.next_value()?;
                        }
                        GeneratedField::Refused => {
                            if refused__.is_some() {
                                return Err(serde::de::Error::duplicate_field("refused"));
                            }
                            refused__ = map_.next_value()?;
                        }
                    }
                }
                Ok(ExtendedItem {
                    lease_deadline: lease_deadline__,
                    refused: refused__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.ExtendedItem", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for FailedRetry {
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
        if !self.error.is_empty() {
            len += 1;
        }
        if !self.category.is_empty() {
            len += 1;
        }
        if !self.status.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.FailedRetry", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.error.is_empty() {
            struct_ser.serialize_field("error", &self.error)?;
        }
        if !self.category.is_empty() {
            struct_ser.serialize_field("category", &self.category)?;
        }
        if !self.status.is_empty() {
            struct_ser.serialize_field("status", &self.status)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for FailedRetry {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "error",
            "category",
            "status",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            Error,
            Category,
            Status,
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
                            "error" => Ok(GeneratedField::Error),
                            "category" => Ok(GeneratedField::Category),
                            "status" => Ok(GeneratedField::Status),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = FailedRetry;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.FailedRetry")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<FailedRetry, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut error__ = None;
                let mut category__ = None;
                let mut status__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
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
                        GeneratedField::Status => {
                            if status__.is_some() {
                                return Err(serde::de::Error::duplicate_field("status"));
                            }
                            status__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(FailedRetry {
                    id: id__.unwrap_or_default(),
                    error: error__.unwrap_or_default(),
                    category: category__.unwrap_or_default(),
                    status: status__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.FailedRetry", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Fault {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.error.is_empty() {
            len += 1;
        }
        if !self.error_type.is_empty() {
            len += 1;
        }
        if self.http_status.is_some() {
            len += 1;
        }
        if self.grpc_status.is_some() {
            len += 1;
        }
        if !self.sqlstate.is_empty() {
            len += 1;
        }
        if !self.category.is_empty() {
            len += 1;
        }
        if !self.code.is_empty() {
            len += 1;
        }
        if !self.io_kind.is_empty() {
            len += 1;
        }
        if !self.causes.is_empty() {
            len += 1;
        }
        if !self.retry_after.is_empty() {
            len += 1;
        }
        if self.rate_limited {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.Fault", len)?;
        if !self.error.is_empty() {
            struct_ser.serialize_field("error", &self.error)?;
        }
        if !self.error_type.is_empty() {
            struct_ser.serialize_field("error_type", &self.error_type)?;
        }
        if let Some(v) = self.http_status.as_ref() {
            struct_ser.serialize_field("http_status", v)?;
        }
        if let Some(v) = self.grpc_status.as_ref() {
            struct_ser.serialize_field("grpc_status", v)?;
        }
        if !self.sqlstate.is_empty() {
            struct_ser.serialize_field("sqlstate", &self.sqlstate)?;
        }
        if !self.category.is_empty() {
            struct_ser.serialize_field("category", &self.category)?;
        }
        if !self.code.is_empty() {
            struct_ser.serialize_field("code", &self.code)?;
        }
        if !self.io_kind.is_empty() {
            struct_ser.serialize_field("io_kind", &self.io_kind)?;
        }
        if !self.causes.is_empty() {
            struct_ser.serialize_field("causes", &self.causes)?;
        }
        if !self.retry_after.is_empty() {
            struct_ser.serialize_field("retry_after", &self.retry_after)?;
        }
        if self.rate_limited {
            struct_ser.serialize_field("rate_limited", &self.rate_limited)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Fault {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "error",
            "error_type",
            "http_status",
            "grpc_status",
            "sqlstate",
            "category",
            "code",
            "io_kind",
            "causes",
            "retry_after",
            "rate_limited",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Error,
            ErrorType,
            HttpStatus,
            GrpcStatus,
            Sqlstate,
            Category,
            Code,
            IoKind,
            Causes,
            RetryAfter,
            RateLimited,
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
                            "error" => Ok(GeneratedField::Error),
                            "error_type" => Ok(GeneratedField::ErrorType),
                            "http_status" => Ok(GeneratedField::HttpStatus),
                            "grpc_status" => Ok(GeneratedField::GrpcStatus),
                            "sqlstate" => Ok(GeneratedField::Sqlstate),
                            "category" => Ok(GeneratedField::Category),
                            "code" => Ok(GeneratedField::Code),
                            "io_kind" => Ok(GeneratedField::IoKind),
                            "causes" => Ok(GeneratedField::Causes),
                            "retry_after" => Ok(GeneratedField::RetryAfter),
                            "rate_limited" => Ok(GeneratedField::RateLimited),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Fault;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Fault")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Fault, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut error__ = None;
                let mut error_type__ = None;
                let mut http_status__ = None;
                let mut grpc_status__ = None;
                let mut sqlstate__ = None;
                let mut category__ = None;
                let mut code__ = None;
                let mut io_kind__ = None;
                let mut causes__ = None;
                let mut retry_after__ = None;
                let mut rate_limited__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Error => {
                            if error__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error"));
                            }
                            error__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::ErrorType => {
                            if error_type__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error_type"));
                            }
                            error_type__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::HttpStatus => {
                            if http_status__.is_some() {
                                return Err(serde::de::Error::duplicate_field("http_status"));
                            }
                            http_status__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::GrpcStatus => {
                            if grpc_status__.is_some() {
                                return Err(serde::de::Error::duplicate_field("grpc_status"));
                            }
                            grpc_status__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Sqlstate => {
                            if sqlstate__.is_some() {
                                return Err(serde::de::Error::duplicate_field("sqlstate"));
                            }
                            sqlstate__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Category => {
                            if category__.is_some() {
                                return Err(serde::de::Error::duplicate_field("category"));
                            }
                            category__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Code => {
                            if code__.is_some() {
                                return Err(serde::de::Error::duplicate_field("code"));
                            }
                            code__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::IoKind => {
                            if io_kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("io_kind"));
                            }
                            io_kind__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Causes => {
                            if causes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("causes"));
                            }
                            causes__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RetryAfter => {
                            if retry_after__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry_after"));
                            }
                            retry_after__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RateLimited => {
                            if rate_limited__.is_some() {
                                return Err(serde::de::Error::duplicate_field("rate_limited"));
                            }
                            rate_limited__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(Fault {
                    error: error__.unwrap_or_default(),
                    error_type: error_type__.unwrap_or_default(),
                    http_status: http_status__,
                    grpc_status: grpc_status__,
                    sqlstate: sqlstate__.unwrap_or_default(),
                    category: category__.unwrap_or_default(),
                    code: code__.unwrap_or_default(),
                    io_kind: io_kind__.unwrap_or_default(),
                    causes: causes__.unwrap_or_default(),
                    retry_after: retry_after__.unwrap_or_default(),
                    rate_limited: rate_limited__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Fault", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for FaultCause {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.error.is_empty() {
            len += 1;
        }
        if !self.error_type.is_empty() {
            len += 1;
        }
        if !self.code.is_empty() {
            len += 1;
        }
        if self.http_status.is_some() {
            len += 1;
        }
        if self.grpc_status.is_some() {
            len += 1;
        }
        if !self.io_kind.is_empty() {
            len += 1;
        }
        if !self.sqlstate.is_empty() {
            len += 1;
        }
        if self.rate_limited {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.FaultCause", len)?;
        if !self.error.is_empty() {
            struct_ser.serialize_field("error", &self.error)?;
        }
        if !self.error_type.is_empty() {
            struct_ser.serialize_field("error_type", &self.error_type)?;
        }
        if !self.code.is_empty() {
            struct_ser.serialize_field("code", &self.code)?;
        }
        if let Some(v) = self.http_status.as_ref() {
            struct_ser.serialize_field("http_status", v)?;
        }
        if let Some(v) = self.grpc_status.as_ref() {
            struct_ser.serialize_field("grpc_status", v)?;
        }
        if !self.io_kind.is_empty() {
            struct_ser.serialize_field("io_kind", &self.io_kind)?;
        }
        if !self.sqlstate.is_empty() {
            struct_ser.serialize_field("sqlstate", &self.sqlstate)?;
        }
        if self.rate_limited {
            struct_ser.serialize_field("rate_limited", &self.rate_limited)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for FaultCause {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "error",
            "error_type",
            "code",
            "http_status",
            "grpc_status",
            "io_kind",
            "sqlstate",
            "rate_limited",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Error,
            ErrorType,
            Code,
            HttpStatus,
            GrpcStatus,
            IoKind,
            Sqlstate,
            RateLimited,
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
                            "error" => Ok(GeneratedField::Error),
                            "error_type" => Ok(GeneratedField::ErrorType),
                            "code" => Ok(GeneratedField::Code),
                            "http_status" => Ok(GeneratedField::HttpStatus),
                            "grpc_status" => Ok(GeneratedField::GrpcStatus),
                            "io_kind" => Ok(GeneratedField::IoKind),
                            "sqlstate" => Ok(GeneratedField::Sqlstate),
                            "rate_limited" => Ok(GeneratedField::RateLimited),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = FaultCause;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.FaultCause")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<FaultCause, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut error__ = None;
                let mut error_type__ = None;
                let mut code__ = None;
                let mut http_status__ = None;
                let mut grpc_status__ = None;
                let mut io_kind__ = None;
                let mut sqlstate__ = None;
                let mut rate_limited__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Error => {
                            if error__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error"));
                            }
                            error__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::ErrorType => {
                            if error_type__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error_type"));
                            }
                            error_type__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Code => {
                            if code__.is_some() {
                                return Err(serde::de::Error::duplicate_field("code"));
                            }
                            code__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::HttpStatus => {
                            if http_status__.is_some() {
                                return Err(serde::de::Error::duplicate_field("http_status"));
                            }
                            http_status__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::GrpcStatus => {
                            if grpc_status__.is_some() {
                                return Err(serde::de::Error::duplicate_field("grpc_status"));
                            }
                            grpc_status__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::IoKind => {
                            if io_kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("io_kind"));
                            }
                            io_kind__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Sqlstate => {
                            if sqlstate__.is_some() {
                                return Err(serde::de::Error::duplicate_field("sqlstate"));
                            }
                            sqlstate__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RateLimited => {
                            if rate_limited__.is_some() {
                                return Err(serde::de::Error::duplicate_field("rate_limited"));
                            }
                            rate_limited__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(FaultCause {
                    error: error__.unwrap_or_default(),
                    error_type: error_type__.unwrap_or_default(),
                    code: code__.unwrap_or_default(),
                    http_status: http_status__,
                    grpc_status: grpc_status__,
                    io_kind: io_kind__.unwrap_or_default(),
                    sqlstate: sqlstate__.unwrap_or_default(),
                    rate_limited: rate_limited__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.FaultCause", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for GroupSample {
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
        if !self.error.is_empty() {
            len += 1;
        }
        if !self.category.is_empty() {
            len += 1;
        }
        if !self.destination.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.GroupSample", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.error.is_empty() {
            struct_ser.serialize_field("error", &self.error)?;
        }
        if !self.category.is_empty() {
            struct_ser.serialize_field("category", &self.category)?;
        }
        if !self.destination.is_empty() {
            struct_ser.serialize_field("destination", &self.destination)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for GroupSample {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "error",
            "category",
            "destination",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            Error,
            Category,
            Destination,
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
                            "error" => Ok(GeneratedField::Error),
                            "category" => Ok(GeneratedField::Category),
                            "destination" => Ok(GeneratedField::Destination),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = GroupSample;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.GroupSample")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<GroupSample, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut error__ = None;
                let mut category__ = None;
                let mut destination__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
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
                        GeneratedField::Destination => {
                            if destination__.is_some() {
                                return Err(serde::de::Error::duplicate_field("destination"));
                            }
                            destination__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(GroupSample {
                    id: id__.unwrap_or_default(),
                    error: error__.unwrap_or_default(),
                    category: category__.unwrap_or_default(),
                    destination: destination__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.GroupSample", FIELDS, GeneratedVisitor)
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
impl serde::Serialize for HeaderList {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.headers.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.HeaderList", len)?;
        if !self.headers.is_empty() {
            struct_ser.serialize_field("headers", &self.headers)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for HeaderList {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "headers",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Headers,
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
                            "headers" => Ok(GeneratedField::Headers),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = HeaderList;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.HeaderList")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<HeaderList, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut headers__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Headers => {
                            if headers__.is_some() {
                                return Err(serde::de::Error::duplicate_field("headers"));
                            }
                            headers__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(HeaderList {
                    headers: headers__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.HeaderList", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for HeldItem {
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
        if !self.id.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.HeldItem", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for HeldItem {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "id",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
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
                            "queue_name" => Ok(GeneratedField::QueueName),
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
            type Value = HeldItem;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.HeldItem")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<HeldItem, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut id__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(HeldItem {
                    queue_name: queue_name__.unwrap_or_default(),
                    id: id__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.HeldItem", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Keep {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.lease_timeout.is_empty() {
            len += 1;
        }
        if self.error.is_some() {
            len += 1;
        }
        if self.verdict.is_some() {
            len += 1;
        }
        if !self.parts.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.Keep", len)?;
        if !self.lease_timeout.is_empty() {
            struct_ser.serialize_field("lease_timeout", &self.lease_timeout)?;
        }
        if let Some(v) = self.error.as_ref() {
            struct_ser.serialize_field("error", v)?;
        }
        if let Some(v) = self.verdict.as_ref() {
            struct_ser.serialize_field("verdict", v)?;
        }
        if !self.parts.is_empty() {
            struct_ser.serialize_field("parts", &self.parts)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Keep {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "lease_timeout",
            "error",
            "verdict",
            "parts",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            LeaseTimeout,
            Error,
            Verdict,
            Parts,
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
                            "lease_timeout" => Ok(GeneratedField::LeaseTimeout),
                            "error" => Ok(GeneratedField::Error),
                            "verdict" => Ok(GeneratedField::Verdict),
                            "parts" => Ok(GeneratedField::Parts),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Keep;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Keep")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Keep, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut lease_timeout__ = None;
                let mut error__ = None;
                let mut verdict__ = None;
                let mut parts__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::LeaseTimeout => {
                            if lease_timeout__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lease_timeout"));
                            }
                            lease_timeout__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Error => {
                            if error__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error"));
                            }
                            error__ = map_.next_value()?;
                        }
                        GeneratedField::Verdict => {
                            if verdict__.is_some() {
                                return Err(serde::de::Error::duplicate_field("verdict"));
                            }
                            verdict__ = map_.next_value()?;
                        }
                        GeneratedField::Parts => {
                            if parts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("parts"));
                            }
                            parts__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(Keep {
                    lease_timeout: lease_timeout__.unwrap_or_default(),
                    error: error__,
                    verdict: verdict__,
                    parts: parts__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Keep", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Letter {
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
        if !self.queue_name.is_empty() {
            len += 1;
        }
        if !self.source_id.is_empty() {
            len += 1;
        }
        if self.generation != 0 {
            len += 1;
        }
        if self.revision != 0 {
            len += 1;
        }
        if !self.status.is_empty() {
            len += 1;
        }
        if !self.category.is_empty() {
            len += 1;
        }
        if !self.retry_policy.is_empty() {
            len += 1;
        }
        if !self.policy_source.is_empty() {
            len += 1;
        }
        if !self.fingerprint.is_empty() {
            len += 1;
        }
        if self.retry_count != 0 {
            len += 1;
        }
        if self.max_retries != 0 {
            len += 1;
        }
        if self.total_attempts != 0 {
            len += 1;
        }
        if !self.priority.is_empty() {
            len += 1;
        }
        if !self.destination.is_empty() {
            len += 1;
        }
        if self.next_retry_at.is_some() {
            len += 1;
        }
        if self.first_failed_at.is_some() {
            len += 1;
        }
        if self.last_failed_at.is_some() {
            len += 1;
        }
        if self.ended_at.is_some() {
            len += 1;
        }
        if self.lease_deadline.is_some() {
            len += 1;
        }
        if self.expire_deadline.is_some() {
            len += 1;
        }
        if self.outcome_unknown {
            len += 1;
        }
        if self.overflow {
            len += 1;
        }
        if !self.before.is_empty() {
            len += 1;
        }
        if self.blocked {
            len += 1;
        }
        if self.damaged {
            len += 1;
        }
        if !self.task_id.is_empty() {
            len += 1;
        }
        if self.failed_at.is_some() {
            len += 1;
        }
        if !self.error_category.is_empty() {
            len += 1;
        }
        if self.exhausted_at.is_some() {
            len += 1;
        }
        if self.completed_at.is_some() {
            len += 1;
        }
        if self.archived_at.is_some() {
            len += 1;
        }
        if !self.archived_from.is_empty() {
            len += 1;
        }
        if self.updated_at.is_some() {
            len += 1;
        }
        if !self.last_error.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.Letter", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.source_id.is_empty() {
            struct_ser.serialize_field("source_id", &self.source_id)?;
        }
        if self.generation != 0 {
            struct_ser.serialize_field("generation", &self.generation)?;
        }
        if self.revision != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("revision", ToString::to_string(&self.revision).as_str())?;
        }
        if !self.status.is_empty() {
            struct_ser.serialize_field("status", &self.status)?;
        }
        if !self.category.is_empty() {
            struct_ser.serialize_field("category", &self.category)?;
        }
        if !self.retry_policy.is_empty() {
            struct_ser.serialize_field("retry_policy", &self.retry_policy)?;
        }
        if !self.policy_source.is_empty() {
            struct_ser.serialize_field("policy_source", &self.policy_source)?;
        }
        if !self.fingerprint.is_empty() {
            struct_ser.serialize_field("fingerprint", &self.fingerprint)?;
        }
        if self.retry_count != 0 {
            struct_ser.serialize_field("retry_count", &self.retry_count)?;
        }
        if self.max_retries != 0 {
            struct_ser.serialize_field("max_retries", &self.max_retries)?;
        }
        if self.total_attempts != 0 {
            struct_ser.serialize_field("total_attempts", &self.total_attempts)?;
        }
        if !self.priority.is_empty() {
            struct_ser.serialize_field("priority", &self.priority)?;
        }
        if !self.destination.is_empty() {
            struct_ser.serialize_field("destination", &self.destination)?;
        }
        if let Some(v) = self.next_retry_at.as_ref() {
            struct_ser.serialize_field("next_retry_at", v)?;
        }
        if let Some(v) = self.first_failed_at.as_ref() {
            struct_ser.serialize_field("first_failed_at", v)?;
        }
        if let Some(v) = self.last_failed_at.as_ref() {
            struct_ser.serialize_field("last_failed_at", v)?;
        }
        if let Some(v) = self.ended_at.as_ref() {
            struct_ser.serialize_field("ended_at", v)?;
        }
        if let Some(v) = self.lease_deadline.as_ref() {
            struct_ser.serialize_field("lease_deadline", v)?;
        }
        if let Some(v) = self.expire_deadline.as_ref() {
            struct_ser.serialize_field("expire_deadline", v)?;
        }
        if self.outcome_unknown {
            struct_ser.serialize_field("outcome_unknown", &self.outcome_unknown)?;
        }
        if self.overflow {
            struct_ser.serialize_field("overflow", &self.overflow)?;
        }
        if !self.before.is_empty() {
            struct_ser.serialize_field("before", &self.before)?;
        }
        if self.blocked {
            struct_ser.serialize_field("blocked", &self.blocked)?;
        }
        if self.damaged {
            struct_ser.serialize_field("damaged", &self.damaged)?;
        }
        if !self.task_id.is_empty() {
            struct_ser.serialize_field("task_id", &self.task_id)?;
        }
        if let Some(v) = self.failed_at.as_ref() {
            struct_ser.serialize_field("failed_at", v)?;
        }
        if !self.error_category.is_empty() {
            struct_ser.serialize_field("error_category", &self.error_category)?;
        }
        if let Some(v) = self.exhausted_at.as_ref() {
            struct_ser.serialize_field("exhausted_at", v)?;
        }
        if let Some(v) = self.completed_at.as_ref() {
            struct_ser.serialize_field("completed_at", v)?;
        }
        if let Some(v) = self.archived_at.as_ref() {
            struct_ser.serialize_field("archived_at", v)?;
        }
        if !self.archived_from.is_empty() {
            struct_ser.serialize_field("archived_from", &self.archived_from)?;
        }
        if let Some(v) = self.updated_at.as_ref() {
            struct_ser.serialize_field("updated_at", v)?;
        }
        if !self.last_error.is_empty() {
            struct_ser.serialize_field("last_error", &self.last_error)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Letter {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "queue_name",
            "source_id",
            "generation",
            "revision",
            "status",
            "category",
            "retry_policy",
            "policy_source",
            "fingerprint",
            "retry_count",
            "max_retries",
            "total_attempts",
            "priority",
            "destination",
            "next_retry_at",
            "first_failed_at",
            "last_failed_at",
            "ended_at",
            "lease_deadline",
            "expire_deadline",
            "outcome_unknown",
            "overflow",
            "before",
            "blocked",
            "damaged",
            "task_id",
            "failed_at",
            "error_category",
            "exhausted_at",
            "completed_at",
            "archived_at",
            "archived_from",
            "updated_at",
            "last_error",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            QueueName,
            SourceId,
            Generation,
            Revision,
            Status,
            Category,
            RetryPolicy,
            PolicySource,
            Fingerprint,
            RetryCount,
            MaxRetries,
            TotalAttempts,
            Priority,
            Destination,
            NextRetryAt,
            FirstFailedAt,
            LastFailedAt,
            EndedAt,
            LeaseDeadline,
            ExpireDeadline,
            OutcomeUnknown,
            Overflow,
            Before,
            Blocked,
            Damaged,
            TaskId,
            FailedAt,
            ErrorCategory,
            ExhaustedAt,
            CompletedAt,
            ArchivedAt,
            ArchivedFrom,
            UpdatedAt,
            LastError,
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
                            "queue_name" => Ok(GeneratedField::QueueName),
                            "source_id" => Ok(GeneratedField::SourceId),
                            "generation" => Ok(GeneratedField::Generation),
                            "revision" => Ok(GeneratedField::Revision),
                            "status" => Ok(GeneratedField::Status),
                            "category" => Ok(GeneratedField::Category),
                            "retry_policy" => Ok(GeneratedField::RetryPolicy),
                            "policy_source" => Ok(GeneratedField::PolicySource),
                            "fingerprint" => Ok(GeneratedField::Fingerprint),
                            "retry_count" => Ok(GeneratedField::RetryCount),
                            "max_retries" => Ok(GeneratedField::MaxRetries),
                            "total_attempts" => Ok(GeneratedField::TotalAttempts),
                            "priority" => Ok(GeneratedField::Priority),
                            "destination" => Ok(GeneratedField::Destination),
                            "next_retry_at" => Ok(GeneratedField::NextRetryAt),
                            "first_failed_at" => Ok(GeneratedField::FirstFailedAt),
                            "last_failed_at" => Ok(GeneratedField::LastFailedAt),
                            "ended_at" => Ok(GeneratedField::EndedAt),
                            "lease_deadline" => Ok(GeneratedField::LeaseDeadline),
                            "expire_deadline" => Ok(GeneratedField::ExpireDeadline),
                            "outcome_unknown" => Ok(GeneratedField::OutcomeUnknown),
                            "overflow" => Ok(GeneratedField::Overflow),
                            "before" => Ok(GeneratedField::Before),
                            "blocked" => Ok(GeneratedField::Blocked),
                            "damaged" => Ok(GeneratedField::Damaged),
                            "task_id" => Ok(GeneratedField::TaskId),
                            "failed_at" => Ok(GeneratedField::FailedAt),
                            "error_category" => Ok(GeneratedField::ErrorCategory),
                            "exhausted_at" => Ok(GeneratedField::ExhaustedAt),
                            "completed_at" => Ok(GeneratedField::CompletedAt),
                            "archived_at" => Ok(GeneratedField::ArchivedAt),
                            "archived_from" => Ok(GeneratedField::ArchivedFrom),
                            "updated_at" => Ok(GeneratedField::UpdatedAt),
                            "last_error" => Ok(GeneratedField::LastError),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Letter;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Letter")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Letter, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut queue_name__ = None;
                let mut source_id__ = None;
                let mut generation__ = None;
                let mut revision__ = None;
                let mut status__ = None;
                let mut category__ = None;
                let mut retry_policy__ = None;
                let mut policy_source__ = None;
                let mut fingerprint__ = None;
                let mut retry_count__ = None;
                let mut max_retries__ = None;
                let mut total_attempts__ = None;
                let mut priority__ = None;
                let mut destination__ = None;
                let mut next_retry_at__ = None;
                let mut first_failed_at__ = None;
                let mut last_failed_at__ = None;
                let mut ended_at__ = None;
                let mut lease_deadline__ = None;
                let mut expire_deadline__ = None;
                let mut outcome_unknown__ = None;
                let mut overflow__ = None;
                let mut before__ = None;
                let mut blocked__ = None;
                let mut damaged__ = None;
                let mut task_id__ = None;
                let mut failed_at__ = None;
                let mut error_category__ = None;
                let mut exhausted_at__ = None;
                let mut completed_at__ = None;
                let mut archived_at__ = None;
                let mut archived_from__ = None;
                let mut updated_at__ = None;
                let mut last_error__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::SourceId => {
                            if source_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("source_id"));
                            }
                            source_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Generation => {
                            if generation__.is_some() {
                                return Err(serde::de::Error::duplicate_field("generation"));
                            }
                            generation__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Revision => {
                            if revision__.is_some() {
                                return Err(serde::de::Error::duplicate_field("revision"));
                            }
                            revision__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Status => {
                            if status__.is_some() {
                                return Err(serde::de::Error::duplicate_field("status"));
                            }
                            status__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Category => {
                            if category__.is_some() {
                                return Err(serde::de::Error::duplicate_field("category"));
                            }
                            category__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RetryPolicy => {
                            if retry_policy__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry_policy"));
                            }
                            retry_policy__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::PolicySource => {
                            if policy_source__.is_some() {
                                return Err(serde::de::Error::duplicate_field("policy_source"));
                            }
                            policy_source__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Fingerprint => {
                            if fingerprint__.is_some() {
                                return Err(serde::de::Error::duplicate_field("fingerprint"));
                            }
                            fingerprint__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RetryCount => {
                            if retry_count__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry_count"));
                            }
                            retry_count__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::MaxRetries => {
                            if max_retries__.is_some() {
                                return Err(serde::de::Error::duplicate_field("max_retries"));
                            }
                            max_retries__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::TotalAttempts => {
                            if total_attempts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("total_attempts"));
                            }
                            total_attempts__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Priority => {
                            if priority__.is_some() {
                                return Err(serde::de::Error::duplicate_field("priority"));
                            }
                            priority__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Destination => {
                            if destination__.is_some() {
                                return Err(serde::de::Error::duplicate_field("destination"));
                            }
                            destination__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::NextRetryAt => {
                            if next_retry_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("next_retry_at"));
                            }
                            next_retry_at__ = map_.next_value()?;
                        }
                        GeneratedField::FirstFailedAt => {
                            if first_failed_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("first_failed_at"));
                            }
                            first_failed_at__ = map_.next_value()?;
                        }
                        GeneratedField::LastFailedAt => {
                            if last_failed_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("last_failed_at"));
                            }
                            last_failed_at__ = map_.next_value()?;
                        }
                        GeneratedField::EndedAt => {
                            if ended_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ended_at"));
                            }
                            ended_at__ = map_.next_value()?;
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
                        GeneratedField::OutcomeUnknown => {
                            if outcome_unknown__.is_some() {
                                return Err(serde::de::Error::duplicate_field("outcome_unknown"));
                            }
                            outcome_unknown__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Overflow => {
                            if overflow__.is_some() {
                                return Err(serde::de::Error::duplicate_field("overflow"));
                            }
                            overflow__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Before => {
                            if before__.is_some() {
                                return Err(serde::de::Error::duplicate_field("before"));
                            }
                            before__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Blocked => {
                            if blocked__.is_some() {
                                return Err(serde::de::Error::duplicate_field("blocked"));
                            }
                            blocked__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Damaged => {
                            if damaged__.is_some() {
                                return Err(serde::de::Error::duplicate_field("damaged"));
                            }
                            damaged__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::TaskId => {
                            if task_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("task_id"));
                            }
                            task_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::FailedAt => {
                            if failed_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("failed_at"));
                            }
                            failed_at__ = map_.next_value()?;
                        }
                        GeneratedField::ErrorCategory => {
                            if error_category__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error_category"));
                            }
                            error_category__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::ExhaustedAt => {
                            if exhausted_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("exhausted_at"));
                            }
                            exhausted_at__ = map_.next_value()?;
                        }
                        GeneratedField::CompletedAt => {
                            if completed_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("completed_at"));
                            }
                            completed_at__ = map_.next_value()?;
                        }
                        GeneratedField::ArchivedAt => {
                            if archived_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("archived_at"));
                            }
                            archived_at__ = map_.next_value()?;
                        }
                        GeneratedField::ArchivedFrom => {
                            if archived_from__.is_some() {
                                return Err(serde::de::Error::duplicate_field("archived_from"));
                            }
                            archived_from__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::UpdatedAt => {
                            if updated_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("updated_at"));
                            }
                            updated_at__ = map_.next_value()?;
                        }
                        GeneratedField::LastError => {
                            if last_error__.is_some() {
                                return Err(serde::de::Error::duplicate_field("last_error"));
                            }
                            last_error__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(Letter {
                    id: id__.unwrap_or_default(),
                    queue_name: queue_name__.unwrap_or_default(),
                    source_id: source_id__.unwrap_or_default(),
                    generation: generation__.unwrap_or_default(),
                    revision: revision__.unwrap_or_default(),
                    status: status__.unwrap_or_default(),
                    category: category__.unwrap_or_default(),
                    retry_policy: retry_policy__.unwrap_or_default(),
                    policy_source: policy_source__.unwrap_or_default(),
                    fingerprint: fingerprint__.unwrap_or_default(),
                    retry_count: retry_count__.unwrap_or_default(),
                    max_retries: max_retries__.unwrap_or_default(),
                    total_attempts: total_attempts__.unwrap_or_default(),
                    priority: priority__.unwrap_or_default(),
                    destination: destination__.unwrap_or_default(),
                    next_retry_at: next_retry_at__,
                    first_failed_at: first_failed_at__,
                    last_failed_at: last_failed_at__,
                    ended_at: ended_at__,
                    lease_deadline: lease_deadline__,
                    expire_deadline: expire_deadline__,
                    outcome_unknown: outcome_unknown__.unwrap_or_default(),
                    overflow: overflow__.unwrap_or_default(),
                    before: before__.unwrap_or_default(),
                    blocked: blocked__.unwrap_or_default(),
                    damaged: damaged__.unwrap_or_default(),
                    task_id: task_id__.unwrap_or_default(),
                    failed_at: failed_at__,
                    error_category: error_category__.unwrap_or_default(),
                    exhausted_at: exhausted_at__,
                    completed_at: completed_at__,
                    archived_at: archived_at__,
                    archived_from: archived_from__.unwrap_or_default(),
                    updated_at: updated_at__,
                    last_error: last_error__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Letter", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LetterAttempt {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.attempt.is_some() {
            len += 1;
        }
        if !self.actor.is_empty() {
            len += 1;
        }
        if !self.handed_back_to.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LetterAttempt", len)?;
        if let Some(v) = self.attempt.as_ref() {
            struct_ser.serialize_field("attempt", v)?;
        }
        if !self.actor.is_empty() {
            struct_ser.serialize_field("actor", &self.actor)?;
        }
        if !self.handed_back_to.is_empty() {
            struct_ser.serialize_field("handed_back_to", &self.handed_back_to)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LetterAttempt {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "attempt",
            "actor",
            "handed_back_to",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Attempt,
            Actor,
            HandedBackTo,
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
                            "attempt" => Ok(GeneratedField::Attempt),
                            "actor" => Ok(GeneratedField::Actor),
                            "handed_back_to" => Ok(GeneratedField::HandedBackTo),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LetterAttempt;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LetterAttempt")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LetterAttempt, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut attempt__ = None;
                let mut actor__ = None;
                let mut handed_back_to__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Attempt => {
                            if attempt__.is_some() {
                                return Err(serde::de::Error::duplicate_field("attempt"));
                            }
                            attempt__ = map_.next_value()?;
                        }
                        GeneratedField::Actor => {
                            if actor__.is_some() {
                                return Err(serde::de::Error::duplicate_field("actor"));
                            }
                            actor__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::HandedBackTo => {
                            if handed_back_to__.is_some() {
                                return Err(serde::de::Error::duplicate_field("handed_back_to"));
                            }
                            handed_back_to__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LetterAttempt {
                    attempt: attempt__,
                    actor: actor__.unwrap_or_default(),
                    handed_back_to: handed_back_to__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LetterAttempt", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LetterGroup {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.fingerprint.is_empty() {
            len += 1;
        }
        if self.count != 0 {
            len += 1;
        }
        if self.first_seen.is_some() {
            len += 1;
        }
        if self.last_seen.is_some() {
            len += 1;
        }
        if self.status_breakdown.is_some() {
            len += 1;
        }
        if self.sample.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LetterGroup", len)?;
        if !self.fingerprint.is_empty() {
            struct_ser.serialize_field("fingerprint", &self.fingerprint)?;
        }
        if self.count != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("count", ToString::to_string(&self.count).as_str())?;
        }
        if let Some(v) = self.first_seen.as_ref() {
            struct_ser.serialize_field("first_seen", v)?;
        }
        if let Some(v) = self.last_seen.as_ref() {
            struct_ser.serialize_field("last_seen", v)?;
        }
        if let Some(v) = self.status_breakdown.as_ref() {
            struct_ser.serialize_field("status_breakdown", v)?;
        }
        if let Some(v) = self.sample.as_ref() {
            struct_ser.serialize_field("sample", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LetterGroup {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "fingerprint",
            "count",
            "first_seen",
            "last_seen",
            "status_breakdown",
            "sample",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Fingerprint,
            Count,
            FirstSeen,
            LastSeen,
            StatusBreakdown,
            Sample,
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
                            "fingerprint" => Ok(GeneratedField::Fingerprint),
                            "count" => Ok(GeneratedField::Count),
                            "first_seen" => Ok(GeneratedField::FirstSeen),
                            "last_seen" => Ok(GeneratedField::LastSeen),
                            "status_breakdown" => Ok(GeneratedField::StatusBreakdown),
                            "sample" => Ok(GeneratedField::Sample),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LetterGroup;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LetterGroup")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LetterGroup, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut fingerprint__ = None;
                let mut count__ = None;
                let mut first_seen__ = None;
                let mut last_seen__ = None;
                let mut status_breakdown__ = None;
                let mut sample__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Fingerprint => {
                            if fingerprint__.is_some() {
                                return Err(serde::de::Error::duplicate_field("fingerprint"));
                            }
                            fingerprint__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Count => {
                            if count__.is_some() {
                                return Err(serde::de::Error::duplicate_field("count"));
                            }
                            count__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::FirstSeen => {
                            if first_seen__.is_some() {
                                return Err(serde::de::Error::duplicate_field("first_seen"));
                            }
                            first_seen__ = map_.next_value()?;
                        }
                        GeneratedField::LastSeen => {
                            if last_seen__.is_some() {
                                return Err(serde::de::Error::duplicate_field("last_seen"));
                            }
                            last_seen__ = map_.next_value()?;
                        }
                        GeneratedField::StatusBreakdown => {
                            if status_breakdown__.is_some() {
                                return Err(serde::de::Error::duplicate_field("status_breakdown"));
                            }
                            status_breakdown__ = map_.next_value()?;
                        }
                        GeneratedField::Sample => {
                            if sample__.is_some() {
                                return Err(serde::de::Error::duplicate_field("sample"));
                            }
                            sample__ = map_.next_value()?;
                        }
                    }
                }
                Ok(LetterGroup {
                    fingerprint: fingerprint__.unwrap_or_default(),
                    count: count__.unwrap_or_default(),
                    first_seen: first_seen__,
                    last_seen: last_seen__,
                    status_breakdown: status_breakdown__,
                    sample: sample__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LetterGroup", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LetterRates {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.enqueued_per_minute != 0. {
            len += 1;
        }
        if self.retry_success_per_minute != 0. {
            len += 1;
        }
        if self.retry_failed_per_minute != 0. {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LetterRates", len)?;
        if self.enqueued_per_minute != 0. {
            struct_ser.serialize_field("enqueued_per_minute", &self.enqueued_per_minute)?;
        }
        if self.retry_success_per_minute != 0. {
            struct_ser.serialize_field("retry_success_per_minute", &self.retry_success_per_minute)?;
        }
        if self.retry_failed_per_minute != 0. {
            struct_ser.serialize_field("retry_failed_per_minute", &self.retry_failed_per_minute)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LetterRates {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "enqueued_per_minute",
            "retry_success_per_minute",
            "retry_failed_per_minute",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            EnqueuedPerMinute,
            RetrySuccessPerMinute,
            RetryFailedPerMinute,
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
                            "enqueued_per_minute" => Ok(GeneratedField::EnqueuedPerMinute),
                            "retry_success_per_minute" => Ok(GeneratedField::RetrySuccessPerMinute),
                            "retry_failed_per_minute" => Ok(GeneratedField::RetryFailedPerMinute),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LetterRates;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LetterRates")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LetterRates, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut enqueued_per_minute__ = None;
                let mut retry_success_per_minute__ = None;
                let mut retry_failed_per_minute__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::EnqueuedPerMinute => {
                            if enqueued_per_minute__.is_some() {
                                return Err(serde::de::Error::duplicate_field("enqueued_per_minute"));
                            }
                            enqueued_per_minute__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::RetrySuccessPerMinute => {
                            if retry_success_per_minute__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry_success_per_minute"));
                            }
                            retry_success_per_minute__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::RetryFailedPerMinute => {
                            if retry_failed_per_minute__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry_failed_per_minute"));
                            }
                            retry_failed_per_minute__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(LetterRates {
                    enqueued_per_minute: enqueued_per_minute__.unwrap_or_default(),
                    retry_success_per_minute: retry_success_per_minute__.unwrap_or_default(),
                    retry_failed_per_minute: retry_failed_per_minute__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LetterRates", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LetterSetting {
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
        if !self.source.is_empty() {
            len += 1;
        }
        if !self.allowed.is_empty() {
            len += 1;
        }
        if !self.description.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LetterSetting", len)?;
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if !self.value.is_empty() {
            struct_ser.serialize_field("value", &self.value)?;
        }
        if !self.source.is_empty() {
            struct_ser.serialize_field("source", &self.source)?;
        }
        if !self.allowed.is_empty() {
            struct_ser.serialize_field("allowed", &self.allowed)?;
        }
        if !self.description.is_empty() {
            struct_ser.serialize_field("description", &self.description)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LetterSetting {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "name",
            "value",
            "source",
            "allowed",
            "description",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Name,
            Value,
            Source,
            Allowed,
            Description,
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
                            "source" => Ok(GeneratedField::Source),
                            "allowed" => Ok(GeneratedField::Allowed),
                            "description" => Ok(GeneratedField::Description),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LetterSetting;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LetterSetting")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LetterSetting, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut name__ = None;
                let mut value__ = None;
                let mut source__ = None;
                let mut allowed__ = None;
                let mut description__ = None;
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
                            value__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Source => {
                            if source__.is_some() {
                                return Err(serde::de::Error::duplicate_field("source"));
                            }
                            source__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Allowed => {
                            if allowed__.is_some() {
                                return Err(serde::de::Error::duplicate_field("allowed"));
                            }
                            allowed__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Description => {
                            if description__.is_some() {
                                return Err(serde::de::Error::duplicate_field("description"));
                            }
                            description__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LetterSetting {
                    name: name__.unwrap_or_default(),
                    value: value__.unwrap_or_default(),
                    source: source__.unwrap_or_default(),
                    allowed: allowed__.unwrap_or_default(),
                    description: description__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LetterSetting", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LetterTemplate {
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
        if !self.regex.is_empty() {
            len += 1;
        }
        if !self.field.is_empty() {
            len += 1;
        }
        if !self.when.is_empty() {
            len += 1;
        }
        if !self.retry_policy.is_empty() {
            len += 1;
        }
        if self.max_retries.is_some() {
            len += 1;
        }
        if !self.route.is_empty() {
            len += 1;
        }
        if !self.note.is_empty() {
            len += 1;
        }
        if self.version != 0 {
            len += 1;
        }
        if self.position != 0 {
            len += 1;
        }
        if !self.category.is_empty() {
            len += 1;
        }
        if !self.delay.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LetterTemplate", len)?;
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if !self.regex.is_empty() {
            struct_ser.serialize_field("regex", &self.regex)?;
        }
        if !self.field.is_empty() {
            struct_ser.serialize_field("field", &self.field)?;
        }
        if !self.when.is_empty() {
            struct_ser.serialize_field("when", &self.when)?;
        }
        if !self.retry_policy.is_empty() {
            struct_ser.serialize_field("retry_policy", &self.retry_policy)?;
        }
        if let Some(v) = self.max_retries.as_ref() {
            struct_ser.serialize_field("max_retries", v)?;
        }
        if !self.route.is_empty() {
            struct_ser.serialize_field("route", &self.route)?;
        }
        if !self.note.is_empty() {
            struct_ser.serialize_field("note", &self.note)?;
        }
        if self.version != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("version", ToString::to_string(&self.version).as_str())?;
        }
        if self.position != 0 {
            struct_ser.serialize_field("position", &self.position)?;
        }
        if !self.category.is_empty() {
            struct_ser.serialize_field("category", &self.category)?;
        }
        if !self.delay.is_empty() {
            struct_ser.serialize_field("delay", &self.delay)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LetterTemplate {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "name",
            "regex",
            "field",
            "when",
            "retry_policy",
            "max_retries",
            "route",
            "note",
            "version",
            "position",
            "category",
            "delay",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Name,
            Regex,
            Field,
            When,
            RetryPolicy,
            MaxRetries,
            Route,
            Note,
            Version,
            Position,
            Category,
            Delay,
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
                            "regex" => Ok(GeneratedField::Regex),
                            "field" => Ok(GeneratedField::Field),
                            "when" => Ok(GeneratedField::When),
                            "retry_policy" => Ok(GeneratedField::RetryPolicy),
                            "max_retries" => Ok(GeneratedField::MaxRetries),
                            "route" => Ok(GeneratedField::Route),
                            "note" => Ok(GeneratedField::Note),
                            "version" => Ok(GeneratedField::Version),
                            "position" => Ok(GeneratedField::Position),
                            "category" => Ok(GeneratedField::Category),
                            "delay" => Ok(GeneratedField::Delay),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LetterTemplate;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LetterTemplate")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LetterTemplate, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut name__ = None;
                let mut regex__ = None;
                let mut field__ = None;
                let mut when__ = None;
                let mut retry_policy__ = None;
                let mut max_retries__ = None;
                let mut route__ = None;
                let mut note__ = None;
                let mut version__ = None;
                let mut position__ = None;
                let mut category__ = None;
                let mut delay__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Name => {
                            if name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("name"));
                            }
                            name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Regex => {
                            if regex__.is_some() {
                                return Err(serde::de::Error::duplicate_field("regex"));
                            }
                            regex__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Field => {
                            if field__.is_some() {
                                return Err(serde::de::Error::duplicate_field("field"));
                            }
                            field__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::When => {
                            if when__.is_some() {
                                return Err(serde::de::Error::duplicate_field("when"));
                            }
                            when__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RetryPolicy => {
                            if retry_policy__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry_policy"));
                            }
                            retry_policy__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::MaxRetries => {
                            if max_retries__.is_some() {
                                return Err(serde::de::Error::duplicate_field("max_retries"));
                            }
                            max_retries__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Route => {
                            if route__.is_some() {
                                return Err(serde::de::Error::duplicate_field("route"));
                            }
                            route__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Note => {
                            if note__.is_some() {
                                return Err(serde::de::Error::duplicate_field("note"));
                            }
                            note__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Version => {
                            if version__.is_some() {
                                return Err(serde::de::Error::duplicate_field("version"));
                            }
                            version__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Position => {
                            if position__.is_some() {
                                return Err(serde::de::Error::duplicate_field("position"));
                            }
                            position__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Category => {
                            if category__.is_some() {
                                return Err(serde::de::Error::duplicate_field("category"));
                            }
                            category__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Delay => {
                            if delay__.is_some() {
                                return Err(serde::de::Error::duplicate_field("delay"));
                            }
                            delay__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LetterTemplate {
                    name: name__.unwrap_or_default(),
                    regex: regex__.unwrap_or_default(),
                    field: field__.unwrap_or_default(),
                    when: when__.unwrap_or_default(),
                    retry_policy: retry_policy__.unwrap_or_default(),
                    max_retries: max_retries__,
                    route: route__.unwrap_or_default(),
                    note: note__.unwrap_or_default(),
                    version: version__.unwrap_or_default(),
                    position: position__.unwrap_or_default(),
                    category: category__.unwrap_or_default(),
                    delay: delay__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LetterTemplate", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersAnnotateRequest {
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
        if !self.id.is_empty() {
            len += 1;
        }
        if !self.text.is_empty() {
            len += 1;
        }
        if !self.tags.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersAnnotateRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.text.is_empty() {
            struct_ser.serialize_field("text", &self.text)?;
        }
        if !self.tags.is_empty() {
            struct_ser.serialize_field("tags", &self.tags)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersAnnotateRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "id",
            "text",
            "tags",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Id,
            Text,
            Tags,
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
                            "id" => Ok(GeneratedField::Id),
                            "text" => Ok(GeneratedField::Text),
                            "tags" => Ok(GeneratedField::Tags),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersAnnotateRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersAnnotateRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersAnnotateRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut id__ = None;
                let mut text__ = None;
                let mut tags__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Text => {
                            if text__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            text__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Tags => {
                            if tags__.is_some() {
                                return Err(serde::de::Error::duplicate_field("tags"));
                            }
                            tags__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersAnnotateRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    id: id__.unwrap_or_default(),
                    text: text__.unwrap_or_default(),
                    tags: tags__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersAnnotateRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersAnnotateResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.note.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersAnnotateResponse", len)?;
        if let Some(v) = self.note.as_ref() {
            struct_ser.serialize_field("note", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersAnnotateResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "note",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Note,
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
                            "note" => Ok(GeneratedField::Note),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersAnnotateResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersAnnotateResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersAnnotateResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut note__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Note => {
                            if note__.is_some() {
                                return Err(serde::de::Error::duplicate_field("note"));
                            }
                            note__ = map_.next_value()?;
                        }
                    }
                }
                Ok(LettersAnnotateResponse {
                    note: note__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersAnnotateResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersArchiveRequest {
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
        if !self.ids.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersArchiveRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.ids.is_empty() {
            struct_ser.serialize_field("ids", &self.ids)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersArchiveRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "ids",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
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
                            "queue_name" => Ok(GeneratedField::QueueName),
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
            type Value = LettersArchiveRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersArchiveRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersArchiveRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut ids__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Ids => {
                            if ids__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ids"));
                            }
                            ids__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersArchiveRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    ids: ids__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersArchiveRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersCancelRequest {
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
        if !self.id.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersCancelRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersCancelRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "id",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
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
                            "queue_name" => Ok(GeneratedField::QueueName),
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
            type Value = LettersCancelRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersCancelRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersCancelRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut id__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersCancelRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    id: id__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersCancelRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersCaptureRequest {
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
        if !self.letters.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersCaptureRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.letters.is_empty() {
            struct_ser.serialize_field("letters", &self.letters)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersCaptureRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "letters",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Letters,
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
                            "letters" => Ok(GeneratedField::Letters),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersCaptureRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersCaptureRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersCaptureRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut letters__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Letters => {
                            if letters__.is_some() {
                                return Err(serde::de::Error::duplicate_field("letters"));
                            }
                            letters__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersCaptureRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    letters: letters__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersCaptureRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersCaptureResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.letters.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersCaptureResponse", len)?;
        if !self.letters.is_empty() {
            struct_ser.serialize_field("letters", &self.letters)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersCaptureResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "letters",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Letters,
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
                            "letters" => Ok(GeneratedField::Letters),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersCaptureResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersCaptureResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersCaptureResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut letters__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Letters => {
                            if letters__.is_some() {
                                return Err(serde::de::Error::duplicate_field("letters"));
                            }
                            letters__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersCaptureResponse {
                    letters: letters__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersCaptureResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersChangedResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.changed != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersChangedResponse", len)?;
        if self.changed != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("changed", ToString::to_string(&self.changed).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersChangedResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "changed",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Changed,
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
                            "changed" => Ok(GeneratedField::Changed),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersChangedResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersChangedResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersChangedResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut changed__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Changed => {
                            if changed__.is_some() {
                                return Err(serde::de::Error::duplicate_field("changed"));
                            }
                            changed__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(LettersChangedResponse {
                    changed: changed__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersChangedResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersConfigureRequest {
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
        if !self.set.is_empty() {
            len += 1;
        }
        if !self.reset.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersConfigureRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.set.is_empty() {
            struct_ser.serialize_field("set", &self.set)?;
        }
        if !self.reset.is_empty() {
            struct_ser.serialize_field("reset", &self.reset)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersConfigureRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "set",
            "reset",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Set,
            Reset,
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
                            "set" => Ok(GeneratedField::Set),
                            "reset" => Ok(GeneratedField::Reset),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersConfigureRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersConfigureRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersConfigureRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut set__ = None;
                let mut reset__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Set => {
                            if set__.is_some() {
                                return Err(serde::de::Error::duplicate_field("set"));
                            }
                            set__ = Some(
                                map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default()
                            );
                        }
                        GeneratedField::Reset => {
                            if reset__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reset"));
                            }
                            reset__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersConfigureRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    set: set__.unwrap_or_default(),
                    reset: reset__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersConfigureRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersConfigureResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.settings.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersConfigureResponse", len)?;
        if !self.settings.is_empty() {
            struct_ser.serialize_field("settings", &self.settings)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersConfigureResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "settings",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Settings,
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
                            "settings" => Ok(GeneratedField::Settings),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersConfigureResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersConfigureResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersConfigureResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut settings__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Settings => {
                            if settings__.is_some() {
                                return Err(serde::de::Error::duplicate_field("settings"));
                            }
                            settings__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersConfigureResponse {
                    settings: settings__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersConfigureResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersConfirmRequest {
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
        if !self.token.is_empty() {
            len += 1;
        }
        if self.rate != 0 {
            len += 1;
        }
        if self.give_up_after_seconds != 0 {
            len += 1;
        }
        if self.wait_seconds != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersConfirmRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.token.is_empty() {
            struct_ser.serialize_field("token", &self.token)?;
        }
        if self.rate != 0 {
            struct_ser.serialize_field("rate", &self.rate)?;
        }
        if self.give_up_after_seconds != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("give_up_after_seconds", ToString::to_string(&self.give_up_after_seconds).as_str())?;
        }
        if self.wait_seconds != 0 {
            struct_ser.serialize_field("wait_seconds", &self.wait_seconds)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersConfirmRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "token",
            "rate",
            "give_up_after_seconds",
            "wait_seconds",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Token,
            Rate,
            GiveUpAfterSeconds,
            WaitSeconds,
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
                            "token" => Ok(GeneratedField::Token),
                            "rate" => Ok(GeneratedField::Rate),
                            "give_up_after_seconds" => Ok(GeneratedField::GiveUpAfterSeconds),
                            "wait_seconds" => Ok(GeneratedField::WaitSeconds),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersConfirmRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersConfirmRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersConfirmRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut token__ = None;
                let mut rate__ = None;
                let mut give_up_after_seconds__ = None;
                let mut wait_seconds__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Token => {
                            if token__.is_some() {
                                return Err(serde::de::Error::duplicate_field("token"));
                            }
                            token__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Rate => {
                            if rate__.is_some() {
                                return Err(serde::de::Error::duplicate_field("rate"));
                            }
                            rate__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::GiveUpAfterSeconds => {
                            if give_up_after_seconds__.is_some() {
                                return Err(serde::de::Error::duplicate_field("give_up_after_seconds"));
                            }
                            give_up_after_seconds__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::WaitSeconds => {
                            if wait_seconds__.is_some() {
                                return Err(serde::de::Error::duplicate_field("wait_seconds"));
                            }
                            wait_seconds__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(LettersConfirmRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    token: token__.unwrap_or_default(),
                    rate: rate__.unwrap_or_default(),
                    give_up_after_seconds: give_up_after_seconds__.unwrap_or_default(),
                    wait_seconds: wait_seconds__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersConfirmRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersEditRequest {
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
        if !self.id.is_empty() {
            len += 1;
        }
        if self.revision != 0 {
            len += 1;
        }
        if self.payload.is_some() {
            len += 1;
        }
        if self.headers.is_some() {
            len += 1;
        }
        if !self.retry_policy.is_empty() {
            len += 1;
        }
        if self.max_retries.is_some() {
            len += 1;
        }
        if !self.priority.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersEditRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if self.revision != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("revision", ToString::to_string(&self.revision).as_str())?;
        }
        if let Some(v) = self.payload.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("payload", pbjson::private::base64::encode(&v).as_str())?;
        }
        if let Some(v) = self.headers.as_ref() {
            struct_ser.serialize_field("headers", v)?;
        }
        if !self.retry_policy.is_empty() {
            struct_ser.serialize_field("retry_policy", &self.retry_policy)?;
        }
        if let Some(v) = self.max_retries.as_ref() {
            struct_ser.serialize_field("max_retries", v)?;
        }
        if !self.priority.is_empty() {
            struct_ser.serialize_field("priority", &self.priority)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersEditRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "id",
            "revision",
            "payload",
            "headers",
            "retry_policy",
            "max_retries",
            "priority",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Id,
            Revision,
            Payload,
            Headers,
            RetryPolicy,
            MaxRetries,
            Priority,
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
                            "id" => Ok(GeneratedField::Id),
                            "revision" => Ok(GeneratedField::Revision),
                            "payload" => Ok(GeneratedField::Payload),
                            "headers" => Ok(GeneratedField::Headers),
                            "retry_policy" => Ok(GeneratedField::RetryPolicy),
                            "max_retries" => Ok(GeneratedField::MaxRetries),
                            "priority" => Ok(GeneratedField::Priority),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersEditRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersEditRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersEditRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut id__ = None;
                let mut revision__ = None;
                let mut payload__ = None;
                let mut headers__ = None;
                let mut retry_policy__ = None;
                let mut max_retries__ = None;
                let mut priority__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Revision => {
                            if revision__.is_some() {
                                return Err(serde::de::Error::duplicate_field("revision"));
                            }
                            revision__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Payload => {
                            if payload__.is_some() {
                                return Err(serde::de::Error::duplicate_field("payload"));
                            }
                            payload__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::BytesDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Headers => {
                            if headers__.is_some() {
                                return Err(serde::de::Error::duplicate_field("headers"));
                            }
                            headers__ = map_.next_value()?;
                        }
                        GeneratedField::RetryPolicy => {
                            if retry_policy__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry_policy"));
                            }
                            retry_policy__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::MaxRetries => {
                            if max_retries__.is_some() {
                                return Err(serde::de::Error::duplicate_field("max_retries"));
                            }
                            max_retries__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Priority => {
                            if priority__.is_some() {
                                return Err(serde::de::Error::duplicate_field("priority"));
                            }
                            priority__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersEditRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    id: id__.unwrap_or_default(),
                    revision: revision__.unwrap_or_default(),
                    payload: payload__,
                    headers: headers__,
                    retry_policy: retry_policy__.unwrap_or_default(),
                    max_retries: max_retries__,
                    priority: priority__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersEditRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersEditResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.letter.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersEditResponse", len)?;
        if let Some(v) = self.letter.as_ref() {
            struct_ser.serialize_field("letter", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersEditResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "letter",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Letter,
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
                            "letter" => Ok(GeneratedField::Letter),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersEditResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersEditResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersEditResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut letter__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Letter => {
                            if letter__.is_some() {
                                return Err(serde::de::Error::duplicate_field("letter"));
                            }
                            letter__ = map_.next_value()?;
                        }
                    }
                }
                Ok(LettersEditResponse {
                    letter: letter__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersEditResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersExplainRequest {
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
        if self.fault.is_some() {
            len += 1;
        }
        if !self.retry_policy.is_empty() {
            len += 1;
        }
        if self.max_retries.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersExplainRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if let Some(v) = self.fault.as_ref() {
            struct_ser.serialize_field("fault", v)?;
        }
        if !self.retry_policy.is_empty() {
            struct_ser.serialize_field("retry_policy", &self.retry_policy)?;
        }
        if let Some(v) = self.max_retries.as_ref() {
            struct_ser.serialize_field("max_retries", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersExplainRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "fault",
            "retry_policy",
            "max_retries",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Fault,
            RetryPolicy,
            MaxRetries,
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
                            "fault" => Ok(GeneratedField::Fault),
                            "retry_policy" => Ok(GeneratedField::RetryPolicy),
                            "max_retries" => Ok(GeneratedField::MaxRetries),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersExplainRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersExplainRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersExplainRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut fault__ = None;
                let mut retry_policy__ = None;
                let mut max_retries__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Fault => {
                            if fault__.is_some() {
                                return Err(serde::de::Error::duplicate_field("fault"));
                            }
                            fault__ = map_.next_value()?;
                        }
                        GeneratedField::RetryPolicy => {
                            if retry_policy__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry_policy"));
                            }
                            retry_policy__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::MaxRetries => {
                            if max_retries__.is_some() {
                                return Err(serde::de::Error::duplicate_field("max_retries"));
                            }
                            max_retries__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                    }
                }
                Ok(LettersExplainRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    fault: fault__,
                    retry_policy: retry_policy__.unwrap_or_default(),
                    max_retries: max_retries__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersExplainRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersExplainResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.category.is_empty() {
            len += 1;
        }
        if !self.rule.is_empty() {
            len += 1;
        }
        if !self.evidence.is_empty() {
            len += 1;
        }
        if !self.fingerprint.is_empty() {
            len += 1;
        }
        if !self.policy.is_empty() {
            len += 1;
        }
        if !self.policy_source.is_empty() {
            len += 1;
        }
        if !self.status.is_empty() {
            len += 1;
        }
        if !self.schedule.is_empty() {
            len += 1;
        }
        if !self.ends.is_empty() {
            len += 1;
        }
        if self.max_retries != 0 {
            len += 1;
        }
        if !self.reason.is_empty() {
            len += 1;
        }
        if !self.template.is_empty() {
            len += 1;
        }
        if !self.broken_template.is_empty() {
            len += 1;
        }
        if !self.broken_rule.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersExplainResponse", len)?;
        if !self.category.is_empty() {
            struct_ser.serialize_field("category", &self.category)?;
        }
        if !self.rule.is_empty() {
            struct_ser.serialize_field("rule", &self.rule)?;
        }
        if !self.evidence.is_empty() {
            struct_ser.serialize_field("evidence", &self.evidence)?;
        }
        if !self.fingerprint.is_empty() {
            struct_ser.serialize_field("fingerprint", &self.fingerprint)?;
        }
        if !self.policy.is_empty() {
            struct_ser.serialize_field("policy", &self.policy)?;
        }
        if !self.policy_source.is_empty() {
            struct_ser.serialize_field("policy_source", &self.policy_source)?;
        }
        if !self.status.is_empty() {
            struct_ser.serialize_field("status", &self.status)?;
        }
        if !self.schedule.is_empty() {
            struct_ser.serialize_field("schedule", &self.schedule)?;
        }
        if !self.ends.is_empty() {
            struct_ser.serialize_field("ends", &self.ends)?;
        }
        if self.max_retries != 0 {
            struct_ser.serialize_field("max_retries", &self.max_retries)?;
        }
        if !self.reason.is_empty() {
            struct_ser.serialize_field("reason", &self.reason)?;
        }
        if !self.template.is_empty() {
            struct_ser.serialize_field("template", &self.template)?;
        }
        if !self.broken_template.is_empty() {
            struct_ser.serialize_field("broken_template", &self.broken_template)?;
        }
        if !self.broken_rule.is_empty() {
            struct_ser.serialize_field("broken_rule", &self.broken_rule)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersExplainResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "category",
            "rule",
            "evidence",
            "fingerprint",
            "policy",
            "policy_source",
            "status",
            "schedule",
            "ends",
            "max_retries",
            "reason",
            "template",
            "broken_template",
            "broken_rule",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Category,
            Rule,
            Evidence,
            Fingerprint,
            Policy,
            PolicySource,
            Status,
            Schedule,
            Ends,
            MaxRetries,
            Reason,
            Template,
            BrokenTemplate,
            BrokenRule,
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
                            "category" => Ok(GeneratedField::Category),
                            "rule" => Ok(GeneratedField::Rule),
                            "evidence" => Ok(GeneratedField::Evidence),
                            "fingerprint" => Ok(GeneratedField::Fingerprint),
                            "policy" => Ok(GeneratedField::Policy),
                            "policy_source" => Ok(GeneratedField::PolicySource),
                            "status" => Ok(GeneratedField::Status),
                            "schedule" => Ok(GeneratedField::Schedule),
                            "ends" => Ok(GeneratedField::Ends),
                            "max_retries" => Ok(GeneratedField::MaxRetries),
                            "reason" => Ok(GeneratedField::Reason),
                            "template" => Ok(GeneratedField::Template),
                            "broken_template" => Ok(GeneratedField::BrokenTemplate),
                            "broken_rule" => Ok(GeneratedField::BrokenRule),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersExplainResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersExplainResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersExplainResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut category__ = None;
                let mut rule__ = None;
                let mut evidence__ = None;
                let mut fingerprint__ = None;
                let mut policy__ = None;
                let mut policy_source__ = None;
                let mut status__ = None;
                let mut schedule__ = None;
                let mut ends__ = None;
                let mut max_retries__ = None;
                let mut reason__ = None;
                let mut template__ = None;
                let mut broken_template__ = None;
                let mut broken_rule__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
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
                        GeneratedField::Evidence => {
                            if evidence__.is_some() {
                                return Err(serde::de::Error::duplicate_field("evidence"));
                            }
                            evidence__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Fingerprint => {
                            if fingerprint__.is_some() {
                                return Err(serde::de::Error::duplicate_field("fingerprint"));
                            }
                            fingerprint__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Policy => {
                            if policy__.is_some() {
                                return Err(serde::de::Error::duplicate_field("policy"));
                            }
                            policy__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::PolicySource => {
                            if policy_source__.is_some() {
                                return Err(serde::de::Error::duplicate_field("policy_source"));
                            }
                            policy_source__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Status => {
                            if status__.is_some() {
                                return Err(serde::de::Error::duplicate_field("status"));
                            }
                            status__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Schedule => {
                            if schedule__.is_some() {
                                return Err(serde::de::Error::duplicate_field("schedule"));
                            }
                            schedule__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Ends => {
                            if ends__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ends"));
                            }
                            ends__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::MaxRetries => {
                            if max_retries__.is_some() {
                                return Err(serde::de::Error::duplicate_field("max_retries"));
                            }
                            max_retries__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Reason => {
                            if reason__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reason"));
                            }
                            reason__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Template => {
                            if template__.is_some() {
                                return Err(serde::de::Error::duplicate_field("template"));
                            }
                            template__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::BrokenTemplate => {
                            if broken_template__.is_some() {
                                return Err(serde::de::Error::duplicate_field("broken_template"));
                            }
                            broken_template__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::BrokenRule => {
                            if broken_rule__.is_some() {
                                return Err(serde::de::Error::duplicate_field("broken_rule"));
                            }
                            broken_rule__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersExplainResponse {
                    category: category__.unwrap_or_default(),
                    rule: rule__.unwrap_or_default(),
                    evidence: evidence__.unwrap_or_default(),
                    fingerprint: fingerprint__.unwrap_or_default(),
                    policy: policy__.unwrap_or_default(),
                    policy_source: policy_source__.unwrap_or_default(),
                    status: status__.unwrap_or_default(),
                    schedule: schedule__.unwrap_or_default(),
                    ends: ends__.unwrap_or_default(),
                    max_retries: max_retries__.unwrap_or_default(),
                    reason: reason__.unwrap_or_default(),
                    template: template__.unwrap_or_default(),
                    broken_template: broken_template__.unwrap_or_default(),
                    broken_rule: broken_rule__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersExplainResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersExportRequest {
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
        if !self.statuses.is_empty() {
            len += 1;
        }
        if !self.filter.is_empty() {
            len += 1;
        }
        if !self.after.is_empty() {
            len += 1;
        }
        if self.limit != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersExportRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.statuses.is_empty() {
            struct_ser.serialize_field("statuses", &self.statuses)?;
        }
        if !self.filter.is_empty() {
            struct_ser.serialize_field("filter", &self.filter)?;
        }
        if !self.after.is_empty() {
            struct_ser.serialize_field("after", &self.after)?;
        }
        if self.limit != 0 {
            struct_ser.serialize_field("limit", &self.limit)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersExportRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "statuses",
            "filter",
            "after",
            "limit",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Statuses,
            Filter,
            After,
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
                            "queue_name" => Ok(GeneratedField::QueueName),
                            "statuses" => Ok(GeneratedField::Statuses),
                            "filter" => Ok(GeneratedField::Filter),
                            "after" => Ok(GeneratedField::After),
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
            type Value = LettersExportRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersExportRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersExportRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut statuses__ = None;
                let mut filter__ = None;
                let mut after__ = None;
                let mut limit__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Statuses => {
                            if statuses__.is_some() {
                                return Err(serde::de::Error::duplicate_field("statuses"));
                            }
                            statuses__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Filter => {
                            if filter__.is_some() {
                                return Err(serde::de::Error::duplicate_field("filter"));
                            }
                            filter__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::After => {
                            if after__.is_some() {
                                return Err(serde::de::Error::duplicate_field("after"));
                            }
                            after__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
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
                Ok(LettersExportRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    statuses: statuses__.unwrap_or_default(),
                    filter: filter__.unwrap_or_default(),
                    after: after__.unwrap_or_default(),
                    limit: limit__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersExportRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersExportResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.lines.is_empty() {
            len += 1;
        }
        if !self.next.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersExportResponse", len)?;
        if !self.lines.is_empty() {
            struct_ser.serialize_field("lines", &self.lines)?;
        }
        if !self.next.is_empty() {
            struct_ser.serialize_field("next", &self.next)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersExportResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "lines",
            "next",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Lines,
            Next,
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
                            "lines" => Ok(GeneratedField::Lines),
                            "next" => Ok(GeneratedField::Next),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersExportResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersExportResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersExportResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut lines__ = None;
                let mut next__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Lines => {
                            if lines__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lines"));
                            }
                            lines__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Next => {
                            if next__.is_some() {
                                return Err(serde::de::Error::duplicate_field("next"));
                            }
                            next__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersExportResponse {
                    lines: lines__.unwrap_or_default(),
                    next: next__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersExportResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersGetRequest {
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
        if !self.id.is_empty() {
            len += 1;
        }
        if self.reveal {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersGetRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if self.reveal {
            struct_ser.serialize_field("reveal", &self.reveal)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersGetRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "id",
            "reveal",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Id,
            Reveal,
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
                            "id" => Ok(GeneratedField::Id),
                            "reveal" => Ok(GeneratedField::Reveal),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersGetRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersGetRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersGetRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut id__ = None;
                let mut reveal__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Reveal => {
                            if reveal__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reveal"));
                            }
                            reveal__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersGetRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    id: id__.unwrap_or_default(),
                    reveal: reveal__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersGetRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersGetResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.letter.is_some() {
            len += 1;
        }
        if self.content.is_some() {
            len += 1;
        }
        if self.original.is_some() {
            len += 1;
        }
        if self.origin.is_some() {
            len += 1;
        }
        if self.death.is_some() {
            len += 1;
        }
        if !self.attempts.is_empty() {
            len += 1;
        }
        if !self.notes.is_empty() {
            len += 1;
        }
        if !self.parts.is_empty() {
            len += 1;
        }
        if !self.metadata.is_empty() {
            len += 1;
        }
        if !self.depends_on.is_empty() {
            len += 1;
        }
        if !self.reply_to.is_empty() {
            len += 1;
        }
        if !self.trace_id.is_empty() {
            len += 1;
        }
        if !self.request_id.is_empty() {
            len += 1;
        }
        if !self.submitted_by.is_empty() {
            len += 1;
        }
        if !self.task.is_empty() {
            len += 1;
        }
        if !self.repos.is_empty() {
            len += 1;
        }
        if !self.failed_repos.is_empty() {
            len += 1;
        }
        if !self.error.is_empty() {
            len += 1;
        }
        if !self.last_error.is_empty() {
            len += 1;
        }
        if !self.matched_rule.is_empty() {
            len += 1;
        }
        if self.now.is_some() {
            len += 1;
        }
        if !self.hands_back_to.is_empty() {
            len += 1;
        }
        if !self.refused.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersGetResponse", len)?;
        if let Some(v) = self.letter.as_ref() {
            struct_ser.serialize_field("letter", v)?;
        }
        if let Some(v) = self.content.as_ref() {
            struct_ser.serialize_field("content", v)?;
        }
        if let Some(v) = self.original.as_ref() {
            struct_ser.serialize_field("original", v)?;
        }
        if let Some(v) = self.origin.as_ref() {
            struct_ser.serialize_field("origin", v)?;
        }
        if let Some(v) = self.death.as_ref() {
            struct_ser.serialize_field("death", v)?;
        }
        if !self.attempts.is_empty() {
            struct_ser.serialize_field("attempts", &self.attempts)?;
        }
        if !self.notes.is_empty() {
            struct_ser.serialize_field("notes", &self.notes)?;
        }
        if !self.parts.is_empty() {
            struct_ser.serialize_field("parts", &self.parts)?;
        }
        if !self.metadata.is_empty() {
            struct_ser.serialize_field("metadata", &self.metadata)?;
        }
        if !self.depends_on.is_empty() {
            struct_ser.serialize_field("depends_on", &self.depends_on)?;
        }
        if !self.reply_to.is_empty() {
            struct_ser.serialize_field("reply_to", &self.reply_to)?;
        }
        if !self.trace_id.is_empty() {
            struct_ser.serialize_field("trace_id", &self.trace_id)?;
        }
        if !self.request_id.is_empty() {
            struct_ser.serialize_field("request_id", &self.request_id)?;
        }
        if !self.submitted_by.is_empty() {
            struct_ser.serialize_field("submitted_by", &self.submitted_by)?;
        }
        if !self.task.is_empty() {
            struct_ser.serialize_field("task", &self.task)?;
        }
        if !self.repos.is_empty() {
            struct_ser.serialize_field("repos", &self.repos)?;
        }
        if !self.failed_repos.is_empty() {
            struct_ser.serialize_field("failed_repos", &self.failed_repos)?;
        }
        if !self.error.is_empty() {
            struct_ser.serialize_field("error", &self.error)?;
        }
        if !self.last_error.is_empty() {
            struct_ser.serialize_field("last_error", &self.last_error)?;
        }
        if !self.matched_rule.is_empty() {
            struct_ser.serialize_field("matched_rule", &self.matched_rule)?;
        }
        if let Some(v) = self.now.as_ref() {
            struct_ser.serialize_field("now", v)?;
        }
        if !self.hands_back_to.is_empty() {
            struct_ser.serialize_field("hands_back_to", &self.hands_back_to)?;
        }
        if !self.refused.is_empty() {
            struct_ser.serialize_field("refused", &self.refused)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersGetResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "letter",
            "content",
            "original",
            "origin",
            "death",
            "attempts",
            "notes",
            "parts",
            "metadata",
            "depends_on",
            "reply_to",
            "trace_id",
            "request_id",
            "submitted_by",
            "task",
            "repos",
            "failed_repos",
            "error",
            "last_error",
            "matched_rule",
            "now",
            "hands_back_to",
            "refused",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Letter,
            Content,
            Original,
            Origin,
            Death,
            Attempts,
            Notes,
            Parts,
            Metadata,
            DependsOn,
            ReplyTo,
            TraceId,
            RequestId,
            SubmittedBy,
            Task,
            Repos,
            FailedRepos,
            Error,
            LastError,
            MatchedRule,
            Now,
            HandsBackTo,
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
                            "letter" => Ok(GeneratedField::Letter),
                            "content" => Ok(GeneratedField::Content),
                            "original" => Ok(GeneratedField::Original),
                            "origin" => Ok(GeneratedField::Origin),
                            "death" => Ok(GeneratedField::Death),
                            "attempts" => Ok(GeneratedField::Attempts),
                            "notes" => Ok(GeneratedField::Notes),
                            "parts" => Ok(GeneratedField::Parts),
                            "metadata" => Ok(GeneratedField::Metadata),
                            "depends_on" => Ok(GeneratedField::DependsOn),
                            "reply_to" => Ok(GeneratedField::ReplyTo),
                            "trace_id" => Ok(GeneratedField::TraceId),
                            "request_id" => Ok(GeneratedField::RequestId),
                            "submitted_by" => Ok(GeneratedField::SubmittedBy),
                            "task" => Ok(GeneratedField::Task),
                            "repos" => Ok(GeneratedField::Repos),
                            "failed_repos" => Ok(GeneratedField::FailedRepos),
                            "error" => Ok(GeneratedField::Error),
                            "last_error" => Ok(GeneratedField::LastError),
                            "matched_rule" => Ok(GeneratedField::MatchedRule),
                            "now" => Ok(GeneratedField::Now),
                            "hands_back_to" => Ok(GeneratedField::HandsBackTo),
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
            type Value = LettersGetResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersGetResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersGetResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut letter__ = None;
                let mut content__ = None;
                let mut original__ = None;
                let mut origin__ = None;
                let mut death__ = None;
                let mut attempts__ = None;
                let mut notes__ = None;
                let mut parts__ = None;
                let mut metadata__ = None;
                let mut depends_on__ = None;
                let mut reply_to__ = None;
                let mut trace_id__ = None;
                let mut request_id__ = None;
                let mut submitted_by__ = None;
                let mut task__ = None;
                let mut repos__ = None;
                let mut failed_repos__ = None;
                let mut error__ = None;
                let mut last_error__ = None;
                let mut matched_rule__ = None;
                let mut now__ = None;
                let mut hands_back_to__ = None;
                let mut refused__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Letter => {
                            if letter__.is_some() {
                                return Err(serde::de::Error::duplicate_field("letter"));
                            }
                            letter__ = map_.next_value()?;
                        }
                        GeneratedField::Content => {
                            if content__.is_some() {
                                return Err(serde::de::Error::duplicate_field("content"));
                            }
                            content__ = map_.next_value()?;
                        }
                        GeneratedField::Original => {
                            if original__.is_some() {
                                return Err(serde::de::Error::duplicate_field("original"));
                            }
                            original__ = map_.next_value()?;
                        }
                        GeneratedField::Origin => {
                            if origin__.is_some() {
                                return Err(serde::de::Error::duplicate_field("origin"));
                            }
                            origin__ = map_.next_value()?;
                        }
                        GeneratedField::Death => {
                            if death__.is_some() {
                                return Err(serde::de::Error::duplicate_field("death"));
                            }
                            death__ = map_.next_value()?;
                        }
                        GeneratedField::Attempts => {
                            if attempts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("attempts"));
                            }
                            attempts__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Notes => {
                            if notes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("notes"));
                            }
                            notes__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Parts => {
                            if parts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("parts"));
                            }
                            parts__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Metadata => {
                            if metadata__.is_some() {
                                return Err(serde::de::Error::duplicate_field("metadata"));
                            }
                            metadata__ = Some(
                                map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default()
                            );
                        }
                        GeneratedField::DependsOn => {
                            if depends_on__.is_some() {
                                return Err(serde::de::Error::duplicate_field("depends_on"));
                            }
                            depends_on__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::ReplyTo => {
                            if reply_to__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reply_to"));
                            }
                            reply_to__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::TraceId => {
                            if trace_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("trace_id"));
                            }
                            trace_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RequestId => {
                            if request_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("request_id"));
                            }
                            request_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::SubmittedBy => {
                            if submitted_by__.is_some() {
                                return Err(serde::de::Error::duplicate_field("submitted_by"));
                            }
                            submitted_by__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Task => {
                            if task__.is_some() {
                                return Err(serde::de::Error::duplicate_field("task"));
                            }
                            task__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Repos => {
                            if repos__.is_some() {
                                return Err(serde::de::Error::duplicate_field("repos"));
                            }
                            repos__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::FailedRepos => {
                            if failed_repos__.is_some() {
                                return Err(serde::de::Error::duplicate_field("failed_repos"));
                            }
                            failed_repos__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Error => {
                            if error__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error"));
                            }
                            error__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::LastError => {
                            if last_error__.is_some() {
                                return Err(serde::de::Error::duplicate_field("last_error"));
                            }
                            last_error__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::MatchedRule => {
                            if matched_rule__.is_some() {
                                return Err(serde::de::Error::duplicate_field("matched_rule"));
                            }
                            matched_rule__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Now => {
                            if now__.is_some() {
                                return Err(serde::de::Error::duplicate_field("now"));
                            }
                            now__ = map_.next_value()?;
                        }
                        GeneratedField::HandsBackTo => {
                            if hands_back_to__.is_some() {
                                return Err(serde::de::Error::duplicate_field("hands_back_to"));
                            }
                            hands_back_to__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Refused => {
                            if refused__.is_some() {
                                return Err(serde::de::Error::duplicate_field("refused"));
                            }
                            refused__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersGetResponse {
                    letter: letter__,
                    content: content__,
                    original: original__,
                    origin: origin__,
                    death: death__,
                    attempts: attempts__.unwrap_or_default(),
                    notes: notes__.unwrap_or_default(),
                    parts: parts__.unwrap_or_default(),
                    metadata: metadata__.unwrap_or_default(),
                    depends_on: depends_on__.unwrap_or_default(),
                    reply_to: reply_to__.unwrap_or_default(),
                    trace_id: trace_id__.unwrap_or_default(),
                    request_id: request_id__.unwrap_or_default(),
                    submitted_by: submitted_by__.unwrap_or_default(),
                    task: task__.unwrap_or_default(),
                    repos: repos__.unwrap_or_default(),
                    failed_repos: failed_repos__.unwrap_or_default(),
                    error: error__.unwrap_or_default(),
                    last_error: last_error__.unwrap_or_default(),
                    matched_rule: matched_rule__.unwrap_or_default(),
                    now: now__,
                    hands_back_to: hands_back_to__.unwrap_or_default(),
                    refused: refused__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersGetResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersGroupsRequest {
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
        if !self.after.is_empty() {
            len += 1;
        }
        if self.limit != 0 {
            len += 1;
        }
        if self.samples {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersGroupsRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.after.is_empty() {
            struct_ser.serialize_field("after", &self.after)?;
        }
        if self.limit != 0 {
            struct_ser.serialize_field("limit", &self.limit)?;
        }
        if self.samples {
            struct_ser.serialize_field("samples", &self.samples)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersGroupsRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "after",
            "limit",
            "samples",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            After,
            Limit,
            Samples,
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
                            "after" => Ok(GeneratedField::After),
                            "limit" => Ok(GeneratedField::Limit),
                            "samples" => Ok(GeneratedField::Samples),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersGroupsRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersGroupsRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersGroupsRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut after__ = None;
                let mut limit__ = None;
                let mut samples__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::After => {
                            if after__.is_some() {
                                return Err(serde::de::Error::duplicate_field("after"));
                            }
                            after__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Limit => {
                            if limit__.is_some() {
                                return Err(serde::de::Error::duplicate_field("limit"));
                            }
                            limit__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Samples => {
                            if samples__.is_some() {
                                return Err(serde::de::Error::duplicate_field("samples"));
                            }
                            samples__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersGroupsRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    after: after__.unwrap_or_default(),
                    limit: limit__.unwrap_or_default(),
                    samples: samples__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersGroupsRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersGroupsResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.groups.is_empty() {
            len += 1;
        }
        if !self.next.is_empty() {
            len += 1;
        }
        if self.now.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersGroupsResponse", len)?;
        if !self.groups.is_empty() {
            struct_ser.serialize_field("groups", &self.groups)?;
        }
        if !self.next.is_empty() {
            struct_ser.serialize_field("next", &self.next)?;
        }
        if let Some(v) = self.now.as_ref() {
            struct_ser.serialize_field("now", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersGroupsResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "groups",
            "next",
            "now",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Groups,
            Next,
            Now,
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
                            "groups" => Ok(GeneratedField::Groups),
                            "next" => Ok(GeneratedField::Next),
                            "now" => Ok(GeneratedField::Now),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersGroupsResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersGroupsResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersGroupsResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut groups__ = None;
                let mut next__ = None;
                let mut now__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Groups => {
                            if groups__.is_some() {
                                return Err(serde::de::Error::duplicate_field("groups"));
                            }
                            groups__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Next => {
                            if next__.is_some() {
                                return Err(serde::de::Error::duplicate_field("next"));
                            }
                            next__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Now => {
                            if now__.is_some() {
                                return Err(serde::de::Error::duplicate_field("now"));
                            }
                            now__ = map_.next_value()?;
                        }
                    }
                }
                Ok(LettersGroupsResponse {
                    groups: groups__.unwrap_or_default(),
                    next: next__.unwrap_or_default(),
                    now: now__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersGroupsResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersImportRequest {
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
        if !self.lines.is_empty() {
            len += 1;
        }
        if self.replace {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersImportRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.lines.is_empty() {
            struct_ser.serialize_field("lines", &self.lines)?;
        }
        if self.replace {
            struct_ser.serialize_field("replace", &self.replace)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersImportRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "lines",
            "replace",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Lines,
            Replace,
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
                            "lines" => Ok(GeneratedField::Lines),
                            "replace" => Ok(GeneratedField::Replace),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersImportRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersImportRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersImportRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut lines__ = None;
                let mut replace__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Lines => {
                            if lines__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lines"));
                            }
                            lines__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Replace => {
                            if replace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("replace"));
                            }
                            replace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersImportRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    lines: lines__.unwrap_or_default(),
                    replace: replace__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersImportRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersImportResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.imported != 0 {
            len += 1;
        }
        if self.there != 0 {
            len += 1;
        }
        if !self.refused.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersImportResponse", len)?;
        if self.imported != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("imported", ToString::to_string(&self.imported).as_str())?;
        }
        if self.there != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("there", ToString::to_string(&self.there).as_str())?;
        }
        if !self.refused.is_empty() {
            struct_ser.serialize_field("refused", &self.refused)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersImportResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "imported",
            "there",
            "refused",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Imported,
            There,
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
                            "imported" => Ok(GeneratedField::Imported),
                            "there" => Ok(GeneratedField::There),
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
            type Value = LettersImportResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersImportResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersImportResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut imported__ = None;
                let mut there__ = None;
                let mut refused__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Imported => {
                            if imported__.is_some() {
                                return Err(serde::de::Error::duplicate_field("imported"));
                            }
                            imported__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::There => {
                            if there__.is_some() {
                                return Err(serde::de::Error::duplicate_field("there"));
                            }
                            there__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Refused => {
                            if refused__.is_some() {
                                return Err(serde::de::Error::duplicate_field("refused"));
                            }
                            refused__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersImportResponse {
                    imported: imported__.unwrap_or_default(),
                    there: there__.unwrap_or_default(),
                    refused: refused__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersImportResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersListRequest {
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
        if !self.statuses.is_empty() {
            len += 1;
        }
        if !self.filter.is_empty() {
            len += 1;
        }
        if !self.after.is_empty() {
            len += 1;
        }
        if self.limit != 0 {
            len += 1;
        }
        if !self.query.is_empty() {
            len += 1;
        }
        if !self.sort.is_empty() {
            len += 1;
        }
        if !self.since.is_empty() {
            len += 1;
        }
        if !self.until.is_empty() {
            len += 1;
        }
        if self.errors {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersListRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.statuses.is_empty() {
            struct_ser.serialize_field("statuses", &self.statuses)?;
        }
        if !self.filter.is_empty() {
            struct_ser.serialize_field("filter", &self.filter)?;
        }
        if !self.after.is_empty() {
            struct_ser.serialize_field("after", &self.after)?;
        }
        if self.limit != 0 {
            struct_ser.serialize_field("limit", &self.limit)?;
        }
        if !self.query.is_empty() {
            struct_ser.serialize_field("query", &self.query)?;
        }
        if !self.sort.is_empty() {
            struct_ser.serialize_field("sort", &self.sort)?;
        }
        if !self.since.is_empty() {
            struct_ser.serialize_field("since", &self.since)?;
        }
        if !self.until.is_empty() {
            struct_ser.serialize_field("until", &self.until)?;
        }
        if self.errors {
            struct_ser.serialize_field("errors", &self.errors)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersListRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "statuses",
            "filter",
            "after",
            "limit",
            "query",
            "sort",
            "since",
            "until",
            "errors",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Statuses,
            Filter,
            After,
            Limit,
            Query,
            Sort,
            Since,
            Until,
            Errors,
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
                            "statuses" => Ok(GeneratedField::Statuses),
                            "filter" => Ok(GeneratedField::Filter),
                            "after" => Ok(GeneratedField::After),
                            "limit" => Ok(GeneratedField::Limit),
                            "query" => Ok(GeneratedField::Query),
                            "sort" => Ok(GeneratedField::Sort),
                            "since" => Ok(GeneratedField::Since),
                            "until" => Ok(GeneratedField::Until),
                            "errors" => Ok(GeneratedField::Errors),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersListRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersListRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersListRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut statuses__ = None;
                let mut filter__ = None;
                let mut after__ = None;
                let mut limit__ = None;
                let mut query__ = None;
                let mut sort__ = None;
                let mut since__ = None;
                let mut until__ = None;
                let mut errors__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Statuses => {
                            if statuses__.is_some() {
                                return Err(serde::de::Error::duplicate_field("statuses"));
                            }
                            statuses__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Filter => {
                            if filter__.is_some() {
                                return Err(serde::de::Error::duplicate_field("filter"));
                            }
                            filter__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::After => {
                            if after__.is_some() {
                                return Err(serde::de::Error::duplicate_field("after"));
                            }
                            after__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Limit => {
                            if limit__.is_some() {
                                return Err(serde::de::Error::duplicate_field("limit"));
                            }
                            limit__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Query => {
                            if query__.is_some() {
                                return Err(serde::de::Error::duplicate_field("query"));
                            }
                            query__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Sort => {
                            if sort__.is_some() {
                                return Err(serde::de::Error::duplicate_field("sort"));
                            }
                            sort__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Since => {
                            if since__.is_some() {
                                return Err(serde::de::Error::duplicate_field("since"));
                            }
                            since__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Until => {
                            if until__.is_some() {
                                return Err(serde::de::Error::duplicate_field("until"));
                            }
                            until__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Errors => {
                            if errors__.is_some() {
                                return Err(serde::de::Error::duplicate_field("errors"));
                            }
                            errors__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersListRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    statuses: statuses__.unwrap_or_default(),
                    filter: filter__.unwrap_or_default(),
                    after: after__.unwrap_or_default(),
                    limit: limit__.unwrap_or_default(),
                    query: query__.unwrap_or_default(),
                    sort: sort__.unwrap_or_default(),
                    since: since__.unwrap_or_default(),
                    until: until__.unwrap_or_default(),
                    errors: errors__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersListRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersListResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.letters.is_empty() {
            len += 1;
        }
        if !self.next.is_empty() {
            len += 1;
        }
        if self.total.is_some() {
            len += 1;
        }
        if self.now.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersListResponse", len)?;
        if !self.letters.is_empty() {
            struct_ser.serialize_field("letters", &self.letters)?;
        }
        if !self.next.is_empty() {
            struct_ser.serialize_field("next", &self.next)?;
        }
        if let Some(v) = self.total.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("total", ToString::to_string(&v).as_str())?;
        }
        if let Some(v) = self.now.as_ref() {
            struct_ser.serialize_field("now", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersListResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "letters",
            "next",
            "total",
            "now",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Letters,
            Next,
            Total,
            Now,
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
                            "letters" => Ok(GeneratedField::Letters),
                            "next" => Ok(GeneratedField::Next),
                            "total" => Ok(GeneratedField::Total),
                            "now" => Ok(GeneratedField::Now),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersListResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersListResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersListResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut letters__ = None;
                let mut next__ = None;
                let mut total__ = None;
                let mut now__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Letters => {
                            if letters__.is_some() {
                                return Err(serde::de::Error::duplicate_field("letters"));
                            }
                            letters__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Next => {
                            if next__.is_some() {
                                return Err(serde::de::Error::duplicate_field("next"));
                            }
                            next__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Total => {
                            if total__.is_some() {
                                return Err(serde::de::Error::duplicate_field("total"));
                            }
                            total__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Now => {
                            if now__.is_some() {
                                return Err(serde::de::Error::duplicate_field("now"));
                            }
                            now__ = map_.next_value()?;
                        }
                    }
                }
                Ok(LettersListResponse {
                    letters: letters__.unwrap_or_default(),
                    next: next__.unwrap_or_default(),
                    total: total__,
                    now: now__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersListResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersPlanRequest {
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
        if !self.action.is_empty() {
            len += 1;
        }
        if !self.filter.is_empty() {
            len += 1;
        }
        if !self.statuses.is_empty() {
            len += 1;
        }
        if !self.all.is_empty() {
            len += 1;
        }
        if self.include_archived {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersPlanRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.action.is_empty() {
            struct_ser.serialize_field("action", &self.action)?;
        }
        if !self.filter.is_empty() {
            struct_ser.serialize_field("filter", &self.filter)?;
        }
        if !self.statuses.is_empty() {
            struct_ser.serialize_field("statuses", &self.statuses)?;
        }
        if !self.all.is_empty() {
            struct_ser.serialize_field("all", &self.all)?;
        }
        if self.include_archived {
            struct_ser.serialize_field("include_archived", &self.include_archived)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersPlanRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "action",
            "filter",
            "statuses",
            "all",
            "include_archived",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Action,
            Filter,
            Statuses,
            All,
            IncludeArchived,
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
                            "action" => Ok(GeneratedField::Action),
                            "filter" => Ok(GeneratedField::Filter),
                            "statuses" => Ok(GeneratedField::Statuses),
                            "all" => Ok(GeneratedField::All),
                            "include_archived" => Ok(GeneratedField::IncludeArchived),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersPlanRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersPlanRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersPlanRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut action__ = None;
                let mut filter__ = None;
                let mut statuses__ = None;
                let mut all__ = None;
                let mut include_archived__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Action => {
                            if action__.is_some() {
                                return Err(serde::de::Error::duplicate_field("action"));
                            }
                            action__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Filter => {
                            if filter__.is_some() {
                                return Err(serde::de::Error::duplicate_field("filter"));
                            }
                            filter__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Statuses => {
                            if statuses__.is_some() {
                                return Err(serde::de::Error::duplicate_field("statuses"));
                            }
                            statuses__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::All => {
                            if all__.is_some() {
                                return Err(serde::de::Error::duplicate_field("all"));
                            }
                            all__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::IncludeArchived => {
                            if include_archived__.is_some() {
                                return Err(serde::de::Error::duplicate_field("include_archived"));
                            }
                            include_archived__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersPlanRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    action: action__.unwrap_or_default(),
                    filter: filter__.unwrap_or_default(),
                    statuses: statuses__.unwrap_or_default(),
                    all: all__.unwrap_or_default(),
                    include_archived: include_archived__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersPlanRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersPlanResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.token.is_empty() {
            len += 1;
        }
        if self.expires_at.is_some() {
            len += 1;
        }
        if self.letters != 0 {
            len += 1;
        }
        if self.status_breakdown.is_some() {
            len += 1;
        }
        if self.ineligible != 0 {
            len += 1;
        }
        if self.more {
            len += 1;
        }
        if !self.digest.is_empty() {
            len += 1;
        }
        if self.no_way_back != 0 {
            len += 1;
        }
        if self.not_letters != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersPlanResponse", len)?;
        if !self.token.is_empty() {
            struct_ser.serialize_field("token", &self.token)?;
        }
        if let Some(v) = self.expires_at.as_ref() {
            struct_ser.serialize_field("expires_at", v)?;
        }
        if self.letters != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("letters", ToString::to_string(&self.letters).as_str())?;
        }
        if let Some(v) = self.status_breakdown.as_ref() {
            struct_ser.serialize_field("status_breakdown", v)?;
        }
        if self.ineligible != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("ineligible", ToString::to_string(&self.ineligible).as_str())?;
        }
        if self.more {
            struct_ser.serialize_field("more", &self.more)?;
        }
        if !self.digest.is_empty() {
            struct_ser.serialize_field("digest", &self.digest)?;
        }
        if self.no_way_back != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("no_way_back", ToString::to_string(&self.no_way_back).as_str())?;
        }
        if self.not_letters != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("not_letters", ToString::to_string(&self.not_letters).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersPlanResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "token",
            "expires_at",
            "letters",
            "status_breakdown",
            "ineligible",
            "more",
            "digest",
            "no_way_back",
            "not_letters",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Token,
            ExpiresAt,
            Letters,
            StatusBreakdown,
            Ineligible,
            More,
            Digest,
            NoWayBack,
            NotLetters,
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
                            "token" => Ok(GeneratedField::Token),
                            "expires_at" => Ok(GeneratedField::ExpiresAt),
                            "letters" => Ok(GeneratedField::Letters),
                            "status_breakdown" => Ok(GeneratedField::StatusBreakdown),
                            "ineligible" => Ok(GeneratedField::Ineligible),
                            "more" => Ok(GeneratedField::More),
                            "digest" => Ok(GeneratedField::Digest),
                            "no_way_back" => Ok(GeneratedField::NoWayBack),
                            "not_letters" => Ok(GeneratedField::NotLetters),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersPlanResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersPlanResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersPlanResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut token__ = None;
                let mut expires_at__ = None;
                let mut letters__ = None;
                let mut status_breakdown__ = None;
                let mut ineligible__ = None;
                let mut more__ = None;
                let mut digest__ = None;
                let mut no_way_back__ = None;
                let mut not_letters__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Token => {
                            if token__.is_some() {
                                return Err(serde::de::Error::duplicate_field("token"));
                            }
                            token__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::ExpiresAt => {
                            if expires_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("expires_at"));
                            }
                            expires_at__ = map_.next_value()?;
                        }
                        GeneratedField::Letters => {
                            if letters__.is_some() {
                                return Err(serde::de::Error::duplicate_field("letters"));
                            }
                            letters__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::StatusBreakdown => {
                            if status_breakdown__.is_some() {
                                return Err(serde::de::Error::duplicate_field("status_breakdown"));
                            }
                            status_breakdown__ = map_.next_value()?;
                        }
                        GeneratedField::Ineligible => {
                            if ineligible__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ineligible"));
                            }
                            ineligible__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::More => {
                            if more__.is_some() {
                                return Err(serde::de::Error::duplicate_field("more"));
                            }
                            more__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Digest => {
                            if digest__.is_some() {
                                return Err(serde::de::Error::duplicate_field("digest"));
                            }
                            digest__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::NoWayBack => {
                            if no_way_back__.is_some() {
                                return Err(serde::de::Error::duplicate_field("no_way_back"));
                            }
                            no_way_back__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::NotLetters => {
                            if not_letters__.is_some() {
                                return Err(serde::de::Error::duplicate_field("not_letters"));
                            }
                            not_letters__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(LettersPlanResponse {
                    token: token__.unwrap_or_default(),
                    expires_at: expires_at__,
                    letters: letters__.unwrap_or_default(),
                    status_breakdown: status_breakdown__,
                    ineligible: ineligible__.unwrap_or_default(),
                    more: more__.unwrap_or_default(),
                    digest: digest__.unwrap_or_default(),
                    no_way_back: no_way_back__.unwrap_or_default(),
                    not_letters: not_letters__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersPlanResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersPreviewRequest {
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
        if self.template.is_some() {
            len += 1;
        }
        if !self.name.is_empty() {
            len += 1;
        }
        if !self.after.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersPreviewRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if let Some(v) = self.template.as_ref() {
            struct_ser.serialize_field("template", v)?;
        }
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if !self.after.is_empty() {
            struct_ser.serialize_field("after", &self.after)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersPreviewRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "template",
            "name",
            "after",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Template,
            Name,
            After,
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
                            "template" => Ok(GeneratedField::Template),
                            "name" => Ok(GeneratedField::Name),
                            "after" => Ok(GeneratedField::After),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersPreviewRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersPreviewRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersPreviewRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut template__ = None;
                let mut name__ = None;
                let mut after__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Template => {
                            if template__.is_some() {
                                return Err(serde::de::Error::duplicate_field("template"));
                            }
                            template__ = map_.next_value()?;
                        }
                        GeneratedField::Name => {
                            if name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("name"));
                            }
                            name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::After => {
                            if after__.is_some() {
                                return Err(serde::de::Error::duplicate_field("after"));
                            }
                            after__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersPreviewRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    template: template__,
                    name: name__.unwrap_or_default(),
                    after: after__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersPreviewRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersPreviewResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.looked_at != 0 {
            len += 1;
        }
        if self.matches != 0 {
            len += 1;
        }
        if self.policy_changes != 0 {
            len += 1;
        }
        if self.max_retries_changes != 0 {
            len += 1;
        }
        if self.route_changes != 0 {
            len += 1;
        }
        if !self.sample.is_empty() {
            len += 1;
        }
        if !self.next.is_empty() {
            len += 1;
        }
        if self.broken != 0 {
            len += 1;
        }
        if self.category_changes != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersPreviewResponse", len)?;
        if self.looked_at != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("looked_at", ToString::to_string(&self.looked_at).as_str())?;
        }
        if self.matches != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("matches", ToString::to_string(&self.matches).as_str())?;
        }
        if self.policy_changes != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("policy_changes", ToString::to_string(&self.policy_changes).as_str())?;
        }
        if self.max_retries_changes != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("max_retries_changes", ToString::to_string(&self.max_retries_changes).as_str())?;
        }
        if self.route_changes != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("route_changes", ToString::to_string(&self.route_changes).as_str())?;
        }
        if !self.sample.is_empty() {
            struct_ser.serialize_field("sample", &self.sample)?;
        }
        if !self.next.is_empty() {
            struct_ser.serialize_field("next", &self.next)?;
        }
        if self.broken != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("broken", ToString::to_string(&self.broken).as_str())?;
        }
        if self.category_changes != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("category_changes", ToString::to_string(&self.category_changes).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersPreviewResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "looked_at",
            "matches",
            "policy_changes",
            "max_retries_changes",
            "route_changes",
            "sample",
            "next",
            "broken",
            "category_changes",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            LookedAt,
            Matches,
            PolicyChanges,
            MaxRetriesChanges,
            RouteChanges,
            Sample,
            Next,
            Broken,
            CategoryChanges,
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
                            "looked_at" => Ok(GeneratedField::LookedAt),
                            "matches" => Ok(GeneratedField::Matches),
                            "policy_changes" => Ok(GeneratedField::PolicyChanges),
                            "max_retries_changes" => Ok(GeneratedField::MaxRetriesChanges),
                            "route_changes" => Ok(GeneratedField::RouteChanges),
                            "sample" => Ok(GeneratedField::Sample),
                            "next" => Ok(GeneratedField::Next),
                            "broken" => Ok(GeneratedField::Broken),
                            "category_changes" => Ok(GeneratedField::CategoryChanges),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersPreviewResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersPreviewResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersPreviewResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut looked_at__ = None;
                let mut matches__ = None;
                let mut policy_changes__ = None;
                let mut max_retries_changes__ = None;
                let mut route_changes__ = None;
                let mut sample__ = None;
                let mut next__ = None;
                let mut broken__ = None;
                let mut category_changes__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::LookedAt => {
                            if looked_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("looked_at"));
                            }
                            looked_at__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Matches => {
                            if matches__.is_some() {
                                return Err(serde::de::Error::duplicate_field("matches"));
                            }
                            matches__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::PolicyChanges => {
                            if policy_changes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("policy_changes"));
                            }
                            policy_changes__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::MaxRetriesChanges => {
                            if max_retries_changes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("max_retries_changes"));
                            }
                            max_retries_changes__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::RouteChanges => {
                            if route_changes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("route_changes"));
                            }
                            route_changes__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Sample => {
                            if sample__.is_some() {
                                return Err(serde::de::Error::duplicate_field("sample"));
                            }
                            sample__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Next => {
                            if next__.is_some() {
                                return Err(serde::de::Error::duplicate_field("next"));
                            }
                            next__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Broken => {
                            if broken__.is_some() {
                                return Err(serde::de::Error::duplicate_field("broken"));
                            }
                            broken__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::CategoryChanges => {
                            if category_changes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("category_changes"));
                            }
                            category_changes__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(LettersPreviewResponse {
                    looked_at: looked_at__.unwrap_or_default(),
                    matches: matches__.unwrap_or_default(),
                    policy_changes: policy_changes__.unwrap_or_default(),
                    max_retries_changes: max_retries_changes__.unwrap_or_default(),
                    route_changes: route_changes__.unwrap_or_default(),
                    sample: sample__.unwrap_or_default(),
                    next: next__.unwrap_or_default(),
                    broken: broken__.unwrap_or_default(),
                    category_changes: category_changes__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersPreviewResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersProcessRequest {
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
        if !self.action.is_empty() {
            len += 1;
        }
        if self.retry_interval_seconds != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersProcessRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.action.is_empty() {
            struct_ser.serialize_field("action", &self.action)?;
        }
        if self.retry_interval_seconds != 0 {
            struct_ser.serialize_field("retry_interval_seconds", &self.retry_interval_seconds)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersProcessRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "action",
            "retry_interval_seconds",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Action,
            RetryIntervalSeconds,
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
                            "action" => Ok(GeneratedField::Action),
                            "retry_interval_seconds" => Ok(GeneratedField::RetryIntervalSeconds),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersProcessRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersProcessRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersProcessRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut action__ = None;
                let mut retry_interval_seconds__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Action => {
                            if action__.is_some() {
                                return Err(serde::de::Error::duplicate_field("action"));
                            }
                            action__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RetryIntervalSeconds => {
                            if retry_interval_seconds__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry_interval_seconds"));
                            }
                            retry_interval_seconds__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(LettersProcessRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    action: action__.unwrap_or_default(),
                    retry_interval_seconds: retry_interval_seconds__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersProcessRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersProcessResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.state.is_empty() {
            len += 1;
        }
        if self.running != 0 {
            len += 1;
        }
        if !self.held.is_empty() {
            len += 1;
        }
        if !self.trouble.is_empty() {
            len += 1;
        }
        if self.report.is_some() {
            len += 1;
        }
        if self.retry_interval_seconds.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersProcessResponse", len)?;
        if !self.state.is_empty() {
            struct_ser.serialize_field("state", &self.state)?;
        }
        if self.running != 0 {
            struct_ser.serialize_field("running", &self.running)?;
        }
        if !self.held.is_empty() {
            struct_ser.serialize_field("held", &self.held)?;
        }
        if !self.trouble.is_empty() {
            struct_ser.serialize_field("trouble", &self.trouble)?;
        }
        if let Some(v) = self.report.as_ref() {
            struct_ser.serialize_field("report", v)?;
        }
        if let Some(v) = self.retry_interval_seconds.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("retry_interval_seconds", ToString::to_string(&v).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersProcessResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "state",
            "running",
            "held",
            "trouble",
            "report",
            "retry_interval_seconds",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            State,
            Running,
            Held,
            Trouble,
            Report,
            RetryIntervalSeconds,
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
                            "state" => Ok(GeneratedField::State),
                            "running" => Ok(GeneratedField::Running),
                            "held" => Ok(GeneratedField::Held),
                            "trouble" => Ok(GeneratedField::Trouble),
                            "report" => Ok(GeneratedField::Report),
                            "retry_interval_seconds" => Ok(GeneratedField::RetryIntervalSeconds),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersProcessResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersProcessResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersProcessResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut state__ = None;
                let mut running__ = None;
                let mut held__ = None;
                let mut trouble__ = None;
                let mut report__ = None;
                let mut retry_interval_seconds__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::State => {
                            if state__.is_some() {
                                return Err(serde::de::Error::duplicate_field("state"));
                            }
                            state__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Running => {
                            if running__.is_some() {
                                return Err(serde::de::Error::duplicate_field("running"));
                            }
                            running__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Held => {
                            if held__.is_some() {
                                return Err(serde::de::Error::duplicate_field("held"));
                            }
                            held__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Trouble => {
                            if trouble__.is_some() {
                                return Err(serde::de::Error::duplicate_field("trouble"));
                            }
                            trouble__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Report => {
                            if report__.is_some() {
                                return Err(serde::de::Error::duplicate_field("report"));
                            }
                            report__ = map_.next_value()?;
                        }
                        GeneratedField::RetryIntervalSeconds => {
                            if retry_interval_seconds__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry_interval_seconds"));
                            }
                            retry_interval_seconds__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                    }
                }
                Ok(LettersProcessResponse {
                    state: state__.unwrap_or_default(),
                    running: running__.unwrap_or_default(),
                    held: held__.unwrap_or_default(),
                    trouble: trouble__.unwrap_or_default(),
                    report: report__,
                    retry_interval_seconds: retry_interval_seconds__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersProcessResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersPurgeRequest {
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
        if !self.ids.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersPurgeRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.ids.is_empty() {
            struct_ser.serialize_field("ids", &self.ids)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersPurgeRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "ids",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
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
                            "queue_name" => Ok(GeneratedField::QueueName),
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
            type Value = LettersPurgeRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersPurgeRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersPurgeRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut ids__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Ids => {
                            if ids__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ids"));
                            }
                            ids__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersPurgeRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    ids: ids__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersPurgeRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersRestoreRequest {
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
        if !self.ids.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersRestoreRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.ids.is_empty() {
            struct_ser.serialize_field("ids", &self.ids)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersRestoreRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "ids",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
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
                            "queue_name" => Ok(GeneratedField::QueueName),
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
            type Value = LettersRestoreRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersRestoreRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersRestoreRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut ids__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Ids => {
                            if ids__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ids"));
                            }
                            ids__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersRestoreRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    ids: ids__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersRestoreRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersResumeRequest {
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
        if !self.ids.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersResumeRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.ids.is_empty() {
            struct_ser.serialize_field("ids", &self.ids)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersResumeRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "ids",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
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
                            "queue_name" => Ok(GeneratedField::QueueName),
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
            type Value = LettersResumeRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersResumeRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersResumeRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut ids__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Ids => {
                            if ids__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ids"));
                            }
                            ids__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersResumeRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    ids: ids__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersResumeRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersRetryRequest {
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
        if !self.id.is_empty() {
            len += 1;
        }
        if self.force {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersRetryRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if self.force {
            struct_ser.serialize_field("force", &self.force)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersRetryRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "id",
            "force",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Id,
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
                            "queue_name" => Ok(GeneratedField::QueueName),
                            "id" => Ok(GeneratedField::Id),
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
            type Value = LettersRetryRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersRetryRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersRetryRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut id__ = None;
                let mut force__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Force => {
                            if force__.is_some() {
                                return Err(serde::de::Error::duplicate_field("force"));
                            }
                            force__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersRetryRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    id: id__.unwrap_or_default(),
                    force: force__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersRetryRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersRetryResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.success {
            len += 1;
        }
        if !self.message.is_empty() {
            len += 1;
        }
        if self.letter.is_some() {
            len += 1;
        }
        if self.attempt.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersRetryResponse", len)?;
        if self.success {
            struct_ser.serialize_field("success", &self.success)?;
        }
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if let Some(v) = self.letter.as_ref() {
            struct_ser.serialize_field("letter", v)?;
        }
        if let Some(v) = self.attempt.as_ref() {
            struct_ser.serialize_field("attempt", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersRetryResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "success",
            "message",
            "letter",
            "attempt",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Success,
            Message,
            Letter,
            Attempt,
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
                            "success" => Ok(GeneratedField::Success),
                            "message" => Ok(GeneratedField::Message),
                            "letter" => Ok(GeneratedField::Letter),
                            "attempt" => Ok(GeneratedField::Attempt),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersRetryResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersRetryResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersRetryResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut success__ = None;
                let mut message__ = None;
                let mut letter__ = None;
                let mut attempt__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Success => {
                            if success__.is_some() {
                                return Err(serde::de::Error::duplicate_field("success"));
                            }
                            success__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Letter => {
                            if letter__.is_some() {
                                return Err(serde::de::Error::duplicate_field("letter"));
                            }
                            letter__ = map_.next_value()?;
                        }
                        GeneratedField::Attempt => {
                            if attempt__.is_some() {
                                return Err(serde::de::Error::duplicate_field("attempt"));
                            }
                            attempt__ = map_.next_value()?;
                        }
                    }
                }
                Ok(LettersRetryResponse {
                    success: success__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                    letter: letter__,
                    attempt: attempt__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersRetryResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersRun {
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
        if !self.queue_name.is_empty() {
            len += 1;
        }
        if !self.action.is_empty() {
            len += 1;
        }
        if !self.state.is_empty() {
            len += 1;
        }
        if !self.cause.is_empty() {
            len += 1;
        }
        if self.letters != 0 {
            len += 1;
        }
        if self.changed != 0 {
            len += 1;
        }
        if self.skipped != 0 {
            len += 1;
        }
        if self.failed != 0 {
            len += 1;
        }
        if self.remaining != 0 {
            len += 1;
        }
        if !self.causes.is_empty() {
            len += 1;
        }
        if !self.user.is_empty() {
            len += 1;
        }
        if !self.user_name.is_empty() {
            len += 1;
        }
        if !self.reason.is_empty() {
            len += 1;
        }
        if self.planned_at.is_some() {
            len += 1;
        }
        if self.confirmed_at.is_some() {
            len += 1;
        }
        if self.ended_at.is_some() {
            len += 1;
        }
        if self.expires_at.is_some() {
            len += 1;
        }
        if !self.digest.is_empty() {
            len += 1;
        }
        if self.rate != 0 {
            len += 1;
        }
        if self.give_up_after_seconds != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersRun", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.action.is_empty() {
            struct_ser.serialize_field("action", &self.action)?;
        }
        if !self.state.is_empty() {
            struct_ser.serialize_field("state", &self.state)?;
        }
        if !self.cause.is_empty() {
            struct_ser.serialize_field("cause", &self.cause)?;
        }
        if self.letters != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("letters", ToString::to_string(&self.letters).as_str())?;
        }
        if self.changed != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("changed", ToString::to_string(&self.changed).as_str())?;
        }
        if self.skipped != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("skipped", ToString::to_string(&self.skipped).as_str())?;
        }
        if self.failed != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("failed", ToString::to_string(&self.failed).as_str())?;
        }
        if self.remaining != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("remaining", ToString::to_string(&self.remaining).as_str())?;
        }
        if !self.causes.is_empty() {
            struct_ser.serialize_field("causes", &self.causes)?;
        }
        if !self.user.is_empty() {
            struct_ser.serialize_field("user", &self.user)?;
        }
        if !self.user_name.is_empty() {
            struct_ser.serialize_field("user_name", &self.user_name)?;
        }
        if !self.reason.is_empty() {
            struct_ser.serialize_field("reason", &self.reason)?;
        }
        if let Some(v) = self.planned_at.as_ref() {
            struct_ser.serialize_field("planned_at", v)?;
        }
        if let Some(v) = self.confirmed_at.as_ref() {
            struct_ser.serialize_field("confirmed_at", v)?;
        }
        if let Some(v) = self.ended_at.as_ref() {
            struct_ser.serialize_field("ended_at", v)?;
        }
        if let Some(v) = self.expires_at.as_ref() {
            struct_ser.serialize_field("expires_at", v)?;
        }
        if !self.digest.is_empty() {
            struct_ser.serialize_field("digest", &self.digest)?;
        }
        if self.rate != 0 {
            struct_ser.serialize_field("rate", &self.rate)?;
        }
        if self.give_up_after_seconds != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("give_up_after_seconds", ToString::to_string(&self.give_up_after_seconds).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersRun {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "queue_name",
            "action",
            "state",
            "cause",
            "letters",
            "changed",
            "skipped",
            "failed",
            "remaining",
            "causes",
            "user",
            "user_name",
            "reason",
            "planned_at",
            "confirmed_at",
            "ended_at",
            "expires_at",
            "digest",
            "rate",
            "give_up_after_seconds",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            QueueName,
            Action,
            State,
            Cause,
            Letters,
            Changed,
            Skipped,
            Failed,
            Remaining,
            Causes,
            User,
            UserName,
            Reason,
            PlannedAt,
            ConfirmedAt,
            EndedAt,
            ExpiresAt,
            Digest,
            Rate,
            GiveUpAfterSeconds,
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
                            "queue_name" => Ok(GeneratedField::QueueName),
                            "action" => Ok(GeneratedField::Action),
                            "state" => Ok(GeneratedField::State),
                            "cause" => Ok(GeneratedField::Cause),
                            "letters" => Ok(GeneratedField::Letters),
                            "changed" => Ok(GeneratedField::Changed),
                            "skipped" => Ok(GeneratedField::Skipped),
                            "failed" => Ok(GeneratedField::Failed),
                            "remaining" => Ok(GeneratedField::Remaining),
                            "causes" => Ok(GeneratedField::Causes),
                            "user" => Ok(GeneratedField::User),
                            "user_name" => Ok(GeneratedField::UserName),
                            "reason" => Ok(GeneratedField::Reason),
                            "planned_at" => Ok(GeneratedField::PlannedAt),
                            "confirmed_at" => Ok(GeneratedField::ConfirmedAt),
                            "ended_at" => Ok(GeneratedField::EndedAt),
                            "expires_at" => Ok(GeneratedField::ExpiresAt),
                            "digest" => Ok(GeneratedField::Digest),
                            "rate" => Ok(GeneratedField::Rate),
                            "give_up_after_seconds" => Ok(GeneratedField::GiveUpAfterSeconds),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersRun;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersRun")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersRun, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut queue_name__ = None;
                let mut action__ = None;
                let mut state__ = None;
                let mut cause__ = None;
                let mut letters__ = None;
                let mut changed__ = None;
                let mut skipped__ = None;
                let mut failed__ = None;
                let mut remaining__ = None;
                let mut causes__ = None;
                let mut user__ = None;
                let mut user_name__ = None;
                let mut reason__ = None;
                let mut planned_at__ = None;
                let mut confirmed_at__ = None;
                let mut ended_at__ = None;
                let mut expires_at__ = None;
                let mut digest__ = None;
                let mut rate__ = None;
                let mut give_up_after_seconds__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Action => {
                            if action__.is_some() {
                                return Err(serde::de::Error::duplicate_field("action"));
                            }
                            action__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::State => {
                            if state__.is_some() {
                                return Err(serde::de::Error::duplicate_field("state"));
                            }
                            state__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Cause => {
                            if cause__.is_some() {
                                return Err(serde::de::Error::duplicate_field("cause"));
                            }
                            cause__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Letters => {
                            if letters__.is_some() {
                                return Err(serde::de::Error::duplicate_field("letters"));
                            }
                            letters__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Changed => {
                            if changed__.is_some() {
                                return Err(serde::de::Error::duplicate_field("changed"));
                            }
                            changed__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Skipped => {
                            if skipped__.is_some() {
                                return Err(serde::de::Error::duplicate_field("skipped"));
                            }
                            skipped__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Failed => {
                            if failed__.is_some() {
                                return Err(serde::de::Error::duplicate_field("failed"));
                            }
                            failed__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Remaining => {
                            if remaining__.is_some() {
                                return Err(serde::de::Error::duplicate_field("remaining"));
                            }
                            remaining__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Causes => {
                            if causes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("causes"));
                            }
                            causes__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::User => {
                            if user__.is_some() {
                                return Err(serde::de::Error::duplicate_field("user"));
                            }
                            user__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::UserName => {
                            if user_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("user_name"));
                            }
                            user_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Reason => {
                            if reason__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reason"));
                            }
                            reason__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::PlannedAt => {
                            if planned_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("planned_at"));
                            }
                            planned_at__ = map_.next_value()?;
                        }
                        GeneratedField::ConfirmedAt => {
                            if confirmed_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("confirmed_at"));
                            }
                            confirmed_at__ = map_.next_value()?;
                        }
                        GeneratedField::EndedAt => {
                            if ended_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ended_at"));
                            }
                            ended_at__ = map_.next_value()?;
                        }
                        GeneratedField::ExpiresAt => {
                            if expires_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("expires_at"));
                            }
                            expires_at__ = map_.next_value()?;
                        }
                        GeneratedField::Digest => {
                            if digest__.is_some() {
                                return Err(serde::de::Error::duplicate_field("digest"));
                            }
                            digest__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Rate => {
                            if rate__.is_some() {
                                return Err(serde::de::Error::duplicate_field("rate"));
                            }
                            rate__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::GiveUpAfterSeconds => {
                            if give_up_after_seconds__.is_some() {
                                return Err(serde::de::Error::duplicate_field("give_up_after_seconds"));
                            }
                            give_up_after_seconds__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(LettersRun {
                    id: id__.unwrap_or_default(),
                    queue_name: queue_name__.unwrap_or_default(),
                    action: action__.unwrap_or_default(),
                    state: state__.unwrap_or_default(),
                    cause: cause__.unwrap_or_default(),
                    letters: letters__.unwrap_or_default(),
                    changed: changed__.unwrap_or_default(),
                    skipped: skipped__.unwrap_or_default(),
                    failed: failed__.unwrap_or_default(),
                    remaining: remaining__.unwrap_or_default(),
                    causes: causes__.unwrap_or_default(),
                    user: user__.unwrap_or_default(),
                    user_name: user_name__.unwrap_or_default(),
                    reason: reason__.unwrap_or_default(),
                    planned_at: planned_at__,
                    confirmed_at: confirmed_at__,
                    ended_at: ended_at__,
                    expires_at: expires_at__,
                    digest: digest__.unwrap_or_default(),
                    rate: rate__.unwrap_or_default(),
                    give_up_after_seconds: give_up_after_seconds__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersRun", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersRunRequest {
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
        if !self.id.is_empty() {
            len += 1;
        }
        if self.wait_seconds != 0 {
            len += 1;
        }
        if self.details {
            len += 1;
        }
        if self.after != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersRunRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if self.wait_seconds != 0 {
            struct_ser.serialize_field("wait_seconds", &self.wait_seconds)?;
        }
        if self.details {
            struct_ser.serialize_field("details", &self.details)?;
        }
        if self.after != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("after", ToString::to_string(&self.after).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersRunRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "id",
            "wait_seconds",
            "details",
            "after",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Id,
            WaitSeconds,
            Details,
            After,
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
                            "id" => Ok(GeneratedField::Id),
                            "wait_seconds" => Ok(GeneratedField::WaitSeconds),
                            "details" => Ok(GeneratedField::Details),
                            "after" => Ok(GeneratedField::After),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersRunRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersRunRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersRunRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut id__ = None;
                let mut wait_seconds__ = None;
                let mut details__ = None;
                let mut after__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::WaitSeconds => {
                            if wait_seconds__.is_some() {
                                return Err(serde::de::Error::duplicate_field("wait_seconds"));
                            }
                            wait_seconds__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Details => {
                            if details__.is_some() {
                                return Err(serde::de::Error::duplicate_field("details"));
                            }
                            details__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::After => {
                            if after__.is_some() {
                                return Err(serde::de::Error::duplicate_field("after"));
                            }
                            after__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(LettersRunRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    id: id__.unwrap_or_default(),
                    wait_seconds: wait_seconds__.unwrap_or_default(),
                    details: details__.unwrap_or_default(),
                    after: after__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersRunRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersRunResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.run.is_some() {
            len += 1;
        }
        if !self.skips.is_empty() {
            len += 1;
        }
        if !self.failures.is_empty() {
            len += 1;
        }
        if self.next != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersRunResponse", len)?;
        if let Some(v) = self.run.as_ref() {
            struct_ser.serialize_field("run", v)?;
        }
        if !self.skips.is_empty() {
            struct_ser.serialize_field("skips", &self.skips)?;
        }
        if !self.failures.is_empty() {
            struct_ser.serialize_field("failures", &self.failures)?;
        }
        if self.next != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("next", ToString::to_string(&self.next).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersRunResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "run",
            "skips",
            "failures",
            "next",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Run,
            Skips,
            Failures,
            Next,
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
                            "run" => Ok(GeneratedField::Run),
                            "skips" => Ok(GeneratedField::Skips),
                            "failures" => Ok(GeneratedField::Failures),
                            "next" => Ok(GeneratedField::Next),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersRunResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersRunResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersRunResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut run__ = None;
                let mut skips__ = None;
                let mut failures__ = None;
                let mut next__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Run => {
                            if run__.is_some() {
                                return Err(serde::de::Error::duplicate_field("run"));
                            }
                            run__ = map_.next_value()?;
                        }
                        GeneratedField::Skips => {
                            if skips__.is_some() {
                                return Err(serde::de::Error::duplicate_field("skips"));
                            }
                            skips__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Failures => {
                            if failures__.is_some() {
                                return Err(serde::de::Error::duplicate_field("failures"));
                            }
                            failures__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Next => {
                            if next__.is_some() {
                                return Err(serde::de::Error::duplicate_field("next"));
                            }
                            next__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(LettersRunResponse {
                    run: run__,
                    skips: skips__.unwrap_or_default(),
                    failures: failures__.unwrap_or_default(),
                    next: next__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersRunResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersRunsRequest {
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
        if self.limit != 0 {
            len += 1;
        }
        if !self.before.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersRunsRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if self.limit != 0 {
            struct_ser.serialize_field("limit", &self.limit)?;
        }
        if !self.before.is_empty() {
            struct_ser.serialize_field("before", &self.before)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersRunsRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "limit",
            "before",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Limit,
            Before,
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
                            "limit" => Ok(GeneratedField::Limit),
                            "before" => Ok(GeneratedField::Before),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersRunsRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersRunsRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersRunsRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut limit__ = None;
                let mut before__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Limit => {
                            if limit__.is_some() {
                                return Err(serde::de::Error::duplicate_field("limit"));
                            }
                            limit__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Before => {
                            if before__.is_some() {
                                return Err(serde::de::Error::duplicate_field("before"));
                            }
                            before__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersRunsRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    limit: limit__.unwrap_or_default(),
                    before: before__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersRunsRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersRunsResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.runs.is_empty() {
            len += 1;
        }
        if self.more {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersRunsResponse", len)?;
        if !self.runs.is_empty() {
            struct_ser.serialize_field("runs", &self.runs)?;
        }
        if self.more {
            struct_ser.serialize_field("more", &self.more)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersRunsResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "runs",
            "more",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Runs,
            More,
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
                            "runs" => Ok(GeneratedField::Runs),
                            "more" => Ok(GeneratedField::More),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersRunsResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersRunsResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersRunsResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut runs__ = None;
                let mut more__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Runs => {
                            if runs__.is_some() {
                                return Err(serde::de::Error::duplicate_field("runs"));
                            }
                            runs__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::More => {
                            if more__.is_some() {
                                return Err(serde::de::Error::duplicate_field("more"));
                            }
                            more__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersRunsResponse {
                    runs: runs__.unwrap_or_default(),
                    more: more__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersRunsResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersStatsRequest {
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
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersStatsRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersStatsRequest {
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
            type Value = LettersStatsRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersStatsRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersStatsRequest, V::Error>
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
                Ok(LettersStatsRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersStatsRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersStatsResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.queue_size != 0 {
            len += 1;
        }
        if self.max_size.is_some() {
            len += 1;
        }
        if self.utilization_percent != 0. {
            len += 1;
        }
        if self.status_breakdown.is_some() {
            len += 1;
        }
        if self.error_categories.is_some() {
            len += 1;
        }
        if self.retry_policies.is_some() {
            len += 1;
        }
        if self.lifetime_stats.is_some() {
            len += 1;
        }
        if self.since_start.is_some() {
            len += 1;
        }
        if self.by_trigger.is_some() {
            len += 1;
        }
        if self.is_processor_running {
            len += 1;
        }
        if self.retry_interval_seconds.is_some() {
            len += 1;
        }
        if self.oldest_pending_seconds != 0 {
            len += 1;
        }
        if self.next_due_at.is_some() {
            len += 1;
        }
        if self.overdue != 0 {
            len += 1;
        }
        if self.blocked != 0 {
            len += 1;
        }
        if !self.degraded.is_empty() {
            len += 1;
        }
        if self.projection.is_some() {
            len += 1;
        }
        if self.unaccounted != 0 {
            len += 1;
        }
        if self.retry_success_percent.is_some() {
            len += 1;
        }
        if self.rates.is_some() {
            len += 1;
        }
        if !self.processor_state.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersStatsResponse", len)?;
        if self.queue_size != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("queue_size", ToString::to_string(&self.queue_size).as_str())?;
        }
        if let Some(v) = self.max_size.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("max_size", ToString::to_string(&v).as_str())?;
        }
        if self.utilization_percent != 0. {
            struct_ser.serialize_field("utilization_percent", &self.utilization_percent)?;
        }
        if let Some(v) = self.status_breakdown.as_ref() {
            struct_ser.serialize_field("status_breakdown", v)?;
        }
        if let Some(v) = self.error_categories.as_ref() {
            struct_ser.serialize_field("error_categories", v)?;
        }
        if let Some(v) = self.retry_policies.as_ref() {
            struct_ser.serialize_field("retry_policies", v)?;
        }
        if let Some(v) = self.lifetime_stats.as_ref() {
            struct_ser.serialize_field("lifetime_stats", v)?;
        }
        if let Some(v) = self.since_start.as_ref() {
            struct_ser.serialize_field("since_start", v)?;
        }
        if let Some(v) = self.by_trigger.as_ref() {
            struct_ser.serialize_field("by_trigger", v)?;
        }
        if self.is_processor_running {
            struct_ser.serialize_field("is_processor_running", &self.is_processor_running)?;
        }
        if let Some(v) = self.retry_interval_seconds.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("retry_interval_seconds", ToString::to_string(&v).as_str())?;
        }
        if self.oldest_pending_seconds != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("oldest_pending_seconds", ToString::to_string(&self.oldest_pending_seconds).as_str())?;
        }
        if let Some(v) = self.next_due_at.as_ref() {
            struct_ser.serialize_field("next_due_at", v)?;
        }
        if self.overdue != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("overdue", ToString::to_string(&self.overdue).as_str())?;
        }
        if self.blocked != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("blocked", ToString::to_string(&self.blocked).as_str())?;
        }
        if !self.degraded.is_empty() {
            struct_ser.serialize_field("degraded", &self.degraded)?;
        }
        if let Some(v) = self.projection.as_ref() {
            struct_ser.serialize_field("projection", v)?;
        }
        if self.unaccounted != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("unaccounted", ToString::to_string(&self.unaccounted).as_str())?;
        }
        if let Some(v) = self.retry_success_percent.as_ref() {
            struct_ser.serialize_field("retry_success_percent", v)?;
        }
        if let Some(v) = self.rates.as_ref() {
            struct_ser.serialize_field("rates", v)?;
        }
        if !self.processor_state.is_empty() {
            struct_ser.serialize_field("processor_state", &self.processor_state)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersStatsResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_size",
            "max_size",
            "utilization_percent",
            "status_breakdown",
            "error_categories",
            "retry_policies",
            "lifetime_stats",
            "since_start",
            "by_trigger",
            "is_processor_running",
            "retry_interval_seconds",
            "oldest_pending_seconds",
            "next_due_at",
            "overdue",
            "blocked",
            "degraded",
            "projection",
            "unaccounted",
            "retry_success_percent",
            "rates",
            "processor_state",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueSize,
            MaxSize,
            UtilizationPercent,
            StatusBreakdown,
            ErrorCategories,
            RetryPolicies,
            LifetimeStats,
            SinceStart,
            ByTrigger,
            IsProcessorRunning,
            RetryIntervalSeconds,
            OldestPendingSeconds,
            NextDueAt,
            Overdue,
            Blocked,
            Degraded,
            Projection,
            Unaccounted,
            RetrySuccessPercent,
            Rates,
            ProcessorState,
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
                            "queue_size" => Ok(GeneratedField::QueueSize),
                            "max_size" => Ok(GeneratedField::MaxSize),
                            "utilization_percent" => Ok(GeneratedField::UtilizationPercent),
                            "status_breakdown" => Ok(GeneratedField::StatusBreakdown),
                            "error_categories" => Ok(GeneratedField::ErrorCategories),
                            "retry_policies" => Ok(GeneratedField::RetryPolicies),
                            "lifetime_stats" => Ok(GeneratedField::LifetimeStats),
                            "since_start" => Ok(GeneratedField::SinceStart),
                            "by_trigger" => Ok(GeneratedField::ByTrigger),
                            "is_processor_running" => Ok(GeneratedField::IsProcessorRunning),
                            "retry_interval_seconds" => Ok(GeneratedField::RetryIntervalSeconds),
                            "oldest_pending_seconds" => Ok(GeneratedField::OldestPendingSeconds),
                            "next_due_at" => Ok(GeneratedField::NextDueAt),
                            "overdue" => Ok(GeneratedField::Overdue),
                            "blocked" => Ok(GeneratedField::Blocked),
                            "degraded" => Ok(GeneratedField::Degraded),
                            "projection" => Ok(GeneratedField::Projection),
                            "unaccounted" => Ok(GeneratedField::Unaccounted),
                            "retry_success_percent" => Ok(GeneratedField::RetrySuccessPercent),
                            "rates" => Ok(GeneratedField::Rates),
                            "processor_state" => Ok(GeneratedField::ProcessorState),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersStatsResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersStatsResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersStatsResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_size__ = None;
                let mut max_size__ = None;
                let mut utilization_percent__ = None;
                let mut status_breakdown__ = None;
                let mut error_categories__ = None;
                let mut retry_policies__ = None;
                let mut lifetime_stats__ = None;
                let mut since_start__ = None;
                let mut by_trigger__ = None;
                let mut is_processor_running__ = None;
                let mut retry_interval_seconds__ = None;
                let mut oldest_pending_seconds__ = None;
                let mut next_due_at__ = None;
                let mut overdue__ = None;
                let mut blocked__ = None;
                let mut degraded__ = None;
                let mut projection__ = None;
                let mut unaccounted__ = None;
                let mut retry_success_percent__ = None;
                let mut rates__ = None;
                let mut processor_state__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueSize => {
                            if queue_size__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_size"));
                            }
                            queue_size__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::MaxSize => {
                            if max_size__.is_some() {
                                return Err(serde::de::Error::duplicate_field("max_size"));
                            }
                            max_size__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::UtilizationPercent => {
                            if utilization_percent__.is_some() {
                                return Err(serde::de::Error::duplicate_field("utilization_percent"));
                            }
                            utilization_percent__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::StatusBreakdown => {
                            if status_breakdown__.is_some() {
                                return Err(serde::de::Error::duplicate_field("status_breakdown"));
                            }
                            status_breakdown__ = map_.next_value()?;
                        }
                        GeneratedField::ErrorCategories => {
                            if error_categories__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error_categories"));
                            }
                            error_categories__ = map_.next_value()?;
                        }
                        GeneratedField::RetryPolicies => {
                            if retry_policies__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry_policies"));
                            }
                            retry_policies__ = map_.next_value()?;
                        }
                        GeneratedField::LifetimeStats => {
                            if lifetime_stats__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lifetime_stats"));
                            }
                            lifetime_stats__ = map_.next_value()?;
                        }
                        GeneratedField::SinceStart => {
                            if since_start__.is_some() {
                                return Err(serde::de::Error::duplicate_field("since_start"));
                            }
                            since_start__ = map_.next_value()?;
                        }
                        GeneratedField::ByTrigger => {
                            if by_trigger__.is_some() {
                                return Err(serde::de::Error::duplicate_field("by_trigger"));
                            }
                            by_trigger__ = map_.next_value()?;
                        }
                        GeneratedField::IsProcessorRunning => {
                            if is_processor_running__.is_some() {
                                return Err(serde::de::Error::duplicate_field("is_processor_running"));
                            }
                            is_processor_running__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RetryIntervalSeconds => {
                            if retry_interval_seconds__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry_interval_seconds"));
                            }
                            retry_interval_seconds__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::OldestPendingSeconds => {
                            if oldest_pending_seconds__.is_some() {
                                return Err(serde::de::Error::duplicate_field("oldest_pending_seconds"));
                            }
                            oldest_pending_seconds__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::NextDueAt => {
                            if next_due_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("next_due_at"));
                            }
                            next_due_at__ = map_.next_value()?;
                        }
                        GeneratedField::Overdue => {
                            if overdue__.is_some() {
                                return Err(serde::de::Error::duplicate_field("overdue"));
                            }
                            overdue__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Blocked => {
                            if blocked__.is_some() {
                                return Err(serde::de::Error::duplicate_field("blocked"));
                            }
                            blocked__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Degraded => {
                            if degraded__.is_some() {
                                return Err(serde::de::Error::duplicate_field("degraded"));
                            }
                            degraded__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Projection => {
                            if projection__.is_some() {
                                return Err(serde::de::Error::duplicate_field("projection"));
                            }
                            projection__ = map_.next_value()?;
                        }
                        GeneratedField::Unaccounted => {
                            if unaccounted__.is_some() {
                                return Err(serde::de::Error::duplicate_field("unaccounted"));
                            }
                            unaccounted__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::RetrySuccessPercent => {
                            if retry_success_percent__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry_success_percent"));
                            }
                            retry_success_percent__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Rates => {
                            if rates__.is_some() {
                                return Err(serde::de::Error::duplicate_field("rates"));
                            }
                            rates__ = map_.next_value()?;
                        }
                        GeneratedField::ProcessorState => {
                            if processor_state__.is_some() {
                                return Err(serde::de::Error::duplicate_field("processor_state"));
                            }
                            processor_state__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(LettersStatsResponse {
                    queue_size: queue_size__.unwrap_or_default(),
                    max_size: max_size__,
                    utilization_percent: utilization_percent__.unwrap_or_default(),
                    status_breakdown: status_breakdown__,
                    error_categories: error_categories__,
                    retry_policies: retry_policies__,
                    lifetime_stats: lifetime_stats__,
                    since_start: since_start__,
                    by_trigger: by_trigger__,
                    is_processor_running: is_processor_running__.unwrap_or_default(),
                    retry_interval_seconds: retry_interval_seconds__,
                    oldest_pending_seconds: oldest_pending_seconds__.unwrap_or_default(),
                    next_due_at: next_due_at__,
                    overdue: overdue__.unwrap_or_default(),
                    blocked: blocked__.unwrap_or_default(),
                    degraded: degraded__.unwrap_or_default(),
                    projection: projection__,
                    unaccounted: unaccounted__.unwrap_or_default(),
                    retry_success_percent: retry_success_percent__,
                    rates: rates__,
                    processor_state: processor_state__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersStatsResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersTemplatesRequest {
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
        if self.set.is_some() {
            len += 1;
        }
        if !self.remove.is_empty() {
            len += 1;
        }
        if self.version != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersTemplatesRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if let Some(v) = self.set.as_ref() {
            struct_ser.serialize_field("set", v)?;
        }
        if !self.remove.is_empty() {
            struct_ser.serialize_field("remove", &self.remove)?;
        }
        if self.version != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("version", ToString::to_string(&self.version).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersTemplatesRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "set",
            "remove",
            "version",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Set,
            Remove,
            Version,
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
                            "set" => Ok(GeneratedField::Set),
                            "remove" => Ok(GeneratedField::Remove),
                            "version" => Ok(GeneratedField::Version),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersTemplatesRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersTemplatesRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersTemplatesRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut set__ = None;
                let mut remove__ = None;
                let mut version__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Set => {
                            if set__.is_some() {
                                return Err(serde::de::Error::duplicate_field("set"));
                            }
                            set__ = map_.next_value()?;
                        }
                        GeneratedField::Remove => {
                            if remove__.is_some() {
                                return Err(serde::de::Error::duplicate_field("remove"));
                            }
                            remove__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Version => {
                            if version__.is_some() {
                                return Err(serde::de::Error::duplicate_field("version"));
                            }
                            version__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(LettersTemplatesRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    set: set__,
                    remove: remove__.unwrap_or_default(),
                    version: version__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersTemplatesRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LettersTemplatesResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.templates.is_empty() {
            len += 1;
        }
        if self.version != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LettersTemplatesResponse", len)?;
        if !self.templates.is_empty() {
            struct_ser.serialize_field("templates", &self.templates)?;
        }
        if self.version != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("version", ToString::to_string(&self.version).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LettersTemplatesResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "templates",
            "version",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Templates,
            Version,
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
                            "templates" => Ok(GeneratedField::Templates),
                            "version" => Ok(GeneratedField::Version),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LettersTemplatesResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LettersTemplatesResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LettersTemplatesResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut templates__ = None;
                let mut version__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Templates => {
                            if templates__.is_some() {
                                return Err(serde::de::Error::duplicate_field("templates"));
                            }
                            templates__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Version => {
                            if version__.is_some() {
                                return Err(serde::de::Error::duplicate_field("version"));
                            }
                            version__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(LettersTemplatesResponse {
                    templates: templates__.unwrap_or_default(),
                    version: version__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LettersTemplatesResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LifetimeStats {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.enqueued_total != 0 {
            len += 1;
        }
        if self.retry_success != 0 {
            len += 1;
        }
        if self.retry_failed != 0 {
            len += 1;
        }
        if self.exhausted != 0 {
            len += 1;
        }
        if self.manually_retried != 0 {
            len += 1;
        }
        if self.archived != 0 {
            len += 1;
        }
        if self.merged != 0 {
            len += 1;
        }
        if self.deferred != 0 {
            len += 1;
        }
        if self.lost_attempts != 0 {
            len += 1;
        }
        if self.unarchived != 0 {
            len += 1;
        }
        if self.cleared != 0 {
            len += 1;
        }
        if self.purged != 0 {
            len += 1;
        }
        if self.rejected.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.LifetimeStats", len)?;
        if self.enqueued_total != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("enqueued_total", ToString::to_string(&self.enqueued_total).as_str())?;
        }
        if self.retry_success != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("retry_success", ToString::to_string(&self.retry_success).as_str())?;
        }
        if self.retry_failed != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("retry_failed", ToString::to_string(&self.retry_failed).as_str())?;
        }
        if self.exhausted != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("exhausted", ToString::to_string(&self.exhausted).as_str())?;
        }
        if self.manually_retried != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("manually_retried", ToString::to_string(&self.manually_retried).as_str())?;
        }
        if self.archived != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("archived", ToString::to_string(&self.archived).as_str())?;
        }
        if self.merged != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("merged", ToString::to_string(&self.merged).as_str())?;
        }
        if self.deferred != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("deferred", ToString::to_string(&self.deferred).as_str())?;
        }
        if self.lost_attempts != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("lost_attempts", ToString::to_string(&self.lost_attempts).as_str())?;
        }
        if self.unarchived != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("unarchived", ToString::to_string(&self.unarchived).as_str())?;
        }
        if self.cleared != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("cleared", ToString::to_string(&self.cleared).as_str())?;
        }
        if self.purged != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("purged", ToString::to_string(&self.purged).as_str())?;
        }
        if let Some(v) = self.rejected.as_ref() {
            struct_ser.serialize_field("rejected", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for LifetimeStats {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "enqueued_total",
            "retry_success",
            "retry_failed",
            "exhausted",
            "manually_retried",
            "archived",
            "merged",
            "deferred",
            "lost_attempts",
            "unarchived",
            "cleared",
            "purged",
            "rejected",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            EnqueuedTotal,
            RetrySuccess,
            RetryFailed,
            Exhausted,
            ManuallyRetried,
            Archived,
            Merged,
            Deferred,
            LostAttempts,
            Unarchived,
            Cleared,
            Purged,
            Rejected,
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
                            "enqueued_total" => Ok(GeneratedField::EnqueuedTotal),
                            "retry_success" => Ok(GeneratedField::RetrySuccess),
                            "retry_failed" => Ok(GeneratedField::RetryFailed),
                            "exhausted" => Ok(GeneratedField::Exhausted),
                            "manually_retried" => Ok(GeneratedField::ManuallyRetried),
                            "archived" => Ok(GeneratedField::Archived),
                            "merged" => Ok(GeneratedField::Merged),
                            "deferred" => Ok(GeneratedField::Deferred),
                            "lost_attempts" => Ok(GeneratedField::LostAttempts),
                            "unarchived" => Ok(GeneratedField::Unarchived),
                            "cleared" => Ok(GeneratedField::Cleared),
                            "purged" => Ok(GeneratedField::Purged),
                            "rejected" => Ok(GeneratedField::Rejected),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = LifetimeStats;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.LifetimeStats")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<LifetimeStats, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut enqueued_total__ = None;
                let mut retry_success__ = None;
                let mut retry_failed__ = None;
                let mut exhausted__ = None;
                let mut manually_retried__ = None;
                let mut archived__ = None;
                let mut merged__ = None;
                let mut deferred__ = None;
                let mut lost_attempts__ = None;
                let mut unarchived__ = None;
                let mut cleared__ = None;
                let mut purged__ = None;
                let mut rejected__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::EnqueuedTotal => {
                            if enqueued_total__.is_some() {
                                return Err(serde::de::Error::duplicate_field("enqueued_total"));
                            }
                            enqueued_total__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::RetrySuccess => {
                            if retry_success__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry_success"));
                            }
                            retry_success__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::RetryFailed => {
                            if retry_failed__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retry_failed"));
                            }
                            retry_failed__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Exhausted => {
                            if exhausted__.is_some() {
                                return Err(serde::de::Error::duplicate_field("exhausted"));
                            }
                            exhausted__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::ManuallyRetried => {
                            if manually_retried__.is_some() {
                                return Err(serde::de::Error::duplicate_field("manually_retried"));
                            }
                            manually_retried__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Archived => {
                            if archived__.is_some() {
                                return Err(serde::de::Error::duplicate_field("archived"));
                            }
                            archived__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Merged => {
                            if merged__.is_some() {
                                return Err(serde::de::Error::duplicate_field("merged"));
                            }
                            merged__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Deferred => {
                            if deferred__.is_some() {
                                return Err(serde::de::Error::duplicate_field("deferred"));
                            }
                            deferred__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::LostAttempts => {
                            if lost_attempts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lost_attempts"));
                            }
                            lost_attempts__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Unarchived => {
                            if unarchived__.is_some() {
                                return Err(serde::de::Error::duplicate_field("unarchived"));
                            }
                            unarchived__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Cleared => {
                            if cleared__.is_some() {
                                return Err(serde::de::Error::duplicate_field("cleared"));
                            }
                            cleared__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Purged => {
                            if purged__.is_some() {
                                return Err(serde::de::Error::duplicate_field("purged"));
                            }
                            purged__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Rejected => {
                            if rejected__.is_some() {
                                return Err(serde::de::Error::duplicate_field("rejected"));
                            }
                            rejected__ = map_.next_value()?;
                        }
                    }
                }
                Ok(LifetimeStats {
                    enqueued_total: enqueued_total__.unwrap_or_default(),
                    retry_success: retry_success__.unwrap_or_default(),
                    retry_failed: retry_failed__.unwrap_or_default(),
                    exhausted: exhausted__.unwrap_or_default(),
                    manually_retried: manually_retried__.unwrap_or_default(),
                    archived: archived__.unwrap_or_default(),
                    merged: merged__.unwrap_or_default(),
                    deferred: deferred__.unwrap_or_default(),
                    lost_attempts: lost_attempts__.unwrap_or_default(),
                    unarchived: unarchived__.unwrap_or_default(),
                    cleared: cleared__.unwrap_or_default(),
                    purged: purged__.unwrap_or_default(),
                    rejected: rejected__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.LifetimeStats", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Lose {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("redrive.v1.Lose", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Lose {
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
            type Value = Lose;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Lose")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Lose, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(Lose {
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Lose", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for NotRestored {
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
        if !self.queue_name.is_empty() {
            len += 1;
        }
        if !self.reason.is_empty() {
            len += 1;
        }
        if !self.rejection.is_empty() {
            len += 1;
        }
        if !self.fields.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.NotRestored", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.reason.is_empty() {
            struct_ser.serialize_field("reason", &self.reason)?;
        }
        if !self.rejection.is_empty() {
            struct_ser.serialize_field("rejection", &self.rejection)?;
        }
        if !self.fields.is_empty() {
            struct_ser.serialize_field("fields", &self.fields)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for NotRestored {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "queue_name",
            "reason",
            "rejection",
            "fields",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            QueueName,
            Reason,
            Rejection,
            Fields,
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
                            "queue_name" => Ok(GeneratedField::QueueName),
                            "reason" => Ok(GeneratedField::Reason),
                            "rejection" => Ok(GeneratedField::Rejection),
                            "fields" => Ok(GeneratedField::Fields),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = NotRestored;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.NotRestored")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<NotRestored, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut queue_name__ = None;
                let mut reason__ = None;
                let mut rejection__ = None;
                let mut fields__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Reason => {
                            if reason__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reason"));
                            }
                            reason__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Rejection => {
                            if rejection__.is_some() {
                                return Err(serde::de::Error::duplicate_field("rejection"));
                            }
                            rejection__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Fields => {
                            if fields__.is_some() {
                                return Err(serde::de::Error::duplicate_field("fields"));
                            }
                            fields__ = Some(
                                map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default()
                            );
                        }
                    }
                }
                Ok(NotRestored {
                    id: id__.unwrap_or_default(),
                    queue_name: queue_name__.unwrap_or_default(),
                    reason: reason__.unwrap_or_default(),
                    rejection: rejection__.unwrap_or_default(),
                    fields: fields__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.NotRestored", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Note {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.text.is_empty() {
            len += 1;
        }
        if !self.author.is_empty() {
            len += 1;
        }
        if self.at.is_some() {
            len += 1;
        }
        if !self.tags.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.Note", len)?;
        if !self.text.is_empty() {
            struct_ser.serialize_field("text", &self.text)?;
        }
        if !self.author.is_empty() {
            struct_ser.serialize_field("author", &self.author)?;
        }
        if let Some(v) = self.at.as_ref() {
            struct_ser.serialize_field("at", v)?;
        }
        if !self.tags.is_empty() {
            struct_ser.serialize_field("tags", &self.tags)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Note {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "text",
            "author",
            "at",
            "tags",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Text,
            Author,
            At,
            Tags,
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
                            "text" => Ok(GeneratedField::Text),
                            "author" => Ok(GeneratedField::Author),
                            "at" => Ok(GeneratedField::At),
                            "tags" => Ok(GeneratedField::Tags),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Note;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Note")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Note, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut text__ = None;
                let mut author__ = None;
                let mut at__ = None;
                let mut tags__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Text => {
                            if text__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            text__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Author => {
                            if author__.is_some() {
                                return Err(serde::de::Error::duplicate_field("author"));
                            }
                            author__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::At => {
                            if at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("at"));
                            }
                            at__ = map_.next_value()?;
                        }
                        GeneratedField::Tags => {
                            if tags__.is_some() {
                                return Err(serde::de::Error::duplicate_field("tags"));
                            }
                            tags__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(Note {
                    text: text__.unwrap_or_default(),
                    author: author__.unwrap_or_default(),
                    at: at__,
                    tags: tags__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Note", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Origin {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.transport.is_empty() {
            len += 1;
        }
        if !self.name.is_empty() {
            len += 1;
        }
        if !self.consumer.is_empty() {
            len += 1;
        }
        if self.partition.is_some() {
            len += 1;
        }
        if self.offset.is_some() {
            len += 1;
        }
        if self.timestamp.is_some() {
            len += 1;
        }
        if !self.message_id.is_empty() {
            len += 1;
        }
        if self.replays != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.Origin", len)?;
        if !self.transport.is_empty() {
            struct_ser.serialize_field("transport", &self.transport)?;
        }
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if !self.consumer.is_empty() {
            struct_ser.serialize_field("consumer", &self.consumer)?;
        }
        if let Some(v) = self.partition.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("partition", ToString::to_string(&v).as_str())?;
        }
        if let Some(v) = self.offset.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("offset", ToString::to_string(&v).as_str())?;
        }
        if let Some(v) = self.timestamp.as_ref() {
            struct_ser.serialize_field("timestamp", v)?;
        }
        if !self.message_id.is_empty() {
            struct_ser.serialize_field("message_id", &self.message_id)?;
        }
        if self.replays != 0 {
            struct_ser.serialize_field("replays", &self.replays)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Origin {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "transport",
            "name",
            "consumer",
            "partition",
            "offset",
            "timestamp",
            "message_id",
            "replays",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Transport,
            Name,
            Consumer,
            Partition,
            Offset,
            Timestamp,
            MessageId,
            Replays,
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
                            "transport" => Ok(GeneratedField::Transport),
                            "name" => Ok(GeneratedField::Name),
                            "consumer" => Ok(GeneratedField::Consumer),
                            "partition" => Ok(GeneratedField::Partition),
                            "offset" => Ok(GeneratedField::Offset),
                            "timestamp" => Ok(GeneratedField::Timestamp),
                            "message_id" => Ok(GeneratedField::MessageId),
                            "replays" => Ok(GeneratedField::Replays),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Origin;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.Origin")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Origin, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut transport__ = None;
                let mut name__ = None;
                let mut consumer__ = None;
                let mut partition__ = None;
                let mut offset__ = None;
                let mut timestamp__ = None;
                let mut message_id__ = None;
                let mut replays__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Transport => {
                            if transport__.is_some() {
                                return Err(serde::de::Error::duplicate_field("transport"));
                            }
                            transport__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Name => {
                            if name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("name"));
                            }
                            name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Consumer => {
                            if consumer__.is_some() {
                                return Err(serde::de::Error::duplicate_field("consumer"));
                            }
                            consumer__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Partition => {
                            if partition__.is_some() {
                                return Err(serde::de::Error::duplicate_field("partition"));
                            }
                            partition__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Offset => {
                            if offset__.is_some() {
                                return Err(serde::de::Error::duplicate_field("offset"));
                            }
                            offset__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Timestamp => {
                            if timestamp__.is_some() {
                                return Err(serde::de::Error::duplicate_field("timestamp"));
                            }
                            timestamp__ = map_.next_value()?;
                        }
                        GeneratedField::MessageId => {
                            if message_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message_id"));
                            }
                            message_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Replays => {
                            if replays__.is_some() {
                                return Err(serde::de::Error::duplicate_field("replays"));
                            }
                            replays__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(Origin {
                    transport: transport__.unwrap_or_default(),
                    name: name__.unwrap_or_default(),
                    consumer: consumer__.unwrap_or_default(),
                    partition: partition__,
                    offset: offset__,
                    timestamp: timestamp__,
                    message_id: message_id__.unwrap_or_default(),
                    replays: replays__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Origin", FIELDS, GeneratedVisitor)
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
impl serde::Serialize for ProcessReport {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.finished != 0 {
            len += 1;
        }
        if self.deferred != 0 {
            len += 1;
        }
        if self.aborted != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.ProcessReport", len)?;
        if self.finished != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("finished", ToString::to_string(&self.finished).as_str())?;
        }
        if self.deferred != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("deferred", ToString::to_string(&self.deferred).as_str())?;
        }
        if self.aborted != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("aborted", ToString::to_string(&self.aborted).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ProcessReport {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "finished",
            "deferred",
            "aborted",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Finished,
            Deferred,
            Aborted,
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
                            "finished" => Ok(GeneratedField::Finished),
                            "deferred" => Ok(GeneratedField::Deferred),
                            "aborted" => Ok(GeneratedField::Aborted),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ProcessReport;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.ProcessReport")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ProcessReport, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut finished__ = None;
                let mut deferred__ = None;
                let mut aborted__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Finished => {
                            if finished__.is_some() {
                                return Err(serde::de::Error::duplicate_field("finished"));
                            }
                            finished__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Deferred => {
                            if deferred__.is_some() {
                                return Err(serde::de::Error::duplicate_field("deferred"));
                            }
                            deferred__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Aborted => {
                            if aborted__.is_some() {
                                return Err(serde::de::Error::duplicate_field("aborted"));
                            }
                            aborted__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(ProcessReport {
                    finished: finished__.unwrap_or_default(),
                    deferred: deferred__.unwrap_or_default(),
                    aborted: aborted__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.ProcessReport", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ProjectionStats {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.state.is_empty() {
            len += 1;
        }
        if self.outbox_depth != 0 {
            len += 1;
        }
        if self.lag_seconds != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.ProjectionStats", len)?;
        if !self.state.is_empty() {
            struct_ser.serialize_field("state", &self.state)?;
        }
        if self.outbox_depth != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("outbox_depth", ToString::to_string(&self.outbox_depth).as_str())?;
        }
        if self.lag_seconds != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("lag_seconds", ToString::to_string(&self.lag_seconds).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ProjectionStats {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "state",
            "outbox_depth",
            "lag_seconds",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            State,
            OutboxDepth,
            LagSeconds,
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
                            "state" => Ok(GeneratedField::State),
                            "outbox_depth" => Ok(GeneratedField::OutboxDepth),
                            "lag_seconds" => Ok(GeneratedField::LagSeconds),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ProjectionStats;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.ProjectionStats")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ProjectionStats, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut state__ = None;
                let mut outbox_depth__ = None;
                let mut lag_seconds__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::State => {
                            if state__.is_some() {
                                return Err(serde::de::Error::duplicate_field("state"));
                            }
                            state__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::OutboxDepth => {
                            if outbox_depth__.is_some() {
                                return Err(serde::de::Error::duplicate_field("outbox_depth"));
                            }
                            outbox_depth__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::LagSeconds => {
                            if lag_seconds__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lag_seconds"));
                            }
                            lag_seconds__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(ProjectionStats {
                    state: state__.unwrap_or_default(),
                    outbox_depth: outbox_depth__.unwrap_or_default(),
                    lag_seconds: lag_seconds__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.ProjectionStats", FIELDS, GeneratedVisitor)
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
        if !self.remember_for.is_empty() {
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
        if !self.remember_for.is_empty() {
            struct_ser.serialize_field("remember_for", &self.remember_for)?;
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
            "remember_for",
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
            RememberFor,
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
                            "remember_for" => Ok(GeneratedField::RememberFor),
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
                let mut remember_for__ = None;
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
                        GeneratedField::RememberFor => {
                            if remember_for__.is_some() {
                                return Err(serde::de::Error::duplicate_field("remember_for"));
                            }
                            remember_for__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
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
                    remember_for: remember_for__.unwrap_or_default(),
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
        if self.at_once {
            len += 1;
        }
        if !self.message_id.is_empty() {
            len += 1;
        }
        if self.notes_receipt {
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
        if self.at_once {
            struct_ser.serialize_field("at_once", &self.at_once)?;
        }
        if !self.message_id.is_empty() {
            struct_ser.serialize_field("message_id", &self.message_id)?;
        }
        if self.notes_receipt {
            struct_ser.serialize_field("notes_receipt", &self.notes_receipt)?;
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
            "at_once",
            "message_id",
            "notes_receipt",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            BatchSize,
            ClientId,
            RequestTimeout,
            LeaseTimeout,
            AtOnce,
            MessageId,
            NotesReceipt,
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
                            "at_once" => Ok(GeneratedField::AtOnce),
                            "message_id" => Ok(GeneratedField::MessageId),
                            "notes_receipt" => Ok(GeneratedField::NotesReceipt),
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
                let mut at_once__ = None;
                let mut message_id__ = None;
                let mut notes_receipt__ = None;
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
                        GeneratedField::LeaseTimeout => {
                            if lease_timeout__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lease_timeout"));
                            }
                            lease_timeout__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::AtOnce => {
                            if at_once__.is_some() {
                                return Err(serde::de::Error::duplicate_field("at_once"));
                            }
                            at_once__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::MessageId => {
                            if message_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message_id"));
                            }
                            message_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::NotesReceipt => {
                            if notes_receipt__.is_some() {
                                return Err(serde::de::Error::duplicate_field("notes_receipt"));
                            }
                            notes_receipt__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueClaimRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    batch_size: batch_size__.unwrap_or_default(),
                    client_id: client_id__.unwrap_or_default(),
                    request_timeout: request_timeout__.unwrap_or_default(),
                    lease_timeout: lease_timeout__.unwrap_or_default(),
                    at_once: at_once__.unwrap_or_default(),
                    message_id: message_id__.unwrap_or_default(),
                    notes_receipt: notes_receipt__.unwrap_or_default(),
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
        if !self.damaged.is_empty() {
            len += 1;
        }
        if self.is_paused {
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
        if !self.damaged.is_empty() {
            struct_ser.serialize_field("damaged", &self.damaged)?;
        }
        if self.is_paused {
            struct_ser.serialize_field("is_paused", &self.is_paused)?;
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
            "damaged",
            "is_paused",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Partition,
            Items,
            Damaged,
            IsPaused,
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
                            "damaged" => Ok(GeneratedField::Damaged),
                            "is_paused" => Ok(GeneratedField::IsPaused),
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
                let mut damaged__ = None;
                let mut is_paused__ = None;
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
                        GeneratedField::Damaged => {
                            if damaged__.is_some() {
                                return Err(serde::de::Error::duplicate_field("damaged"));
                            }
                            damaged__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::IsPaused => {
                            if is_paused__.is_some() {
                                return Err(serde::de::Error::duplicate_field("is_paused"));
                            }
                            is_paused__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueClaimResponse {
                    queue_name: queue_name__.unwrap_or_default(),
                    partition: partition__.unwrap_or_default(),
                    items: items__.unwrap_or_default(),
                    damaged: damaged__.unwrap_or_default(),
                    is_paused: is_paused__.unwrap_or_default(),
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
        if self.may_shorten {
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
        if self.may_shorten {
            struct_ser.serialize_field("may_shorten", &self.may_shorten)?;
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
            "may_shorten",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Partition,
            Ids,
            LeaseTimeout,
            MayShorten,
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
                            "may_shorten" => Ok(GeneratedField::MayShorten),
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
                let mut may_shorten__ = None;
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
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
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
                        GeneratedField::MayShorten => {
                            if may_shorten__.is_some() {
                                return Err(serde::de::Error::duplicate_field("may_shorten"));
                            }
                            may_shorten__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueExtendRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    partition: partition__,
                    ids: ids__.unwrap_or_default(),
                    lease_timeout: lease_timeout__.unwrap_or_default(),
                    may_shorten: may_shorten__.unwrap_or_default(),
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
        if !self.items.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.QueueExtendResponse", len)?;
        if !self.items.is_empty() {
            struct_ser.serialize_field("items", &self.items)?;
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
            type Value = QueueExtendResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.QueueExtendResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueExtendResponse, V::Error>
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
                Ok(QueueExtendResponse {
                    items: items__.unwrap_or_default(),
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
        if !self.request_id.is_empty() {
            len += 1;
        }
        if self.completes.is_some() {
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
        if !self.request_id.is_empty() {
            struct_ser.serialize_field("request_id", &self.request_id)?;
        }
        if let Some(v) = self.completes.as_ref() {
            struct_ser.serialize_field("completes", v)?;
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
            "request_id",
            "completes",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            RequestTimeout,
            Items,
            RequestId,
            Completes,
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
                            "request_id" => Ok(GeneratedField::RequestId),
                            "completes" => Ok(GeneratedField::Completes),
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
                let mut request_id__ = None;
                let mut completes__ = None;
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
                        GeneratedField::RequestId => {
                            if request_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("request_id"));
                            }
                            request_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Completes => {
                            if completes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("completes"));
                            }
                            completes__ = map_.next_value()?;
                        }
                    }
                }
                Ok(QueuePutRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    request_timeout: request_timeout__.unwrap_or_default(),
                    items: items__.unwrap_or_default(),
                    request_id: request_id__.unwrap_or_default(),
                    completes: completes__,
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
        if self.stop_at_refused {
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
        if self.stop_at_refused {
            struct_ser.serialize_field("stop_at_refused", &self.stop_at_refused)?;
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
            "stop_at_refused",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Partition,
            Items,
            StopAtRefused,
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
                            "stop_at_refused" => Ok(GeneratedField::StopAtRefused),
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
                let mut stop_at_refused__ = None;
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
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Items => {
                            if items__.is_some() {
                                return Err(serde::de::Error::duplicate_field("items"));
                            }
                            items__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::StopAtRefused => {
                            if stop_at_refused__.is_some() {
                                return Err(serde::de::Error::duplicate_field("stop_at_refused"));
                            }
                            stop_at_refused__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueSettleRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    partition: partition__,
                    items: items__.unwrap_or_default(),
                    stop_at_refused: stop_at_refused__.unwrap_or_default(),
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
        if !self.items.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.QueueSettleResponse", len)?;
        if !self.items.is_empty() {
            struct_ser.serialize_field("items", &self.items)?;
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
            type Value = QueueSettleResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.QueueSettleResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueSettleResponse, V::Error>
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
                Ok(QueueSettleResponse {
                    items: items__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.QueueSettleResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for QueueStatus {
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
        if !self.namespace.is_empty() {
            len += 1;
        }
        if self.is_paused {
            len += 1;
        }
        if self.ready != 0 {
            len += 1;
        }
        if self.leased != 0 {
            len += 1;
        }
        if self.scheduled != 0 {
            len += 1;
        }
        if self.stranded != 0 {
            len += 1;
        }
        if self.damaged != 0 {
            len += 1;
        }
        if self.dead != 0 {
            len += 1;
        }
        if self.exhausted != 0 {
            len += 1;
        }
        if self.overdue != 0 {
            len += 1;
        }
        if self.limit.is_some() {
            len += 1;
        }
        if self.oldest_at.is_some() {
            len += 1;
        }
        if self.average_age_ms != 0 {
            len += 1;
        }
        if self.in_total != 0 {
            len += 1;
        }
        if self.out_total != 0 {
            len += 1;
        }
        if self.in_per_minute != 0. {
            len += 1;
        }
        if self.out_per_minute != 0. {
            len += 1;
        }
        if self.waiting != 0 {
            len += 1;
        }
        if !self.dead_queue.is_empty() {
            len += 1;
        }
        if !self.target.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.QueueStatus", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if self.is_paused {
            struct_ser.serialize_field("is_paused", &self.is_paused)?;
        }
        if self.ready != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("ready", ToString::to_string(&self.ready).as_str())?;
        }
        if self.leased != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("leased", ToString::to_string(&self.leased).as_str())?;
        }
        if self.scheduled != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("scheduled", ToString::to_string(&self.scheduled).as_str())?;
        }
        if self.stranded != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("stranded", ToString::to_string(&self.stranded).as_str())?;
        }
        if self.damaged != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("damaged", ToString::to_string(&self.damaged).as_str())?;
        }
        if self.dead != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("dead", ToString::to_string(&self.dead).as_str())?;
        }
        if self.exhausted != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("exhausted", ToString::to_string(&self.exhausted).as_str())?;
        }
        if self.overdue != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("overdue", ToString::to_string(&self.overdue).as_str())?;
        }
        if let Some(v) = self.limit.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("limit", ToString::to_string(&v).as_str())?;
        }
        if let Some(v) = self.oldest_at.as_ref() {
            struct_ser.serialize_field("oldest_at", v)?;
        }
        if self.average_age_ms != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("average_age_ms", ToString::to_string(&self.average_age_ms).as_str())?;
        }
        if self.in_total != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("in_total", ToString::to_string(&self.in_total).as_str())?;
        }
        if self.out_total != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("out_total", ToString::to_string(&self.out_total).as_str())?;
        }
        if self.in_per_minute != 0. {
            struct_ser.serialize_field("in_per_minute", &self.in_per_minute)?;
        }
        if self.out_per_minute != 0. {
            struct_ser.serialize_field("out_per_minute", &self.out_per_minute)?;
        }
        if self.waiting != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("waiting", ToString::to_string(&self.waiting).as_str())?;
        }
        if !self.dead_queue.is_empty() {
            struct_ser.serialize_field("dead_queue", &self.dead_queue)?;
        }
        if !self.target.is_empty() {
            struct_ser.serialize_field("target", &self.target)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for QueueStatus {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "namespace",
            "is_paused",
            "ready",
            "leased",
            "scheduled",
            "stranded",
            "damaged",
            "dead",
            "exhausted",
            "overdue",
            "limit",
            "oldest_at",
            "average_age_ms",
            "in_total",
            "out_total",
            "in_per_minute",
            "out_per_minute",
            "waiting",
            "dead_queue",
            "target",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Namespace,
            IsPaused,
            Ready,
            Leased,
            Scheduled,
            Stranded,
            Damaged,
            Dead,
            Exhausted,
            Overdue,
            Limit,
            OldestAt,
            AverageAgeMs,
            InTotal,
            OutTotal,
            InPerMinute,
            OutPerMinute,
            Waiting,
            DeadQueue,
            Target,
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
                            "namespace" => Ok(GeneratedField::Namespace),
                            "is_paused" => Ok(GeneratedField::IsPaused),
                            "ready" => Ok(GeneratedField::Ready),
                            "leased" => Ok(GeneratedField::Leased),
                            "scheduled" => Ok(GeneratedField::Scheduled),
                            "stranded" => Ok(GeneratedField::Stranded),
                            "damaged" => Ok(GeneratedField::Damaged),
                            "dead" => Ok(GeneratedField::Dead),
                            "exhausted" => Ok(GeneratedField::Exhausted),
                            "overdue" => Ok(GeneratedField::Overdue),
                            "limit" => Ok(GeneratedField::Limit),
                            "oldest_at" => Ok(GeneratedField::OldestAt),
                            "average_age_ms" => Ok(GeneratedField::AverageAgeMs),
                            "in_total" => Ok(GeneratedField::InTotal),
                            "out_total" => Ok(GeneratedField::OutTotal),
                            "in_per_minute" => Ok(GeneratedField::InPerMinute),
                            "out_per_minute" => Ok(GeneratedField::OutPerMinute),
                            "waiting" => Ok(GeneratedField::Waiting),
                            "dead_queue" => Ok(GeneratedField::DeadQueue),
                            "target" => Ok(GeneratedField::Target),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = QueueStatus;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.QueueStatus")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<QueueStatus, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut namespace__ = None;
                let mut is_paused__ = None;
                let mut ready__ = None;
                let mut leased__ = None;
                let mut scheduled__ = None;
                let mut stranded__ = None;
                let mut damaged__ = None;
                let mut dead__ = None;
                let mut exhausted__ = None;
                let mut overdue__ = None;
                let mut limit__ = None;
                let mut oldest_at__ = None;
                let mut average_age_ms__ = None;
                let mut in_total__ = None;
                let mut out_total__ = None;
                let mut in_per_minute__ = None;
                let mut out_per_minute__ = None;
                let mut waiting__ = None;
                let mut dead_queue__ = None;
                let mut target__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::IsPaused => {
                            if is_paused__.is_some() {
                                return Err(serde::de::Error::duplicate_field("is_paused"));
                            }
                            is_paused__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Ready => {
                            if ready__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ready"));
                            }
                            ready__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Leased => {
                            if leased__.is_some() {
                                return Err(serde::de::Error::duplicate_field("leased"));
                            }
                            leased__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Scheduled => {
                            if scheduled__.is_some() {
                                return Err(serde::de::Error::duplicate_field("scheduled"));
                            }
                            scheduled__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Stranded => {
                            if stranded__.is_some() {
                                return Err(serde::de::Error::duplicate_field("stranded"));
                            }
                            stranded__ = 
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
                        GeneratedField::Dead => {
                            if dead__.is_some() {
                                return Err(serde::de::Error::duplicate_field("dead"));
                            }
                            dead__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Exhausted => {
                            if exhausted__.is_some() {
                                return Err(serde::de::Error::duplicate_field("exhausted"));
                            }
                            exhausted__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Overdue => {
                            if overdue__.is_some() {
                                return Err(serde::de::Error::duplicate_field("overdue"));
                            }
                            overdue__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Limit => {
                            if limit__.is_some() {
                                return Err(serde::de::Error::duplicate_field("limit"));
                            }
                            limit__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::OldestAt => {
                            if oldest_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("oldest_at"));
                            }
                            oldest_at__ = map_.next_value()?;
                        }
                        GeneratedField::AverageAgeMs => {
                            if average_age_ms__.is_some() {
                                return Err(serde::de::Error::duplicate_field("average_age_ms"));
                            }
                            average_age_ms__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::InTotal => {
                            if in_total__.is_some() {
                                return Err(serde::de::Error::duplicate_field("in_total"));
                            }
                            in_total__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::OutTotal => {
                            if out_total__.is_some() {
                                return Err(serde::de::Error::duplicate_field("out_total"));
                            }
                            out_total__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::InPerMinute => {
                            if in_per_minute__.is_some() {
                                return Err(serde::de::Error::duplicate_field("in_per_minute"));
                            }
                            in_per_minute__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::OutPerMinute => {
                            if out_per_minute__.is_some() {
                                return Err(serde::de::Error::duplicate_field("out_per_minute"));
                            }
                            out_per_minute__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Waiting => {
                            if waiting__.is_some() {
                                return Err(serde::de::Error::duplicate_field("waiting"));
                            }
                            waiting__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::DeadQueue => {
                            if dead_queue__.is_some() {
                                return Err(serde::de::Error::duplicate_field("dead_queue"));
                            }
                            dead_queue__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Target => {
                            if target__.is_some() {
                                return Err(serde::de::Error::duplicate_field("target"));
                            }
                            target__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(QueueStatus {
                    queue_name: queue_name__.unwrap_or_default(),
                    namespace: namespace__.unwrap_or_default(),
                    is_paused: is_paused__.unwrap_or_default(),
                    ready: ready__.unwrap_or_default(),
                    leased: leased__.unwrap_or_default(),
                    scheduled: scheduled__.unwrap_or_default(),
                    stranded: stranded__.unwrap_or_default(),
                    damaged: damaged__.unwrap_or_default(),
                    dead: dead__.unwrap_or_default(),
                    exhausted: exhausted__.unwrap_or_default(),
                    overdue: overdue__.unwrap_or_default(),
                    limit: limit__,
                    oldest_at: oldest_at__,
                    average_age_ms: average_age_ms__.unwrap_or_default(),
                    in_total: in_total__.unwrap_or_default(),
                    out_total: out_total__.unwrap_or_default(),
                    in_per_minute: in_per_minute__.unwrap_or_default(),
                    out_per_minute: out_per_minute__.unwrap_or_default(),
                    waiting: waiting__.unwrap_or_default(),
                    dead_queue: dead_queue__.unwrap_or_default(),
                    target: target__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.QueueStatus", FIELDS, GeneratedVisitor)
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
        if !self.reason.is_empty() {
            len += 1;
        }
        if !self.fields.is_empty() {
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
        if !self.reason.is_empty() {
            struct_ser.serialize_field("reason", &self.reason)?;
        }
        if !self.fields.is_empty() {
            struct_ser.serialize_field("fields", &self.fields)?;
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
            "reason",
            "fields",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            IsStale,
            Message,
            Reason,
            Fields,
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
                            "reason" => Ok(GeneratedField::Reason),
                            "fields" => Ok(GeneratedField::Fields),
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
                let mut reason__ = None;
                let mut fields__ = None;
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
                        GeneratedField::Reason => {
                            if reason__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reason"));
                            }
                            reason__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Fields => {
                            if fields__.is_some() {
                                return Err(serde::de::Error::duplicate_field("fields"));
                            }
                            fields__ = Some(
                                map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default()
                            );
                        }
                    }
                }
                Ok(Refused {
                    id: id__.unwrap_or_default(),
                    is_stale: is_stale__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                    reason: reason__.unwrap_or_default(),
                    fields: fields__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Refused", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RefusedAct {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.action.is_empty() {
            len += 1;
        }
        if !self.reason.is_empty() {
            len += 1;
        }
        if !self.message.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.RefusedAct", len)?;
        if !self.action.is_empty() {
            struct_ser.serialize_field("action", &self.action)?;
        }
        if !self.reason.is_empty() {
            struct_ser.serialize_field("reason", &self.reason)?;
        }
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RefusedAct {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "action",
            "reason",
            "message",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Action,
            Reason,
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
                            "action" => Ok(GeneratedField::Action),
                            "reason" => Ok(GeneratedField::Reason),
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
            type Value = RefusedAct;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.RefusedAct")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RefusedAct, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut action__ = None;
                let mut reason__ = None;
                let mut message__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Action => {
                            if action__.is_some() {
                                return Err(serde::de::Error::duplicate_field("action"));
                            }
                            action__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Reason => {
                            if reason__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reason"));
                            }
                            reason__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(RefusedAct {
                    action: action__.unwrap_or_default(),
                    reason: reason__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.RefusedAct", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RefusedLine {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.line != 0 {
            len += 1;
        }
        if !self.reason.is_empty() {
            len += 1;
        }
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.rejection.is_empty() {
            len += 1;
        }
        if !self.fields.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.RefusedLine", len)?;
        if self.line != 0 {
            struct_ser.serialize_field("line", &self.line)?;
        }
        if !self.reason.is_empty() {
            struct_ser.serialize_field("reason", &self.reason)?;
        }
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.rejection.is_empty() {
            struct_ser.serialize_field("rejection", &self.rejection)?;
        }
        if !self.fields.is_empty() {
            struct_ser.serialize_field("fields", &self.fields)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RefusedLine {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "line",
            "reason",
            "message",
            "rejection",
            "fields",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Line,
            Reason,
            Message,
            Rejection,
            Fields,
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
                            "line" => Ok(GeneratedField::Line),
                            "reason" => Ok(GeneratedField::Reason),
                            "message" => Ok(GeneratedField::Message),
                            "rejection" => Ok(GeneratedField::Rejection),
                            "fields" => Ok(GeneratedField::Fields),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RefusedLine;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.RefusedLine")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RefusedLine, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut line__ = None;
                let mut reason__ = None;
                let mut message__ = None;
                let mut rejection__ = None;
                let mut fields__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Line => {
                            if line__.is_some() {
                                return Err(serde::de::Error::duplicate_field("line"));
                            }
                            line__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Reason => {
                            if reason__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reason"));
                            }
                            reason__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Rejection => {
                            if rejection__.is_some() {
                                return Err(serde::de::Error::duplicate_field("rejection"));
                            }
                            rejection__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Fields => {
                            if fields__.is_some() {
                                return Err(serde::de::Error::duplicate_field("fields"));
                            }
                            fields__ = Some(
                                map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default()
                            );
                        }
                    }
                }
                Ok(RefusedLine {
                    line: line__.unwrap_or_default(),
                    reason: reason__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                    rejection: rejection__.unwrap_or_default(),
                    fields: fields__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.RefusedLine", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RejectedCaptures {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.queue_full != 0 {
            len += 1;
        }
        if self.persist_failed != 0 {
            len += 1;
        }
        if self.other != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.RejectedCaptures", len)?;
        if self.queue_full != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("queue_full", ToString::to_string(&self.queue_full).as_str())?;
        }
        if self.persist_failed != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("persist_failed", ToString::to_string(&self.persist_failed).as_str())?;
        }
        if self.other != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("other", ToString::to_string(&self.other).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RejectedCaptures {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_full",
            "persist_failed",
            "other",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueFull,
            PersistFailed,
            Other,
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
                            "queue_full" => Ok(GeneratedField::QueueFull),
                            "persist_failed" => Ok(GeneratedField::PersistFailed),
                            "other" => Ok(GeneratedField::Other),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RejectedCaptures;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.RejectedCaptures")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RejectedCaptures, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_full__ = None;
                let mut persist_failed__ = None;
                let mut other__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueFull => {
                            if queue_full__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_full"));
                            }
                            queue_full__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::PersistFailed => {
                            if persist_failed__.is_some() {
                                return Err(serde::de::Error::duplicate_field("persist_failed"));
                            }
                            persist_failed__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Other => {
                            if other__.is_some() {
                                return Err(serde::de::Error::duplicate_field("other"));
                            }
                            other__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(RejectedCaptures {
                    queue_full: queue_full__.unwrap_or_default(),
                    persist_failed: persist_failed__.unwrap_or_default(),
                    other: other__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.RejectedCaptures", FIELDS, GeneratedVisitor)
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
impl serde::Serialize for RetriesByTrigger {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.automatic.is_some() {
            len += 1;
        }
        if self.manual.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.RetriesByTrigger", len)?;
        if let Some(v) = self.automatic.as_ref() {
            struct_ser.serialize_field("automatic", v)?;
        }
        if let Some(v) = self.manual.as_ref() {
            struct_ser.serialize_field("manual", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RetriesByTrigger {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "automatic",
            "manual",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Automatic,
            Manual,
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
                            "automatic" => Ok(GeneratedField::Automatic),
                            "manual" => Ok(GeneratedField::Manual),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RetriesByTrigger;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.RetriesByTrigger")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RetriesByTrigger, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut automatic__ = None;
                let mut manual__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Automatic => {
                            if automatic__.is_some() {
                                return Err(serde::de::Error::duplicate_field("automatic"));
                            }
                            automatic__ = map_.next_value()?;
                        }
                        GeneratedField::Manual => {
                            if manual__.is_some() {
                                return Err(serde::de::Error::duplicate_field("manual"));
                            }
                            manual__ = map_.next_value()?;
                        }
                    }
                }
                Ok(RetriesByTrigger {
                    automatic: automatic__,
                    manual: manual__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.RetriesByTrigger", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RetriesStatus {
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
        if !self.state.is_empty() {
            len += 1;
        }
        if self.running != 0 {
            len += 1;
        }
        if !self.destinations.is_empty() {
            len += 1;
        }
        if self.open_breakers != 0 {
            len += 1;
        }
        if !self.error.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.RetriesStatus", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.state.is_empty() {
            struct_ser.serialize_field("state", &self.state)?;
        }
        if self.running != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("running", ToString::to_string(&self.running).as_str())?;
        }
        if !self.destinations.is_empty() {
            struct_ser.serialize_field("destinations", &self.destinations)?;
        }
        if self.open_breakers != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("open_breakers", ToString::to_string(&self.open_breakers).as_str())?;
        }
        if !self.error.is_empty() {
            struct_ser.serialize_field("error", &self.error)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RetriesStatus {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "state",
            "running",
            "destinations",
            "open_breakers",
            "error",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            State,
            Running,
            Destinations,
            OpenBreakers,
            Error,
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
                            "state" => Ok(GeneratedField::State),
                            "running" => Ok(GeneratedField::Running),
                            "destinations" => Ok(GeneratedField::Destinations),
                            "open_breakers" => Ok(GeneratedField::OpenBreakers),
                            "error" => Ok(GeneratedField::Error),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RetriesStatus;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.RetriesStatus")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RetriesStatus, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut state__ = None;
                let mut running__ = None;
                let mut destinations__ = None;
                let mut open_breakers__ = None;
                let mut error__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::State => {
                            if state__.is_some() {
                                return Err(serde::de::Error::duplicate_field("state"));
                            }
                            state__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Running => {
                            if running__.is_some() {
                                return Err(serde::de::Error::duplicate_field("running"));
                            }
                            running__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Destinations => {
                            if destinations__.is_some() {
                                return Err(serde::de::Error::duplicate_field("destinations"));
                            }
                            destinations__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::OpenBreakers => {
                            if open_breakers__.is_some() {
                                return Err(serde::de::Error::duplicate_field("open_breakers"));
                            }
                            open_breakers__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Error => {
                            if error__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error"));
                            }
                            error__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(RetriesStatus {
                    queue_name: queue_name__.unwrap_or_default(),
                    state: state__.unwrap_or_default(),
                    running: running__.unwrap_or_default(),
                    destinations: destinations__.unwrap_or_default(),
                    open_breakers: open_breakers__.unwrap_or_default(),
                    error: error__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.RetriesStatus", FIELDS, GeneratedVisitor)
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
        if self.is_decided {
            len += 1;
        }
        if !self.delay.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.Retry", len)?;
        if let Some(v) = self.at.as_ref() {
            struct_ser.serialize_field("at", v)?;
        }
        if self.is_free {
            struct_ser.serialize_field("is_free", &self.is_free)?;
        }
        if self.is_decided {
            struct_ser.serialize_field("is_decided", &self.is_decided)?;
        }
        if !self.delay.is_empty() {
            struct_ser.serialize_field("delay", &self.delay)?;
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
            "is_decided",
            "delay",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            At,
            IsFree,
            IsDecided,
            Delay,
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
                            "is_decided" => Ok(GeneratedField::IsDecided),
                            "delay" => Ok(GeneratedField::Delay),
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
                let mut is_decided__ = None;
                let mut delay__ = None;
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
                        GeneratedField::IsDecided => {
                            if is_decided__.is_some() {
                                return Err(serde::de::Error::duplicate_field("is_decided"));
                            }
                            is_decided__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Delay => {
                            if delay__.is_some() {
                                return Err(serde::de::Error::duplicate_field("delay"));
                            }
                            delay__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(Retry {
                    at: at__,
                    is_free: is_free__.unwrap_or_default(),
                    is_decided: is_decided__.unwrap_or_default(),
                    delay: delay__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.Retry", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RetryPolicies {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.never != 0 {
            len += 1;
        }
        if self.linear != 0 {
            len += 1;
        }
        if self.exponential != 0 {
            len += 1;
        }
        if self.immediate != 0 {
            len += 1;
        }
        if self.custom != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.RetryPolicies", len)?;
        if self.never != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("never", ToString::to_string(&self.never).as_str())?;
        }
        if self.linear != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("linear", ToString::to_string(&self.linear).as_str())?;
        }
        if self.exponential != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("exponential", ToString::to_string(&self.exponential).as_str())?;
        }
        if self.immediate != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("immediate", ToString::to_string(&self.immediate).as_str())?;
        }
        if self.custom != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("custom", ToString::to_string(&self.custom).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RetryPolicies {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "never",
            "linear",
            "exponential",
            "immediate",
            "custom",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Never,
            Linear,
            Exponential,
            Immediate,
            Custom,
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
                            "never" => Ok(GeneratedField::Never),
                            "linear" => Ok(GeneratedField::Linear),
                            "exponential" => Ok(GeneratedField::Exponential),
                            "immediate" => Ok(GeneratedField::Immediate),
                            "custom" => Ok(GeneratedField::Custom),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RetryPolicies;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.RetryPolicies")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RetryPolicies, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut never__ = None;
                let mut linear__ = None;
                let mut exponential__ = None;
                let mut immediate__ = None;
                let mut custom__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Never => {
                            if never__.is_some() {
                                return Err(serde::de::Error::duplicate_field("never"));
                            }
                            never__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Linear => {
                            if linear__.is_some() {
                                return Err(serde::de::Error::duplicate_field("linear"));
                            }
                            linear__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Exponential => {
                            if exponential__.is_some() {
                                return Err(serde::de::Error::duplicate_field("exponential"));
                            }
                            exponential__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Immediate => {
                            if immediate__.is_some() {
                                return Err(serde::de::Error::duplicate_field("immediate"));
                            }
                            immediate__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Custom => {
                            if custom__.is_some() {
                                return Err(serde::de::Error::duplicate_field("custom"));
                            }
                            custom__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(RetryPolicies {
                    never: never__.unwrap_or_default(),
                    linear: linear__.unwrap_or_default(),
                    exponential: exponential__.unwrap_or_default(),
                    immediate: immediate__.unwrap_or_default(),
                    custom: custom__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.RetryPolicies", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RouteInfo {
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
        if self.definition.is_some() {
            len += 1;
        }
        if !self.defined_in.is_empty() {
            len += 1;
        }
        if !self.intent.is_empty() {
            len += 1;
        }
        if !self.state.is_empty() {
            len += 1;
        }
        if self.since.is_some() {
            len += 1;
        }
        if !self.error.is_empty() {
            len += 1;
        }
        if self.next_start_at.is_some() {
            len += 1;
        }
        if self.is_healthy {
            len += 1;
        }
        if !self.troubles.is_empty() {
            len += 1;
        }
        if !self.destinations.is_empty() {
            len += 1;
        }
        if self.running != 0 {
            len += 1;
        }
        if self.waiting != 0 {
            len += 1;
        }
        if self.letters_pending != 0 {
            len += 1;
        }
        if self.lag.is_some() {
            len += 1;
        }
        if self.blocking.is_some() {
            len += 1;
        }
        if self.done_total != 0 {
            len += 1;
        }
        if self.retried_total != 0 {
            len += 1;
        }
        if self.letters_total != 0 {
            len += 1;
        }
        if self.done_per_minute != 0. {
            len += 1;
        }
        if self.retried_per_minute != 0. {
            len += 1;
        }
        if self.letters_per_minute != 0. {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.RouteInfo", len)?;
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if let Some(v) = self.definition.as_ref() {
            struct_ser.serialize_field("definition", v)?;
        }
        if !self.defined_in.is_empty() {
            struct_ser.serialize_field("defined_in", &self.defined_in)?;
        }
        if !self.intent.is_empty() {
            struct_ser.serialize_field("intent", &self.intent)?;
        }
        if !self.state.is_empty() {
            struct_ser.serialize_field("state", &self.state)?;
        }
        if let Some(v) = self.since.as_ref() {
            struct_ser.serialize_field("since", v)?;
        }
        if !self.error.is_empty() {
            struct_ser.serialize_field("error", &self.error)?;
        }
        if let Some(v) = self.next_start_at.as_ref() {
            struct_ser.serialize_field("next_start_at", v)?;
        }
        if self.is_healthy {
            struct_ser.serialize_field("is_healthy", &self.is_healthy)?;
        }
        if !self.troubles.is_empty() {
            struct_ser.serialize_field("troubles", &self.troubles)?;
        }
        if !self.destinations.is_empty() {
            struct_ser.serialize_field("destinations", &self.destinations)?;
        }
        if self.running != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("running", ToString::to_string(&self.running).as_str())?;
        }
        if self.waiting != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("waiting", ToString::to_string(&self.waiting).as_str())?;
        }
        if self.letters_pending != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("letters_pending", ToString::to_string(&self.letters_pending).as_str())?;
        }
        if let Some(v) = self.lag.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("lag", ToString::to_string(&v).as_str())?;
        }
        if let Some(v) = self.blocking.as_ref() {
            struct_ser.serialize_field("blocking", v)?;
        }
        if self.done_total != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("done_total", ToString::to_string(&self.done_total).as_str())?;
        }
        if self.retried_total != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("retried_total", ToString::to_string(&self.retried_total).as_str())?;
        }
        if self.letters_total != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("letters_total", ToString::to_string(&self.letters_total).as_str())?;
        }
        if self.done_per_minute != 0. {
            struct_ser.serialize_field("done_per_minute", &self.done_per_minute)?;
        }
        if self.retried_per_minute != 0. {
            struct_ser.serialize_field("retried_per_minute", &self.retried_per_minute)?;
        }
        if self.letters_per_minute != 0. {
            struct_ser.serialize_field("letters_per_minute", &self.letters_per_minute)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RouteInfo {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "namespace",
            "name",
            "definition",
            "defined_in",
            "intent",
            "state",
            "since",
            "error",
            "next_start_at",
            "is_healthy",
            "troubles",
            "destinations",
            "running",
            "waiting",
            "letters_pending",
            "lag",
            "blocking",
            "done_total",
            "retried_total",
            "letters_total",
            "done_per_minute",
            "retried_per_minute",
            "letters_per_minute",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Namespace,
            Name,
            Definition,
            DefinedIn,
            Intent,
            State,
            Since,
            Error,
            NextStartAt,
            IsHealthy,
            Troubles,
            Destinations,
            Running,
            Waiting,
            LettersPending,
            Lag,
            Blocking,
            DoneTotal,
            RetriedTotal,
            LettersTotal,
            DonePerMinute,
            RetriedPerMinute,
            LettersPerMinute,
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
                            "definition" => Ok(GeneratedField::Definition),
                            "defined_in" => Ok(GeneratedField::DefinedIn),
                            "intent" => Ok(GeneratedField::Intent),
                            "state" => Ok(GeneratedField::State),
                            "since" => Ok(GeneratedField::Since),
                            "error" => Ok(GeneratedField::Error),
                            "next_start_at" => Ok(GeneratedField::NextStartAt),
                            "is_healthy" => Ok(GeneratedField::IsHealthy),
                            "troubles" => Ok(GeneratedField::Troubles),
                            "destinations" => Ok(GeneratedField::Destinations),
                            "running" => Ok(GeneratedField::Running),
                            "waiting" => Ok(GeneratedField::Waiting),
                            "letters_pending" => Ok(GeneratedField::LettersPending),
                            "lag" => Ok(GeneratedField::Lag),
                            "blocking" => Ok(GeneratedField::Blocking),
                            "done_total" => Ok(GeneratedField::DoneTotal),
                            "retried_total" => Ok(GeneratedField::RetriedTotal),
                            "letters_total" => Ok(GeneratedField::LettersTotal),
                            "done_per_minute" => Ok(GeneratedField::DonePerMinute),
                            "retried_per_minute" => Ok(GeneratedField::RetriedPerMinute),
                            "letters_per_minute" => Ok(GeneratedField::LettersPerMinute),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RouteInfo;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.RouteInfo")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RouteInfo, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut namespace__ = None;
                let mut name__ = None;
                let mut definition__ = None;
                let mut defined_in__ = None;
                let mut intent__ = None;
                let mut state__ = None;
                let mut since__ = None;
                let mut error__ = None;
                let mut next_start_at__ = None;
                let mut is_healthy__ = None;
                let mut troubles__ = None;
                let mut destinations__ = None;
                let mut running__ = None;
                let mut waiting__ = None;
                let mut letters_pending__ = None;
                let mut lag__ = None;
                let mut blocking__ = None;
                let mut done_total__ = None;
                let mut retried_total__ = None;
                let mut letters_total__ = None;
                let mut done_per_minute__ = None;
                let mut retried_per_minute__ = None;
                let mut letters_per_minute__ = None;
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
                        GeneratedField::Definition => {
                            if definition__.is_some() {
                                return Err(serde::de::Error::duplicate_field("definition"));
                            }
                            definition__ = map_.next_value()?;
                        }
                        GeneratedField::DefinedIn => {
                            if defined_in__.is_some() {
                                return Err(serde::de::Error::duplicate_field("defined_in"));
                            }
                            defined_in__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Intent => {
                            if intent__.is_some() {
                                return Err(serde::de::Error::duplicate_field("intent"));
                            }
                            intent__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::State => {
                            if state__.is_some() {
                                return Err(serde::de::Error::duplicate_field("state"));
                            }
                            state__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Since => {
                            if since__.is_some() {
                                return Err(serde::de::Error::duplicate_field("since"));
                            }
                            since__ = map_.next_value()?;
                        }
                        GeneratedField::Error => {
                            if error__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error"));
                            }
                            error__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::NextStartAt => {
                            if next_start_at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("next_start_at"));
                            }
                            next_start_at__ = map_.next_value()?;
                        }
                        GeneratedField::IsHealthy => {
                            if is_healthy__.is_some() {
                                return Err(serde::de::Error::duplicate_field("is_healthy"));
                            }
                            is_healthy__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Troubles => {
                            if troubles__.is_some() {
                                return Err(serde::de::Error::duplicate_field("troubles"));
                            }
                            troubles__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Destinations => {
                            if destinations__.is_some() {
                                return Err(serde::de::Error::duplicate_field("destinations"));
                            }
                            destinations__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Running => {
                            if running__.is_some() {
                                return Err(serde::de::Error::duplicate_field("running"));
                            }
                            running__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Waiting => {
                            if waiting__.is_some() {
                                return Err(serde::de::Error::duplicate_field("waiting"));
                            }
                            waiting__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::LettersPending => {
                            if letters_pending__.is_some() {
                                return Err(serde::de::Error::duplicate_field("letters_pending"));
                            }
                            letters_pending__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Lag => {
                            if lag__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lag"));
                            }
                            lag__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Blocking => {
                            if blocking__.is_some() {
                                return Err(serde::de::Error::duplicate_field("blocking"));
                            }
                            blocking__ = map_.next_value()?;
                        }
                        GeneratedField::DoneTotal => {
                            if done_total__.is_some() {
                                return Err(serde::de::Error::duplicate_field("done_total"));
                            }
                            done_total__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::RetriedTotal => {
                            if retried_total__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retried_total"));
                            }
                            retried_total__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::LettersTotal => {
                            if letters_total__.is_some() {
                                return Err(serde::de::Error::duplicate_field("letters_total"));
                            }
                            letters_total__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::DonePerMinute => {
                            if done_per_minute__.is_some() {
                                return Err(serde::de::Error::duplicate_field("done_per_minute"));
                            }
                            done_per_minute__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::RetriedPerMinute => {
                            if retried_per_minute__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retried_per_minute"));
                            }
                            retried_per_minute__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::LettersPerMinute => {
                            if letters_per_minute__.is_some() {
                                return Err(serde::de::Error::duplicate_field("letters_per_minute"));
                            }
                            letters_per_minute__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(RouteInfo {
                    namespace: namespace__.unwrap_or_default(),
                    name: name__.unwrap_or_default(),
                    definition: definition__,
                    defined_in: defined_in__.unwrap_or_default(),
                    intent: intent__.unwrap_or_default(),
                    state: state__.unwrap_or_default(),
                    since: since__,
                    error: error__.unwrap_or_default(),
                    next_start_at: next_start_at__,
                    is_healthy: is_healthy__.unwrap_or_default(),
                    troubles: troubles__.unwrap_or_default(),
                    destinations: destinations__.unwrap_or_default(),
                    running: running__.unwrap_or_default(),
                    waiting: waiting__.unwrap_or_default(),
                    letters_pending: letters_pending__.unwrap_or_default(),
                    lag: lag__,
                    blocking: blocking__,
                    done_total: done_total__.unwrap_or_default(),
                    retried_total: retried_total__.unwrap_or_default(),
                    letters_total: letters_total__.unwrap_or_default(),
                    done_per_minute: done_per_minute__.unwrap_or_default(),
                    retried_per_minute: retried_per_minute__.unwrap_or_default(),
                    letters_per_minute: letters_per_minute__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.RouteInfo", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RouteStatusEntry {
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
        if !self.state.is_empty() {
            len += 1;
        }
        if self.is_healthy {
            len += 1;
        }
        if self.running != 0 {
            len += 1;
        }
        if self.lag.is_some() {
            len += 1;
        }
        if self.done_per_minute != 0. {
            len += 1;
        }
        if self.letters_per_minute != 0. {
            len += 1;
        }
        if !self.error.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.RouteStatusEntry", len)?;
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if !self.state.is_empty() {
            struct_ser.serialize_field("state", &self.state)?;
        }
        if self.is_healthy {
            struct_ser.serialize_field("is_healthy", &self.is_healthy)?;
        }
        if self.running != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("running", ToString::to_string(&self.running).as_str())?;
        }
        if let Some(v) = self.lag.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("lag", ToString::to_string(&v).as_str())?;
        }
        if self.done_per_minute != 0. {
            struct_ser.serialize_field("done_per_minute", &self.done_per_minute)?;
        }
        if self.letters_per_minute != 0. {
            struct_ser.serialize_field("letters_per_minute", &self.letters_per_minute)?;
        }
        if !self.error.is_empty() {
            struct_ser.serialize_field("error", &self.error)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RouteStatusEntry {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "namespace",
            "name",
            "state",
            "is_healthy",
            "running",
            "lag",
            "done_per_minute",
            "letters_per_minute",
            "error",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Namespace,
            Name,
            State,
            IsHealthy,
            Running,
            Lag,
            DonePerMinute,
            LettersPerMinute,
            Error,
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
                            "state" => Ok(GeneratedField::State),
                            "is_healthy" => Ok(GeneratedField::IsHealthy),
                            "running" => Ok(GeneratedField::Running),
                            "lag" => Ok(GeneratedField::Lag),
                            "done_per_minute" => Ok(GeneratedField::DonePerMinute),
                            "letters_per_minute" => Ok(GeneratedField::LettersPerMinute),
                            "error" => Ok(GeneratedField::Error),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RouteStatusEntry;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.RouteStatusEntry")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RouteStatusEntry, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut namespace__ = None;
                let mut name__ = None;
                let mut state__ = None;
                let mut is_healthy__ = None;
                let mut running__ = None;
                let mut lag__ = None;
                let mut done_per_minute__ = None;
                let mut letters_per_minute__ = None;
                let mut error__ = None;
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
                        GeneratedField::State => {
                            if state__.is_some() {
                                return Err(serde::de::Error::duplicate_field("state"));
                            }
                            state__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::IsHealthy => {
                            if is_healthy__.is_some() {
                                return Err(serde::de::Error::duplicate_field("is_healthy"));
                            }
                            is_healthy__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Running => {
                            if running__.is_some() {
                                return Err(serde::de::Error::duplicate_field("running"));
                            }
                            running__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Lag => {
                            if lag__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lag"));
                            }
                            lag__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::DonePerMinute => {
                            if done_per_minute__.is_some() {
                                return Err(serde::de::Error::duplicate_field("done_per_minute"));
                            }
                            done_per_minute__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::LettersPerMinute => {
                            if letters_per_minute__.is_some() {
                                return Err(serde::de::Error::duplicate_field("letters_per_minute"));
                            }
                            letters_per_minute__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Error => {
                            if error__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error"));
                            }
                            error__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(RouteStatusEntry {
                    namespace: namespace__.unwrap_or_default(),
                    name: name__.unwrap_or_default(),
                    state: state__.unwrap_or_default(),
                    is_healthy: is_healthy__.unwrap_or_default(),
                    running: running__.unwrap_or_default(),
                    lag: lag__,
                    done_per_minute: done_per_minute__.unwrap_or_default(),
                    letters_per_minute: letters_per_minute__.unwrap_or_default(),
                    error: error__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.RouteStatusEntry", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RouteTrouble {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.kind.is_empty() {
            len += 1;
        }
        if self.since.is_some() {
            len += 1;
        }
        if !self.error.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.RouteTrouble", len)?;
        if !self.kind.is_empty() {
            struct_ser.serialize_field("kind", &self.kind)?;
        }
        if let Some(v) = self.since.as_ref() {
            struct_ser.serialize_field("since", v)?;
        }
        if !self.error.is_empty() {
            struct_ser.serialize_field("error", &self.error)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RouteTrouble {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "kind",
            "since",
            "error",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Kind,
            Since,
            Error,
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
                            "kind" => Ok(GeneratedField::Kind),
                            "since" => Ok(GeneratedField::Since),
                            "error" => Ok(GeneratedField::Error),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RouteTrouble;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.RouteTrouble")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RouteTrouble, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut kind__ = None;
                let mut since__ = None;
                let mut error__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Kind => {
                            if kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("kind"));
                            }
                            kind__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Since => {
                            if since__.is_some() {
                                return Err(serde::de::Error::duplicate_field("since"));
                            }
                            since__ = map_.next_value()?;
                        }
                        GeneratedField::Error => {
                            if error__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error"));
                            }
                            error__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(RouteTrouble {
                    kind: kind__.unwrap_or_default(),
                    since: since__,
                    error: error__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.RouteTrouble", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoutesControlRequest {
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
        if !self.action.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.RoutesControlRequest", len)?;
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if !self.action.is_empty() {
            struct_ser.serialize_field("action", &self.action)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoutesControlRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "namespace",
            "name",
            "action",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Namespace,
            Name,
            Action,
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
                            "action" => Ok(GeneratedField::Action),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoutesControlRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.RoutesControlRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoutesControlRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut namespace__ = None;
                let mut name__ = None;
                let mut action__ = None;
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
                        GeneratedField::Action => {
                            if action__.is_some() {
                                return Err(serde::de::Error::duplicate_field("action"));
                            }
                            action__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(RoutesControlRequest {
                    namespace: namespace__.unwrap_or_default(),
                    name: name__.unwrap_or_default(),
                    action: action__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.RoutesControlRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoutesCreateRequest {
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
        if self.definition.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.RoutesCreateRequest", len)?;
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if let Some(v) = self.definition.as_ref() {
            struct_ser.serialize_field("definition", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoutesCreateRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "namespace",
            "name",
            "definition",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Namespace,
            Name,
            Definition,
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
                            "definition" => Ok(GeneratedField::Definition),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoutesCreateRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.RoutesCreateRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoutesCreateRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut namespace__ = None;
                let mut name__ = None;
                let mut definition__ = None;
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
                        GeneratedField::Definition => {
                            if definition__.is_some() {
                                return Err(serde::de::Error::duplicate_field("definition"));
                            }
                            definition__ = map_.next_value()?;
                        }
                    }
                }
                Ok(RoutesCreateRequest {
                    namespace: namespace__.unwrap_or_default(),
                    name: name__.unwrap_or_default(),
                    definition: definition__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.RoutesCreateRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoutesDeleteRequest {
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
        let mut struct_ser = serializer.serialize_struct("redrive.v1.RoutesDeleteRequest", len)?;
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoutesDeleteRequest {
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
            type Value = RoutesDeleteRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.RoutesDeleteRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoutesDeleteRequest, V::Error>
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
                Ok(RoutesDeleteRequest {
                    namespace: namespace__.unwrap_or_default(),
                    name: name__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.RoutesDeleteRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoutesGetRequest {
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
        let mut struct_ser = serializer.serialize_struct("redrive.v1.RoutesGetRequest", len)?;
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoutesGetRequest {
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
            type Value = RoutesGetRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.RoutesGetRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoutesGetRequest, V::Error>
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
                Ok(RoutesGetRequest {
                    namespace: namespace__.unwrap_or_default(),
                    name: name__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.RoutesGetRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoutesListRequest {
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
        if !self.pivot.is_empty() {
            len += 1;
        }
        if self.limit != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.RoutesListRequest", len)?;
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.pivot.is_empty() {
            struct_ser.serialize_field("pivot", &self.pivot)?;
        }
        if self.limit != 0 {
            struct_ser.serialize_field("limit", &self.limit)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoutesListRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "namespace",
            "pivot",
            "limit",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Namespace,
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
                            "namespace" => Ok(GeneratedField::Namespace),
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
            type Value = RoutesListRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.RoutesListRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoutesListRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut namespace__ = None;
                let mut pivot__ = None;
                let mut limit__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
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
                    }
                }
                Ok(RoutesListRequest {
                    namespace: namespace__.unwrap_or_default(),
                    pivot: pivot__.unwrap_or_default(),
                    limit: limit__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.RoutesListRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoutesListResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.routes.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.RoutesListResponse", len)?;
        if !self.routes.is_empty() {
            struct_ser.serialize_field("routes", &self.routes)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoutesListResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "routes",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Routes,
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
                            "routes" => Ok(GeneratedField::Routes),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoutesListResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.RoutesListResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoutesListResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut routes__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Routes => {
                            if routes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("routes"));
                            }
                            routes__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(RoutesListResponse {
                    routes: routes__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.RoutesListResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoutesUpdateRequest {
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
        if self.definition.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.RoutesUpdateRequest", len)?;
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if let Some(v) = self.definition.as_ref() {
            struct_ser.serialize_field("definition", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoutesUpdateRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "namespace",
            "name",
            "definition",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Namespace,
            Name,
            Definition,
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
                            "definition" => Ok(GeneratedField::Definition),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoutesUpdateRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.RoutesUpdateRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoutesUpdateRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut namespace__ = None;
                let mut name__ = None;
                let mut definition__ = None;
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
                        GeneratedField::Definition => {
                            if definition__.is_some() {
                                return Err(serde::de::Error::duplicate_field("definition"));
                            }
                            definition__ = map_.next_value()?;
                        }
                    }
                }
                Ok(RoutesUpdateRequest {
                    namespace: namespace__.unwrap_or_default(),
                    name: name__.unwrap_or_default(),
                    definition: definition__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.RoutesUpdateRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RunCause {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.reason.is_empty() {
            len += 1;
        }
        if self.failed {
            len += 1;
        }
        if self.letters != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.RunCause", len)?;
        if !self.reason.is_empty() {
            struct_ser.serialize_field("reason", &self.reason)?;
        }
        if self.failed {
            struct_ser.serialize_field("failed", &self.failed)?;
        }
        if self.letters != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("letters", ToString::to_string(&self.letters).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RunCause {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "reason",
            "failed",
            "letters",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Reason,
            Failed,
            Letters,
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
                            "reason" => Ok(GeneratedField::Reason),
                            "failed" => Ok(GeneratedField::Failed),
                            "letters" => Ok(GeneratedField::Letters),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RunCause;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.RunCause")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RunCause, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut reason__ = None;
                let mut failed__ = None;
                let mut letters__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Reason => {
                            if reason__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reason"));
                            }
                            reason__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Failed => {
                            if failed__.is_some() {
                                return Err(serde::de::Error::duplicate_field("failed"));
                            }
                            failed__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Letters => {
                            if letters__.is_some() {
                                return Err(serde::de::Error::duplicate_field("letters"));
                            }
                            letters__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(RunCause {
                    reason: reason__.unwrap_or_default(),
                    failed: failed__.unwrap_or_default(),
                    letters: letters__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.RunCause", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SearchRebuildRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("redrive.v1.SearchRebuildRequest", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SearchRebuildRequest {
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
            type Value = SearchRebuildRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.SearchRebuildRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SearchRebuildRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(SearchRebuildRequest {
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.SearchRebuildRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SearchRebuildResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.index.is_empty() {
            len += 1;
        }
        if self.letters != 0 {
            len += 1;
        }
        if !self.digest.is_empty() {
            len += 1;
        }
        if !self.left_aside.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.SearchRebuildResponse", len)?;
        if !self.index.is_empty() {
            struct_ser.serialize_field("index", &self.index)?;
        }
        if self.letters != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("letters", ToString::to_string(&self.letters).as_str())?;
        }
        if !self.digest.is_empty() {
            struct_ser.serialize_field("digest", &self.digest)?;
        }
        if !self.left_aside.is_empty() {
            struct_ser.serialize_field("left_aside", &self.left_aside)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SearchRebuildResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "index",
            "letters",
            "digest",
            "left_aside",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Index,
            Letters,
            Digest,
            LeftAside,
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
                            "index" => Ok(GeneratedField::Index),
                            "letters" => Ok(GeneratedField::Letters),
                            "digest" => Ok(GeneratedField::Digest),
                            "left_aside" => Ok(GeneratedField::LeftAside),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = SearchRebuildResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.SearchRebuildResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SearchRebuildResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut index__ = None;
                let mut letters__ = None;
                let mut digest__ = None;
                let mut left_aside__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Index => {
                            if index__.is_some() {
                                return Err(serde::de::Error::duplicate_field("index"));
                            }
                            index__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Letters => {
                            if letters__.is_some() {
                                return Err(serde::de::Error::duplicate_field("letters"));
                            }
                            letters__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Digest => {
                            if digest__.is_some() {
                                return Err(serde::de::Error::duplicate_field("digest"));
                            }
                            digest__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::LeftAside => {
                            if left_aside__.is_some() {
                                return Err(serde::de::Error::duplicate_field("left_aside"));
                            }
                            left_aside__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(SearchRebuildResponse {
                    index: index__.unwrap_or_default(),
                    letters: letters__.unwrap_or_default(),
                    digest: digest__.unwrap_or_default(),
                    left_aside: left_aside__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.SearchRebuildResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SearchRestoreRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.after.is_empty() {
            len += 1;
        }
        if self.merge {
            len += 1;
        }
        if self.limit != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.SearchRestoreRequest", len)?;
        if !self.after.is_empty() {
            struct_ser.serialize_field("after", &self.after)?;
        }
        if self.merge {
            struct_ser.serialize_field("merge", &self.merge)?;
        }
        if self.limit != 0 {
            struct_ser.serialize_field("limit", &self.limit)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SearchRestoreRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "after",
            "merge",
            "limit",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            After,
            Merge,
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
                            "after" => Ok(GeneratedField::After),
                            "merge" => Ok(GeneratedField::Merge),
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
            type Value = SearchRestoreRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.SearchRestoreRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SearchRestoreRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut after__ = None;
                let mut merge__ = None;
                let mut limit__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::After => {
                            if after__.is_some() {
                                return Err(serde::de::Error::duplicate_field("after"));
                            }
                            after__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Merge => {
                            if merge__.is_some() {
                                return Err(serde::de::Error::duplicate_field("merge"));
                            }
                            merge__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
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
                Ok(SearchRestoreRequest {
                    after: after__.unwrap_or_default(),
                    merge: merge__.unwrap_or_default(),
                    limit: limit__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.SearchRestoreRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SearchRestoreResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.next.is_empty() {
            len += 1;
        }
        if self.total != 0 {
            len += 1;
        }
        if self.restored != 0 {
            len += 1;
        }
        if self.there != 0 {
            len += 1;
        }
        if !self.refused.is_empty() {
            len += 1;
        }
        if !self.queues_made.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.SearchRestoreResponse", len)?;
        if !self.next.is_empty() {
            struct_ser.serialize_field("next", &self.next)?;
        }
        if self.total != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("total", ToString::to_string(&self.total).as_str())?;
        }
        if self.restored != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("restored", ToString::to_string(&self.restored).as_str())?;
        }
        if self.there != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("there", ToString::to_string(&self.there).as_str())?;
        }
        if !self.refused.is_empty() {
            struct_ser.serialize_field("refused", &self.refused)?;
        }
        if !self.queues_made.is_empty() {
            struct_ser.serialize_field("queues_made", &self.queues_made)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SearchRestoreResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "next",
            "total",
            "restored",
            "there",
            "refused",
            "queues_made",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Next,
            Total,
            Restored,
            There,
            Refused,
            QueuesMade,
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
                            "next" => Ok(GeneratedField::Next),
                            "total" => Ok(GeneratedField::Total),
                            "restored" => Ok(GeneratedField::Restored),
                            "there" => Ok(GeneratedField::There),
                            "refused" => Ok(GeneratedField::Refused),
                            "queues_made" => Ok(GeneratedField::QueuesMade),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = SearchRestoreResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.SearchRestoreResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SearchRestoreResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut next__ = None;
                let mut total__ = None;
                let mut restored__ = None;
                let mut there__ = None;
                let mut refused__ = None;
                let mut queues_made__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Next => {
                            if next__.is_some() {
                                return Err(serde::de::Error::duplicate_field("next"));
                            }
                            next__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Total => {
                            if total__.is_some() {
                                return Err(serde::de::Error::duplicate_field("total"));
                            }
                            total__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Restored => {
                            if restored__.is_some() {
                                return Err(serde::de::Error::duplicate_field("restored"));
                            }
                            restored__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::There => {
                            if there__.is_some() {
                                return Err(serde::de::Error::duplicate_field("there"));
                            }
                            there__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Refused => {
                            if refused__.is_some() {
                                return Err(serde::de::Error::duplicate_field("refused"));
                            }
                            refused__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::QueuesMade => {
                            if queues_made__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queues_made"));
                            }
                            queues_made__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(SearchRestoreResponse {
                    next: next__.unwrap_or_default(),
                    total: total__.unwrap_or_default(),
                    restored: restored__.unwrap_or_default(),
                    there: there__.unwrap_or_default(),
                    refused: refused__.unwrap_or_default(),
                    queues_made: queues_made__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.SearchRestoreResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SearchStatusRequest {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("redrive.v1.SearchStatusRequest", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SearchStatusRequest {
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
            type Value = SearchStatusRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.SearchStatusRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SearchStatusRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(SearchStatusRequest {
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.SearchStatusRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SearchStatusResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.index.is_empty() {
            len += 1;
        }
        if !self.state.is_empty() {
            len += 1;
        }
        if !self.trouble.is_empty() {
            len += 1;
        }
        if self.outbox_depth != 0 {
            len += 1;
        }
        if self.lag_ms != 0 {
            len += 1;
        }
        if self.indexed != 0 {
            len += 1;
        }
        if self.deleted != 0 {
            len += 1;
        }
        if self.conflicts != 0 {
            len += 1;
        }
        if self.quarantined != 0 {
            len += 1;
        }
        if self.failures != 0 {
            len += 1;
        }
        if self.strict {
            len += 1;
        }
        if self.refilled.is_some() {
            len += 1;
        }
        if self.refill_total.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.SearchStatusResponse", len)?;
        if !self.index.is_empty() {
            struct_ser.serialize_field("index", &self.index)?;
        }
        if !self.state.is_empty() {
            struct_ser.serialize_field("state", &self.state)?;
        }
        if !self.trouble.is_empty() {
            struct_ser.serialize_field("trouble", &self.trouble)?;
        }
        if self.outbox_depth != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("outbox_depth", ToString::to_string(&self.outbox_depth).as_str())?;
        }
        if self.lag_ms != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("lag_ms", ToString::to_string(&self.lag_ms).as_str())?;
        }
        if self.indexed != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("indexed", ToString::to_string(&self.indexed).as_str())?;
        }
        if self.deleted != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("deleted", ToString::to_string(&self.deleted).as_str())?;
        }
        if self.conflicts != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("conflicts", ToString::to_string(&self.conflicts).as_str())?;
        }
        if self.quarantined != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("quarantined", ToString::to_string(&self.quarantined).as_str())?;
        }
        if self.failures != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("failures", ToString::to_string(&self.failures).as_str())?;
        }
        if self.strict {
            struct_ser.serialize_field("strict", &self.strict)?;
        }
        if let Some(v) = self.refilled.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("refilled", ToString::to_string(&v).as_str())?;
        }
        if let Some(v) = self.refill_total.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("refill_total", ToString::to_string(&v).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SearchStatusResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "index",
            "state",
            "trouble",
            "outbox_depth",
            "lag_ms",
            "indexed",
            "deleted",
            "conflicts",
            "quarantined",
            "failures",
            "strict",
            "refilled",
            "refill_total",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Index,
            State,
            Trouble,
            OutboxDepth,
            LagMs,
            Indexed,
            Deleted,
            Conflicts,
            Quarantined,
            Failures,
            Strict,
            Refilled,
            RefillTotal,
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
                            "index" => Ok(GeneratedField::Index),
                            "state" => Ok(GeneratedField::State),
                            "trouble" => Ok(GeneratedField::Trouble),
                            "outbox_depth" => Ok(GeneratedField::OutboxDepth),
                            "lag_ms" => Ok(GeneratedField::LagMs),
                            "indexed" => Ok(GeneratedField::Indexed),
                            "deleted" => Ok(GeneratedField::Deleted),
                            "conflicts" => Ok(GeneratedField::Conflicts),
                            "quarantined" => Ok(GeneratedField::Quarantined),
                            "failures" => Ok(GeneratedField::Failures),
                            "strict" => Ok(GeneratedField::Strict),
                            "refilled" => Ok(GeneratedField::Refilled),
                            "refill_total" => Ok(GeneratedField::RefillTotal),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = SearchStatusResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.SearchStatusResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SearchStatusResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut index__ = None;
                let mut state__ = None;
                let mut trouble__ = None;
                let mut outbox_depth__ = None;
                let mut lag_ms__ = None;
                let mut indexed__ = None;
                let mut deleted__ = None;
                let mut conflicts__ = None;
                let mut quarantined__ = None;
                let mut failures__ = None;
                let mut strict__ = None;
                let mut refilled__ = None;
                let mut refill_total__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Index => {
                            if index__.is_some() {
                                return Err(serde::de::Error::duplicate_field("index"));
                            }
                            index__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::State => {
                            if state__.is_some() {
                                return Err(serde::de::Error::duplicate_field("state"));
                            }
                            state__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Trouble => {
                            if trouble__.is_some() {
                                return Err(serde::de::Error::duplicate_field("trouble"));
                            }
                            trouble__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::OutboxDepth => {
                            if outbox_depth__.is_some() {
                                return Err(serde::de::Error::duplicate_field("outbox_depth"));
                            }
                            outbox_depth__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::LagMs => {
                            if lag_ms__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lag_ms"));
                            }
                            lag_ms__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Indexed => {
                            if indexed__.is_some() {
                                return Err(serde::de::Error::duplicate_field("indexed"));
                            }
                            indexed__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Deleted => {
                            if deleted__.is_some() {
                                return Err(serde::de::Error::duplicate_field("deleted"));
                            }
                            deleted__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Conflicts => {
                            if conflicts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("conflicts"));
                            }
                            conflicts__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Quarantined => {
                            if quarantined__.is_some() {
                                return Err(serde::de::Error::duplicate_field("quarantined"));
                            }
                            quarantined__ = 
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
                        GeneratedField::Strict => {
                            if strict__.is_some() {
                                return Err(serde::de::Error::duplicate_field("strict"));
                            }
                            strict__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Refilled => {
                            if refilled__.is_some() {
                                return Err(serde::de::Error::duplicate_field("refilled"));
                            }
                            refilled__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::RefillTotal => {
                            if refill_total__.is_some() {
                                return Err(serde::de::Error::duplicate_field("refill_total"));
                            }
                            refill_total__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                    }
                }
                Ok(SearchStatusResponse {
                    index: index__.unwrap_or_default(),
                    state: state__.unwrap_or_default(),
                    trouble: trouble__.unwrap_or_default(),
                    outbox_depth: outbox_depth__.unwrap_or_default(),
                    lag_ms: lag_ms__.unwrap_or_default(),
                    indexed: indexed__.unwrap_or_default(),
                    deleted: deleted__.unwrap_or_default(),
                    conflicts: conflicts__.unwrap_or_default(),
                    quarantined: quarantined__.unwrap_or_default(),
                    failures: failures__.unwrap_or_default(),
                    strict: strict__.unwrap_or_default(),
                    refilled: refilled__,
                    refill_total: refill_total__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.SearchStatusResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ServerStatus {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.version.is_empty() {
            len += 1;
        }
        if !self.store.is_empty() {
            len += 1;
        }
        if self.live_bytes != 0 {
            len += 1;
        }
        if self.log_bytes != 0 {
            len += 1;
        }
        if self.damaged != 0 {
            len += 1;
        }
        if !self.index.is_empty() {
            len += 1;
        }
        if self.index_outbox_depth != 0 {
            len += 1;
        }
        if self.index_lag_ms != 0 {
            len += 1;
        }
        if self.disk_free_bytes.is_some() {
            len += 1;
        }
        if self.disk_total_bytes.is_some() {
            len += 1;
        }
        if self.reserve_bytes != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.ServerStatus", len)?;
        if !self.version.is_empty() {
            struct_ser.serialize_field("version", &self.version)?;
        }
        if !self.store.is_empty() {
            struct_ser.serialize_field("store", &self.store)?;
        }
        if self.live_bytes != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("live_bytes", ToString::to_string(&self.live_bytes).as_str())?;
        }
        if self.log_bytes != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("log_bytes", ToString::to_string(&self.log_bytes).as_str())?;
        }
        if self.damaged != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("damaged", ToString::to_string(&self.damaged).as_str())?;
        }
        if !self.index.is_empty() {
            struct_ser.serialize_field("index", &self.index)?;
        }
        if self.index_outbox_depth != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("index_outbox_depth", ToString::to_string(&self.index_outbox_depth).as_str())?;
        }
        if self.index_lag_ms != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("index_lag_ms", ToString::to_string(&self.index_lag_ms).as_str())?;
        }
        if let Some(v) = self.disk_free_bytes.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("disk_free_bytes", ToString::to_string(&v).as_str())?;
        }
        if let Some(v) = self.disk_total_bytes.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("disk_total_bytes", ToString::to_string(&v).as_str())?;
        }
        if self.reserve_bytes != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("reserve_bytes", ToString::to_string(&self.reserve_bytes).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ServerStatus {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "version",
            "store",
            "live_bytes",
            "log_bytes",
            "damaged",
            "index",
            "index_outbox_depth",
            "index_lag_ms",
            "disk_free_bytes",
            "disk_total_bytes",
            "reserve_bytes",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Version,
            Store,
            LiveBytes,
            LogBytes,
            Damaged,
            Index,
            IndexOutboxDepth,
            IndexLagMs,
            DiskFreeBytes,
            DiskTotalBytes,
            ReserveBytes,
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
                            "version" => Ok(GeneratedField::Version),
                            "store" => Ok(GeneratedField::Store),
                            "live_bytes" => Ok(GeneratedField::LiveBytes),
                            "log_bytes" => Ok(GeneratedField::LogBytes),
                            "damaged" => Ok(GeneratedField::Damaged),
                            "index" => Ok(GeneratedField::Index),
                            "index_outbox_depth" => Ok(GeneratedField::IndexOutboxDepth),
                            "index_lag_ms" => Ok(GeneratedField::IndexLagMs),
                            "disk_free_bytes" => Ok(GeneratedField::DiskFreeBytes),
                            "disk_total_bytes" => Ok(GeneratedField::DiskTotalBytes),
                            "reserve_bytes" => Ok(GeneratedField::ReserveBytes),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ServerStatus;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.ServerStatus")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ServerStatus, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut version__ = None;
                let mut store__ = None;
                let mut live_bytes__ = None;
                let mut log_bytes__ = None;
                let mut damaged__ = None;
                let mut index__ = None;
                let mut index_outbox_depth__ = None;
                let mut index_lag_ms__ = None;
                let mut disk_free_bytes__ = None;
                let mut disk_total_bytes__ = None;
                let mut reserve_bytes__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Version => {
                            if version__.is_some() {
                                return Err(serde::de::Error::duplicate_field("version"));
                            }
                            version__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Store => {
                            if store__.is_some() {
                                return Err(serde::de::Error::duplicate_field("store"));
                            }
                            store__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::LiveBytes => {
                            if live_bytes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("live_bytes"));
                            }
                            live_bytes__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::LogBytes => {
                            if log_bytes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("log_bytes"));
                            }
                            log_bytes__ = 
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
                        GeneratedField::Index => {
                            if index__.is_some() {
                                return Err(serde::de::Error::duplicate_field("index"));
                            }
                            index__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::IndexOutboxDepth => {
                            if index_outbox_depth__.is_some() {
                                return Err(serde::de::Error::duplicate_field("index_outbox_depth"));
                            }
                            index_outbox_depth__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::IndexLagMs => {
                            if index_lag_ms__.is_some() {
                                return Err(serde::de::Error::duplicate_field("index_lag_ms"));
                            }
                            index_lag_ms__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::DiskFreeBytes => {
                            if disk_free_bytes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("disk_free_bytes"));
                            }
                            disk_free_bytes__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::DiskTotalBytes => {
                            if disk_total_bytes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("disk_total_bytes"));
                            }
                            disk_total_bytes__ = 
                                map_.next_value::<::std::option::Option<crate::number::Number<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::ReserveBytes => {
                            if reserve_bytes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reserve_bytes"));
                            }
                            reserve_bytes__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(ServerStatus {
                    version: version__.unwrap_or_default(),
                    store: store__.unwrap_or_default(),
                    live_bytes: live_bytes__.unwrap_or_default(),
                    log_bytes: log_bytes__.unwrap_or_default(),
                    damaged: damaged__.unwrap_or_default(),
                    index: index__.unwrap_or_default(),
                    index_outbox_depth: index_outbox_depth__.unwrap_or_default(),
                    index_lag_ms: index_lag_ms__.unwrap_or_default(),
                    disk_free_bytes: disk_free_bytes__,
                    disk_total_bytes: disk_total_bytes__,
                    reserve_bytes: reserve_bytes__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.ServerStatus", FIELDS, GeneratedVisitor)
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
        if self.fault.is_some() {
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
        if let Some(v) = self.fault.as_ref() {
            struct_ser.serialize_field("fault", v)?;
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
                settle_item::Verb::Lose(v) => {
                    struct_ser.serialize_field("lose", v)?;
                }
                settle_item::Verb::Keep(v) => {
                    struct_ser.serialize_field("keep", v)?;
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
            "fault",
            "ack",
            "retry",
            "dead_letter",
            "drop",
            "defer",
            "release",
            "condemn",
            "lose",
            "keep",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            Attempt,
            Fault,
            Ack,
            Retry,
            DeadLetter,
            Drop,
            Defer,
            Release,
            Condemn,
            Lose,
            Keep,
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
                            "fault" => Ok(GeneratedField::Fault),
                            "ack" => Ok(GeneratedField::Ack),
                            "retry" => Ok(GeneratedField::Retry),
                            "dead_letter" => Ok(GeneratedField::DeadLetter),
                            "drop" => Ok(GeneratedField::Drop),
                            "defer" => Ok(GeneratedField::Defer),
                            "release" => Ok(GeneratedField::Release),
                            "condemn" => Ok(GeneratedField::Condemn),
                            "lose" => Ok(GeneratedField::Lose),
                            "keep" => Ok(GeneratedField::Keep),
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
                let mut fault__ = None;
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
                        GeneratedField::Fault => {
                            if fault__.is_some() {
                                return Err(serde::de::Error::duplicate_field("fault"));
                            }
                            fault__ = map_.next_value()?;
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
                        GeneratedField::Lose => {
                            if verb__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lose"));
                            }
                            verb__ = map_.next_value::<::std::option::Option<_>>()?.map(settle_item::Verb::Lose)
;
                        }
                        GeneratedField::Keep => {
                            if verb__.is_some() {
                                return Err(serde::de::Error::duplicate_field("keep"));
                            }
                            verb__ = map_.next_value::<::std::option::Option<_>>()?.map(settle_item::Verb::Keep)
;
                        }
                    }
                }
                Ok(SettleItem {
                    id: id__.unwrap_or_default(),
                    attempt: attempt__,
                    fault: fault__,
                    verb: verb__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.SettleItem", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SettledItem {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.outcome.is_empty() {
            len += 1;
        }
        if self.at.is_some() {
            len += 1;
        }
        if !self.moved_to.is_empty() {
            len += 1;
        }
        if self.refused.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.SettledItem", len)?;
        if !self.outcome.is_empty() {
            struct_ser.serialize_field("outcome", &self.outcome)?;
        }
        if let Some(v) = self.at.as_ref() {
            struct_ser.serialize_field("at", v)?;
        }
        if !self.moved_to.is_empty() {
            struct_ser.serialize_field("moved_to", &self.moved_to)?;
        }
        if let Some(v) = self.refused.as_ref() {
            struct_ser.serialize_field("refused", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SettledItem {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "outcome",
            "at",
            "moved_to",
            "refused",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Outcome,
            At,
            MovedTo,
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
                            "outcome" => Ok(GeneratedField::Outcome),
                            "at" => Ok(GeneratedField::At),
                            "moved_to" => Ok(GeneratedField::MovedTo),
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
            type Value = SettledItem;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.SettledItem")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SettledItem, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut outcome__ = None;
                let mut at__ = None;
                let mut moved_to__ = None;
                let mut refused__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Outcome => {
                            if outcome__.is_some() {
                                return Err(serde::de::Error::duplicate_field("outcome"));
                            }
                            outcome__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::At => {
                            if at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("at"));
                            }
                            at__ = map_.next_value()?;
                        }
                        GeneratedField::MovedTo => {
                            if moved_to__.is_some() {
                                return Err(serde::de::Error::duplicate_field("moved_to"));
                            }
                            moved_to__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Refused => {
                            if refused__.is_some() {
                                return Err(serde::de::Error::duplicate_field("refused"));
                            }
                            refused__ = map_.next_value()?;
                        }
                    }
                }
                Ok(SettledItem {
                    outcome: outcome__.unwrap_or_default(),
                    at: at__,
                    moved_to: moved_to__.unwrap_or_default(),
                    refused: refused__,
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.SettledItem", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SkippedLetter {
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
        if !self.reason.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.SkippedLetter", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.reason.is_empty() {
            struct_ser.serialize_field("reason", &self.reason)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SkippedLetter {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "reason",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            Reason,
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
                            "reason" => Ok(GeneratedField::Reason),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = SkippedLetter;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.SkippedLetter")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SkippedLetter, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut reason__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Reason => {
                            if reason__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reason"));
                            }
                            reason__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(SkippedLetter {
                    id: id__.unwrap_or_default(),
                    reason: reason__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.SkippedLetter", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StatusBreakdown {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.pending != 0 {
            len += 1;
        }
        if self.retrying != 0 {
            len += 1;
        }
        if self.exhausted != 0 {
            len += 1;
        }
        if self.completed != 0 {
            len += 1;
        }
        if self.archived != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.StatusBreakdown", len)?;
        if self.pending != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("pending", ToString::to_string(&self.pending).as_str())?;
        }
        if self.retrying != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("retrying", ToString::to_string(&self.retrying).as_str())?;
        }
        if self.exhausted != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("exhausted", ToString::to_string(&self.exhausted).as_str())?;
        }
        if self.completed != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("completed", ToString::to_string(&self.completed).as_str())?;
        }
        if self.archived != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("archived", ToString::to_string(&self.archived).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StatusBreakdown {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "pending",
            "retrying",
            "exhausted",
            "completed",
            "archived",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Pending,
            Retrying,
            Exhausted,
            Completed,
            Archived,
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
                            "pending" => Ok(GeneratedField::Pending),
                            "retrying" => Ok(GeneratedField::Retrying),
                            "exhausted" => Ok(GeneratedField::Exhausted),
                            "completed" => Ok(GeneratedField::Completed),
                            "archived" => Ok(GeneratedField::Archived),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StatusBreakdown;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.StatusBreakdown")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StatusBreakdown, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut pending__ = None;
                let mut retrying__ = None;
                let mut exhausted__ = None;
                let mut completed__ = None;
                let mut archived__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Pending => {
                            if pending__.is_some() {
                                return Err(serde::de::Error::duplicate_field("pending"));
                            }
                            pending__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Retrying => {
                            if retrying__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retrying"));
                            }
                            retrying__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Exhausted => {
                            if exhausted__.is_some() {
                                return Err(serde::de::Error::duplicate_field("exhausted"));
                            }
                            exhausted__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Completed => {
                            if completed__.is_some() {
                                return Err(serde::de::Error::duplicate_field("completed"));
                            }
                            completed__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Archived => {
                            if archived__.is_some() {
                                return Err(serde::de::Error::duplicate_field("archived"));
                            }
                            archived__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(StatusBreakdown {
                    pending: pending__.unwrap_or_default(),
                    retrying: retrying__.unwrap_or_default(),
                    exhausted: exhausted__.unwrap_or_default(),
                    completed: completed__.unwrap_or_default(),
                    archived: archived__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.StatusBreakdown", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StatusGetRequest {
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
        if !self.pivot.is_empty() {
            len += 1;
        }
        if self.limit != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.StatusGetRequest", len)?;
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.pivot.is_empty() {
            struct_ser.serialize_field("pivot", &self.pivot)?;
        }
        if self.limit != 0 {
            struct_ser.serialize_field("limit", &self.limit)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StatusGetRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "namespace",
            "pivot",
            "limit",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Namespace,
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
                            "namespace" => Ok(GeneratedField::Namespace),
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
            type Value = StatusGetRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.StatusGetRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StatusGetRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut namespace__ = None;
                let mut pivot__ = None;
                let mut limit__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
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
                    }
                }
                Ok(StatusGetRequest {
                    namespace: namespace__.unwrap_or_default(),
                    pivot: pivot__.unwrap_or_default(),
                    limit: limit__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.StatusGetRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StatusGetResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.now.is_some() {
            len += 1;
        }
        if !self.attention.is_empty() {
            len += 1;
        }
        if self.attention_total != 0 {
            len += 1;
        }
        if self.totals.is_some() {
            len += 1;
        }
        if !self.queues.is_empty() {
            len += 1;
        }
        if !self.next.is_empty() {
            len += 1;
        }
        if !self.retries.is_empty() {
            len += 1;
        }
        if self.server.is_some() {
            len += 1;
        }
        if !self.routes.is_empty() {
            len += 1;
        }
        if self.routes_total != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.StatusGetResponse", len)?;
        if let Some(v) = self.now.as_ref() {
            struct_ser.serialize_field("now", v)?;
        }
        if !self.attention.is_empty() {
            struct_ser.serialize_field("attention", &self.attention)?;
        }
        if self.attention_total != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("attention_total", ToString::to_string(&self.attention_total).as_str())?;
        }
        if let Some(v) = self.totals.as_ref() {
            struct_ser.serialize_field("totals", v)?;
        }
        if !self.queues.is_empty() {
            struct_ser.serialize_field("queues", &self.queues)?;
        }
        if !self.next.is_empty() {
            struct_ser.serialize_field("next", &self.next)?;
        }
        if !self.retries.is_empty() {
            struct_ser.serialize_field("retries", &self.retries)?;
        }
        if let Some(v) = self.server.as_ref() {
            struct_ser.serialize_field("server", v)?;
        }
        if !self.routes.is_empty() {
            struct_ser.serialize_field("routes", &self.routes)?;
        }
        if self.routes_total != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("routes_total", ToString::to_string(&self.routes_total).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StatusGetResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "now",
            "attention",
            "attention_total",
            "totals",
            "queues",
            "next",
            "retries",
            "server",
            "routes",
            "routes_total",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Now,
            Attention,
            AttentionTotal,
            Totals,
            Queues,
            Next,
            Retries,
            Server,
            Routes,
            RoutesTotal,
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
                            "now" => Ok(GeneratedField::Now),
                            "attention" => Ok(GeneratedField::Attention),
                            "attention_total" => Ok(GeneratedField::AttentionTotal),
                            "totals" => Ok(GeneratedField::Totals),
                            "queues" => Ok(GeneratedField::Queues),
                            "next" => Ok(GeneratedField::Next),
                            "retries" => Ok(GeneratedField::Retries),
                            "server" => Ok(GeneratedField::Server),
                            "routes" => Ok(GeneratedField::Routes),
                            "routes_total" => Ok(GeneratedField::RoutesTotal),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StatusGetResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.StatusGetResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StatusGetResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut now__ = None;
                let mut attention__ = None;
                let mut attention_total__ = None;
                let mut totals__ = None;
                let mut queues__ = None;
                let mut next__ = None;
                let mut retries__ = None;
                let mut server__ = None;
                let mut routes__ = None;
                let mut routes_total__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Now => {
                            if now__.is_some() {
                                return Err(serde::de::Error::duplicate_field("now"));
                            }
                            now__ = map_.next_value()?;
                        }
                        GeneratedField::Attention => {
                            if attention__.is_some() {
                                return Err(serde::de::Error::duplicate_field("attention"));
                            }
                            attention__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::AttentionTotal => {
                            if attention_total__.is_some() {
                                return Err(serde::de::Error::duplicate_field("attention_total"));
                            }
                            attention_total__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Totals => {
                            if totals__.is_some() {
                                return Err(serde::de::Error::duplicate_field("totals"));
                            }
                            totals__ = map_.next_value()?;
                        }
                        GeneratedField::Queues => {
                            if queues__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queues"));
                            }
                            queues__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Next => {
                            if next__.is_some() {
                                return Err(serde::de::Error::duplicate_field("next"));
                            }
                            next__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Retries => {
                            if retries__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retries"));
                            }
                            retries__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Server => {
                            if server__.is_some() {
                                return Err(serde::de::Error::duplicate_field("server"));
                            }
                            server__ = map_.next_value()?;
                        }
                        GeneratedField::Routes => {
                            if routes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("routes"));
                            }
                            routes__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::RoutesTotal => {
                            if routes_total__.is_some() {
                                return Err(serde::de::Error::duplicate_field("routes_total"));
                            }
                            routes_total__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(StatusGetResponse {
                    now: now__,
                    attention: attention__.unwrap_or_default(),
                    attention_total: attention_total__.unwrap_or_default(),
                    totals: totals__,
                    queues: queues__.unwrap_or_default(),
                    next: next__.unwrap_or_default(),
                    retries: retries__.unwrap_or_default(),
                    server: server__,
                    routes: routes__.unwrap_or_default(),
                    routes_total: routes_total__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.StatusGetResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StatusQueuesRequest {
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
        if !self.namespace.is_empty() {
            len += 1;
        }
        if !self.pivot.is_empty() {
            len += 1;
        }
        if self.limit != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.StatusQueuesRequest", len)?;
        if !self.queue_name.is_empty() {
            struct_ser.serialize_field("queue_name", &self.queue_name)?;
        }
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.pivot.is_empty() {
            struct_ser.serialize_field("pivot", &self.pivot)?;
        }
        if self.limit != 0 {
            struct_ser.serialize_field("limit", &self.limit)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StatusQueuesRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queue_name",
            "namespace",
            "pivot",
            "limit",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            QueueName,
            Namespace,
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
                            "queue_name" => Ok(GeneratedField::QueueName),
                            "namespace" => Ok(GeneratedField::Namespace),
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
            type Value = StatusQueuesRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.StatusQueuesRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StatusQueuesRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queue_name__ = None;
                let mut namespace__ = None;
                let mut pivot__ = None;
                let mut limit__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::QueueName => {
                            if queue_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queue_name"));
                            }
                            queue_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
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
                    }
                }
                Ok(StatusQueuesRequest {
                    queue_name: queue_name__.unwrap_or_default(),
                    namespace: namespace__.unwrap_or_default(),
                    pivot: pivot__.unwrap_or_default(),
                    limit: limit__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.StatusQueuesRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StatusQueuesResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.queues.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.StatusQueuesResponse", len)?;
        if !self.queues.is_empty() {
            struct_ser.serialize_field("queues", &self.queues)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StatusQueuesResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queues",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Queues,
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
                            "queues" => Ok(GeneratedField::Queues),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StatusQueuesResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.StatusQueuesResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StatusQueuesResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queues__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Queues => {
                            if queues__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queues"));
                            }
                            queues__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(StatusQueuesResponse {
                    queues: queues__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.StatusQueuesResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StatusTotals {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.queues != 0 {
            len += 1;
        }
        if self.paused != 0 {
            len += 1;
        }
        if self.ready != 0 {
            len += 1;
        }
        if self.leased != 0 {
            len += 1;
        }
        if self.scheduled != 0 {
            len += 1;
        }
        if self.stranded != 0 {
            len += 1;
        }
        if self.damaged != 0 {
            len += 1;
        }
        if self.dead != 0 {
            len += 1;
        }
        if self.exhausted != 0 {
            len += 1;
        }
        if self.overdue != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.StatusTotals", len)?;
        if self.queues != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("queues", ToString::to_string(&self.queues).as_str())?;
        }
        if self.paused != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("paused", ToString::to_string(&self.paused).as_str())?;
        }
        if self.ready != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("ready", ToString::to_string(&self.ready).as_str())?;
        }
        if self.leased != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("leased", ToString::to_string(&self.leased).as_str())?;
        }
        if self.scheduled != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("scheduled", ToString::to_string(&self.scheduled).as_str())?;
        }
        if self.stranded != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("stranded", ToString::to_string(&self.stranded).as_str())?;
        }
        if self.damaged != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("damaged", ToString::to_string(&self.damaged).as_str())?;
        }
        if self.dead != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("dead", ToString::to_string(&self.dead).as_str())?;
        }
        if self.exhausted != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("exhausted", ToString::to_string(&self.exhausted).as_str())?;
        }
        if self.overdue != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("overdue", ToString::to_string(&self.overdue).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StatusTotals {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "queues",
            "paused",
            "ready",
            "leased",
            "scheduled",
            "stranded",
            "damaged",
            "dead",
            "exhausted",
            "overdue",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Queues,
            Paused,
            Ready,
            Leased,
            Scheduled,
            Stranded,
            Damaged,
            Dead,
            Exhausted,
            Overdue,
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
                            "queues" => Ok(GeneratedField::Queues),
                            "paused" => Ok(GeneratedField::Paused),
                            "ready" => Ok(GeneratedField::Ready),
                            "leased" => Ok(GeneratedField::Leased),
                            "scheduled" => Ok(GeneratedField::Scheduled),
                            "stranded" => Ok(GeneratedField::Stranded),
                            "damaged" => Ok(GeneratedField::Damaged),
                            "dead" => Ok(GeneratedField::Dead),
                            "exhausted" => Ok(GeneratedField::Exhausted),
                            "overdue" => Ok(GeneratedField::Overdue),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StatusTotals;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.StatusTotals")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StatusTotals, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut queues__ = None;
                let mut paused__ = None;
                let mut ready__ = None;
                let mut leased__ = None;
                let mut scheduled__ = None;
                let mut stranded__ = None;
                let mut damaged__ = None;
                let mut dead__ = None;
                let mut exhausted__ = None;
                let mut overdue__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Queues => {
                            if queues__.is_some() {
                                return Err(serde::de::Error::duplicate_field("queues"));
                            }
                            queues__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Paused => {
                            if paused__.is_some() {
                                return Err(serde::de::Error::duplicate_field("paused"));
                            }
                            paused__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Ready => {
                            if ready__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ready"));
                            }
                            ready__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Leased => {
                            if leased__.is_some() {
                                return Err(serde::de::Error::duplicate_field("leased"));
                            }
                            leased__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Scheduled => {
                            if scheduled__.is_some() {
                                return Err(serde::de::Error::duplicate_field("scheduled"));
                            }
                            scheduled__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Stranded => {
                            if stranded__.is_some() {
                                return Err(serde::de::Error::duplicate_field("stranded"));
                            }
                            stranded__ = 
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
                        GeneratedField::Dead => {
                            if dead__.is_some() {
                                return Err(serde::de::Error::duplicate_field("dead"));
                            }
                            dead__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Exhausted => {
                            if exhausted__.is_some() {
                                return Err(serde::de::Error::duplicate_field("exhausted"));
                            }
                            exhausted__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Overdue => {
                            if overdue__.is_some() {
                                return Err(serde::de::Error::duplicate_field("overdue"));
                            }
                            overdue__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(StatusTotals {
                    queues: queues__.unwrap_or_default(),
                    paused: paused__.unwrap_or_default(),
                    ready: ready__.unwrap_or_default(),
                    leased: leased__.unwrap_or_default(),
                    scheduled: scheduled__.unwrap_or_default(),
                    stranded: stranded__.unwrap_or_default(),
                    damaged: damaged__.unwrap_or_default(),
                    dead: dead__.unwrap_or_default(),
                    exhausted: exhausted__.unwrap_or_default(),
                    overdue: overdue__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.StatusTotals", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TriggeredRetries {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.success != 0 {
            len += 1;
        }
        if self.failed != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.TriggeredRetries", len)?;
        if self.success != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("success", ToString::to_string(&self.success).as_str())?;
        }
        if self.failed != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("failed", ToString::to_string(&self.failed).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TriggeredRetries {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "success",
            "failed",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Success,
            Failed,
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
                            "success" => Ok(GeneratedField::Success),
                            "failed" => Ok(GeneratedField::Failed),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TriggeredRetries;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.TriggeredRetries")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TriggeredRetries, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut success__ = None;
                let mut failed__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Success => {
                            if success__.is_some() {
                                return Err(serde::de::Error::duplicate_field("success"));
                            }
                            success__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                        GeneratedField::Failed => {
                            if failed__.is_some() {
                                return Err(serde::de::Error::duplicate_field("failed"));
                            }
                            failed__ = 
                                Some(map_.next_value::<crate::number::Number<_>>()?.0)
                            ;
                        }
                    }
                }
                Ok(TriggeredRetries {
                    success: success__.unwrap_or_default(),
                    failed: failed__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.TriggeredRetries", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for WhoamiGetRequest {
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
        let mut struct_ser = serializer.serialize_struct("redrive.v1.WhoamiGetRequest", len)?;
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for WhoamiGetRequest {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "namespace",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
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
            type Value = WhoamiGetRequest;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.WhoamiGetRequest")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<WhoamiGetRequest, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut namespace__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(WhoamiGetRequest {
                    namespace: namespace__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.WhoamiGetRequest", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for WhoamiGetResponse {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.auth.is_empty() {
            len += 1;
        }
        if !self.user_id.is_empty() {
            len += 1;
        }
        if !self.username.is_empty() {
            len += 1;
        }
        if !self.key_id.is_empty() {
            len += 1;
        }
        if !self.key_name.is_empty() {
            len += 1;
        }
        if !self.key_prefix.is_empty() {
            len += 1;
        }
        if !self.namespace_scope.is_empty() {
            len += 1;
        }
        if self.expires_at.is_some() {
            len += 1;
        }
        if !self.namespace.is_empty() {
            len += 1;
        }
        if !self.permissions.is_empty() {
            len += 1;
        }
        if !self.roles.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("redrive.v1.WhoamiGetResponse", len)?;
        if !self.auth.is_empty() {
            struct_ser.serialize_field("auth", &self.auth)?;
        }
        if !self.user_id.is_empty() {
            struct_ser.serialize_field("user_id", &self.user_id)?;
        }
        if !self.username.is_empty() {
            struct_ser.serialize_field("username", &self.username)?;
        }
        if !self.key_id.is_empty() {
            struct_ser.serialize_field("key_id", &self.key_id)?;
        }
        if !self.key_name.is_empty() {
            struct_ser.serialize_field("key_name", &self.key_name)?;
        }
        if !self.key_prefix.is_empty() {
            struct_ser.serialize_field("key_prefix", &self.key_prefix)?;
        }
        if !self.namespace_scope.is_empty() {
            struct_ser.serialize_field("namespace_scope", &self.namespace_scope)?;
        }
        if let Some(v) = self.expires_at.as_ref() {
            struct_ser.serialize_field("expires_at", v)?;
        }
        if !self.namespace.is_empty() {
            struct_ser.serialize_field("namespace", &self.namespace)?;
        }
        if !self.permissions.is_empty() {
            struct_ser.serialize_field("permissions", &self.permissions)?;
        }
        if !self.roles.is_empty() {
            struct_ser.serialize_field("roles", &self.roles)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for WhoamiGetResponse {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "auth",
            "user_id",
            "username",
            "key_id",
            "key_name",
            "key_prefix",
            "namespace_scope",
            "expires_at",
            "namespace",
            "permissions",
            "roles",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Auth,
            UserId,
            Username,
            KeyId,
            KeyName,
            KeyPrefix,
            NamespaceScope,
            ExpiresAt,
            Namespace,
            Permissions,
            Roles,
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
                            "auth" => Ok(GeneratedField::Auth),
                            "user_id" => Ok(GeneratedField::UserId),
                            "username" => Ok(GeneratedField::Username),
                            "key_id" => Ok(GeneratedField::KeyId),
                            "key_name" => Ok(GeneratedField::KeyName),
                            "key_prefix" => Ok(GeneratedField::KeyPrefix),
                            "namespace_scope" => Ok(GeneratedField::NamespaceScope),
                            "expires_at" => Ok(GeneratedField::ExpiresAt),
                            "namespace" => Ok(GeneratedField::Namespace),
                            "permissions" => Ok(GeneratedField::Permissions),
                            "roles" => Ok(GeneratedField::Roles),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = WhoamiGetResponse;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.WhoamiGetResponse")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<WhoamiGetResponse, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut auth__ = None;
                let mut user_id__ = None;
                let mut username__ = None;
                let mut key_id__ = None;
                let mut key_name__ = None;
                let mut key_prefix__ = None;
                let mut namespace_scope__ = None;
                let mut expires_at__ = None;
                let mut namespace__ = None;
                let mut permissions__ = None;
                let mut roles__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Auth => {
                            if auth__.is_some() {
                                return Err(serde::de::Error::duplicate_field("auth"));
                            }
                            auth__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::UserId => {
                            if user_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("user_id"));
                            }
                            user_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Username => {
                            if username__.is_some() {
                                return Err(serde::de::Error::duplicate_field("username"));
                            }
                            username__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::KeyId => {
                            if key_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("key_id"));
                            }
                            key_id__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::KeyName => {
                            if key_name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("key_name"));
                            }
                            key_name__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::KeyPrefix => {
                            if key_prefix__.is_some() {
                                return Err(serde::de::Error::duplicate_field("key_prefix"));
                            }
                            key_prefix__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
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
                        GeneratedField::Namespace => {
                            if namespace__.is_some() {
                                return Err(serde::de::Error::duplicate_field("namespace"));
                            }
                            namespace__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Permissions => {
                            if permissions__.is_some() {
                                return Err(serde::de::Error::duplicate_field("permissions"));
                            }
                            permissions__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                        GeneratedField::Roles => {
                            if roles__.is_some() {
                                return Err(serde::de::Error::duplicate_field("roles"));
                            }
                            roles__ = Some(map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default());
                        }
                    }
                }
                Ok(WhoamiGetResponse {
                    auth: auth__.unwrap_or_default(),
                    user_id: user_id__.unwrap_or_default(),
                    username: username__.unwrap_or_default(),
                    key_id: key_id__.unwrap_or_default(),
                    key_name: key_name__.unwrap_or_default(),
                    key_prefix: key_prefix__.unwrap_or_default(),
                    namespace_scope: namespace_scope__.unwrap_or_default(),
                    expires_at: expires_at__,
                    namespace: namespace__.unwrap_or_default(),
                    permissions: permissions__.unwrap_or_default(),
                    roles: roles__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.WhoamiGetResponse", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for WhoamiRole {
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
        let mut struct_ser = serializer.serialize_struct("redrive.v1.WhoamiRole", len)?;
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
impl<'de> serde::Deserialize<'de> for WhoamiRole {
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
            type Value = WhoamiRole;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct redrive.v1.WhoamiRole")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<WhoamiRole, V::Error>
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
                Ok(WhoamiRole {
                    namespace: namespace__.unwrap_or_default(),
                    name: name__.unwrap_or_default(),
                    permissions: permissions__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("redrive.v1.WhoamiRole", FIELDS, GeneratedVisitor)
    }
}
