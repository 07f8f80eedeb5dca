// SPDX-License-Identifier: MIT OR Apache-2.0
//! Real-time tasks while the program writes the chip's own flash: on the SAM R21 those in flash wait; on the ATmega128
//! those of priority 1, and those of priority 0 run in the boot section, as all must that they call.

use super::calls::LAST_WORDS;
use super::place;
use lichen_analysis::{Callee, Graphs, Text};
use lichen_image::Image;
use lichen_observe::Task;
use lichen_project::{Explain, Place};
use std::collections::BTreeSet;

/// What a program that writes flash has on the SAM R21 (`os/chip/samr21/rows.h`).
const WRITES_FLASH: &str = "flash_run";

/// What a program has whose tasks may wait (`lichen/rt.h`).
const MAY_WAIT: &str = "rt_may_wait_for_flash";

/// What a program that writes flash has on the ATmega128 (`os/chip/atmega128/spm.S`), and where the boot section begins.
const WRITES_PAGES: &str = "spm_page";
const BOOT: &str = "boot_begin";

/// A task that does not run while flash is written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FlashError {
    /// It would wait although the program does not say that it may.
    #[error(
        "real-time task `{task}` is in flash, and waits for up to 6 ms while the program writes flash"
    )]
    Waits {
        /// The task.
        task: String,
        /// Where it is.
        place: Option<Place>,
    },
    /// It is deferred although the program does not say that it may be.
    #[error(
        "real-time task `{task}` has priority 1, and waits for up to 8.2 ms while the program writes flash"
    )]
    Deferred {
        /// The task.
        task: String,
        /// Where it is.
        place: Option<Place>,
    },
    /// It calls what cannot be fetched then.
    #[error(
        "real-time task `{task}` calls `{called}', which cannot be fetched while the program writes flash"
    )]
    Calls {
        /// The task.
        task: String,
        /// What it calls.
        called: String,
        /// The call in the program.
        place: Option<Place>,
    },
}

impl Explain for FlashError {
    fn place(&self) -> Option<Place> {
        match self {
            FlashError::Waits { place, .. }
            | FlashError::Deferred { place, .. }
            | FlashError::Calls { place, .. } => place.clone(),
        }
    }

    fn remedy(&self) -> Option<String> {
        let remedy = match self {
            FlashError::Waits { .. } => {
                "place it in RAM with RT_TASK_IN_RAM (lichen/rt.h), or write \
                 RT_MAY_WAIT_FOR_FLASH; if its deadline allows that"
            }
            FlashError::Deferred { .. } => {
                "give it .priority = 0, or write RT_MAY_WAIT_FOR_FLASH (lichen/rt.h); if its deadline \
                 allows that"
            }
            FlashError::Calls { .. } => {
                "place a function of the program with RT_IN_BOOT (lichen/rt.h); do without one of the \
                 system or the compiler, or give the task .priority = 1"
            }
        };
        Some(remedy.to_string())
    }
}

/// The tasks of an image that wait.
pub fn waiting(image: &Image) -> Vec<Task> {
    if !image.has(WRITES_FLASH) {
        return Vec::new();
    }
    let text = Text::of(image);
    Task::find(image).into_iter().filter(|task| !text.is_copied(task.begin)).collect()
}

/// Refuses a task that waits in a program that does not say that it may, and one that calls what does not run.
pub(super) fn vet(text: &Text<'_>) -> Result<(), FlashError> {
    let image = text.image();
    if let Some(task) = waiting(image).first()
        && !image.has(MAY_WAIT)
    {
        let (task, place) = (task.name.clone(), place(image, task.begin));
        return Err(FlashError::Waits { task, place });
    }
    match text.symbol(BOOT) {
        Some(boot) if image.has(WRITES_PAGES) => vet_pages(text, boot),
        _ => Ok(()),
    }
}

/// The same on the ATmega128, whose boot section begins at `boot`.
fn vet_pages(text: &Text<'_>, boot: u32) -> Result<(), FlashError> {
    let image = text.image();
    let mut graphs = Graphs::new(text);
    for task in Task::find(image) {
        if task.priority != 0 {
            if !image.has(MAY_WAIT) {
                let place = place(image, task.begin);
                return Err(FlashError::Deferred { task: task.name, place });
            }
        } else if let Some((at, to)) = call_below(&mut graphs, task.begin, boot) {
            // The compiler's copy of a function has a name of more parts.
            let called = text.around(to).and_then(|function| function.name.split('.').next());
            let called = called.map(str::to_string);
            let called = called.unwrap_or_else(|| format!("0x{to:05x}"));
            return Err(FlashError::Calls { task: task.name, called, place: place(image, at) });
        }
    }
    Ok(())
}

/// The first call, of all that the function at `start` leads to, of a function below `boot`, where the program does not
/// end. What pointers lead to is not known.
fn call_below(graphs: &mut Graphs<'_, '_>, start: u32, boot: u32) -> Option<(u32, u32)> {
    let last: Vec<u32> = LAST_WORDS.iter().filter_map(|name| graphs.text.symbol(name)).collect();
    let (mut seen, mut ways) = (BTreeSet::new(), vec![start]);
    while let Some(function) = ways.pop() {
        if !seen.insert(function) {
            continue;
        }
        for call in &graphs.known_of(function).calls {
            match call.callee {
                Callee::Function(to) | Callee::Switch(to) if last.contains(&to) => {}
                Callee::Function(to) | Callee::Switch(to) if to < boot => {
                    return Some((call.at, to));
                }
                Callee::Function(to) | Callee::Switch(to) => ways.push(to),
                Callee::Pointer | Callee::Service => {}
            }
        }
    }
    None
}
