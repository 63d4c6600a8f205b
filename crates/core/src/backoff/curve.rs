//! The shape of a sequence of delays.

use std::fmt;
use std::sync::Arc;

use super::formula::DELAY_MAX;
use super::{Factor, Formula};
use crate::Span;

/// How the delay grows with the number of failed attempts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Curve {
    Never,
    Immediate,
    Fixed(Span),
    Linear { first: Span, step: Span },
    Exponential { first: Span, factor: Factor },
    List(Arc<[Span]>),
    Formula(Formula),
    Custom(CustomDelay),
}

impl Curve {
    pub const LIST_LEN_MAX: usize = 1_000;

    /// The delay after `failed` failed attempts, without cap and jitter. Failures are counted from 1; 0 is treated as
    /// 1.
    pub(super) fn delay(&self, failed: u32) -> Option<Span> {
        let index = failed.saturating_sub(1);
        Some(match self {
            Self::Never => return None,
            Self::Immediate => Span::ZERO,
            Self::Fixed(delay) => *delay,
            Self::Linear { first, step } => first.saturating_add(step.saturating_mul(u64::from(index))),
            Self::Exponential { first, factor } => factor.grow(*first, index),
            Self::List(delays) => {
                let index = usize::try_from(index).unwrap_or(usize::MAX);
                *delays.get(index).or(delays.last())?
            }
            Self::Formula(formula) => formula.delay(index),
            Self::Custom(custom) => custom.delay(failed.max(1)),
        })
    }

    /// The name of the curve in configurations and messages.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Immediate => "immediate",
            Self::Fixed(_) => "fixed",
            Self::Linear { .. } => "linear",
            Self::Exponential { .. } => "exponential",
            Self::List(_) => "list",
            Self::Formula(_) => "cel",
            Self::Custom(_) => "custom",
        }
    }
}

/// A user-defined delay function with a name.
#[derive(Clone)]
pub struct CustomDelay {
    name: Arc<str>,
    delay: Arc<dyn Fn(u32) -> Span + Send + Sync>,
}

impl CustomDelay {
    pub(super) fn new(name: &str, delay: impl Fn(u32) -> Span + Send + Sync + 'static) -> Self {
        Self { name: name.into(), delay: Arc::new(delay) }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    fn delay(&self, failed: u32) -> Span {
        (self.delay)(failed).min(DELAY_MAX)
    }
}

impl fmt::Debug for CustomDelay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CustomDelay").field(&self.name).finish()
    }
}

/// Compares the names: functions themselves cannot be compared.
impl PartialEq for CustomDelay {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for CustomDelay {}
