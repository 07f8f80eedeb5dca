// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names that files of the firmware share, and programs do not know, begin with the name of their module.

use super::rules::Rules;
use super::source::without_comments;
use super::{CheckError, Violation, files, read};
use lichen_project::{Place, Tree};
use std::collections::BTreeSet;
use std::path::Path;

/// Macros that define an object of this name.
const MACROS: [&str; 8] =
    ["EVENT", "THREAD", "NOTIFY", "MUTEX", "SEMAPHORE", "SEMAPHORE_RT", "QUEUE", "COOP"];

/// Finds global names of another beginning.
pub fn check(tree: &Tree, rules: &Rules) -> Result<Vec<Violation>, CheckError> {
    let mut public = BTreeSet::new();
    for header in files(tree, "os", &["h"])? {
        if header.components().any(|part| part.as_os_str() == "include") {
            let text = read(tree, &header)?;
            public.extend(text.split(|c| !is_part(c)).map(str::to_string));
        }
    }
    let mut found = Vec::new();
    for file in files(tree, "os", &["c", "S"])? {
        let prefixes = prefixes(&file, rules);
        let text = read(tree, &file)?;
        let is_assembly = file.extension().is_some_and(|ending| ending == "S");
        let defined = if is_assembly { of_assembly(&text) } else { of_c(&text) };
        for (name, line) in defined {
            let begins = |prefix: &String| {
                let rest = name.strip_prefix(prefix.as_str());
                let is_all = |rest: &str| rest.is_empty() && prefix.contains('_');
                rest.is_some_and(|rest| rest.starts_with('_') || is_all(rest))
            };
            if !public.contains(&name) && !prefixes.iter().any(begins) {
                found.push(Violation {
                    place: Place::line(&file, line),
                    message: format!(
                        "`{name}' is a global name, and begins with none of: {}",
                        prefixes.join("_, ") + "_"
                    ),
                    remedy: "begin it with its module, or declare it static".to_string(),
                });
            }
        }
    }
    Ok(found)
}

/// What the names in `file` may begin with: the name of its folder; in folders of modules with one file each, the file's;
/// and what the rules add for its folder, or one above it.
fn prefixes(file: &Path, rules: &Rules) -> Vec<String> {
    let name = |path: Option<&Path>| {
        let name = path.and_then(Path::file_stem).unwrap_or_default().to_string_lossy();
        name.replace('-', "_")
    };
    let mut prefixes = vec![name(file.parent())];
    if rules.names.one_file_modules.iter().any(|folder| file.starts_with(folder)) {
        prefixes.push(name(Some(file)));
    }
    let more = rules.names.prefixes.iter().filter(|(folder, _)| file.starts_with(folder));
    prefixes.extend(more.flat_map(|(_, more)| more.iter().cloned()));
    prefixes
}

/// The global names that C defines, with their lines.
fn of_c(text: &str) -> Vec<(String, u32)> {
    let text = without_comments(text);
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let number = at as u32 + 1;
        // A declaration that is too long for one line.
        let before = at.checked_sub(1).map_or("", |before| lines[before]).trim_end();
        let is_not_global =
            ["static ", "extern ", "typedef "].iter().any(|word| before.starts_with(word));
        let continues = is_not_global && !before.ends_with([';', '{', '}']);
        let outermost =
            line.starts_with(|c: char| c.is_ascii_lowercase() || c == '_') && !continues;
        if let Some((_, rest)) = line.split_once('(').filter(|(name, _)| MACROS.contains(name)) {
            found.push((rest.split([',', ')']).next().unwrap_or("").trim().to_string(), number));
        } else if outermost && defines(line, &lines[at + 1..]) {
            found.extend(declared(line).map(|name| (name, number)));
        }
    }
    found
}

