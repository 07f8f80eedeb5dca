// SPDX-License-Identifier: MIT OR Apache-2.0
//! The record that the Lichen kernel leaves in a panic.

use crate::arch::Context;
use crate::kernel::{COOP_BODY, Kernel, LONGEST_NAME};
use crate::record::{Record, number};
use lichen_chip::Chip;
use lichen_image::Image;

/// `PANIC_MAGIC`, of which a narrower word has the lower bits: the record is valid.
const MAGIC: u32 = 0x4c50_414e;

/// Where the kernel is when the record is complete.
const RECORDED: &str = "panic_recorded";

/// An unknown cooperative thread: its body has called what failed.
const COOP: &str = "a cooperative thread";

/// Why the kernel panics on behalf of the thread that calls it.
const DEADLOCK: &str = "PANIC_DEADLOCK";
/// Why it panics because of a part that may wait for something.
const WATCHDOG: &str = "PANIC_WATCHDOG";

/// Where the kernel is when the record of a program that failed is complete.
const CRASHED: &str = "arch_panic_leave";

/// Sentences for the names of `enum panic_reason`.
const SENTENCES: [(&str, &str); 8] = [
    ("PANIC_ASSERT", "assertion failed"),
    ("PANIC_FAULT", "processor fault"),
    ("PANIC_STACK", "stack overflow"),
    ("PANIC_KERNEL_STACK", "kernel stack overflow"),
    ("PANIC_CONTEXT", "blocking call outside of a thread"),
    ("PANIC_INTERRUPT", "interrupt without a handler"),
    (WATCHDOG, "watchdog not fed"),
    (DEADLOCK, "deadlock"),
];

/// Why and where the kernel panicked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// Thread that failed, cooperative ones of programs without threads included; if it was none,
    /// `kernel`, or `interrupt` with its name, or what else is known.
    pub thread: String,
    /// In words.
    pub reason: String,
    /// Address of the instruction.
    pub pc: u32,
}

/// Why and where a loaded program failed, and was stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    /// The program, as `lichen ps` calls it.
    pub program: String,
    /// Its thread, or one of the image's that ran a command of the program.
    pub thread: String,
    /// In words.
    pub reason: String,
    /// Address of the instruction.
    pub pc: u32,
}

impl Kernel {
    /// Where the record of a program that failed is complete, in an image that loads programs.
    pub fn crash_recorded(&self, image: &Image) -> Option<u32> {
        self.crash.as_ref()?;
        image.symbols().find(CRASHED).filter(|symbol| symbol.function).map(|symbol| symbol.address)
    }

    /// What the record of the last program that failed says.
    pub fn crash(&self, image: &Image, chip: &dyn Chip) -> Option<Crash> {
        let (address, layout) = self.crash.as_ref()?;
        let crash = Record { bytes: chip, layout, address: *address };
        let record = address.checked_add(layout.member("record")?.offset)?;
        let record = Record { bytes: chip, layout: &self.panic_layout, address: record };
        let slot = u8::try_from(crash.get("slot")?).ok()?;
        let programs = self.programs(chip);
        let program = programs.in_slot(slot)?.name.clone();
        let name = reason_name(image, record.get("reason")?);
        Some(Crash {
            program,
            thread: crash.text("thread", LONGEST_NAME)?,
            reason: describe(
                image,
                chip,
                name.as_deref(),
                record.get("reason")?,
                record.get("detail")?,
            ),
            pc: chip.core().architecture().code_address(record.get("pc")?),
        })
    }

    /// Where a panic has completed its record; a breakpoint there catches every one.
    pub fn panic_recorded(image: &Image) -> Option<u32> {
        image.symbols().find(RECORDED).filter(|symbol| symbol.function).map(|symbol| symbol.address)
    }

