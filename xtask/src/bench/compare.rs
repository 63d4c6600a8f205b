//! Compares the medians of two builds.

use anyhow::{Context, Result};

use super::figure::{Better, Figure};

/// A figure is worse if it changed for the worse by more than this fraction. Less is noise on a shared machine.
const TOLERATED: f64 = 0.1;

/// The medians of a figure at the revision and now. One side is `None` if that build does not have the figure.
#[derive(Debug)]
pub(super) struct Comparison {
    name: String,
    unit: String,
    better: Better,
    then: Option<f64>,
    now: Option<f64>,
}

impl Comparison {
    pub(super) fn is_worse(&self) -> bool {
        let (Some(then), Some(now)) = (self.then, self.now) else { return false };
        match self.better {
            Better::Higher => now < then * (1.0 - TOLERATED),
            Better::Lower => now > then * (1.0 + TOLERATED),
        }
    }

    /// One line of the table, without a line break.
    pub(super) fn line(&self, revision_width: usize) -> String {
        let show = |median: Option<f64>| median.map_or_else(|| "–".to_owned(), |median| number(median, &self.unit));
        let (then, now) = (show(self.then), show(self.now));
        let ratio = match (self.then, self.now) {
            (Some(then), Some(now)) if then == now => "1.00".to_owned(),
            (Some(then), Some(now)) if then != 0.0 => format!("{:.2}", now / then),
            _ => "–".to_owned(),
        };
        let verdict = match (self.then, self.now) {
            (None, _) => "new",
            (_, None) => "gone",
            _ if self.is_worse() => "worse",
            _ => "",
        };
        let line = format!("{:<28} {then:>revision_width$} {now:>12} {ratio:>8}  {verdict}", self.name);
        line.trim_end().to_owned()
    }
}

/// Compares the runs of two builds by figure: first the current figures, then those that only the revision has.
pub(super) fn compare(then: &[Vec<Figure>], now: &[Vec<Figure>]) -> Result<Vec<Comparison>> {
    let mut names: Vec<&str> = Vec::new();
    for figure in now.iter().chain(then).flatten() {
        if !names.contains(&figure.name.as_str()) {
            names.push(&figure.name);
        }
    }
    names.into_iter().map(|name| compare_one(name, &named(name, then), &named(name, now))).collect()
}

fn named<'f>(name: &str, runs: &'f [Vec<Figure>]) -> Vec<&'f Figure> {
    runs.iter().flatten().filter(|figure| figure.name == name).collect()
}

fn compare_one(name: &str, then: &[&Figure], now: &[&Figure]) -> Result<Comparison> {
    // The current target decides whether higher or lower is better.
    let newest = now.first().or(then.first()).with_context(|| format!("figure '{name}' has no run"))?;
    // A median over ratios and values mixed would mean nothing.
    let by_ratio = newest.is_relative() && then.iter().chain(now).all(|figure| figure.ratio.is_some());
    let numbers = |figures: &[&Figure]| -> Vec<f64> {
        figures.iter().filter_map(|figure| if by_ratio { figure.ratio } else { Some(figure.value) }).collect()
    };
    Ok(Comparison {
        name: name.to_owned(),
        unit: if by_ratio { "×".to_owned() } else { format!(" {}", newest.unit) },
        better: newest.better()?,
        then: median(numbers(then)),
        now: median(numbers(now)),
    })
}

/// The median: the middle number, or the mean of the two middle numbers.
fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    let upper = *numbers.get(middle)?;
    if numbers.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = *numbers.get(middle.checked_sub(1)?)?;
    Some(f64::midpoint(lower, upper))
}

