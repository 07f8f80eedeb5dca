// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a program drives at pins of its own, to which nothing on the board is connected, is seen.

use crate::common::{Called, call};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What two files of the program include.
const PINS: &str = "\
#include <lichen/gpio.h>

enum { OTHER = GPIO_PIN('PORT', NUMBER), BUZZER_PIN = GPIO_PIN('PORT', NUMBER) };

void buzzer_silence(void);
";

const SILENCE: &str = "\
#include \"pins.h\"

void buzzer_silence(void)
{
    gpio_clear(BUZZER_PIN);
}
";

const BUZZER: &str = "\
#include <lichen/pwm.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include \"pins.h\"

THREAD(buzzer, 512, PRIORITY_APP)
{
    gpio_output(GPIO_PIN('FREE'), OTHER != BUZZER_PIN);
    if (pwm_start(BUZZER_PIN, 100, PWM_SHARE(25)) != 0) {
        return;
    }
    sleep_ms(95);
    pwm_stop(BUZZER_PIN);
    buzzer_silence();
    gpio_set(GPIO_PIN('FREE'));
    sleep_ms(1000);
}
";

struct Buzzer {
    place: TempDir,
}

impl Buzzer {
    fn new(wave: Pin, free: Pin) -> Buzzer {
        let buzzer = Buzzer { place: tempfile::tempdir().expect("a folder") };
        let made = call(&["new", &text(&buzzer.path("buzzer"))]);
        assert_eq!(made.code, 0, "{}", made.err);
        for (name, text) in [("pins.h", PINS), ("silence.c", SILENCE), ("main.c", BUZZER)] {
            let text = text
                .replace("'PORT', NUMBER", &format!("'{}', {}", wave.0, wave.1))
                .replace("'FREE'", &format!("'{}', {}", free.0, free.1));
            std::fs::write(buzzer.path("buzzer").join(name), text).expect("written");
        }
        buzzer
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn run(&self, board: &str, option: &str, file: &str) -> (Called, String) {
        let (program, file) = (text(&self.path("buzzer")), self.path(file));
        let options = ["--board", board, "--for", "200ms", option, &text(&file)];
        let called = call(&[&["run", program.as_str()], &options[..]].concat());
        assert_eq!(called.code, 0, "{board}: {}{}", called.out, called.err);
        let written = std::fs::read_to_string(&file).expect("a file");
        (called, written)
    }
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// Port and number.
type Pin = (char, u8);

/// Boards, a pin with a wave, a pin that nothing is at, and what the latter is called.
const BOARDS: [(&str, Pin, Pin, &str); 2] =
    [("hamilton", ('A', 10), ('A', 9), "PA09"), ("micaz", ('E', 3), ('C', 3), "PC03")];

#[test]
fn events_hold_own_pins_by_the_names_that_the_program_gives_them() {
    for (board, wave, free, name) in BOARDS {
        let buzzer = Buzzer::new(wave, free);
        let (called, events) = buzzer.run(board, "--json", "events.jsonl");
        let of = |name: &str| -> Vec<serde_json::Value> {
            let lines = events.lines().map(|line| serde_json::from_str(line).expect("an object"));
            let all: Vec<serde_json::Value> = lines.collect();
            all.into_iter()
                .filter(|event| event["kind"] == "gpio" && event["name"] == name)
                .collect()
        };
        let levels: Vec<_> = of("BUZZER_PIN").iter().map(|event| event["level"].clone()).collect();
        assert!((18..=21).contains(&levels.len()), "{board}: {levels:?}");
        let levels: Vec<_> = levels.into_iter().filter(|level| !level.is_null()).collect();
        assert!(levels.iter().step_by(2).all(|level| *level == 1), "{board}: {levels:?}");
        let free: Vec<_> = of(name);
        assert_eq!(free.len(), 1, "{board}: {free:?}");
        assert_eq!(free[0]["level"], 1, "{board}");
        assert!(of("OTHER").is_empty(), "{board}: a constant without the word is another number");
        assert!(called.out.contains("* BUZZER_PIN high"), "{board}: {}", called.out);
    }
}

#[test]
fn waveforms_and_pictures_hold_own_pins() {
    let (board, wave, free, name) = BOARDS[0];
    let buzzer = Buzzer::new(wave, free);
    let (_, waves) = buzzer.run(board, "--vcd", "waves.vcd");
    let (before, pins) = waves.split_once("$scope module free_pins $end").expect("a module");
    let code = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.contains(&format!(" {name} $end")));
        line.unwrap_or_else(|| panic!("no {name}: {waves}")).split(' ').nth(3).map(str::to_string)
    };
    let (buzzes, rises) = (code(before, "BUZZER_PIN"), code(pins, name));
    let changes = |code: Option<String>, level: u8| {
        let change = format!("{level}{}", code.expect("a code"));
        waves.lines().filter(|line| *line == change).count()
    };
    assert!((9..=10).contains(&changes(buzzes.clone(), 1)), "{waves}");
    assert!((9..=10).contains(&changes(buzzes, 0)), "{waves}");
    assert_eq!(changes(rises, 1), 1, "{waves}");
    let view = std::fs::read_to_string(buzzer.path("waves.gtkw")).expect("a view");
    assert!(view.contains("mote0.BUZZER_PIN") && !view.contains(name), "{view}");
    let (_, picture) = buzzer.run(board, "--wave", "picture.svg");
    assert!(picture.contains("BUZZER_PIN high") && picture.contains(&format!("{name} high")));
}

#[test]
fn programs_that_drive_no_own_pin_are_shown_as_before() {
    // On a MICA, `sense` drives the pins that power a sensor board, which is not there.
    for (program, board) in [
        ("sense", "hamilton"),
        ("sense", "samr21-xpro"),
        ("count_to_radio", "micaz"),
        ("count_to_radio", "mica2"),
        ("logger", "micaz"),
    ] {
        let ran = call(&["run", program, "--board", board, "--for", "31s", "--json", "-"]);
        assert_eq!(ran.code, 0, "{board}: {}", ran.err);
        let own = ran.out.lines().filter(|line| line.contains("\"name\":\"P"));
        assert_eq!(own.collect::<Vec<_>>(), Vec::<&str>::new(), "{board}");
    }
}

#[test]
fn tests_expect_own_pins_by_the_programs_name_or_the_chips() {
    for (board, wave, free, name) in BOARDS {
        let buzzer = Buzzer::new(wave, free);
        let short = name.replacen("C0", "C", 1).replacen("A0", "A", 1);
        let length = "for = \"200ms\"\n";
        let expects = |pin: &str, count: &str| {
            format!("[[expect]]\npin = \"{pin}\"\nbecomes = \"high\"\ncount = {count}\n")
        };
        let test = [length, &expects("BUZZER_PIN", "[8, 11]"), &expects(&short, "1")].concat();
        std::fs::write(buzzer.path("buzzer/test/blinks.toml"), test).expect("written");
        let called = call(&["test", &text(&buzzer.path("buzzer")), "--board", board]);
        assert_eq!(called.code, 0, "{board}: {}{}", called.out, called.err);
        let wrong = [length, &expects("PZ9", "1")].concat();
        std::fs::write(buzzer.path("buzzer/test/blinks.toml"), wrong).expect("written");
        let called = call(&["test", &text(&buzzer.path("buzzer")), "--board", board]);
        assert!(called.err.contains("no free pin `PZ9`"), "{board}: {}", called.err);
    }
}
