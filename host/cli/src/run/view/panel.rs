// SPDX-License-Identifier: MIT OR Apache-2.0
//! The panel on a terminal: the lines of a table stay at the top, and what motes print scrolls below them.
//!
//! The terminal is told to scroll only the lower part (DECSTBM of ECMA-48 terminals); the cursor stays there, so that one
//! can type to a mote as without the panel.

use super::table::Table;
use lichen_chip::Time;
use lichen_terminal::screen;
use rustix::termios::tcgetwinsize;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Real time between two drawings, at least.
const BETWEEN: Duration = Duration::from_millis(100);

/// Whether the terminal scrolls only in part.
static IS_DIVIDED: AtomicBool = AtomicBool::new(false);

/// The panel.
#[derive(Debug, Default)]
pub struct Panel {
    /// Lines of the panel, and the size of the terminal, if it is divided.
    divided: Option<(usize, (usize, usize))>,
    drawn: Option<Instant>,
    /// Simulated time of the last drawing.
    pub since: Time,
}

impl Panel {
    /// Whether it is time to draw it again.
    pub fn is_due(&self) -> bool {
        self.drawn.is_none_or(|drawn| drawn.elapsed() >= BETWEEN)
    }

    /// Draws it.
    pub fn draw(&mut self, table: &Table<'_>) {
        let size = size();
        self.drawn = Some(Instant::now());
        self.since = table.now;
        let lines = table.lines(size);
        screen::print_text(&self.text(&lines, size));
    }

    /// What draws these lines on a terminal of this size.
    fn text(&mut self, lines: &[String], size: (usize, usize)) -> String {
        let mut text = String::new();
        let height = if lines.is_empty() { 0 } else { lines.len() + 1 };
        if self.divided != Some((height, size)) {
            text += &self.divide(height, size);
        }
        if lines.is_empty() {
            return text;
        }
        // The cursor is kept, and put back.
        text += "\x1b7";
        for (row, line) in (1..).zip(lines) {
            let _ = write!(text, "\x1b[{row};1H\x1b[K{line}");
        }
        let rule = "-".repeat(size.0);
        let _ = write!(text, "\x1b[{height};1H\x1b[K{rule}\x1b8");
        text
    }

    /// Leaves the upper `height` lines to the panel.
    fn divide(&mut self, height: usize, size: (usize, usize)) -> String {
        let (_, rows) = size;
        let before = self.divided.replace((height, size));
        IS_DIVIDED.store(height > 0, Ordering::Relaxed);
        if height == 0 {
            return if before.is_some_and(|(height, _)| height > 0) {
                undivided(rows)
            } else {
                String::new()
            };
        }
        // What is on the screen goes up first, and can be scrolled back to.
        let scrolled = if before.is_none() { "\n".repeat(rows) } else { String::new() };
        format!("{scrolled}\x1b[{};{rows}r\x1b[{rows};1H", height + 1)
    }

    /// Gives all of the terminal back.
    pub fn close(&mut self) {
        if let Some((_, (_, rows))) = self.divided.take().filter(|(height, _)| *height > 0) {
            IS_DIVIDED.store(false, Ordering::Relaxed);
            screen::print_text(&undivided(rows));
        }
    }
}

impl Drop for Panel {
    fn drop(&mut self) {
        self.close();
    }
}

/// Lets all of a terminal with so many rows scroll, with the cursor at its end.
fn undivided(rows: usize) -> String {
    format!("\x1b[r\x1b[{rows};1H")
}

/// Gives all of the terminal back when the call ends at once.
pub fn restore() {
    if IS_DIVIDED.swap(false, Ordering::Relaxed) {
        screen::print_text(&undivided(size().1));
    }
}

/// Columns and rows of the terminal; as many as usual if it does not say.
fn size() -> (usize, usize) {
    match tcgetwinsize(std::io::stdout()) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col.into(), size.ws_row.into()),
        _ => (80, 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_drawn_above_what_scrolls() {
        let mut panel = Panel::default();
        let lines = ["one".to_string(), "two".to_string()];
        let first = panel.text(&lines, (5, 24));
        let divided = format!("{}\x1b[4;24r\x1b[24;1H", "\n".repeat(24));
        let drawn = "\x1b7\x1b[1;1H\x1b[Kone\x1b[2;1H\x1b[Ktwo\x1b[3;1H\x1b[K-----\x1b8";
        assert_eq!(first, format!("{divided}{drawn}"));
        assert_eq!(panel.text(&lines, (5, 24)), drawn, "it is divided already");
        assert_eq!(panel.text(&lines, (5, 30)), format!("\x1b[4;30r\x1b[30;1H{drawn}"), "larger");
        assert_eq!(panel.text(&[], (5, 7)), "\x1b[r\x1b[7;1H", "too small");
        assert_eq!(panel.text(&[], (5, 7)), "");
        panel.divided = None;
    }
}
