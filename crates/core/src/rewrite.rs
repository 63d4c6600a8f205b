//! Additions to CEL for conditions over fields: times, durations, and keys that may be missing.
//!
//! Times are texts that sort in the order of time, so that they can be compared with a text that a user writes. CEL's
//! own times would not compare with texts, and a missing key would be an error. So the syntax tree is rewritten once,
//! when the condition is compiled:
//!
//! - `now()` becomes a variable, and `duration('2h')` a number of microseconds;
//! - sums and differences of times and durations become calls of [`shift`] and [`between`]. Which operand is a time is
//!   known from its syntax: `now()`, a field that is a time, or a sum with one;
//! - a path into a map, such as `metadata.order.id`, becomes a variable. It is looked up before the evaluation, and is
//!   null if the map does not have it.

use cel::common::ast::{
    CallExpr, ComprehensionExpr, EntryExpr, Expr, IdedEntryExpr, ListExpr, LiteralValue, MapEntryExpr, SelectExpr,
    operators,
};
use cel::{ExecutionError, IdedExpr, Value};
use serde_json::Value as Json;

use crate::{ConditionFields, Metadata, Span, Time};

/// The functions that exist only in a rewritten condition.
pub(crate) const FUNCTIONS: [&str; 2] = ["now", "duration"];

/// The variable with the current time. No user can write its name.
pub(crate) const NOW: &str = "@now";
pub(crate) const SHIFT: &str = "@shift";
pub(crate) const BETWEEN: &str = "@between";

const MISUSED: &str = "a CEL expression in which a duration is added to a time, subtracted from one, or compared with \
                       another duration, as in last_failed_at > now() - duration('2h')";
const DURATION: &str = "a CEL expression whose durations are written out, as in duration('90s'), duration('2h') or \
                        duration('3d')";

/// A rewritten condition.
pub(crate) struct Rewritten {
    pub(crate) root: IdedExpr,
    /// The fields that are still read as a whole.
    pub(crate) reads: Vec<&'static str>,
    pub(crate) paths: Vec<KeyPath>,
}

/// A path into a map, which a variable replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyPath {
    pub(crate) map: &'static str,
    steps: Vec<Step>,
    /// `has(path)`: whether the map has it.
    is_test: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

impl KeyPath {
    /// The variable of the path with this number. No user can write its name.
    pub(crate) fn variable(number: usize) -> String {
        format!("@path{number}")
    }

    /// Whether the variable is a test, as in `has(metadata.order)`.
    pub(crate) const fn is_test(&self) -> bool {
        self.is_test
    }

    /// The value at the end of the path; `None` if the map does not have it.
    pub(crate) fn find<'m>(&self, map: &'m Metadata) -> Option<&'m Json> {
        let (first, rest) = self.steps.split_first()?;
        let first = match first {
            Step::Key(key) => map.get(key),
            Step::Index(_) => None,
        };
        rest.iter().try_fold(first?, |at, step| match (at, step) {
            (Json::Object(object), Step::Key(key)) => object.get(key),
            (Json::Array(list), Step::Index(index)) => list.get(*index),
            _ => None,
        })
    }
}

/// Rewrites a condition. The error says what is allowed.
pub(crate) fn rewrite(root: &IdedExpr, fields: &ConditionFields<'_>) -> Result<Rewritten, &'static str> {
    let mut rewriter = Rewriter { fields, reads: Vec::new(), paths: Vec::new(), bound: Vec::new() };
    let root = rewriter.plain(root)?;
    Ok(Rewritten { root, reads: rewriter.reads, paths: rewriter.paths })
}

/// What a node evaluates to, as far as its syntax shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Time,
    Duration,
    Other,
}

type Node = Result<(IdedExpr, Kind), &'static str>;

struct Rewriter<'f> {
    fields: &'f ConditionFields<'f>,
    reads: Vec<&'static str>,
    paths: Vec<KeyPath>,
    /// Loop variables in scope, which hide fields of the same name.
    bound: Vec<String>,
}

