// SPDX-License-Identifier: MIT OR Apache-2.0
//! The logs, volumes and counters of a program: objects that hold a number of pages, which the mote replaces by its own
//! (`os/include/lichen/partition.h`).

use crate::blocks::{Blocks, length};
use crate::elf::{Elf, Name, Part, Relocation, Role};
use crate::error::PackError;
use crate::fields;
use lichen_container::{Partition, Storage};
use lichen_image::Image;

/// What `STORAGE_TAKE` adds to a name.
const SUFFIX: &str = "_places";

/// The storage that the data of the program in `elf` has, in the order of their names.
pub fn partitions(elf: &Elf, image: &Image, blocks: &Blocks) -> Result<Vec<Partition>, PackError> {
    let mut partitions = Vec::new();
    for part in &elf.parts {
        let uses = part.relocations.iter().filter(|it| it.role == Some(Role::Storage));
        for used in uses {
            partitions.push(partition(elf, image, blocks, part, used)?);
        }
    }
    partitions.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(partitions)
}

fn partition(
    elf: &Elf,
    image: &Image,
    blocks: &Blocks,
    part: &Part,
    used: &Relocation,
) -> Result<Partition, PackError> {
    let places = places(elf, used);
    let name = places.map_or(used.symbol.as_str(), |places| &places.name);
    let name = name.strip_suffix(SUFFIX).unwrap_or(name);
    let is_of = |kind: &Storage| {
        let known = image.variables(kind.name());
        known.iter().any(|it| it.address == Some(used.at) && it.structures == [kind.name()])
    };
    let kind = Storage::ALL.into_iter().find(is_of).filter(|_| part.role == Role::Data);
    let (Some(places), Some(kind)) = (places, kind) else {
        return Err(PackError::Storage { name: name.to_string() });
    };
    let place = (used.at - blocks.origin(Role::Data)) as usize;
    Ok(Partition {
        kind,
        name: name.to_string(),
        pages: length("pages of storage", places.size as usize)?,
        place: length("bytes of data", place)?,
    })
}

/// The pages that a field refers to.
fn places<'elf>(elf: &'elf Elf, used: &Relocation) -> Option<&'elf Name> {
    let bytes = elf.bytes_at(used.at, 4).or_else(|| elf.bytes_at(used.at, 2)).unwrap_or_default();
    let address = fields::target(elf.machine, used, bytes);
    elf.names.iter().find(|name| name.role == Role::Storage && name.address == address)
}
