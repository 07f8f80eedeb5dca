// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen flash`: writes a program into a real board.

use crate::build::{build_program, check_budget};
use clap::{Args, ValueEnum};
use lichen_board::Board;
use lichen_build::size::Sizes;
use lichen_flash::{Call, Choice, FlashError, Writer};
use lichen_project::Program;
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::place::Here;
use lichen_terminal::screen::{Screen, out};

/// What `--help` adds.
pub const HELP: &str = "\
Examples:
  lichen flash blink --board samr21-xpro
  lichen flash blink --board samr21-xpro --dry-run
  lichen flash blink --board hamilton --probe cmsis-dap --serial 123456
  lichen flash blink --board samr21-xpro --with edbg
  lichen flash blink --board micaz --port /dev/ttyUSB0

The program is built, checked against its budget (not with --debug), written, verified and started. For boards with a
debug port OpenOCD writes it if it is installed, otherwise edbg; for boards with an AVR avrdude does.
lichen doctor shows which are installed, and how to get the others; lichen console shows what
the mote prints. A board's file says how to
connect it (doc/spec/board.md).

Exit code 1 if the program does not build or is not written; 2 if the tool is missing, or if the
board is not one of the program's or cannot be written.";

/// Options of `flash`.
#[derive(Debug, Args)]
pub struct Options {
    /// Name of a program under app/, or path of a program's folder.
    #[arg(value_name = "APP")]
    pub program: String,
    /// Board to write it into; there is no default, since it replaces what the board holds.
    #[arg(long)]
    pub board: String,
    /// Write what is compiled for a debugger, as `lichen build --debug` does.
    #[arg(long)]
    pub debug: bool,
    /// Print the command that would write the program, ready to paste, and write nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Serial number of the probe, if several are connected.
    #[arg(long, value_name = "NUMBER")]
    pub serial: Option<String>,
    /// Where avrdude's programmer is connected, if not where the board's file says.
    #[arg(long, value_name = "PORT")]
    pub port: Option<String>,
    /// The tool that writes; default: the first that is installed.
    #[arg(long, value_name = "TOOL", value_enum)]
    pub with: Option<With>,
    /// Kind of the probe, for boards without one of their own, as named in the board's file.
    #[arg(long, value_name = "KIND")]
    pub probe: Option<String>,
}

/// A tool that writes flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum With {
    /// OpenOCD.
    Openocd,
    /// edbg, for CMSIS-DAP probes.
    Edbg,
    /// avrdude, for AVRs.
    Avrdude,
}

impl From<With> for Writer {
    fn from(with: With) -> Writer {
        match with {
            With::Openocd => Writer::Openocd,
            With::Edbg => Writer::Edbg,
            With::Avrdude => Writer::Avrdude,
        }
    }
}

/// Builds the program and writes it, or says how.
pub fn flash(options: &Options, screen: &Screen) -> Result<Code, Failure> {
    let here = Here::find()?;
    let file = here.tree.board_file(&options.board)?;
    let board = Board::load(&file)?;
    let program = Program::find(&here.tree, &here.folder, &options.program)?;
    let (artifacts, image) = build_program(&here, &program, &options.board, options.debug, screen)?;
    let sizes = Sizes::of(&image);
    check_budget(&program, &options.board, options.debug, &sizes)?;
    let choice = Choice {
        writer: options.with.map(Writer::from),
        probe: options.probe.as_deref(),
        serial: options.serial.as_deref(),
        port: options.port.as_deref(),
    };
    let files = (artifacts.elf.as_path(), artifacts.bin.as_path());
    let call = Call::new(&board, here.tree.shown(&file), files, choice).map_err(failure)?;
    if options.dry_run {
        out!("{}", call.line());
        return Ok(Code::Done);
    }
    call.check().map_err(failure)?;
    let tool = call.writer.tool().name;
    screen.step(&format!("{tool} writes {} into {}", program.manifest.name, board.title));
    let written = call.execute();
    screen.end_progress();
    written.map_err(failure)?;
    let name = &program.manifest.name;
    out!("{name} is in the {}: {} bytes, written and verified by {tool}", board.title, sizes.rom());
    Ok(Code::Done)
}

fn failure(error: FlashError) -> Failure {
    match &error {
        FlashError::Failed { output, .. } => {
            Failure { output: Some(output.clone()), ..Failure::of(&error) }
        }
        _ => Failure::wrong_input(&error),
    }
}
