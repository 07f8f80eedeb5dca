// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a pointer to a function may lead to.
//!
//! The address of a function that a pointer can hold stands in the image: in a table, in data, beside
//! the code that uses it, or in its instructions. The kernel's own tables are read by the kernel alone,
//! so any other pointer leads to one of the functions whose address stands elsewhere. Of the kernel's
//! pointers more is known: which table they come from, or which prototype they have.

use crate::Owner;
use crate::text::Text;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// Where a pointer of the system comes from.
enum Source {
    /// A table between two symbols.
    Table(&'static str, &'static str),
    /// An event that was declared, and what woven pairs put in its place.
    Event,
    /// A woven pair, or an event of one.
    Woven,
    /// A member of a structure, which holds functions of one prototype.
    Member(&'static str, &'static str),
}

/// The system's calls by pointers, by the function that makes them.
const SYSTEM: &[(&str, Source)] = &[
    ("kernel_starts_all", Source::Table("starts_begin", "starts_end")),
    ("init_event_event", Source::Table("init_begin", "init_end")),
    ("arch_coop_pass", Source::Table("coop_table", "init_begin")),
    ("DMAC_handler", Source::Table("dma_handlers", "dma_handlers_end")),
    ("deliver", Source::Event),
    ("kernel_deliver", Source::Event),
    ("dispatch", Source::Event),
    ("woven_run", Source::Woven),
    ("syscall_cancel", Source::Member("syscall", "cancel")),
    ("deadline_alarm", Source::Member("deadline", "expire")),
    ("put", Source::Member("format_sink", "put")),
    ("put_repeated", Source::Member("format_sink", "put")),
    ("put_padded", Source::Member("format_sink", "put")),
    ("put_number", Source::Member("format_sink", "put")),
    ("format_text", Source::Member("format_sink", "put")),
];

/// Tables that the linker places, and nobody but the kernel or the shell reads.
const TABLES: &[(&str, &str)] = &[
    ("vectors_begin", "vectors_end"),
    ("starts_begin", "starts_end"),
    ("threads_begin", "threads_end"),
    ("coop_table", "init_begin"),
    ("init_begin", "init_end"),
    ("postables_begin", "postables_end"),
    ("dma_handlers", "dma_handlers_end"),
    ("shell_commands_begin", "shell_commands_end"),
    EXPORTED,
];

/// What an image has for programs that are loaded (`os/load/calls.h`): their threads call it, on stacks of their own. The
/// image itself takes these addresses for numbers.
const EXPORTED: (&str, &str) = ("call_functions_begin", "call_functions_end");

/// Who calls the start functions of a program that is loaded, which are not in the image, and who its events.
const CALLS_START: &str = "program_starts_run";
const CALLS_EVENT: &str = "arch_guarded";

/// What stands in for the handler of each event of such a program.
const RUNS_LOADED: &str = "program_event_run";

/// The number of bytes of stack that an image has for an event of such a program (`os/kernel/count.ld`).
const EVENT_STACK: &str = "programs_event_stack";

/// What a thread has done at the kernel level takes one or two pointers (`os/arch/arch.h`). To what they
/// point is not asked: such functions are often handed over by a cast.
fn is_service(prototype: &str) -> bool {
    let parameters = prototype.strip_suffix(')').and_then(|rest| rest.split_once('('));
    parameters.is_some_and(|(_, parameters)| {
        let pointers = parameters.split(',').filter(|parameter| parameter.ends_with('*')).count();
        let all = parameters.split(',').count();
        pointers == all && all <= 2 || parameters.contains('(')
    })
}

/// Each function whose address stands in the image, and where.
pub(crate) type Places = BTreeMap<u32, Vec<u32>>;

/// What the system has on one architecture alone.
#[derive(Default)]
pub(crate) struct Port {
    /// Tables that nobody but the kernel reads.
    pub(crate) tables: Vec<Range<u32>>,
    /// Its calls by pointers, by the function that makes them, and where they lead.
    pub(crate) calls: Vec<(&'static str, Vec<u32>)>,
}

/// Functions behind pointers of an image.
#[derive(Debug)]
pub struct Pointers {
    /// Those whose address stands anywhere.
    pub taken: BTreeSet<u32>,
    /// Where their addresses stand.
    places: Places,
    /// Tables that nobody but the kernel reads.
    tables: Vec<Range<u32>>,
    /// Those whose address stands where any pointer may have it from.
    free: OnceCell<Vec<u32>>,
    /// What the system's own calls may lead to.
    system: HashMap<&'static str, Vec<u32>>,
}

impl Pointers {
    pub(crate) fn new(code: &Text<'_>, places: Places, port: Port) -> Pointers {
        let tables = TABLES.iter().map(|(begin, end)| code.table(begin, end));
        let mut pointers = Pointers {
            taken: places.keys().copied().collect(),
            places,
            tables: tables.chain(port.tables).collect(),
            free: OnceCell::new(),
            system: port.calls.into_iter().collect(),
        };
        let places = &pointers.places;
        let exported = code.table(EXPORTED.0, EXPORTED.1);
        let is_kept = |f: &&u32| places[*f].iter().any(|at| !exported.contains(at));
        for (name, source) in SYSTEM {
            if code.symbol(name).is_none() && !matches!(source, Source::Member(..)) {
                continue;
            }
            let targets = match source {
                Source::Table(begin, end) => within(places, &code.table(begin, end)),
                Source::Event => events(code, places),
                Source::Woven => woven(code, places),
                Source::Member(structure, member) => {
                    let known = code.prototypes();
                    match code.image.prototype_of(structure, member) {
                        Some(wanted) => {
                            let free = pointers.free(code);
                            let fits = |f: &&u32| match known.get(f) {
                                Some(known) => *known == wanted || code.has_other_names(**f),
                                // Assembly, or built without debug information.
                                None => free.contains(f),
                            };
                            pointers.taken.iter().filter(is_kept).filter(fits).copied().collect()
                        }
                        None => continue,
                    }
                }
            };
            pointers.system.insert(name, targets);
        }
        pointers
    }

