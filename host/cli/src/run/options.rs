// SPDX-License-Identifier: MIT OR Apache-2.0
//! Options of `run` and `debug`: the common ones are in one structure, so that a new one is in
//! both.

use crate::mote::{Many, MoteOptions};
use clap::{Args, ValueEnum};
use lichen_chip::Time;
use lichen_terminal::duration;
use lichen_terminal::files::{InputFile, OutputFile, Overwrite};

/// What `run --help` adds.
pub const RUN_HELP: &str = "\
Examples:
  lichen run blink --for 5s
  lichen run echo                              type lines; Ctrl-C ends it
  lichen run echo --input typed.txt --json events.jsonl
  lichen run blink --for 10s --vcd blink.vcd   then: gtkwave blink.gtkw
  echo hi | lichen run echo --until hi
  lichen run firmware.elf --board samr21-xpro --for 1h
  lichen run blink --motes 1000 --for 60s
  lichen run network.toml                      motes of several kinds
  lichen run network.toml --mote office --gdb 3333
  lichen run network.toml --set mote.office.program=echo --set for=5s
  lichen run network.toml --seed 3 --summary run3.json   for sweeps, in JSON
  lichen run blink --for 1h --energy           what components and threads draw
  lichen run blink --for 1h --energy-json a    then: lichen energy diff a b
  lichen run blink --for 24h --wave day.svg    the current over time, as a plot
  lichen run blink --for 2s --wave wake-up.svg --wave-from 999ms --wave-for 10ms
  lichen run link_ping --motes 5 --topology grid --for 1min --air air.svg
  lichen run base --serial                     then: lichen load FILE --port ...
  lichen run philosophers --for 1h --save hour.snapshot
  lichen run philosophers --load hour.snapshot --for 5s --vcd after.vcd

A run ends after --for, or when --until's text is printed, or at Ctrl-C; without any of these
and without a terminal, after 10 s of simulated time.

A scenario is a file with motes of several kinds, their places and what happens to them: doc/spec/scenario.md and examples in scenario/.

--set takes a value in place of one in a scenario, as if the file had it: `link.0.quality=0.8`, `medium.sigma=2`,
`mote.office.environment.temperature=5`; an item of a list is named by its number from 0, or by its name. --seed, --for and
--no-noise are for programs and scenarios alike, and the options of files are for what is written.

An input file has one line per action: a time and what is typed then (`1.5s help`), or
`!press NAME`, `!release NAME`, `!reset`, `!part NAME CONDITION`, `!power off`, `!power on`,
`!load FILE`, `!load FILE to-all`, `!ps`, `!start NAME`, `!stop NAME`, `!remove NAME`, `!floor NAME`. The content of a pipe is typed when the mote has printed its first character, or after 100 ms at the
latest. What a user types is kept in a file under build/typed; --input with it repeats the run.

Serial characters on a pin where the board has no port are shown too, after the pin's name
(`PB22| text`). Typed characters never go there, but to the board's console.

--save writes the state at the end of a run; a run with --load continues from it exactly as if the
first had not ended. Board, program, supply and version of lichen must be the same; --for counts from the
snapshot.

A HardFault counts as served if its handler returns and the program continues: it is reported once
for each place, and counted. Exit code 1 if the firmware panics, does not recover from a fault (locks
up, stays in the handler, is reset there), overflows a stack, is in a deadlock or hangs (no thread can run
again, a handler has not returned for a second, real-time tasks leave no time), never prints --until's text, or
shows no sign of life (no character, no change of an LED). Other warnings, such as of a missed deadline or of an
access that the chip does not support, do not fail a run, and are repeated at its end; with --strict the first
warning ends it with exit code 1.";

/// What `debug --help` adds.
pub const DEBUG_HELP: &str = "\
Examples:
  lichen debug philosophers
  lichen debug philosophers --debug            line by line, with variables
  lichen debug echo --board samr21-xpro --input typed.txt
  lichen debug philosophers --load hour.snapshot
  lichen debug hello -- -batch -ex 'break sleep_ms' -ex continue -ex backtrace

GDB starts with the mote halted before its first instruction; arguments after -- are for GDB.
`info threads` shows the kernel's threads; `monitor help` lists what else a simulated mote can show.
With --for the program ends for GDB after that much simulated time.
Time stops while the mote is halted, and execution can go backwards: reverse-step, reverse-next,
reverse-continue and so on. For editors: lichen run APP --gdb PORT.

Exit code 1 if GDB fails, 2 if it is missing.";

