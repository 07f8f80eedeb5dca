// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is reported about a kernel from its image and its memory (`data/kernel.c`).

mod still_chip;
mod without_threads;

use lichen_image::Image;
use lichen_observe::{Kernel, Panic, StackMark, Unreadable};
use still_chip::StillChip;

const PAINT: u32 = 0x5ac3_5ac3;
const MAGIC: u32 = 0x4c50_414e;

fn image() -> Image {
    let bytes = include_bytes!("data/kernel.elf");
    Image::parse("kernel.elf", bytes.to_vec()).expect("an image")
}

fn address(image: &Image, name: &str) -> u32 {
    image.symbols().find(name).unwrap_or_else(|| panic!("no {name}")).address
}

fn kernel(image: &Image) -> Kernel {
    Kernel::find(image).expect("readable").expect("a kernel")
}

/// A record as the firmware writes it.
fn record(image: &Image, chip: &mut StillChip, reason: u32, thread: u32, status: u32, detail: u32) {
    write(image, chip, [MAGIC, reason, thread, 0x1234, 0, 0, status, detail, 1]);
}

/// One of a failed assertion where no thread is.
fn record_at(image: &Image, chip: &mut StillChip, pc: u32) {
    write(image, chip, [MAGIC, 1, 0, pc, 0, 0, 0, 0, 1]);
}

fn write(image: &Image, chip: &mut StillChip, words: [u32; 9]) {
    let check = words.iter().fold(0, |check, word| check ^ word);
    let at = address(image, "panic_record");
    // The last two words are written later, and are not checked.
    for (index, word) in words.iter().chain([&check, &64, &128]).enumerate() {
        chip.put(at + 4 * index as u32, *word);
    }
}

#[test]
fn threads_are_found_by_name() {
    let image = image();
    let kernel = kernel(&image);
    let known: Vec<_> =
        kernel.threads().iter().map(|t| (t.name.as_str(), t.stack_bytes, t.priority)).collect();
    assert_eq!(known, [("logger", 256, 4), ("sampler", 128, 8)]);
    let mut chip = StillChip::default();
    assert_eq!(kernel.running(&chip).as_deref(), None, "before threads run");
    chip.put(address(&image, "kernel"), address(&image, "sampler"));
    assert_eq!(kernel.running(&chip).as_deref(), Some("sampler"));
    chip.put(address(&image, "kernel"), 0x2000_7000);
    assert_eq!(kernel.running(&chip).as_deref(), Some("idle"));
}

/// In a program without threads the memory of `struct kernel` may be somebody else's.
#[test]
fn without_threads_none_runs() {
    let image = without_threads::image();
    let kernel = kernel(&image);
    let mut chip = StillChip::default();
    chip.put(address(&image, "kernel"), address(&image, "sampler"));
    assert!(!kernel.has_threads());
    assert_eq!((kernel.running(&chip).as_deref(), kernel.current(&chip)), (None, None));
}

/// Where the test puts a thread that the program has made, and its name.
const MADE: u32 = 0x2000_6000;
const MADE_NAME: u32 = 0x2000_6800;

/// A kernel in which `logger` runs, `sampler` is in `state`, and a thread was made that is paused.
fn chip_with_made_thread(image: &Image, state: u32) -> StillChip {
    let mut chip = StillChip::default();
    let member = |structure: &str, name: &str| {
        image.structure(structure).and_then(|s| Some(s.member(name)?.offset)).expect("a member")
    };
    let idle = 0x2000_7000;
    chip.put(address(image, "kernel"), address(image, "logger"));
    chip.put(address(image, "kernel") + member("kernel", "ready"), idle);
    let state_word = |block: u32| block + (member("thread", "state") & !3);
    let shift = 8 * (member("thread", "state") & 3);
    chip.put(state_word(address(image, "sampler")), state << shift);
    chip.put(state_word(MADE), 2 << shift);
    chip.put(address(image, "threads_created"), MADE);
    let info = MADE + member("thread_created", "info");
    chip.put(info + member("thread_info", "name"), MADE_NAME);
    chip.put(MADE_NAME, u32::from_le_bytes(*b"made"));
    chip
}

#[test]
fn threads_made_at_run_time_are_seen_behind_the_declared_ones() {
    let image = image();
    let kernel = kernel(&image);
    for (state, name) in
        [(0, "ready"), (1, "waiting"), (2, "paused"), (3, "paused"), (4, "stopped")]
    {
        let chip = chip_with_made_thread(&image, state);
        let statuses = kernel.statuses(&chip);
        let seen: Vec<_> =
            statuses.iter().map(|status| (status.name.as_str(), status.state.name())).collect();
        let wanted =
            [("logger", "running"), ("sampler", name), ("idle", "ready"), ("made", "paused")];
        assert_eq!(seen, wanted);
    }
    let mut chip = chip_with_made_thread(&image, 0);
    chip.put(address(&image, "kernel"), MADE);
    assert_eq!(kernel.running(&chip).as_deref(), Some("a thread made at run time"));
    record(&image, &mut chip, 1, MADE, 0, 0);
    assert_eq!(kernel.panic(&image, &chip).map(|panic| panic.thread).as_deref(), Some("made"));
}

