// SPDX-License-Identifier: MIT OR Apache-2.0
use super::super::bench::Bench;
use super::super::fuses::FACTORY;
use super::super::map::*;
use super::*;
use crate::{BitTime, Frame, Pull};

const NATIVE: Fuses = Fuses { extended: 0xFF, ..FACTORY };

fn bench() -> Bench<Port> {
    Bench::new(Port::new(NATIVE))
}

const PA3: PinId = PinId { port: 0, bit: 3 };

fn outside(bench: &mut Bench<Port>, pin: PinId, level: Level) {
    bench.with(|port, cx| port.outside(cx, Input::Pin { pin, level }));
}

/// PINx, DDRx and PORTx of each port.
const REGISTERS: [[u8; 3]; 7] = [
    [PINA, DDRA, PORTA],
    [PINB, DDRB, PORTB],
    [PINC, DDRC, PORTC],
    [PIND, DDRD, PORTD],
    [PINE, DDRE, PORTE],
    [PINF, DDRF, PORTF],
    [PING, DDRG, PORTG],
];

#[test]
fn each_port_has_its_registers_and_drives_its_pins() {
    for (port, [pin, ddr, data]) in REGISTERS.into_iter().enumerate() {
        let mut bench = bench();
        bench.write(ddr, 0x15);
        bench.write(data, 0x05);
        bench.run_cycles(2);
        assert_eq!([pin, ddr, data].map(|register| bench.read(register)), [0x05, 0x15, 0x05]);
        let levels: Vec<(u8, Level)> = bench
            .take()
            .into_iter()
            .filter_map(|effect| match effect {
                Effect::Pin(pin, level) if usize::from(pin.port) == port => Some((pin.bit, level)),
                Effect::Pin(pin, _) => panic!("{pin}"),
                _ => None,
            })
            .collect();
        let low = [0, 2, 4].map(|bit| (bit, Level::Low));
        assert_eq!(levels[..3], low);
        assert_eq!(levels[3..], [(0, Level::High), (2, Level::High)]);
    }
}

#[test]
fn an_input_is_pulled_up_by_its_port_bit_unless_all_pull_ups_are_disabled() {
    let mut bench = bench();
    bench.write(PORTA, 0x08);
    assert_eq!(bench.take()[0], Effect::Pin(PA3, Level::Floating(Pull::Up)));
    bench.run_cycles(2);
    assert_eq!(bench.read(PINA), 0x08);
    bench.write(SFIOR, PUD);
    assert_eq!(bench.read(SFIOR), PUD);
    assert_eq!(bench.take()[0], Effect::Pin(PA3, Level::Floating(Pull::None)));
    bench.run_cycles(2);
    assert_eq!(bench.read(PINA), 0);
    outside(&mut bench, PA3, Level::High);
    bench.run_cycles(2);
    assert_eq!(bench.read(PINA), 0x08);
}

#[test]
fn a_change_is_read_after_half_a_cycle_to_one_and_a_half() {
    let mut bench = bench();
    // The latch closes in the middle of a cycle; the next cycle reads it.
    for (offset, cycles) in [(400, 1), (600, 2)] {
        bench.run_cycles(10);
        let start = bench.now;
        bench.run_for(Time::from_ns(offset));
        outside(&mut bench, PA3, Level::High);
        let mut waited = 0;
        while {
            waited += 1;
            bench.run_until(start + Time::from_us(waited));
            bench.read(PINA) == 0
        } {}
        assert_eq!(waited, cycles);
        outside(&mut bench, PA3, Level::Low);
    }
}

#[test]
fn the_value_of_pin_holds_unless_it_is_changing() {
    let mut bench = bench();
    bench.run_cycles(5);
    assert_eq!(bench.holds(PINA), Holds::UntilDue);
    outside(&mut bench, PA3, Level::High);
    assert_eq!(bench.holds(PINA), Holds::Unknown);
    bench.run_cycles(1);
    assert_eq!(bench.holds(PINA), Holds::UntilDue);
}

#[test]
fn blocks_override_direction_value_and_pull_up() {
    let mut bench = bench();
    let txd = pin_of(Signal::Txd0);
    let drive = |bench: &mut Bench<Port>, drive| {
        bench.with(|port, cx| port.override_pin(cx, Signal::Txd0, drive));
    };
    drive(&mut bench, Drive::output(true));
    drive(&mut bench, Drive::INPUT);
    bench.write(DDRE, 0xFF);
    drive(&mut bench, Drive { pull_up: Some(true), ..Drive::INPUT });
    drive(&mut bench, Drive::NONE);
    let levels: Vec<Effect> = bench
        .take()
        .into_iter()
        .filter(|effect| matches!(effect, Effect::Pin(pin, _) if *pin == txd))
        .collect();
    let expected =
        [Level::High, Level::Floating(Pull::None), Level::Floating(Pull::Up), Level::Low];
    assert_eq!(levels, expected.map(|level| Effect::Pin(txd, level)));
}

#[test]
fn two_compare_outputs_on_one_pin_are_modulated_as_the_port_bit_says() {
    for (bit, [one, other], expected) in [
        (0, [true, false], Level::Low),
        (0, [true, true], Level::High),
        (0x80, [true, false], Level::High),
        (0x80, [false, false], Level::Low),
    ] {
        let mut bench = bench();
        bench.write(PORTB, bit);
        bench.with(|port, cx| port.override_pin(cx, Signal::Oc2, Drive::value(one)));
        bench.with(|port, cx| port.override_pin(cx, Signal::Oc1c, Drive::value(other)));
        bench.take();
        bench.write(DDRB, 0x80);
        assert_eq!(bench.take()[0], Effect::Pin(PinId { port: 1, bit: 7 }, expected));
    }
}

#[test]
fn blocks_learn_the_levels_of_their_pins_even_of_outputs() {
    let mut bench = bench();
    let t1 = pin_of(Signal::T1);
    bench.write(DDRD, 1 << t1.bit);
    bench.write(PORTD, 1 << t1.bit);
    assert!(bench.take().contains(&Effect::Input(Signal::T1, PadInput::Level(true))));
}

#[test]
fn a_character_on_a_pin_without_receiver_is_seen_as_levels() {
    let mut bench = bench();
    let pin = pin_of(Signal::Rxd1);
    let frame = Frame {
        data: 0x55,
        data_bits: 8,
        parity: None,
        stop_bits: 1,
        bit_time: BitTime::from_us(100),
    };
    outside(&mut bench, pin, Level::High);
    bench.take();
    bench.with(|port, cx| port.outside(cx, Input::Frame { pin, frame }));
    bench.run_for(frame.length());
    let edges = bench.take();
    assert_eq!(
        edges.iter().filter(|effect| matches!(effect, Effect::Input(Signal::Int(2), _))).count(),
        10
    );
}

#[test]
fn a_voltage_is_a_level_for_the_port() {
    let mut bench = bench();
    for (microvolts, expected) in [(1_600_000, 8), (1_400_000, 0)] {
        bench.with(|port, cx| port.outside(cx, Input::Voltage { pin: PA3, microvolts }));
        bench.run_cycles(2);
        assert_eq!(bench.read(PINA), expected);
    }
}

#[test]
fn an_atmega103_has_outputs_only_on_c_and_inputs_only_on_f() {
    let mut bench = Bench::new(Port::new(FACTORY));
    assert_eq!(bench.read(DDRC), 0xFF);
    bench.write(DDRC, 0);
    assert_eq!(bench.read(DDRC), 0xFF);
    bench.write(DDRF, 0xFF);
    assert_eq!(bench.read(DDRF), 0);
}
