//! The filters of `redrive audit list` and `export`.

use redrive_client::proto::redrive::v1::AuditListRequest;

use crate::session::Session;
use crate::values::parse_time_or_age;

#[derive(Debug, clap::Args)]
pub(super) struct FilterOptions {
    /// Only records from this time on: a time, or how long ago it is by the clock of the server, as in 2h.
    #[arg(long, value_name = "TIME", value_parser = parse_time_or_age)]
    since: Option<String>,
    /// Only records before this time.
    #[arg(long, value_name = "TIME", value_parser = parse_time_or_age)]
    until: Option<String>,
    /// Only acts of this user, by name or id, or with the API key of this id.
    #[arg(long, value_name = "ACTOR")]
    actor: Option<String>,
    /// Only this call, as in queues.create, or all calls of a noun, as in queues.
    #[arg(long, value_name = "CALL")]
    action: Option<String>,
    /// Only acts on this target: its name, or its kind and name, as in letter=3M928yx0UrfVbDwCKPpjAHbKnmG.
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,
    /// Only acts on this queue.
    #[arg(long, value_name = "QUEUE")]
    queue: Option<String>,
    #[command(flatten)]
    scope: ScopeOptions,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ScopeOptions {
    /// Only acts in this namespace [default: that of the context, else all].
    #[arg(long, value_name = "NAME")]
    namespace: Option<String>,
    /// Acts in all namespaces in which the caller may read the log, whatever the context is.
    #[arg(long, conflicts_with = "namespace")]
    pub(super) all_namespaces: bool,
}

impl ScopeOptions {
    /// The namespace; empty for all.
    pub(super) fn namespace(&self, session: &Session) -> String {
        if self.all_namespaces { String::new() } else { session.namespace_or(self.namespace.as_deref()) }
    }
}

impl FilterOptions {
    /// The namespace of the acts; empty for all.
    pub(super) fn namespace(&self, session: &Session) -> String {
        self.scope.namespace(session)
    }

    pub(super) fn request(&self, session: &Session) -> AuditListRequest {
        let text = |option: &Option<String>| option.clone().unwrap_or_default();
        AuditListRequest {
            namespace: self.scope.namespace(session),
            all_namespaces: self.scope.all_namespaces,
            since: text(&self.since),
            until: text(&self.until),
            actor: text(&self.actor),
            action: text(&self.action),
            target: text(&self.target),
            queue_name: text(&self.queue),
            ..AuditListRequest::default()
        }
    }
}
