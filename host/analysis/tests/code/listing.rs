// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines of a compiler's text and their instructions. The text is that of `os/kernel/time/timer.c`.

use lichen_analysis::{Listed, Unlisted, listed};
use lichen_image::Machine;
use lichen_isa::Flow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Machines, and how their compilers are called.
const TEXTS: [(Machine, &str, &str); 2] = [
    (
        Machine::Arm,
        "armv6m",
        "arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -Ios/chip/samr21/include",
    ),
    (Machine::Avr, "avr8", "avr-gcc -mmcu=atmega128 -Ios/chip/atmega128/include"),
];

/// Compiles the text for a machine.
fn compiled(name: &str, compiler: &str) -> PathBuf {
    let text = folder(name).join("timer.s");
    let mut words = compiler.split(' ');
    let status = Command::new(words.next().expect("a compiler"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .args(words)
        .args(["-std=gnu11", "-Os", "-g0", "-S", "-Ios", "-Ios/include"])
        .args([&format!("-Ios/arch/{name}/include"), "os/kernel/time/timer.c", "-o"])
        .arg(&text)
        .status();
    assert!(status.expect("a compiler").success(), "{compiler}");
    text
}

/// Tests run at the same time.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A line without directives, labels, definitions and comments.
fn is_instruction(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with(['.', '@', ';', '/']) && !line.contains([':', '='])
}

#[test]
fn each_line_with_an_instruction_has_it() {
    for (machine, name, compiler) in TEXTS {
        let file = compiled(name, compiler);
        let source = std::fs::read_to_string(&file).expect("there");
        let listed = listed(machine, &file, &folder(name)).expect("assembled");
        let expected: Vec<(u32, &str)> = (1..)
            .zip(source.lines())
            .filter(|(_, line)| is_instruction(line))
            .map(|(number, line)| (number, line.trim()))
            .collect();
        let found: Vec<(u32, &str)> = listed.iter().map(|it| (it.line, it.text.as_str())).collect();
        assert_eq!(found, expected, "{name}");
        // One behind the other, but for constants and what fills up before them.
        assert!(listed.windows(2).all(|two| two[0].address < two[1].address), "{name}");
        check(name, &source, &listed);
    }
}

/// What instructions do is what their lines say.
fn check(name: &str, source: &str, listed: &[Listed]) {
    let labels: HashMap<&str, u32> = (1..)
        .zip(source.lines())
        .filter_map(|(line, text)| Some((text.trim().strip_suffix(':')?, line)))
        .filter_map(|(label, line)| Some((label, listed.iter().find(|it| it.line > line)?.address)))
        .collect();
    let mut branches = 0;
    for Listed { instruction, text, address, .. } in listed {
        let (mnemonic, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let at = operands.trim();
        let flow = instruction.flow;
        match mnemonic {
            "bl" | "call" => assert!(matches!(flow, Flow::Call(_)), "{name} {address:x} {text}"),
            "blx" | "icall" => assert_eq!(flow, Flow::IndirectCall, "{name} {text}"),
            "ret" => assert_eq!(flow, Flow::Return, "{name} {text}"),
            "jmp" => assert!(matches!(flow, Flow::Branch(_)), "{name} {text}"),
            "beq" | "bne" | "brne" => assert!(matches!(flow, Flow::BranchIf(_)), "{name} {text}"),
            "rjmp" => assert!(matches!(flow, Flow::Branch(_)), "{name} {text}"),
            "str" | "std" | "push" | "out" => {
                assert!(instruction.access.is_some_and(|it| it.write), "{name} {text}");
            }
            "pop" | "ld" | "ldd" | "ldr" => {
                assert!(instruction.access.is_some_and(|it| !it.write), "{name} {text}");
            }
            _ => assert_eq!(flow, Flow::Next, "{name} {text}"),
        }
        if let Some(label) = labels.get(at) {
            assert_eq!(flow.target(), Some(*label), "{name} {text}");
            branches += 1;
        }
    }
    assert!(branches >= 5, "{name}: {branches}");
}

#[test]
fn what_has_no_instructions_says_why() {
    let folder = folder("unlisted");
    let file = folder.join("case.s");
    let of = |text: &str| {
        std::fs::write(&file, text).expect("written");
        listed(Machine::Arm, &file, &folder).map(|listed| listed.len())
    };
    assert!(matches!(of("\t.loc 1 2 3\n\tnop\n"), Err(Unlisted::Located(_))));
    assert!(matches!(of("\tno such thing\n"), Err(Unlisted::Refused("arm-none-eabi-as", _))));
    // Several in a line; what fills up behind them is none of theirs.
    let several = "\t.thumb\nf:\n\tnop; nop; bx lr\n\t.align 3\n\tnop\n";
    assert_eq!(of(several).ok(), Some(4));
    let missing = listed(Machine::Avr, &folder.join("missing.s"), &folder);
    assert!(matches!(missing, Err(Unlisted::Unreadable(..))));
}
