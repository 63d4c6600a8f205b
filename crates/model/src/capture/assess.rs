//! Assesses a failure for its queue: category, retry terms and whether it is captured. This is the only place that
//! does.

use std::sync::Arc;

use redrive_core::{
    BrokenRule, CaptureReason, CapturedBy, Category, Classification, DelayHint, Fingerprint, Policy, PolicySource,
    RequestedRetry, RetryPolicy, RetryTerms, Trigger,
};

use super::FailedWork;
use crate::{Attempt, CaptureContext, Classified, LetterSettings, LetterTemplate, Matched, NewLetter};

/// The inputs of an assessment: the settings and templates of the queue, and the policy of the reporter of the failure.
#[derive(Debug, Clone, Copy)]
pub struct CaptureRules<'q> {
    pub letters: &'q LetterSettings,
    pub policy: &'q Policy,
}

/// The assessment of a failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessment {
    pub category: Category,
    pub fingerprint: Fingerprint,
    /// The record of the failed attempt, with the rule that determined the category: `user:<name>` for a template.
    pub attempt: Attempt,
    pub terms: RetryTerms,
    /// The delay before the first retry that the failure requests.
    pub hint: DelayHint,
    pub destination: Arc<str>,
    /// The template that matched.
    pub template: Option<String>,
    /// A template that could not be evaluated.
    pub broken_template: Option<String>,
    /// A rule of the classifier that could not be evaluated.
    pub broken_rule: Option<String>,
    /// The note of the template.
    pub note: Option<String>,
    /// Why the failure does not become a letter; `None` if it does.
    pub skipped: Option<CaptureReason>,
}

impl CaptureRules<'_> {
    /// Classifies a failure, matches it against the templates, and decides whether and how it is retried as a letter.
    ///
    /// Precedence of the retry policy: request > template > rule of the classifier > default of the queue > category.
    /// The default of the queue applies only to explicit captures whose category neither the request nor a rule sets.
    pub fn assess(&self, work: &FailedWork) -> Assessment {
        let templates = &self.letters.templates;
        let Classified { mut found, matched } =
            templates.classify(self.policy.classifier(), &work.failure, work.attempt);
        found.category = work.category.unwrap_or(found.category);
        let Matched { template, broken } = matched;
        let route = template.and_then(|template| template.route.as_deref());
        let origin = &*work.context.origin.name;
        let attempt = Attempt {
            outcome: work.outcome,
            started_at: work.started_at,
            ended_at: Some(work.failed_at),
            ..Attempt::failed(Trigger::Automatic, &work.failure, &found)
        };
        let terms = self.terms(work, &found, template);
        // A named policy determines the delays; the delay of a rule applies only to a derived policy.
        let hint = match terms.source {
            PolicySource::Derived => DelayHint::of(&found),
            PolicySource::Explicit | PolicySource::Default => DelayHint { delay: None, ..DelayHint::of(&found) },
        };
        Assessment {
            category: found.category,
            fingerprint: Fingerprint::of(&work.failure),
            attempt,
            terms,
            hint,
            destination: work.destination.clone().unwrap_or_else(|| Arc::from(route.unwrap_or(origin))),
            template: template.map(ToString::to_string),
            broken_template: broken.map(|broken| broken.to_string()),
            broken_rule: found.broken_rule.as_ref().map(BrokenRule::brief),
            note: template.and_then(|template| template.note.clone()),
            skipped: self.policy.captures(&work.failure, &found, work.by, self.letters.strategy()).err(),
        }
    }

    fn terms(&self, work: &FailedWork, found: &Classification<'_>, template: Option<&LetterTemplate>) -> RetryTerms {
        // The custom delays that a template refers to may have been removed from the server's configuration: ignore the
        // policy then instead of rejecting the failure.
        let has_delays = |policy: &RetryPolicy| *policy != RetryPolicy::Custom || self.letters.custom_backoff.is_some();
        let requested = RequestedRetry {
            policy: work.requested.policy.or_else(|| template?.policy.filter(has_delays)),
            max_retries: work.requested.max_retries.or_else(|| template?.max_retries),
        };
        let terms = RetryTerms::of(found, requested, self.letters.max_retries);
        // A rule that sets a category or a delay determines the retries; the default of the queue does not apply.
        let is_named = work.category.or(found.overrides.category).is_some() || found.overrides.delay.is_some();
        let is_open = terms.source == PolicySource::Derived && work.by == CapturedBy::Explicit && !is_named;
        match is_open {
            true => RetryTerms { policy: self.letters.default_policy, source: PolicySource::Default, ..terms },
            false => terms,
        }
    }
}

impl Assessment {
    /// Records the matched and the broken template in the metadata, overwriting values of the caller.
    fn mark(&self, context: &mut CaptureContext) {
        let marks = [
            (CaptureContext::MATCHED_TEMPLATE, &self.template),
            (CaptureContext::BROKEN_TEMPLATE, &self.broken_template),
        ];
        for (key, value) in marks {
            match value {
                Some(value) => context.metadata.insert(key.to_owned(), value.clone().into()),
                None => context.metadata.remove(key),
            };
        }
        context.note.clone_from(&self.note);
    }
}

impl NewLetter {
    /// The letter of an assessed failure.
    pub fn new(work: &FailedWork, assessment: &Assessment) -> Self {
        let Assessment { category, fingerprint, attempt, terms, hint, destination, .. } = assessment;
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
            hint: *hint,
            priority: work.priority.or_else(|| work.context.noted_priority()).unwrap_or_default(),
            destination: Arc::clone(destination),
            failed_at: work.failed_at,
            is_of_source: work.is_of_source,
        }
    }
}
