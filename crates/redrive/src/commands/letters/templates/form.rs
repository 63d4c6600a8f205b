//! A template as it is given on the command line.

use redrive_client::proto::redrive::v1::LetterTemplate;
use redrive_core::RetryPolicy;

#[derive(Debug, clap::Args)]
pub(super) struct Form {
    /// A regular expression that is searched in the failure.
    #[arg(long, conflicts_with = "when", help_heading = "Which failures")]
    regex: Option<String>,
    /// Where it is searched: message, type or code [default: message].
    #[arg(long, requires = "regex", value_name = "NAME", help_heading = "Which failures")]
    field: Option<String>,
    /// A condition in CEL over type, http, grpc, sqlstate, message, parts, metadata and attempt.
    #[arg(long, value_name = "CONDITION", help_heading = "Which failures")]
    when: Option<String>,
    /// How their letters are retried: never, linear, exponential, immediate, or custom by the delays of the queue.
    #[arg(long, value_name = "NAME", help_heading = "What their letters get")]
    retry_policy: Option<RetryPolicy>,
    /// Retries after the first failure.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(0..=100),
        help_heading = "What their letters get")]
    max_retries: Option<i32>,
    /// The destination of letters that name none.
    #[arg(long, value_name = "NAME", help_heading = "What their letters get")]
    route: Option<String>,
    /// What is written down with each letter.
    #[arg(long, value_name = "TEXT", help_heading = "What their letters get")]
    note: Option<String>,
    /// As which of the templates it is asked; the first that matches holds [default: where it was, or last].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..))]
    position: Option<i32>,
}

impl Form {
    /// Whether it says which failures are meant.
    pub(super) const fn has_condition(&self) -> bool {
        self.regex.is_some() || self.when.is_some()
    }

    pub(super) fn template(&self, name: &str) -> LetterTemplate {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        LetterTemplate {
            name: name.to_owned(),
            regex: text(&self.regex),
            field: text(&self.field),
            when: text(&self.when),
            retry_policy: self.retry_policy.map(|policy| policy.to_string()).unwrap_or_default(),
            max_retries: self.max_retries,
            route: text(&self.route),
            note: text(&self.note),
            position: self.position.unwrap_or_default(),
            ..LetterTemplate::default()
        }
    }
}
