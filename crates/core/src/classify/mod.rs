//! Assigns failures their category: the classifier, its tables, and user rules.

mod classification;
mod classifier;
mod compile;
mod http_text;
mod lexicon;
mod name;
mod scan;
mod table;
#[cfg(test)]
mod tests;
mod token;
mod trim;
mod typed;
mod user_rule;

pub use classification::{BrokenRule, Classification, Grounds, Overrides, Rule};
pub use classifier::Classifier;
pub use user_rule::{RuleField, RuleSpec};
