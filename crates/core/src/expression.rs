//! CEL expressions, mostly conditions: compiled once, checked before use, with a bounded cost.
//!
//! The interpreter has no cost limit, no type checker and a recursive parser. So the cost of an expression is computed
//! from its nodes, each weighted by the maximum iterations of the loops around it. Loops may only iterate over lists of
//! bounded length, every function must exist, every pattern must compile, and parsing runs on a separate stack. An
//! expression that breaks a rule is rejected at configuration time, not at evaluation time.

use std::fmt;
use std::sync::{Arc, LazyLock};

use cel::common::ast::{CallExpr, ComprehensionExpr, EntryExpr, Expr, LiteralValue, operators};
use cel::{Context, Env, ExecutionError, IdedExpr, Program, Value};

use crate::pattern::{Patterns, TOO_MUCH_WORK};
use crate::rewrite::{self, KeyPath, Rewritten};
use crate::{ConditionFields, Invalid, Problem, Time};

/// A compiled condition over named variables.
pub(crate) struct Expression {
    program: Program,
    source: Box<str>,
    /// The variables that the expression reads.
    reads: Vec<&'static str>,
    patterns: Arc<Patterns>,
    /// The expression as it is evaluated, if it has terms that are not CEL's own.
    rewritten: Option<Box<Rewritten>>,
}

/// Maximum length of a list passed to an expression. The cost of a loop is computed with this length.
pub(crate) const LIST_LEN_MAX: usize = 64;
const SOURCE_BYTES_MAX: usize = 1024;
/// The interpreter recurses with the expression on the caller's stack.
const DEPTH_MAX: usize = 64;
const COST_MAX: u64 = 100_000;
/// A regular expression match costs more than other nodes, even on a short text.
const MATCH_COST: u64 = 500;
/// A concatenation of texts or lists copies both operands.
const SUM_COST: u64 = 100;
/// The parser uses up to 100 KB of stack per nested bracket in an unoptimised build.
const PARSER_STACK_BYTES: usize = 64 << 20;

static ENV: LazyLock<Arc<Env>> = LazyLock::new(|| Arc::new(Env::stdlib()));

