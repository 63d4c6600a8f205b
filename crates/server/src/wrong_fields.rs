//! The fields of a request that are wrong.

use std::fmt::Display;

/// Maximum number of fields that an error names.
pub(crate) const NAMED_MAX: usize = 20;
/// Maximum lengths of the name and the message of a field, which may repeat what the caller sent.
const NAME_CHARS_MAX: usize = 100;
const MESSAGE_CHARS_MAX: usize = 200;

/// What is wrong with one field.
#[derive(Debug, Clone, PartialEq, Eq)]
struct WrongField {
    /// The path of the field in the request, as in `items[3].priority`.
    name: String,
    message: String,
}

/// The wrong fields of a request; empty for an error that is about none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct WrongFields(Vec<WrongField>);

impl WrongFields {
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Names the field that a message is about. Fields that are named already are fields of this one.
    pub(crate) fn name(&mut self, name: &impl Display, message: &str) {
        if self.is_empty() {
            let name = name.to_string().chars().take(NAME_CHARS_MAX).collect();
            self.0.push(WrongField { name, message: message.chars().take(MESSAGE_CHARS_MAX).collect() });
        } else {
            self.0.iter_mut().for_each(|field| field.name = format!("{name}.{}", field.name));
        }
    }

    /// Adds the fields of another check. A field is named once: what is checked later may follow from the first problem.
    pub(crate) fn add(&mut self, others: &Self) {
        for other in &others.0 {
            // One more than are named shows that there are more.
            if self.0.len() <= NAMED_MAX && self.0.iter().all(|field| field.name != other.name) {
                self.0.push(other.clone());
            }
        }
    }

    /// The messages about all fields but the first, if there are others.
    pub(crate) fn further(&self) -> Option<String> {
        let further = self.0.iter().take(NAMED_MAX).skip(1).map(WrongField::named).collect::<Vec<_>>();
        let more = if self.0.len() > NAMED_MAX { "; and more" } else { "" };
        (!further.is_empty()).then(|| format!("{}{more}", further.join("; ")))
    }

    /// The names of the fields, if there are several.
    pub(crate) fn names(&self) -> Option<String> {
        let names = self.0.iter().take(NAMED_MAX).map(|field| field.name.as_str()).collect::<Vec<_>>();
        (names.len() > 1).then(|| names.join(", "))
    }
}

impl WrongField {
    /// The message with the name of the field in the request, and without a semicolon, which separates fields.
    fn named(&self) -> String {
        let Self { name, message } = self;
        let own = name.rsplit('.').next().unwrap_or(name);
        let spelled = own.replace('_', " ");
        let rest = message.strip_prefix(own).or_else(|| message.strip_prefix(&spelled));
        let rest = rest.filter(|rest| rest.starts_with(' '));
        rest.map_or_else(|| format!("{name}: {message}"), |rest| format!("{name}{rest}")).replace("; ", ": ")
    }
}
