// SPDX-License-Identifier: MIT OR Apache-2.0
//! What lies beside a file of waveforms: names for its numbers, and how GTKWave shows its variables.
//!
//! The table of names has a line for each: the number as four hexadecimal digits, and the name. That is what GTKWave
//! calls a translate filter file. It grows as names appear, so it is complete whenever the run ends.

use crate::Error;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How a variable is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// A line that is high or low.
    Level,
    /// The name of a number of so many bits.
    Name(u32),
    /// Characters of so many bits.
    Text(u32),
    /// Steps, as on an oscilloscope.
    Curve,
}

/// A variable with the path of its scopes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    pub variable: String,
    pub show: Show,
}

/// Numbers of names, in the order in which these appeared.
#[derive(Debug, Default)]
pub struct Names {
    numbers: HashMap<String, u16>,
    /// Where they are written.
    table: Option<File>,
}

impl Names {
    /// The names of the waveforms in the file `vcd`, which exists: `NAME.names.txt` and, for GTKWave, `NAME.gtkw` beside
    /// it. What is no file, such as a pipe, has nothing beside it.
    pub fn beside(vcd: &Path, shown: &[Shown]) -> Result<Names, Error> {
        if !vcd.is_file() {
            return Ok(Names::default());
        }
        let table = vcd.with_extension("names.txt");
        let file = File::create(&table).map_err(|source| created(&table, source))?;
        let view = vcd.with_extension("gtkw");
        std::fs::write(&view, for_gtkwave([vcd, &view, &table], shown))
            .map_err(|source| created(&view, source))?;
        Ok(Names { numbers: HashMap::new(), table: Some(file) })
    }

    /// The number of a name. Names beyond the last number share it.
    pub fn number(&mut self, name: &str) -> io::Result<u16> {
        if let Some(number) = self.numbers.get(name) {
            return Ok(*number);
        }
        let number = u16::try_from(self.numbers.len()).unwrap_or(u16::MAX);
        self.numbers.insert(name.to_string(), number);
        if let Some(table) = &mut self.table {
            writeln!(table, "{number:04x} {name}")?;
        }
        Ok(number)
    }
}

fn created(path: &Path, source: io::Error) -> Error {
    Error::Create { path: path.to_path_buf(), source }
}

/// What GTKWave reads as a save file: all variables, in its flags for how they are drawn. It finds files by their full
/// paths, or beside the save file if all of them were moved.
fn for_gtkwave(files: [&Path; 3], shown: &[Shown]) -> String {
    let full = |path: &Path| std::path::absolute(path).unwrap_or(PathBuf::from(path));
    let [vcd, view, table] = files.map(|path| full(path).display().to_string());
    let mut text = format!("[dumpfile] \"{vcd}\"\n[savefile] \"{view}\"\n[timestart] 0\n");
    for Shown { variable, show } in shown {
        // Flags: 2 hexadecimal, 8 binary, 20 to the right, 800 characters, 2000 translated, 8000 steps.
        text += &match show {
            Show::Level => format!("@28\n{variable}\n"),
            Show::Name(bits) => format!("@2022\n^1 {table}\n{variable}[{}:0]\n", bits - 1),
            Show::Text(bits) => format!("@820\n{variable}[{}:0]\n", bits - 1),
            Show::Curve => format!("@8420\n{variable}\n"),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_number() {
        let mut names = Names::default();
        let numbers =
            ["-", "idle", "-", "blink", "idle"].map(|name| names.number(name).expect("no file"));
        assert_eq!(numbers, [0, 1, 0, 2, 1]);
    }

    #[test]
    fn gtkwave_is_reported_how_to_show_each_variable() {
        let shown =
            [("m.thread", Show::Name(16)), ("m.out", Show::Text(8)), ("m.led", Show::Level)]
                .map(|(variable, show)| Shown { variable: variable.into(), show });
        let text = for_gtkwave(["/d/a.vcd", "/d/a.gtkw", "/d/a.names.txt"].map(Path::new), &shown);
        let expected = "[dumpfile] \"/d/a.vcd\"\n[savefile] \"/d/a.gtkw\"\n[timestart] 0\n\
                        @2022\n^1 /d/a.names.txt\nm.thread[15:0]\n@820\nm.out[7:0]\n@28\nm.led\n";
        assert_eq!(text, expected);
    }
}
