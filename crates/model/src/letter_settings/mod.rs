//! How letters are treated: what the store does by default, and what a queue does otherwise.

mod letter_overrides;
mod letter_settings;
mod setting_key;
mod template;
mod templates;

pub use letter_overrides::LetterOverrides;
pub use letter_settings::LetterSettings;
pub use setting_key::LetterSettingKey;
pub use template::LetterTemplate;
pub use templates::{BrokenTemplate, Matched, Templates};
