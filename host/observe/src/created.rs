// SPDX-License-Identifier: MIT OR Apache-2.0
//! Threads that the program has made at run time: a list in its memory (os/kernel/thread/create.c).

use crate::kernel::{LONGEST_NAME, MOST_THREADS};
use crate::record::{self, Record};
use lichen_chip::Chip;
use lichen_image::{Image, Structure};

/// The head of the list.
const HEAD: &str = "threads_created";

/// The list in an image that can make threads.
#[derive(Debug)]
pub(crate) struct CreatedThreads {
    head: u32,
    layout: Structure,
    info_offset: u32,
    info_layout: Structure,
}

/// A thread of the list.
pub(crate) struct CreatedThread {
    /// Its name, as the program gave it.
    pub name: String,
    /// Address of its control block.
    pub block: u32,
    /// The first byte of its stack.
    pub stack: u32,
    /// Size of its stack.
    pub stack_bytes: u32,
}

impl CreatedThreads {
    /// The list of `image`, if it has one.
    pub(crate) fn find(image: &Image) -> Option<CreatedThreads> {
        let head = image.symbols().find(HEAD)?.address;
        let layout = image.structure("thread_created")?;
        let info_offset = layout.member("info")?.offset;
        Some(CreatedThreads {
            head,
            layout,
            info_offset,
            info_layout: image.structure("thread_info")?,
        })
    }

    /// The threads that have not ended, the youngest first; as far as the list can be followed.
    pub(crate) fn all(&self, chip: &dyn Chip) -> Vec<CreatedThread> {
        let mut found = Vec::new();
        let mut next = record::pointer(chip, self.head);
        while let Some(block) = next.filter(|block| *block != 0) {
            let Some(thread) = self.thread(chip, block) else { break };
            found.push(thread);
            if found.len() as u32 == MOST_THREADS {
                break;
            }
            next = Record { bytes: chip, layout: &self.layout, address: block }.address("next");
        }
        found
    }

    /// A block of the list begins with the thread's control block.
    fn thread(&self, chip: &dyn Chip, block: u32) -> Option<CreatedThread> {
        let address = block.checked_add(self.info_offset)?;
        let info = Record { bytes: chip, layout: &self.info_layout, address };
        let name = info.text("name", LONGEST_NAME)?;
        Some(CreatedThread {
            name,
            block,
            stack: info.address("stack")?,
            stack_bytes: info.get("stack_bytes")?,
        })
    }
}
