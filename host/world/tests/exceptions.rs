// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exceptions as they are reported: one that follows another preempts it, however they end.

use lichen_board::Board;
use lichen_image::Image;
use lichen_trace::{Error, Event, Kind, Sink};
use lichen_world::World;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Default)]
struct Names(Vec<Option<&'static str>>);

impl Sink for Names {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        if let Kind::Exception { name } = event.kind {
            self.0.push(name);
        }
        Ok(())
    }
}

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

#[test]
fn what_follows_an_exception_is_more_urgent_or_was_preempted() {
    let board = Arc::new(Board::find(&folder("board"), "samr21-xpro").expect("a board"));
    let image = Image::load(&folder("host/world/tests/data/echo.elf")).expect("an image");
    let mut world = World::with_seed(0);
    let id = world.add(board, Arc::new(image)).expect("a mote");
    world.tell_details();
    let mut names = Names::default();
    world.run(lichen_chip::Time::from_s(3), &mut names).expect("a run");
    let core = world.mote(id).chip().core();
    let priority = |name: &str| {
        let number = (1..48).find(|number| core.exception_name(*number) == name);
        core.priority(number.expect("a number"))
    };
    let mut active: Vec<&str> = Vec::new();
    for name in &names.0 {
        match (name, active.len().checked_sub(2).map(|at| active[at])) {
            (Some(name), Some(preempted)) if *name == preempted => {
                active.pop();
            }
            (Some(name), _) => {
                let last = active.last();
                assert!(
                    last.is_none_or(|last| priority(name) < priority(last)),
                    "{active:?} {name}"
                );
                active.push(name);
            }
            (None, _) => {
                assert_eq!(active.len(), 1, "none of {active:?} is left behind");
                active.clear();
            }
        }
    }
    assert!(names.0.len() > 10, "{}", names.0.len());
}