impl Rewriter<'_> {
    fn node(&mut self, node: &IdedExpr) -> Node {
        if let Some(path) = self.path(node) {
            return Ok((self.variable(path), Kind::Other));
        }
        let (expr, kind) = match &node.expr {
            Expr::Unspecified | Expr::Literal(_) | Expr::Struct(_) => (node.expr.clone(), Kind::Other),
            Expr::Ident(name) => (node.expr.clone(), self.name(name)),
            Expr::Call(call) => self.call(call)?,
            Expr::List(list) => {
                let elements = self.all(&list.elements)?;
                (Expr::List(ListExpr { elements, ..list.clone() }), Kind::Other)
            }
            Expr::Map(map) => {
                let mut map = map.clone();
                map.entries = map.entries.iter().map(|entry| self.entry(entry)).collect::<Result<_, _>>()?;
                (Expr::Map(map), Kind::Other)
            }
            Expr::Select(select) => {
                let operand = Box::new(self.plain(&select.operand)?);
                (Expr::Select(SelectExpr { operand, ..select.clone() }), Kind::Other)
            }
            Expr::Comprehension(each) => (self.comprehension(each)?, Kind::Other),
        };
        Ok((IdedExpr { id: node.id, expr }, kind))
    }

    /// A node that must not be a duration: as a number of microseconds it would be compared with any number.
    fn plain(&mut self, node: &IdedExpr) -> Result<IdedExpr, &'static str> {
        let (node, kind) = self.node(node)?;
        if kind == Kind::Duration { Err(MISUSED) } else { Ok(node) }
    }

    fn all(&mut self, nodes: &[IdedExpr]) -> Result<Vec<IdedExpr>, &'static str> {
        nodes.iter().map(|node| self.plain(node)).collect()
    }

    fn name(&mut self, name: &str) -> Kind {
        if self.bound.iter().any(|bound| bound == name) {
            return Kind::Other;
        }
        if let Some(field) = self.fields.names.iter().find(|field| **field == name)
            && !self.reads.contains(field)
        {
            self.reads.push(field);
        }
        if self.fields.times.contains(&name) { Kind::Time } else { Kind::Other }
    }

    fn call(&mut self, call: &CallExpr) -> Result<(Expr, Kind), &'static str> {
        let again = |args: Vec<IdedExpr>| Expr::Call(CallExpr { args, ..call.clone() });
        match (call.func_name.as_str(), call.target.as_deref(), call.args.as_slice()) {
            ("now", None, []) => Ok((Expr::Ident(NOW.to_owned()), Kind::Time)),
            ("now", ..) => Err("a CEL expression in which now() has no arguments"),
            ("duration", target, args) => Ok((duration(target, args)?, Kind::Duration)),
            (operators::ADD, None, [one, other]) => match (self.node(one)?, self.node(other)?) {
                ((time, Kind::Time), (by, Kind::Duration)) | ((by, Kind::Duration), (time, Kind::Time)) => {
                    Ok((function(SHIFT, vec![time, by]), Kind::Time))
                }
                ((one, Kind::Duration), (other, Kind::Duration)) => Ok((again(vec![one, other]), Kind::Duration)),
                ((_, Kind::Duration), _) | (_, (_, Kind::Duration)) => Err(MISUSED),
                ((one, _), (other, _)) => Ok((again(vec![one, other]), Kind::Other)),
            },
            (operators::SUBSTRACT, None, [one, other]) => match (self.node(one)?, self.node(other)?) {
                ((time, Kind::Time), (by, Kind::Duration)) => {
                    let back = function(operators::NEGATE, vec![by]);
                    Ok((function(SHIFT, vec![time, plain_node(back)]), Kind::Time))
                }
                ((one, Kind::Time), (other, Kind::Time)) => Ok((function(BETWEEN, vec![one, other]), Kind::Duration)),
                ((one, Kind::Duration), (other, Kind::Duration)) => Ok((again(vec![one, other]), Kind::Duration)),
                ((_, Kind::Duration), _) | (_, (_, Kind::Duration)) => Err(MISUSED),
                ((one, _), (other, _)) => Ok((again(vec![one, other]), Kind::Other)),
            },
            (name, None, [one, other]) if COMPARISONS.contains(&name) => {
                let ((one, kind), (other, other_kind)) = (self.node(one)?, self.node(other)?);
                let is_mixed = (kind == Kind::Duration) != (other_kind == Kind::Duration);
                // The difference of two times is null if one of them is.
                let is_null = |node: &IdedExpr| node.expr == Expr::Literal(LiteralValue::Null);
                if is_mixed && !is_null(&one) && !is_null(&other) {
                    return Err(MISUSED);
                }
                Ok((again(vec![one, other]), Kind::Other))
            }
            (operators::CONDITIONAL, None, [test, one, other]) => {
                let test = self.plain(test)?;
                let ((one, kind), (other, other_kind)) = (self.node(one)?, self.node(other)?);
                if (kind == Kind::Duration) != (other_kind == Kind::Duration) {
                    return Err(MISUSED);
                }
                let kind = if kind == other_kind { kind } else { Kind::Other };
                Ok((again(vec![test, one, other]), kind))
            }
            (operators::IN, None, [one, list]) if self.path(list).is_some() => {
                let (one, list) = (self.plain(one)?, self.plain(list)?);
                let is_in = plain_node(again(vec![one, list.clone()]));
                let none = plain_node(Expr::Literal(LiteralValue::Boolean(false.into())));
                Ok((unless_null(list, none, is_in), Kind::Other))
            }
            (_, target, args) => {
                let target = target.map(|target| self.plain(target).map(Box::new)).transpose()?;
                let args = self.all(args)?;
                Ok((Expr::Call(CallExpr { func_name: call.func_name.clone(), target, args }), Kind::Other))
            }
        }
    }

    fn entry(&mut self, entry: &IdedEntryExpr) -> Result<IdedEntryExpr, &'static str> {
        let EntryExpr::MapEntry(pair) = &entry.expr else { return Ok(entry.clone()) };
        let (key, value) = (self.plain(&pair.key)?, self.plain(&pair.value)?);
        let expr = EntryExpr::MapEntry(MapEntryExpr { key, value, optional: pair.optional });
        Ok(IdedEntryExpr { id: entry.id, expr })
    }

    fn comprehension(&mut self, each: &ComprehensionExpr) -> Result<Expr, &'static str> {
        let iter_range = match self.path(&each.iter_range) {
            Some(path) => {
                let list = self.variable(path);
                let none = plain_node(Expr::List(ListExpr::default()));
                plain_node(unless_null(list.clone(), none, list))
            }
            None => self.plain(&each.iter_range)?,
        };
        let accu_init = self.plain(&each.accu_init)?;
        let introduced = self.bound.len();
        self.bound.extend([each.iter_var.clone(), each.accu_var.clone()]);
        self.bound.extend(each.iter_var2.clone());
        let (loop_cond, loop_step) = (self.plain(&each.loop_cond)?, self.plain(&each.loop_step)?);
        let result = self.plain(&each.result)?;
        self.bound.truncate(introduced);
        let each = ComprehensionExpr { iter_range, accu_init, loop_cond, loop_step, result, ..each.clone() };
        Ok(Expr::Comprehension(Box::new(each)))
    }

    fn variable(&mut self, path: KeyPath) -> IdedExpr {
        let known = self.paths.iter().position(|known| *known == path);
        let number = known.unwrap_or(self.paths.len());
        if known.is_none() {
            self.paths.push(path);
        }
        plain_node(Expr::Ident(KeyPath::variable(number)))
    }

    /// The path that a node spells, if it leads into a map and every step is written out.
    fn path(&self, node: &IdedExpr) -> Option<KeyPath> {
        let mut steps = Vec::new();
        let is_test = matches!(&node.expr, Expr::Select(select) if select.test);
        let mut at = node;
        let name = loop {
            match &at.expr {
                Expr::Ident(name) => break name,
                Expr::Select(select) if !select.test || std::ptr::eq(at, node) => {
                    steps.push(Step::Key(select.field.clone()));
                    at = &select.operand;
                }
                Expr::Call(call) if call.func_name == operators::INDEX => {
                    let [of, index] = call.args.as_slice() else { return None };
                    steps.push(Step::of(index)?);
                    at = of;
                }
                _ => return None,
            }
        };
        steps.reverse();
        let is_bound = self.bound.iter().any(|bound| bound == name);
        let map = self.fields.maps.iter().find(|map| *map == name).filter(|_| !is_bound && !steps.is_empty())?;
        Some(KeyPath { map, steps, is_test })
    }
}

