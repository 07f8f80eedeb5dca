// SPDX-License-Identifier: MIT OR Apache-2.0
//! The analog to digital converter (data sheet, "Analog to Digital Converter"). Differential inputs are not
//! modelled, and say so.

#[cfg(test)]
mod tests;

use crate::atmega128::analog::{self, BANDGAP, INTERNAL, SUPPLY};
use crate::atmega128::clocks::Clocks;
use crate::atmega128::map::*;
use crate::atmega128::peripheral::{Context, Due, Effect, Holds, PadInput, Peripheral, flag};
use crate::atmega128::pins::Signal;
use crate::atmega128::sleep::Mode;
use crate::noise::Noise;
use crate::{OFF, Reply, Time, WarningKind};

/// ADMUX.
const ADLAR: u8 = 1 << 5;

/// ADCSRA.
const ADEN: u8 = 1 << 7;
const ADSC: u8 = 1 << 6;
const ADFR: u8 = 1 << 5;
const ADIF: u8 = 1 << 4;
const ADIE: u8 = 1 << 3;
const ADPS: u8 = 7;

/// Inputs from pins.
const PINS: usize = 8;
/// Values of MUX4:0 that select what is inside.
const BANDGAP_INPUT: u8 = 0x1E;
const GROUND: u8 = 0x1F;

/// Deviation of a sample, in thousandths of a step: an estimate. The data sheet gives none.
const NOISE: i64 = 250;

/// Clocks of the ADC for a conversion, and for the first one after it was switched on.
const CONVERSION: u64 = 13;
const FIRST: u64 = 25;
/// Half clocks from the start to the sample.
const SAMPLE: u64 = 3;
const FIRST_SAMPLE: u64 = 27;

/// A moment on the clock of the ADC: that runs with the I/O clock, or alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum Moment {
    Cycle(u64),
    Time(Time),
}

impl Moment {
    fn is_ahead(self, cx: &Context<'_>) -> bool {
        match self {
            Moment::Cycle(cycle) => cycle > cx.cycle,
            Moment::Time(time) => time > cx.now,
        }
    }
}

/// A conversion under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
struct Conversion {
    /// When it starts. ADMUX may change until then.
    start: Moment,
    /// The settings.
    admux: u8,
    /// When the input is sampled; the result then.
    sample: Moment,
    result: Option<u16>,
    /// What noise adds to the sample, in thousandths of its deviation.
    noise: i64,
    /// A device may still say what is sampled.
    is_asking: bool,
    end: Moment,
}

/// The block.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Adc {
    admux: u8,
    /// ADCSRA without ADSC and ADIF.
    control: u8,
    flag: bool,
    data: u16,
    /// ADCL was read, ADCH was not: the data register keeps its value.
    locked: bool,
    /// The next conversion is the first one.
    first: bool,
    /// Cycle at which the prescaler began to count.
    zero: u64,
    conversion: Option<Conversion>,
    /// Voltages of the inputs and of the supply, in microvolts.
    pins: [u32; PINS],
    supply: u32,
    noise: Noise,
    /// The mode of the processor when the clocks changed last.
    mode: Mode,
}

impl Adc {
    pub fn new() -> Adc {
        Adc {
            admux: 0,
            control: 0,
            flag: false,
            data: 0,
            locked: false,
            first: true,
            zero: 0,
            conversion: None,
            pins: [0; PINS],
            supply: SUPPLY,
            noise: Noise::default(),
            mode: Mode::Active,
        }
    }

    fn is_on(&self) -> bool {
        self.control & ADEN != 0
    }

    /// Cycles of a clock of the ADC.
    fn divider(&self) -> u64 {
        match self.control & ADPS {
            0 => 2,
            select => 1 << select,
        }
    }

    fn write_control(&mut self, cx: &mut Context<'_>, value: u8) {
        let was_on = self.is_on();
        self.control = value & !(ADSC | ADIF);
        self.flag &= value & ADIF == 0;
        if !self.is_on() {
            self.conversion = None;
        } else if !was_on {
            self.first = true;
            self.zero = cx.cycle;
        }
        if self.is_on() && value & ADSC != 0 && self.conversion.is_none() {
            let start = (cx.cycle - self.zero) / self.divider() + 1;
            self.begin(cx, Moment::Cycle(self.zero + start * self.divider()));
        }
    }

