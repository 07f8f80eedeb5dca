// SPDX-License-Identifier: MIT OR Apache-2.0
//! Motes that talk to each other: runs of a network repeat to the byte, and other people's tools read what was captured.

use crate::common;
use crate::common::{call, lichen};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The boards whose motes count to each other's LEDs.
const BOARDS: [&str; 4] = ["hamilton", "samr21-xpro", "micaz", "mica2"];

struct Capture {
    folder: tempfile::TempDir,
}

impl Capture {
    /// A run of five motes in a grid, on so many threads.
    fn of(board: &str, threads: u32) -> Capture {
        let folder = tempfile::tempdir().expect("a folder");
        let capture = Capture { folder };
        let arguments = format!(
            "run radio_count_to_leds --board {board} --motes 5 --topology grid --seed 3 --for 3s --threads {threads}"
        );
        let mut command = lichen();
        command.args(arguments.split(' '));
        command.arg("--pcap").arg(capture.frames()).arg("--json").arg(capture.events());
        let called = common::finish(&mut command);
        assert_eq!(called.code, 0, "{}{}", called.out, called.err);
        capture
    }

    fn frames(&self) -> PathBuf {
        self.folder.path().join("frames.pcapng")
    }

    fn events(&self) -> PathBuf {
        self.folder.path().join("events.jsonl")
    }

    fn bytes(&self) -> [Vec<u8>; 2] {
        [self.frames(), self.events()].map(|path| std::fs::read(path).expect("a file"))
    }
}

/// What tshark shows of the frames that a filter selects.
fn shown(frames: &Path, filter: &str) -> String {
    let output = Command::new("tshark").arg("-r").arg(frames).args(["-Y", filter]).output();
    let output = output.expect("tshark is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_network_runs_the_same_on_any_number_of_threads_and_again() {
    for board in BOARDS {
        let once = Capture::of(board, 1).bytes();
        assert!(once.iter().all(|file| file.len() > 1_000), "{board}");
        for threads in [1, 2, 4] {
            assert!(Capture::of(board, threads).bytes() == once, "{board} on {threads} threads");
        }
    }
}

#[test]
fn tshark_reads_what_was_captured() {
    for board in BOARDS {
        let capture = Capture::of(board, 2);
        let events = std::fs::read_to_string(capture.events()).expect("events");
        let sent = events.lines().filter(|line| line.contains("\"kind\":\"sent\"")).count();
        assert!(sent >= 5 * 8, "four a second from each: {sent}");
        let shown_as_sent = shown(&capture.frames(), "frame.packet_flags_direction == 2");
        assert_eq!(shown_as_sent.lines().count(), sent, "{board}");
        let wrong = "_ws.malformed || (wpan.fcs_ok == 0 && frame.packet_flags_crc_error == 0)";
        assert_eq!(shown(&capture.frames(), wrong), "", "{board}");
        let channels = shown(&capture.frames(), "wpan-tap.ch_num != 26");
        assert_eq!(channels, "", "{board}: all are on channel 26");
    }
}

/// A run of motes that ask each other and answer, of which the outer ones do not hear each other.
const PINGS: &str = "run link_ping --motes 3 --topology line --seed 4 --for 10s";

/// A file that the run of `arguments` writes for `option`, and what the run prints.
fn written(arguments: &str, option: &str) -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("written");
    let mut command = lichen();
    command.args(arguments.split(' ')).arg(option).arg(&file);
    let called = common::finish(&mut command);
    assert_eq!(called.code, 0, "{}{}", called.out, called.err);
    (std::fs::read_to_string(&file).expect("a file"), called.out)
}

/// The titles of a picture's marks that contain `what`.
fn titles<'a>(svg: &'a str, what: &str) -> Vec<&'a str> {
    let titles = svg.split("<g><title>").skip(1).filter_map(|mark| mark.split('<').next());
    titles.filter(|title| title.contains(what)).collect()
}

#[test]
fn a_picture_shows_what_was_sent_and_what_became_of_it() {
    let whole = format!("{PINGS} --air-for 10s");
    let (svg, _) = written(&whole, "--air");
    let (events, _) = written(PINGS, "--json");
    let kind = |kind: &str| events.lines().filter(|line| line.contains(kind)).count();
    let data = titles(&svg, " sends a frame of ").len();
    let acks = titles(&svg, " sends an acknowledgment of ").len();
    assert_eq!(data + acks, kind("\"kind\":\"sent\""), "each frame is there");
    assert!(acks >= 8, "{acks}");
    let received = kind("\"fate\":\"received\"");
    assert_eq!(titles(&svg, ": heard whole, from ").len(), received);
    assert!(received > 20, "{received}");
    let collided = titles(&svg, ": collision with mote ");
    assert!(!collided.is_empty(), "the outer motes do not hear each other");
    assert!(collided.iter().all(|title| title.starts_with("at mote ")), "{collided:?}");
    assert!(titles(&svg, "from mote 2").iter().all(|title| !title.starts_with("at mote 0")));
    assert_eq!(svg.matches("<circle class=\"node\"").count(), 3);
    assert!(titles(&svg, "mote 1 hears ").len() >= 2, "the map has ways");
}