impl Step {
    fn of(index: &IdedExpr) -> Option<Self> {
        match &index.expr {
            Expr::Literal(LiteralValue::String(key)) => Some(Self::Key(key.inner().to_owned())),
            Expr::Literal(LiteralValue::Int(index)) => usize::try_from(*index.inner()).ok().map(Self::Index),
            _ => None,
        }
    }
}

const COMPARISONS: [&str; 6] = [
    operators::EQUALS,
    operators::NOT_EQUALS,
    operators::LESS,
    operators::LESS_EQUALS,
    operators::GREATER,
    operators::GREATER_EQUALS,
];

fn duration(target: Option<&IdedExpr>, args: &[IdedExpr]) -> Result<Expr, &'static str> {
    let (None, [IdedExpr { expr: Expr::Literal(LiteralValue::String(text)), .. }]) = (target, args) else {
        return Err(DURATION);
    };
    let span = Span::parse_with_days(text.inner()).map_err(|_| DURATION)?;
    let micros = i64::try_from(span.as_micros()).map_err(|_| DURATION)?;
    Ok(Expr::Literal(LiteralValue::Int(micros.into())))
}

fn function(name: &str, args: Vec<IdedExpr>) -> Expr {
    Expr::Call(CallExpr { func_name: name.to_owned(), target: None, args })
}

