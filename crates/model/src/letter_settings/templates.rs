//! The templates of a dead queue, in evaluation order.
//!
//! They are compiled when they are set; stored templates are compiled when the first failure is matched against them.
//! So a store always opens: a stored template that no longer compiles matches nothing.

use std::fmt;
use std::sync::{Arc, OnceLock};

use redrive_core::{Classification, Classifier, Failure, Invalid, Overrides, Problem, Rule};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::LetterTemplate;

/// An ordered list of templates. The first template that matches a failure applies.
#[derive(Clone, Default)]
pub struct Templates {
    inner: Option<Arc<Inner>>,
}

struct Inner {
    version: u64,
    list: Vec<LetterTemplate>,
    matcher: OnceLock<Arc<Classifier>>,
}

/// The result of matching a failure against the templates of a queue.
#[derive(Debug, Clone, Copy, Default)]
pub struct Matched<'t> {
    pub template: Option<&'t LetterTemplate>,
    /// A template whose condition could not be evaluated. It is skipped, and reported because its author did not intend
    /// that.
    pub broken: Option<BrokenTemplate<'t>>,
}

/// The classification of a failure in a queue.
#[derive(Debug, Clone)]
pub struct Classified<'t, 'f> {
    pub found: Classification<'f>,
    pub matched: Matched<'t>,
}

/// A template that could not be evaluated. Displayed as `slow-bank@3: no such key`, without any text of the failure.
#[derive(Debug, Clone, Copy)]
pub struct BrokenTemplate<'t> {
    pub template: &'t LetterTemplate,
    pub problem: &'static str,
}

impl fmt::Display for BrokenTemplate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.template, self.problem)
    }
}

/// The stored form.
#[derive(Serialize, Deserialize)]
struct StoredTemplates {
    version: u64,
    list: Vec<LetterTemplate>,
}

impl Templates {
    /// The maximum number per queue: each of them may be evaluated for every failure.
    pub const MAX: usize = 32;

    /// Incremented by every change.
    pub fn version(&self) -> u64 {
        self.inner.as_ref().map_or(0, |inner| inner.version)
    }

    pub fn list(&self) -> &[LetterTemplate] {
        self.inner.as_ref().map_or(&[], |inner| &inner.list)
    }

    pub fn named(&self, name: &str) -> Option<&LetterTemplate> {
        self.list().iter().find(|template| template.name == name)
    }

    /// Whether the templates were never changed.
    pub fn is_fresh(&self) -> bool {
        self.version() == 0
    }

    /// Adds a template, replacing the one with the same name. `place` is its position, counted from 1; by default the
    /// position of the replaced template, or the end.
    ///
    /// # Errors
    ///
    /// If the rule does not compile, a value is out of range, or there are too many templates.
    pub fn with(&self, template: LetterTemplate, place: Option<usize>) -> Result<Self, Invalid> {
        template.check()?;
        let version = self.version().saturating_add(1);
        let mut list = self.list().to_vec();
        let before = list.iter().position(|other| other.name == template.name);
        if let Some(before) = before {
            list.remove(before);
        }
        if list.len() >= Self::MAX {
            let allowed = format!("at most {} in a queue; remove one first", Self::MAX);
            return Err(Invalid::new("templates", Problem::OutOfRange, list.len() + 1, allowed));
        }
        let place = place.map(|place| place.saturating_sub(1)).or(before).unwrap_or(list.len()).min(list.len());
        list.insert(place, LetterTemplate { version, ..template });
        Self::new(version, list)
    }

    /// Removes the template with this name; `None` if there is none.
    pub fn without(&self, name: &str) -> Option<Self> {
        self.named(name)?;
        let list = self.list().iter().filter(|template| template.name != name).cloned().collect();
        // The remaining templates compiled before; if one of them no longer does, the list cannot be changed.
        Self::new(self.version().saturating_add(1), list).ok()
    }

