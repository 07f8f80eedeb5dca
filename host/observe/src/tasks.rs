// SPDX-License-Identifier: MIT OR Apache-2.0
//! The real-time tasks of an image: what they declare (`lichen/rt.h`), in a section that is for tools, and where
//! their functions begin and end.

use lichen_analysis::Text;
use lichen_image::{Image, Structure};
use lichen_isa::Flow;

/// Where the linker keeps the declarations, one after the other.
const SECTION: &str = ".lichen_rt";
/// Second names of the functions, and what precedes the task's name in them.
const FUNCTION: &str = "rt_task_";
/// How the names of the functions end that start a task's period, behind its name.
const STARTS: [&str; 2] = ["_rt_period_start", "_rt_period_change"];

/// A real-time task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its name in the source.
    pub name: String,
    /// The data sheet's name of its interrupt, such as `TC3`.
    pub vector: String,
    /// 0, the more urgent, or 1.
    pub priority: u8,
    /// Least time between two requests, in microseconds.
    pub period_us: u32,
    /// How long after a request it must have ended, in microseconds.
    pub deadline_us: u32,
    /// Most cycles of its function.
    pub wcet_cycles: u32,
    /// Address of its first instruction.
    pub begin: u32,
    /// The instructions by which it returns: their addresses, and the cycles that they take.
    pub returns: Vec<(u32, u32)>,
}

impl Task {
    /// The real-time tasks of `image`; none in images of others, and without debug information.
    pub fn find(image: &Image) -> Vec<Task> {
        let layouts = image.structure("rt_task").zip(image.structure("rt_declaration"));
        let Some((outer, inner)) = layouts.filter(|(outer, _)| outer.size > 0) else {
            return Vec::new();
        };
        let records = image.declared(SECTION).chunks_exact(outer.size as usize);
        records.filter_map(|record| Task::read(image, record, &outer, &inner)).collect()
    }

    /// Whether anything in `image` starts its period, whether or not that has been executed yet. Looks at the source of
    /// each instruction: milliseconds.
    pub fn is_started_by(&self, image: &Image) -> bool {
        let starts = STARTS.map(|ending| format!("{}{ending}", self.name));
        let is_start = |address| {
            let places = image.locations(address);
            places.iter().filter_map(|it| it.function.as_ref()).any(|name| starts.contains(name))
        };
        let functions = image.symbols().functions();
        functions.iter().any(|it| (it.address..it.address + it.size).step_by(2).any(is_start))
    }

    fn read(image: &Image, record: &[u8], outer: &Structure, inner: &Structure) -> Option<Task> {
        let declared = record.get(outer.member("declared")?.offset as usize..)?;
        let name = text(record, outer, "name")?;
        let function = image.symbols().find(&format!("{FUNCTION}{name}"))?;
        let begin = lichen_isa::architecture(image.machine().number())?
            .instruction_address(function.address);
        Some(Task {
            vector: text(record, outer, "vector")?,
            priority: number(declared, inner, "priority")? as u8,
            period_us: number(declared, inner, "period_us")?,
            deadline_us: number(declared, inner, "deadline_us")?,
            wcet_cycles: number(declared, inner, "wcet_cycles")?,
            begin,
            returns: returns(image, begin, begin.checked_add(function.size)?),
            name,
        })
    }
}

/// The member of a record that is an array of characters, up to its zero byte.
fn text(record: &[u8], layout: &Structure, member: &str) -> Option<String> {
    let member = layout.member(member)?;
    let begin = member.offset as usize;
    let bytes = record.get(begin..begin + member.size as usize)?;
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
}

/// The member of a record that is a number.
fn number(record: &[u8], layout: &Structure, member: &str) -> Option<u32> {
    let member = layout.member(member)?;
    let begin = member.offset as usize;
    let mut value = [0; 4];
    let size = member.size as usize;
    value.get_mut(..size)?.copy_from_slice(record.get(begin..begin + size)?);
    Some(u32::from_le_bytes(value))
}

/// The instructions from `begin` to `end` that return.
fn returns(image: &Image, begin: u32, end: u32) -> Vec<(u32, u32)> {
    let text = Text::of(image);
    let returns = text.instructions(begin..end).filter(|(_, it)| it.flow == Flow::Return);
    returns.map(|(at, instruction)| (at, instruction.cycles.taken)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(name: &str) -> Image {
        let file = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
        Image::load(file.as_ref()).expect("an image")
    }

    #[test]
    fn images_without_declarations_have_no_tasks() {
        assert_eq!(Task::find(&image("kernel.elf")), []);
    }
}
