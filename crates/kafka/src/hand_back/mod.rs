//! Hands letters back to their topics.

mod hand_back;
mod producer;
mod settings;
mod topic_rules;

pub use hand_back::KafkaHandBack;
pub use settings::HandBackSettings;
