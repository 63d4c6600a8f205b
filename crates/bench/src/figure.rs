//! One line of a benchmark's output: the measured value, its reference and its target.

use std::fmt;

use serde::Serialize;

/// Prints what a benchmark that takes minutes currently does.
pub(crate) fn progress(what: &str) {
    eprintln!("… {what}");
}

/// A measured value with its reference, both from the same run.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Figure {
    name: &'static str,
    value: f64,
    unit: &'static str,
    reference_name: &'static str,
    reference: f64,
    #[serde(skip)]
    target: Target,
    /// Whether the target is what an average machine should reach: a miss does not fail a check.
    #[serde(skip)]
    is_for_orientation: bool,
}

/// A measured value and that of a reference, which has no name and no target yet.
pub(crate) struct Measured {
    name: &'static str,
    unit: &'static str,
    value: f64,
    reference: f64,
}

impl Measured {
    pub(crate) const fn beside(self, reference_name: &'static str, target: Target) -> Figure {
        let Self { name, unit, value, reference } = self;
        Figure { name, value, unit, reference_name, reference, target, is_for_orientation: false }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    /// The ratio of value to reference is at least this.
    RatioAtLeast(f64),
    /// The ratio of value to reference is at most this.
    RatioAtMost(f64),
    AtLeast(f64),
    AtMost(f64),
}

impl Figure {
    /// A value and the value of its reference.
    pub(crate) const fn of(name: &'static str, unit: &'static str, (value, reference): (f64, f64)) -> Measured {
        Measured { name, unit, value, reference }
    }

    #[must_use]
    pub(crate) const fn for_orientation(self) -> Self {
        Self { is_for_orientation: true, ..self }
    }

    fn ratio(&self) -> f64 {
        self.value / self.reference
    }

    fn is_met(&self) -> bool {
        match self.target {
            Target::RatioAtLeast(ratio) => self.ratio() >= ratio,
            Target::RatioAtMost(ratio) => self.ratio() <= ratio,
            Target::AtLeast(least) => self.value >= least,
            Target::AtMost(most) => self.value <= most,
        }
    }

    pub(crate) fn fails_a_check(&self) -> bool {
        !self.is_met() && !self.is_for_orientation
    }

    /// The target as it is printed.
    fn shown_target(&self) -> String {
        let orientation = if self.is_for_orientation { " (orientation)" } else { "" };
        match self.target {
            Target::RatioAtLeast(ratio) => format!("≥ {ratio:.2}×{orientation}"),
            Target::RatioAtMost(ratio) => format!("≤ {ratio:.2}×{orientation}"),
            Target::AtLeast(least) => format!("≥ {}{orientation}", ShortNumber(least)),
            Target::AtMost(most) => format!("≤ {}{orientation}", ShortNumber(most)),
        }
    }

    /// The figure for the JSON output.
    pub(crate) fn record(&self) -> Record<'_> {
        Record { figure: self, ratio: self.ratio(), target: self.shown_target(), met: self.is_met() }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Record<'f> {
    #[serde(flatten)]
    figure: &'f Figure,
    ratio: f64,
    target: String,
    met: bool,
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:<24} {} {}  {} {}  {:.2}×  target {}  {}",
            self.name,
            ShortNumber(self.value),
            self.unit,
            self.reference_name,
            ShortNumber(self.reference),
            self.ratio(),
            self.shown_target(),
            if self.is_met() { "met" } else { "MISSED" },
        )
    }
}

/// A number with about three digits and a magnitude.
struct ShortNumber(f64);

impl fmt::Display for ShortNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, magnitude) = match self.0.abs() {
            1e6.. => (self.0 / 1e6, " M"),
            1e4.. => (self.0 / 1e3, " k"),
            _ => (self.0, ""),
        };
        let decimals = match value.abs() {
            100.0.. => 0,
            10.0.. => 1,
            _ if value.fract() == 0.0 => 0,
            _ => 2,
        };
        write!(f, "{value:.decimals$}{magnitude}")
    }
}