/// Whether an outermost line begins a definition that other files see.
fn defines(line: &str, behind: &[&str]) -> bool {
    let not = ["static", "extern", "typedef", "_Static_assert", "__asm__"];
    let first = line.split(|c| !is_part(c)).next().unwrap_or("");
    if not.contains(&first) || line.contains(" static ") || line.trim_end().ends_with('\\') {
        return false;
    }
    let all = std::iter::once(&line).chain(behind);
    let text: String = all.take_while(|line| !line.is_empty()).take(12).copied().collect();
    let Some(end) = text.find(['{', ';', '=']) else { return false };
    match text.as_bytes()[end] {
        b'{' => text[..end].contains('('),
        b'=' => true,
        _ => !text[..end].contains('('),
    }
}

/// The name that a line declares.
fn declared(line: &str) -> Option<String> {
    let mut line = line;
    while let Some((before, attribute)) = line.split_once("__attribute__") {
        if !before.trim().is_empty() {
            line = before;
            break;
        }
        line = attribute.split_once("))")?.1;
    }
    let end = line.find(['(', '[', ';', '=']).unwrap_or(line.len());
    let name = line[..end].trim().rsplit([' ', '*']).next()?;
    let keywords = ["struct", "enum", "union"];
    let is_type = line.trim_start().split(' ').next().is_some_and(|word| keywords.contains(&word))
        && line[..end].trim().split(' ').count() == 2;
    (!name.is_empty() && !is_type && name.chars().all(is_part)).then(|| name.to_string())
}

/// The global names that assembly defines, with their lines.
fn of_assembly(text: &str) -> Vec<(String, u32)> {
    let text = without_comments(text);
    let mut defined = BTreeSet::new();
    for line in text.lines() {
        if let Some((label, _)) = line.split_once(':') {
            defined.insert(label);
        }
        for key in [".set ", ".thumb_set "] {
            defined.extend(
                line.trim_start().strip_prefix(key).and_then(|rest| rest.split(',').next()),
            );
        }
    }
    let mut found = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        if let Some(name) = line.strip_prefix("function ") {
            found.push((name.trim().to_string(), number));
        }
        let names = line.strip_prefix(".global ").unwrap_or("").split(',').map(str::trim);
        found.extend(
            names.filter(|name| defined.contains(name)).map(|name| (name.to_string(), number)),
        );
    }
    found.retain(|(name, _)| !name.is_empty() && name.chars().all(is_part));
    found
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use crate::tests::violations;

    fn found(file: &str, text: &str) -> Vec<String> {
        let header = ("os/include/lichen/a.h", "void led_on(unsigned led);\n");
        let found = violations("prefixes of names", &[header, (file, text)]);
        found.iter().map(|v| v.split(" is a global").next().unwrap_or(v).to_string()).collect()
    }

    #[test]
    fn names_of_the_module_and_public_ones_are_good() {
        let text = "static int edges;\nint console_count;\nvoid led_on(unsigned led)\n{\n}\n\
                    void console_put(char a);\nextern int other;\nstruct line {\n    int a;\n};\n\
                    EVENT(console_sent)\n{\n}\nconst uint8_t console_has[] = {1};\n";
        assert_eq!(found("os/driver/console/console.c", text), [""; 0]);
        assert_eq!(
            found(
                "os/kernel/sync/mutex.c",
                "int mutex_a;\nvoid mutex_b(int a,\n    int b)\n{\n}\n"
            ),
            [""; 0]
        );
    }

    #[test]
    fn others_are_found() {
        let text = "int edges;\nvoid *put(\n    int a)\n{\n}\nEVENT(sent)\n{\n}\nTHREAD(driver, 100, 2)\n\
                    struct consoles x = {\n    1};\n__attribute__((noinline)) void stack_free(void)\n{\n}\n";
        let expected =
            [(1, "edges"), (2, "put"), (6, "sent"), (9, "driver"), (10, "x"), (12, "stack_free")];
        let expected =
            expected.map(|(line, name)| format!("os/driver/console/print.c:{line}: `{name}'"));
        assert_eq!(found("os/driver/console/print.c", text), expected);
    }

    #[test]
    fn assembly_has_names_too() {
        let text = "    .global needed\n    .global run\nrun:\n    function arch_go\n    .global level\n    .set level, 1\n";
        let expected = ["os/arch/toy/a.S:2: `run'", "os/arch/toy/a.S:5: `level'"];
        assert_eq!(found("os/arch/toy/a.S", text), expected);
    }
}
