// SPDX-License-Identifier: MIT OR Apache-2.0
//! What containers have beside the program, and what MicroExe would have.

use super::plan::Title;
use super::{BenchError, OnWork, Reading, Rig};
use lichen_image::Image;
use lichen_key::Key;
use lichen_pack::{About, Packed};
use lichen_project::{Program, interface::Interface};
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
             the code: {} symbols, {} variables, {} initialized; {:.2}",
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

    /// The container of the program in a folder of the tree, also of one that declares what a loaded program cannot have.
    pub(super) fn packed(
        &self,
        folder: &str,
        key: Option<&Key>,
        on_work: OnWork,
    ) -> Result<Packed, BenchError> {
        let unpacked = |error: &dyn std::fmt::Display| self.wrong(format!("{folder}: {error}"));
        let program = Program::at(self.tree, self.tree.path(folder));
        let program = program.map_err(|error| unpacked(&error))?;
        let load = program.manifest.load.clone();
        let load = load.ok_or_else(|| unpacked(&"it has no table [load]"))?;
        let source = program.source(self.tree);
        on_work(&format!("packing {folder}"));
        let built = lichen_build::build_loaded(self.tree, &source, &self.board.name, &mut |_| {})?;
        let about = About {
            name: load.name.unwrap_or_else(|| program.manifest.name.clone()),
            version: load.version.get(),
            confirm_s: load.confirm_s,
            has_mac: key.is_some(),
        };
        let bytes = std::fs::read(&built.elf).map_err(|error| unpacked(&error))?;
        let interface = Interface::read(self.tree).map_err(|error| unpacked(&error))?;
        let image = Image::load(&built.elf)?;
        let packed = lichen_pack::pack_anyway(&bytes, &image, &interface, &about);
        let mut packed = packed.map_err(|error| unpacked(&error))?;
        if let Some(key) = key {
            packed.sign(key.tag(&packed.bytes));
        }
        Ok(packed)
    }
}
