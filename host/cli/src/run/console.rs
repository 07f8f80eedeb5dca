// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is shown of several consoles and of what else happens, in the order of time.
//!
//! A line is known when it ends, and belongs where it began: later lines wait for it. A line without an end is a
//! prompt after a while. Where a person types, it stays without one, so that what is typed follows it.

use lichen_chip::Time;
use lichen_load::{Item, Separator};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A line without an end for this long is a prompt, and is shown as it is.
const PROMPT: Time = Time::from_ms(100);
/// A longer line is broken.
const LONGEST: usize = 1000;

/// A serial port of a mote.
pub type Port = (u32, Arc<str>);

/// A line that is complete, or is shown without an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub time: Time,
    pub port: Port,
    pub text: String,
    /// Whether it is shown before its end has come.
    pub is_prompt: bool,
}

/// Text that waits to be shown.
#[derive(Clone, Debug, Default)]
struct Held {
    /// Time and mote before the text.
    head: String,
    text: String,
    /// Where it comes from, if that is a port that may continue it.
    port: Option<Port>,
    is_prompt: bool,
}

/// The consoles.
#[derive(Debug, Default)]
pub struct Consoles {
    /// Characters of unfinished lines, by port, and when the first of them came.
    unfinished: BTreeMap<Port, (Time, Vec<u8>)>,
    /// Where a frame of the loader has begun (`doc/spec/loading.md`), and when.
    framed: BTreeMap<Port, (Time, Separator)>,
    /// Text that waits for earlier lines which are not finished, in the order of its times.
    held: BTreeMap<(Time, u64), Held>,
    count: u64,
    /// Something that is not known yet will be shown with this time.
    awaited: Option<Time>,
    /// Whether a person types below what is shown.
    is_typed_to: bool,
    /// The prompt behind which the cursor is.
    prompt: Option<Port>,
}

impl Consoles {
    /// Consoles of which one is typed to, or none.
    pub fn new(is_typed_to: bool) -> Consoles {
        Consoles { is_typed_to, ..Consoles::default() }
    }

    /// Takes a character; returns the lines that it completes. Frames of the loader are not shown.
    pub fn character(&mut self, port: &Port, time: Time, data: u8) -> Vec<Line> {
        let begun = match self.framed.remove(port) {
            None if data != Separator::BEGIN => return self.text(port, time, &[data]),
            begun => begun,
        };
        let (since, mut separator) = begun.unwrap_or((time, Separator::default()));
        let item = separator.byte(data);
        if !separator.is_in_text() {
            self.framed.insert(port.clone(), (since, separator));
        }
        match item {
            Some(Item::Text(text)) => self.text(port, time, &text),
            Some(Item::Frame(_)) | None => Vec::new(),
        }
    }

    /// What has begun like a frame of the loader, at `until` or before, and has not ended: it is text.
    fn no_frames(&mut self, is_none: impl Fn(&Port, Time) -> bool) -> Vec<Line> {
        let ports = self.framed.iter().filter(|(port, (since, _))| is_none(port, *since));
        let ports: Vec<Port> = ports.map(|(port, _)| port.clone()).collect();
        let mut lines = Vec::new();
        for port in ports {
            let Some((since, mut separator)) = self.framed.remove(&port) else { continue };
            if let Some(Item::Text(text)) = separator.text() {
                lines.extend(self.text(&port, since, &text));
            }
        }
        lines
    }

    fn text(&mut self, port: &Port, time: Time, text: &[u8]) -> Vec<Line> {
        text.iter().flat_map(|data| self.plain(port, time, *data)).collect()
    }

    fn plain(&mut self, port: &Port, time: Time, data: u8) -> Vec<Line> {
        let mut lines = Vec::new();
        // Where a line is broken must not depend on when its beginning was shown.
        if self.unfinished.get(port).is_some_and(|(since, _)| time - *since >= PROMPT) {
            lines.extend(self.take(port, true));
        }
        let (_, text) = self.unfinished.entry(port.clone()).or_insert((time, Vec::new()));
        if !matches!(data, b'\n' | b'\r') {
            text.push(data);
        }
        if data == b'\n' || text.len() >= LONGEST {
            lines.extend(self.take(port, false));
        }
        lines
    }

