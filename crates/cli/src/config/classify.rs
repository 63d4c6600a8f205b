//! The classification rules of the configuration.

use std::sync::Arc;

use anyhow::{Result, anyhow};
use redrive_core::{Classifier, Invalid, RuleSpec};

/// Classification of failures.
#[derive(Debug, Clone, confique::Config)]
pub(crate) struct Classify {
    /// Custom classification rules. The server evaluates them in order, before the built-in rules; the first match
    /// decides. Only in the file. A rule has a name, a condition (regex with field = "message", "type" or "code", or
    /// when = "CEL"), and any of category, policy or delay, max_retries. Example:
    /// [{ name = "bank-closed", regex = "bank is closed", category = "transient", delay = "1h" }]
    #[config(default = [])]
    pub(crate) rules: Vec<RuleSpec>,
}

impl Classify {
    /// The classifier of the server. Fails if a rule is invalid.
    pub(crate) fn classifier(&self) -> Result<Arc<Classifier>> {
        if self.rules.is_empty() {
            return Ok(Arc::clone(Classifier::built_in()));
        }
        // One rule at a time, so that the error can name the rule.
        for (rule, number) in self.rules.iter().zip(1..) {
            Classifier::with_rules(std::slice::from_ref(rule))
                .map_err(|invalid| invalid_rule(rule, number, invalid))?;
        }
        let all = Classifier::with_rules(&self.rules);
        all.map(Arc::new).map_err(|invalid| anyhow!("classify.{invalid}"))
    }

    /// The names of the rules, in order.
    pub(crate) fn names(&self) -> String {
        self.rules.iter().map(|rule| rule.name.as_str()).collect::<Vec<_>>().join(", ")
    }
}

fn invalid_rule(rule: &RuleSpec, number: usize, invalid: Invalid) -> anyhow::Error {
    let field = invalid.field.split_once('.').map_or("condition", |(_, field)| field).to_owned();
    anyhow!("classify.rules: rule {number}, '{}': {}", rule.name, invalid.at(field))
}

#[cfg(test)]
mod tests {
    use super::Classify;
    use redrive_core::{Category, Failure};

    fn classify(rules: &str) -> Classify {
        #[derive(serde::Deserialize)]
        struct Written {
            rules: Vec<redrive_core::RuleSpec>,
        }
        Classify { rules: toml::from_str::<Written>(rules).unwrap().rules }
    }

    #[test]
    fn rules_are_evaluated_in_order_before_the_built_in_ones() {
        let config = classify(
            "[[rules]]\nname = 'bank'\nregex = 'bank'\ncategory = 'resource'\nmax_retries = 9\n\
             [[rules]]\nname = 'any'\nwhen = 'true'\ncategory = 'validation'\n",
        );
        assert_eq!(config.names(), "bank, any");
        let classifier = config.classifier().unwrap();
        let of = |text: &str| {
            let failure = Failure::new(text);
            let found = classifier.classify(&failure, 1);
            (found.category, found.rule.to_string(), found.overrides.max_retries)
        };
        assert_eq!(of("the bank timed out"), (Category::Resource, "user:bank".to_owned(), Some(9)));
        assert_eq!(of("timed out"), (Category::Validation, "user:any".to_owned(), None));
    }

    #[test]
    fn an_error_names_the_invalid_rule() {
        for (rules, expected) in [
            ("name = 'a'\nregex = '('", "classify.rules: rule 1, 'a': regex is invalid: '('; allowed: "),
            ("name = 'a'\nwhen = 'colour'", "classify.rules: rule 1, 'a': when is invalid: 'colour'; allowed: "),
            ("name = 'a'", "classify.rules: rule 1, 'a': condition is "),
            ("name = 'a b'\nregex = 'x'", "classify.rules: rule 1, 'a b': name is invalid: 'a b'; allowed: "),
            ("name = 'a'\nregex = 'x'\ncategory = 'bad'", "classify.rules: rule 1, 'a': category is invalid: 'bad'; "),
            ("name = 'a'\nregex = 'x'\nmax_retries = 101", "classify.rules: rule 1, 'a': max_retries is "),
            ("name = 'a'\nregex = 'x'\npolicy = 'never'\ndelay = '1s'", "classify.rules: rule 1, 'a': policy is "),
            ("name = 'a'\nregex = 'x'\n[[rules]]\nname = 'b'\nregex = ')'", "classify.rules: rule 2, 'b': regex is "),
            ("name = 'a'\nregex = 'x'\n[[rules]]\nname = 'a'\nregex = 'y'", "classify.rules[1].name is "),
        ] {
            let error = classify(&format!("[[rules]]\n{rules}\n")).classifier().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
