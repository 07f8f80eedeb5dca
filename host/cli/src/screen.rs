// SPDX-License-Identifier: MIT OR Apache-2.0
//! Output for terminals only: colours and progress.

use indicatif::{ProgressBar, ProgressStyle};
use std::cell::RefCell;
use std::fmt::Arguments;
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// Prints a line on the standard output, as `println!` does, but ends the call quietly when the
/// reader has gone (`lichen … | head`).
macro_rules! out {
    ($($argument:tt)*) => { $crate::screen::print_line(format_args!($($argument)*)) };
}
pub(crate) use out;

/// What [`out!`] calls.
pub fn print_line(line: Arguments) {
    let mut output = std::io::stdout().lock();
    if writeln!(output, "{line}").is_err() {
        // The shell's code for a program that a closed pipe ended: 128 + SIGPIPE.
        std::process::exit(141);
    }
}

/// The terminal, or what replaces it.
pub struct Screen {
    colours: bool,
    shows_progress: bool,
    bar: RefCell<Option<ProgressBar>>,
}

impl Screen {
    /// Finds out what the outputs are. `NO_COLOR` (any value) turns colours off.
    pub fn new() -> Screen {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Screen {
            colours: !plain && std::io::stdout().is_terminal() && std::io::stderr().is_terminal(),
            shows_progress: std::io::stderr().is_terminal(),
            bar: RefCell::new(None),
        }
    }

    /// Whether a person can stop the call from a terminal.
    pub fn is_attended(&self) -> bool {
        std::io::stdin().is_terminal() || std::io::stdout().is_terminal()
    }

    /// `text` in red: errors.
    pub fn red(&self, text: &str) -> String {
        self.styled("31;1", text)
    }

    /// `text` in green: success.
    pub fn green(&self, text: &str) -> String {
        self.styled("32", text)
    }

    /// `text` in yellow: warnings, skipped tests.
    pub fn yellow(&self, text: &str) -> String {
        self.styled("33", text)
    }

    /// `text` in bold.
    pub fn bold(&self, text: &str) -> String {
        self.styled("1", text)
    }

    /// `text` dimmed: times, sources.
    pub fn dim(&self, text: &str) -> String {
        self.styled("2", text)
    }

    fn styled(&self, code: &str, text: &str) -> String {
        if self.colours { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }

    /// Shows that `what` has done `done` of `total` steps.
    pub fn progress(&self, what: &str, done: u64, total: u64) {
        if !self.shows_progress {
            return;
        }
        let mut slot = self.bar.borrow_mut();
        let bar = slot.get_or_insert_with(|| {
            let bar = ProgressBar::new(total);
            if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:30}] {pos}/{len}") {
                bar.set_style(style.progress_chars("=> "));
            }
            bar
        });
        bar.set_length(total);
        bar.set_message(what.to_string());
        bar.set_position(done);
    }

    /// Shows that `what` is under way, for work whose length is not known.
    pub fn spin(&self, what: &str) {
        if !self.shows_progress {
            return;
        }
        let mut slot = self.bar.borrow_mut();
        let bar = slot.get_or_insert_with(|| {
            let bar = ProgressBar::new_spinner();
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        });
        bar.set_message(what.to_string());
    }

    /// Removes the progress display, so that other lines can be printed.
    pub fn end_progress(&self) {
        if let Some(bar) = self.bar.borrow_mut().take() {
            bar.finish_and_clear();
        }
    }
}
