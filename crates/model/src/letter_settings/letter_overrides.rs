//! The checks of the letter settings of a queue.

use redrive_core::Span;

use super::{LetterOverrides, LetterSettings};
use crate::Rejection;

impl LetterOverrides {
    /// An infinite time.
    pub const FOR_EVER: Span = Span::MAX;

    /// An upper bound of the stored size of the texts: escapes in JSON may take six bytes per byte.
    pub fn bytes_max(&self) -> usize {
        const JSON: usize = 6;
        let delays = self.custom_backoff.as_ref().map_or(0, |custom| custom.as_str().len());
        JSON * (delays + self.templates.bytes())
    }

    /// Checks that letters can have the configured policies.
    pub fn check(&self, store: &LetterSettings) -> Result<(), Rejection> {
        if self.custom_backoff.as_ref().is_some_and(|custom| !custom.has_text_form()) {
            return Err(Rejection::FunctionOfQueue);
        }
        let effective = self.over(store);
        let of_templates = self.templates.list().iter().filter_map(|template| template.policy);
        let of_queue = effective.moved_policy.named().into_iter().chain([effective.default_policy]);
        let mut policies = of_queue.chain(of_templates);
        policies.try_for_each(|policy| effective.check_policy(policy))
    }
}
