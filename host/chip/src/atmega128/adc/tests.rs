// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::atmega128::bench::Bench;

fn bench() -> Bench<Adc> {
    let mut bench = Bench::new(Adc::new());
    bench.input(Signal::Adc(3), PadInput::Voltage(1_500_000));
    bench.write(ADMUX, 3);
    bench
}

/// Starts a conversion and waits for it: result and cycles.
fn convert(bench: &mut Bench<Adc>, prescaler: u8) -> (u16, u64) {
    let start = bench.cycle();
    bench.write(ADCSRA, ADEN | ADSC | ADIE | ADIF | prescaler);
    bench.rises_by(bench.now + Time::from_s(1)).expect("an interrupt");
    let cycles = bench.cycle() - start;
    let [low, high] = [ADCL, ADCH].map(|register| bench.read(register));
    (u16::from_le_bytes([low, high]), cycles)
}

#[test]
fn the_first_conversion_takes_25_clocks_and_the_others_13() {
    for (prescaler, divider) in
        [(0, 2), (1, 2), (2, 4), (3, 8), (4, 16), (5, 32), (6, 64), (7, 128)]
    {
        let mut bench = bench();
        // The first clock begins one division after the prescaler does.
        assert_eq!(convert(&mut bench, prescaler), (512, 26 * divider));
        assert_eq!(convert(&mut bench, prescaler), (512, 14 * divider));
        assert_eq!(bench.read(ADCSRA) & ADSC, 0);
    }
}

#[test]
fn results_are_relative_to_the_selected_reference() {
    let mut bench = bench();
    for (admux, expected) in
        [(0x03, 512), (0x43, 512), (0xC3, 600), (0x1E, 419), (0xDE, 492), (0x1F, 0), (0x00, 0)]
    {
        bench.write(ADMUX, admux);
        assert_eq!(convert(&mut bench, 1).0, expected, "{admux:#x}");
    }
    bench.input(Signal::Adc(3), PadInput::Level(true));
    bench.write(ADMUX, 3);
    assert_eq!(convert(&mut bench, 1).0, 1_023);
    bench.write(ADMUX, ADLAR | 3);
    assert_eq!(convert(&mut bench, 1).0, 1_023 << 6);
}

#[test]
fn noise_outlasts_a_reset() {
    let mut bench = bench();
    bench.block.set_noise(Noise::new(Some(1)));
    bench.with(|adc, cx| adc.reset(cx, false));
    bench.write(ADMUX, 3);
    let results: std::collections::BTreeSet<u16> =
        (0..200).map(|_| convert(&mut bench, 1).0).collect();
    assert_eq!(results.into_iter().collect::<Vec<_>>(), [511, 512]);
}

#[test]
fn it_runs_freely_until_that_is_ended() {
    let mut bench = bench();
    bench.write(ADCSRA, ADEN | ADSC | ADFR | ADIE | 1);
    let mut times = Vec::new();
    for _ in 0..3 {
        bench.rises_by(Time::from_s(1)).expect("an interrupt");
        times.push(bench.cycle());
        bench.with(|adc, cx| adc.acknowledge(cx, ADC_COMPLETE));
    }
    assert_eq!(times, [52, 78, 104]);
    bench.write(ADCSRA, ADEN | ADIE | 1);
    bench.rises_by(Time::from_s(1)).expect("the last one");
    assert_eq!(bench.read(ADCSRA) & ADSC, 0);
}

#[test]
fn the_input_is_sampled_after_one_and_a_half_clocks() {
    let mut bench = bench();
    convert(&mut bench, 4);
    for (cycles, expected) in [(39, 1_023), (41, 512)] {
        bench.input(Signal::Adc(3), PadInput::Voltage(1_500_000));
        bench.write(ADCSRA, ADEN | ADIF | 4);
        while bench.cycle() % 16 != 0 {
            bench.run_cycles(1);
        }
        bench.write(ADCSRA, ADEN | ADSC | 4);
        bench.run_cycles(cycles);
        bench.input(Signal::Adc(3), PadInput::Voltage(3_000_000));
        bench.run_cycles(14 * 16);
        let [low, high] = [ADCL, ADCH].map(|register| bench.read(register));
        assert_eq!(u16::from_le_bytes([low, high]), expected);
    }
}

#[test]
fn the_input_is_selected_until_the_conversion_starts() {
    // The conversion starts at cycle 16 behind the write of ADSC at the latest: by the next edge of the ADC's clock.
    for (first, cycles, expected) in
        [(false, 15, 256), (false, 16, 512), (true, 15, 256), (true, 16, 512)]
    {
        let mut bench = bench();
        bench.input(Signal::Adc(2), PadInput::Voltage(750_000));
        if !first {
            convert(&mut bench, 4);
            while bench.cycle() % 16 != 0 {
                bench.run_cycles(1);
            }
        }
        bench.write(ADCSRA, ADEN | ADSC | ADIF | 4);
        bench.run_cycles(cycles);
        bench.write(ADMUX, 2);
        bench.run_cycles(30 * 16);
        let [low, high] = [ADCL, ADCH].map(|register| bench.read(register));
        assert_eq!(u16::from_le_bytes([low, high]), expected, "{first} {cycles}");
    }
}

