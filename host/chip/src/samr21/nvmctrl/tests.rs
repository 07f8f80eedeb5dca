// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::samr21::bench::Bench;
use crate::samr21::part::PARTS;

const CTRLA: u32 = 0x00;
const CTRLB: u32 = 0x04;
const INTFLAG: u32 = 0x14;
const STATUS: u32 = 0x18;
const ADDR: u32 = 0x1C;

/// A controller over 4 KiB of flash, as the bench has it.
fn bench() -> Bench<Nvmctrl> {
    let part = Part { flash: 0x1000, ..PARTS[0] };
    let mut bench = Bench::new(Nvmctrl::new(&part, [0; 4]));
    bench.write32(CTRLB, MANW);
    bench
}

fn fill(bench: &mut Bench<Nvmctrl>, address: u32, words: u32) {
    for word in 0..words {
        let taken = bench.with(|nvm, cx| {
            nvm.write_buffer(cx, address + word * 4, Width::Word, 0x0101_0101 * word)
        });
        assert!(taken);
    }
}

fn command(bench: &mut Bench<Nvmctrl>, command: u32) {
    bench.write16(CTRLA, KEY << 8 | command);
}

fn word(bench: &Bench<Nvmctrl>, address: u32) -> u32 {
    bench.memory.read(address, Width::Word).expect("in flash")
}

#[test]
fn a_page_is_written_from_the_buffer_and_a_row_erased() {
    let mut bench = bench();
    fill(&mut bench, 0x240, 16);
    assert_eq!(bench.read16(STATUS), LOAD);
    assert_eq!(bench.read32(ADDR), 0x27C / 2);
    command(&mut bench, 0x04);
    assert_eq!(bench.read8(INTFLAG), 0);
    assert_eq!(bench.take(), [Effect::FlashBusy(PAGE_WRITE)]);
    bench.run_for(PAGE_WRITE);
    assert_eq!(bench.read8(INTFLAG), READY);
    assert_eq!((word(&bench, 0x240), word(&bench, 0x27C)), (0, 0x0F0F_0F0F));
    assert_eq!((word(&bench, 0x23C), bench.read16(STATUS)), (u32::MAX, 0));

    bench.write32(ADDR, 0x210 / 2);
    command(&mut bench, 0x02);
    bench.run_for(ROW_ERASE);
    assert_eq!(word(&bench, 0x27C), u32::MAX);
}

#[test]
fn programming_only_clears_bits() {
    let mut bench = bench();
    fill(&mut bench, 0, 2);
    command(&mut bench, 0x04);
    bench.run_for(PAGE_WRITE);
    fill(&mut bench, 4, 4);
    command(&mut bench, 0x04);
    bench.run_for(PAGE_WRITE);
    // 0x01010101 was there; 0 is programmed over it.
    assert_eq!(word(&bench, 4), 0);
}

#[test]
fn without_manual_write_the_last_word_of_a_page_starts_it() {
    let mut bench = bench();
    bench.write32(CTRLB, 0);
    fill(&mut bench, 0x80, 16);
    assert_eq!(bench.read8(INTFLAG), 0);
    bench.run_for(PAGE_WRITE);
    assert_eq!(word(&bench, 0x84), 0x0101_0101);
}

#[test]
fn errors_are_reported_by_flag_and_status() {
    let mut bench = bench();
    bench.write16(CTRLA, 0x5A02);
    assert_eq!((bench.read8(INTFLAG), bench.read16(STATUS)), (READY | ERROR, PROGE));
    bench.write16(STATUS, PROGE);
    bench.write8(INTFLAG, ERROR);
    bench.write32(ADDR, 0x300 / 2);
    command(&mut bench, 0x40);
    command(&mut bench, 0x02);
    assert_eq!((bench.read8(INTFLAG), bench.read16(STATUS)), (READY | ERROR, LOCKE));
    command(&mut bench, 0x41);
    command(&mut bench, 0x02);
    assert!(bench.block.is_busy());
}

#[test]
fn the_buffer_takes_no_bytes_and_waits_while_flash_is_busy() {
    let mut bench = bench();
    assert!(!bench.with(|nvm, cx| nvm.write_buffer(cx, 0, Width::Byte, 0)));
    command(&mut bench, 0x02);
    let stall = bench.with(|nvm, cx| {
        nvm.write_buffer(cx, 0, Width::Word, 0);
        cx.out.stall_until
    });
    assert_eq!(stall, Some(ROW_ERASE));
    assert_eq!(bench.read16(STATUS), 0);
}

