//! User-written conditions over named fields.

use std::fmt;

use cel::Value;

use crate::expression::{Expression, LIST_LEN_MAX};
use crate::{Invalid, Metadata, json};

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

    /// Evaluates the condition.
    ///
    /// # Errors
    ///
    /// If it cannot be evaluated, for example because a key is missing or because it combines values of different
    /// types. The error text never contains the values.
    pub fn holds(&self, value_of: impl Fn(&str) -> Operand) -> Result<bool, &'static str> {
        self.0.holds(|field| value(value_of(field)))
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
