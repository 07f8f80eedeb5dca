// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions whose graphs are known by hand, on both architectures.

use crate::machine::*;
use lichen_analysis::{Callee, Dominators, Edge, End, Graph, Loops, Text, Why};
use lichen_image::Image;
use std::collections::BTreeSet;

const IMAGES: [&str; 2] = ["armv6m", "avr8"];

#[test]
fn a_switch_leads_to_all_its_cases() {
    for name in IMAGES {
        let image = image(name);
        let text = Text::of(&image);
        let graph = Graph::of(&text, text.symbol("chosen").expect("there")).expect("whole");
        let switch = graph.calls.iter().find(|it| matches!(it.callee, Callee::Switch(_)));
        let block = graph.block(switch.expect("a switch").at).expect("in it");
        let cases: BTreeSet<usize> = graph.blocks[block].edges.iter().map(|it| it.to).collect();
        assert_eq!(cases.len(), 8, "{name}");
        let called: BTreeSet<String> = graph
            .calls
            .iter()
            .filter_map(|it| match it.callee {
                Callee::Function(to) => Some(text.name(to)),
                _ => None,
            })
            .collect();
        assert!(called.contains("least") && called.contains("gcd"), "{name}: {called:?}");
    }
}

#[test]
fn loops_nest() {
    for name in IMAGES {
        let image = image(name);
        let text = Text::of(&image);
        let graph = Graph::of(&text, text.symbol("sort").expect("there")).expect("whole");
        let loops = Loops::of(&text, &graph).expect("reducible").0;
        assert_eq!(loops.len(), 2, "{name}");
        assert_eq!((loops[0].within, loops[1].within), (Some(1), None), "{name}");
        assert!(loops[0].blocks.is_subset(&loops[1].blocks), "{name}");
    }
}

#[test]
fn every_way_to_an_end_passes_what_postdominates() {
    for name in IMAGES {
        let image = image(name);
        let text = Text::of(&image);
        let graph = Graph::of(&text, text.symbol("divided").expect("there")).expect("whole");
        let (before, behind) = (Dominators::of(&graph), Dominators::post(&graph));
        let end = graph.blocks.iter().position(|it| it.end == Some(End::Return)).expect("an end");
        for block in 0..graph.blocks.len() {
            assert!(before.passes(block, graph.entry), "{name}");
            assert!(behind.passes(block, end), "{name}: it has one end");
        }
    }
}

/// An image of the tests of `host/stack`.
fn case(name: &str) -> Image {
    let path = format!("{}/../stack/tests/data/{name}.elf", env!("CARGO_MANIFEST_DIR"));
    Image::parse(name, std::fs::read(path).expect("there")).expect("an image")
}

fn graph(image: &Image, function: &str) -> Result<Graph, Why> {
    let text = Text::of(image);
    Graph::of(&text, text.symbol(function).expect("there")).map_err(|unknown| unknown.why)
}

#[test]
fn an_edge_that_is_lost_is_an_error() {
    assert_eq!(graph(&case("computed"), "reset_handler").err(), Some(Why::Pointer));
    // Behind the functions there are constants.
    let image = image("armv6m");
    let text = Text::of(&image);
    let behind = text.around(text.symbol("chosen").expect("there")).expect("sized").range.end - 4;
    assert!(!text.is_code(behind));
    assert_eq!(Graph::of(&text, behind).err().map(|it| it.why), Some(Why::NoCode));
}

#[test]
fn a_jump_by_a_register_leads_to_the_labels_that_constants_name() {
    for name in ["labels", "avr8/labels"] {
        let image = case(name);
        let graph = graph(&image, "reset_handler").expect("whole");
        let leads = |edges: &[Edge<usize>]| edges.len() > 1 && edges.iter().all(|it| it.taken);
        assert!(graph.blocks.iter().any(|block| leads(&block.edges)), "{name}: {graph:?}");
    }
}

#[test]
fn a_function_that_another_one_ends_in_calls_it() {
    for name in IMAGES {
        let image = image(name);
        let text = Text::of(&image);
        let graph = graph(&image, "chosen").expect("whole");
        let least = text.symbol("least").expect("there");
        let call = graph.calls.iter().find(|it| it.callee == Callee::Function(least));
        let block = graph.block(call.expect("a call").at).expect("in it");
        let end = graph.blocks[block].end;
        match call.expect("a call").tail {
            true => assert_eq!(end, Some(End::Tail(Callee::Function(least))), "{name}"),
            false => assert_eq!(graph.blocks[block].edges.len(), 1, "{name}: it comes back"),
        }
    }
}

#[test]
fn what_never_returns_ends_a_way() {
    for name in ["panics", "avr8/panics", "recursion", "avr8/recursion"] {
        let image = case(name);
        let text = Text::of(&image);
        let ends = if name.ends_with("panics") { "panic" } else { "even" };
        assert!(!text.returns(text.symbol(ends).expect("there")), "{name}");
        assert!(graph(&image, "reset_handler").is_ok(), "{name}");
    }
    for name in IMAGES {
        let image = image(name);
        let text = Text::of(&image);
        assert!(FUNCTIONS.iter().all(|(it, _)| text.returns(text.symbol(it).expect("there"))));
    }
}

#[test]
fn a_loop_that_is_entered_at_two_places_is_an_error() {
    let image = image("armv6m");
    let text = Text::of(&image);
    let graph = graph(&image, "__udivsi3").expect("whole");
    let why = Loops::of(&text, &graph).err().map(|unknown| unknown.why);
    assert_eq!(why, Some(Why::Irreducible));
}