#[test]
fn wait_states_read_mode_and_cache_decide_what_a_read_costs() {
    let mut bench = bench();
    let mut timing = |control_b| {
        bench.write32(CTRLB, MANW | control_b);
        let FlashTiming { wait_states, uncached } = bench.block.timing();
        (wait_states, uncached)
    };
    let one = 1 << 1;
    assert_eq!(timing(0), (0, false));
    assert_eq!(timing(one), (1, false));
    // Low power: a miss costs one more.
    assert_eq!(timing(one | 1 << 16), (2, false));
    assert_eq!(timing(1 << 16), (1, false));
    // Deterministic: a hit costs as much as a miss.
    assert_eq!(timing(one | 2 << 16), (1, true));
    assert_eq!(timing(one | CACHEDIS), (1, true));
}

#[test]
fn the_user_row_is_erased_and_written_and_counts_from_the_next_reset() {
    let mut bench = bench();
    bench.write32(ADDR, USER_ROW >> 1 & 0x003F_FFFF);
    command(&mut bench, 0x05);
    bench.run_for(ROW_ERASE);
    assert_eq!(bench.block.fuses(), [u32::MAX; 2]);
    bench.with(|nvm, cx| nvm.write_buffer(cx, USER_ROW, Width::Word, 0xFFFF_FFF6));
    command(&mut bench, 0x06);
    bench.run_for(PAGE_WRITE);
    assert_eq!(bench.block.fuses()[0], 0xFFFF_FFF6);
    bench.with(|nvm, cx| nvm.reset(cx, ResetKind::User));
    fill(&mut bench, 0x100, 1);
    command(&mut bench, 0x04);
    assert_eq!(bench.read16(STATUS) & LOCKE, LOCKE, "two rows are protected now");
}

#[test]
fn parameters_tell_the_size_of_flash() {
    for part in &PARTS {
        let mut bench = Bench::new(Nvmctrl::new(part, [0; 4]));
        let param = bench.read32(0x08);
        let page = 8 << (param >> 16);
        assert_eq!((page, (param & 0xFFFF) * page), (64, part.flash as u32));
    }
}

#[test]
fn commands_set_and_clear_power_reduction_and_the_security_bit() {
    let mut bench = bench();
    command(&mut bench, 0x42);
    assert_eq!(bench.read16(STATUS), PRM);
    command(&mut bench, 0x43);
    assert_eq!(bench.read16(STATUS), 0);
    command(&mut bench, 0x45);
    assert_eq!(bench.read16(STATUS), SB);
    bench.with(|nvm, cx| nvm.reset(cx, ResetKind::User));
    assert_eq!(bench.read16(STATUS), SB);
}

#[test]
fn a_reset_leaves_what_it_cuts_short_half_done() {
    let ones = |bench: &Bench<Nvmctrl>, words: u32| -> u32 {
        (0..words).map(|index| word(bench, 0x200 + 4 * index).count_ones()).sum()
    };
    let cut = |bench: &mut Bench<Nvmctrl>, after: Time| {
        bench.run_for(after);
        bench.with(|nvm, cx| nvm.reset(cx, ResetKind::Power));
        bench.write32(CTRLB, MANW);
        bench.run_for(ROW_ERASE);
    };
    let mut bench = bench();
    bench.with(|nvm, cx| {
        (0..16).for_each(|index| {
            nvm.write_buffer(cx, 0x200 + 4 * index, Width::Word, 0);
        });
    });
    command(&mut bench, 0x04);
    cut(&mut bench, PAGE_WRITE / 4);
    let left = ones(&bench, 16);
    assert!((300..460).contains(&left), "three quarters of 512 bits: {left}");

    bench.write32(ADDR, 0x200 / 2);
    command(&mut bench, 0x02);
    cut(&mut bench, ROW_ERASE / 2);
    let set = ones(&bench, 16);
    assert!((left + 20..512).contains(&set), "half of the others: {set}");
    command(&mut bench, 0x02);
    cut(&mut bench, Time::ZERO);
    assert_eq!(ones(&bench, 16), set, "an erasure that has not begun");
}
