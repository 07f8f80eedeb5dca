// SPDX-License-Identifier: MIT OR Apache-2.0
//! What editors and debuggers read of a program outside the tree, in the folder `build` of the program: how its files
//! are compiled, in words that clang understands, and its image.

use super::Artifacts;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// Flags of GCC that clang does not know.
const UNKNOWN: [&str; 6] = [
    "-mrelax",
    "-mstrict-X",
    "-mcall-prologues",
    "-fno-tree-loop-distribute-patterns",
    "-fconserve-stack",
    "-Werror",
];

/// Further arguments for clang: it does not know all of GCC's attributes.
const QUIET: &str = "-Wno-unknown-attributes";

/// Writes the files for the program in `folder`, if it has an editor set up (`.clangd`). This is only a convenience:
/// if it is not possible, the build does not fail.
pub(super) fn serve(folder: &Path, artifacts: &Artifacts) {
    if !folder.join(".clangd").is_file() {
        return;
    }
    let build = folder.join("build");
    let _ = std::fs::create_dir_all(&build);
    let text = std::fs::read(&artifacts.compile_commands).unwrap_or_default();
    let mut commands: Vec<serde_json::Value> = serde_json::from_slice(&text).unwrap_or_default();
    let mut folders = None;
    for entry in &mut commands {
        let Some(command) = entry["command"].as_str() else { continue };
        let words: Vec<&str> = command.split(' ').collect();
        let system = folders.get_or_insert_with(|| system_folders(&words));
        entry["command"] = for_clang(&words, system).into();
    }
    let _ = serde_json::to_vec_pretty(&commands)
        .map(|text| std::fs::write(build.join("compile_commands.json"), text));
    if let Some(image) = artifacts.elf.file_name() {
        let _ = std::fs::copy(&artifacts.elf, build.join(image));
    }
}

/// A command of GCC as one of clang.
fn for_clang(words: &[&str], system: &[PathBuf]) -> String {
    let Some((compiler, flags)) = words.split_first() else { return String::new() };
    let target = match compiler.ends_with("avr-gcc") {
        // Clang has no address spaces of AVR in C.
        true => ["--target=avr", "-D__flash="].as_slice(),
        false => &["--target=arm-none-eabi"],
    };
    let known = |flag: &&&str| !UNKNOWN.contains(*flag) && !flag.starts_with("--specs");
    let mut command: Vec<String> = vec![compiler.to_string()];
    command.extend(target.iter().map(|flag| flag.to_string()));
    command.push(QUIET.to_string());
    command.extend(system.iter().map(|folder| format!("-isystem {}", folder.display())));
    command.extend(flags.iter().filter(known).map(|flag| flag.to_string()));
    command.join(" ")
}

/// The folders of headers that the compiler of a command searches, without its own: clang has those.
fn system_folders(words: &[&str]) -> Vec<PathBuf> {
    let Some((compiler, flags)) = words.split_first() else { return Vec::new() };
    let machine = flags.iter().filter(|flag| flag.starts_with("-m") || flag.starts_with("--specs"));
    let asked = Command::new(compiler)
        .args(machine)
        .args(["-E", "-v", "-x", "c", "/dev/null"])
        .env("LC_ALL", "C")
        .output();
    let said = asked.map(|output| output.stderr).unwrap_or_default();
    searched(&String::from_utf8_lossy(&said))
}

fn searched(said: &str) -> Vec<PathBuf> {
    let list = said.lines().skip_while(|line| !line.starts_with("#include <...>")).skip(1);
    let folders = list.take_while(|line| line.starts_with(' ')).map(|line| plain(line.trim()));
    folders.filter(|folder| !folder.components().any(|part| part.as_os_str() == "gcc")).collect()
}

/// A path without `..`.
fn plain(path: &str) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compilers_own_headers_are_left_to_clang() {
        let said = "#include \"...\" search starts here:\n#include <...> search starts here:\n \
                    /usr/lib/gcc/avr/5.4.0/include\n /usr/lib/gcc/avr/5.4.0/../../../avr/include\n\
                    End of search list.\n";
        assert_eq!(searched(said), [Path::new("/usr/lib/avr/include")]);
    }

    #[test]
    fn flags_that_clang_does_not_know_are_left_out() {
        let words = ["/usr/bin/avr-gcc", "-mmcu=atmega128", "-mrelax", "-Werror", "-c", "a.c"];
        assert_eq!(
            for_clang(&words, &[PathBuf::from("/inc")]),
            "/usr/bin/avr-gcc --target=avr -D__flash= -Wno-unknown-attributes -isystem /inc -mmcu=atmega128 -c a.c"
        );
    }
}
