//! A payload as text for an editor, and back.

use crate::cli_error::CliError;
use crate::commands::letters::json_text::{compact, indented, is_json};
use crate::exit::Exit;

/// A payload as it is opened in an editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PayloadText {
    pub(super) text: String,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The payload itself.
    Text,
    /// JSON with white space, which is opened as it is.
    Json,
    /// JSON without white space, which is opened indented and stored without white space again.
    CompactJson,
}

impl PayloadText {
    pub(super) fn of(payload: &[u8]) -> Result<Self, CliError> {
        let text = std::str::from_utf8(payload).map_err(|_| {
            CliError::new(Exit::Error, "the payload is not text, and cannot be edited in an editor")
                .remedy("replace it with --payload-file FILE")
        })?;
        Ok(match is_json(text) {
            false => Self { text: text.to_owned(), form: Form::Text },
            true if compact(text) == text => Self { text: indented(text), form: Form::CompactJson },
            true => Self { text: text.to_owned(), form: Form::Json },
        })
    }

    pub(super) const fn extension(&self) -> &'static str {
        match self.form {
            Form::Text => "txt",
            Form::Json | Form::CompactJson => "json",
        }
    }

    /// The text as the user left it. A final line feed that the editor added is not part of it.
    pub(super) fn edited(&self, bytes: Vec<u8>) -> Result<String, CliError> {
        let mut text = String::from_utf8(bytes)
            .map_err(|_| CliError::new(Exit::Error, "the edited payload is not UTF-8; nothing was changed"))?;
        if !self.text.ends_with('\n') && text.ends_with('\n') {
            text.pop();
        }
        Ok(text)
    }

    /// The payload of an edited text. What was JSON must still be.
    pub(super) fn payload(&self, edited: &str) -> Result<String, CliError> {
        match self.form {
            Form::Json | Form::CompactJson if !is_json(edited) => {
                let message = "the edited payload is not JSON any more; nothing was changed";
                Err(CliError::new(Exit::Error, message).remedy("store it as it is with --payload-file FILE"))
            }
            Form::CompactJson => Ok(compact(edited)),
            Form::Text | Form::Json => Ok(edited.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PayloadText;

    fn edited(payload: &str, edit: impl Fn(&str) -> String) -> Result<String, String> {
        let opened = PayloadText::of(payload.as_bytes()).unwrap();
        let text = opened.edited(edit(&opened.text).into_bytes()).unwrap();
        opened.payload(&text).map_err(|error| error.to_string())
    }

    #[test]
    fn compact_json_is_opened_indented_and_stored_compact() {
        let sent = r#"{"order":17,"lines":["a b"]}"#;
        assert_eq!(PayloadText::of(sent.as_bytes()).unwrap().text.lines().count(), 6);
        assert_eq!(edited(sent, |text| text.replace("17", "18") + "\n").unwrap(), r#"{"order":18,"lines":["a b"]}"#);
        assert_eq!(edited("{ \"order\": 17 }\n", |text| text.replace("17", "18")).unwrap(), "{ \"order\": 18 }\n");
        assert!(edited(sent, |text| text.replace('}', "")).unwrap_err().contains("not JSON any more"));
    }

    #[test]
    fn text_is_stored_as_the_user_left_it() {
        assert_eq!(edited("one", |text| format!("{text} two\n")).unwrap(), "one two", "editors add a line feed");
        assert_eq!(edited("one\n", |text| format!("{text}two\n")).unwrap(), "one\ntwo\n");
        assert_eq!(edited("", |_| "x".to_owned()).unwrap(), "x");
        assert!(PayloadText::of(&[0xFF]).is_err());
    }
}
