// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long it takes to save a mote and to come back to it:
//! `cargo run --release -p lichen-world --example snapshot -- BOARD.toml IMAGE.elf`.
//!
//! The mote runs on for a millisecond between two snapshots, so that there is something to copy.

use lichen_chip::Time;
use lichen_device::Board;
use lichen_image::Image;
use lichen_trace::{Event, Sink};
use lichen_world::World;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const ROUNDS: usize = 1_000;
const FILE_ROUNDS: usize = 50;

struct Nobody;

impl Sink for Nobody {
    fn event(&mut self, _: &Event) -> Result<(), lichen_trace::Error> {
        Ok(())
    }
}

/// Times of one operation.
#[derive(Default)]
struct Times(Vec<Duration>);

impl Times {
    fn measure<T>(&mut self, what: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = what();
        self.0.push(start.elapsed());
        done
    }

    #[allow(clippy::print_stdout)]
    fn print(&mut self, what: &str) {
        self.0.sort();
        let us = |time: Duration| time.as_secs_f64() * 1e6;
        let (least, median) = (us(self.0[0]), us(self.0[self.0.len() / 2]));
        println!("{what:<12} {median:>9.1} us (median), {least:.1} us (least)");
    }
}

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(board), Some(image)) = (arguments.next(), arguments.next()) else {
        return Err("which mote? snapshot BOARD.toml IMAGE.elf".into());
    };
    let board = Path::new(&board);
    let name = board.file_stem().ok_or("a board is a file")?.to_string_lossy();
    let folder = board.parent().ok_or("a board lies in a folder")?;
    let mut world = World::new();
    world.add(Board::find(folder, &name)?, Image::load(Path::new(&image))?.into())?;
    world.run(Time::from_ms(10), &mut Nobody)?;
    let [mut snapshot, mut restore, mut hash, mut save, mut load] =
        [(); 5].map(|()| Times::default());
    for _ in 0..ROUNDS {
        let taken = snapshot.measure(|| world.snapshot());
        world.run(world.now() + Time::from_ms(1), &mut Nobody)?;
        restore.measure(|| world.restore(&taken))?;
        hash.measure(|| world.state_hash());
        world.run(world.now() + Time::from_ms(1), &mut Nobody)?;
    }
    let file = PathBuf::from(format!("{image}.snapshot"));
    for _ in 0..FILE_ROUNDS {
        save.measure(|| world.save(&file))?;
        load.measure(|| world.load(&file))?;
    }
    let bytes = std::fs::metadata(&file)?.len();
    std::fs::remove_file(&file)?;
    snapshot.print("snapshot");
    restore.print("restore");
    hash.print("state hash");
    save.print("save");
    load.print("load");
    println!("{bytes} bytes in the file");
    Ok(())
}
