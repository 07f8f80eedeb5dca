// SPDX-License-Identifier: MIT OR Apache-2.0
//! Images of the tree's own programs.

use crate::common::{call, root};
use lichen_image::Image;
use std::sync::Arc;

/// Builds `program` for `board` as a user does.
pub fn built(program: &str, board: &str) -> Arc<Image> {
    let built = call(&["build", program, "--board", board]);
    assert_eq!(built.code, 0, "{}{}", built.out, built.err);
    let elf = built.out.lines().rfind(|line| line.ends_with(".elf")).expect("an image");
    Arc::new(Image::load(&root().join(elf.trim())).expect("it was just built"))
}
