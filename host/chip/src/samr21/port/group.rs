// SPDX-License-Identifier: MIT OR Apache-2.0
//! One group of 32 pins: their configuration, what drives them, and what the synchronizer sees.

use super::SYNCHRONIZER_EDGES;
use super::mux;
use crate::clock::Clock;
use crate::samr21::peripheral::{Context, Effect, PadInput, Signal};
use crate::{Level, PinId, Pull, Time};
use std::collections::BTreeMap;

/// Bits of PINCFG that exist.
pub(super) const PINCFG_MASK: u8 = 0x47;
const PMUXEN: u8 = 1 << 0;
const INEN: u8 = 1 << 1;
const PULLEN: u8 = 1 << 2;

/// Pins that exist on the die, by group: also the ones without a pad on this package.
const IMPLEMENTED: [u32; 3] = [0xDBFF_FFFF, 0xC0C3_FFFF, 0x000F_FFFF];

/// PA30 starts as the debug port's clock.
const SWCLK: (usize, usize) = (0, 30);
const FUNCTION_G: u8 = 6;

/// Index of function B, which holds the analog inputs.
const FUNCTION_B: usize = 1;
/// Supply voltage of the pins, in microvolts: what an analog input sees of a high level.
const SUPPLY_MICROVOLTS: u32 = 3_300_000;

/// A group of the port.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Group {
    number: u8,
    pub dir: u32,
    pub out: u32,
    /// CTRL.
    pub sampling: u32,
    config: [u8; 32],
    function: [u8; 32],
    /// The signal that the multiplexer connects to each pin.
    connected: [Option<Signal>; 32],
    /// The pins that have one.
    multiplexed: u32,
    /// How the chip drives each pin.
    level: [Level; 32],
    /// How the world drives each pin.
    outside: [Level; 32],
    /// Levels on the wires, those behind the synchronizer, and when a wire last changed.
    wire: u32,
    behind: u32,
    changed: [Time; 32],
    /// Voltages that the world puts on pins, and those last sent to the converter, in microvolts.
    voltage: [Option<u32>; 32],
    reported: [u32; 32],
    /// Clocks that the world puts on pins, as [`Group::set_clock`] has them, with their half periods.
    clocks: BTreeMap<u8, (u64, Clock)>,
}

impl Group {
    /// Group `number` (0 is A), not yet reset.
    pub fn new(number: usize) -> Group {
        Group {
            number: number as u8,
            dir: 0,
            out: 0,
            sampling: 0,
            config: [0; 32],
            function: [0; 32],
            connected: [None; 32],
            multiplexed: 0,
            level: [Level::Floating(Pull::None); 32],
            outside: [Level::Floating(Pull::None); 32],
            wire: 0,
            behind: 0,
            changed: [Time::ZERO; 32],
            voltage: [None; 32],
            reported: [0; 32],
            clocks: BTreeMap::new(),
        }
    }

    /// Takes reset values; signals from outside stay.
    pub fn reset(&mut self, cx: &mut Context<'_>) {
        (self.dir, self.out, self.sampling) = (0, 0, 0);
        self.config = [0; 32];
        self.function = [0; 32];
        if self.number as usize == SWCLK.0 {
            self.config[SWCLK.1] = PMUXEN;
            self.function[SWCLK.1] = FUNCTION_G;
        }
        // Every block is reset with the port: none of them may see its pads change now.
        self.connected = [None; 32];
        self.multiplexed = 0;
        self.settle(cx, u32::MAX, &BTreeMap::new());
        self.behind = self.wire;
    }

    /// PINCFG of a pin.
    pub fn config(&self, bit: usize) -> u8 {
        self.config[bit]
    }

    /// Writes PINCFG of a pin.
    pub fn set_config(&mut self, bit: usize, value: u8) {
        if self.exists(bit) {
            self.config[bit] = value;
        }
    }

    /// PMUX of a pair of pins.
    pub fn pmux(&self, pair: usize) -> u8 {
        self.function[pair * 2] | self.function[pair * 2 + 1] << 4
    }

    /// Chooses the function of a pin; the upper bit of the nibble does not exist.
    pub fn set_function(&mut self, bit: usize, function: u8) {
        if self.exists(bit) {
            self.function[bit] = function & 7;
        }
    }

    /// Clears what was written to pins that the die lacks.
    pub fn drop_missing(&mut self) {
        self.dir &= IMPLEMENTED[self.number as usize];
        self.out &= IMPLEMENTED[self.number as usize];
    }