    /// The lines of a mote that a reset or the loss of its supply has cut short: what it prints next begins another.
    pub fn cut_short(&mut self, mote: u32) -> Vec<Line> {
        let mut lines = self.no_frames(|(of, _), _| *of == mote);
        let ports = self.unfinished.keys().filter(|(of, _)| *of == mote);
        let ports: Vec<Port> = ports.cloned().collect();
        lines.extend(ports.iter().filter_map(|port| self.take(port, false)));
        lines
    }

    /// The lines that have waited for their end long enough at `now`, or all of them.
    pub fn due(&mut self, now: Option<Time>) -> Vec<Line> {
        let is_due = |since: Time| now.is_none_or(|now| now - since >= PROMPT);
        let mut lines = self.no_frames(|_, since| is_due(since));
        let due = self.unfinished.iter().filter(|(_, (since, _))| is_due(*since));
        let mut due: Vec<(Time, Port)> =
            due.map(|(port, (since, _))| (*since, port.clone())).collect();
        due.sort();
        lines.extend(due.iter().filter_map(|(_, port)| self.take(port, true)));
        lines
    }

    fn take(&mut self, port: &Port, is_prompt: bool) -> Option<Line> {
        let (time, bytes) = self.unfinished.remove(port)?;
        let text = lichen_trace::shown(&bytes);
        Some(Line { time, port: port.clone(), text, is_prompt })
    }

    /// Shows a line of a port, with this text and what is before it, in the order of times.
    pub fn line(&mut self, line: &Line, head: String, text: String) {
        let port = Some(line.port.clone());
        self.hold(line.time, Held { head, text, port, is_prompt: line.is_prompt });
    }

    /// Shows another text, in the order of times.
    pub fn note(&mut self, time: Time, head: String, text: String) {
        self.hold(time, Held { head, text, port: None, is_prompt: false });
    }

    /// Something that is not known yet will be shown with this time: what is later waits for it.
    pub fn wait_for(&mut self, time: Option<Time>) {
        self.awaited = time;
    }

    fn hold(&mut self, time: Time, held: Held) {
        self.count += 1;
        self.held.insert((time, self.count), held);
    }

    /// What no unfinished line precedes, as it is to be printed.
    pub fn release(&mut self) -> String {
        let unfinished = self.unfinished.values().map(|(since, _)| *since);
        let first = unfinished.chain(self.awaited).min().unwrap_or(Time::NEVER);
        let mut text = String::new();
        while let Some(entry) = self.held.first_entry().filter(|entry| entry.key().0 <= first) {
            let held = entry.remove();
            self.show(held, &mut text);
        }
        text
    }

    fn show(&mut self, held: Held, text: &mut String) {
        let before = self.prompt.take();
        let continues = before.is_some() && before == held.port;
        if before.is_some() && !continues {
            text.push('\n');
        }
        if !continues {
            text.push_str(&held.head);
        }
        text.push_str(&held.text);
        match held.is_prompt && self.is_typed_to {
            true => self.prompt = held.port,
            false => text.push('\n'),
        }
    }

    /// What was typed has been shown by the terminal, which is in a new line after a line's end.
    pub fn typed(&mut self, bytes: &[u8]) {
        if bytes.contains(&b'\n') {
            self.prompt = None;
        }
    }

