// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::samr21::bench::Bench;
use crate::{BitTime, Frame, Pull};

const PIN: PinId = PinId { port: 0, bit: 19 };
const BIT: u32 = 1 << 19;
const DIR: u32 = 0x00;
const DIRSET: u32 = 0x08;
const OUT: u32 = 0x10;
const OUTSET: u32 = 0x18;
const OUTTGL: u32 = 0x1C;
const IN: u32 = 0x20;
const CTRL: u32 = 0x24;
const WRCONFIG: u32 = 0x28;
const PMUX: u32 = 0x30;
const PINCFG: u32 = 0x40;
const EXTINT3: Signal = Signal::External(3);

fn pin(level: Level) -> Effect {
    Effect::Pin(PIN, level)
}

fn outside(bench: &mut Bench<Port>, level: Level) {
    bench.with(|port, cx| port.outside(cx, Input::Pin { pin: PIN, level }));
}

#[test]
fn a_pin_reports_only_changes_of_what_is_driven() {
    let mut bench = Bench::new(Port::new());
    bench.write32(OUTSET, BIT);
    assert_eq!(bench.take(), []);
    bench.write32(DIRSET, BIT);
    assert_eq!(bench.take(), [pin(Level::High)]);
    bench.write32(OUTSET, BIT);
    assert_eq!(bench.take(), []);
    bench.write32(OUTTGL | Port::IOBUS, BIT);
    assert_eq!(bench.take(), [pin(Level::Low)]);
    assert_eq!(bench.read32(OUT), 0);
}

#[test]
fn direction_and_output_are_written_set_cleared_and_toggled() {
    for register in [DIR, OUT] {
        let [clear, set, toggle] = [0x4, 0x8, 0xC].map(|distance| register + distance);
        let mut bench = Bench::new(Port::new());
        bench.write32(register, 0x0FF);
        bench.write32(set, 0xF00);
        bench.write32(clear, 0x0F0);
        bench.write32(toggle, 0x0FF);
        let values = [register, clear, set, toggle].map(|offset| bench.read32(offset));
        assert_eq!(values, [0xFF0; 4], "{register:#x}");
    }
}

#[test]
fn a_byte_access_touches_one_lane() {
    let mut bench = Bench::new(Port::new());
    bench.write8(OUT + 2, 0x08);
    assert_eq!(bench.read32(OUT), BIT);
    assert_eq!(bench.read8(OUT + 2), 0x08);
    bench.write16(OUT, 0xFFFF);
    assert_eq!(bench.read32(OUT), BIT | 0xFFFF);
}

#[test]
fn pins_that_the_die_lacks_stay_zero() {
    let mut bench = Bench::new(Port::new());
    bench.write32(OUT, u32::MAX);
    assert_eq!(bench.read32(OUT), 0xDBFF_FFFF);
    bench.write32(0x80 + OUT, u32::MAX);
    assert_eq!(bench.read32(0x80 + OUT), 0xC0C3_FFFF);
}

#[test]
fn pins_that_the_package_lacks_read_back_and_stay_inside() {
    const PA02: u32 = 1 << 2;
    let mut bench = Bench::new(Port::new());
    bench.write8(PINCFG + 2, 0x02);
    bench.write32(DIRSET, PA02);
    bench.write32(OUTSET, PA02);
    assert_eq!((bench.read32(IN), bench.take()), (PA02, vec![]));
}

#[test]
fn a_pull_holds_an_undriven_pin() {
    let mut bench = Bench::new(Port::new());
    bench.write32(OUTSET, BIT);
    bench.write8(PINCFG + 19, 0x06);
    assert_eq!(bench.take(), [pin(Level::Floating(Pull::Up))]);
    bench.run_for(Time::from_us(1));
    assert_eq!(bench.read32(IN), BIT);
    outside(&mut bench, Level::Low);
    assert_eq!(bench.read32(IN), 0);
}

#[test]
fn the_input_buffer_gates_in() {
    let mut bench = Bench::new(Port::new());
    outside(&mut bench, Level::High);
    assert_eq!(bench.read32(IN), 0);
    bench.write8(PINCFG + 19, 0x02);
    assert_eq!(bench.read32(IN), BIT);
}

#[test]
fn on_demand_a_read_takes_two_bus_cycles_longer() {
    let mut bench = Bench::new(Port::new());
    bench.write8(PINCFG + 19, 0x02);
    bench.now = Time::UNIT;
    bench.read32(IN);
    assert_eq!(bench.now, Time::from_ps(250_000));
}