impl Expression {
    /// Compiles a condition over `variables`. Errors name the configuration field `field`.
    pub(crate) fn compile(field: &str, source: &str, variables: &[&'static str]) -> Result<Self, Invalid> {
        Self::condition(field, source, variables, FUNCTIONS.to_vec())
    }

    /// Compiles a condition over fields, with `now()`, durations, and null for missing keys.
    pub(crate) fn compile_over(field: &str, source: &str, fields: &ConditionFields<'_>) -> Result<Self, Invalid> {
        let functions = FUNCTIONS.iter().copied().chain(rewrite::FUNCTIONS).collect();
        let compiled = Self::condition(field, source, fields.names, functions)?;
        let rewritten = rewrite::rewrite(compiled.program.expression(), fields)
            .map_err(|allowed| Invalid::new(field, Problem::Malformed, source, allowed))?;
        Ok(Self { rewritten: Some(Box::new(rewritten)), ..compiled })
    }

    fn condition(
        field: &str,
        source: &str,
        variables: &[&'static str],
        functions: Vec<&'static str>,
    ) -> Result<Self, Invalid> {
        let compiled = Self::checked(field, source, variables, functions, COST_MAX)?;
        if !is_condition(compiled.program.expression()) {
            let allowed = "a CEL condition, whose result is true or false";
            return Err(Invalid::new(field, Problem::Malformed, source, allowed));
        }
        Ok(compiled)
    }

    /// Compiles an expression with a numeric result. The result type is checked only on evaluation.
    pub(crate) fn of_number(
        field: &str,
        source: &str,
        variables: &[&'static str],
        cost_max: u64,
    ) -> Result<Self, Invalid> {
        Self::checked(field, source, variables, FUNCTIONS.to_vec(), cost_max)
    }

    /// Parses an expression without checking what it uses.
    pub(crate) fn parse(field: &str, source: &str) -> Result<Program, Invalid> {
        if source.len() > SOURCE_BYTES_MAX {
            let allowed = format!("a CEL expression of at most {SOURCE_BYTES_MAX} bytes");
            return Err(Invalid::new(field, Problem::OutOfRange, source, allowed));
        }
        parse(source).map_err(|problem| {
            let allowed = format!("a CEL expression that compiles: {problem}");
            Invalid::new(field, Problem::Malformed, source, allowed)
        })
    }

    fn checked(
        field: &str,
        source: &str,
        variables: &[&'static str],
        functions: Vec<&'static str>,
        cost_max: u64,
    ) -> Result<Self, Invalid> {
        let program = Self::parse(field, source)?;
        let mut analysis = Analysis {
            variables,
            functions,
            reads: Vec::new(),
            patterns: Patterns::default(),
            problem: None,
            bound: Vec::new(),
            depth: 0,
        };
        let cost = analysis.cost(program.expression());
        if let Some(FirstProblem { problem, text }) = analysis.problem {
            return Err(Invalid::new(field, problem, source, text));
        }
        if cost > cost_max {
            let allowed = format!("a CEL expression of cost {cost_max} at most (nodes × iterations; this one: {cost})");
            return Err(Invalid::new(field, Problem::OutOfRange, source, allowed));
        }
        let (reads, patterns) = (analysis.reads, Arc::new(analysis.patterns));
        Ok(Self { program, source: source.into(), reads, patterns, rewritten: None })
    }

    pub(crate) fn reads(&self) -> &[&'static str] {
        &self.reads
    }

    /// The variables that must equal a constant text for the condition to hold, as far as the syntax tree shows them.
    pub(crate) fn demands(&self) -> Vec<(&str, &str)> {
        let mut demands = Vec::new();
        collect_demands(self.program.expression(), &mut demands);
        demands
    }

    /// Whether the condition requires nothing but its demands.
    pub(crate) fn has_only_demands(&self) -> bool {
        is_demand(self.program.expression())
    }

    /// Evaluates a condition.
    pub(crate) fn holds(&self, value_of: impl Fn(&str) -> Value) -> Result<bool, &'static str> {
        as_condition(&self.value(value_of)?)
    }

    /// The paths into maps that need a value. The number of a path in this list is that of its variable.
    pub(crate) fn paths(&self) -> &[KeyPath] {
        self.rewritten.as_ref().map_or(&[], |rewritten| &rewritten.paths)
    }

    /// Evaluates a condition over fields. `found` are the values of the [paths](Self::paths).
    pub(crate) fn holds_at(
        &self,
        now: Time,
        value_of: impl Fn(&str) -> Value,
        found: Vec<Value>,
    ) -> Result<bool, &'static str> {
        let Some(rewritten) = &self.rewritten else { return self.holds(value_of) };
        let mut context = self.context(&rewritten.reads, value_of)?;
        context.add_variable_from_value(rewrite::NOW, now.to_string());
        context.add_function(rewrite::SHIFT, rewrite::shift).map_err(|_| UNAVAILABLE)?;
        context.add_function(rewrite::BETWEEN, rewrite::between).map_err(|_| UNAVAILABLE)?;
        for (number, value) in found.into_iter().enumerate() {
            context.add_variable_from_value(KeyPath::variable(number), value);
        }
        as_condition(&Value::resolve(&rewritten.root, &context).map_err(|error| problem(&error))?)
    }

    /// Evaluates the expression. The error text never contains the values.
    pub(crate) fn value(&self, value_of: impl Fn(&str) -> Value) -> Result<Value, &'static str> {
        let context = self.context(&self.reads, value_of)?;
        self.program.execute(&context).map_err(|error| problem(&error))
    }

    fn context(
        &self,
        names: &[&'static str],
        value_of: impl Fn(&str) -> Value,
    ) -> Result<Context<'static, 'static>, &'static str> {
        let mut context = Context::with_env(Arc::clone(&ENV));
        for name in names {
            context.add_variable_from_value(*name, value_of(name));
        }
        if !self.patterns.is_empty() {
            context.add_function("matches", self.patterns.matches()).map_err(|_| UNAVAILABLE)?;
        }
        Ok(context)
    }
}

const fn as_condition(value: &Value) -> Result<bool, &'static str> {
    match value {
        Value::Bool(holds) => Ok(*holds),
        _ => Err(NOT_A_CONDITION),
    }
}

/// Collects equality tests from the operands of `&&` only: the operands of other operators need not hold.
fn collect_demands<'e>(node: &'e IdedExpr, demands: &mut Vec<(&'e str, &'e str)>) {
    let Expr::Call(call) = &node.expr else { return };
    match (call.func_name.as_str(), call.args.as_slice()) {
        (operators::LOGICAL_AND, sides) => sides.iter().for_each(|side| collect_demands(side, demands)),
        (operators::EQUALS, [one, other]) => demands.extend(equality(one, other)),
        _ => {}
    }
}

/// The variable and the constant of an equality test of both.
fn equality<'e>(one: &'e IdedExpr, other: &'e IdedExpr) -> Option<(&'e str, &'e str)> {
    match (&one.expr, &other.expr) {
        (Expr::Ident(name), Expr::Literal(LiteralValue::String(text)))
        | (Expr::Literal(LiteralValue::String(text)), Expr::Ident(name)) => Some((name, text.inner())),
        _ => None,
    }
}