    /// Changes the outside signal of a pin; false if the package has no such pin.
    pub fn set_outside(&mut self, bit: u8, level: Level) -> bool {
        let present = mux::functions(self.number, bit).is_some();
        if present {
            self.outside[bit as usize] = level;
            self.voltage[bit as usize] = None;
        }
        present
    }

    /// Puts a voltage on a pin, instead of a level.
    pub fn set_voltage(&mut self, bit: u8, microvolts: u32) {
        if self.set_outside(bit, threshold(microvolts)) {
            self.voltage[bit as usize] = Some(microvolts);
        }
    }

    /// Puts a clock on a pin, or none, and tells the clock input that the pin carries.
    pub fn set_clock(&mut self, cx: &mut Context<'_>, bit: u8, millihertz: u64) {
        let before = match millihertz {
            0 => self.clocks.remove(&bit),
            hz => self.clocks.insert(bit, (hz, Clock::from_millihertz(cx.now, 2 * hz))),
        };
        if before.map_or(0, |(hz, _)| hz) != millihertz {
            tell_clock(cx, self.signal(bit), millihertz);
        }
    }

    /// The signal connected to a pin.
    pub fn signal(&self, bit: u8) -> Option<Signal> {
        self.connected.get(bit as usize).copied().flatten()
    }

