// SPDX-License-Identifier: MIT OR Apache-2.0
//! Output for terminals only: colours and progress.

use crate::lock::lock;
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Arguments;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Prints a line on the standard output, as `println!` does, but ends the call quietly when the
/// reader has gone (`lichen … | head`).
#[macro_export]
macro_rules! out {
    ($($argument:tt)*) => { $crate::screen::print_line(format_args!($($argument)*)) };
}
pub use out;

/// Whether the standard output is for data alone.
static IS_DATA: AtomicBool = AtomicBool::new(false);

/// Leaves the standard output to data: text is printed on the error output from now on.
pub fn reserve_output() {
    IS_DATA.store(true, Ordering::Relaxed);
}

/// Whether what is printed goes to a terminal that knows more than lines.
pub fn prints_on_terminal() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
    !IS_DATA.load(Ordering::Relaxed) && !is_dumb && std::io::stdout().is_terminal()
}

/// What [`out!`] calls.
pub fn print_line(line: Arguments) {
    print_text(&format!("{line}\n"));
}

/// Prints text that need not end its line.
pub fn print_text(text: &str) {
    if text.is_empty() {
        return;
    }
    let written = match IS_DATA.load(Ordering::Relaxed) {
        true => std::io::stderr().write_all(text.as_bytes()),
        false => {
            let mut output = std::io::stdout().lock();
            output.write_all(text.as_bytes()).and_then(|()| output.flush())
        }
    };
    if written.is_err() {
        std::process::exit(CLOSED_PIPE);
    }
}

/// The shell's code for a program that a closed pipe ended: 128 + SIGPIPE.
const CLOSED_PIPE: i32 = 141;

/// The standard output for data: ends the call quietly when the reader has gone.
#[derive(Debug)]
pub struct Data;

impl Write for Data {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        quietly(std::io::stdout().write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        quietly(std::io::stdout().flush())
    }
}

fn quietly<T>(written: std::io::Result<T>) -> std::io::Result<T> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(CLOSED_PIPE),
        written => written,
    }
}

/// A count with its unit, such as `1 change` and `2 changes`.
pub fn many(count: u64, unit: &str) -> String {
    if count == 1 { format!("1 {unit}") } else { format!("{count} {unit}s") }
}

/// The terminal, or what replaces it.
pub struct Screen {
    colours: bool,
    shows_progress: bool,
    bar: Mutex<Option<ProgressBar>>,
    /// The step that was printed last, without a terminal.
    step: Mutex<String>,
}

/// Steps of work that takes long enough to be printed where there is no terminal: the first build for a board has more.
const LONG: u64 = 20;

impl Screen {
    /// Finds out what the outputs are. `NO_COLOR` (any value) turns colours off.
    pub fn detect() -> Screen {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Screen {
            colours: !plain && std::io::stdout().is_terminal() && std::io::stderr().is_terminal(),
            shows_progress: std::io::stderr().is_terminal(),
            bar: Mutex::new(None),
            step: Mutex::default(),
        }
    }

    /// Whether a person can stop the call from a terminal.
    pub fn is_attended(&self) -> bool {
        std::io::stdin().is_terminal() || std::io::stdout().is_terminal()
    }

    /// Whether a person types below what is printed.
    pub fn is_typed_to(&self) -> bool {
        std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
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
            if let Some(line) = self.begun(what, total) {
                eprintln!("{line}");
            }
            return;
        }
        let mut slot = lock(&self.bar);
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

    /// What is printed about a step that takes long, when it begins.
    fn begun(&self, what: &str, total: u64) -> Option<String> {
        let is_news = total >= LONG && *lock(&self.step) != what;
        is_news.then(|| {
            *lock(&self.step) = what.to_string();
            format!("lichen: {what}, {total} steps")
        })
    }

    /// Shows that `what` is under way, for work whose length is not known. Without a terminal nothing is shown.
    pub fn spin(&self, what: &str) {
        if !self.shows_progress {
            return;
        }
        let mut slot = lock(&self.bar);
        let bar = slot.get_or_insert_with(|| {
            let bar = ProgressBar::new_spinner();
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        });
        bar.set_message(what.to_string());
    }

    /// The same for one of a few long steps, each of which has a line where there is no terminal.
    pub fn step(&self, what: &str) {
        if self.shows_progress {
            self.spin(what);
        } else if *lock(&self.step) != what {
            *lock(&self.step) = what.to_string();
            eprintln!("lichen: {what}");
        }
    }

    /// Removes the progress display, so that other lines can be printed.
    pub fn end_progress(&self) {
        if let Some(bar) = lock(&self.bar).take() {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_step_is_reported_once() {
        let screen = Screen::detect();
        assert_eq!(screen.begun("building blink", 2), None, "it takes no time");
        let line = screen.begun("building blink", 60);
        assert_eq!(line.as_deref(), Some("lichen: building blink, 60 steps"));
        assert_eq!(screen.begun("building blink", 60), None);
        assert!(screen.begun("building echo", 60).is_some());
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!(
            [0, 1, 2].map(|count| many(count, "change")),
            ["0 changes", "1 change", "2 changes"]
        );
    }
}
