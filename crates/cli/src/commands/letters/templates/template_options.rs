//! Options for a template.

use redrive_client::proto::redrive::v1::LetterTemplate;
use redrive_core::{Category, RetryPolicy, RuleField, Span};

use crate::values::{at_least, parse_duration, parse_regex, parse_rule_condition, within};

#[derive(Debug, clap::Args)]
pub(super) struct TemplateOptions {
    /// Regular expression to search for in the failure.
    #[arg(long, conflicts_with = "when", help_heading = "Condition", value_parser = parse_regex)]
    regex: Option<String>,
    /// Field to search: message, type or code [default: message].
    #[arg(long, requires = "regex", value_name = "NAME", help_heading = "Condition")]
    field: Option<RuleField>,
    /// CEL condition over type, code, http, grpc, sqlstate, message, chain, parts, metadata and attempt.
    #[arg(long, value_name = "CONDITION", help_heading = "Condition", value_parser = parse_rule_condition)]
    when: Option<String>,
    /// Category of matching failures, also of failed retries: transient, network, resource, permission, validation or
    /// permanent.
    #[arg(long, value_name = "NAME", help_heading = "Effect")]
    category: Option<Category>,
    /// Retry policy: never, linear, exponential, immediate, or custom (the custom_backoff of the queue).
    #[arg(long, value_name = "NAME", help_heading = "Effect")]
    retry_policy: Option<RetryPolicy>,
    /// Maximum retries, 0 to 100.
    #[arg(long, value_name = "N", value_parser = within(0..=100),
        help_heading = "Effect")]
    max_retries: Option<i32>,
    /// Fixed delay after a matching failure, as in 10m, at most 30d. Replaces the delay of the policy.
    #[arg(long, value_name = "DURATION", conflicts_with = "retry_policy", help_heading = "Effect",
        value_parser = parse_duration)]
    delay: Option<Span>,
    /// Destination of letters without one.
    #[arg(long, value_name = "NAME", help_heading = "Effect")]
    route: Option<String>,
    /// Note to add to each letter.
    #[arg(long, value_name = "TEXT", help_heading = "Effect")]
    note: Option<String>,
    /// Position in the list of templates, from 1. The first template that matches applies [default: its current position,
    /// or the last].
    #[arg(long, value_name = "N", value_parser = at_least(1))]
    position: Option<i32>,
}

impl TemplateOptions {
    /// Whether a regular expression or a condition is given.
    pub(super) const fn has_condition(&self) -> bool {
        self.regex.is_some() || self.when.is_some()
    }

    pub(super) fn template(&self, name: &str) -> LetterTemplate {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        LetterTemplate {
            name: name.to_owned(),
            regex: text(&self.regex),
            field: self.field.map(|field| field.to_string()).unwrap_or_default(),
            when: text(&self.when),
            retry_policy: self.retry_policy.map(|policy| policy.to_string()).unwrap_or_default(),
            max_retries: self.max_retries,
            category: self.category.map(|category| category.to_string()).unwrap_or_default(),
            delay: self.delay.map(|delay| delay.to_string()).unwrap_or_default(),
            route: text(&self.route),
            note: text(&self.note),
            position: self.position.unwrap_or_default(),
            ..LetterTemplate::default()
        }
    }
}
