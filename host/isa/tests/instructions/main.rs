// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every ARMv6-M instruction against the data files in `test/isa/armv6m`: one instruction, the
//! state before and after it, how long it takes.

mod case;
mod encoding;

use case::Case;
use encoding::Encoding;
use lichen_isa::armv6m::FaultKind;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/isa/armv6m")
}

/// All cases, with the file that they come from.
fn cases() -> Vec<(String, Case)> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder())
        .expect("test/isa/armv6m is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .filter(|path| !path.ends_with("encodings.toml"))
        .collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let name = file.file_name().expect("a file").to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).expect("readable");
        let parsed = case::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        cases.extend(parsed.into_iter().map(|case| (name.clone(), case)));
    }
    cases
}

fn encodings() -> Vec<Encoding> {
    let text = fs::read_to_string(folder().join("encodings.toml")).expect("readable");
    encoding::parse(&text).unwrap_or_else(|error| panic!("encodings.toml: {error}"))
}

#[test]
fn instructions_do_what_the_cases_say() {
    let cases = cases();
    let failures: Vec<String> = cases
        .iter()
        .filter_map(|(file, case)| {
            let wrong = case.check().err()?;
            Some(format!("{file}: {}, before {:?}: {wrong}", case.assembly, case.before))
        })
        .collect();
    assert!(cases.len() > 250, "cases are missing");
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn every_encoding_has_a_case() {
    let cases = cases();
    for encoding in encodings() {
        let covered = cases.iter().any(|(_, case)| encoding.matches(&case.code));
        assert!(covered, "no case for {}", encoding.name);
    }
}

#[test]
fn encodings_divide_all_halfwords() {
    let encodings = encodings();
    for halfword in 0..=u16::MAX {
        let wide = halfword >> 11 == 0b11110;
        let matches = encodings.iter().filter(|encoding| encoding.begins_with(halfword)).count();
        assert!(wide || matches == 1, "0x{halfword:04x} has {matches} encodings");
    }
}

#[test]
fn exactly_the_undefined_halfwords_are_undefined() {
    let encodings = encodings();
    for halfword in (0..=u16::MAX).filter(|halfword| halfword >> 11 != 0b11110) {
        let undefined = encodings.iter().any(|encoding| {
            encoding.begins_with(halfword)
                && (encoding.name.starts_with("UNDEFINED") || encoding.name.starts_with("UDF"))
        });
        let fault = case::fault_of(halfword);
        assert_eq!(undefined, fault == Some(FaultKind::Undefined), "0x{halfword:04x}");
    }
}

/// If there is an assembler, checks that it translates the text to the same halfwords.
#[test]
fn code_is_what_the_assembler_says() {
    if Command::new("arm-none-eabi-as").arg("--version").output().is_err() {
        return;
    }
    let cases = cases();
    let mut source = String::from(".syntax unified\n.cpu cortex-m0plus\n.thumb\n.text\n");
    for (i, (_, case)) in cases.iter().enumerate() {
        // Each case in a section of its own, aligned as its address is.
        let text =
            case.assembly.replace("t:", &format!("t{i}:")).replace(" t;", &format!(" t{i};"));
        source += &format!(".section s{i},\"ax\"\n.align 2\n{}\n", text.replace(';', "\n"));
    }
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (assembly, object) = (directory.join("cases.s"), directory.join("cases.o"));
    fs::write(&assembly, source).expect("writable");
    let status = Command::new("arm-none-eabi-as").arg("-o").args([&object, &assembly]).status();
    assert!(status.expect("the assembler runs").success());
    for (i, (file, case)) in cases.iter().enumerate() {
        let binary = directory.join("case.bin");
        let status = Command::new("arm-none-eabi-objcopy")
            .args(["-O", "binary", "-j", &format!("s{i}")])
            .args([&object, &binary])
            .status();
        assert!(status.expect("objcopy runs").success());
        let bytes = fs::read(&binary).expect("readable");
        let stored: Vec<u8> = case.code.iter().flat_map(|half| half.to_le_bytes()).collect();
        assert!(bytes.starts_with(&stored), "{file}: {}: {bytes:02x?}", case.assembly);
    }
}
