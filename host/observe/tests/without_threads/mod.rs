// SPDX-License-Identifier: MIT OR Apache-2.0
//! The image of a program without threads.

use lichen_image::Image;

/// `data/kernel.c` as if nothing in it switched threads.
pub fn image() -> Image {
    let mut bytes = include_bytes!("../data/kernel.elf").to_vec();
    let name = b"threads_start\0";
    let at = bytes.windows(name.len()).rposition(|window| window == name).expect("the switch");
    bytes[at] = b'T';
    Image::parse("kernel.elf", bytes).expect("an image")
}
