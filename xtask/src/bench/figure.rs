//! A figure as a benchmark prints it with `--json`.

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// The fields of a figure that a comparison needs.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Figure {
    pub(super) name: String,
    pub(super) value: f64,
    pub(super) unit: String,
    /// The ratio of value to reference; `None` if the reference was zero, because JSON has no infinity.
    pub(super) ratio: Option<f64>,
    /// The target as it is printed: `≥ 0.50×`, `≤ 200`.
    target: String,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Better {
    Higher,
    Lower,
}

impl Figure {
    pub(super) fn better(&self) -> Result<Better> {
        match self.target.chars().next() {
            Some('≥') => Ok(Better::Higher),
            Some('≤') => Ok(Better::Lower),
            _ => bail!("the target '{}' of figure '{}' starts with neither ≥ nor ≤", self.target, self.name),
        }
    }

    /// Whether the target is a ratio and not a value.
    ///
    /// If the target is a value, the reference is often our own code at another size: a ratio would hide a change that
    /// makes both slower, and penalise one that makes the reference faster.
    pub(super) fn is_relative(&self) -> bool {
        self.target.contains('×')
    }
}

/// Reads one figure per line.
pub(super) fn read(output: &str) -> Result<Vec<Figure>> {
    let lines = output.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| serde_json::from_str(line).with_context(|| format!("not a figure: {line}"))).collect()
}

#[cfg(test)]
pub(super) fn figure(name: &str, value: f64, ratio: Option<f64>, target: &str) -> Figure {
    Figure { name: name.to_owned(), value, unit: "items/s".to_owned(), ratio, target: target.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_of_a_benchmark_is_parsed() {
        let output = concat!(
            r#"{"name":"produce/512","value":742000.0,"unit":"items/s","reference_name":"plain","reference":915000.0,"#,
            r#""ratio":0.81,"target":"≥ 0.50×","met":true}"#,
            "\n",
            r#"{"name":"idle runner","value":0.0,"unit":"allocations","reference_name":"without","reference":0.0,"#,
            r#""ratio":null,"target":"≤ 1","met":true}"#,
            "\n"
        );
        let figures = read(output).expect("figures");
        assert_eq!(figures[0].better().expect("a direction"), Better::Higher);
        assert!(figures[0].is_relative());
        assert_eq!(figures[1].better().expect("a direction"), Better::Lower);
        assert!(!figures[1].is_relative());
        assert_eq!(figures[1].ratio, None);
    }

    #[test]
    fn a_line_that_is_not_a_figure_is_an_error() {
        assert!(read("warming up").is_err());
        assert!(figure("a", 1.0, None, "about 3").better().is_err());
    }
}
