// SPDX-License-Identifier: MIT OR Apache-2.0
//! The analog comparator (data sheet, "Analog Comparator").

use super::analog::{self, BANDGAP};
use super::clocks::Clocks;
use super::map::*;
use super::peripheral::{Context, Due, Effect, Holds, PadInput, Peripheral, flag};
use super::pins::Signal;
use super::sleep::Mode;
use crate::{OFF, WarningKind};

/// ACSR.
const ACD: u8 = 1 << 7;
const ACBG: u8 = 1 << 6;
const ACO: u8 = 1 << 5;
const ACI: u8 = 1 << 4;
const ACIE: u8 = 1 << 3;
const ACIC: u8 = 1 << 2;
const ACIS: u8 = 3;

/// SFIOR and ADCSRA.
const ACME: u8 = 1 << 3;
const ADEN: u8 = 1 << 7;

/// Cycles of the synchronizer behind the comparator.
const SYNCHRONIZING: u64 = 2;

/// The block.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Ac {
    /// ACSR without ACO and ACI.
    control: u8,
    flag: bool,
    output: bool,
    changes_at: Option<u64>,
    /// Whether the ADC's multiplexer may select the negative input, and what it selects.
    multiplexer: bool,
    adc_is_on: bool,
    channel: u8,
    /// Voltages in microvolts.
    positive: u32,
    negative: u32,
    channels: [u32; 8],
    /// The mode of the processor.
    mode: Mode,
}

impl Ac {
    pub fn new() -> Ac {
        Ac {
            control: 0,
            flag: false,
            output: false,
            changes_at: None,
            multiplexer: false,
            adc_is_on: false,
            channel: 0,
            positive: 0,
            negative: 0,
            channels: [0; 8],
            mode: Mode::Active,
        }
    }

    fn is_on(&self) -> bool {
        self.control & ACD == 0
    }

    /// What the comparator says, before the synchronizer.
    fn compare(&self) -> bool {
        let positive = if self.control & ACBG != 0 { BANDGAP } else { self.positive };
        let negative = if self.multiplexer && !self.adc_is_on {
            self.channels[usize::from(self.channel)]
        } else {
            self.negative
        };
        self.is_on() && positive > negative
    }

    /// Something about the inputs has changed.
    fn settle(&mut self, cx: &Context<'_>) {
        if self.compare() == self.output {
            self.changes_at = None;
        } else if self.changes_at.is_none() {
            self.changes_at = Some(cx.cycle + SYNCHRONIZING);
        }
    }

    fn write_control(&mut self, cx: &mut Context<'_>, value: u8) {
        let before = std::mem::replace(&mut self.control, value & !(ACO | ACI));
        self.flag &= value & ACI == 0;
        if value & ACIS == 1 {
            cx.out.warn(WarningKind::Reserved);
        }
        if (before ^ value) & ACIC != 0 {
            let level = (value & ACIC != 0).then_some(self.output);
            cx.out.push(Effect::Capture(level));
        }
        self.settle(cx);
    }
}

impl Peripheral for Ac {
    fn read(&mut self, _cx: &mut Context<'_>, register: u8) -> u8 {
        match register {
            ACSR => self.control | flag(self.output, ACO) | flag(self.flag, ACI),
            SFIOR => flag(self.multiplexer, ACME),
            // The others are the ADC's.
            _ => 0,
        }
    }

    fn holds(&self, _cx: &Context<'_>, _register: u8) -> Holds {
        Holds::UntilDue
    }

    fn write(&mut self, cx: &mut Context<'_>, register: u8, value: u8) {
        match register {
            ACSR => return self.write_control(cx, value),
            SFIOR => self.multiplexer = value & ACME != 0,
            ADCSRA => self.adc_is_on = value & ADEN != 0,
            _ => self.channel = value & 7,
        }
        self.settle(cx);
    }

    fn due(&self, _clocks: &Clocks) -> Due {
        self.changes_at.map_or(Due::Never, Due::Cycle)
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        self.changes_at = None;
        self.output = self.compare();
        let requests = match self.control & ACIS {
            0 => true,
            2 => !self.output,
            3 => self.output,
            _ => false,
        };
        self.flag |= requests;
        if self.control & ACIC != 0 {
            cx.out.push(Effect::Capture(Some(self.output)));
        }
    }

    fn lines(&self) -> u64 {
        u64::from(self.flag && self.control & ACIE != 0) << COMPARATOR
    }

    fn interrupts(&self) -> u64 {
        u64::from(self.control & ACIE != 0) << COMPARATOR
    }

    fn acknowledge(&mut self, _cx: &mut Context<'_>, _vector: u32) {
        self.flag = false;
    }

