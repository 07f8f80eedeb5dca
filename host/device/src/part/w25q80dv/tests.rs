// SPDX-License-Identifier: MIT OR Apache-2.0
use super::spi::Target;
use super::*;
use crate::Environment;

struct Bench {
    flash: W25q80dv,
    now: Time,
}

impl Bench {
    fn new() -> Bench {
        Bench { flash: W25q80dv::default(), now: Time::ZERO }
    }

    /// Sends `bytes` while it is selected, and returns what came back.
    fn send(&mut self, bytes: &[u8]) -> Vec<u8> {
        let environment = Environment::usual();
        let sense = Sense { now: self.now, moment: self.now, environment: &environment };
        self.flash.select(&sense);
        let answers = bytes.iter().map(|byte| self.flash.exchange(&sense, *byte)).collect();
        self.flash.deselect(&sense);
        answers
    }

    /// Enables a write and sends `bytes`. Returns how long it is busy.
    fn write(&mut self, bytes: &[u8]) -> Time {
        self.send(&[0x06]);
        assert_eq!(self.send(&[0x05, 0])[1], WEL | self.flash.status[0]);
        self.send(bytes);
        let takes = self.flash.busy_until - self.now;
        assert_eq!(self.send(&[0x05, 0, 0])[1..], [BUSY | self.flash.status[0]; 2]);
        self.now = self.flash.busy_until;
        assert_eq!(self.send(&[0x05, 0])[1], self.flash.status[0]);
        takes
    }

    fn read(&mut self, address: u32, bytes: usize) -> Vec<u8> {
        let [_, a, b, c] = address.to_be_bytes();
        self.send(&[&[0x03, a, b, c], &vec![0; bytes][..]].concat())[4..].to_vec()
    }
}

#[test]
fn its_identity() {
    let mut bench = Bench::new();
    assert_eq!(bench.send(&[0x9F, 0, 0, 0])[1..], JEDEC_ID);
    assert_eq!(bench.send(&[0x90, 0, 0, 0, 0, 0, 0])[4..], [0xEF, 0x13, 0xEF]);
    assert_eq!(bench.send(&[0x90, 0, 0, 1, 0, 0])[4..], [0x13, 0xEF]);
    assert_eq!(bench.send(&[0xAB, 0, 0, 0, 0])[4], 0x13);
    assert_eq!(bench.send(&[0x4B, 0, 0, 0, 0, 0, 0])[5..], [0xD0, 0xD1]);
}

#[test]
fn bits_are_cleared_by_programs_and_set_by_erasure() {
    let mut bench = Bench::new();
    assert_eq!(bench.write(&[0x02, 0, 1, 0xFE, 0xF0, 0x0F, 0x55]), PAGE_PROGRAM);
    // The end of the page is followed by its beginning.
    assert_eq!(bench.read(0x1FE, 3), [0xF0, 0x0F, 0xFF]);
    assert_eq!(bench.read(0x100, 2), [0x55, 0xFF]);
    bench.write(&[0x02, 0, 1, 0xFE, 0x3C]);
    assert_eq!(bench.read(0x1FE, 1), [0x30]);
    assert_eq!(bench.send(&[0x0B, 0, 1, 0xFE, 0, 0, 0])[5..], [0x30, 0x0F]);
    for (instruction, unit, takes) in [
        (0x20, 1 << 12, SECTOR_ERASE),
        (0x52, 1 << 15, BLOCK_32K_ERASE),
        (0xD8, 1 << 16, BLOCK_64K_ERASE),
    ] {
        let [_, a, b, c] = u32::to_be_bytes(unit);
        for address in [[0, 0, 0], (unit - 1).to_be_bytes()[1..].try_into().expect("3"), [a, b, c]]
        {
            bench.write(&[&[0x02][..], &address, &[0]].concat());
        }
        assert_eq!(bench.write(&[instruction, 0, 0, 1]), takes);
        assert_eq!((bench.read(0, 1), bench.read(unit - 1, 2)), (vec![0xFF], vec![0xFF, 0]));
    }
    assert_eq!(bench.write(&[0xC7]), CHIP_ERASE);
    assert!(bench.flash.pages.is_empty());
    bench.write(&[0x02, 0xFF, 0xFF, 0xFF, 1]);
    assert_eq!(bench.read(BYTES - 1, 2), [1, 0xFF], "reading goes on at the beginning");
}

