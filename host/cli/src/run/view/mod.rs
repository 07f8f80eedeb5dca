// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is shown of a network while it runs: on a terminal a panel above what the motes print, in which each mote has its
//! place; else a line for each frame.

mod panel;
mod state;
mod table;

pub use panel::restore;

use super::options::View;
use crate::energy::TABLES;
use crate::mote::Names;
use lichen_chip::Time;
use lichen_energy::{Meter, Tables};
use lichen_terminal::failure::Failure;
use lichen_terminal::place::Here;
use lichen_trace::Event;
use lichen_trace::air::{Fate, Tally, Transmission};
use lichen_world::World;
use panel::Panel;
use state::State;
use table::Table;

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// What motes print, and nothing of their network.
    Consoles,
    /// A panel above that.
    Panel,
    /// A line for each frame.
    Lines,
}

impl Shown {
    /// What is shown of motes of which so many have radios; `wanted` says the call, if it does.
    pub fn of(wanted: Option<View>, is_terminal: bool, motes: usize, radios: usize) -> Shown {
        match (wanted, is_terminal) {
            (Some(View::Console), _) => Shown::Consoles,
            (Some(View::Network), true) => Shown::Panel,
            (Some(View::Network), false) => Shown::Lines,
            (None, true) if motes > 1 && radios > 0 => Shown::Panel,
            (None, _) => Shown::Consoles,
        }
    }
}

/// A panel, and what it shows.
pub struct Live {
    panel: Panel,
    state: State,
    meter: Meter,
}

impl Live {
    /// A panel for the motes of `world`, which are to report their activity from now on.
    pub fn new(here: &Here, world: &World) -> Result<Live, Failure> {
        let mut meter = Meter::new(Tables::load(&here.tree.path(TABLES))?);
        world.motes().for_each(|(_, mote)| meter.add(mote.board()));
        let state = State::new(world.motes().len(), world.now());
        Ok(Live { panel: Panel::default(), state, meter })
    }

    /// Takes an event.
    pub fn event(&mut self, event: &Event) {
        if let Some(current) = self.meter.change(event) {
            self.state.event(&current);
        }
    }

    /// It is known what became of a frame.
    pub fn transmission(&mut self, sent: &Transmission) {
        self.state.transmission(sent);
    }

    /// Draws the panel if that is due, from the first frame on: motes that send nothing need none.
    pub fn refresh(&mut self, tally: &Tally, names: &Names, now: Time) {
        if self.panel.is_due() {
            self.draw(tally, names, now);
        }
    }

    /// Draws the panel, unless nothing has been sent.
    pub fn draw(&mut self, tally: &Tally, names: &Names, now: Time) {
        if tally.whole().sent > 0 {
            let (state, since) = (&self.state, self.panel.since);
            let table = Table { state, tally, names, now, since };
            self.panel.draw(&table);
        }
    }
}

/// A frame in a line: what was sent, who heard it, and where it was lost.
pub fn line(sent: &Transmission, names: &Names) -> String {
    let what = if sent.frame.is_acknowledgment() { "acknowledgment" } else { "frame" };
    let number = sent.frame.sequence().map(|number| format!(" {number}")).unwrap_or_default();
    let mut parts = vec![format!("> {what}{number}, {} bytes", sent.frame.bytes.len())];
    let list = |fate: Fate| {
        let with = sent.arrivals.iter().filter(|arrival| arrival.fate == fate);
        let motes: Vec<String> = with
            .map(|arrival| {
                let with = arrival.with.iter().map(|mote| sender(names, *mote));
                let with: Vec<String> = with.collect();
                match with.is_empty() {
                    true => names.short(arrival.mote),
                    false => format!("{} (with {})", names.short(arrival.mote), with.join(", ")),
                }
            })
            .collect();
        (!motes.is_empty()).then(|| format!("{}: {}", fate.words(), motes.join(", ")))
    };
    let fates = Fate::ALL.into_iter().filter(|fate| *fate != Fate::TooWeak);
    let fates: Vec<String> = fates.filter_map(list).collect();
    match fates.is_empty() {
        true => parts.push("nobody in reach".to_string()),
        false => parts.extend(fates),
    }
    parts.join("; ")
}

/// The name of a mote, or of what else sends.
fn sender(names: &Names, mote: u32) -> String {
    if mote >= lichen_trace::INTERFERENCE { "interference".into() } else { names.short(mote) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_chip::Time;
    use lichen_trace::Frame;
    use lichen_trace::air::Arrival;

    #[test]
    fn a_panel_is_for_terminals_and_networks() {
        let shown = |wanted, is_terminal| Shown::of(wanted, is_terminal, 3, 3);
        assert_eq!(shown(None, true), Shown::Panel);
        assert_eq!(shown(None, false), Shown::Consoles);
        assert_eq!(shown(Some(View::Network), true), Shown::Panel);
        assert_eq!(shown(Some(View::Network), false), Shown::Lines);
        assert_eq!(shown(Some(View::Console), true), Shown::Consoles);
        assert_eq!(Shown::of(None, true, 1, 1), Shown::Consoles, "no network");
        assert_eq!(Shown::of(None, true, 3, 0), Shown::Consoles, "no radio");
    }

    #[test]
    fn a_line_says_who_heard_a_frame_and_where_it_was_lost() {
        let arrival = |mote, fate, with: &[u32]| Arrival {
            mote,
            dbm: -60.0,
            fate,
            with: with.to_vec(),
            bursts: vec![],
        };
        let (begin, end) = (Time::ZERO, Time::from_us(1));
        let frame = |bytes: &[u8]| Frame {
            start: begin,
            khz: 2_405_000,
            bps: 250_000,
            dbm: 0.0,
            bytes: bytes.to_vec(),
        };
        let arrivals = vec![
            arrival(1, Fate::Whole, &[]),
            arrival(2, Fate::Collision, &[4, lichen_trace::INTERFERENCE]),
            arrival(3, Fate::TooWeak, &[]),
            arrival(5, Fate::Whole, &[]),
        ];
        let sent =
            Transmission { sender: 0, begin, end, frame: frame(&[0x41, 0x88, 7, 0, 0]), arrivals };
        let expected = "> frame 7, 5 bytes; heard whole: 1, 5; collision: 2 (with 4, interference)";
        assert_eq!(line(&sent, &Names::default()), expected);
        let frame = frame(&[2, 0, 7, 0, 0]);
        let sent = Transmission { frame, arrivals: vec![], ..sent };
        let expected = "> acknowledgment 7, 5 bytes; nobody in reach";
        assert_eq!(line(&sent, &Names::default()), expected);
    }
}