#[test]
fn a_picture_is_the_same_on_any_number_of_threads() {
    let draw = |threads: u32| {
        let run = "run link_ping --motes 9 --topology grid --seed 5 --for 2s --threads";
        written(&format!("{run} {threads}"), "--air").0
    };
    let once = draw(1);
    assert!(once == draw(2) && once == draw(4) && once == draw(1));
}

#[test]
fn pictures_of_each_radio_have_what_their_motes_hear() {
    for board in BOARDS {
        let run = format!("run radio_count_to_leds --board {board} --motes 2 --seed 1 --for 1s");
        let (svg, out) = written(&run, "--air");
        assert!(titles(&svg, " sends a frame of ").len() >= 4, "{board}: {out}");
        let heard = titles(&svg, ": heard whole, from ").len();
        let lost = ["sending itself", "collision", "not listening"];
        let lost: usize = lost.iter().map(|why| titles(&svg, &format!(": {why}")).len()).sum();
        assert!(heard >= 4 && lost <= 2, "{board}: {heard} heard, {lost} lost: {out}");
    }
}

#[test]
fn the_summary_says_what_was_lost_and_why() {
    let (events, out) = written(PINGS, "--json");
    let line = |name: &str| {
        let found = out.lines().find(|line| line.trim_start().starts_with(name));
        found.unwrap_or_else(|| panic!("no {name} in {out}"))
    };
    let sent = events.lines().filter(|line| line.contains("\"kind\":\"sent\"")).count();
    assert!(line("frames ").contains(&format!(" {sent} sent (")), "{out}");
    assert!(line("lost  ").contains("collision "), "{out}");
    for mote in 0..3 {
        assert!(line(&format!("air {mote} ")).contains(" heard whole"), "{out}");
    }
    let counts: Vec<&str> =
        events.lines().filter(|line| line.contains("\"kind\":\"air\"")).collect();
    assert_eq!(counts.len(), 3, "{counts:?}");
    assert!(counts[1].contains("\"lost\":{\"collision\":"), "{counts:?}");
}

#[test]
fn of_motes_that_send_nothing_nothing_is_said() {
    let called = call(&["run", "hello", "--motes", "2", "--for", "1s"]);
    assert!(!called.out.contains("  frames ") && !called.out.contains("  lost "), "{}", called.out);
}

#[test]
fn a_picture_that_makes_no_sense_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("air.svg");
    let file = file.to_str().expect("a plain path");
    let png = file.replace("svg", "png");
    for (more, expected) in [
        (vec!["--air-from", "1s"], "name the file of the picture: --air FILE"),
        (vec!["--air", &png], "`air` writes SVG, and this name ends with .png"),
        (vec!["--air", file, "--air-for", "0"], "longer than 0"),
        (vec!["--air", file, "--air-from", "5s"], "or draw an earlier time (--air-from)"),
    ] {
        let run = ["run", "link_ping", "--motes", "2", "--for", "1s"];
        let called = call(&[&run[..], &more].concat());
        assert_eq!(called.code, 2, "{}", called.err);
        assert!(called.err.contains(expected), "{}", called.err);
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn a_scenario_names_its_picture_and_a_link_of_it_is_bad() {
    let mote = |name: &str| {
        let program = common::root().join("app/radio_count_to_leds");
        let program = program.display();
        format!("[[mote]]\nname = \"{name}\"\nboard = \"hamilton\"\nprogram = \"{program}\"\n")
    };
    let rest = "[[link]]\nfrom = \"gate\"\nto = \"barn\"\nquality = 0.5\none-way = true\n\
                [[link]]\nfrom = \"barn\"\nto = \"gate\"\nloss = 120\none-way = true\n\
                [[interference]]\ncsv = \"other.csv\"\nposition = [9, 9]\n\
                [output]\nair = \"net.svg\"\nair-from = \"1s\"\nair-for = \"4s\"\n";
    let text = format!("for = \"10s\"\n{}{}{rest}", mote("gate"), mote("barn"));
    let other_channel = ("other.csv", "time,duration,channel,dbm\n2s,2s,11,0\n");
    let (folder, file) = scenario(&text, other_channel);
    let called = call(&["run", file.to_str().expect("a plain path")]);
    assert_eq!(called.code, 0, "{}", called.err);
    let svg = std::fs::read_to_string(folder.path().join("net.svg")).expect("a picture");
    assert!(svg.contains(">net.toml, 2 motes<"), "{svg}");
    assert!(svg.contains("4.000 s from 1 s on: "), "{svg}");
    let (heard, faded) = (titles(&svg, "at barn: heard whole"), titles(&svg, "at barn: faded"));
    assert!(heard.len() >= 3 && faded.len() >= 3, "{} and {}", heard.len(), faded.len());
    assert_eq!(titles(&svg, "interference"), ["interference"], "on the map");
    assert_eq!(titles(&svg, "at gate: ").len(), 0, "nothing is left of 120 dB less");
    let lost = called.out.lines().find(|line| line.starts_with("  lost ")).expect("a line");
    assert!(lost.contains(": faded "), "{lost}");
}

/// A scenario in a file of its own, with another file beside it.
fn scenario(text: &str, (name, content): (&str, &str)) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("net.toml");
    std::fs::write(&file, text).expect("written");
    std::fs::write(folder.path().join(name), content).expect("written");
    (folder, file)
}

