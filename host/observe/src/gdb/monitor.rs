// SPDX-License-Identifier: MIT OR Apache-2.0
//! The debugger's `monitor` command: what only a simulated mote can report or do.

use super::history::Change;
use super::stub::Target;
use super::{Debuggee, threads};
use crate::place;
use gdbstub::common::Tid;
use gdbstub::target::ext::monitor_cmd::{ConsoleOutput, MonitorCmd, outputln};

const HELP: &str = "\
monitor help          this list
monitor time          simulated time, cycles, instructions, time asleep
monitor state         clock, interrupt and place of the processor
monitor threads       the kernel's threads, their CPU time if the program counts it, and how far their
                      stacks have been used
monitor type TEXT     type TEXT and a line feed at the console
monitor reset         pull the reset pin; then: maintenance flush register-cache";

impl<D: Debuggee> MonitorCmd for Target<'_, D> {
    fn handle_monitor_cmd(
        &mut self,
        command: &[u8],
        mut out: ConsoleOutput<'_>,
    ) -> Result<(), D::Error> {
        let command = String::from_utf8_lossy(command);
        let (verb, rest) = command.trim_start().split_once(' ').unwrap_or((command.trim(), ""));
        let lines = match verb {
            "" | "help" => HELP.to_string(),
            "time" => self.time(),
            "state" => state(self.debuggee),
            "threads" => all_threads(self.debuggee),
            "type" if !self.debuggee.chip().is_powered() => {
                format!("nothing is typed: the mote has no power{}", reason(self.debuggee))
            }
            "type" => {
                let text = format!("{rest}\n").into_bytes();
                match self.history.change(self.debuggee, Change::Typed(text))? {
                    true => format!("typed: {rest}"),
                    false => self.past(),
                }
            }
            "reset" => match self.history.change(self.debuggee, Change::Reset)? {
                true => format!("reset; {}", standing(self.debuggee)),
                false => self.past(),
            },
            _ => format!("there is no `monitor {verb}`; it knows:\n{HELP}"),
        };
        outputln!(out, "{lines}");
        Ok(())
    }
}

impl<D: Debuggee> Target<'_, D> {
    fn time(&self) -> String {
        let chip = self.debuggee.chip();
        let (now, present) = (chip.now(), self.history.present());
        let past = match now < present {
            true => format!("\nthe past; the present is at {present} s"),
            false => String::new(),
        };
        format!(
            "{now} s, {} cycles, {} instructions, {} s asleep{past}",
            chip.cycle().0,
            chip.instructions(),
            chip.time_asleep()
        )
    }

    /// Why nothing was done.
    fn past(&self) -> String {
        let present = self.history.present();
        format!(
            "the past cannot be changed: continue to the present first, which is at {present} s"
        )
    }
}

/// Why it has no power, to follow what says that it has none.
fn reason(debuggee: &impl Debuggee) -> String {
    debuggee.why_off().map_or(String::new(), |why| format!(", since {why}"))
}

fn state(debuggee: &impl Debuggee) -> String {
    let chip = debuggee.chip();
    if !chip.is_powered() {
        return format!("{}: without power{}", chip.part(), reason(debuggee));
    }
    let clock = match chip.processor_hz() {
        0 => "its clock is stopped".to_string(),
        hz => format!("{hz} Hz"),
    };
    let interrupt = match chip.core().exception() {
        0 => "no interrupt".to_string(),
        number => format!("in interrupt {}", chip.core().exception_name(number)),
    };
    let next = match chip.next_event() {
        at if at <= chip.now() => "executing".to_string(),
        at if at == lichen_chip::Time::NEVER => "nothing to do, for ever".to_string(),
        at => format!("asleep, next event in {:.1} us", (at - chip.now()).as_us()),
    };
    format!("{}: {clock}, {interrupt}, {next}; {}", chip.part(), standing(debuggee))
}

fn standing(debuggee: &impl Debuggee) -> String {
    let pc = debuggee.chip().core().pc();
    let place = match debuggee.kernel() {
        Some(kernel) => kernel.code(debuggee.image(), debuggee.chip()).place(pc),
        None => place(debuggee.image(), pc),
    };
    let symbol = place.symbol.map(|symbol| format!(" in {symbol}")).unwrap_or_default();
    let line = match (place.file, place.line) {
        (Some(file), Some(line)) => format!(" at {file}:{line}"),
        _ => String::new(),
    };
    format!("the processor is at 0x{:08x}{symbol}{line}", place.pc)
}

fn all_threads(debuggee: &impl Debuggee) -> String {
    let mut lines: Vec<String> = threads::statuses(debuggee)
        .iter()
        .map(|status| threads::description(debuggee, threads::number(status)))
        .collect();
    if lines.is_empty() {
        lines.push(threads::description(debuggee, Tid::MIN));
        lines.extend(threads::why_none(debuggee).map(str::to_string));
    }
    let stacks = debuggee.kernel().map(|kernel| kernel.stacks(debuggee.chip()));
    lines.extend(stacks.unwrap_or_default().iter().map(|mark| {
        format!("stack {}: {} of {} bytes used at most", mark.name, mark.used, mark.bytes)
    }));
    lines.join("\n")
}
