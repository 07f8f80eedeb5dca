// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an image occupies in flash and RAM, and whether its manifest allows it.

use lichen_image::Image;
use lichen_project::{Budget, Explain, Place};

/// A section of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Such as `.text`.
    pub section: String,
    /// Bytes in flash.
    pub rom: u32,
    /// Bytes in RAM.
    pub ram: u32,
}

/// What an image occupies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// By section, in the order of addresses.
    pub rows: Vec<Row>,
}

impl Sizes {
    /// The sizes of `image`'s sections: those with contents lie in flash, those written at run time
    /// in RAM, initialised data in both.
    pub fn of(image: &Image) -> Sizes {
        let rows = image
            .sections()
            .iter()
            .filter(|section| section.size > 0 && !section.apart)
            .map(|section| Row {
                section: section.name.clone(),
                rom: if section.stored { section.size } else { 0 },
                ram: if section.writable { section.size } else { 0 },
            })
            .collect();
        Sizes { rows }
    }

    /// Bytes in flash.
    pub fn rom(&self) -> u32 {
        self.rows.iter().map(|row| row.rom).sum()
    }

    /// Bytes in RAM.
    pub fn ram(&self) -> u32 {
        self.rows.iter().map(|row| row.ram).sum()
    }

    /// Refuses an image that occupies more than `budget`.
    pub fn check(&self, budget: &Budget) -> Result<(), OverBudget> {
        let over = |memory, bytes, budget, place: &Place| {
            Err(OverBudget { memory, bytes, budget, place: place.clone() })
        };
        if self.rom() > budget.rom {
            return over("rom", self.rom(), budget.rom, &budget.rom_place);
        }
        if self.ram() > budget.ram {
            return over("ram", self.ram(), budget.ram, &budget.ram_place);
        }
        Ok(())
    }
}

/// An image that occupies more than its manifest allows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the image takes {bytes} bytes of {memory}, {} more than its budget of {budget}", bytes - budget)]
pub struct OverBudget {
    /// `rom` or `ram`.
    pub memory: &'static str,
    /// Bytes taken.
    pub bytes: u32,
    /// Bytes allowed.
    pub budget: u32,
    /// Line of the manifest that says so.
    pub place: Place,
}

impl Explain for OverBudget {
    fn place(&self) -> Option<Place> {
        Some(self.place.clone())
    }

    fn remedy(&self) -> Option<String> {
        let OverBudget { memory, bytes, .. } = self;
        Some(format!("make the program smaller, or allow it here: {memory} = {bytes}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes() -> Sizes {
        let row = |section: &str, rom, ram| Row { section: section.to_string(), rom, ram };
        Sizes { rows: vec![row(".text", 100, 0), row(".data", 8, 8), row(".bss", 0, 40)] }
    }

    fn budget(rom: u32, ram: u32) -> Budget {
        let place = |line| Place::line("lichen.toml", line);
        Budget { rom, rom_place: place(5), ram, ram_place: place(6) }
    }

    #[test]
    fn initialised_data_counts_in_both_memories() {
        assert_eq!((sizes().rom(), sizes().ram()), (108, 48));
    }

    #[test]
    fn a_budget_may_be_used_up_but_not_exceeded() {
        assert_eq!(sizes().check(&budget(108, 48)), Ok(()));
        let over = sizes().check(&budget(108, 47)).expect_err("one byte over");
        assert_eq!(over.place().map(|p| p.to_string()), Some("lichen.toml:6".to_string()));
        assert_eq!((over.memory, over.bytes), ("ram", 48));
        assert!(sizes().check(&budget(107, 48)).is_err());
    }
}
