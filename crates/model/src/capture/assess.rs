//! What a failure means for its queue: the one place where that is decided.

use std::sync::Arc;

use redrive_core::{
    CaptureReason, CapturedBy, Category, Classification, Fingerprint, Policy, PolicySource, RequestedRetry,
    RetryPolicy, RetryTerms, Trigger,
};

use super::FailedWork;
use crate::{Attempt, CaptureContext, LetterSettings, LetterTemplate, Matched, NewLetter, Templates};

/// By what failures are assessed: the settings and templates of their queue, and the policy of whoever reports them.
#[derive(Debug, Clone, Copy)]
pub struct CaptureRules<'q> {
    pub letters: &'q LetterSettings,
    pub templates: &'q Templates,
    pub policy: &'q Policy,
}

/// What a failure means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessment {
    pub category: Category,
    pub fingerprint: Fingerprint,
    /// The record of the attempt that failed, with the rule that gave the category.
    pub attempt: Attempt,
    pub terms: RetryTerms,
    pub destination: Arc<str>,
    /// The template that matched, and one that could not be evaluated.
    pub template: Option<String>,
    pub broken_template: Option<String>,
    /// What the template writes down.
    pub note: Option<String>,
    /// Why no letter is made of it, where none is.
    pub skipped: Option<CaptureReason>,
}

impl CaptureRules<'_> {
    /// Classifies a failure, compares it with the templates, and decides whether and how it is retried as a letter.
    ///
    /// What its owner asks for goes before the template, that before a rule of the classifier, that before the default of
    /// the queue (for failures that are handed over without a policy and a category), and that before what the category
    /// suggests.
    pub fn assess(&self, work: &FailedWork) -> Assessment {
        let mut found = self.policy.classifier().classify(&work.failure, work.attempt);
        found.category = work.category.unwrap_or(found.category);
        let Matched { template, broken } = self.templates.matched(&work.failure, work.attempt);
        let route = template.and_then(|template| template.route.as_deref());
        let origin = &*work.context.origin.name;
        let attempt = Attempt {
            outcome: work.outcome,
            started_at: work.started_at,
            ended_at: Some(work.failed_at),
            ..Attempt::failed(Trigger::Automatic, &work.failure, &found)
        };
        Assessment {
            category: found.category,
            fingerprint: Fingerprint::of(&work.failure),
            attempt,
            terms: self.terms(work, &found, template),
            destination: work.destination.clone().unwrap_or_else(|| Arc::from(route.unwrap_or(origin))),
            template: template.map(ToString::to_string),
            broken_template: broken.map(|broken| broken.to_string()),
            note: template.and_then(|template| template.note.clone()),
            skipped: self.policy.captures(&work.failure, &found, work.by, self.letters.strategy()).err(),
        }
    }

    fn terms(&self, work: &FailedWork, found: &Classification<'_>, template: Option<&LetterTemplate>) -> RetryTerms {
        // The delays that a template counts on may have been the server's, and be gone: no failure is refused for that.
        let has_delays = |policy: &RetryPolicy| *policy != RetryPolicy::Custom || self.letters.custom_backoff.is_some();
        let requested = RequestedRetry {
            policy: work.requested.policy.or_else(|| template?.policy.filter(has_delays)),
            max_retries: work.requested.max_retries.or_else(|| template?.max_retries),
        };
        let terms = RetryTerms::of(found, requested, self.letters.max_retries);
        let is_open =
            terms.source == PolicySource::Derived && work.by == CapturedBy::Explicit && work.category.is_none();
        match is_open {
            true => RetryTerms { policy: self.letters.default_policy, source: PolicySource::Default, ..terms },
            false => terms,
        }
    }
}

impl Assessment {
    /// Writes down by which template a failure became a letter, whatever the caller says of that.
    fn mark(&self, context: &mut CaptureContext) {
        let marks = [
            (CaptureContext::MATCHED_TEMPLATE, &self.template),
            (CaptureContext::BROKEN_TEMPLATE, &self.broken_template),
        ];
        for (key, value) in marks {
            match value {
                Some(value) => context.metadata.insert(key.to_owned(), value.clone()),
                None => context.metadata.remove(key),
            };
        }
        context.note.clone_from(&self.note);
    }
}

impl NewLetter {
    /// The letter of a failure that was assessed.
    pub fn new(work: &FailedWork, assessment: &Assessment) -> Self {
        let Assessment { category, fingerprint, attempt, terms, destination, .. } = assessment;
        let mut context = work.context.clone();
        assessment.mark(&mut context);
        context.mark_enqueued(work.reported_at, work.by == CapturedBy::Explicit, attempt.error_type.clone());
        Self {
            source_id: work.source_id.clone(),
            content: Arc::clone(&work.content),
            context,
            attempt: attempt.clone(),
            category: *category,
            fingerprint: *fingerprint,
            policy: terms.policy,
            policy_source: terms.source,
            max_retries: terms.max_retries,
            priority: work.priority,
            destination: Arc::clone(destination),
            failed_at: work.failed_at,
        }
    }
}