#[test]
fn continuously_sampled_a_change_shows_two_edges_later() {
    let mut bench = Bench::new(Port::new());
    bench.write8(PINCFG + 19, 0x02);
    bench.write32(CTRL, 1 << 16);
    bench.now = Time::UNIT;
    outside(&mut bench, Level::High);
    bench.now = Time::from_ps(250_000) - Time::UNIT;
    assert_eq!(bench.read32(IN | Port::IOBUS), 0);
    bench.now = Time::from_ps(250_000);
    assert_eq!(bench.read32(IN | Port::IOBUS), BIT);
    assert_eq!(bench.now, Time::from_ps(250_000));
}

#[test]
fn one_pin_that_is_sampled_continuously_makes_its_eight_neighbours_so() {
    for (sampled, expected) in [(1 << 16, BIT), (1 << 23, BIT), (1 << 15, 0), (1 << 24, 0)] {
        let mut bench = Bench::new(Port::new());
        bench.write8(PINCFG + 19, 0x02);
        bench.write32(CTRL, sampled);
        outside(&mut bench, Level::High);
        bench.run_for(Time::from_us(1));
        assert_eq!(bench.read32(IN | Port::IOBUS), expected, "{sampled:#x}");
    }
}

#[test]
fn over_the_iobus_an_unsampled_pin_reads_stale() {
    let mut bench = Bench::new(Port::new());
    bench.write8(PINCFG + 19, 0x02);
    outside(&mut bench, Level::High);
    bench.run_for(Time::from_ms(1));
    assert_eq!(bench.read32(IN | Port::IOBUS), 0);
    assert_eq!(bench.read32(IN), BIT);
    assert_eq!(bench.read32(IN | Port::IOBUS), BIT);
}

#[test]
fn wrconfig_configures_pins_of_one_half_at_once() {
    let mut bench = Bench::new(Port::new());
    bench.write32(WRCONFIG, 0xD207_0018);
    assert_eq!(bench.read32(PINCFG + 16), 0x0700_0000);
    assert_eq!(bench.read32(PINCFG + 20), 0x0000_0007);
    assert_eq!(bench.read16(0x30 + 9), 0x0220);
    bench.write16(WRCONFIG, 0x0018);
    assert_eq!(bench.warnings, [WarningKind::NoRegister]);
}

/// PINCFG of a pin of group B and its function in PMUX.
fn configuration(bench: &mut Bench<Port>, bit: u32) -> (u32, u32) {
    let functions = bench.read8(GROUP_SIZE + PMUX + bit / 2);
    (bench.read8(GROUP_SIZE + PINCFG + bit), functions >> (bit % 2 * 4) & 0xF)
}

#[test]
fn wrconfig_writes_what_it_must_and_leaves_the_rest() {
    const PINS: u32 = 0b11;
    for (half, config, function) in
        [(0, 0x01, 1), (1, 0x02, 2), (0, 0x04, 4), (1, 0x40, 7), (0, 0x47, 0)]
    {
        for (writes_config, writes_function) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let mut bench = Bench::new(Port::new());
            let writes = writes_config << 30 | writes_function << 28;
            let value = half << 31 | writes | function << 24 | config << 16 | PINS;
            bench.write32(GROUP_SIZE + WRCONFIG, value);
            for bit in 0..32 {
                let chosen = u32::from(bit / 16 == half && PINS >> (bit % 16) & 1 != 0);
                let expected =
                    (config * writes_config * chosen, function * writes_function * chosen);
                assert_eq!(configuration(&mut bench, bit), expected, "{value:#x} {bit}");
            }
            assert_eq!((bench.read32(GROUP_SIZE + WRCONFIG), bench.warnings), (0, vec![]));
        }
    }
}

#[test]
fn wrconfig_reports_a_reserved_function_if_it_writes_it() {
    for (value, warnings) in [(0x1800_0001, &[WarningKind::Reserved][..]), (0x0800_0001, &[])] {
        let mut bench = Bench::new(Port::new());
        bench.write32(WRCONFIG, value);
        assert_eq!(bench.warnings, warnings);
    }
}

#[test]
fn each_pin_takes_each_of_its_functions() {
    for pin in mux::PINS {
        let PinId { port, bit } = pin.id;
        let group = u32::from(port) * GROUP_SIZE;
        for (number, function) in (0..).zip(pin.functions) {
            let mut bench = Bench::new(Port::new());
            bench.write8(group + PMUX + u32::from(bit) / 2, number << (bit % 2 * 4));
            bench.write8(group + PINCFG + u32::from(bit), 0x01);
            let connected = bench.block.groups[usize::from(port)].signal(bit);
            let expected = function.filter(|signal| *signal != Signal::Other);
            assert_eq!(connected, expected, "{port} {bit} {number}");
        }
    }
}

