// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random histories.

use super::Ms;

/// When the first one is asked for something: all links are open then.
const BEGIN: Ms = 400;
/// After the last act everything ends.
const REST: Ms = 4_000;
/// For so long a mote has no power, or no radio.
const AWAY: Ms = 900;
const BRIEFLY: Ms = 50;
/// What is typed at a mote has so long to be obeyed, and after its start its link is open.
const TYPED: Ms = 20;
/// A message is typed, and is on its way for so long; at CALM all of it has ended.
const ON_ITS_WAY: Ms = 120;
const CALM: Ms = 300;
const OPENED: Ms = 400;
/// Messages of a burst.
const BURST: u16 = 3;
/// A message's bytes.
const BYTES: (u32, u32) = (2, 100);

/// What may happen in a history besides sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing: ways are good, and messages come one after the other.
    Calm,
    /// Frames and acknowledgments are lost.
    Lossy,
    /// Motes are reset, and lose their power.
    Restarts,
    /// Radios fail.
    Faults,
    /// All of it.
    All,
    /// Power fails while one message is on its way: at its sender or at its receiver, before the frame, in its middle, in that
    /// of the acknowledgment, or behind that.
    Cuts,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 6] =
        [Kind::Calm, Kind::Lossy, Kind::Restarts, Kind::Faults, Kind::All, Kind::Cuts];

    /// As it is called in a test.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Calm => "calm",
            Kind::Lossy => "lossy",
            Kind::Restarts => "restarts",
            Kind::Faults => "faults",
            Kind::All => "all",
            Kind::Cuts => "cuts",
        }
    }

    fn is_lossy(self) -> bool {
        matches!(self, Kind::Lossy | Kind::All)
    }

    fn restarts(self) -> bool {
        matches!(self, Kind::Restarts | Kind::All)
    }

    fn has_faults(self) -> bool {
        matches!(self, Kind::Faults | Kind::All)
    }
}

/// What happens to a mote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// It is asked to send some messages, one right after the other.
    Send {
        /// To whom; nothing: to all.
        to: Option<usize>,
        /// The number of the first message, and that of the next ones behind it. No other messages have them.
        number: u16,
        /// How many messages.
        count: u16,
        /// How many bytes it has.
        bytes: u8,
    },
    /// Its reset pin is pulled.
    Reset,
    /// It loses its power, or gets it back.
    Power(bool),
    /// Its radio fails, or works again.
    Radio(bool),
    /// It is asked for its counters.
    Count,
}

/// An act, whose it is, and when.
#[derive(Clone, Debug)]
pub struct Step {
    /// The moment.
    pub at: Ms,
    /// The mote.
    pub mote: usize,
    /// What happens.
    pub act: Act,
}

/// A history.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it was made from.
    pub seed: u64,
    /// How many motes there are.
    pub motes: usize,
    /// The part of the frames that arrive, from one mote to another.
    pub ways: Vec<(usize, usize, f64)>,
    /// In the order of time.
    pub steps: Vec<Step>,
    /// When it ends.
    pub end: Ms,
}

impl Plan {
    /// The history of a seed, with so many sends, and so many motes at most: two, or three.
    pub fn of(kind: Kind, seed: u64, sends: u16, most: u32) -> Plan {
        let mut random = Random(seed);
        let motes = 2 + random.below(most - 1) as usize;
        let mut plan = Plan { seed, motes, ways: Vec::new(), steps: Vec::new(), end: 0 };
        if kind.is_lossy() {
            plan.make_ways_bad(&mut random);
        }
        let last = match kind {
            Kind::Cuts => plan.cut(&mut random, sends / 2),
            _ => plan.send(&mut random, sends),
        };
        if kind.restarts() {
            plan.restart(&mut random, last);
        }
        if kind.has_faults() {
            plan.break_radios(&mut random, last);
        }
        plan.end = last + REST;
        plan.steps.extend((0..motes).map(|mote| Step {
            at: plan.end - 500,
            mote,
            act: Act::Count,
        }));
        plan.steps.sort_by_key(|step| step.at);
        plan.leave_out_unheard();
        plan
    }

