//! The difference of two texts, line by line.

use std::fmt::Write;
use std::time::Duration;

use similar::{DiffOp, TextDiff};

use super::printable;

/// Unchanged lines around a change.
const CONTEXT: usize = 3;
/// What stands for the lines that are left out.
const GAP: &str = "  …\n";
/// Maximum time for finding the fewest changes; after it, lines that are not compared yet are shown as removed and added.
/// The library reads the clock for it, which affects only what is printed.
const COMPARED_WITHIN: Duration = Duration::from_millis(500);

/// The changed lines, with `-` and `+` before them and some unchanged lines around them. Empty if the texts are equal.
pub(crate) fn diff(before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    let (before, after) = (lines(before), lines(after));
    let compared = TextDiff::configure().timeout(COMPARED_WITHIN).diff_slices(&before, &after);
    let groups: Vec<String> = compared
        .grouped_ops(CONTEXT)
        .iter()
        .map(|group| {
            let mut shown = String::new();
            for change in group.iter().flat_map(|op| compared.iter_changes(op)) {
                // Writing to a string cannot fail.
                let _written = writeln!(shown, "{} {}", change.tag(), printable(change.value()));
            }
            shown
        })
        .collect();
    let gap = |end: Option<&DiffOp>| match end {
        Some(DiffOp::Equal { len, .. }) if *len > CONTEXT => GAP,
        _ => "",
    };
    let ops = compared.ops();
    [gap(ops.first()), &groups.join(GAP), gap(ops.last())].concat()
}

/// The lines of a text. A text without a final line feed differs from one with it.
fn lines(text: &str) -> Vec<&str> {
    text.split('\n').collect()
}

#[cfg(test)]
mod tests {
    use super::diff;

    #[test]
    fn a_difference_shows_changed_lines_and_the_lines_around_them() {
        assert_eq!(diff("a\nb\n", "a\nb\n"), "");
        assert_eq!(diff("one", "two"), "- one\n+ two\n");
        assert_eq!(diff("a\nb\nc", "a\nx\nc"), "  a\n- b\n+ x\n  c\n");
        assert_eq!(diff("a", "a\n"), "  a\n+ \n");
        assert_eq!(diff("{\n  \"a\": 1,\n  \"b\": 2\n}", "{\n  \"b\": 2,\n  \"a\": 1\n}").lines().count(), 6);
        assert_eq!(diff("x\u{1b}[2J", ""), "- x\\u{1b}[2J\n+ \n", "no text can control the terminal");
    }

    #[test]
    fn distant_lines_are_left_out() {
        let text = |changed: &str| {
            (0..40).map(|n| if n == 20 { changed.into() } else { n.to_string() }).collect::<Vec<String>>().join("\n")
        };
        let shown = diff(&text("before"), &text("after"));
        assert_eq!(shown, "  …\n  17\n  18\n  19\n- before\n+ after\n  21\n  22\n  23\n  …\n");
    }

    #[test]
    fn long_texts_are_compared_in_bounded_time() {
        let (one, other) = ("a\n".repeat(50_000), "b\n".repeat(50_000));
        assert_eq!(diff(&one, &other).lines().count(), 100_001);
    }
}
