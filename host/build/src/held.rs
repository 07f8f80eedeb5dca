// SPDX-License-Identifier: MIT OR Apache-2.0
//! Real-time tasks that wait while the program writes the chip's own flash, in which they lie.

use lichen_image::Image;
use lichen_observe::Task;

/// What a program that writes the chip's flash has (`os/chip/flash.h`).
const WRITES_FLASH: &str = "flash_unit_erase";

/// The names of the tasks.
pub fn by_flash(image: &Image) -> Vec<String> {
    if image.symbols().find(WRITES_FLASH).is_none() {
        return Vec::new();
    }
    let in_ram = |task: &Task| {
        let mut writable = image.sections().iter().filter(|section| section.writable);
        writable.any(|it| (it.address..it.address + it.size).contains(&task.begin))
    };
    Task::find(image).into_iter().filter(|task| !in_ram(task)).map(|task| task.name).collect()
}
