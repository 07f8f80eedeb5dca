// SPDX-License-Identifier: MIT OR Apache-2.0
//! `run --vcd`: the contents of the waveforms, and that recording them changes nothing.

use crate::common::call;
use std::path::Path;

fn text(path: &Path) -> String {
    path.to_str().expect("a plain path").to_string()
}

/// Whether some variable of the waveforms in `file` takes the number of this name.
fn has_name(file: &Path, name: &str) -> bool {
    let waves = std::fs::read_to_string(file).expect("a file");
    let table = std::fs::read_to_string(file.with_extension("names.txt")).expect("a table");
    let lines = table.lines().filter_map(|line| line.split_once(' '));
    let number = lines.into_iter().find(|(_, of)| *of == name).map(|(number, _)| number);
    let number = number.and_then(|number| u16::from_str_radix(number, 16).ok());
    number.is_some_and(|number| waves.contains(&format!("\nb{number:016b} ")))
}

#[test]
fn waveforms_hold_threads_interrupts_sleep_and_characters() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.vcd");
    let called = call(&["run", "philosophers", "--for", "50ms", "--vcd", &text(&file)]);
    assert_eq!(called.code, 0, "{}", called.err);
    assert!(called.out.contains("usnea"), "{}", called.out);
    let waves = std::fs::read_to_string(&file).expect("a file");
    for needed in ["usnea", "lobaria", "idle", "PendSV", "SERCOM0", "standby"] {
        assert!(has_name(&file, needed), "no change to {needed}:\n{waves}");
    }
    assert!(values(&waves, "console_out").contains('\n'), "{waves}");
    let view = std::fs::read_to_string(file.with_extension("gtkw")).expect("a view");
    for variable in ["mote0.thread[15:0]", "mote0.console_out[7:0]", "mote0.led0"] {
        assert!(view.lines().any(|line| line == variable), "no {variable} in {view}");
    }
    assert_eq!(waves.lines().last(), Some("#50000000"), "the waveforms last as long as the run");
}

/// On AVR threads are switched without an exception.
#[test]
fn waveforms_hold_the_threads_of_an_avr() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.vcd");
    let arguments = ["--board", "micaz", "--for", "500ms", "--vcd", &text(&file)];
    let called = call(&[&["run", "philosophers"][..], &arguments].concat());
    assert_eq!(called.code, 0, "{}", called.err);
    let waves = std::fs::read_to_string(&file).expect("a file");
    for needed in ["usnea", "physcia", "idle", "USART0_UDRE", "TIMER0_COMP", "power-save"] {
        assert!(has_name(&file, needed), "no change to {needed}:\n{waves}");
    }
}

/// Characters of a line of the waveforms, at the moments at which they come.
fn values(waves: &str, name: &str) -> String {
    let code = |kind: &str, name: &str| {
        let mut declared = waves.lines().filter(|line| line.starts_with(&format!("$var {kind} ")));
        let line = declared.find(|line| line.split(' ').nth(4) == Some(name));
        let line = line.unwrap_or_else(|| panic!("no {kind} {name}:\n{waves}"));
        line.split(' ').nth(3).unwrap_or_default().to_string()
    };
    let (value, strobe) = (code("reg", name), code("event", &format!("{name}_strobe")));
    let lines: Vec<&str> = waves.lines().collect();
    let changes = lines.windows(2).filter(|pair| pair[1] == format!("1{strobe}"));
    let bits =
        changes.filter_map(|pair| pair[0].strip_suffix(&format!(" {value}"))?.strip_prefix('b'));
    bits.filter_map(|bits| u8::from_str_radix(bits, 2).ok().map(char::from)).collect()
}

#[test]
fn the_lines_of_a_debug_probe_hold_what_it_hears_and_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, typed] = ["run.vcd", "typed.txt"].map(|name| folder.path().join(name));
    std::fs::write(&typed, "10ms hi\n").expect("written");
    let image = "host/world/tests/data/probe.elf";
    let arguments =
        ["run", image, "--for", "20ms", "--input", &text(&typed), "--vcd", &text(&file)];
    let called = call(&arguments);
    assert_eq!(called.code, 0, "{}", called.err);
    let waves = std::fs::read_to_string(&file).expect("a file");
    assert_eq!(values(&waves, "rtt_in"), "hi\n");
    assert_eq!(values(&waves, "rtt_out"), "longer than its buffer\nhi\n");
    assert_eq!(values(&waves, "console_out"), "", "it speaks through the probe alone");
    // The probe polls once per millisecond of the mote's time: its echo comes one poll after the
    // typing.
    let order = [waves.find("#10000"), waves.find("#11000")];
    assert!(order[0].is_some() && order[0] < order[1], "{waves}");
    let plain = call(&["run", "blink", "--for", "20ms", "--vcd", &text(&file)]);
    assert_eq!(plain.code, 0, "{}", plain.err);
    let waves = std::fs::read_to_string(&file).expect("a file");
    assert!(!waves.contains("rtt_"), "no probe, no lines:\n{waves}");
}

#[test]
fn asking_for_waveforms_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let [plain, watched, vcd] = ["plain", "watched", "vcd"].map(|name| folder.path().join(name));
    for board in ["hamilton", "micaz"] {
        let run = |more: &[&str]| {
            let arguments = ["run", "philosophers", "--board", board, "--for", "200ms"];
            assert_eq!(call(&[&arguments, more].concat()).code, 0);
        };
        run(&["--json", &text(&plain)]);
        run(&["--json", &text(&watched), "--vcd", &text(&vcd)]);
        let [plain, watched] = [&plain, &watched].map(|file| std::fs::read(file).expect("a file"));
        assert!(!plain.is_empty() && plain == watched, "{board}: the events differ");
    }
}

#[test]
fn a_file_that_cannot_be_made_or_filled() {
    let called = call(&["run", "philosophers", "--for", "50ms", "--vcd", "/nowhere/at/all.vcd"]);
    assert_eq!(called.code, 2, "{}", called.err);
    let why = "cannot create /nowhere/at/all.vcd: there is no folder /nowhere/at";
    assert!(called.err.contains(why) && called.err.contains("mkdir -p"), "{}", called.err);
    assert_eq!(called.out, "", "it is refused before the run");
    if Path::new("/dev/full").exists() {
        let called = call(&["run", "philosophers", "--for", "1s", "--vcd", "/dev/full"]);
        assert_eq!(called.code, 2, "{}", called.err);
        assert!(called.err.contains("is the disk full?"), "{}", called.err);
    }
}

#[test]
fn waveforms_hold_the_current() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.vcd");
    let called = call(&["run", "blink", "--for", "1500ms", "--vcd", &text(&file)]);
    assert_eq!(called.code, 0, "{}", called.err);
    let waves = std::fs::read_to_string(&file).expect("a file");
    let mut declared = waves.lines().filter(|line| line.starts_with("$var real "));
    let code = declared.next().and_then(|line| line.split(' ').nth(3)).expect("a variable");
    assert!(waves.contains(&format!(" {code} current_ua $end")), "{waves}");
    let values = waves.lines().filter_map(|line| {
        let value = line.strip_suffix(&format!(" {code}"))?.strip_prefix('r')?;
        value.parse::<f64>().ok()
    });
    let values: Vec<f64> = values.collect();
    let most = values.iter().copied().fold(0.0, f64::max);
    assert!(most > 1_000.0, "it works: {values:?}");
    assert!(
        values.last().is_some_and(|ua| (1.0..most / 2.0).contains(ua)),
        "it sleeps: {values:?}"
    );
}