    /// A mote without power is neither asked nor reset; nor is it while it starts, or while a line is typed at it.
    fn leave_out_unheard(&mut self) {
        let mut has_power = vec![true; self.motes];
        let mut hears_from = vec![0; self.motes];
        self.steps.retain(|Step { at, mote, act }| {
            let keeps = match act {
                Act::Power(on) => *on != has_power[*mote],
                Act::Send { .. } | Act::Reset => has_power[*mote] && *at >= hears_from[*mote],
                Act::Radio(_) | Act::Count => true,
            };
            match act {
                Act::Power(on) => {
                    has_power[*mote] = *on;
                    hears_from[*mote] = at + OPENED;
                }
                Act::Reset if keeps => hears_from[*mote] = at + OPENED,
                Act::Send { .. } if keeps => hears_from[*mote] = at + TYPED,
                _ => {}
            }
            keeps
        });
    }

    fn make_ways_bad(&mut self, random: &mut Random) {
        for from in 0..self.motes {
            for to in (0..self.motes).filter(|to| *to != from) {
                self.ways.push((from, to, 0.5 + f64::from(random.below(50)) / 100.0));
            }
        }
    }

    /// Bursts and pauses.
    fn send(&mut self, random: &mut Random, sends: u16) -> Ms {
        let (mut at, mut number) = (BEGIN, 1);
        for _ in 0..sends {
            let mote = random.below(self.motes as u32) as usize;
            let others: Vec<usize> = (0..self.motes).filter(|other| *other != mote).collect();
            let other = others[random.below(others.len() as u32) as usize];
            let to = (random.below(8) > 0).then_some(other);
            let count = 1 + random.below(u32::from(BURST)) as u16;
            let bytes = (BYTES.0 + random.below(BYTES.1 - BYTES.0)) as u8;
            self.steps.push(Step { at, mote, act: Act::Send { to, number, count, bytes } });
            number += count;
            at += match random.below(10) {
                0..4 => 0,
                4..9 => random.below(40),
                _ => random.below(400),
            };
        }
        at
    }

    /// A message, and a cut in it; then another one, which nothing disturbs.
    fn cut(&mut self, random: &mut Random, cuts: u16) -> Ms {
        let mut at = BEGIN;
        for number in (1..).step_by(2).take(usize::from(cuts)) {
            let [from, to] = if random.below(2) == 0 { [0, 1] } else { [1, 0] };
            let bytes = (BYTES.0 + random.below(BYTES.1 - BYTES.0)) as u8;
            let send = |number| Act::Send { to: Some(to), number, count: 1, bytes };
            let cut = at + 1 + random.below(ON_ITS_WAY);
            let on = cut + 1 + random.below(BRIEFLY);
            let victim = random.below(2) as usize;
            self.steps.push(Step { at, mote: from, act: send(number) });
            self.steps.push(Step { at: cut, mote: victim, act: Act::Power(false) });
            self.steps.push(Step { at: on, mote: victim, act: Act::Power(true) });
            self.steps.push(Step { at: on + OPENED, mote: from, act: send(number + 1) });
            at = on + OPENED + CALM;
        }
        at
    }

    fn restart(&mut self, random: &mut Random, last: Ms) {
        for mote in 0..self.motes {
            let mut at = BEGIN + random.below(last - BEGIN);
            while at < last {
                if random.below(2) == 0 {
                    self.steps.push(Step { at, mote, act: Act::Reset });
                } else {
                    self.steps.push(Step { at, mote, act: Act::Power(false) });
                    let away = if random.below(2) == 0 { BRIEFLY } else { AWAY };
                    let on = at + 1 + random.below(away);
                    self.steps.push(Step { at: on, mote, act: Act::Power(true) });
                    at = on;
                }
                at += 300 + random.below(3_000);
            }
        }
    }

    fn break_radios(&mut self, random: &mut Random, last: Ms) {
        for mote in 0..self.motes {
            let at = BEGIN + random.below(last - BEGIN);
            self.steps.push(Step { at, mote, act: Act::Radio(false) });
            let works = at + 1 + random.below(AWAY);
            self.steps.push(Step { at: works, mote, act: Act::Radio(true) });
        }
    }
}

/// splitmix64: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: u32) -> u32 {
        (self.next() % u64::from(limit)) as u32
    }
}