fn is_demand(node: &IdedExpr) -> bool {
    let Expr::Call(call) = &node.expr else { return false };
    match (call.func_name.as_str(), call.args.as_slice()) {
        (operators::LOGICAL_AND, sides) => sides.iter().all(is_demand),
        (operators::EQUALS, [one, other]) => equality(one, other).is_some(),
        _ => false,
    }
}

const NOT_A_CONDITION: &str = "the result is not true or false";
const UNAVAILABLE: &str = "a function is not available";

/// Parses on a separate thread whose stack is large enough for any source within the size limit.
fn parse(source: &str) -> Result<Program, String> {
    let source = source.to_owned();
    let work = move || {
        ENV.compile(&source).map_err(|errors| match errors.errors.first() {
            Some(error) if error.pos.0 > 0 => {
                format!("line {}, column {}: {}", error.pos.0, error.pos.1, error.msg.trim())
            }
            _ => "it is too deeply nested, or not an expression at all".to_owned(),
        })
    };
    let thread = std::thread::Builder::new().name("cel-parser".into()).stack_size(PARSER_STACK_BYTES).spawn(work);
    let parser = thread.map_err(|error| format!("no thread to parse it on ({error})"))?;
    parser.join().unwrap_or_else(|_| Err("the parser gave up".to_owned()))
}

fn problem(error: &ExecutionError) -> &'static str {
    match error {
        ExecutionError::NoSuchKey(_) => "a key is missing; test for it first with 'key' in map",
        ExecutionError::UndeclaredReference(_) => "it uses something that does not exist",
        ExecutionError::NoSuchOverload(_)
        | ExecutionError::UnexpectedType { .. }
        | ExecutionError::UnsupportedTargetType { .. }
        | ExecutionError::ValuesNotComparable(..) => "values of different types were combined",
        ExecutionError::DivisionByZero(_) | ExecutionError::RemainderByZero(_) => "division by zero",
        ExecutionError::Overflow(..) => "a number became too large",
        ExecutionError::IndexOutOfBounds(_) => "an index is beyond the end of its list",
        ExecutionError::FunctionError { function, .. } if function == "matches" => TOO_MUCH_WORK,
        ExecutionError::FunctionError { function, .. } if [rewrite::SHIFT, rewrite::BETWEEN].contains(&&**function) => {
            "a value is not a time"
        }
        _ => "it failed",
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Expression").field(&self.source).finish()
    }
}

/// Why an expression is rejected: the kind of problem, and what is allowed instead.
struct FirstProblem {
    problem: Problem,
    text: String,
}

/// One walk over an expression: computes its maximum cost, collects the names it uses, and records the first problem.
struct Analysis<'v> {
    variables: &'v [&'static str],
    functions: Vec<&'static str>,
    reads: Vec<&'static str>,
    patterns: Patterns,
    /// The first problem.
    problem: Option<FirstProblem>,
    /// Loop variables in scope at the current node.
    bound: Vec<String>,
    depth: usize,
}

