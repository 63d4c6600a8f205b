//! Assigns a failure its category.
//!
//! Why do handlers not classify? Because each handler would interpret a 429 differently, and a handler that matches
//! substrings would misread `author field missing` as a permission failure (`auth`) and miss `Read timed out`. Here,
//! typed evidence decides first, anywhere in the chain of causes; text decides by whole words only, in an order that
//! was checked against real messages; and an unrecognised failure is permanent, because blind retries would hide it.
//!
//! The result always names the rule and the evidence, so that a user can dispute and correct a category.

use std::sync::{Arc, LazyLock};

use super::classification::{BrokenRule, Classification, Grounds, Overrides, Rule};
use super::lexicon::{Form, Lexicon};
use super::scan::{BestMatch, Match, TextSource, scan};
use super::user_rule::{RuleSpec, UserRule};
use super::{name, typed};
use crate::{Category, Failure, Invalid, Kind, Problem};

/// Classifies failures with user rules, then typed evidence, then text rules.
///
/// ```
/// use redrive_core::{Category, Classifier, Failure, RuleSpec};
///
/// let outage = RuleSpec {
///     name: "billing-outage".into(),
///     when: Some("code == 'BILLING_DOWN' && attempt < 10".into()),
///     category: Some("transient".into()),
///     ..RuleSpec::default()
/// };
/// let classifier = Classifier::with_rules(&[outage]).unwrap();
///
/// let mut failure = Failure::new("no");
/// failure.error.code = Some("BILLING_DOWN".into());
/// let found = classifier.classify(&failure, 1);
/// assert_eq!((found.category, found.rule.to_string().as_str()), (Category::Transient, "user:billing-outage"));
///
/// let failure = Failure::new("Read timed out");
/// let found = classifier.classify(&failure, 1);
/// assert_eq!((found.category, found.rule.to_string().as_str()), (Category::Network, "phrase:timed out"));
/// ```
#[derive(Debug)]
pub struct Classifier {
    pub(super) user_rules: Vec<UserRule>,
    pub(super) lexicon: &'static Lexicon,
}

impl Classifier {
    pub const USER_RULES_MAX: usize = 1_000;

