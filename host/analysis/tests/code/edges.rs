// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of functions of a few instructions, said by hand (`data/edges.c`).

use crate::machine::image;
use lichen_analysis::{
    Accessed, Alive, Callee, End, Given, Graph, Interval, Liveness, Memory, Rounds, Text, Times,
    Why,
};
use lichen_image::Image;
use lichen_isa::RegisterSet;

const IMAGES: [&str; 2] = ["edges.armv6m", "edges.avr8"];
const ARM: &str = IMAGES[0];
const AVR: &str = IMAGES[1];

fn address(text: &Text<'_>, function: &str) -> u32 {
    text.symbol(function).unwrap_or_else(|| panic!("{function} is there"))
}

/// The graph of a function of an image.
fn with_graph<R>(image: &Image, function: &str, look: impl FnOnce(&Text<'_>, &Graph) -> R) -> R {
    let text = Text::of(image);
    let graph = Graph::of(&text, address(&text, function)).expect("whole");
    look(&text, &graph)
}

/// How ways end, by block; and to which blocks each leads.
fn shape(name: &str, function: &str) -> Vec<(Vec<usize>, Option<End>)> {
    with_graph(&image(name), function, |_, graph| {
        let leads = |block: &lichen_analysis::Block| {
            (block.edges.iter().map(|edge| edge.to).collect(), block.end)
        };
        graph.blocks.iter().map(leads).collect()
    })
}

#[test]
fn a_branch_to_another_function_is_a_call_in_compiled_code_alone() {
    for name in IMAGES {
        let early = address(&Text::of(&image(name)), "early");
        let tail = Some(End::Tail(Callee::Function(early)));
        assert_eq!(shape(name, "late"), [(vec![], tail)], "{name}");
        let expected = [(vec![1], tail), (vec![], Some(End::Return))];
        assert_eq!(shape(name, "tail_if"), expected, "{name}");
        // The other one lies before it.
        let expected = [(vec![], Some(End::Return)), (vec![0], None)];
        assert_eq!(shape(name, "jumps"), expected, "{name}");
    }
}

#[test]
fn a_call_within_a_function_is_a_jump() {
    with_graph(&image(ARM), "far", |_, graph| {
        assert_eq!(graph.calls, []);
        assert_eq!(graph.blocks.len(), 2, "what it jumps over is none of it");
        assert!(graph.blocks[0].edges[0].taken);
    });
}

#[test]
fn what_takes_stack_or_calls_nothing_is_no_call() {
    for function in ["reserves", "absent"] {
        with_graph(&image(AVR), function, |_, graph| assert_eq!(graph.calls, [], "{function}"));
        assert_eq!(shape(AVR, function), [(vec![], Some(End::Return))], "{function}");
    }
}

#[test]
fn a_return_to_what_one_of_two_ways_has_pushed_is_a_jump() {
    let shape = shape(AVR, "joined");
    assert_eq!(shape.last().map(|it| it.1), Some(Some(End::Tail(Callee::Pointer))));
}

#[test]
fn a_jump_by_a_register_leaves_a_function_of_which_all_is_reached() {
    let shape = shape(AVR, "names_label");
    let leaves = |(edges, end): &(Vec<usize>, Option<End>)| {
        edges.is_empty() && *end == Some(End::Tail(Callee::Pointer))
    };
    assert!(shape.iter().any(leaves), "{shape:?}");
}

#[test]
fn what_begins_within_an_instruction_is_no_code() {
    let image = image(AVR);
    let text = Text::of(&image);
    let why = Graph::of(&text, address(&text, "within")).err().map(|unknown| unknown.why);
    assert_eq!(why, Some(Why::NoCode));
}

#[test]
fn a_function_returns_if_what_it_ends_in_does_or_may() {
    for name in IMAGES {
        let image = image(name);
        let text = Text::of(&image);
        let returns = |function| text.returns(address(&text, function));
        assert!(["late", "leaves", "dies_if"].into_iter().all(returns), "{name}");
        assert!(!returns("dies"), "{name}");
        assert!(name == AVR || returns("lost"), "where that goes is not known");
    }
}

/// What matters before the call of a function, or else before the last instruction of its first block.
fn alive(name: &str, function: &str) -> Alive {
    with_graph(&image(name), function, |text, graph| {
        let at = match graph.calls.first() {
            Some(call) => call.at,
            None => graph.last(graph.entry),
        };
        Liveness::of(text, graph).before(at)
    })
}

#[test]
fn all_matters_to_assembly_to_the_system_and_to_who_was_interrupted() {
    const ALL: Alive = Alive { registers: RegisterSet(u64::MAX), flags: u32::MAX };
    for name in IMAGES {
        assert_eq!(alive(name, "returns"), ALL, "{name}");
        assert_eq!(alive(name, "calls_assembly"), ALL, "{name}");
    }
    assert_eq!(alive(ARM, "asks"), ALL);
    assert_eq!(alive(AVR, "handler"), ALL);
}

#[test]
fn arguments_matter_to_what_a_pointer_leads_to_and_the_rest_to_the_caller() {
    for (name, argument, kept) in [(ARM, 3, 7), (AVR, 24, 3)] {
        assert!(alive(name, "calls_pointer").registers.contains(argument), "{name}");
        let at_end = alive(name, "late").registers;
        assert!(at_end.contains(argument) && at_end.contains(kept), "{name}");
    }
}

#[test]
fn an_address_says_what_is_accessed() {
    for name in IMAGES {
        let accessed = |function| {
            with_graph(&image(name), function, |text, graph| {
                let all = graph.instructions(graph.entry);
                let stores = all.filter(|(_, it)| it.access.is_some_and(|access| access.write));
                stores.map(|(at, _)| text.accessed(graph, at)).next().flatten()
            })
        };
        assert_eq!(accessed("device"), Some(Accessed::Device), "{name}");
        assert_eq!(accessed("anywhere"), Some(Accessed::Unknown), "{name}");
        assert_eq!(accessed("stacked"), Some(Accessed::Plain), "{name}");
    }
}

#[test]
fn a_counter_is_known_as_far_as_calls_and_ways_agree() {
    let rounds = |function| {
        with_graph(&image(ARM), function, |text, graph| {
            let rounds = Rounds::of(text, graph).expect("known");
            let one = rounds.all().next().expect("a loop").1.clone();
            one.map_err(|unknown| unknown.why)
        })
    };
    assert_eq!(rounds("clobbered"), Err(Why::Unlimited), "a call may change r3");
    // There are 3 to 6. What is known of the flags of several numbers is less than what is known of these.
    let said = rounds("by_one_or_two").expect("known");
    assert!(said.least == 3 && (6..=8).contains(&said.most), "{said:?}");
}

#[test]
fn what_registers_hold_where_assembly_begins_is_not_known() {
    with_graph(&image(AVR), "counts", |text, graph| {
        let rounds = Rounds::of(text, graph).expect("known");
        let why = rounds.at(address(text, "counts")).and_then(|it| it.clone().err());
        assert_eq!(why.map(|unknown| unknown.why), Some(Why::Unlimited), "r1 is 0 in C alone");
    });
}

fn time(name: &str, function: &str, memory: Memory) -> Interval {
    let image = image(name);
    let text = Text::of(&image);
    let given = Given { memory, rounds: &|_| Some(Interval::exactly(3)), calls: &|_| None };
    Times::new(&text, given).of(address(&text, function)).expect("known").expect("it returns")
}

#[test]
fn what_a_function_ends_in_takes_its_time_if_it_returns() {
    for (name, returns) in [(ARM, 2), (AVR, 4)] {
        let time = |function| time(name, function, Memory::default());
        assert_eq!(time("early"), Interval::exactly(returns), "{name}");
        assert_eq!(time("late"), Interval::exactly(2 + returns), "{name}");
        assert_eq!(time("dies_if"), Interval::exactly(1 + 1 + returns), "{name}");
        let rounds = 2 * (1 + 1 + 2) + 1 + 2;
        assert_eq!(time("repeats"), Interval::exactly(rounds + returns), "{name}");
    }
}

#[test]
fn devices_stall_and_may_be_fast() {
    let plain = |function| time(ARM, function, Memory::default());
    let with =
        |function, stall, fast| time(ARM, function, Memory { stall, fast, ..Memory::default() });
    for (function, accesses) in [("device", 1), ("devices", 2), ("pointer", 1)] {
        let Interval { least, most } = plain(function);
        let expected = Interval { least, most: most + 7 * accesses };
        assert_eq!(with(function, 7, 0), expected, "{function}");
        assert_eq!(with(function, 0, 1), Interval { least: least - 1, most }, "{function}");
    }
    assert_eq!(with("stacked", 7, 1), plain("stacked"), "the stack is in RAM");
}