    fn new(version: u64, list: Vec<LetterTemplate>) -> Result<Self, Invalid> {
        let rules: Vec<_> = list.iter().map(LetterTemplate::rule).collect();
        let matcher = Classifier::with_rules(&rules).map_err(|invalid| {
            let field = invalid.field.split_once('.').map_or("", |(_, field)| field).to_owned();
            invalid.at(if field.is_empty() { "template".to_owned() } else { format!("template.{field}") })
        })?;
        Ok(Self { inner: Some(Arc::new(Inner { version, list, matcher: OnceLock::from(Arc::new(matcher)) })) })
    }

    /// Classifies a failure in the queue. Captures and retries of letters both use this.
    ///
    /// A template with a category decides like a rule that precedes those of the classifier. A template with only a
    /// delay leaves the category to the classifier, and its delay overrides the delay and policy of a rule.
    pub fn classify<'t, 'f>(
        &'t self,
        classifier: &Classifier,
        failure: &'f Failure,
        attempt: u32,
    ) -> Classified<'t, 'f> {
        let usual = classifier.classify(failure, attempt);
        let Some((matched, by_template)) = self.evaluate(failure, attempt) else {
            return Classified { found: usual, matched: Matched::default() };
        };
        let overrides = matched.template.map(|template| (template.category, template.delay));
        let found = match overrides {
            Some((Some(_), _)) => Classification { broken_rule: usual.broken_rule, ..by_template },
            Some((None, Some(delay))) => {
                let overrides = Overrides { delay: Some(delay), policy: None, ..usual.overrides };
                Classification { overrides, ..usual }
            }
            Some((None, None)) | None => usual,
        };
        Classified { found, matched }
    }

    /// The first template that matches a failure, and the first that was skipped because it could not be evaluated.
    pub fn matched(&self, failure: &Failure, attempt: u32) -> Matched<'_> {
        self.evaluate(failure, attempt).map(|(matched, _)| matched).unwrap_or_default()
    }

    /// The matched template and the classification of its rule; `None` if there are no templates.
    fn evaluate<'f>(&self, failure: &'f Failure, attempt: u32) -> Option<(Matched<'_>, Classification<'f>)> {
        let inner = self.inner.as_ref().filter(|inner| !inner.list.is_empty())?;
        let found = inner.matcher.get_or_init(|| compiled(&inner.list)).classify(failure, attempt);
        let template = match &found.rule {
            Rule::User(name) => self.named(name),
            _ => None,
        };
        let broken = found.broken_rule.as_ref().and_then(|broken| {
            self.named(&broken.rule).map(|template| BrokenTemplate { template, problem: broken.problem })
        });
        Some((Matched { template, broken }, found))
    }

    /// The approximate stored size in bytes.
    pub fn bytes(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let one = |template: &LetterTemplate| {
            let LetterTemplate { name, regex, field, when, route, note, .. } = template;
            256 + name.len() + [regex, field, when, route, note].into_iter().map(text).sum::<usize>()
        };
        self.list().iter().map(one).sum()
    }
}

/// A classifier of all templates that compile.
fn compiled(list: &[LetterTemplate]) -> Arc<Classifier> {
    let rules = list.iter().map(LetterTemplate::rule);
    let rules: Vec<_> = rules.filter(|rule| Classifier::with_rules(std::slice::from_ref(rule)).is_ok()).collect();
    Classifier::with_rules(&rules).map_or_else(|_| Arc::clone(Classifier::built_in()), Arc::new)
}

impl PartialEq for Templates {
    fn eq(&self, other: &Self) -> bool {
        self.version() == other.version() && self.list() == other.list()
    }
}

impl Eq for Templates {}

impl fmt::Debug for Templates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Templates").field("version", &self.version()).field("list", &self.list()).finish()
    }
}

impl Serialize for Templates {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StoredTemplates { version: self.version(), list: self.list().to_vec() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Templates {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let StoredTemplates { version, list } = StoredTemplates::deserialize(deserializer)?;
        Ok(Self { inner: Some(Arc::new(Inner { version, list, matcher: OnceLock::new() })) })
    }
}
