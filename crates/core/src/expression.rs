//! Conditions in CEL: compiled once, checked before use, bounded in what they may cost.
//!
//! The interpreter has no meter, so the bound is on the expression: its nodes, each weighted by how often
//! the loops around it can run. What does not fit is refused when it is written, not when it is needed.

use std::fmt;
use std::sync::{Arc, LazyLock};

use cel::common::ast::{EntryExpr, Expr};
use cel::{Context, Env, ExecutionError, IdedExpr, Program, Value};

use crate::{Invalid, Problem};

/// A compiled condition over named variables.
pub(crate) struct Expression {
    program: Program,
    source: Box<str>,
    /// Which of the offered variables it reads: only these need a value.
    reads: Vec<&'static str>,
}

/// Lists that are given to an expression hold no more than this; its cost is reckoned with it.
pub(crate) const LIST_LEN_MAX: usize = 64;
/// Parser and interpreter recurse with the expression. In this many bytes the deepest one (`1+1+1…`) needs
/// a quarter of the stack that a thread has; four times as many overflow it.
const SOURCE_BYTES_MAX: usize = 1024;
const COST_MAX: u64 = 100_000;

static ENV: LazyLock<Arc<Env>> = LazyLock::new(|| Arc::new(Env::stdlib()));

impl Expression {
    /// Compiles a condition over `variables`; `field` is what an error names.
    pub(crate) fn compile(field: &str, source: &str, variables: &[&'static str]) -> Result<Self, Invalid> {
        if source.len() > SOURCE_BYTES_MAX {
            let allowed = format!("a CEL expression of at most {SOURCE_BYTES_MAX} bytes");
            return Err(Invalid::new(field, Problem::OutOfRange, source, allowed));
        }
        let program = ENV.compile(source).map_err(|errors| {
            let first = errors.errors.first();
            let at = first.map_or_else(String::new, |error| {
                format!(": line {}, column {}: {}", error.pos.0, error.pos.1, error.msg.trim())
            });
            Invalid::new(field, Problem::Malformed, source, format!("a CEL expression that compiles{at}"))
        })?;
        let mut survey = Survey { variables, reads: Vec::new(), unknown: None, bound: Vec::new() };
        let cost = survey.cost(program.expression());
        if let Some(unknown) = survey.unknown {
            let allowed = format!("a CEL expression over {} (unknown: {unknown})", variables.join(", "));
            return Err(Invalid::new(field, Problem::UnknownName, source, allowed));
        }
        if cost > COST_MAX {
            let allowed = format!("a CEL expression of cost {COST_MAX} at most (nodes × iterations; this one: {cost})");
            return Err(Invalid::new(field, Problem::OutOfRange, source, allowed));
        }
        let reads = survey.reads;
        Ok(Self { program, source: source.into(), reads })
    }

    /// Whether the condition holds. The fault of one that cannot be evaluated is told without the values
    /// that caused it.
    pub(crate) fn holds(&self, value_of: impl Fn(&str) -> Value) -> Result<bool, &'static str> {
        let mut context = Context::with_env(Arc::clone(&ENV));
        for name in &self.reads {
            context.add_variable_from_value(*name, value_of(name));
        }
        match self.program.execute(&context) {
            Ok(Value::Bool(holds)) => Ok(holds),
            Ok(_) => Err(NOT_A_CONDITION),
            Err(error) => Err(fault(&error)),
        }
    }
}

pub(crate) const NOT_A_CONDITION: &str = "the result is not true or false";
pub(crate) const UNKNOWN_FUNCTION: &str = "it calls something that does not exist";

fn fault(error: &ExecutionError) -> &'static str {
    match error {
        ExecutionError::NoSuchKey(_) => "a key is missing; test for it first with 'key' in map",
        ExecutionError::UndeclaredReference(_) => UNKNOWN_FUNCTION,
        ExecutionError::NoSuchOverload(_)
        | ExecutionError::UnexpectedType { .. }
        | ExecutionError::UnsupportedTargetType { .. }
        | ExecutionError::ValuesNotComparable(..) => "values of different types were combined",
        ExecutionError::DivisionByZero(_) | ExecutionError::RemainderByZero(_) => "division by zero",
        ExecutionError::Overflow(..) => "a number became too large",
        ExecutionError::IndexOutOfBounds(_) => "an index is beyond the end of its list",
        _ => "it failed",
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Expression").field(&self.source).finish()
    }
}

/// One walk over an expression: what it costs at most, and which names it uses.
struct Survey<'v> {
    variables: &'v [&'static str],
    reads: Vec<&'static str>,
    unknown: Option<String>,
    /// Names that the loops around the current node introduce.
    bound: Vec<String>,
}

impl Survey<'_> {
    fn cost(&mut self, node: &IdedExpr) -> u64 {
        let below = match &node.expr {
            Expr::Unspecified | Expr::Literal(_) => 0,
            Expr::Ident(name) => {
                self.name(name);
                0
            }
            Expr::Call(call) => self.sum(call.target.as_deref().into_iter().chain(&call.args)),
            Expr::List(list) => self.sum(&list.elements),
            Expr::Select(select) => self.cost(&select.operand),
            Expr::Map(map) => map.entries.iter().map(|entry| self.entry(&entry.expr)).fold(0, u64::saturating_add),
            Expr::Struct(value) => {
                value.entries.iter().map(|entry| self.entry(&entry.expr)).fold(0, u64::saturating_add)
            }
            Expr::Comprehension(each) => {
                let once = self.sum([&each.iter_range, &each.accu_init]);
                let introduced = self.bound.len();
                self.bound.extend([each.iter_var.clone(), each.accu_var.clone()]);
                self.bound.extend(each.iter_var2.clone());
                let again = self.sum([&each.loop_cond, &each.loop_step]);
                let result = self.cost(&each.result);
                self.bound.truncate(introduced);
                once.saturating_add(again.saturating_mul(LIST_LEN_MAX as u64)).saturating_add(result)
            }
        };
        below.saturating_add(1)
    }

    fn sum<'e>(&mut self, nodes: impl IntoIterator<Item = &'e IdedExpr>) -> u64 {
        nodes.into_iter().map(|node| self.cost(node)).fold(0, u64::saturating_add)
    }

    fn entry(&mut self, entry: &EntryExpr) -> u64 {
        match entry {
            EntryExpr::StructField(field) => self.cost(&field.value),
            EntryExpr::MapEntry(entry) => self.sum([&entry.key, &entry.value]),
        }
    }

    fn name(&mut self, name: &str) {
        if self.bound.iter().any(|bound| bound == name) || TYPE_NAMES.contains(&name) {
            return;
        }
        match self.variables.iter().find(|variable| **variable == name) {
            Some(variable) if self.reads.contains(variable) => {}
            Some(variable) => self.reads.push(variable),
            None => self.unknown = self.unknown.take().or_else(|| Some(name.to_owned())),
        }
    }
}

/// Names that CEL itself gives a value.
const TYPE_NAMES: &[&str] = &["bool", "bytes", "double", "int", "list", "map", "null_type", "string", "uint"];
