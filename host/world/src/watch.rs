// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waiting for a text on the console.

use lichen_trace::{Event, Kind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Finds a text in what a mote prints, separately for each port.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct TextWatch {
    text: Vec<u8>,
    /// What each port printed last, at most as long as the text.
    tails: BTreeMap<Arc<str>, Vec<u8>>,
}

impl TextWatch {
    pub(crate) fn new(text: &str) -> TextWatch {
        TextWatch { text: text.as_bytes().to_vec(), tails: BTreeMap::new() }
    }

    /// Takes over what another watch for the same text has seen.
    pub(crate) fn restore(&mut self, other: &TextWatch) {
        if self.text == other.text {
            self.tails.clone_from(&other.tails);
        }
    }

    /// Whether the text is complete with this event.
    pub(crate) fn event(&mut self, event: &Event) -> bool {
        let Kind::Uart { port, dir: "out", data } = &event.kind else { return false };
        let tail = self.tails.entry(Arc::clone(port)).or_default();
        tail.push(*data);
        if tail.len() > self.text.len() {
            tail.remove(0);
        }
        *tail == self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_chip::Time;

    fn sees(watch: &mut TextWatch, port: &str, dir: &'static str, text: &str) -> bool {
        let mut found = false;
        for data in text.bytes() {
            let kind = Kind::Uart { port: port.into(), dir, data };
            found |= watch.event(&Event { time: Time::ZERO, cycle: 0, mote: 0, kind });
        }
        found
    }

    #[test]
    fn text_is_found_across_writes_and_not_across_ports() {
        let mut watch = TextWatch::new("aab");
        assert!(!sees(&mut watch, "console", "in", "aab"), "what is typed does not count");
        assert!(!sees(&mut watch, "console", "out", "xa"));
        assert!(!sees(&mut watch, "rtt", "out", "ab"));
        assert!(!sees(&mut watch, "console", "out", "a"));
        assert!(!sees(&mut watch, "console", "out", "a"));
        assert!(sees(&mut watch, "console", "out", "b"));
    }
}
