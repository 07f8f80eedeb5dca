// SPDX-License-Identifier: MIT OR Apache-2.0
//! Real-time tasks that wait while the program writes the chip's own flash, in which they lie.

use super::place;
use lichen_analysis::Text;
use lichen_image::Image;
use lichen_observe::Task;
use lichen_project::{Explain, Place};

/// What a program that writes the chip's flash has (`os/chip/flash.h`).
const WRITES_FLASH: &str = "flash_unit_erase";

/// What a program has whose tasks may wait (`lichen/rt.h`).
const MAY_WAIT: &str = "rt_may_wait_for_flash";

/// A task that would wait although the program does not say that it may.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "real-time task `{task}` is in flash, and waits for up to 6 ms while the program writes flash"
)]
pub struct FlashError {
    /// The task.
    pub task: String,
    /// Where it is.
    pub place: Option<Place>,
}

impl Explain for FlashError {
    fn place(&self) -> Option<Place> {
        self.place.clone()
    }

    fn remedy(&self) -> Option<String> {
        let remedy = "place it in RAM with RT_TASK_IN_RAM (lichen/rt.h), or write \
             RT_MAY_WAIT_FOR_FLASH; if its deadline allows that";
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

/// Refuses a task that waits in a program that does not say that it may.
pub(super) fn vet(image: &Image) -> Result<(), FlashError> {
    match waiting(image).first() {
        Some(task) if !image.has(MAY_WAIT) => {
            Err(FlashError { task: task.name.clone(), place: place(image, task.begin) })
        }
        _ => Ok(()),
    }
}
