//! The settings for letters: the defaults of the store, the overrides of a queue, and templates.

mod letter_overrides;
mod letter_settings;
mod setting_key;
mod template;
mod templates;

pub use letter_overrides::LetterOverrides;
pub use letter_settings::LetterSettings;
pub use setting_key::LetterSettingKey;
pub use template::LetterTemplate;
pub use templates::{BrokenTemplate, Classified, Matched, Templates};
