//! User-written conditions over named fields.

use std::fmt;

use cel::Value;

use crate::expression::{Expression, LIST_LEN_MAX};
use crate::rewrite::KeyPath;
use crate::{ConditionFields, Invalid, Metadata, Time, json};

/// A CEL condition over named fields, compiled once, with a bounded cost.
///
/// ```
/// use redrive_core::{Condition, Operand};
///
/// let condition = Condition::new("filter", "status == 'exhausted' && retries > 2", &["status", "retries"])?;
/// let holds = condition.holds(|field| match field {
///     "status" => Operand::Text("exhausted".into()),
///     _ => Operand::Number(3),
/// });
/// assert_eq!(holds, Ok(true));
/// # Ok::<(), redrive_core::Invalid>(())
/// ```
pub struct Condition(Expression);

/// The value of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// No value: the field equals `null` only.
    Nothing,
    Text(String),
    Number(i64),
    Flag(bool),
    Texts(Vec<String>),
    Map(Metadata),
}

impl Condition {
    /// Compiles a condition over `fields`. Errors name the condition by `name`.
    ///
    /// # Errors
    ///
    /// If `source` is not a CEL condition, uses an unknown field or function, or exceeds the cost limit.
    pub fn new(name: &str, source: &str, fields: &[&'static str]) -> Result<Self, Invalid> {
        Expression::compile(name, source, fields).map(Self)
    }

    /// Compiles a condition that may also use `now()`, durations such as `duration('3d')`, and keys of maps that may be
    /// missing. Evaluate it with [`holds_at`](Self::holds_at).
    ///
    /// ```
    /// use redrive_core::{Condition, ConditionFields, Operand, Time};
    ///
    /// let fields = ConditionFields { names: &["failed_at", "metadata"], times: &["failed_at"], maps: &["metadata"] };
    /// let source = "failed_at > now() - duration('2h') && metadata.tenant != 'acme'";
    /// let condition = Condition::over("filter", source, &fields)?;
    /// let now: Time = "2026-11-15T12:00:00Z".parse()?;
    /// let holds = condition.holds_at(now, |field| match field {
    ///     "failed_at" => Operand::Text("2026-11-15T11:00:00.000Z".into()),
    ///     _ => Operand::Map(Default::default()),
    /// });
    /// assert_eq!(holds, Ok(true));
    /// # Ok::<(), redrive_core::Invalid>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and if a duration is used in another way than these.
    pub fn over(name: &str, source: &str, fields: &ConditionFields<'_>) -> Result<Self, Invalid> {
        Expression::compile_over(name, source, fields).map(Self)
    }

    /// Checks that a text is a CEL expression of an allowed size. Which fields and functions it uses is not checked.
    ///
    /// # Errors
    ///
    /// If `source` is not a CEL expression, or too long.
    pub fn check_syntax(name: &str, source: &str) -> Result<(), Invalid> {
        Expression::parse(name, source).map(drop)
    }

    /// The fields that the condition reads.
    pub fn reads(&self) -> &[&'static str] {
        self.0.reads()
    }

    /// Fields that must equal a constant text for the condition to hold: what an index lookup can use. The condition
    /// may require more than these.
    ///
    /// ```
    /// # use redrive_core::Condition;
    /// let condition = Condition::new("filter", "a == 'x' && (b == 'y' || a == 'z') && 'w' == b", &["a", "b"])?;
    /// assert_eq!(condition.demands(), [("a", "x"), ("b", "w")]);
    /// # Ok::<(), redrive_core::Invalid>(())
    /// ```
    pub fn demands(&self) -> Vec<(&str, &str)> {
        self.0.demands()
    }

    /// Whether the condition holds exactly if all [`demands`](Self::demands) are met.
    ///
    /// ```
    /// # use redrive_core::Condition;
    /// let has_only_demands = |source| Condition::new("filter", source, &["a", "b"]).map(|it| it.has_only_demands());
    /// assert_eq!(has_only_demands("a == 'x' && 'w' == b"), Ok(true));
    /// assert_eq!(has_only_demands("a == 'x' && b != 'w'"), Ok(false));
    /// ```
    pub fn has_only_demands(&self) -> bool {
        self.0.has_only_demands()
    }

    /// Evaluates the condition.
    ///
    /// # Errors
    ///
    /// If it cannot be evaluated, for example because a key is missing or because it combines values of different
    /// types. The error text never contains the values.
    pub fn holds(&self, value_of: impl Fn(&str) -> Operand) -> Result<bool, &'static str> {
        self.0.holds(|field| value(value_of(field)))
    }

    /// Evaluates the condition at a time, which is `now()`.
    ///
    /// # Errors
    ///
    /// As [`holds`](Self::holds).
    pub fn holds_at(&self, now: Time, value_of: impl Fn(&str) -> Operand) -> Result<bool, &'static str> {
        let mut found = Vec::with_capacity(self.0.paths().len());
        let mut map: Option<(&str, Metadata)> = None;
        for path in self.0.paths() {
            // The paths of a condition usually lead into the same map.
            let map = match map.take() {
                Some(same) if same.0 == path.map => map.insert(same),
                _ => match value_of(path.map) {
                    Operand::Map(values) => map.insert((path.map, values)),
                    _ => map.insert((path.map, Metadata::new())),
                },
            };
            found.push(value_at(path, &map.1));
        }
        self.0.holds_at(now, |field| value(value_of(field)), found)
    }
}

/// The value of a path, and null if the map does not have it; for a test, whether it has it.
fn value_at(path: &KeyPath, map: &Metadata) -> Value {
    match (path.find(map), path.is_test()) {
        (found, true) => Value::Bool(found.is_some()),
        (Some(found), false) => json::value(found, usize::MAX),
        (None, false) => Value::Null,
    }
}

fn value(operand: Operand) -> Value {
    match operand {
        Operand::Nothing => Value::Null,
        Operand::Text(text) => text.into(),
        Operand::Number(number) => Value::Int(number),
        Operand::Flag(flag) => Value::Bool(flag),
        Operand::Texts(texts) => texts.into_iter().take(LIST_LEN_MAX).collect::<Vec<_>>().into(),
        Operand::Map(map) => json::map(&map, usize::MAX),
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
