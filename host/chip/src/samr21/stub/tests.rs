// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::Time;
use crate::samr21::bench::Bench;

#[test]
fn the_comparators_come_up_and_say_that_they_do_not_compare() {
    let mut bench = Bench::new(Stub::ac());
    bench.clock(31, 8_000_000);
    bench.write8(0x00, 2);
    assert_eq!((bench.read8(0x09), &bench.warnings[..]), (0x80, &[WarningKind::NotModelled][..]));
    bench.run_for(Time::from_us(2));
    assert_eq!((bench.read8(0x00), bench.read8(0x09)), (2, 0));
}

#[test]
fn a_software_reset_restores_and_ends() {
    // A setting, and where SYNCBUSY is.
    for (stub, channel, setting, status) in
        [(Stub::ac(), 31, 0x0C, 0x09), (Stub::dac(), 33, 0x01, 0x07)]
    {
        let mut bench = Bench::new(stub);
        bench.clock(channel, 8_000_000);
        bench.write8(setting, 0x02);
        bench.write8(0x05, 0x03);
        assert_eq!((bench.read8(setting), bench.read8(0x04)), (0x02, 0x03));
        bench.write8(0x00, 1);
        assert_eq!((bench.read8(0x00), bench.read8(status)), (1, 0x80));
        bench.run_for(Time::from_us(2));
        let values = [0x00, setting, 0x04, status].map(|offset| bench.read8(offset));
        assert_eq!(values, [0; 4]);
    }
}

#[test]
fn set_and_clear_act_on_one_register() {
    let mut bench = Bench::new(Stub::usb());
    bench.write16(0x18, 0x0F);
    bench.write16(0x14, 0x05);
    assert_eq!((bench.read16(0x14), bench.read16(0x18)), (0x0A, 0x0A));
    bench.write8(0x1E9, 0x41);
    assert_eq!((bench.read8(0x1E8), bench.read8(0x1C8)), (0x41, 0));
}

#[test]
fn usb_has_its_reset_values() {
    let mut bench = Bench::new(Stub::usb());
    let values = [0x03, 0x0C, 0x0D].map(|offset| bench.read8(offset));
    assert_eq!((values, bench.read16(0x08)), ([0x05, 0x40, 0x01], 1));
    assert_eq!(bench.read32(0x24), 0);
    bench.write16(0x28, 0x1234);
    assert_eq!(bench.read16(0x28), 0x1214);
    assert_eq!(bench.warnings, [WarningKind::Reserved]);
}

#[test]
fn without_clock_usb_never_comes_up() {
    let mut bench = Bench::new(Stub::usb());
    bench.write8(0x00, 2);
    bench.run_for(Time::from_s(1));
    assert_eq!(bench.read8(0x02), 3);
}

#[test]
fn the_touch_controller_is_a_blank() {
    let mut bench = Bench::new(Stub::ptc());
    bench.write8(0x00, 1);
    assert_eq!((bench.read8(0x00), &bench.warnings[..]), (0, &[WarningKind::NotModelled][..]));
}

#[test]
fn the_front_end_and_the_trace_buffer_store() {
    let mut bench = Bench::new(Stub::rfctrl());
    bench.write16(0x00, 0x0ABC);
    assert_eq!(bench.read16(0x00), 0x0ABC);
    let mut bench = Bench::new(Stub::mtb());
    assert_eq!(bench.read32(0x0C), 0x2000_0000);
    bench.write32(0x08, 0x40);
    assert_eq!((bench.read32(0x08), bench.warnings.len()), (0x40, 0));
    bench.write32(0x04, 0x8000_0000);
    assert_eq!(bench.warnings, [WarningKind::NotModelled]);
}

#[test]
fn comparisons_and_conversions_are_reported_as_not_modelled() {
    for (stub, channel) in [(Stub::ac(), 31), (Stub::dac(), 33)] {
        let mut bench = Bench::new(stub);
        bench.clock(channel, 8_000_000);
        bench.write8(0x00, 4);
        assert_eq!(bench.warnings, []);
        bench.write8(0x00, 2);
        assert_eq!(bench.warnings, [WarningKind::NotModelled]);
    }
    for start in 1..=3 {
        let mut bench = Bench::new(Stub::ac());
        bench.write8(0x01, start);
        assert_eq!((bench.read8(0x01), &bench.warnings[..]), (0, &[WarningKind::NotModelled][..]));
    }
}

#[test]
fn write_protection_spares_flags_starts_and_the_dacs_buffer() {
    let spared = |stub: Stub| -> Vec<u32> {
        (0..0x24).filter(|offset| !stub.write_protected(*offset)).collect()
    };
    assert_eq!(spared(Stub::ac()), [0x01, 0x06]);
    assert_eq!(spared(Stub::dac()), [0x06, 0x0C, 0x0D]);
}
