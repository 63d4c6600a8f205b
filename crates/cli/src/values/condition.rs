//! Conditions as arguments.

use redrive_core::{Classifier, Condition, Invalid, RuleSpec};

/// Checks the syntax of a filter. Which fields it may use is up to the server.
pub(crate) fn parse_filter(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Ok(text.to_owned());
    }
    Condition::check_syntax("filter", text).map_err(|invalid| expected(&invalid))?;
    Ok(text.to_owned())
}

/// Checks the CEL condition of a rule about failures.
pub(crate) fn parse_rule_condition(text: &str) -> Result<String, String> {
    check_rule(RuleSpec { when: Some(text.to_owned()), ..RuleSpec::default() })?;
    Ok(text.to_owned())
}

/// Checks the regular expression of a rule about failures.
pub(crate) fn parse_regex(text: &str) -> Result<String, String> {
    check_rule(RuleSpec { regex: Some(text.to_owned()), ..RuleSpec::default() })?;
    Ok(text.to_owned())
}

fn check_rule(rule: RuleSpec) -> Result<(), String> {
    let rule = RuleSpec { name: "template".to_owned(), category: Some("permanent".to_owned()), ..rule };
    Classifier::with_rules(&[rule]).map(drop).map_err(|invalid| expected(&invalid))
}

fn expected(invalid: &Invalid) -> String {
    format!("expected {}", invalid.allowed)
}