impl Analysis<'_> {
    fn cost(&mut self, node: &IdedExpr) -> u64 {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            self.wrong(Problem::OutOfRange, format!("a CEL expression nested at most {DEPTH_MAX} deep"));
            return 0;
        }
        let below = match &node.expr {
            Expr::Unspecified | Expr::Literal(_) => 0,
            Expr::Ident(name) => {
                self.name(name);
                0
            }
            Expr::Call(call) => {
                self.function(call);
                self.sum(call.target.as_deref().into_iter().chain(&call.args)).saturating_add(own_cost(call))
            }
            Expr::List(list) => self.sum(&list.elements),
            Expr::Select(select) => self.cost(&select.operand),
            Expr::Map(map) => map.entries.iter().map(|entry| self.entry(&entry.expr)).fold(0, u64::saturating_add),
            Expr::Struct(_) => {
                self.wrong(Problem::UnknownName, "a CEL expression without messages".into());
                0
            }
            Expr::Comprehension(each) => self.comprehension(each),
        };
        self.depth -= 1;
        below.saturating_add(1)
    }

    fn comprehension(&mut self, each: &ComprehensionExpr) -> u64 {
        if !is_bounded(&each.iter_range, &self.bound) {
            let text = format!(
                "a CEL expression whose loops go over {}, over a list inside of these, or over one that is written out",
                self.variables.join(", ")
            );
            self.wrong(Problem::OutOfRange, text);
        }
        let once = self.sum([&each.iter_range, &each.accu_init]);
        let introduced = self.bound.len();
        self.bound.extend([each.iter_var.clone(), each.accu_var.clone()]);
        self.bound.extend(each.iter_var2.clone());
        let again = self.sum([&each.loop_cond, &each.loop_step]);
        let result = self.cost(&each.result);
        self.bound.truncate(introduced);
        once.saturating_add(again.saturating_mul(LIST_LEN_MAX as u64)).saturating_add(result)
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
            None => {
                let text = format!("a CEL expression over {} (unknown: {name})", self.variables.join(", "));
                self.wrong(Problem::UnknownName, text);
            }
        }
    }

    /// Checks that the function exists, and compiles the pattern of `matches`.
    fn function(&mut self, call: &CallExpr) {
        let name = call.func_name.as_str();
        let is_operator = name.contains('_') || name.starts_with('@');
        if !is_operator && !self.functions.contains(&name) {
            let text = format!("a CEL expression with the functions {} (unknown: {name})", self.functions.join(", "));
            self.wrong(Problem::UnknownName, text);
        }
        if name == "matches" {
            let pattern = match call.args.last().map(|argument| &argument.expr) {
                Some(Expr::Literal(LiteralValue::String(pattern))) => Some(pattern.inner()),
                _ => None,
            };
            if !pattern.is_some_and(|pattern| self.patterns.add(pattern)) {
                let text = "a pattern for matches() that is written out, compiles, and is not too large".to_owned();
                self.wrong(Problem::Malformed, text);
            }
        }
    }

    fn wrong(&mut self, problem: Problem, text: String) {
        self.problem.get_or_insert(FirstProblem { problem, text });
    }
}

fn own_cost(call: &CallExpr) -> u64 {
    match call.func_name.as_str() {
        "matches" => MATCH_COST,
        operators::ADD => SUM_COST,
        _ => 0,
    }
}

/// Whether a list has at most [`LIST_LEN_MAX`] entries for any input: a variable or a value inside one, a list literal,
/// or the result of a loop over such a list.
fn is_bounded(list: &IdedExpr, bound: &[String]) -> bool {
    match &list.expr {
        Expr::Ident(_) | Expr::Select(_) | Expr::Call(_) => is_given(list, bound),
        Expr::List(list) => list.elements.len() <= LIST_LEN_MAX,
        Expr::Map(map) => map.entries.len() <= LIST_LEN_MAX,
        Expr::Comprehension(each) => is_bounded(&each.iter_range, bound),
        _ => false,
    }
}

/// Whether the node is a variable or a value inside one: `metadata.orders[0].lines`.
fn is_given(node: &IdedExpr, bound: &[String]) -> bool {
    match &node.expr {
        Expr::Ident(name) => !bound.contains(name),
        Expr::Select(select) => is_given(&select.operand, bound),
        Expr::Call(call) => match (call.func_name.as_str(), call.args.as_slice()) {
            (operators::INDEX, [of, _]) => is_given(of, bound),
            _ => false,
        },
        _ => false,
    }
}

/// Whether the result is always a boolean.
fn is_condition(node: &IdedExpr) -> bool {
    match &node.expr {
        Expr::Literal(LiteralValue::Boolean(_)) => true,
        Expr::Select(select) => select.test,
        Expr::Comprehension(each) => match &each.result.expr {
            // all() and exists() accumulate a boolean; map() and filter() accumulate a list.
            Expr::Ident(_) => matches!(each.accu_init.expr, Expr::Literal(LiteralValue::Boolean(_))),
            _ => is_condition(&each.result),
        },
        Expr::Call(call) => match call.func_name.as_str() {
            operators::LOGICAL_AND | operators::LOGICAL_OR | operators::LOGICAL_NOT => {
                call.args.iter().all(is_condition)
            }
            operators::CONDITIONAL => call.args.iter().all(is_condition),
            operators::EQUALS
            | operators::NOT_EQUALS
            | operators::LESS
            | operators::LESS_EQUALS
            | operators::GREATER
            | operators::GREATER_EQUALS
            | operators::IN
            | operators::NOT_STRICTLY_FALSE
            | "contains"
            | "startsWith"
            | "endsWith"
            | "matches" => true,
            _ => false,
        },
        _ => false,
    }
}

/// The functions that a condition may call.
const FUNCTIONS: &[&str] = &[
    "contains",
    "startsWith",
    "endsWith",
    "matches",
    "size",
    "string",
    "int",
    "uint",
    "double",
    "bytes",
    "type",
    "dyn",
];

/// Names that CEL predefines.
const TYPE_NAMES: &[&str] = &["bool", "bytes", "double", "int", "list", "map", "null_type", "string", "uint"];
