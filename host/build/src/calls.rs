// SPDX-License-Identifier: MIT OR Apache-2.0
//! How deep the calls of an image get on the stacks of programs that are loaded into it, what `lichen pack` adds to the
//! program's own frames; and the storage that it has for them.

use crate::stack::KernelStack;
use crate::{BuildError, system};
use lichen_analysis::Text;
use lichen_image::{Image, Machine};
use lichen_observe::{Bytes, Kernel, Record};
use lichen_project::interface::{Architecture, Interface};
use lichen_stack::{
    Absent, CallPath, Root, Step, beside_functions, depth_bounds, function_depths, start_bytes,
};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The linker's tables of groups and of storage (`os/kernel/flash.ld`).
const TABLE: [&str; 2] = ["calls_begin", "calls_end"];
const STORAGE: [&str; 2] = ["partitions_begin", "partitions_end"];
/// The longest name of storage that a container's header has room for.
const NAME_MAX: u32 = 255;

/// The calls of an image, and what else of its stacks concerns programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// Bytes that the stack of each thread must have beside its functions: for interrupts, and what the kernel wants
    /// unused.
    pub thread: u32,
    /// Bytes of the kernel's stack that a start function may use.
    pub start: u32,
    /// Bytes of the kernel's stack that an event may use; none: the image has no events of programs.
    pub event: Option<u32>,
    /// Bytes of the shell's stack that a command may use; none: no shell finds commands of programs.
    pub command: Option<u32>,
    /// By their numbers.
    pub calls: Vec<Call>,
    /// What programs find by name, in the order of the names.
    pub storage: Vec<Storage>,
}

/// Storage for programs: a `struct partition`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Storage {
    /// `enum partition_kind`.
    pub kind: u8,
    /// Its name.
    pub name: String,
    /// Its pages.
    pub pages: u16,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// As containers have it.
    pub number: u8,
    /// Its name.
    pub name: String,
    /// How deep it gets on the stack of its caller, its return address included.
    pub bytes: u32,
    /// Whether that is certain: it follows no pointer that may lead anywhere, and does not call itself.
    pub is_bound: bool,
    /// The functions on the way to the deepest point, and the bytes of each.
    pub path: Vec<(String, u32)>,
}

impl Calls {
    /// Those of `image`; `None` if no programs can be loaded into it.
    pub fn of(image: &Image, interface: &Interface) -> Option<Calls> {
        let exported = exported(image)?;
        let text = Text::of(image);
        let functions: Vec<u32> = exported.iter().map(|(_, function)| *function).collect();
        let roots = functions.iter().map(|entry| Root { entry: *entry, ..Root::default() });
        let known = function_depths(&text, &roots.collect::<Vec<_>>(), &Absent::new());
        let bounds = depth_bounds(&text, &functions, &Absent::new());
        let architecture = match image.machine() {
            Machine::Arm => Architecture::Armv6m,
            Machine::Avr => Architecture::Avr8,
        };
        let groups = interface.groups.iter().filter(|group| group.is_on(architecture));
        let names = groups.flat_map(|group| &group.calls);
        let call = |((number, _), (known, bound)): ((u8, u32), (CallPath, Result<CallPath, _>))| {
            let name = names.clone().find(|call| call.id == number)?.name.clone();
            let is_bound = bound.is_ok();
            let CallPath { bytes, steps } = bound.unwrap_or(known);
            let path = steps.into_iter().map(|step| (step.function, step.bytes)).collect();
            Some(Call { number, name, bytes, is_bound, path })
        };
        let calls = exported.into_iter().zip(known.into_iter().zip(bounds)).filter_map(call);
        let need = KernelStack::of(image).and_then(|stack| stack.need.ok());
        let thread = beside_functions(&text, need.as_ref());
        let finds = text.symbol("shell_find_of_programs");
        let command = finds.and_then(|_| crate::vet::command_bytes(&text, thread));
        let event = text.symbol("programs_event_stack").filter(|bytes| *bytes > 0);
        let (start, calls) = (start_bytes(&text), calls.collect());
        let storage = storage(image).unwrap_or_default();
        Some(Calls { thread, start, event, command, calls, storage })
    }

    /// The calls as functions that a program calls and does not have.
    pub fn absent(&self) -> Absent {
        let path = |call: &Call| {
            let step = |(function, bytes): &(String, u32)| Step {
                function: function.clone(),
                bytes: *bytes,
            };
            let steps = call.path.iter().map(step).collect();
            (call.name.clone(), CallPath { bytes: call.bytes, steps })
        };
        self.calls.iter().map(path).collect()
    }

    /// The file of them in the build folder `folder` of the image `name`.
    pub fn file(folder: &Path, name: &str) -> PathBuf {
        folder.join(format!("{name}.calls.json"))
    }

    /// Writes them.
    pub fn write(&self, file: &Path) -> Result<(), BuildError> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        std::fs::write(file, text + "\n")
            .map_err(|source| system("cannot write the depths of calls", file, source))
    }

    /// Reads them.
    pub fn read(file: &Path) -> Result<Calls, BuildError> {
        let failed = |source| system("cannot read the depths of calls", file, source);
        let text = std::fs::read_to_string(file).map_err(failed)?;
        serde_json::from_str(&text).map_err(|error| failed(error.into()))
    }
}

/// The storage of an image for programs; `None` if it declares none.
fn storage(image: &Image) -> Option<Vec<Storage>> {
    let [begin, end] = STORAGE.map(|name| image.symbols().find(name).map(|symbol| symbol.address));
    let layout = image.structure("partition").filter(|layout| layout.size > 0)?;
    let one = |address| {
        let row = Record { bytes: image, layout: &layout, address };
        let (kind, pages) = (row.get("kind")? as u8, row.get("count")? as u16);
        Some(Storage { kind, name: row.text("name", NAME_MAX)?, pages })
    };
    (begin?..end?).step_by(layout.size as usize).map(one).collect()
}

/// The functions that an image exports, by the numbers of calls; `None` if it has no table of them.
fn exported(image: &Image) -> Option<Vec<(u8, u32)>> {
    let [begin, end] = TABLE.map(|name| image.symbols().find(name).map(|symbol| symbol.address));
    let (begin, end) = (begin?, end?);
    Kernel::find(image).ok()??;
    let layout = image.structure("calls").filter(|layout| layout.size > 0)?;
    let architecture = image.architecture()?;
    let mut found = Vec::new();
    for address in (begin..end).step_by(layout.size as usize) {
        let group = Record { bytes: image, layout: &layout, address };
        let (functions, first) = (group.address("functions")?, group.get("first")?);
        for index in 0..group.get("count")? {
            let bytes = architecture.pointers.code_bytes;
            let at = functions + index * bytes;
            let stored = image.initial_bytes_at(at, bytes as usize)?;
            let pointer = architecture.byte_order.number(stored);
            // A number that no call has.
            if pointer != 0 {
                found.push(((first + index) as u8, architecture.code_address(pointer)));
            }
        }
    }
    found.sort_unstable();
    Some(found)
}
