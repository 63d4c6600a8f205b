//! Conditions that people write, over whatever has fields.

use std::collections::BTreeMap;
use std::fmt;

use cel::Value;

use crate::Invalid;
use crate::expression::{Expression, LIST_LEN_MAX};

/// A condition in CEL over named fields: compiled once, bounded in what it may cost.
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
    /// A field without a value equals nothing but `null`.
    Nothing,
    Text(String),
    Number(i64),
    Flag(bool),
    Texts(Vec<String>),
    Map(BTreeMap<String, String>),
}

impl Condition {
    /// Compiles a condition over `fields`; `name` is what an error names.
    ///
    /// # Errors
    ///
    /// When it is no condition, uses a field or function that there is not, or may cost too much.
    pub fn new(name: &str, source: &str, fields: &[&'static str]) -> Result<Self, Invalid> {
        Expression::compile(name, source, fields).map(Self)
    }

    /// Which of the fields it reads.
    pub fn reads(&self) -> &[&'static str] {
        self.0.reads()
    }

    /// Fields and the texts that they must equal for the condition to hold: not all that it demands, but what an index
    /// may be asked for.
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

    /// Whether it holds. The fault of one that cannot be evaluated is told without the values that caused it.
    ///
    /// # Errors
    ///
    /// When values of different types are combined, a key is missing, and the like.
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
        Operand::Map(map) => map.into_iter().take(LIST_LEN_MAX).collect::<std::collections::HashMap<_, _>>().into(),
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
