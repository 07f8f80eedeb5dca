// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts that a program calls and that are not there, and what is done to a mote without power.

use super::run;
use crate::common::call;
use std::path::Path;

/// A program that calls I2C addresses, the first and the last of them included.
fn calls(first: u8, last: u8) -> String {
    format!(
        "#include <lichen/i2c.h>\n#include <lichen/led.h>\n#include <lichen/thread.h>\n\n\
         THREAD(caller, 512, PRIORITY_APP)\n{{\n    uint8_t byte;\n\n    led_on(0);\n    \
         for (uint8_t address = {first}; address <= {last}; address++) {{\n        \
         if (i2c_write_read(address, NULL, 0, &byte, 1) == 0) {{\n            led_off(0);\n        }}\n    }}\n}}\n"
    )
}

#[test]
fn an_address_on_i2c_without_a_part_is_named_at_the_end() {
    for board in ["hamilton", "micaz"] {
        let options = ["--board", board, "--for", "1s"];
        let one = run(&calls(0x23, 0x23), &options);
        let warning =
            "warning: the board has no part on I2C at address 0x23, which the program calls";
        assert!(one.out.contains(warning), "{board}: {}{}", one.out, one.err);
    }
    let there = run(&calls(0x40, 0x40), &["--board", "hamilton", "--for", "1s"]);
    assert!(there.code == 0 && !there.out.contains("no part on I2C"), "{}{}", there.out, there.err);
    let scan = run(&calls(0x08, 0x77), &["--board", "hamilton", "--for", "1s"]);
    let warnings: Vec<&str> = scan.out.lines().filter(|line| line.contains("on I2C at")).collect();
    assert_eq!(warnings.len(), 1, "{}", scan.out);
    assert!(warnings[0].contains(" addresses from 0x08 to 0x77, "), "{}", warnings[0]);
}

/// Runs `echo` with this input.
fn with_input(board: &str, text: &str) -> crate::common::Called {
    let folder = tempfile::tempdir().expect("a folder");
    let input = folder.path().join("input.txt");
    std::fs::write(&input, text).expect("written");
    let input = input.to_str().expect("a path of text");
    call(&["run", "echo", "--board", board, "--for", "2s", "--input", input])
}

#[test]
fn what_is_typed_without_power_is_said_to_be_lost() {
    let off = "\u{feff}0.5 !power off\n0.6 hello\n0.7 !reset\n1 !power on\n1.5 again\n";
    let ran = with_input("hamilton", off);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for part in
        ["\"hello\\n\" is lost: it is typed while there is no power", "`!reset` changes nothing"]
    {
        assert!(ran.out.contains(part), "`{part}` is missing in: {}", ran.out);
    }
    assert!(!ran.out.contains("again\\n\" is lost"), "{}", ran.out);
}

#[test]
fn a_button_against_the_programs_own_pull_is_reported() {
    let text = "#include <lichen/gpio.h>\n#include <lichen/led.h>\n#include <lichen/thread.h>\n\n\
                THREAD(puller, 256, PRIORITY_APP)\n{\n    \
                gpio_input(GPIO_PIN('A', 13), GPIO_PULL_DOWN);\n    led_on(0);\n}\n";
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("pulled");
    assert_eq!(call(&["new", program.to_str().expect("text")]).code, 0);
    std::fs::write(program.join("main.c"), text).expect("written");
    let scenario = "[[mote]]\nboard = \"samr21-xpro\"\nprogram = \"pulled\"\ninput = [\"0.5 !press key\"]\n\
                    [[mote.button]]\nname = \"key\"\npin = \"PA13\"\nactive = \"low\"\npull = \"internal\"\n";
    let file: &Path = &folder.path().join("net.toml");
    std::fs::write(file, scenario).expect("written");
    let ran = call(&["run", file.to_str().expect("text"), "--for", "1s"]);
    assert!(
        ran.out.contains("the program's own pull holds PA13 low already"),
        "{}{}",
        ran.out,
        ran.err
    );
}

#[test]
fn a_snapshot_is_not_continued_with_another_supply() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("text").to_string();
    let scenario = |volts: &str| {
        let text = format!(
            "[[mote]]\nboard = \"hamilton\"\nprogram = \"blink\"\nenvironment.supply = {volts}\n"
        );
        std::fs::write(at("net.toml"), text).expect("written");
        at("net.toml")
    };
    let saved = call(&["run", &scenario("3.0"), "--for", "1s", "--save", &at("state")]);
    assert_eq!(saved.code, 0, "{}", saved.err);
    let load =
        |volts: &str| call(&["run", &scenario(volts), "--for", "1s", "--load", &at("state")]);
    assert_eq!(load("3.0").code, 0);
    let other = load("2.0");
    assert_eq!(other.code, 2, "{}", other.out);
    assert!(
        other.err.contains("a supply of 3 V") && other.err.contains("a supply of 2 V"),
        "{}",
        other.err
    );
}