fn number(value: f64, unit: &str) -> String {
    match value.abs() {
        1e6.. => format!("{:.2} M{unit}", value / 1e6),
        1e4.. => format!("{:.1} k{unit}", value / 1e3),
        100.0.. => format!("{value:.0}{unit}"),
        _ => format!("{value:.2}{unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::figure::figure;
    use super::*;

    const HIGHER: &str = "≥ 0.50×";
    const LOWER: &str = "≤ 2.00×";

    /// The comparison of a figure whose ratio was `then` and is `now`.
    fn compared(target: &str, then: f64, now: f64) -> Comparison {
        let run = |ratio| vec![vec![figure("a", 7.0, Some(ratio), target)]];
        compare(&run(then), &run(now)).expect("a comparison").remove(0)
    }

    #[test]
    fn the_median_does_not_depend_on_the_order() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0]), Some(3.0));
        assert_eq!(median(vec![9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 100.0]), Some(3.0));
    }

    #[test]
    fn whether_a_figure_is_worse_depends_on_its_target() {
        assert!(compared(HIGHER, 1.0, 0.89).is_worse());
        assert!(!compared(HIGHER, 1.0, 0.91).is_worse());
        assert!(!compared(HIGHER, 1.0, 5.0).is_worse());
        assert!(compared(LOWER, 1.0, 1.11).is_worse());
        assert!(!compared(LOWER, 1.0, 1.09).is_worse());
        assert!(!compared(LOWER, 1.0, 0.2).is_worse());
    }

    #[test]
    fn any_value_is_worse_than_zero_if_lower_is_better() {
        assert!(compared(LOWER, 0.0, 0.5).is_worse());
        assert!(!compared(LOWER, 0.0, 0.0).is_worse());
        assert!(compared(LOWER, 0.0, 0.0).line(12).ends_with("1.00"));
    }

    #[test]
    fn an_outlier_among_the_runs_does_not_change_the_comparison() {
        let runs = |ratios: [f64; 3]| ratios.map(|ratio| vec![figure("a", 7.0, Some(ratio), HIGHER)]).to_vec();
        let comparisons = compare(&runs([1.0, 1.0, 1.0]), &runs([1.0, 0.1, 1.0])).expect("a comparison");
        assert!(!comparisons[0].is_worse());
    }

    #[test]
    fn values_are_compared_if_the_target_is_a_value() {
        // Value and reference are both slower by half, so the ratio is the same.
        let then = [vec![figure("reopen/5 M", 2.0, Some(10.0), "≤ 10.0 (orientation)")]];
        let now = [vec![figure("reopen/5 M", 3.0, Some(10.0), "≤ 10.0 (orientation)")]];
        assert!(compare(&then, &now).expect("a comparison")[0].is_worse());
    }

    #[test]
    fn values_are_compared_if_a_ratio_is_missing() {
        let then = [vec![figure("a", 100.0, None, HIGHER)]];
        let now = [vec![figure("a", 50.0, Some(3.0), HIGHER)]];
        let comparisons = compare(&then, &now).expect("a comparison");
        assert_eq!((comparisons[0].then, comparisons[0].now), (Some(100.0), Some(50.0)));
        assert!(comparisons[0].is_worse());
    }

    #[test]
    fn a_figure_of_only_one_build_is_listed_and_not_worse() {
        let then = [vec![figure("old", 1.0, Some(1.0), HIGHER)]];
        let now = [vec![figure("fresh", 1.0, Some(1.0), HIGHER)]];
        let comparisons = compare(&then, &now).expect("a comparison");
        let lines: Vec<String> = comparisons.iter().map(|comparison| comparison.line(12)).collect();
        assert!(lines[0].starts_with("fresh") && lines[0].ends_with("new"), "{lines:?}");
        assert!(lines[1].starts_with("old") && lines[1].ends_with("gone"), "{lines:?}");
        assert!(!comparisons.iter().any(Comparison::is_worse));
    }

    #[test]
    fn a_line_marks_a_worse_figure() {
        let line = compared(HIGHER, 0.8, 0.4).line(12);
        assert_eq!(line.split_whitespace().collect::<Vec<_>>(), ["a", "0.80×", "0.40×", "0.50", "worse"]);
    }
}
