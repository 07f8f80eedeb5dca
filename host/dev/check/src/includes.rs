// SPDX-License-Identifier: MIT OR Apache-2.0
//! The include graph of the firmware against the plan.

use super::rules::{Room, Rules};
use super::source::without_comments;
use super::{CheckError, Violation, files, read};
use lichen_project::{Place, Tree};
use std::path::{Component, Path, PathBuf};

/// Finds includes that the plan does not allow.
pub fn check(tree: &Tree, rules: &Rules) -> Result<Vec<Violation>, CheckError> {
    let folders = include_folders(tree, rules)?;
    let mut found = Vec::new();
    for top in ["os", "app", "bench", "test"] {
        for file in files(tree, top, &["c", "h", "S"])? {
            let Some(room) = room_of(rules, &file) else { continue };
            let text = read(tree, &file)?;
            for (line, name) in includes(&text) {
                let place = Place::line(&file, line);
                found.extend(violation(tree, rules, &folders, room, &file, name, place));
            }
        }
    }
    Ok(found)
}

/// The folders in which includes are looked up, with `*` filled in.
fn include_folders(tree: &Tree, rules: &Rules) -> Result<Vec<PathBuf>, CheckError> {
    let mut folders = Vec::new();
    for path in &rules.include.paths {
        let Some((parent, rest)) = path.split_once("/*") else {
            folders.push(PathBuf::from(path));
            continue;
        };
        if !tree.path(parent).is_dir() {
            continue;
        }
        for inside in lichen_project::tree::list(&tree.path(parent))? {
            let folder = tree.shown(&inside).join(rest.trim_start_matches('/'));
            if tree.path(&folder).is_dir() {
                folders.push(folder);
            }
        }
    }
    Ok(folders)
}

/// The room that `file` is in.
fn room_of<'a>(rules: &'a Rules, file: &Path) -> Option<&'a Room> {
    let inside = rules.rooms.iter().filter(|room| file.starts_with(&room.folder));
    inside.max_by_key(|room| room.folder.len())
}

/// Lines and names of the includes in `text`.
fn includes(text: &str) -> Vec<(u32, &str)> {
    let plain = without_comments(text);
    let directive = |line: &str| {
        let line = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        Some(line.len())
    };
    text.lines()
        .zip(plain.lines())
        .zip(1..)
        .filter(|((_, plain), _)| directive(plain).is_some())
        .filter_map(|((line, _), number)| {
            let name = line.split(['"', '<', '>']).nth(1)?;
            Some((number, name))
        })
        .collect()
}

fn violation(
    tree: &Tree,
    rules: &Rules,
    folders: &[PathBuf],
    room: &Room,
    file: &Path,
    name: &str,
    place: Place,
) -> Option<Violation> {
    let of_room = format!("<{name}>");
    if rules.include.system.iter().any(|header| header == name) || room.may.contains(&of_room) {
        return None;
    }
    let own = file.parent().unwrap_or(Path::new(""));
    let target = std::iter::once(own)
        .chain(folders.iter().map(PathBuf::as_path))
        .map(|folder| normal(&folder.join(name)))
        .find(|path| tree.path(path).is_file());
    let Some(target) = target else {
        return Some(Violation {
            place,
            message: format!("`{name}` is neither in the tree nor a header that firmware may use"),
            remedy: format!("spell it as seen from {}, or drop it", rules.include.paths.join(", ")),
        });
    };
    let allowed = room.may.iter().any(|may| match may.as_str() {
        "." => target.starts_with(own),
        may => begins_with(&target, may),
    });
    if allowed {
        return None;
    }
    Some(Violation {
        place,
        message: format!("{} may not include {}", room.folder, target.display()),
        remedy: format!(
            "{} may include {}; doc/design/architecture.md says who may use whom",
            room.folder,
            room.may.join(", ")
        ),
    })
}

/// Whether `path` begins with the parts of `pattern`; a `*` in a part is any text.
fn begins_with(path: &Path, pattern: &str) -> bool {
    let mut parts = path.components().map(|part| part.as_os_str().to_string_lossy());
    pattern.split('/').all(|wanted| {
        parts.next().is_some_and(|part| match wanted.split_once('*') {
            None => part == wanted,
            Some((begin, end)) => {
                part.len() >= wanted.len() - 1 && part.starts_with(begin) && part.ends_with(end)
            }
        })
    })
}

/// `path` without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::CurDir => {}
            other => parts.push(other),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use crate::tests::violations;

    const TREE: [(&str, &str); 8] = [
        ("os/chip/samr21/reg.h", ""),
        ("os/chip/usart.h", ""),
        ("os/include/lichen/time.h", ""),
        ("os/kernel/time/queue.h", ""),
        ("os/arch/arch.h", ""),
        ("os/arch/armv6m/mpu.h", ""),
        ("os/chip/chip.h", ""),
        ("os/board/toy/pins.h", ""),
    ];

    fn found(file: &str, text: &str) -> Vec<String> {
        let mut files = TREE.to_vec();
        files.push((file, text));
        violations("include graph", &files)
    }

    #[test]
    fn what_the_plan_allows_is_silent() {
        let kernel = "#include <stdint.h>\n#include \"queue.h\"\n#include \"arch/arch.h\"\n\
                      #include <lichen/time.h>\n// #include \"board/toy/pins.h\"\n";
        assert!(found("os/kernel/time/time.c", kernel).is_empty());
        assert!(found("app/blink/main.c", "#include <lichen/time.h>\n").is_empty());
    }

    #[test]
    fn an_application_may_not_enter_the_kernel() {
        let found = found("app/blink/main.c", "\n#include \"kernel/time/queue.h\"\n");
        assert_eq!(found, ["app/blink/main.c:2: app may not include os/kernel/time/queue.h"]);
    }

    #[test]
    fn the_kernel_may_not_look_into_an_architecture() {
        let found = found("os/kernel/time/time.c", "#include \"mpu.h\"\n");
        assert_eq!(
            found,
            ["os/kernel/time/time.c:1: os/kernel may not include os/arch/armv6m/mpu.h"]
        );
    }

    #[test]
    fn a_driver_may_not_know_a_board() {
        let found = found("os/driver/led/led.c", "#include \"board/toy/pins.h\"\n");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("os/driver may not include os/board/toy/pins.h"));
    }

    #[test]
    fn a_driver_may_use_a_chips_interface_but_not_the_chip() {
        assert!(found("os/driver/led/led.c", "#include \"chip/usart.h\"\n").is_empty());
        let found = found("os/driver/led/led.c", "#include \"reg.h\"\n");
        assert_eq!(
            found,
            ["os/driver/led/led.c:1: os/driver may not include os/chip/samr21/reg.h"]
        );
    }

    #[test]
    fn only_the_test_frame_may_jump_far() {
        assert!(found("test/mote/frame/test.c", "#include <setjmp.h>\n").is_empty());
        assert_eq!(found("os/kernel/a.c", "#include <setjmp.h>\n").len(), 1);
    }

    #[test]
    fn a_driver_may_not_take_a_detour_either() {
        let found = found("os/driver/led/led.c", "#include \"../../board/toy/pins.h\"\n");
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn formatted_output_of_the_c_library_is_refused() {
        let found = found("app/blink/main.c", "#include <stdio.h>\n");
        assert!(found[0].contains("`stdio.h`"), "{found:?}");
    }
}