#[test]
fn a_routed_pin_tells_its_block_the_level_at_once_and_at_each_change() {
    let mut bench = Bench::new(Port::new());
    outside(&mut bench, Level::High);
    bench.write8(PINCFG + 19, 0x01);
    outside(&mut bench, Level::Low);
    let seen = |high| Effect::Input(EXTINT3, PadInput::Level(high));
    assert_eq!(bench.take(), [seen(true), seen(false)]);
}

#[test]
fn a_block_overrides_direction_and_output() {
    let mut bench = Bench::new(Port::new());
    let signal = Signal::Sercom { instance: 1, pad: 3 };
    bench.write32(DIRSET, BIT);
    bench.write8(0x39, 0x20);
    bench.with(|port, cx| port.drive(cx, signal, PadOutput::Level(Level::High)));
    bench.take();
    bench.write8(PINCFG + 19, 0x01);
    assert!(bench.take().contains(&pin(Level::High)));
    let frame = Frame {
        data: 0x55,
        data_bits: 8,
        parity: None,
        stop_bits: 1,
        bit_time: BitTime::from_us(100),
    };
    bench.with(|port, cx| port.drive(cx, signal, PadOutput::Frame(frame)));
    assert_eq!(bench.take(), [Effect::PinFrame(PIN, frame)]);
    bench.with(|port, cx| port.outside(cx, Input::Frame { pin: PIN, frame }));
    assert_eq!(bench.take(), [Effect::Input(signal, PadInput::Frame(frame))]);
}

#[test]
fn a_character_on_a_pin_without_serial_interface_is_edges() {
    let mut bench = Bench::new(Port::new());
    outside(&mut bench, Level::High);
    bench.write8(PINCFG + 19, 0x01);
    bench.take();
    let bit_time = BitTime::from_us(100);
    let frame = Frame { data: 0x0F, data_bits: 8, parity: None, stop_bits: 1, bit_time };
    bench.with(|port, cx| port.outside(cx, Input::Frame { pin: PIN, frame }));
    bench.run_for(Time::from_ms(2));
    let edges: Vec<u64> = bench.effects.iter().map(|(at, _)| *at / bit_time.bits(1)).collect();
    assert_eq!(edges, [0, 1, 5, 9]);
}

#[test]
fn an_analog_input_sees_voltages_and_levels() {
    let mut bench = Bench::new(Port::new());
    let pin = PinId { port: 0, bit: 6 };
    let microvolts = 1_200_000;
    bench.with(|port, cx| port.outside(cx, Input::Voltage { pin, microvolts }));
    bench.write32(OUTSET, 1 << 6);
    bench.write32(DIRSET, 1 << 6);
    let seen: Vec<Effect> =
        bench.take().into_iter().filter(|e| matches!(e, Effect::Input(..))).collect();
    let reported = |microvolts| Effect::Input(Signal::Adc(6), PadInput::Voltage(microvolts));
    assert_eq!(seen, [reported(1_200_000), reported(3_300_000)]);
}

#[test]
fn a_clock_on_a_pin_is_read_as_its_level_unless_the_chip_drives_the_pin() {
    let mut bench = Bench::new(Port::new());
    bench.write8(PINCFG + 19, 2);
    bench.with(|port, cx| port.outside(cx, Input::Clock { pin: PIN, millihertz: 1_000_000 }));
    let begun = bench.now;
    let at = |bench: &mut Bench<Port>, us| {
        bench.run_for(begun + Time::from_us(us) - bench.now);
        bench.read32(IN) & BIT
    };
    assert_eq!([250, 750, 1_250, 1_750].map(|us| at(&mut bench, us)), [BIT, 0, BIT, 0]);
    bench.write32(OUTSET, BIT);
    bench.write32(DIRSET, BIT);
    assert_eq!([2_250, 2_750].map(|us| at(&mut bench, us)), [BIT, BIT]);
    bench.write32(DIR, 0);
    outside(&mut bench, Level::Low);
    assert_eq!([3_250, 3_750].map(|us| at(&mut bench, us)), [0, 0], "a level ends it");
}

#[test]
fn a_read_behind_the_last_group_returns_nothing_that_holds() {
    let mut bench = Bench::new(Port::new());
    let behind = GROUPS as u32 * GROUP_SIZE + IN;
    assert_eq!((bench.read32(behind), &bench.warnings[..]), (0, &[WarningKind::NoRegister][..]));
    assert_eq!(Peripheral::holds_until(&bench.block, bench.now, behind, Width::Word), Time::ZERO);
}

#[test]
fn reset_lets_the_pins_go() {
    let mut bench = Bench::new(Port::new());
    bench.write32(OUTSET, BIT);
    bench.write32(DIRSET, BIT);
    bench.take();
    bench.with(|port, cx| port.reset(cx, ResetKind::User));
    assert_eq!(bench.take(), [pin(Level::Floating(Pull::None))]);
    assert_eq!(bench.read8(PINCFG + 30), 0x01);
}