    /// What the assembly of the system has the address of, it jumps to by itself; and what is assembly
    /// of the system, nobody else calls. The system names no function of a program: where its code has the address of one
    /// that stands in a table, a compiler that sees all code has read the table.
    fn free(&self, code: &Text<'_>) -> &[u32] {
        self.free.get_or_init(|| {
            let known = code.prototypes();
            let is_assembly = |address: u32| {
                let start = code.around(address).map(|it| it.range.start);
                start.is_some_and(|start| !known.contains_key(&start) && code.is_of_port(start))
            };
            let in_table = |at: &u32| self.tables.iter().any(|table| table.contains(at));
            let of_system =
                |at: u32| code.around(at).is_some_and(|it| code.is_of_system(it.range.start));
            let stand = self.places.iter().filter(|(function, at)| {
                let is_read =
                    at.iter().any(in_table) && code.owner(**function) == Some(Owner::Program);
                let is_free =
                    |at: &u32| !(in_table(at) || is_assembly(*at) || is_read && of_system(*at));
                at.iter().any(is_free)
            });
            stand.map(|(function, _)| *function).filter(|f| !is_assembly(*f)).collect()
        })
    }

    /// What a thread may have done at the kernel level, if the pointer that it hands over is not known.
    pub(crate) fn services(&self, code: &Text<'_>) -> Vec<u32> {
        let known = code.prototypes();
        let fits = |f: &&u32| {
            known.get(f).is_none_or(|known| is_service(known) || code.has_other_names(**f))
        };
        self.free(code).iter().filter(fits).copied().collect()
    }

    /// What the call at `address` may use if it leads to a program that is loaded: `start` if to a start function, or what
    /// the image has for events.
    pub(crate) fn loaded(&self, code: &Text<'_>, address: u32, start: u32) -> Option<u32> {
        let owners = code.functions_of_system(address);
        let is = |wanted: &str| owners.iter().any(|name| name == wanted);
        match is(CALLS_START) {
            true => Some(start),
            false => code.symbol(EVENT_STACK).filter(|_| is(CALLS_EVENT)),
        }
    }

    /// Where the call or jump at `address`, through a pointer of which nothing is known, may lead: to
    /// nothing if it is the system's and what it calls is not in the image. `None` if nothing else could
    /// be meant.
    pub(crate) fn at(&self, code: &Text<'_>, address: u32) -> Option<&[u32]> {
        let owners = code.functions_of_system(address);
        let known = owners.iter().find_map(|owner| self.system.get(owner.as_str()));
        match known {
            Some(known) => Some(known),
            None => Some(self.free(code)).filter(|free| !free.is_empty()),
        }
    }
}

/// The functions whose addresses stand in a table.
pub(crate) fn within(places: &Places, table: &Range<u32>) -> Vec<u32> {
    let stands = |at: &[u32]| at.iter().any(|at| table.contains(at));
    places.iter().filter(|(_, at)| stands(at)).map(|(function, _)| *function).collect()
}

fn events(code: &Text<'_>, places: &Places) -> Vec<u32> {
    let mut handlers = within(places, &code.table("postables_begin", "postables_end"));
    for stand_in in ["woven_run", RUNS_LOADED] {
        handlers.extend(code.symbol(stand_in).filter(|address| *address != 0));
    }
    handlers
}

/// The handlers of halves stand in the rows, those of pairs in the objects that the rows name.
fn woven(code: &Text<'_>, places: &Places) -> Vec<u32> {
    let rows = code.table("woven_begin", "woven_end");
    let mut objects: Vec<Range<u32>> = Vec::new();
    let size = code.image.structure("woven").map_or(0, |woven| woven.size);
    for at in rows.clone().step_by(code.architecture.pointers.data_bytes as usize) {
        objects.extend(code.pointees(at).into_iter().map(|object| object..object + size));
    }
    let mut handlers = within(places, &rows);
    handlers.extend(objects.iter().flat_map(|object| within(places, object)));
    handlers.sort_unstable();
    handlers.dedup();
    handlers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_take_one_or_two_pointers() {
        for service in
            ["int(void*)", "void(struct sensor*)", "int(void*,void*)", "int(void(int,int)*)"]
        {
            assert!(is_service(service), "{service}");
        }
        for other in
            ["void(void)", "void()", "int(int)", "int(void*,int)", "int(void*,void*,void*)"]
        {
            assert!(!is_service(other), "{other}");
        }
    }
}