    /// The pins that carry a signal.
    pub fn carrying(&self, signal: Signal) -> u32 {
        let (mut pins, mut rest) = (0, self.multiplexed);
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            pins |= u32::from(self.connected[bit as usize] == Some(signal)) << bit;
        }
        pins
    }

    /// Pins whose synchronizer runs only while IN is read. Samplers are switched by groups of
    /// eight: one pin that samples continuously makes its byte do so.
    pub fn on_demand(&self) -> u32 {
        let continuous = (0..4)
            .map(|byte| 0xFF << (byte * 8))
            .filter(|byte: &u32| self.sampling & byte != 0)
            .fold(0, |all, byte| all | byte);
        self.enabled() & !continuous
    }

    /// Lets changes through for which the synchronizer has had time, where it runs.
    pub fn synchronize(&mut self, now: Time, clock: Clock) {
        let running = !self.on_demand();
        let moving = (self.wire ^ self.behind) & running;
        for bit in (0..32).filter(|bit| moving >> bit & 1 != 0) {
            if clock.nth_after(self.changed[bit], SYNCHRONIZER_EDGES) <= now {
                self.behind ^= 1 << bit;
            }
        }
    }

    /// Takes the levels of `pins` on demand.
    pub fn sample_now(&mut self, pins: u32) {
        let pins = pins & self.on_demand();
        self.behind = (self.behind & !pins) | (self.wire & pins);
    }

    /// The value of IN.
    pub fn sampled(&mut self, now: Time, clock: Clock) -> u32 {
        self.synchronize(now, clock);
        let mut levels = self.behind;
        let floats = |bit: u8| matches!(self.level[usize::from(bit)], Level::Floating(_));
        for (bit, (_, halves)) in self.clocks.iter().filter(|(bit, _)| floats(**bit)) {
            let high = halves.edges_until(now) & 1 == 0;
            levels = levels & !(1 << bit) | u32::from(high) << bit;
        }
        levels & self.enabled()
    }

    /// Whether IN reads the same until a wire changes: nothing is on its way through the
    /// synchronizer, and a read over the bridge need not wait for a sample of `lanes`.
    pub fn is_steady(&self, lanes: u32, over_iobus: bool) -> bool {
        let demanded = self.on_demand();
        self.clocks.is_empty()
            && (self.wire ^ self.behind) & !demanded == 0
            && (over_iobus || demanded & lanes == 0)
    }

    /// Recomputes `pins`, and reports the changes.
    pub fn settle(&mut self, cx: &mut Context<'_>, pins: u32, driven: &BTreeMap<Signal, Level>) {
        let pins = pins & IMPLEMENTED[self.number as usize];
        for bit in (0..32).filter(|bit| pins >> bit & 1 != 0) {
            let functions = mux::functions(self.number, bit as u8);
            let muxed = self.config[bit] & PMUXEN != 0;
            let signal = functions
                .and_then(|functions| functions[self.function[bit] as usize])
                .filter(|signal| muxed && *signal != Signal::Other);
            let level =
                self.driven_level(bit, muxed, signal.and_then(|signal| driven.get(&signal)));
            if level != self.level[bit] {
                self.level[bit] = level;
                // The die has more pins than the package: the others can be used, but lead nowhere.
                if functions.is_some() {
                    let pin = PinId { port: self.number, bit: bit as u8 };
                    cx.out.push(Effect::Pin(pin, level));
                }
            }
            self.follow_wire(cx, bit, signal);
            if let Some(input) = functions.and_then(|functions| functions[FUNCTION_B]) {
                self.follow_voltage(cx, bit, input);
            }
        }
    }

    /// Tells the connected block, and the one that is no longer connected, what its pad sees.
    fn follow_wire(&mut self, cx: &mut Context<'_>, bit: usize, signal: Option<Signal>) {
        let high = self.wire_level(bit);
        let flipped = high != (self.wire >> bit & 1 != 0);
        if flipped {
            self.wire ^= 1 << bit;
            self.changed[bit] = cx.now;
        }
        let before = std::mem::replace(&mut self.connected[bit], signal);
        self.multiplexed = self.multiplexed & !(1 << bit) | u32::from(signal.is_some()) << bit;
        let mut tell = |to, high| cx.out.push(Effect::Input(to, PadInput::Level(high)));
        match (before, signal) {
            (Some(same), _) if before == signal => {
                if flipped {
                    tell(same, high);
                }
            }
            _ => {
                // A pad that no pin is connected to reads low.
                if let Some(lost) = before {
                    tell(lost, false);
                }
                if let Some(gained) = signal {
                    tell(gained, high);
                }
                tell_clock(cx, before, 0);
                tell_clock(cx, signal, self.clocks.get(&(bit as u8)).map_or(0, |(hz, _)| *hz));
            }
        }
    }

    /// Tells the converter what its input sees; the switch to it is on whatever the multiplexer
    /// says.
    fn follow_voltage(&mut self, cx: &mut Context<'_>, bit: usize, input: Signal) {
        let floating = matches!(self.level[bit], Level::Floating(_));
        let microvolts = match self.voltage[bit] {
            Some(microvolts) if floating => microvolts,
            _ if self.wire >> bit & 1 != 0 => SUPPLY_MICROVOLTS,
            _ => 0,
        };
        if microvolts != self.reported[bit] {
            self.reported[bit] = microvolts;
            cx.out.push(Effect::Input(input, PadInput::Voltage(microvolts)));
        }
    }

    fn driven_level(&self, bit: usize, muxed: bool, peripheral: Option<&Level>) -> Level {
        let out = self.out >> bit & 1 != 0;
        let pull = match (self.config[bit] & PULLEN != 0, out) {
            (false, _) => Pull::None,
            (true, false) => Pull::Down,
            (true, true) => Pull::Up,
        };
        match peripheral {
            Some(level @ (Level::Low | Level::High)) => *level,
            _ if muxed || self.dir >> bit & 1 == 0 => Level::Floating(pull),
            _ if out => Level::High,
            _ => Level::Low,
        }
    }

    /// The level on a wire. The chip's driver wins over the world's; a pull outside is stronger
    /// than the weak one inside; a wire that nothing drives reads low.
    fn wire_level(&self, bit: usize) -> bool {
        match (self.level[bit], self.outside[bit]) {
            (Level::High, _) => true,
            (Level::Low, _) => false,
            (_, Level::High) => true,
            (_, Level::Low) => false,
            (_, Level::Floating(Pull::Up)) => true,
            (_, Level::Floating(Pull::Down)) => false,
            (Level::Floating(inside), _) => inside == Pull::Up,
        }
    }

    /// Pins whose input buffer is on.
    fn enabled(&self) -> u32 {
        (0..32).filter(|bit| self.config[*bit] & INEN != 0).fold(0, |pins, bit| pins | 1 << bit)
    }

    fn exists(&self, bit: usize) -> bool {
        IMPLEMENTED[self.number as usize] >> bit & 1 != 0
    }
}

/// Tells a clock input what its pad sees; other inputs do not take a clock.
fn tell_clock(cx: &mut Context<'_>, signal: Option<Signal>, millihertz: u64) {
    if let Some(signal @ Signal::GclkIo(_)) = signal {
        cx.out.push(Effect::Input(signal, PadInput::Clock(millihertz)));
    }
}

/// The level that a digital input reads at a voltage.
fn threshold(microvolts: u32) -> Level {
    if microvolts >= SUPPLY_MICROVOLTS / 2 { Level::High } else { Level::Low }
}