#[test]
fn stacks_are_used_down_to_the_last_touched_word() {
    let image = image();
    let kernel = kernel(&image);
    let mut chip = StillChip::default();
    for thread in kernel.threads() {
        (0..thread.stack_bytes).step_by(4).for_each(|at| chip.put(thread.stack + at, PAINT));
    }
    let logger = kernel.threads()[0].stack;
    chip.put(logger + 200, 0);
    chip.put(logger + 100, 0);
    let mark = |name: &str, bytes, used| StackMark { name: name.into(), bytes, used };
    assert_eq!(
        kernel.stacks(&chip),
        [mark("kernel", 256, 256), mark("logger", 256, 156), mark("sampler", 128, 0)],
        "the kernel's was never painted"
    );
}

#[test]
fn a_panic_names_the_culprit_and_the_reason() {
    let image = image();
    let kernel = kernel(&image);
    let mut chip = StillChip::default();
    assert_eq!(kernel.panic(&image, &chip), None, "no magic");
    let logger = address(&image, "logger");
    let cases = [
        (1, logger, 0, 0, "logger", "assertion failed"),
        (2, logger, 25, 0, "interrupt exception 25", "processor fault"),
        (3, logger, 14, 0, "kernel", "stack overflow"),
        (4, 0, 0, 0, "kernel", "kernel stack overflow"),
        (6, 0, 19, 19, "interrupt exception 19", "interrupt without a handler: exception 19"),
        (7, logger, 0, logger, "logger", "watchdog not fed: logger"),
        (7, logger, 0, 1, "logger", "watchdog not fed"),
        (99, 0, 0, 0, "kernel", "reason 99"),
    ];
    for (reason, thread, status, detail, culprit, sentence) in cases {
        record(&image, &mut chip, reason, thread, status, detail);
        let expected = Panic { thread: culprit.into(), reason: sentence.into(), pc: 0x1234 };
        assert_eq!(kernel.panic(&image, &chip), Some(expected));
    }
    assert_eq!(Kernel::panic_recorded(&image), Some(address(&image, "panic_recorded")));
}

#[test]
fn a_panic_without_threads_names_the_cooperative_thread() {
    let (image, threaded) = (without_threads::image(), image());
    let mut chip = StillChip::default();
    let culprit =
        |image: &Image, chip: &StillChip| kernel(image).panic(image, chip).map(|p| p.thread);
    record(&image, &mut chip, 1, 0, 0, 0);
    assert_eq!(culprit(&image, &chip).as_deref(), Some("kernel"), "start-up");
    chip.put(address(&image, "coop_states_end") & !3, u32::MAX);
    assert_eq!(culprit(&image, &chip).as_deref(), Some("a cooperative thread"), "what it calls");
    assert_eq!(culprit(&threaded, &chip).as_deref(), Some("kernel"), "before threads run");
    record_at(&image, &mut chip, address(&image, "coop_body_worker") + 2);
    assert_eq!(culprit(&image, &chip).as_deref(), Some("worker"));
    record(&image, &mut chip, 1, 0, 14, 0);
    assert_eq!(culprit(&image, &chip).as_deref(), Some("kernel"), "an event");
}

#[test]
fn a_place_that_is_not_known_is_in_no_file() {
    let image = image();
    assert!(!image.locations(0).is_empty(), "a dropped function");
    assert_eq!(lichen_observe::place(&image, 0), lichen_observe::Place::default());
}

#[test]
fn a_record_whose_check_fails_is_none() {
    let image = image();
    let mut chip = StillChip::default();
    record(&image, &mut chip, 1, 0, 0, 0);
    chip.put(address(&image, "panic_record") + 12, 0x4321);
    assert_eq!(kernel(&image).panic(&image, &chip), None);
}

#[test]
fn a_kernel_that_cannot_be_read_says_why() {
    let mut bytes = include_bytes!("data/kernel.elf").to_vec();
    let image = image();
    let abi = address(&image, "lichen_abi") as usize;
    // The only segment begins at address 0 and at this offset of the file.
    let start =
        bytes.windows(8).position(|window| Some(window) == image.bytes_at(0, 8)).expect("there");
    bytes[start + abi] = 77;
    let other = Image::parse("kernel.elf", bytes).expect("an image");
    assert_eq!(Kernel::find(&other).expect_err("unreadable"), Unreadable::Version(77));
}
