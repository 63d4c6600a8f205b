//! The difference of two texts, line by line.

use std::fmt::Write;

use super::printable;

/// Unchanged lines around a change.
const CONTEXT: usize = 3;
/// Maximum of lines × lines that are compared; beyond it, all lines between the first and the last difference are shown
/// as removed and added.
const WORK_MAX: usize = 4_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change<'t> {
    Same(&'t str),
    Removed(&'t str),
    Added(&'t str),
}

/// The changed lines, with `-` and `+` before them and some unchanged lines around them. Empty if the texts are equal.
pub(crate) fn diff(before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    let changes = changes(&lines(before), &lines(after));
    let is_changed = |at: usize| changes.get(at).is_some_and(|change| !matches!(change, Change::Same(_)));
    let is_near = |at: usize| (at.saturating_sub(CONTEXT)..=at + CONTEXT).any(is_changed);
    let mut shown = String::new();
    let mut has_gap = false;
    for (at, change) in changes.iter().enumerate() {
        if !is_near(at) {
            has_gap = true;
            continue;
        }
        if std::mem::take(&mut has_gap) {
            shown.push_str("  …\n");
        }
        let (sign, line) = match change {
            Change::Same(line) => (' ', line),
            Change::Removed(line) => ('-', line),
            Change::Added(line) => ('+', line),
        };
        // Writing to a string cannot fail.
        let _written = writeln!(shown, "{sign} {}", printable(line));
    }
    if has_gap {
        shown.push_str("  …\n");
    }
    shown
}

/// The lines of a text. A text without a final line feed differs from one with it.
fn lines(text: &str) -> Vec<&str> {
    text.split('\n').collect()
}

fn changes<'t>(before: &[&'t str], after: &[&'t str]) -> Vec<Change<'t>> {
    let head = before.iter().zip(after).take_while(|(one, other)| one == other).count();
    let tail = before[head..].iter().rev().zip(after[head..].iter().rev()).take_while(|(one, other)| one == other);
    let tail = tail.count();
    let (removed, added) = (&before[head..before.len() - tail], &after[head..after.len() - tail]);
    let same = |lines: &[&'t str]| lines.iter().copied().map(Change::Same).collect::<Vec<_>>();
    [same(&before[..head]), between(removed, added), same(&before[before.len() - tail..])].concat()
}

/// The changes by a longest common subsequence.
fn between<'t>(removed: &[&'t str], added: &[&'t str]) -> Vec<Change<'t>> {
    let all_removed = removed.iter().copied().map(Change::Removed);
    let all_added = added.iter().copied().map(Change::Added);
    if removed.len().saturating_mul(added.len()) > WORK_MAX {
        return all_removed.chain(all_added).collect();
    }
    // lengths[one][other] is the length of the longest common subsequence of the rests from there on.
    let mut lengths = vec![vec![0_u32; added.len() + 1]; removed.len() + 1];
    for one in (0..removed.len()).rev() {
        for other in (0..added.len()).rev() {
            lengths[one][other] = if removed[one] == added[other] {
                lengths[one + 1][other + 1] + 1
            } else {
                lengths[one + 1][other].max(lengths[one][other + 1])
            };
        }
    }
    let (mut one, mut other) = (0, 0);
    let mut changes = Vec::new();
    while one < removed.len() || other < added.len() {
        if one < removed.len() && other < added.len() && removed[one] == added[other] {
            changes.push(Change::Same(removed[one]));
            (one, other) = (one + 1, other + 1);
        } else if one < removed.len() && (other == added.len() || lengths[one + 1][other] >= lengths[one][other + 1]) {
            changes.push(Change::Removed(removed[one]));
            one += 1;
        } else {
            changes.push(Change::Added(added[other]));
            other += 1;
        }
    }
    changes
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
