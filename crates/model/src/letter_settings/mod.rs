//! The settings for letters: the defaults of the store, the overrides of a queue, and templates.

mod letter_overrides;
mod letter_settings;
mod setting_kind;
mod setting_table;
mod template;
mod templates;

pub use setting_table::{LetterOverrides, LetterSettingKey, LetterSettings};
pub use template::LetterTemplate;
pub use templates::{BrokenTemplate, Classified, Matched, Templates};