    /// A conversion takes ADMUX as it is when it starts, which is at an edge of the ADC's clock after ADSC is written.
    fn write_multiplexer(&mut self, cx: &mut Context<'_>, value: u8) {
        self.admux = value;
        if value >> 6 == 2 {
            cx.out.warn(WarningKind::Reserved);
        }
        if let Some(conversion) = self.conversion.as_mut().filter(|it| it.start.is_ahead(cx)) {
            conversion.admux = value;
            warn_of_input(cx, value);
        }
    }

    /// A conversion begins with an edge of the ADC's clock.
    fn begin(&mut self, cx: &mut Context<'_>, start: Moment) {
        let (length, sample) = if std::mem::take(&mut self.first) {
            (FIRST, FIRST_SAMPLE)
        } else {
            (CONVERSION, SAMPLE)
        };
        warn_of_input(cx, self.admux);
        let divider = self.divider();
        let after = |cycles: u64| match start {
            Moment::Cycle(cycle) => Moment::Cycle(cycle + cycles),
            Moment::Time(time) => Moment::Time(time + cx.clocks.processor().span(cycles)),
        };
        self.conversion = Some(Conversion {
            start,
            admux: self.admux,
            sample: after(sample * divider / 2),
            result: None,
            noise: 0,
            is_asking: false,
            end: after(length * divider),
        });
    }

    /// The result for the voltages as they are, unless a device says otherwise.
    fn convert(&self, conversion: &Conversion) -> u16 {
        let input = match conversion.admux & GROUND {
            BANDGAP_INPUT => BANDGAP,
            GROUND => 0,
            pin => self.pins.get(usize::from(pin)).copied().unwrap_or(0),
        };
        self.result(conversion, input)
    }

    /// The result for so many microvolts.
    fn result(&self, conversion: &Conversion, input: u32) -> u16 {
        let reference = if uses_supply(conversion.admux) { self.supply } else { INTERNAL };
        let thousandths = i64::from(input) * 1_024 * 1_000 / i64::from(reference.max(1));
        let noise = conversion.noise * NOISE / 1_000;
        ((thousandths + noise) / 1_000).clamp(0, 1_023) as u16
    }

    /// The noise of what is converted, from now on.
    pub fn set_noise(&mut self, noise: Noise) {
        self.noise = noise;
    }

    /// The supply, from now on; a conversion whose input has just been sampled uses it, too.
    pub fn set_supply(&mut self, microvolts: u32) {
        self.supply = microvolts;
        let Some(conversion) = self.conversion.filter(|it| it.result.is_some()) else { return };
        if usize::from(conversion.admux & GROUND) >= PINS {
            let result = Some(self.convert(&conversion));
            self.conversion = Some(Conversion { result, ..conversion });
        }
    }

    /// A device says which voltage is sampled.
    fn answer(&mut self, pin: u8, microvolts: u32) {
        let Some(conversion) = self.conversion else { return };
        if conversion.is_asking && conversion.admux & GROUND == pin {
            let result = Some(self.result(&conversion, microvolts));
            self.conversion = Some(Conversion { result, is_asking: false, ..conversion });
        }
    }

    /// A conversion ends, with this result.
    fn complete(&mut self, cx: &mut Context<'_>, end: Moment, result: u16) {
        self.conversion = None;
        if !self.locked {
            self.data = result;
        }
        self.flag = true;
        if self.control & ADFR != 0 {
            self.begin(cx, end);
        }
    }

    /// ADCH and ADCL.
    fn adjusted(&self) -> [u8; 2] {
        let shift = if self.admux & ADLAR != 0 { 6 } else { 0 };
        (self.data << shift).to_be_bytes()
    }

    /// The clock of the ADC goes on without the I/O clock, or with it again.
    fn change_axis(&mut self, cx: &Context<'_>) {
        let clock = cx.clocks.processor();
        let io_runs = cx.clocks.io_runs();
        let moved = |moment| match moment {
            Moment::Cycle(cycle) if !io_runs && cx.clocks.mode.adc_runs() => {
                Moment::Time(cx.now + clock.span(cycle.saturating_sub(cx.cycle)))
            }
            Moment::Time(time) if io_runs => Moment::Cycle(cx.clocks.cycle_at_or_after(time)),
            same => same,
        };
        if let Some(conversion) = &mut self.conversion {
            conversion.start = moved(conversion.start);
            conversion.sample = moved(conversion.sample);
            conversion.end = moved(conversion.end);
        }
    }
}

