//! Which audit records a caller wants, and which it may see.

use std::collections::BTreeMap;

use redrive_core::Time;
use redrive_proto::Timestamp;
use redrive_proto::redrive::v1::AuditListRequest;

use super::AuditRecord;
use crate::api_error::ApiError;
use crate::problems::Problems;
use crate::wire::time_or_age;

/// The conditions of a list, all of which a record must meet. An empty text is no condition.
#[derive(Debug)]
pub(super) struct AuditFilter {
    view: AuditView,
    since: Option<Time>,
    until: Option<Time>,
    actor: String,
    action: String,
    target: String,
    queue: String,
}

/// The records that a caller may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AuditView {
    /// The whole log.
    All,
    /// The whole log, of which the caller wants the acts in one namespace.
    AllIn(String),
    /// Only the acts in these namespaces, in each since its creation: an earlier namespace of the same name is none of the
    /// caller's business.
    OnlyIn(BTreeMap<String, Time>),
}

impl AuditView {
    /// Whether the caller may read the whole log.
    pub(super) const fn is_whole(&self) -> bool {
        matches!(self, Self::All | Self::AllIn(_))
    }

    fn shows(&self, record: &AuditRecord) -> bool {
        match (self, record.namespace.as_deref()) {
            (Self::All, _) => true,
            (_, None) => false,
            (Self::AllIn(namespace), Some(of_record)) => namespace == of_record,
            (Self::OnlyIn(namespaces), Some(of_record)) => namespaces
                .get(of_record)
                .is_some_and(|created_at| record.time.time().is_some_and(|time| time >= *created_at)),
        }
    }
}

impl AuditFilter {
    pub(super) fn new(request: &AuditListRequest, view: AuditView, now: Time, problems: &mut Problems) -> Self {
        let since = problems.field("since", time_or_age("since", &request.since, now));
        let until = problems.field("until", time_or_age("until", &request.until, now));
        if let (Some(since), Some(until)) = (since, until)
            && until <= since
        {
            let (since, until) = (Timestamp::from(since), Timestamp::from(until));
            let error = ApiError::bad(format!("until is invalid; {until} is not after {since}"));
            problems.field("until", Err::<(), _>(error));
        }
        Self {
            view,
            since,
            until,
            actor: request.actor.clone(),
            action: request.action.clone(),
            target: request.target.clone(),
            queue: request.queue_name.clone(),
        }
    }

    pub(super) const fn view(&self) -> &AuditView {
        &self.view
    }

    /// Whether every record matches, also one that cannot be read.
    pub(super) const fn matches_all(&self) -> bool {
        let Self { view, since, until, actor, action, target, queue } = self;
        matches!(view, AuditView::All)
            && (since.is_none() && until.is_none())
            && (actor.is_empty() && action.is_empty() && target.is_empty() && queue.is_empty())
    }

    pub(super) fn matches(&self, record: &AuditRecord) -> bool {
        self.view.shows(record)
            && self.is_in_time(record)
            && (self.actor.is_empty() || is_actor(record, &self.actor))
            && (self.action.is_empty() || is_action(record, &self.action))
            && (self.target.is_empty() || has_target(record, &self.target))
            && (self.queue.is_empty() || is_on_queue(record, &self.queue))
    }

    fn is_in_time(&self, record: &AuditRecord) -> bool {
        let time = record.time.time();
        let is_since = self.since.is_none_or(|since| time.is_some_and(|time| time >= since));
        is_since && self.until.is_none_or(|until| time.is_some_and(|time| time < until))
    }
}

/// Whether a text is the id or the name of the user, or the id of the API key.
fn is_actor(record: &AuditRecord, text: &str) -> bool {
    let actor = &record.actor;
    actor.user == text || actor.name.as_deref() == Some(text) || actor.key.as_deref() == Some(text)
}

/// Whether a text is the call, as in `queues.create`, or its noun, as in `queues`.
fn is_action(record: &AuditRecord, text: &str) -> bool {
    let action = &record.action;
    action == text || action.strip_prefix(text).is_some_and(|rest| rest.starts_with('.'))
}

/// Whether a text is the name of a target, or its kind and name, as in `user=2Pq…`.
fn has_target(record: &AuditRecord, text: &str) -> bool {
    record.targets.iter().any(|target| target.name == text || target.to_string() == text)
}

fn is_on_queue(record: &AuditRecord, queue: &str) -> bool {
    record.targets.iter().any(|target| target.kind == "queue" && target.name == queue)
}
