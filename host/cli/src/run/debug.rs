// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen debug`: a run under a GDB of its own.

use super::debugged::{accept, converse, listen, port};
use super::live::Typist;
use super::options::{Debug, Record};
use super::{prepare, summary};
use lichen_image::Image;
use lichen_observe::gdb::Farewell;
use lichen_project::tool::{self, Tool, ToolChain};
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::files::Files;
use lichen_terminal::place::Here;
use lichen_terminal::screen::{Screen, out};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Builds the program if it is given as source, and starts GDB on it, halted before the first
/// instruction.
pub fn debug(options: &Debug, files: Files, screen: &Screen) -> Result<Code, Failure> {
    let here = Here::find()?;
    let record = Record::default();
    let (mut session, mut show, elf) =
        prepare((&options.simulation, &record), files, &here, screen, Typist::Nobody)?;
    let debugged = session.world.mote(session.mote);
    let debugger = debugger(debugged.image());
    let script = debugged.kernel().and_then(|_| chain(debugged.image())?.debugger_script);
    let name = debugger.name;
    let gdb = debugger.path().ok_or_else(|| {
        Failure::wrong(format!("{name} is not on this machine")).remedy(debugger.remedy())
    })?;
    let listener = listen(0)?;
    // Ctrl-C in the terminal is for GDB, which halts the mote.
    ctrlc::set_handler(|| {})
        .map_err(|error| Failure::failed(format!("cannot leave Ctrl-C to GDB: {error}")))?;
    let mut command = call(&gdb, &here, &elf, port(&listener)?, script);
    let child = command.args(&options.arguments).spawn();
    let mut child =
        child.map_err(|error| Failure::failed(format!("cannot start {name}: {error}")))?;
    let never = Arc::new(AtomicBool::new(false));
    let lives = |child: &mut Child| matches!(child.try_wait(), Ok(None));
    while let Some(stream) = accept(&listener, || lives(&mut child))? {
        let (farewell, _) = converse(&mut session, &mut show, stream, &never)?;
        if let Farewell::Garbled(what) = farewell {
            out!("GDB was disconnected: it asked for what this mote cannot do: {what}");
        }
    }
    let status =
        child.wait().map_err(|error| Failure::failed(format!("{name} is lost: {error}")))?;
    show.finish(session.world.now())?;
    let mote = session.world.mote(session.mote);
    let title = screen.bold(&session.title);
    summary::print(&title, mote, session.begin, session.started.elapsed());
    match status.success() {
        true => Ok(Code::Done),
        false => Err(Failure::failed(format!("{name} ended with {status}"))
            .remedy("see its own message above")),
    }
}

/// The debugger for the machine that an image is made for.
pub(super) fn debugger(image: &Image) -> Tool {
    chain(image).map_or(tool::GDB, |chain| chain.debugger)
}

fn chain(image: &Image) -> Option<ToolChain> {
    ToolChain::of_machine(image.machine().number())
}

/// The call of GDB with the image, which it attaches to `port`. Source paths are relative to the tree's root.
fn call(gdb: &Path, here: &Here, elf: &Path, port: u16, script: Option<&str>) -> Command {
    let mut command = Command::new(gdb);
    // Of a program that is linked twice, all code is in one unit, and other units have the names of what is part of other
    // functions: GDB finds these names only if it has read all units.
    command.args(["-q", "-readnow"]).arg(elf);
    command.arg("-iex").arg(format!("directory {}", here.tree.path("").display()));
    // A GDB for many machines takes this for a program of Linux, where no code lies below 0x8000, and finds no callers.
    command.args(["-iex", "set osabi none"]);
    // Files of loaded programs are on this machine, and a breakpoint in one may be set before it is loaded.
    command.args(["-iex", "set sysroot /", "-iex", "set breakpoint pending on"]);
    if let Some(file) = script {
        command.arg("-iex").arg(format!("source {}", here.tree.path(file).display()));
    }
    command.args(["-ex", &format!("target remote localhost:{port}")]);
    command
}