/// What `run` and `debug` share.
#[derive(Debug, Args)]
pub struct Simulation {
    /// The mote.
    #[command(flatten)]
    pub mote: MoteOptions,
    /// Compile the program's own sources for a debugger, as `lichen build --debug` does.
    #[arg(long)]
    pub debug: bool,
    /// Simulated time to run for, such as 5s, 200ms, 1h; a number alone is seconds.
    #[arg(long = "for", value_name = "TIME", value_parser = duration::parse)]
    #[arg(allow_hyphen_values = true)]
    pub duration: Option<Time>,
    /// How many motes, and where.
    #[command(flatten)]
    pub many: Many,
    /// Threads of this machine to run motes on; the run is the same with any number. As many as there
    /// are processors, if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Begin at the state in this file, which `lichen run --save` wrote.
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub load: Option<InputFile>,
    /// As fast as possible, or as fast as the real mote; `real` is the default of a run on a
    /// terminal without an end.
    #[arg(long, value_enum)]
    pub pace: Option<Pace>,
    /// What is shown while several motes run: what they print, or also who sends, who hears and what is lost: on a terminal a
    /// table above it, which is the default there, else a line for each frame.
    #[arg(long, value_enum)]
    pub view: Option<View>,
    /// As fast as the real mote, to type and watch: the same as --pace real.
    #[arg(long, conflicts_with = "pace")]
    pub realtime: bool,
}

/// What ends a run, and the files that it writes.
#[derive(Debug, Default, Args)]
pub struct Record {
    /// End the run when the mote has printed this.
    #[arg(long, value_name = "TEXT")]
    pub until: Option<String>,
    /// Write every event to this file, one JSON object per line (doc/spec/events.schema.json); `-` is the
    /// standard output, and text then goes to the error output.
    #[arg(long, value_name = "FILE")]
    pub json: Option<OutputFile>,
    /// Write to this file, as two JSON objects, what ran and what came of it: the first and the last line that --json has; `-`
    /// is the standard output.
    #[arg(long, value_name = "FILE")]
    pub summary: Option<OutputFile>,
    /// Write waveforms to this file: pins, serial characters, sleep, interrupts, threads, currents. GTKWave opens
    /// them with their names by the file beside it that ends with .gtkw.
    #[arg(long, value_name = "FILE")]
    pub vcd: Option<OutputFile>,
    /// Write a trace to this file, for ui.perfetto.dev: each mote with its threads, interrupts, sleep,
    /// components, pins, text, warnings and currents.
    #[arg(long, value_name = "FILE")]
    pub perfetto: Option<OutputFile>,
    /// Write the frames that radios send and hear to this file as pcapng, for Wireshark: each mote is an interface.
    #[arg(long, value_name = "FILE")]
    pub pcap: Option<OutputFile>,
    /// Plot the current over time, and the states that explain it, to this file as SVG; of several motes,
    /// all of them, or that of --mote.
    #[arg(long, value_name = "FILE")]
    pub wave: Option<OutputFile>,
    /// Begin the plot at this time.
    #[arg(long, value_name = "TIME")]
    pub wave_from: Option<Time>,
    /// Plot this much of the run.
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub wave_for: Option<Time>,
    /// Draw what the motes send to each other to this file as SVG: a lane for each mote with what it sends, and what is
    /// heard, collides or is lost otherwise at the others; and a map of who hears whom.
    #[arg(long, value_name = "FILE")]
    pub air: Option<OutputFile>,
    /// Begin that picture at this time, not with the first frame.
    #[arg(long, value_name = "TIME")]
    pub air_from: Option<Time>,
    /// Draw this much of the run, not the first 30 frames.
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub air_for: Option<Time>,
    /// Print at the end what the components draw, for whom and why, and how long cells last.
    #[arg(long, conflicts_with = "gdb")]
    pub energy: bool,
    /// Write that account to this file, one JSON object for each mote (doc/spec/energy.md); `-` is the
    /// standard output.
    #[arg(long, value_name = "FILE", conflicts_with = "gdb")]
    pub energy_json: Option<OutputFile>,
    /// Write that account to this file as a table, for spreadsheets.
    #[arg(long, value_name = "FILE", conflicts_with = "gdb")]
    pub energy_csv: Option<OutputFile>,
    /// Compute with this cell (data/cell) instead of the board's own.
    #[arg(long, value_name = "NAME")]
    pub cell: Option<String>,
    /// Write the mote's state at the end of the run to this file.
    #[arg(long, value_name = "FILE")]
    pub save: Option<OutputFile>,
    /// What may be overwritten.
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// End the run at the first warning.
    #[arg(long)]
    pub strict: bool,
}

/// Options of `run`.
#[derive(Debug, Args)]
pub struct Run {
    /// The simulation.
    #[command(flatten)]
    pub simulation: Simulation,
    /// Its end and its files.
    #[command(flatten)]
    pub record: Record,
    /// Make the mote's console a serial port of this machine as well, and say its name: for `lichen load --port NAME`, or a
    /// terminal program. The run is as fast as the real mote.
    #[arg(long, conflicts_with = "gdb")]
    pub serial: bool,
    /// Halt before the first instruction and wait for a debugger on this port of localhost.
    #[arg(long, value_name = "PORT")]
    pub gdb: Option<u16>,
}

/// Options of `debug`.
#[derive(Debug, Args)]
pub struct Debug {
    /// The simulation.
    #[command(flatten)]
    pub simulation: Simulation,
    /// Arguments for GDB.
    #[arg(last = true, value_name = "GDB ARGUMENTS")]
    pub arguments: Vec<String>,
}

/// How fast simulated time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Pace {
    /// As fast as possible.
    Max,
    /// As fast as the real mote.
    Real,
}

/// What is shown while motes run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum View {
    /// What they print.
    Console,
    /// What they send to each other, too.
    Network,
}