/// A node that was not in the source. Ids only locate nodes in the source, for messages that are not used.
const fn plain_node(expr: Expr) -> IdedExpr {
    IdedExpr { id: 0, expr }
}

fn unless_null(value: IdedExpr, none: IdedExpr, some: IdedExpr) -> Expr {
    let null = plain_node(Expr::Literal(LiteralValue::Null));
    let is_null = plain_node(function(operators::EQUALS, vec![value, null]));
    function(operators::CONDITIONAL, vec![is_null, none, some])
}

/// A time plus some microseconds; null if there is no time.
#[expect(clippy::needless_pass_by_value, reason = "the interpreter passes values")]
pub(crate) fn shift(time: Value, micros: i64) -> Result<Value, ExecutionError> {
    let Some(time) = read_time(SHIFT, &time)? else { return Ok(Value::Null) };
    Ok(Time::from_micros(time.as_micros().saturating_add(micros)).to_string().into())
}

/// The microseconds from `earlier` to `later`, negative if it is later; null if one of them is missing.
#[expect(clippy::needless_pass_by_value, reason = "the interpreter passes values")]
pub(crate) fn between(later: Value, earlier: Value) -> Result<Value, ExecutionError> {
    let (later, earlier) = (read_time(BETWEEN, &later)?, read_time(BETWEEN, &earlier)?);
    let micros = later.zip(earlier).map(|(later, earlier)| later.as_micros() - earlier.as_micros());
    Ok(micros.map_or(Value::Null, Value::Int))
}

fn read_time(function: &str, time: &Value) -> Result<Option<Time>, ExecutionError> {
    match time {
        Value::Null => Ok(None),
        Value::String(text) => {
            text.parse().map(Some).map_err(|_| ExecutionError::function_error(function, "not a time"))
        }
        _ => Err(ExecutionError::function_error(function, "not a time")),
    }
}