    /// Ends the line of a prompt.
    pub fn end(&mut self) -> &'static str {
        if self.prompt.take().is_some() { "\n" } else { "" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_load::Frame;

    fn port(mote: u32) -> Port {
        (mote, "console".into())
    }

    /// Shows what a port prints from `ms` on.
    fn print(consoles: &mut Consoles, mote: u32, ms: u64, text: &str) -> String {
        for data in text.bytes() {
            let lines = consoles.character(&port(mote), Time::from_ms(ms), data);
            show(consoles, &lines);
        }
        consoles.release()
    }

    fn show(consoles: &mut Consoles, lines: &[Line]) {
        for line in lines {
            consoles.line(line, format!("{} ", line.time.us() / 1_000), line.text.clone());
        }
    }

    fn wait(consoles: &mut Consoles, ms: u64) -> String {
        let lines = consoles.due(Some(Time::from_ms(ms)));
        show(consoles, &lines);
        consoles.release()
    }

    #[test]
    fn lines_are_in_the_order_in_which_they_begin() {
        let mut consoles = Consoles::new(false);
        assert_eq!(print(&mut consoles, 0, 1, "fir"), "");
        assert_eq!(print(&mut consoles, 1, 2, "second\n"), "", "the first one is not finished");
        consoles.note(Time::from_ms(3), "3 ".into(), "third".into());
        assert_eq!(consoles.release(), "");
        assert_eq!(print(&mut consoles, 0, 4, "st\n"), "1 first\n2 second\n3 third\n");
    }

    #[test]
    fn what_is_known_later_has_its_place() {
        let mut consoles = Consoles::new(false);
        consoles.wait_for(Some(Time::from_ms(2)));
        assert_eq!(print(&mut consoles, 0, 1, "first\n"), "1 first\n");
        assert_eq!(print(&mut consoles, 0, 3, "third\n"), "");
        consoles.note(Time::from_ms(2), "2 ".into(), "second".into());
        consoles.wait_for(None);
        assert_eq!(consoles.release(), "2 second\n3 third\n");
    }

    #[test]
    fn a_prompt_is_a_line_where_nobody_types() {
        let mut consoles = Consoles::new(false);
        assert_eq!(print(&mut consoles, 0, 1, "> "), "");
        assert_eq!(wait(&mut consoles, 50), "");
        assert_eq!(wait(&mut consoles, 101), "1 > \n");
        assert_eq!(print(&mut consoles, 0, 200, "hi\n"), "200 hi\n");
    }

    #[test]
    fn a_line_that_was_cut_short_is_not_continued() {
        let mut consoles = Consoles::new(false);
        print(&mut consoles, 0, 1, "have 17");
        print(&mut consoles, 1, 1, "oth");
        let lines = consoles.cut_short(0);
        show(&mut consoles, &lines);
        assert_eq!(print(&mut consoles, 0, 2, "start\n"), "1 have 17\n");
        assert_eq!(print(&mut consoles, 1, 3, "er\n"), "1 other\n2 start\n");
    }

    #[test]
    fn a_frame_of_the_loader_is_not_shown_and_what_is_none_is() {
        let mut consoles = Consoles::new(false);
        let frame = Frame { kind: 0x81, sequence: 0, payload: b"base".to_vec() }.bytes();
        print(&mut consoles, 0, 1, "tem");
        let lines: Vec<Line> = frame
            .iter()
            .flat_map(|data| consoles.character(&port(0), Time::from_ms(2), *data))
            .collect();
        assert_eq!(lines, []);
        assert_eq!(print(&mut consoles, 0, 3, "perature\n"), "1 temperature\n");
        assert_eq!(print(&mut consoles, 0, 4, "\x02hi\n"), "4 \\x02hi\n");
        assert_eq!(print(&mut consoles, 0, 5, "a\x02b"), "");
        assert_eq!(wait(&mut consoles, 200), "5 a\\x02b\n");
    }

    #[test]
    fn one_types_behind_a_prompt() {
        let mut consoles = Consoles::new(true);
        print(&mut consoles, 0, 1, "> ");
        assert_eq!(wait(&mut consoles, 101), "1 > ");
        assert_eq!(wait(&mut consoles, 300), "");
        consoles.typed(b"ps\n");
        assert_eq!(print(&mut consoles, 0, 400, "answer\n> "), "400 answer\n");
        assert_eq!(wait(&mut consoles, 600), "400 > ");
        assert_eq!(consoles.end(), "\n");
        assert_eq!(consoles.end(), "");
    }

    #[test]
    fn what_a_port_prints_continues_its_prompt_and_others_begin_a_line() {
        let mut consoles = Consoles::new(true);
        print(&mut consoles, 0, 1, "wait");
        assert_eq!(wait(&mut consoles, 101), "1 wait");
        print(&mut consoles, 0, 200, "ing");
        assert_eq!(wait(&mut consoles, 300), "ing");
        consoles.note(Time::from_ms(310), "310 ".into(), "* led0 on".into());
        assert_eq!(consoles.release(), "\n310 * led0 on\n");
        assert_eq!(print(&mut consoles, 0, 400, "done\n"), "400 done\n");
    }
}
