//! Collects all that is wrong with the fields of a request, for one answer.
//!
//! The message of an error begins with that of the first field, which is the same as if it were the only one: clients
//! compare it. The others follow, by the names of the request.

use std::fmt::Display;

use crate::api_error::ApiError;

/// What is wrong with the fields of a request so far.
#[derive(Debug, Default)]
pub(crate) struct Problems(Option<ApiError>);

impl Problems {
    /// The value of a field; its default if the field is wrong.
    pub(crate) fn field<T: Default>(&mut self, name: impl Display, checked: Result<T, impl Into<ApiError>>) -> T {
        self.fields(checked.map_err(|error| error.into().of_field(name)))
    }

    /// What was read from several fields, whose error says which of them are wrong; the default if one is.
    pub(crate) fn fields<T: Default>(&mut self, checked: Result<T, ApiError>) -> T {
        checked.unwrap_or_else(|error| {
            match &mut self.0 {
                Some(first) => first.wrong.add(&error.wrong),
                none => *none = Some(error),
            }
            T::default()
        })
    }

    /// The checked values; an error if a field is wrong.
    pub(crate) fn finish<T>(self, values: T) -> Result<T, ApiError> {
        self.0.map_or(Ok(values), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wrong_fields::NAMED_MAX;

    fn bad(message: &str) -> Result<(), ApiError> {
        Err(ApiError::bad(message.to_owned()))
    }

    fn error(problems: Problems) -> ApiError {
        problems.finish(()).unwrap_err()
    }

    fn message(error: &ApiError) -> String {
        error.reply().message
    }

    #[test]
    fn one_wrong_field_is_answered_as_if_fields_were_not_collected() {
        let mut problems = Problems::default();
        problems.field("good", Ok::<_, ApiError>(7));
        problems.field("max_items", bad("max items is invalid; cannot be negative number"));
        // It follows from the first.
        problems.field("max_items", bad("max items is missing"));
        let error = error(problems);
        assert_eq!(message(&error), "max items is invalid; cannot be negative number");
        assert_eq!(error.wrong.names(), None);
        assert!(!error.detailed_reply().details.contains_key("fields"));
        assert_eq!(error.fields_header(), None);
    }

    #[test]
    fn further_fields_follow_the_first_message_by_their_names() {
        let mut item = Problems::default();
        item.field("priority", bad("priority is invalid; 'x' is not one of high, medium, low"));
        let mut problems = Problems::default();
        problems.field("batch_size", bad("invalid batch size; must be greater than zero"));
        problems.field("request_timeout", bad("request timeout is required; '5m' is recommended"));
        problems.field("items[1]", item.finish(()));
        problems.field("ids", bad("ids cannot be empty"));
        let error = error(problems);
        assert_eq!(
            message(&error),
            "invalid batch size; must be greater than zero; also: request_timeout is required: '5m' is recommended; \
             items[1].priority is invalid: 'x' is not one of high, medium, low; ids cannot be empty"
        );
        assert_eq!(error.detailed_reply().details["fields"], "batch_size, request_timeout, items[1].priority, ids");
        assert!(error.fields_header().unwrap().contains("request_timeout"));
        assert_eq!(error.loggable(), "invalid batch size");
    }

    #[test]
    fn fields_and_their_texts_are_bounded() {
        let mut problems = Problems::default();
        for number in 0..1_000 {
            problems.field(format_args!("ids[{number}]"), bad(&"ä".repeat(10_000)));
        }
        let error = ApiError { message: "first".into(), ..error(problems) };
        assert!(message(&error).ends_with("; and more"));
        assert!(message(&error).chars().count() < NAMED_MAX * 300);
        assert_eq!(error.wrong.names().unwrap().split(", ").count(), NAMED_MAX);
    }

    #[test]
    fn an_error_that_is_about_no_field_stays_alone() {
        let mut problems = Problems::default();
        problems.field("limit", bad("limit is invalid"));
        let checked = problems.finish(());
        let missing = ApiError::bad("queue does not exist");
        assert_eq!(missing.clone().with_problems_of(&checked), missing);
        let both = missing.of_field("queue_name").with_problems_of(&checked);
        assert_eq!(message(&both), "queue does not exist; also: limit is invalid");
    }
}
