// SPDX-License-Identifier: MIT OR Apache-2.0
//! What interrupts wait for, in programs of a few instructions whose cycles can be counted by hand.

mod without_threads;

use lichen_chip::{Chip, Config, Time};
use lichen_observe::latency::{Cause, Delay, Latency, Part};
use lichen_observe::{Kernel, Leap, run_observed};

const START: u32 = 0x100;
const SCRATCH: u32 = 0x2C0;
const HANDLER: u32 = 0x300;
const NOP: u16 = 0xBF00;
const CPSIE: u16 = 0xB662;
const CPSID: u16 = 0xB672;
const BX_LR: u16 = 0x4770;
const HANG: u16 = 0xE7FE;
/// str r1, [r0]; str r3, [r2]; ldr r5, [r4]
const STORE_1: u16 = 0x6001;
const STORE_3: u16 = 0x6013;
const LOAD_5: u16 = 0x6825;
/// strh r1, [r0]; strb r1, [r0]
const STORE_HALF: u16 = 0x8001;
const STORE_BYTE: u16 = 0x7001;

/// Request lines: both of level 1, except 6 of level 0 and 7 of level 2.
const LINES: [u32; 4] = [4, 5, 6, 7];
/// Number of the program counter.
const PC: usize = 15;

struct Bench {
    chip: Box<dyn Chip>,
    latency: Latency,
    leap: Leap,
}

impl Bench {
    /// A chip that is about to execute `body`, with the lines enabled; r4 is the address of a
    /// register of the power manager, in the reach of a bridge.
    fn new(body: &[u16]) -> Bench {
        Bench::with(None, body)
    }

    fn with(kernel: Option<Kernel>, body: &[u16]) -> Bench {
        let mut chip = lichen_chip::by_part("ATSAMR21E18A", &Config::default()).expect("known");
        let mut table = vec![0x2000_1000, START | 1];
        table.extend([HANDLER | 1; 46]);
        let bytes: Vec<u8> = table.iter().flat_map(|word| word.to_le_bytes()).collect();
        chip.program(0, &bytes).expect("in flash");
        let mut bench = Bench { chip, latency: Latency::new(kernel), leap: Leap::default() };
        bench.place(START, &[&[STORE_1, STORE_3], body, &[HANG]].concat());
        bench.place(HANDLER, &[NOP, NOP, BX_LR]);
        bench.chip.power_on();
        let enabled = LINES.iter().fold(0, |lines, line| lines | 1 << line);
        for (register, value) in
            [(0, 0xE000_E100), (1, enabled), (2, 0xE000_E404), (3, 0x8000_4040), (4, 0x4000_0400)]
        {
            bench.chip.core_mut().set_register(register, value);
        }
        bench.run_to(START + 4);
        bench
    }

    fn place(&mut self, address: u32, code: &[u16]) {
        let bytes: Vec<u8> = code.iter().flat_map(|half| half.to_le_bytes()).collect();
        self.chip.program(address, &bytes).expect("in flash");
    }

    /// Executes the code before `address`.
    fn run_to(&mut self, address: u32) {
        for _ in 0..1_000 {
            if self.chip.core().pc() == address {
                return;
            }
            self.chip.take_outputs(&mut Vec::new());
            let soon = self.chip.next_event().max(self.chip.now() + Time::UNIT);
            run_observed(self.chip.as_mut(), soon, &mut self.latency, &mut self.leap);
        }
        panic!("0x{address:x} is not reached, but 0x{:x}", self.chip.core().pc());
    }

    fn run_for(&mut self, time: Time) {
        let end = self.chip.now() + time;
        while self.chip.now() < end {
            self.chip.take_outputs(&mut Vec::new());
            run_observed(self.chip.as_mut(), end, &mut self.latency, &mut self.leap);
        }
    }

    /// Requests the interrupt of `line` now and lets it and all others end.
    fn request(mut self, line: u32) -> Latency {
        self.chip.core_mut().pend_interrupt(16 + line);
        self.run_for(Time::from_us(500));
        self.latency
    }

    /// Executes a store of r1 to the address in r0, outside the program.
    fn poke(&mut self, store: u16, address: u32, value: u32) {
        let at = self.chip.core().pc();
        self.place(SCRATCH, &[store, HANG]);
        for (register, value) in [(0, address), (1, value), (PC, SCRATCH)] {
            self.chip.core_mut().set_register(register, value);
        }
        let limit = self.chip.now() + Time::from_ms(1);
        self.chip.core_mut().step(limit);
        self.chip.core_mut().set_register(PC, at);
    }
}

fn parts(delay: &Delay) -> Vec<(Cause, u64)> {
    delay.parts.iter().map(|part| (part.cause, part.cycles)).collect()
}

#[test]
fn start_up_of_a_program_without_threads_ends_with_its_mask() {
    let kernel = Kernel::find(&without_threads::image()).expect("readable");
    assert!(kernel.is_some());
    let mut bench = Bench::with(kernel, &[CPSID, CPSIE]);
    bench.run_to(START + 8);
    let latency = bench.request(LINES[0]);
    assert_eq!((latency.levels()[1].served, latency.start_up()), (1, None));
}

