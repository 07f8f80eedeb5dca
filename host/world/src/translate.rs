// SPDX-License-Identifier: MIT OR Apache-2.0
//! Translates reports of chips and devices to events.

use lichen_chip::{Activity, Chip, Warning, WarningKind};
use lichen_device::air::{Fate, Meeting, Transmission};
use lichen_device::{Consumption, Device, Report, air};
use lichen_image::Image;
use lichen_observe as observe;
use lichen_trace::{Frame, Kind, Meets, Place, Registers};
use std::borrow::Cow;

/// The place of the instruction at `pc` in the source.
pub(crate) fn place(image: &Image, pc: u32) -> Place {
    of_place(observe::place(image, pc))
}

/// A place that was found.
pub(crate) fn of_place(found: observe::Place) -> Place {
    let observe::Place { pc, symbol, file, line } = found;
    Place { pc: Some(pc), symbol, file, line }
}

/// A fault whose handler is about to run its first instruction.
pub(crate) fn fault(chip: &dyn Chip, place: Place, reason: &str) -> Kind {
    let architecture = chip.core().architecture();
    let names = architecture.registers;
    let registers = chip.core().saved_by_exception().map(|saved| {
        Registers(saved.into_iter().map(|(number, value)| (names[number].name, value)).collect())
    });
    let (name, reason) = (architecture.fault, reason.to_string());
    Kind::Fault { name, reason, locked_up: false, place, registers }
}

pub(crate) fn lockup(chip: &dyn Chip, place: Place, reason: &str) -> Kind {
    let (name, reason) = (chip.core().architecture().fault, reason.to_string());
    Kind::Fault { name, reason, locked_up: true, place, registers: None }
}

pub(crate) fn report(report: Report) -> Kind {
    match report {
        Report::Pin { pin, name, high } => Kind::Gpio { pin, name, level: high.map(u8::from) },
        Report::Character { port, from_mote, data } => {
            Kind::Uart { port, dir: if from_mote { "out" } else { "in" }, data }
        }
        Report::Condition { name, condition } => {
            Kind::Condition { device: name, condition: condition.to_string() }
        }
        Report::Sent(sent) => Kind::Sent { frame: frame(sent) },
        Report::Heard { frame: heard, sender, lqi, fate, whole } => {
            Kind::Heard { sender, lqi, fate: name(fate), whole, frame: frame(heard) }
        }
        Report::Mismatch(what) => Kind::Warning { what, place: Place::default() },
    }
}

fn frame(frame: air::Frame) -> Frame {
    let air::Frame { start, frequency_khz: khz, rate: bps, power, bytes } = frame;
    Frame { start, khz, bps, dbm: f64::from(power) / 100.0, bytes }
}

/// The name of what became of a frame.
fn name(fate: Fate) -> &'static str {
    match fate {
        Fate::Received => "received",
        Fate::Corrupted => "corrupted",
        Fate::Filtered => "filtered",
        Fate::Overflowed => "overflowed",
        Fate::Abandoned => "abandoned",
    }
}

/// A transmission of a sender that begins to arrive with this power, in hundredths of a dBm.
pub(crate) fn arrival(
    (sender, transmission): (u32, &Transmission),
    power: i32,
    meets: Meets,
) -> Kind {
    let (khz, end) = (transmission.frequency_khz, transmission.end);
    Kind::Arrives { sender, khz, dbm: f64::from(power) / 100.0, end, meets }
}

/// How a radio meets a transmission.
pub(crate) fn meeting(meeting: Meeting) -> Meets {
    match meeting {
        Meeting::Listens => Meets::Listens,
        Meeting::Busy => Meets::Busy,
        Meeting::TooWeak => Meets::TooWeak,
        Meeting::Elsewhere => Meets::Elsewhere,
        Meeting::Sends => Meets::Sends,
        Meeting::Deaf => Meets::Deaf,
    }
}

/// What a component of the chip `part` does.
pub(crate) fn activity(part: &'static str, activity: Activity) -> Kind {
    let Activity { component, state, hz, bus_hz } = activity;
    Kind::Activity { part, component: Cow::Borrowed(component), state, hz, bus_hz }
}

/// What a device does.
pub(crate) fn consumption(device: &dyn Device, consumption: Consumption) -> Kind {
    let Consumption { part, state } = consumption;
    let component = Cow::Owned(device.name().to_string());
    Kind::Activity { part, component, state, hz: 0, bus_hz: 0 }
}

/// What woke the processor.
pub(crate) fn cause(chip: &dyn Chip, exception: Option<u32>) -> &'static str {
    exception.map_or("event", |number| chip.core().exception_name(number))
}

pub(crate) fn warning(place: Place, warning: &Warning) -> Kind {
    let unit = match warning.width.bytes() {
        1 => "byte",
        2 => "halfword",
        _ => "word",
    };
    let access = match warning.written {
        Some(value) => format!("write of 0x{value:x} ({unit})"),
        // Not what an instruction accesses, but the instruction itself.
        None if warning.address == warning.pc => "execution".to_owned(),
        None => format!("read ({unit})"),
    };
    let block = match warning.block {
        "" => String::new(),
        block => format!(" ({block})"),
    };
    let why = match warning.kind {
        WarningKind::Nothing => "nothing answers there, the access faults",
        WarningKind::BusUnclocked => "its bus clock is off; enable it in the power manager",
        WarningKind::CoreUnclocked => "its generic clock is off; give it one",
        WarningKind::Reserved => "reserved bits or a reserved value",
        WarningKind::NoRegister => "no register there that allows this access",
        WarningKind::Protected => "write-protected, or enabled when it must not be",
        WarningKind::NotModelled => "the simulator does not model this",
        WarningKind::FlashBusy => "flash is being programmed, what is read there has no meaning",
        WarningKind::Undefined => "the manual leaves open what this instruction does",
        WarningKind::NoMemory => {
            "no memory there: a write is lost, and what is read has no meaning"
        }
        WarningKind::Erased => "flash is erased there, it holds no instruction",
        WarningKind::Stack => {
            "the stack is there, outside of RAM: it has grown too far, its pointer was not set, or the \
             program is for another chip"
        }
        WarningKind::NotArrived => "the last write to it has not arrived yet, and may be corrupted",
        WarningKind::AsleepTooSoon => {
            "the chip falls asleep too soon after this timer was written, or woke it: it may not wake it again"
        }
        WarningKind::NotSent => "not sent: the transmitter is off, or its buffer is full",
        WarningKind::NullPointer => {
            "a pointer to nothing: the store changes what it must not, or gets lost"
        }
        WarningKind::NullPointerRead => "a pointer to nothing: what is read has no meaning",
        WarningKind::FlashTooSlow => "flash needs a wait state above 24 MHz",
    };
    let what = format!("{access} at 0x{:08x}{block}: {why}", warning.address);
    Kind::Warning { what, place }
}