#[test]
fn more_than_a_page_keeps_the_last_256_bytes() {
    let mut bench = Bench::new();
    let data: Vec<u8> = (0..=255).chain([1, 2, 3]).collect();
    bench.write(&[&[0x02, 0, 0, 10], &data[..]].concat());
    // The first three were replaced before anything was programmed.
    assert_eq!(bench.read(10, 4), [1, 2, 3, 3]);
    assert_eq!(bench.read(9, 1), [255]);
}

#[test]
fn nothing_is_written_unless_enabled_and_complete() {
    let mut bench = Bench::new();
    bench.send(&[0x02, 0, 0, 0, 0]);
    assert_eq!(bench.read(0, 1), [0xFF]);
    bench.send(&[0x06]);
    bench.send(&[0x04]);
    bench.send(&[0x02, 0, 0, 0, 0]);
    bench.send(&[0x06]);
    bench.send(&[0x02, 0, 0, 0]);
    bench.send(&[0x20, 0, 0]);
    assert_eq!((bench.read(0, 1), bench.flash.busy_until), (vec![0xFF], Time::ZERO));
    assert_eq!(bench.send(&[0x05, 0])[1], WEL, "what was incomplete did not use it up");
}

#[test]
fn while_it_writes_it_tells_its_status_only() {
    let mut bench = Bench::new();
    bench.send(&[0x06]);
    bench.send(&[0x02, 0, 0, 0, 0xAA]);
    assert_eq!(bench.read(0, 1), [0xFF]);
    bench.send(&[0x06]);
    bench.now = PAGE_PROGRAM;
    assert_eq!(bench.send(&[0x05, 0])[1], 0, "the enable was not taken");
    assert_eq!(bench.read(0, 1), [0xAA]);
}

#[test]
fn protection_covers_what_its_table_says() {
    let mut bench = Bench::new();
    let is_protected = |bench: &Bench, address| bench.flash.is_protected(address, 1);
    // Status registers, and the first and last protected address.
    let rows: [([u8; 2], u32, u32); 6] = [
        ([0x04, 0], 0x0F_0000, 0x0F_FFFF),
        ([0x24, 0], 0, 0x00_FFFF),
        ([0x10, 0], 0x08_0000, 0x0F_FFFF),
        ([0x44, 0], 0x0F_F000, 0x0F_FFFF),
        ([0x70, 0], 0, 0x00_7FFF),
        ([0x04, 0x40], 0, 0x0E_FFFF),
    ];
    for (status, first, last) in rows {
        bench.write(&[0x01, status[0], status[1]]);
        let edges = [is_protected(&bench, first), is_protected(&bench, last)];
        assert_eq!(edges, [true; 2], "{status:x?}");
        let beside =
            [first.wrapping_sub(1), last + 1].map(|at| at < BYTES && is_protected(&bench, at));
        assert_eq!(beside, [false; 2], "{status:x?}");
    }
    bench.write(&[0x01, 0x04, 0]);
    bench.write(&[0x02, 0x0F, 0, 0, 0]);
    bench.write(&[0xC7]);
    assert_eq!(bench.read(0x0F_0000, 1), [0xFF]);
}

#[test]
fn it_can_be_put_down_and_reset() {
    let mut bench = Bench::new();
    bench.write(&[0x02, 0, 0, 0, 7]);
    bench.send(&[0xB9]);
    assert_eq!(bench.read(0, 1), [0xFF]);
    bench.send(&[0xAB]);
    assert_eq!(bench.read(0, 1), [0xFF], "it takes 3 us");
    bench.now += RELEASE;
    assert_eq!(bench.read(0, 1), [7]);
    bench.send(&[0x06]);
    bench.send(&[0x99]);
    assert_eq!(bench.send(&[0x05, 0])[1], WEL, "a reset needs its enable");
    bench.send(&[0x66]);
    bench.send(&[0x05, 0]);
    bench.send(&[0x99]);
    assert_eq!(bench.send(&[0x05, 0])[1], WEL, "an instruction in between takes the enable back");
    bench.send(&[0x66]);
    bench.send(&[0x99]);
    bench.now += RESET;
    assert_eq!((bench.send(&[0x05, 0])[1], bench.read(0, 1)), (0, vec![7]));
}
