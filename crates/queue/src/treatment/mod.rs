//! How letters are treated: what the store does by default, and what a queue does otherwise.

mod key;
mod settings;
mod template;
mod templates;
mod treatment;

pub use key::LetterKey;
pub use settings::LetterSettings;
pub use template::LetterTemplate;
pub use templates::{BrokenTemplate, Matched, Templates};
pub use treatment::Treatment;
