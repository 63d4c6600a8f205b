//! The templates of a dead queue, in the order in which they are asked.
//!
//! They are compiled when they are set; of those that were read again, when a failure is first compared with them. So a
//! store opens whatever was written there: a template that does not compile any more matches nothing.

use std::fmt;
use std::sync::{Arc, OnceLock};

use redrive_core::{Classifier, Failure, Invalid, Problem, Rule};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::LetterTemplate;

/// Templates, of which the first that matches a failure holds for it.
#[derive(Clone, Default)]
pub struct Templates {
    inner: Option<Arc<Inner>>,
}

struct Inner {
    version: u64,
    list: Vec<LetterTemplate>,
    matcher: OnceLock<Arc<Classifier>>,
}

/// What the templates of a queue say of a failure.
#[derive(Debug, Clone, Copy, Default)]
pub struct Matched<'t> {
    pub template: Option<&'t LetterTemplate>,
    /// One whose condition could not be evaluated. It matches nothing, which is not what its author meant.
    pub broken: Option<BrokenTemplate<'t>>,
}

/// Shown as `slow-bank@3: no such key`; nothing of the failure is repeated.
#[derive(Debug, Clone, Copy)]
pub struct BrokenTemplate<'t> {
    pub template: &'t LetterTemplate,
    pub fault: &'static str,
}

impl fmt::Display for BrokenTemplate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.template, self.fault)
    }
}

/// As they are kept.
#[derive(Serialize, Deserialize)]
struct StoredTemplates {
    version: u64,
    list: Vec<LetterTemplate>,
}

impl Templates {
    /// So many a queue may have: each may be asked about every failure.
    pub const MAX: usize = 32;

    /// One more at every change.
    pub fn version(&self) -> u64 {
        self.inner.as_ref().map_or(0, |inner| inner.version)
    }

    pub fn list(&self) -> &[LetterTemplate] {
        self.inner.as_ref().map_or(&[], |inner| &inner.list)
    }

    pub fn named(&self, name: &str) -> Option<&LetterTemplate> {
        self.list().iter().find(|template| template.name == name)
    }

    /// Whether there never were any.
    pub fn is_fresh(&self) -> bool {
        self.version() == 0
    }

    /// The same with this template, in place of the one of its name: at a place, counted from 1; else where that was, or
    /// behind all others.
    ///
    /// # Errors
    ///
    /// When its rule does not compile, something is out of bounds, or there are too many.
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

    /// The same without the template of this name; `None` where there is none.
    pub fn without(&self, name: &str) -> Option<Self> {
        self.named(name)?;
        let list = self.list().iter().filter(|template| template.name != name).cloned().collect();
        // What compiled before compiles again; if it does not, the others cannot be changed either.
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

    /// The first template that matches a failure, and the first that was passed over for want of an answer.
    pub fn matched(&self, failure: &Failure, attempt: u32) -> Matched<'_> {
        let Some(inner) = self.inner.as_ref().filter(|inner| !inner.list.is_empty()) else { return Matched::default() };
        let found = inner.matcher.get_or_init(|| compiled(&inner.list)).classify(failure, attempt);
        let template = match found.rule {
            Rule::User(name) => self.named(&name),
            _ => None,
        };
        let broken = found.broken_rule.and_then(|broken| {
            self.named(&broken.rule).map(|template| BrokenTemplate { template, fault: broken.fault })
        });
        Matched { template, broken }
    }

    /// How many bytes they take when they are kept, roughly.
    pub fn bytes(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let one = |template: &LetterTemplate| {
            let LetterTemplate { name, regex, field, when, route, note, .. } = template;
            256 + name.len() + [regex, field, when, route, note].into_iter().map(text).sum::<usize>()
        };
        self.list().iter().map(one).sum()
    }
}

/// All that compile.
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