    /// The classifier without user rules.
    pub fn built_in() -> &'static Arc<Self> {
        static CLASSIFIER: LazyLock<Arc<Classifier>> =
            LazyLock::new(|| Arc::new(Classifier { user_rules: Vec::new(), lexicon: Lexicon::built_in() }));
        &CLASSIFIER
    }

    /// A classifier that evaluates these rules first, in order.
    pub fn with_rules(specs: &[RuleSpec]) -> Result<Self, Invalid> {
        if specs.len() > Self::USER_RULES_MAX {
            let allowed = format!("at most {} rules", Self::USER_RULES_MAX);
            return Err(Invalid::new("rules", Problem::OutOfRange, specs.len(), allowed));
        }
        let mut user_rules = Vec::<UserRule>::with_capacity(specs.len());
        for (index, spec) in specs.iter().enumerate() {
            let rule = UserRule::load(&format!("rules[{index}]"), spec)?;
            if user_rules.iter().any(|other| other.name == rule.name) {
                let allowed = "a name that no other rule has";
                return Err(Invalid::new(format!("rules[{index}].name"), Problem::Contradiction, &rule.name, allowed));
            }
            user_rules.push(rule);
        }
        Ok(Self { user_rules, lexicon: Lexicon::built_in() })
    }

    /// The names and settings of the user rules, in evaluation order.
    pub fn user_rules(&self) -> impl Iterator<Item = (&str, &Overrides)> {
        self.user_rules.iter().map(|rule| (&*rule.name, &rule.overrides))
    }

    /// The maximum of `max_retries` over all user rules; `None` if no rule sets it.
    pub(crate) fn max_retries(&self) -> Option<u32> {
        self.user_rules.iter().filter_map(|rule| rule.overrides.max_retries).max()
    }

    /// Classifies the failure of attempt number `attempt`. Without user rules, it does not allocate.
    pub fn classify<'f>(&self, failure: &'f Failure, attempt: u32) -> Classification<'f> {
        let mut found = match failure.not_attempted() {
            // The work was not attempted; user rules must not turn that into a failure.
            Some((link, _)) => plain(Category::Transient, Rule::Breaker, Grounds::Typed { link }),
            None if self.user_rules.is_empty() => self.by_built_in_rules(failure),
            None => self.by_user_rules(failure, attempt),
        };
        found.retry_after = failure.retry_after.map(|hint| hint.min(Classification::RETRY_AFTER_MAX));
        found
    }

    fn by_user_rules<'f>(&self, failure: &'f Failure, attempt: u32) -> Classification<'f> {
        let mut broken_rule = None;
        for rule in &self.user_rules {
            match rule.matches(failure, attempt) {
                Ok(None) => {}
                Ok(Some(grounds)) => {
                    let category = rule.overrides.category.unwrap_or_else(|| self.by_built_in_rules(failure).category);
                    return Classification {
                        overrides: rule.overrides,
                        broken_rule,
                        ..plain(category, Rule::User(Arc::clone(&rule.name)), grounds)
                    };
                }
                Err(problem) => {
                    broken_rule.get_or_insert_with(|| BrokenRule { rule: Arc::clone(&rule.name), problem });
                }
            }
        }
        Classification { broken_rule, ..self.by_built_in_rules(failure) }
    }

    fn by_built_in_rules<'f>(&self, failure: &'f Failure) -> Classification<'f> {
        match self.by_evidence(failure) {
            Some(found) => found,
            None => self.by_text(failure),
        }
    }

    fn by_evidence<'f>(&self, failure: &'f Failure) -> Option<Classification<'f>> {
        let limits_rate = || self.best_match(failure).limits_rate;
        failure.links().enumerate().find_map(|(link, error)| {
            let evidence = error.evidence.as_ref()?;
            let category = typed::category_of(evidence, limits_rate)?;
            Some(plain(category, Rule::from(evidence), Grounds::Typed { link }))
        })
    }

    fn by_text<'f>(&self, failure: &'f Failure) -> Classification<'f> {
        let best = self.best_match(failure);
        let rule = match best.found {
            Match::Nothing => return plain(Category::Permanent, Rule::Default, Grounds::Nothing),
            Match::Status(status) => Rule::HttpText(status),
            Match::Row { rule, source } => {
                let row = &self.lexicon.rules[usize::from(rule)];
                match (row.form, source) {
                    (Form::Final, _) => Rule::Final(row.row),
                    (_, TextSource::Name) => Rule::Name(row.row),
                    (Form::Phrase, TextSource::Message) => Rule::Phrase(row.row),
                    (Form::Word, TextSource::Message) => Rule::Word(row.row),
                }
            }
        };
        plain(best.category(self.lexicon), rule, Grounds::Text { link: best.link, text: best.text })
    }

    /// The best match in all texts of the failure.
    fn best_match<'f>(&self, failure: &'f Failure) -> BestMatch<'f> {
        let mut best = BestMatch::NOTHING;
        for (link, error) in failure.links().enumerate() {
            let names = [
                error.kind.as_ref().map(Kind::as_str),
                error.code.as_deref(),
                name::leading_identifier(&error.message),
            ];
            for name in names.into_iter().flatten() {
                scan(self.lexicon, name, TextSource::Name, link, &mut best);
            }
            scan(self.lexicon, &error.message, TextSource::Message, link, &mut best);
        }
        best
    }
}

fn plain(category: Category, rule: Rule, grounds: Grounds<'_>) -> Classification<'_> {
    Classification { category, rule, grounds, retry_after: None, overrides: Overrides::default(), broken_rule: None }
}
