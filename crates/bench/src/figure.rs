//! One line of a benchmark's output: the measured value, its reference and its target.

use std::fmt;

use serde::Serialize;

/// Prints what a benchmark that takes minutes currently does.
pub(crate) fn progress(what: &str) {
    eprintln!("… {what}");
}

/// A measured value with its reference, both from the same run.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    pub(crate) reference: Reference,
    pub(crate) target: Target,
}

#[derive(Debug, Clone)]
pub(crate) struct Reference {
    pub(crate) name: &'static str,
    pub(crate) value: f64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    /// The ratio of value to reference is at least this.
    RatioAtLeast(f64),
    /// The ratio of value to reference is at most this.
    RatioAtMost(f64),
    /// The value is at most this.
    AtMost(f64),
    /// The value should be at least this on an average machine. For orientation: a miss does not fail a check.
    Orientation(f64),
    /// The value should be at most this on an average machine. For orientation: a miss does not fail a check.
    OrientationAtMost(f64),
    /// The ratio of value to reference should be at least this. For orientation: a miss does not fail a check.
    OrientationRatioAtLeast(f64),
    /// The ratio of value to reference should be at most this. For orientation: a miss does not fail a check.
    OrientationRatioAtMost(f64),
}

impl Figure {
    pub(crate) fn ratio(&self) -> f64 {
        self.value / self.reference.value
    }

    pub(crate) fn is_met(&self) -> bool {
        match self.target {
            Target::RatioAtLeast(ratio) | Target::OrientationRatioAtLeast(ratio) => self.ratio() >= ratio,
            Target::RatioAtMost(ratio) | Target::OrientationRatioAtMost(ratio) => self.ratio() <= ratio,
            Target::AtMost(most) | Target::OrientationAtMost(most) => self.value <= most,
            Target::Orientation(least) => self.value >= least,
        }
    }

    pub(crate) fn fails_a_check(&self) -> bool {
        let is_for_orientation = match self.target {
            Target::RatioAtLeast(_) | Target::RatioAtMost(_) | Target::AtMost(_) => false,
            Target::Orientation(_)
            | Target::OrientationAtMost(_)
            | Target::OrientationRatioAtLeast(_)
            | Target::OrientationRatioAtMost(_) => true,
        };
        !self.is_met() && !is_for_orientation
    }

    /// The figure for the JSON output.
    pub(crate) fn record(&self) -> Record {
        Record {
            name: self.name,
            value: self.value,
            unit: self.unit,
            reference_name: self.reference.name,
            reference: self.reference.value,
            ratio: self.ratio(),
            target: self.target.to_string(),
            met: self.is_met(),
        }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Record {
    name: &'static str,
    value: f64,
    unit: &'static str,
    reference_name: &'static str,
    reference: f64,
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
            self.reference.name,
            ShortNumber(self.reference.value),
            self.ratio(),
            self.target,
            if self.is_met() { "met" } else { "MISSED" },
        )
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RatioAtLeast(ratio) => write!(f, "≥ {ratio:.2}×"),
            Self::RatioAtMost(ratio) => write!(f, "≤ {ratio:.2}×"),
            Self::OrientationRatioAtLeast(ratio) => write!(f, "≥ {ratio:.2}× (orientation)"),
            Self::OrientationRatioAtMost(ratio) => write!(f, "≤ {ratio:.2}× (orientation)"),
            Self::OrientationAtMost(most) => write!(f, "≤ {} (orientation)", ShortNumber(*most)),
            Self::AtMost(most) => write!(f, "≤ {}", ShortNumber(*most)),
            Self::Orientation(least) => write!(f, "≥ {} (orientation)", ShortNumber(*least)),
        }
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
