// SPDX-License-Identifier: MIT OR Apache-2.0
//! What containers have beside the program, and what MicroExe would have.

use super::plan::Title;
use super::{BenchError, OnWork, Reading, Rig};
use crate::packed::packed;
use lichen_key::Key;
use lichen_pack::Packed;
use serde::Deserialize;

/// Containers of programs, compared with MicroExe's formula.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Container {
    /// The figure that the worst is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folders of the programs in the tree.
    pub programs: Vec<String>,
}

/// A program and its container.
struct Row {
    name: String,
    packed: Packed,
}

impl Row {
    /// Header, references and checksum, as a multiple of what MicroExe would have.
    fn ratio(&self) -> f64 {
        self.packed.overhead() as f64 / f64::from(self.packed.formula.bytes())
    }

    /// A row of the paper's figure 6.
    fn parts(&self) -> String {
        let (header, formula) = (&self.packed.header, &self.packed.formula);
        format!(
            "code {}, constants {}, initial values {}, header {}, {} references {}, checksum {}; MicroExe {} beside \
             the code: {} symbols, {} variables, {} initialized; {:.2}; \
             CELF {}, ELF {} beside the code",
            header.code_bytes,
            header.constants_bytes,
            header.initial_bytes,
            header.header_bytes,
            self.packed.references,
            self.packed.token_bytes,
            lichen_container::CRC_BYTES,
            formula.bytes(),
            formula.relocations,
            formula.allocations,
            formula.initialized,
            self.ratio(),
            self.packed.relocatable.celf_bytes(),
            self.packed.relocatable.elf_bytes(),
        )
    }
}

impl Rig<'_> {
    /// The worst of the containers, and a row for each.
    pub(super) fn container(
        &self,
        entry: &Container,
        on_work: OnWork,
    ) -> Result<Vec<Reading>, BenchError> {
        let mut rows = Vec::new();
        for folder in &entry.programs {
            let packed = self.packed(folder, None, on_work)?;
            rows.push(Row { name: packed.header.name.clone(), packed });
        }
        let worst = rows.iter().max_by(|one, other| one.ratio().total_cmp(&other.ratio()));
        let worst = worst.ok_or_else(|| self.wrong("a [[container]] needs `programs`"))?;
        let ratio = (worst.ratio() * 100.0).round() / 100.0;
        let detail = format!("{}, the worst of {}", worst.name, rows.len());
        let mut readings = vec![self.reading(entry.title(), ratio, "ratio", detail, Vec::new())?];
        for row in &rows {
            let title = Title::Beside(format!("the whole container of {}", row.name));
            let bytes = row.packed.bytes.len() as f64;
            readings.push(self.reading(Some(title), bytes, "bytes", row.parts(), Vec::new())?);
        }
        Ok(readings)
    }

    /// The container of the program in a folder of the tree.
    pub(super) fn packed(
        &self,
        folder: &str,
        key: Option<&Key>,
        on_work: OnWork,
    ) -> Result<Packed, BenchError> {
        on_work(&format!("packing {folder}"));
        packed(self.tree, &self.board.name, folder, key, |_| {})
            .map_err(|error| self.wrong(format!("{folder}: {error}")))
    }
}