#[test]
fn interference_disturbs_frames_while_it_lasts() {
    let app = common::root().join("app/radio_count_to_leds");
    // The link is so weak that interference of about its power destroys frames, and so strong that noise does not.
    let text = format!(
        "for = \"6s\"\nseed = 3\n[[mote]]\nname = \"a\"\ncount = 2\nboard = \"hamilton\"\nprogram = \"{}\"\n\
         [[link]]\nfrom = \"a0\"\nto = \"a1\"\nloss = 84\n[[interference]]\ncsv = \"on.csv\"\n",
        app.display()
    );
    let on = "time,duration,channel,dbm\n2s,2s,26,-82\n";
    let (folder, file) = scenario(&text, ("on.csv", on));
    let (file, svg) = (file.to_str().expect("a plain path"), folder.path().join("air.svg"));
    let svg_path = svg.to_str().expect("a plain path");
    let called = call(&["run", file, "--air", svg_path, "--air-for", "6s"]);
    assert_eq!(called.code, 0, "{}", called.err);
    let svg = std::fs::read_to_string(&svg).expect("a picture");
    let collided = titles(&svg, "collision with interference").len();
    assert!(svg.matches("<path class=\"band\"").count() >= collided, "it is marked");
    assert!(collided >= 8, "{collided}: {}", called.out);
    assert!(titles(&svg, ": heard whole, from ").len() >= 20, "{}", called.out);
    let events = |threads: &str| {
        let path = folder.path().join(threads);
        let json = path.to_str().expect("a plain path");
        assert_eq!(call(&["run", file, "--threads", threads, "--json", json]).code, 0);
        std::fs::read(&path).expect("events")
    };
    assert!(events("1") == events("2"), "the same on any number of threads");
    let quiet = text.replace("[[interference]]\ncsv = \"on.csv\"\n", "");
    let (_folder, file) = scenario(&quiet, ("on.csv", on));
    let undisturbed = call(&["run", file.to_str().expect("a plain path")]);
    let heard = |out: &str| -> usize {
        let words: Vec<&str> = out.split_whitespace().collect();
        let at = words
            .windows(2)
            .position(|pair| pair[0] == "heard" && pair[1].starts_with("whole"))
            .expect("a count");
        words[at - 1].parse().expect("a number")
    };
    let more = heard(&undisturbed.out) - heard(&called.out);
    assert!(more >= 8, "{}{}", called.out, undisturbed.out);
}

#[test]
fn a_program_without_radio_among_others_is_named_once() {
    let app = |name: &str| common::root().join("app").join(name).display().to_string();
    let mote = |name: &str, program: &str| {
        let program = app(program);
        format!("[[mote]]\nname = \"{name}\"\nboard = \"hamilton\"\nprogram = \"{program}\"\n")
    };
    let text = [mote("clock", "hello"), mote("lamp", "blink"), mote("counter", "count_to_radio")];
    let (_folder, file) = scenario(&format!("for = \"3s\"\n{}", text.concat()), ("x", ""));
    let called = call(&["run", file.to_str().expect("a plain path")]);
    assert_eq!(called.code, 0, "{}", called.err);
    let note =
        "  note             frames reached motes whose radio never listened: clock and lamp; ";
    assert_eq!(called.out.matches(note).count(), 1, "{}", called.out);
}

#[test]
fn a_topology_that_makes_no_sense_is_refused() {
    for (arguments, expected) in [
        (
            "run hello --motes 2 --topology ring",
            "there is no topology `ring`; there are full, line, grid, random, office",
        ),
        ("run hello --topology line", "--motes"),
        ("run hello --spacing 5", "--motes"),
        ("run hello --motes 2 --topology line --spacing -1", "use a number of metres above 0"),
        (
            "run hello --motes 2 --topology office --spacing 5",
            "--spacing has no effect with office: its rooms are 8 x 6 m",
        ),
        ("run hello --motes 2 --spacing 5", "take --topology line, grid or random"),
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let called = call(&arguments);
        assert_eq!(called.code, 2, "{}", called.err);
        assert!(called.err.contains(expected), "{}", called.err);
    }
}