#[test]
fn masking_is_added_to_the_cycle() {
    // 49 instructions of a cycle, and the one that ends it.
    let mut body = vec![CPSID];
    body.extend([NOP; 49]);
    body.push(CPSIE);
    let mut bench = Bench::new(&body);
    bench.run_to(START + 6);
    let latency = bench.request(LINES[0]);
    let worst = latency.levels()[1].worst.clone().expect("served");
    assert_eq!((worst.added(), worst.total()), (50, 50 + 15));
    assert_eq!(worst.parts[0], Part { cause: Cause::Masked, cycles: 50, pc: START + 6 });
    assert_eq!(parts(&worst)[1..], [(Cause::Entry, 15)]);
}

#[test]
fn an_unmasked_request_has_nothing_added() {
    let latency = Bench::new(&[NOP]).request(LINES[2]);
    let worst = latency.levels()[0].worst.clone().expect("served");
    assert_eq!((worst.added(), worst.level, worst.number), (0, 0, 16 + LINES[2]));
    assert_eq!(parts(&worst), [(Cause::Entry, 15)]);
    assert_eq!(latency.levels().each_ref().map(|level| level.served), [1, 0, 0, 0]);
}

#[test]
fn a_handler_of_the_same_level_is_distinguished_and_a_less_urgent_one_gives_way() {
    // The first request is served; in its handler the second one comes.
    let mut bench = Bench::new(&[NOP]);
    bench.chip.core_mut().pend_interrupt(16 + LINES[0]);
    bench.run_to(HANDLER);
    let latency = bench.request(LINES[1]);
    let queued = latency.levels()[1].queued.clone().expect("had to wait");
    assert_eq!((queued.number, queued.added()), (16 + LINES[1], 0));
    // Two instructions; the return, which tail-chains.
    assert_eq!(parts(&queued), [(Cause::Handler(16 + LINES[0]), 2 + 6)]);
    let mut bench = Bench::new(&[NOP]);
    bench.chip.core_mut().pend_interrupt(16 + LINES[3]);
    bench.run_to(HANDLER);
    let latency = bench.request(LINES[1]);
    let worst = latency.levels()[1].worst.clone().expect("served");
    assert_eq!(parts(&worst), [(Cause::Entry, 15)], "nested");
}

#[test]
fn an_entry_that_leads_to_another_handler_is_that_handlers() {
    let mut bench = Bench::new(&[NOP]);
    bench.chip.core_mut().pend_interrupt(16 + LINES[2]);
    let latency = bench.request(LINES[0]);
    let queued = latency.levels()[1].queued.clone().expect("had to wait");
    let first = queued.parts[0];
    assert_eq!((first.cause, first.cycles), (Cause::Handler(16 + LINES[2]), 15 + 2 + 6));
    assert_eq!(queued.added(), 0);
}

#[test]
fn a_masked_handler_adds_to_who_is_more_urgent() {
    let mut bench = Bench::new(&[NOP]);
    bench.place(HANDLER, &[CPSID, NOP, NOP, CPSIE, BX_LR]);
    bench.chip.core_mut().pend_interrupt(16 + LINES[3]);
    bench.run_to(HANDLER + 2);
    let latency = bench.request(LINES[2]);
    let worst = latency.levels()[0].worst.clone().expect("served");
    assert_eq!(parts(&worst), [(Cause::Masked, 3), (Cause::Entry, 15)]);
}

/// Executes `body` again and again while TC3 requests an interrupt every 256 cycles.
fn under_a_timer(body: &[u16]) -> Latency {
    let back = 0xE000 | (0x7FE - body.len() as u16);
    let mut bench = Bench::new(&[body, &[back]].concat());
    // Clock of the bus and of the counter; count in 8 bits; request at each overflow.
    bench.poke(STORE_1, 0x4000_0420, 1 << 11 | 1 << 16);
    bench.poke(STORE_HALF, 0x4000_0C02, 0x401B);
    bench.poke(STORE_BYTE, 0x4200_2C0D, 1);
    bench.poke(STORE_1, 0xE000_E410, 0x40 << 16);
    bench.poke(STORE_1, 0xE000_E100, 1 << 18);
    bench.poke(STORE_HALF, 0x4200_2C00, 0x0006);
    // The handler clears the flag: strb r7, [r6].
    bench.place(HANDLER, &[0x7037, BX_LR]);
    bench.chip.core_mut().set_register(6, 0x4200_2C0E);
    bench.chip.core_mut().set_register(7, 1);
    bench.run_for(Time::from_ms(50));
    bench.latency
}

#[test]
fn a_stall_is_added_and_the_instruction_is_not() {
    let latency = under_a_timer(&[LOAD_5; 50]);
    let level = &latency.levels()[1];
    assert!(level.served > 150, "{level:?}");
    let worst = level.worst.clone().expect("served");
    // A load takes 2 cycles, and the bridge holds it for 2 more.
    assert_eq!(worst.added(), 2, "{worst:?}");
    assert!(worst.total() <= 2 + 2 + 15, "{worst:?}");
    assert_eq!(worst.parts.last().map(|part| (part.cause, part.cycles)), Some((Cause::Entry, 15)));
    let plain = under_a_timer(&[NOP; 50]);
    assert_eq!(plain.levels()[1].worst.as_ref().map(Delay::added), Some(0));
}
