// SPDX-License-Identifier: MIT OR Apache-2.0
//! What threads wait for, and threads that wait for each other.
//!
//! A call that waits is in a list of the object that it is about (`struct syscall`), so the list's
//! head tells the object; a thread that waits for its notification points to that.

use crate::kernel::MOST_THREADS;
use crate::record::{Bytes, Record, pointer};
use crate::{Kernel, Place, ThreadState, ThreadStatus};
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

/// A thread that waits, and not for a deadline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Its name.
    pub thread: String,
    /// Name of the object that it waits for, if it has one.
    pub object: Option<String>,
    /// The line of the program that waits, if that is known.
    pub place: Option<Place>,
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.thread)?;
        if let Some(object) = &self.object {
            write!(f, " for {object}")?;
        }
        match self.place.as_ref().map(|place| (&place.file, place.line)) {
            Some((Some(file), Some(line))) => write!(f, " at {file}:{line}"),
            _ => Ok(()),
        }
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

/// Where the kernel has its deadlines: the file, and the lists in it.
const DEADLINES: &str = "os/kernel/time/deadline.c";
const LISTS: [&str; 2] = ["first", "unread"];
/// The list of the calls of `thread_join`.
const JOINING: &str = "joining";
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

/// Whether a deadline is `DEADLINE_NEVER`.
fn is_never(deadline: &Record<'_, dyn Chip + '_>) -> Option<bool> {
    let tick = deadline.address.checked_add(deadline.layout.member("tick")?.offset)?;
    let half = |at| crate::record::word(deadline.bytes, at);
    Some(half(tick)? == u32::MAX && half(tick.checked_add(4)?)? == u32::MAX)
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
        let at = address.checked_add(waits.call.member("deadline")?.offset)?;
        let deadline = Record { bytes: chip, layout: &waits.deadline, address: at };
        let list = call.address("list")?;
        let mutex = waits.mutex(chip, list);
        let holder = mutex.as_ref().and_then(Waits::owner);
        Some(Wait {
            object: if list == 0 { None } else { self.object(chip, &call, list) },
            holder: holder.map(|block| (block, self.thread_name(chip, block))),
            has_deadline: deadline.get("expire")? != 0 && !is_never(&deadline)?,
        })
    }

    /// Name of the object whose calls are in `list`. All calls that wait for the end of a thread are in one.
    fn object(
        &self,
        chip: &dyn Chip,
        call: &Record<'_, dyn Chip + '_>,
        list: u32,
    ) -> Option<String> {
        let name = self.waits.as_ref()?.name(list)?;
        match call.address("object") {
            Some(thread) if name == JOINING => {
                Some(format!("the end of {}", self.thread_name(chip, thread)))
            }
            _ => Some(name),
        }
    }

    /// Threads that wait for each other's mutexes, and whose calls have no deadline, if there are any.
    pub fn deadlock(&self, chip: &dyn Chip) -> Option<Deadlock> {
        if !self.is_contended(chip)? {
            return None;
        }
        self.statuses(chip)
            .iter()
            .find_map(|status| self.chain(chip, status.block, status.block))
            .map(Deadlock)
    }

    /// The threads that wait or are paused, if nothing else is left: all others are stopped, no wait ends by itself, and
    /// no timer is armed. `None` if that is not so, and in programs with cooperative threads.
    pub fn all_wait(&self, image: &Image, chip: &dyn Chip) -> Option<Vec<Waiting>> {
        if self.has_coop() || !self.is_in_thread(chip) || self.has_deadlines(image, chip) {
            return None;
        }
        let statuses = self.statuses(chip);
        let is_idle = |status: &ThreadStatus| status.priority == 0;
        let (idle, threads): (Vec<_>, Vec<_>) = statuses.iter().partition(|it| is_idle(it));
        if !idle.iter().any(|idle| idle.state == ThreadState::Running) {
            return None;
        }
        let is_left = |status: &&&ThreadStatus| status.state != ThreadState::Stopped;
        let waiting = threads.iter().filter(is_left);
        let waiting: Vec<Waiting> =
            waiting.map(|status| self.waiting(image, chip, status)).collect::<Option<_>>()?;
        (!waiting.is_empty()).then_some(waiting)
    }

    /// Where a thread waits or is paused, unless that ends by itself.
    pub(crate) fn waiting(
        &self,
        image: &Image,
        chip: &dyn Chip,
        status: &ThreadStatus,
    ) -> Option<Waiting> {
        let object = match &status.wait {
            Some(wait) if wait.has_deadline => return None,
            None if status.state != ThreadState::Paused => return None,
            wait => wait.as_ref().and_then(|wait| wait.object.clone()),
        };
        let place = self.waits_at(image, chip, status.block);
        Some(Waiting { thread: status.name.clone(), object, place })
    }

    /// Whether something is in the kernel's list of deadlines that will pass.
    fn has_deadlines(&self, image: &Image, chip: &dyn Chip) -> bool {
        let objects = self.waits.iter().flat_map(|waits| &waits.objects);
        let mut lists = objects.filter(|(begin, bytes, name)| {
            let declared = || image.variables_in(*begin..begin + bytes);
            let is_list = |file: &str| file.ends_with(DEADLINES);
            LISTS.contains(&name.as_str())
                && declared().iter().any(|list| list.file.as_deref().is_some_and(is_list))
        });
        let ends = |list: u32| {
            let address = pointer(chip, list).filter(|first| *first != 0)?;
            let layout = &self.waits.as_ref()?.deadline;
            // They are in the order of time.
            Some(!is_never(&Record { bytes: chip, layout, address })?)
        };
        lists.any(|(list, ..)| ends(*list).unwrap_or(false))
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

    /// The circle of threads that the one with the control block `block` closes if it waits for the mutex at
    /// `address`, which it does not do yet.
    pub(crate) fn closing(&self, chip: &dyn Chip, block: u32, address: u32) -> Option<Deadlock> {
        let waits = self.waits.as_ref()?;
        let holder = Waits::owner(&waits.mutex(chip, address)?)?;
        let last = Blocked { thread: self.thread_name(chip, block), mutex: waits.name(address)? };
        let others = self.chain(chip, holder, block)?;
        Some(Deadlock(std::iter::once(last).chain(others).collect()))
    }

    /// The threads from `first` on, each of which waits for what the next one has, and the last one for what `end` has.
    fn chain(&self, chip: &dyn Chip, first: u32, end: u32) -> Option<Vec<Blocked>> {
        let (mut block, mut chain) = (first, Vec::new());
        for _ in 0..MOST_THREADS {
            let status = self.statuses(chip).into_iter().find(|status| status.block == block)?;
            let wait = status.wait.filter(|wait| !wait.has_deadline)?;
            chain.push(Blocked { thread: status.name, mutex: wait.object? });
            block = wait.holder?.0;
            if block == end {
                return Some(chain);
            }
        }
        None
    }
}
