// SPDX-License-Identifier: MIT OR Apache-2.0
//! What threads wait for, and threads that wait for each other.
//!
//! A call that waits is in a list of the object that it is about (`struct syscall`), so the list's
//! head tells the object; a thread that waits for its notification points to that.

use crate::Kernel;
use crate::kernel::MOST_THREADS;
use crate::record::{Bytes, Record};
use lichen_chip::Chip;
use lichen_image::{Image, Structure};
use std::fmt;

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Name of the object, if it has one.
    pub object: Option<String>,
    /// Control block of the thread that has it, if it is a mutex, and that thread's name.
    pub holder: Option<(u32, String)>,
    /// Whether the wait ends by itself.
    pub has_deadline: bool,
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.object, &self.holder, self.has_deadline) {
            (Some(object), Some((_, holder)), _) => write!(f, "for {object}, which {holder} has"),
            (Some(object), None, _) => write!(f, "for {object}"),
            (None, _, true) => f.write_str("for its deadline"),
            (None, _, false) => f.write_str("in a call"),
        }
    }
}

/// A thread of a deadlock: it waits for what the next one has, and the last one for what the first has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// Its name.
    pub thread: String,
    /// Name of the mutex that it waits for.
    pub mutex: String,
}

/// Threads that wait for each other, for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock(pub Vec<Blocked>);

impl fmt::Display for Deadlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Blocked { thread, mutex }) in self.0.iter().enumerate() {
            let holder = &self.0[(index + 1) % self.0.len()].thread;
            let begin = if index == 0 { "" } else { "; " };
            write!(f, "{begin}{thread} waits for {mutex}, which {holder} has")?;
        }
        Ok(())
    }
}

/// Layouts and names that tell what a call waits for.
#[derive(Clone, Debug)]
pub(crate) struct Waits {
    call: Structure,
    deadline: Structure,
    /// A bit of a thread's `syscall` that says that it is a notification.
    tag: u32,
    mutex: Option<Structure>,
    mutexes: std::ops::Range<u32>,
    /// Objects in memory: address, bytes, name.
    objects: Vec<(u32, u32, String)>,
}

/// `MUTEX_CONTENDED`, in a mutex's owner.
const CONTENDED: u32 = 1;
/// What call tags are with pointers of two bytes and of four (`ARCH_CALL_TAG`).
const TAGS: [(u32, u32); 2] = [(2, 0x8000), (4, 1)];

impl Waits {
    /// Those of `image`; none if its debug information has no calls.
    pub(crate) fn find(image: &Image) -> Option<Waits> {
        let address = |name| image.symbols().find(name).map(|symbol| symbol.address);
        let bytes = image.architecture()?.pointers.data_bytes;
        let begin = address("mutexes_begin").unwrap_or(0);
        let objects = image.symbols().objects().iter().filter(|object| object.size > 0);
        Some(Waits {
            call: image.structure("syscall")?,
            deadline: image.structure("deadline")?,
            tag: TAGS.iter().find(|(size, _)| *size == bytes).map(|(_, tag)| *tag)?,
            mutex: image.structure("mutex"),
            mutexes: begin..address("mutexes_end").unwrap_or(begin),
            objects: objects.map(|one| (one.address, one.size, one.name.clone())).collect(),
        })
    }

    /// Name of the object around `address`; of an element, if it is an array of mutexes.
    fn name(&self, address: u32) -> Option<String> {
        let (begin, bytes, name) = self
            .objects
            .iter()
            .find(|(begin, bytes, _)| (*begin..begin + bytes).contains(&address))?;
        let element = self.mutex.as_ref().map_or(0, |mutex| mutex.size);
        let is_array = self.mutexes.contains(begin) && element > 0 && *bytes > element;
        Some(if is_array {
            format!("{name}[{}]", (address - begin) / element)
        } else {
            name.clone()
        })
    }

    /// The mutex around `address`.
    fn mutex<'a>(&'a self, chip: &'a dyn Chip, address: u32) -> Option<Record<'a, dyn Chip + 'a>> {
        let layout = self.mutex.as_ref().filter(|_| self.mutexes.contains(&address))?;
        let offset = (address - self.mutexes.start) % layout.size;
        Some(Record { bytes: chip, layout, address: address - offset })
    }

    /// Control block of the thread that has `mutex`.
    fn owner(mutex: &Record<'_, dyn Chip + '_>) -> Option<u32> {
        let owner = mutex.get("owner")? & !CONTENDED;
        let architecture = mutex.bytes.architecture()?;
        (owner != 0).then(|| architecture.data_address(owner))
    }
}

impl Kernel {
    /// What the thread with this control block waits for; it must be waiting.
    pub fn wait(&self, chip: &dyn Chip, block: u32) -> Option<Wait> {
        let waits = self.waits.as_ref()?;
        let thread = Record { bytes: chip, layout: self.thread_layout.as_ref()?, address: block };
        let raw = thread.get("syscall")?;
        let architecture = chip.core().architecture();
        if raw & waits.tag != 0 {
            let object = waits.name(architecture.data_address(raw & !waits.tag));
            return Some(Wait { object, holder: None, has_deadline: false });
        }
        let address = architecture.data_address(raw);
        let call = Record { bytes: chip, layout: &waits.call, address };
        let at = waits.call.member("deadline")?.offset + waits.deadline.member("expire")?.offset;
        let size = waits.deadline.member("expire")?.size;
        let expire = crate::record::number(chip, address.checked_add(at)?, size)?;
        let list = call.address("list")?;
        let mutex = waits.mutex(chip, list);
        let holder = mutex.as_ref().and_then(Waits::owner);
        Some(Wait {
            object: if list == 0 { None } else { waits.name(list) },
            holder: holder.map(|block| (block, self.thread_name(chip, block))),
            has_deadline: expire != 0,
        })
    }

    /// Threads that wait for each other's mutexes, and whose calls have no deadline, if there are any.
    pub fn deadlock(&self, chip: &dyn Chip) -> Option<Deadlock> {
        if !self.is_contended(chip)? {
            return None;
        }
        self.statuses(chip).iter().find_map(|status| self.circle(chip, status.block)).map(Deadlock)
    }

    /// Whether a thread waits for a mutex.
    fn is_contended(&self, chip: &dyn Chip) -> Option<bool> {
        let waits = self.waits.as_ref()?;
        let layout = waits.mutex.as_ref()?;
        let mut all = waits.mutexes.clone().step_by(layout.size.max(1) as usize);
        Some(all.any(|address| {
            let waiting = Record { bytes: chip, layout, address }.address("waiting");
            waiting.is_some_and(|call| call != 0)
        }))
    }

    /// The circle of threads from `first` back to it.
    fn circle(&self, chip: &dyn Chip, first: u32) -> Option<Vec<Blocked>> {
        let (mut block, mut circle) = (first, Vec::new());
        for _ in 0..MOST_THREADS {
            let status = self.statuses(chip).into_iter().find(|status| status.block == block)?;
            let wait = status.wait.filter(|wait| !wait.has_deadline)?;
            circle.push(Blocked { thread: status.name, mutex: wait.object? });
            block = wait.holder?.0;
            if block == first {
                return Some(circle);
            }
        }
        None
    }
}
