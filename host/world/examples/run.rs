// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs an image and prints its console: `run IMAGE.elf BOARD SECONDS [INPUT]`.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use lichen_device::Board;
use lichen_image::Image;
use lichen_trace::{Error, Event, Kind, Sink};
use lichen_world::{Script, World, parse_time};
use std::io::Write;
use std::path::Path;

struct Console;

impl Sink for Console {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        match &event.kind {
            Kind::Uart { dir: "out", data, .. } => {
                print!("{}", *data as char);
                std::io::stdout().flush().unwrap();
            }
            Kind::Sleep { .. } | Kind::Wake { .. } | Kind::Uart { .. } => {}
            other => println!("[{}] {other:?}", event.time),
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let boards = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../board"));
    let board = Board::find(boards, &arguments[2])?;
    let image = Image::load(Path::new(&arguments[1]))?;
    let mut world = World::new();
    let mote = world.add(board, image.into())?;
    if let Some(input) = arguments.get(4) {
        world.follow(mote, Script::load(Path::new(input))?)?;
    }
    let started = std::time::Instant::now();
    let halt = world.run(parse_time(&arguments[3])?, &mut Console)?;
    let summary = world.mote(mote).summary();
    let seconds = started.elapsed().as_secs_f64();
    println!("\n{halt:?} after {seconds:.3} s of work: {summary:#?}");
    println!(
        "{:.1} MIPS, pc {:#x} {:?}",
        summary.instructions as f64 / seconds / 1e6,
        world.mote(mote).chip().register(15),
        world.mote(mote).stacks()
    );
    Ok(())
}