#[test]
fn a_free_run_takes_the_input_that_is_selected_when_the_conversion_before_ends() {
    let mut bench = bench();
    bench.input(Signal::Adc(2), PadInput::Voltage(750_000));
    bench.write(ADCSRA, ADEN | ADSC | ADFR | ADIE | 4);
    let mut results = Vec::new();
    for _ in 0..4 {
        // In the first clock of each conversion: the second one has started with the old selection.
        bench.rises_by(Time::from_s(1)).expect("an interrupt");
        bench.with(|adc, cx| adc.acknowledge(cx, ADC_COMPLETE));
        bench.write(ADMUX, 2);
        let [low, high] = [ADCL, ADCH].map(|register| bench.read(register));
        results.push(u16::from_le_bytes([low, high]));
    }
    assert_eq!(results, [512, 512, 256, 256]);
}

#[test]
fn reading_the_low_byte_keeps_the_result_until_the_high_byte_is_read() {
    let mut bench = bench();
    convert(&mut bench, 1);
    bench.read(ADCL);
    bench.input(Signal::Adc(3), PadInput::Voltage(0));
    bench.write(ADCSRA, ADEN | ADSC | 1);
    bench.run_cycles(40);
    assert_eq!(bench.read(ADCH), 2);
    assert_eq!(convert(&mut bench, 1).0, 0);
}

#[test]
fn noise_reduction_starts_a_conversion_that_goes_on_without_the_io_clock() {
    let mut bench = bench();
    bench.write(ADCSRA, ADEN | ADIE | 1);
    bench.sleep(Mode::AdcNoiseReduction);
    let done = bench.rises_by(Time::from_s(1)).expect("an interrupt");
    assert_eq!(done, Time::from_us(26 * 2));
    bench.wake();
    assert_eq!(bench.read(ADCSRA) & (ADSC | ADIF), ADIF);
}

#[test]
fn idle_starts_a_conversion_and_the_deeper_modes_stop_one() {
    let mut bench = bench();
    bench.write(ADCSRA, ADEN | 1);
    bench.sleep(Mode::Idle);
    assert_eq!(bench.read(ADCSRA) & ADSC, ADSC);
    bench.wake();
    bench.sleep(Mode::PowerDown);
    bench.run_for(Time::from_ms(1));
    assert_eq!(bench.read(ADCSRA) & ADIF, 0);
}

#[test]
fn differential_inputs_and_the_reserved_reference_are_reported() {
    let mut bench = bench();
    bench.write(ADMUX, 0x08);
    bench.write(ADCSRA, ADEN | ADSC);
    bench.write(ADMUX, 0x80);
    assert_eq!(bench.take_warnings(), [WarningKind::NotModelled, WarningKind::Reserved]);
    // As long as the conversion has not started, its input may become one.
    let mut bench = self::bench();
    bench.write(ADCSRA, ADEN | ADSC | 7);
    bench.write(ADMUX, 0x08);
    assert_eq!(bench.take_warnings(), [WarningKind::NotModelled]);
}

#[test]
fn a_device_may_answer_what_is_sampled() {
    let mut bench = bench();
    bench.take();
    bench.write(ADCSRA, ADEN | ADSC | ADIE | 1);
    while !bench.take().contains(&Effect::Sample(Signal::Adc(3))) {
        bench.run_cycles(1);
    }
    for (pin, microvolts) in [(2, 0), (3, 750_000), (3, 3_000_000)] {
        bench.input(Signal::Adc(pin), PadInput::Reply(Reply::Voltage(microvolts)));
    }
    bench.rises_by(Time::from_s(1)).expect("an interrupt");
    let [low, high] = [ADCL, ADCH].map(|register| bench.read(register));
    assert_eq!(u16::from_le_bytes([low, high]), 256, "the first answer counts");
}

#[test]
fn of_voltages_inside_the_supply_is_asked_for() {
    let mut bench = bench();
    bench.write(ADMUX, BANDGAP_INPUT);
    bench.take();
    assert_eq!(convert(&mut bench, 1).0, 419);
    assert_eq!(bench.take(), [Effect::SampleSupply]);
    bench.block.set_supply(2_460_000);
    assert_eq!(convert(&mut bench, 1).0, 512, "1.23 V of 2.46 V");
    bench.write(ADMUX, 0xC0 | BANDGAP_INPUT);
    bench.take();
    assert_eq!(convert(&mut bench, 1).0, 492, "of 2.56 V");
    assert_eq!(bench.take(), []);
}
