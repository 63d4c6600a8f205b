//! Frames that replace each other on a terminal.

use std::io::{Write, stdout};

use anyhow::Result;

/// Clears the screen, and moves to its upper left corner.
const CLEAR: &str = "\u{1b}[2J\u{1b}[H";
const HOME: &str = "\u{1b}[H";
/// Clears the rest of the line, and of the screen. A frame is drawn over the one before: clearing the screen first would
/// make it flicker.
const CLEAR_LINE: &str = "\u{1b}[K";
const CLEAR_BELOW: &str = "\u{1b}[J";

/// A terminal that shows one frame at a time.
#[derive(Debug)]
pub(super) struct Screen(());

impl Screen {
    pub(super) fn clear() -> Result<Self> {
        let mut out = stdout();
        out.write_all(CLEAR.as_bytes())?;
        out.flush()?;
        Ok(Self(()))
    }

    /// Draws a frame, cut to the height of the terminal.
    #[expect(clippy::unused_self, reason = "the screen must have been cleared")]
    pub(super) fn draw(&self, frame: &str) -> Result<()> {
        let mut out = stdout();
        out.write_all(drawn(frame, height()).as_bytes())?;
        Ok(out.flush()?)
    }
}

/// The height of the terminal in rows, if it is known.
fn height() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stdout()).ok()?;
    Some(usize::from(size.ws_row)).filter(|rows| *rows > 0)
}

/// The bytes that draw a frame. The last row stays empty: a line feed there would scroll.
fn drawn(frame: &str, height: Option<usize>) -> String {
    let lines: Vec<&str> = frame.lines().collect();
    let rows = height.map_or(usize::MAX, |height| height.saturating_sub(1).max(1));
    let mut text = HOME.to_owned();
    let shown = if lines.len() > rows { rows.saturating_sub(1) } else { lines.len() };
    for line in &lines[..shown] {
        text += &format!("{line}{CLEAR_LINE}\n");
    }
    if shown < lines.len() {
        text += &format!("{} more lines do not fit{CLEAR_LINE}\n", lines.len() - shown);
    }
    text + CLEAR_BELOW
}

#[cfg(test)]
mod tests {
    use super::drawn;

    #[test]
    fn a_frame_is_cut_to_the_height_of_the_terminal() {
        assert_eq!(drawn("a\nb\n", Some(3)), "\u{1b}[Ha\u{1b}[K\nb\u{1b}[K\n\u{1b}[J");
        assert_eq!(drawn("a\nb\nc\n", Some(3)), "\u{1b}[Ha\u{1b}[K\n2 more lines do not fit\u{1b}[K\n\u{1b}[J");
        assert_eq!(drawn("a\nb\nc\n", None).matches('\n').count(), 3, "a terminal of unknown height");
        assert_eq!(drawn("a\nb\n", Some(1)), "\u{1b}[H2 more lines do not fit\u{1b}[K\n\u{1b}[J");
    }
}