    fn input(&mut self, cx: &mut Context<'_>, signal: Signal, input: PadInput) {
        let Some(microvolts) = analog::voltage(input) else { return };
        match signal {
            Signal::Ain(0) => self.positive = microvolts,
            Signal::Ain(_) => self.negative = microvolts,
            Signal::Multiplexed(channel) => self.channels[usize::from(channel)] = microvolts,
            _ => return,
        }
        self.settle(cx);
    }

    fn activity(&self) -> &'static str {
        // The deeper modes disable it, unless it uses the bandgap reference.
        let disabled = !self.mode.adc_runs() && self.control & ACBG == 0;
        if self.is_on() && !disabled { "on" } else { OFF }
    }

    fn clocks_changed(&mut self, cx: &mut Context<'_>) {
        self.mode = cx.clocks.mode;
    }

    fn reset(&mut self, _cx: &mut Context<'_>, _power: bool) {
        let Ac { positive, negative, channels, .. } = *self;
        *self = Ac { positive, negative, channels, ..Ac::new() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atmega128::bench::Bench;

    fn bench(control: u8) -> Bench<Ac> {
        let mut bench = Bench::new(Ac::new());
        bench.input(Signal::Ain(1), PadInput::Voltage(1_000_000));
        bench.write(ACSR, control);
        bench.run_cycles(5);
        bench.write(ACSR, control | ACI);
        bench
    }

    fn set(bench: &mut Bench<Ac>, microvolts: u32) -> u8 {
        bench.input(Signal::Ain(0), PadInput::Voltage(microvolts));
        bench.run_cycles(3);
        bench.read(ACSR) & (ACO | ACI)
    }

    #[test]
    fn its_output_interrupts_on_the_selected_change() {
        for (select, rises, falls) in [(0, true, true), (2, false, true), (3, true, false)] {
            let mut bench = bench(ACIE | select);
            assert_eq!(set(&mut bench, 2_000_000), ACO | flag(rises, ACI));
            assert_eq!(bench.block.lines() != 0, rises);
            bench.with(|ac, cx| ac.acknowledge(cx, COMPARATOR));
            assert_eq!(set(&mut bench, 500_000), flag(falls, ACI));
            bench.write(ACSR, ACIE | ACI | select);
            assert_eq!(bench.block.lines(), 0);
        }
    }

    #[test]
    fn the_output_is_two_cycles_late() {
        let mut bench = bench(0);
        bench.input(Signal::Ain(0), PadInput::Voltage(2_000_000));
        bench.run_cycles(1);
        assert_eq!(bench.read(ACSR) & ACO, 0);
        bench.run_cycles(1);
        assert_eq!(bench.read(ACSR) & ACO, ACO);
    }

    #[test]
    fn the_bandgap_and_the_multiplexer_can_be_its_inputs() {
        let mut bench = bench(ACBG);
        assert_eq!(bench.read(ACSR), ACBG | ACO, "1.23 V is above 1 V");
        bench.input(Signal::Multiplexed(5), PadInput::Voltage(1_500_000));
        bench.write(ADMUX, 5);
        bench.write(SFIOR, ACME);
        bench.run_cycles(2);
        assert_eq!((bench.read(ACSR) & ACO, bench.read(SFIOR)), (0, ACME));
        bench.write(ADCSRA, ADEN);
        bench.run_cycles(2);
        assert_eq!(bench.read(ACSR) & ACO, ACO, "the ADC has its multiplexer");
    }

    #[test]
    fn it_drives_the_capture_unit_if_that_is_connected() {
        let mut bench = bench(ACIC);
        assert!(bench.take().contains(&Effect::Capture(Some(false))));
        set(&mut bench, 2_000_000);
        assert_eq!(bench.take(), [Effect::Capture(Some(true))]);
        bench.write(ACSR, 0);
        assert_eq!(bench.take(), [Effect::Capture(None)]);
    }

    #[test]
    fn it_can_be_switched_off() {
        let mut bench = bench(ACD);
        assert_eq!((set(&mut bench, 2_000_000), bench.block.activity()), (0, OFF));
        bench.write(ACSR, 0);
        bench.run_cycles(2);
        assert_eq!(bench.read(ACSR) & ACO, ACO);
    }

    #[test]
    fn the_deeper_sleep_modes_disable_it_unless_it_uses_the_bandgap() {
        for (control, mode, state) in
            [(0, Mode::Idle, "on"), (0, Mode::PowerSave, OFF), (ACBG, Mode::PowerSave, "on")]
        {
            let mut bench = bench(control);
            bench.sleep(mode);
            assert_eq!(bench.block.activity(), state);
        }
    }

    #[test]
    fn the_reserved_selection_is_reported() {
        let mut bench = bench(0);
        bench.write(ACSR, 1);
        assert_eq!(bench.take_warnings(), [WarningKind::Reserved]);
    }
}
