// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who the processor works for, by the firmware's own symbols: a thread, or the source file of a handler.

use lichen_chip::Chip;
use lichen_image::Image;
use lichen_observe::{Kernel, from_the_tree};
use std::collections::BTreeMap;

/// As many exceptions as a core has at most: 16 of its own and 32 interrupts, or 34 vectors.
const EXCEPTIONS: u32 = 16 + 32;
/// A handler of that many interrupts is nobody's: it is where unexpected ones go.
const SHARED: usize = 3;
/// Files of the kernel, whose handlers run whatever is posted to it.
const KERNEL_FILES: [&str; 2] = ["os/kernel/", "os/arch/"];
/// Owner of what the kernel's handlers do.
const KERNEL: &str = "kernel and events";

/// The owners of an image's handlers.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Owner by the name of the interrupt or exception.
    handlers: BTreeMap<&'static str, String>,
    /// Interrupts with a handler of their own, whose file is known.
    drivers: BTreeMap<&'static str, String>,
    start: &'static str,
}

impl Names {
    /// What `image` says about the handlers in its vector table, for a chip like `chip`.
    pub fn of(image: &Image, chip: &dyn Chip) -> Names {
        let base = chip.memories().first().map_or(0, |memory| memory.start);
        let architecture = chip.core().architecture();
        let handler = |number: u32| {
            let read = |address, length| image.bytes_at(address, length);
            let address = architecture.handler(base, number, read)?;
            // The table may be shorter than the chip's: then code follows.
            (image.symbols().place(address)?.offset == 0).then_some(address)
        };
        let handlers: Vec<Option<u32>> = (0..EXCEPTIONS).map(handler).collect();
        let kernel = Kernel::find(image).ok().flatten();
        let threads = kernel.as_ref().is_some_and(Kernel::has_threads);
        let start = if threads { "start-up" } else { "main" };
        let mut names = Names { start, ..Names::default() };
        for number in 1..EXCEPTIONS {
            let exception = chip.core().exception_name(number);
            let of_own = handlers[number as usize].filter(|address| {
                handlers.iter().filter(|other| **other == Some(*address)).count() < SHARED
            });
            let file = of_own.and_then(|entry| {
                let body =
                    kernel.as_ref().map_or(entry, |known| known.body_of_handler(image, entry));
                // Where it begins with what is inlined, the last one is the handler itself.
                image.locations(body).into_iter().next_back()?.file
            });
            let owner = match file {
                Some(file) if KERNEL_FILES.iter().any(|folder| file.contains(folder)) => {
                    KERNEL.to_string()
                }
                Some(file) => {
                    let file = from_the_tree(&file).to_string();
                    names.drivers.insert(exception, file.clone());
                    file
                }
                None => format!("interrupt {exception}"),
            };
            names.handlers.insert(exception, owner);
        }
        names
    }

    /// Owner of what the handler of an exception does.
    pub fn handler(&self, exception: &str) -> String {
        let unknown = || format!("interrupt {exception}");
        self.handlers.get(exception).cloned().unwrap_or_else(unknown)
    }

    /// Driver of a peripheral: the file of the handler of its interrupt, if that has one of its own; of the
    /// first of its interrupts, where it has several (`TIMER1_OVF`).
    pub fn driver(&self, peripheral: &str) -> Option<&str> {
        let is_of = |name: &str| {
            let rest = name.strip_prefix(peripheral);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
        };
        self.drivers.iter().find(|(name, _)| is_of(name)).map(|(_, file)| file.as_str())
    }

    /// Source file of the handler of an interrupt, if it has a handler of its own.
    pub fn of_own(&self, interrupt: &str) -> Option<String> {
        self.drivers.get(interrupt).cloned()
    }

    /// Owner of what runs outside handlers while no thread is known.
    pub fn start(&self) -> &'static str {
        self.start
    }
}