/// Reports an input that is not modelled.
fn warn_of_input(cx: &mut Context<'_>, admux: u8) {
    if (PINS as u8..BANDGAP_INPUT).contains(&(admux & GROUND)) {
        cx.out.warn(WarningKind::NotModelled);
    }
}

/// Whether the supply is the reference.
fn uses_supply(admux: u8) -> bool {
    admux >> 6 != 3
}

impl Peripheral for Adc {
    fn read(&mut self, _cx: &mut Context<'_>, register: u8) -> u8 {
        let [high, low] = self.adjusted();
        match register {
            ADMUX => self.admux,
            ADCSRA => self.control | flag(self.conversion.is_some(), ADSC) | flag(self.flag, ADIF),
            ADCL => {
                self.locked = true;
                low
            }
            _ => {
                self.locked = false;
                high
            }
        }
    }

    fn holds(&self, _cx: &Context<'_>, register: u8) -> Holds {
        match register {
            ADCL | ADCH => Holds::Unknown,
            _ => Holds::UntilDue,
        }
    }

    fn write(&mut self, cx: &mut Context<'_>, register: u8, value: u8) {
        match register {
            ADMUX => self.write_multiplexer(cx, value),
            _ => self.write_control(cx, value),
        }
    }

    fn due(&self, _clocks: &Clocks) -> Due {
        let Some(conversion) = &self.conversion else { return Due::Never };
        let next = if conversion.result.is_none() { conversion.sample } else { conversion.end };
        match next {
            Moment::Cycle(cycle) => Due::Cycle(cycle),
            Moment::Time(time) => Due::Time(time),
        }
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        let Some(conversion) = self.conversion else { return };
        if let Some(result) = conversion.result {
            return self.complete(cx, conversion.end, result);
        }
        let input = conversion.admux & GROUND;
        let is_asking = usize::from(input) < PINS;
        if uses_supply(conversion.admux) {
            cx.out.push(Effect::SampleSupply);
        }
        if is_asking {
            cx.out.push(Effect::Sample(Signal::Adc(input)));
        }
        let conversion =
            Conversion { noise: self.noise.normal(cx.now, 0), is_asking, ..conversion };
        let result = Some(self.convert(&conversion));
        self.conversion = Some(Conversion { result, ..conversion });
    }

    fn lines(&self) -> u64 {
        u64::from(self.flag && self.control & ADIE != 0) << ADC_COMPLETE
    }

    fn interrupts(&self) -> u64 {
        u64::from(self.control & ADIE != 0) << ADC_COMPLETE
    }

    fn acknowledge(&mut self, _cx: &mut Context<'_>, _vector: u32) {
        self.flag = false;
    }

    fn clocks_changed(&mut self, cx: &mut Context<'_>) {
        self.change_axis(cx);
        let mode = cx.clocks.mode;
        let sleeps =
            std::mem::replace(&mut self.mode, mode) == Mode::Active && mode != Mode::Active;
        // Entering Idle or ADC Noise Reduction starts a conversion.
        if sleeps && mode.adc_runs() && self.is_on() && self.conversion.is_none() {
            let start = (cx.cycle - self.zero) / self.divider() + 1;
            self.begin(cx, Moment::Cycle(self.zero + start * self.divider()));
            self.change_axis(cx);
        }
    }

    fn input(&mut self, _cx: &mut Context<'_>, signal: Signal, input: PadInput) {
        let Signal::Adc(pin) = signal else { return };
        if let PadInput::Reply(Reply::Voltage(microvolts)) = input {
            return self.answer(pin, microvolts);
        }
        if let Some(microvolts) = analog::voltage(input) {
            self.pins[usize::from(pin)] = microvolts;
        }
    }

    fn activity(&self) -> &'static str {
        if self.is_on() { "on" } else { OFF }
    }

    fn reset(&mut self, _cx: &mut Context<'_>, _power: bool) {
        *self = Adc { pins: self.pins, supply: self.supply, noise: self.noise, ..Adc::new() };
    }
}
