// SPDX-License-Identifier: MIT OR Apache-2.0
//! A mote whose power is cut, and what it prints.

use crate::common::image::built;
use crate::common::root;
use lichen_board::Board;
use lichen_chip::Time;
use lichen_trace::{Error, Event, Kind, Sink};
use lichen_world::{Action, MoteId, World};

const MOTE: MoteId = MoteId(0);
/// Without power.
const DARK: Time = Time::from_ms(2);

/// What the mote has printed.
#[derive(Clone, Default)]
pub struct Console(pub String);

impl Sink for Console {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        if let Kind::Uart { dir: "out", data, .. } = &event.kind {
            self.0.push(char::from(*data));
        }
        Ok(())
    }
}

impl Console {
    /// The whole lines that begin with `word`, without it.
    pub fn lines(&self, word: &str) -> impl Iterator<Item = &str> {
        let whole = self.0.rsplit_once('\n').map_or("", |(whole, _)| whole);
        whole.lines().filter_map(move |line| line.strip_prefix(word)?.strip_prefix(' '))
    }
}

/// A mote with a program, and a world of its own.
pub struct Powered {
    pub world: World,
    pub console: Console,
}

impl Powered {
    /// `seed` selects the deviations of its oscillators; 0 is nominal.
    pub fn new(program: &str, board: &str, seed: u64) -> Powered {
        let image = built(program, board);
        let board = Board::find(&root().join("board"), board).expect("a board");
        let mut world = World::with_seed(seed);
        world.add(board, image).expect("a mote");
        Powered { world, console: Console::default() }
    }

    pub fn run_for(&mut self, length: Time) {
        let until = self.world.now() + length;
        self.world.run(until, &mut self.console).expect("it runs");
    }

    fn power(&mut self, on: bool) {
        self.world.act(MOTE, Action::Power { on }).expect("a supply");
    }

    /// Cuts the power; the console begins anew, with what the program says when it is back.
    pub fn cut(&mut self) {
        self.power(false);
        self.run_for(DARK);
        self.console = Console::default();
        self.power(true);
    }
}

/// A number without a pattern, the same in every run (Marsaglia's xorshift).
pub fn next_random(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}