    /// The record, if there is a valid one.
    pub fn panic(&self, image: &Image, chip: &dyn Chip) -> Option<Panic> {
        let record = Record { bytes: chip, layout: &self.panic_layout, address: self.panic };
        if !self.is_valid(chip)? {
            return None;
        }
        let (status, detail) = (record.get("status")?, record.get("detail")?);
        let name = reason_name(image, record.get("reason")?);
        let architecture = chip.core().architecture();
        let data_address = |pointer| architecture.data_address(pointer);
        let pc = architecture.code_address(record.get("pc")?);
        let context = self.port.map_or(Context::Thread, |port| (port.context_of_status)(status));
        let is_deadlock = name.as_deref() == Some(DEADLOCK);
        let block = record.get("thread")?;
        let thread = match (context, block) {
            (Context::Thread, 0) if self.coop_runs_alone(chip) => cooperative(image, pc),
            (_, block) if is_deadlock => self.thread_name(chip, data_address(block)),
            (context, block) => self.culprit(chip, context, block),
        };
        let circle = || self.closing(chip, data_address(block), data_address(detail));
        let reason = match is_deadlock.then(circle).flatten() {
            Some(circle) => format!("deadlock: {circle}"),
            None => describe(image, chip, name.as_deref(), record.get("reason")?, detail),
        };
        let reason = match name.as_deref() == Some(WATCHDOG) {
            true => reason + &self.meanwhile(image, chip),
            false => reason,
        };
        Some(Panic { thread, reason, pc })
    }

    /// The threads that wait without an end, in words: one of them may be the one that does not feed a watchdog.
    fn meanwhile(&self, image: &Image, chip: &dyn Chip) -> String {
        let statuses = self.statuses(chip);
        let waiting = statuses.iter().filter_map(|status| self.waiting(image, chip, status));
        let waiting: Vec<String> = waiting.map(|it| it.to_string()).collect();
        if waiting.is_empty() {
            String::new()
        } else {
            format!("; waiting: {}", waiting.join(", "))
        }
    }

    /// `check` is the exclusive or of all words before it, of which `magic` is the first.
    fn is_valid(&self, chip: &dyn Chip) -> Option<bool> {
        let check = self.panic_layout.member("check")?;
        let bytes = check.size.clamp(1, 4);
        let word = |offset| number(chip, self.panic.checked_add(offset)?, bytes);
        let mut offsets = (0..=check.offset).step_by(bytes as usize);
        let sum = offsets.try_fold(0, |sum, offset| Some(sum ^ word(offset)?))?;
        Some(sum == 0 && word(0)? == MAGIC & u32::MAX >> (32 - 8 * bytes))
    }

    /// Who failed; `block` is the record's number for the thread, 0 where none runs.
    fn culprit(&self, chip: &dyn Chip, context: Context, block: u32) -> String {
        let core = chip.core();
        match (context, block) {
            (Context::Thread | Context::Masked, 0) | (Context::Kernel, _) => "kernel".to_string(),
            (Context::Thread, block) => {
                self.thread_name(chip, core.architecture().data_address(block))
            }
            (Context::Interrupt(Some(number)), _) => {
                format!("interrupt {}", core.exception_name(number))
            }
            (Context::Interrupt(None), _) => "an interrupt".to_string(),
            (Context::Masked, _) => "code with interrupts off".to_string(),
        }
    }
}

/// The cooperative thread whose body is at `pc`.
fn cooperative(image: &Image, pc: u32) -> String {
    let symbols = image.symbols();
    let body = symbols.place(pc).map(|place| pc - place.offset);
    let mut bodies = symbols.functions().iter().filter(|symbol| Some(symbol.address) == body);
    let name = bodies.find_map(|symbol| symbol.name.strip_prefix(COOP_BODY));
    name.unwrap_or(COOP).to_string()
}

fn reason_name(image: &Image, reason: u32) -> Option<String> {
    image.enumeration("panic_reason")?.name(reason.into()).map(str::to_string)
}

fn describe(
    image: &Image,
    chip: &dyn Chip,
    name: Option<&str>,
    reason: u32,
    detail: u32,
) -> String {
    let Some(name) = name else { return format!("reason {reason}") };
    let data_address = |pointer| chip.core().architecture().data_address(pointer);
    let sentence = SENTENCES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
    match (name, sentence) {
        ("PANIC_INTERRUPT", Some(text)) if detail != 0 => {
            format!("{text}: {}", chip.core().exception_name(detail))
        }
        (WATCHDOG, Some(text)) => match object(image, data_address(detail)) {
            Some(channel) => format!("{text}: {channel}"),
            None => text.to_string(),
        },
        (_, Some(text)) => text.to_string(),
        (name, None) => name.trim_start_matches("PANIC_").to_lowercase().replace('_', " "),
    }
}

/// Name of the object at an address.
fn object(image: &Image, address: u32) -> Option<&str> {
    let objects = image.symbols().objects();
    let found = objects.iter().find(|symbol| symbol.address == address && symbol.size > 0)?;
    Some(&found.name)
}
