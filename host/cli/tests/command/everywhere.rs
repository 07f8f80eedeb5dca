// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program that is sent to one mote and arrives at 15, over four hops: `test/load/relays`, and programs that are made here.

use crate::common::{Called, call, root};
use lichen_load::{Frame, Kind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const RELAYS: &str = "test/load/relays";
const KEY: &str = "test/load/relays/relays.key";
/// Motes at each distance from the first one, in hops.
const AT: [usize; 5] = [1, 4, 4, 3, 3];
const MOTES: usize = 15;

/// How many hops each mote is away.
fn hops() -> impl Iterator<Item = usize> {
    AT.iter().enumerate().flat_map(|(hop, count)| std::iter::repeat_n(hop, *count))
}

/// A network: what each mote is told, and which of them run another program.
struct Network<'a> {
    folder: &'a Path,
    board: &'a str,
    inputs: Vec<(usize, String)>,
    other: Option<(usize, &'a str)>,
}

impl<'a> Network<'a> {
    fn new(folder: &'a Path, board: &'a str) -> Network<'a> {
        Network { folder, board, inputs: Vec::new(), other: None }
    }

    fn tell(mut self, mote: usize, line: &str) -> Self {
        self.inputs.push((mote, line.to_string()));
        self
    }

    fn scenario(&self, seconds: u32) -> String {
        let mut text = format!(
            "seed = 7\nfor = \"{seconds}s\"\n[medium]\nmodel = \"unit-disk\"\nrange = 15\n"
        );
        for (mote, hop) in hops().enumerate() {
            let program = match self.other {
                Some((other, program)) if other == mote => program,
                _ => RELAYS,
            };
            let program = root().join(program).display().to_string();
            let lines = self.inputs.iter().filter(|(other, _)| *other == mote);
            let lines: Vec<&str> = lines.map(|(_, line)| line.as_str()).collect();
            text += &format!(
                "[[mote]]\nname = \"m{mote}\"\nboard = \"{}\"\nprogram = \"{program}\"\nposition = [{}, 0]\n\
                 input = {lines:?}\n",
                self.board,
                hop * 10
            );
        }
        text
    }

    fn run(&self, seconds: u32) -> Run {
        let file = self.folder.join("net.toml");
        std::fs::write(&file, self.scenario(seconds)).expect("a scenario");
        let called = call(&["run", &file.display().to_string()]);
        let text = format!("{}{}", called.out, called.err);
        assert_eq!(called.code, 0, "{text}");
        Run { called, text }
    }
}

struct Run {
    called: Called,
    text: String,
}

impl Run {
    /// The motes of which a line says this, once for each line.
    fn saying(&self, what: &str) -> Vec<usize> {
        let lines = self.called.out.lines().filter(|line| line.contains(what));
        lines
            .filter_map(|line| line.split_whitespace().nth(1)?.strip_prefix('m')?.parse().ok())
            .collect()
    }

    /// Each mote says it once, except these, which do not.
    fn all_say_but(&self, what: &str, but: &[usize]) {
        let mut found = self.saying(what);
        found.sort_unstable();
        let expected: Vec<usize> = (0..MOTES).filter(|mote| !but.contains(mote)).collect();
        assert_eq!(found, expected, "{what}: {}", self.text);
    }

    /// These motes say it, each at least once.
    fn say(&self, what: &str, motes: impl IntoIterator<Item = usize>) {
        let found: BTreeSet<usize> = self.saying(what).into_iter().collect();
        assert_eq!(found, motes.into_iter().collect(), "{what}: {}", self.text);
    }
}

/// A program that says its version every second.
fn tick(folder: &Path, board: &str, version: u16, key: &str) -> String {
    program(folder, "tick", board, version, key)
}

/// The same under another name, which is its folder's.
fn program(folder: &Path, name: &str, board: &str, version: u16, key: &str) -> String {
    let code = format!(
        "#include <lichen/print.h>\n#include <lichen/program.h>\n#include <lichen/thread.h>\n\
         #include <lichen/time.h>\nTHREAD({name}, 512, PRIORITY_APP)\n{{\n    for (;;) {{\n        \
         print(\"{name} %u.\\n\", program_version());\n        sleep_ms(1000);\n    }}\n}}\n"
    );
    let load = format!("[load]\nversion = {version}\n");
    let source = write(folder, name, &load, &code);
    let name = format!("{name}-{version}.lichen");
    let path = folder.join(&name).display().to_string();
    let packed = call(&["pack", &source, "--board", board, "--key", key, "--output", &path]);
    assert_eq!(packed.code, 0, "{}{}", packed.out, packed.err);
    name
}

/// The folder of a program with this table in its manifest, and this source.
fn write(folder: &Path, name: &str, table: &str, code: &str) -> String {
    let source = folder.join(name);
    std::fs::create_dir_all(&source).expect("a folder");
    let write = |name: &str, text: String| std::fs::write(source.join(name), text).expect(name);
    let system = root().join("os/lichen.cmake").display().to_string();
    write(
        "CMakeLists.txt",
        format!(
            "cmake_minimum_required(VERSION 3.25)\ninclude({system})\nproject({name} C ASM)\nlichen_app({name})\n"
        ),
    );
    write(
        "lichen.toml",
        format!(
            "name = \"{name}\"\nsummary = \"Ticks.\"\nboards = [\"hamilton\", \"mica2\"]\n\n{table}"
        ),
    );
    write(&format!("{name}.c"), code.to_string());
    source.display().to_string()
}

#[test]
fn a_program_that_one_mote_is_sent_runs_on_all() {
    let folder = tempfile::tempdir().expect("a folder");
    for (board, seconds) in [("hamilton", 10), ("mica2", 20)] {
        let tick = tick(folder.path(), board, 1, KEY);
        let network =
            Network::new(folder.path(), board).tell(0, &format!("2s !load {tick} to-all"));
        let run = network.run(seconds);
        run.all_say_but("over the air: tick 1: installed", &[]);
        run.say("tick 1.", 0..MOTES);
        assert_eq!(run.saying("* tick 1 is on its way to all: "), [0], "{}", run.text);
    }
}

#[test]
fn motes_without_power_for_a_moment_and_one_that_is_late_install_it_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let tick = tick(folder.path(), "hamilton", 1, KEY);
    // Of the motes at each distance some are cut while parts come, some while the program is installed, some after that.
    for shift in [0, 13, 29] {
        let mut network =
            Network::new(folder.path(), "hamilton").tell(0, &format!("2s !load {tick} to-all"));
        for mote in 1..MOTES - 1 {
            let at = 2_900 + 173 * mote as u32 + shift;
            network = network.tell(mote, &format!("{at}ms !power off"));
            network = network.tell(mote, &format!("{}ms !power on", at + 700));
        }
        network = network.tell(14, "0s !power off").tell(14, "20s !power on");
        let run = network.run(45);
        run.say("tick 1.", 0..MOTES);
        assert!(run.saying("over the air: tick 1: installed").len() >= MOTES - 1, "{}", run.text);
    }
}

#[test]
fn only_a_newer_version_takes_the_place_of_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, two] = [1, 2].map(|version| tick(folder.path(), "hamilton", version, KEY));
    let run = Network::new(folder.path(), "hamilton")
        .tell(0, &format!("2s !load {one} to-all"))
        .tell(14, &format!("40s !load {two} to-all"))
        .tell(5, &format!("80s !load {one} to-all"))
        .tell(5, &format!("120s !load {two} to-all"))
        .tell(3, "155s !ps")
        .run(160);
    run.all_say_but("over the air: tick 1: installed", &[]);
    run.all_say_but("over the air: tick 2: installed", &[]);
    run.all_say_but("over the air: tick 1: no version as old", &[]);
    assert_eq!(run.saying("tick                 running        2"), [3], "{}", run.text);
    let mentioned = run.saying("over the air: tick 2").len();
    assert_eq!(mentioned, MOTES, "the same version is not mentioned again: {}", run.text);
}

#[test]
fn what_was_removed_or_stopped_by_hand_stays_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, two] = [1, 2].map(|version| tick(folder.path(), "hamilton", version, KEY));
    let run = Network::new(folder.path(), "hamilton")
        .tell(0, &format!("2s !load {one} to-all"))
        .tell(0, &format!("40s !load {two} to-all"))
        .tell(3, "20s !remove tick")
        .tell(3, "22s !reset")
        .tell(3, "30s !ps")
        .tell(4, "20s !stop tick")
        .tell(4, "22s !power off")
        .tell(4, "23s !power on")
        .tell(4, "30s !ps")
        .tell(6, "22s !reset")
        .run(80);
    run.all_say_but("over the air: tick 1: installed", &[]);
    assert_eq!(run.saying("tick                 stopped        1"), [4], "{}", run.text);
    assert_eq!(run.saying("tick                 "), [4], "mote 3 has none: {}", run.text);
    run.all_say_but("over the air: tick 2: installed", &[]);
}

#[test]
fn what_is_not_genuine_is_refused_once_and_goes_no_further() {
    let folder = tempfile::tempdir().expect("a folder");
    let key = folder.path().join("other.key").display().to_string();
    assert_eq!(call(&["key", &key]).code, 0);
    let foreign = tick(folder.path(), "hamilton", 1, &key);
    let run = Network::new(folder.path(), "hamilton")
        .tell(0, &format!("2s !load {foreign} to-all"))
        .run(15);
    let said = "load tick to all: the container is not signed with the key of the mote's image";
    assert!(run.text.contains(said), "{}", run.text);
    assert_eq!(run.saying("over the air: tick 1: not signed"), [0], "{}", run.text);
    // A mote that checks nothing goes on to offer what is no container.
    let mut network = Network::new(folder.path(), "hamilton").tell(7, "2s f 5 1500");
    network.other = Some((7, "test/network/disseminate"));
    let run = network.run(60);
    run.say("over the air: ? 0: not a container", [1, 2, 3, 4, 5, 6, 8, 9, 10, 11]);
    assert_eq!(run.saying("over the air: ? 0: not a container").len(), 10, "{}", run.text);
}

#[test]
fn a_program_that_comes_over_serial_meanwhile_is_installed_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let tick = tick(folder.path(), "hamilton", 1, KEY);
    let tock = program(folder.path(), "tock", "hamilton", 1, KEY);
    let mut network =
        Network::new(folder.path(), "hamilton").tell(0, &format!("2s !load {tick} to-all"));
    // Copies of the other one, one after another, from before the object comes to a mote until it is there.
    const COPIES: usize = 5;
    for (mote, hop) in hops().enumerate().skip(1) {
        let at = 2_600 + 800 * (hop - 1) + 37 * mote;
        for copy in 1..=COPIES {
            network = network.tell(mote, &format!("{at}ms !load {tock} {copy}"));
        }
    }
    let run = network.run(25);
    run.all_say_but("over the air: tick 1: installed", &[]);
    let mut loaded = run.saying("* tock 1 is loaded");
    loaded.sort_unstable();
    let expected: Vec<usize> = (1..MOTES).flat_map(|mote| [mote; COPIES]).collect();
    assert_eq!(loaded, expected, "{}", run.text);
}

#[test]
fn a_transfer_that_is_cut_is_begun_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, two] = [1, 2].map(|version| tick(folder.path(), "hamilton", version, KEY));
    let run = Network::new(folder.path(), "hamilton")
        .tell(14, &format!("2s !load {one} to-all"))
        .tell(0, &format!("40s !load {two} to-all"))
        .tell(0, "40060ms !power off")
        .tell(0, "41s !power on")
        .tell(0, &format!("50s !load {two} to-all"))
        .run(90);
    run.all_say_but("over the air: tick 2: installed", &[]);
    assert!(run.text.contains("load tick to all: the mote"), "{}", run.text);
}

#[test]
fn a_mote_without_room_passes_it_on_and_installs_it_when_there_is_room() {
    let folder = tempfile::tempdir().expect("a folder");
    let tick = tick(folder.path(), "hamilton", 1, KEY);
    let tock = program(folder.path(), "tock", "hamilton", 1, KEY);
    let mut network = Network::new(folder.path(), "hamilton");
    for instance in 1..=8 {
        network = network.tell(0, &format!("1s !load {tock} {instance}"));
    }
    let run = network
        .tell(0, &format!("5s !load {tick} to-all"))
        .tell(0, "20s !reset")
        .tell(0, "25s !remove tock.3")
        .run(30);
    run.all_say_but("over the air: tick 1: installed", &[]);
    let full = run.saying("over the air: tick 1: as many programs");
    assert_eq!(full, [0, 0], "before and after the reset: {}", run.text);
    run.say("tick 1.", 0..MOTES);
}

/// What begins a container, and its pieces.
fn frames_of(begin: Frame, container: &[u8]) -> Vec<Vec<u8>> {
    const PIECE: usize = 64;
    let mut frames = vec![begin.bytes()];
    for (sequence, piece) in (101..).zip(container.chunks(PIECE)) {
        let offset = u32::from(sequence - 101) * PIECE as u32;
        let payload = [&offset.to_le_bytes(), piece].concat();
        frames.push(Frame { kind: Kind::Data as u8, sequence, payload }.bytes());
    }
    frames
}

/// Has a host at the first mote begin, and vanish in the middle of the second piece or behind the last one.
fn vanish<'a>(
    mut network: Network<'a>,
    second: u32,
    begin: Frame,
    container: &[u8],
    is_all: bool,
) -> Network<'a> {
    let mut frames = frames_of(begin, container);
    if !is_all {
        frames.truncate(3);
        frames[2].truncate(40);
    }
    for (bytes, ms) in frames.iter().zip((second * 1_000..).step_by(100)) {
        network = network.tell(0, &format!("{ms}ms \"{}\"", bytes.escape_ascii()));
    }
    network
}

/// Ten seconds without a byte, and not ten seconds in all.
#[test]
fn a_host_that_is_slow_is_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let tick = tick(folder.path(), "hamilton", 1, KEY);
    let container = std::fs::read(folder.path().join(&tick)).expect("a container");
    let length = (container.len() as u16).to_le_bytes().to_vec();
    let begin = Frame { kind: Kind::ToAll as u8, sequence: 100, payload: length };
    let mut frames = frames_of(begin, &container);
    frames.push(Frame { kind: Kind::End as u8, sequence: 99, payload: vec![] }.bytes());
    let mut network = Network::new(folder.path(), "hamilton");
    for (bytes, second) in frames.iter().zip((2..).step_by(4)) {
        network = network.tell(0, &format!("{second}s \"{}\"", bytes.escape_ascii()));
    }
    for mote in 1..MOTES {
        network = network.tell(mote, "0s !power off");
    }
    let run = network.run(4 * frames.len() as u32 + 2);
    assert!(
        frames.len() > 4 && run.saying("over the air: tick 1: installed").contains(&0),
        "{}",
        run.text
    );
}

#[test]
fn a_host_that_vanishes_changes_nothing_and_the_next_one_is_served() {
    let folder = tempfile::tempdir().expect("a folder");
    let versions = [1, 2, 3].map(|version| tick(folder.path(), "hamilton", version, KEY));
    let container = std::fs::read(folder.path().join(&versions[1])).expect("a container");
    let for_all = || Frame {
        kind: Kind::ToAll as u8,
        sequence: 100,
        payload: (container.len() as u16).to_le_bytes().to_vec(),
    };
    let here = || Frame { kind: Kind::Begin as u8, sequence: 100, payload: vec![0] };
    const AWAY: [usize; 12] = [2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14];
    let mut network = Network::new(folder.path(), "hamilton")
        .tell(0, &format!("2s !load {} to-all", versions[0]));
    // The next one waits until the mote has given up what came.
    network = vanish(network, 10, for_all(), &container, false).tell(0, "21s !ps");
    network = vanish(network, 22, for_all(), &container, true);
    network = vanish(network, 35, here(), &container, false).tell(0, "46s !ps");
    // It does not.
    network = vanish(network, 47, for_all(), &container, true)
        .tell(0, &format!("48s !load {} 7", versions[1]));
    network = vanish(network, 49, here(), &container, false)
        .tell(0, &format!("50s !load {} to-all", versions[2]));
    for mote in AWAY {
        network = network.tell(mote, "0s !power off");
    }
    let run = network.run(56);
    run.all_say_but("over the air: tick 1: installed", &AWAY);
    assert!(!run.text.contains("over the air: tick 2"), "{}", run.text);
    assert_eq!(run.saying("* tick 1 is on its way"), [0], "{}", run.text);
    let free = run.called.out.lines().filter_map(|line| line.split_once("* free: "));
    let free: Vec<&str> = free.map(|(_, free)| free).collect();
    assert!(free.len() == 2 && free[0] == free[1], "{}", run.text);
    assert_eq!(run.saying("* tick 2 is loaded"), [0], "{}", run.text);
    run.all_say_but("over the air: tick 3: installed", &AWAY);
}

#[test]
fn what_others_hold_is_tried_again_when_they_are_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let key = root().join(KEY).display().to_string();
    let image = write(
        folder.path(),
        "holds",
        &format!(
            "[programs]\ncalls = [\"program\", \"thread\", \"time\", \"print\", \"timer\", \"log\"]\n\
             events = 2\nevent_stack = 128\nkey = \"{key}\"\n"
        ),
        "#include <lichen/loader_air.h>\n#include <lichen/loader_serial.h>\n#include <lichen/partition.h>\n\
         LINK_FRAMES(3, DISSEMINATION_FRAME);\nLOADER_WITH(608, PRIORITY_HIGH);\n\
         LOADER_SERIAL(\"holds\");\nLOADER_OVER_THE_AIR(0);\nPROGRAM_LOG(marks, 1000);\n",
    );
    let pack = |name: &str, version: u32, code: &str| {
        let source = write(folder.path(), name, &format!("[load]\nversion = {version}\n"), code);
        let path = folder.path().join(format!("{name}-{version}.lichen")).display().to_string();
        let packed =
            call(&["pack", &source, "--board", "hamilton", "--key", &key, "--output", &path]);
        assert_eq!(packed.code, 0, "{}{}", packed.out, packed.err);
    };
    const EVENT: &str = "#include <lichen/event.h>\n#include <lichen/thread.h>\n#include <lichen/time.h>\n\
        EVENT(one) {}\nTHREAD(posts, 256, PRIORITY_APP)\n{\n    for (;;) {\n        event_post(&one);\n        \
        sleep_ms(1000);\n    }\n}\n";
    let more = EVENT
        .replace("EVENT(one) {}", "EVENT(one) {}\nEVENT(another)\n{\n    event_post(&one);\n}")
        .replace("event_post(&one);\n        ", "event_post(&another);\n        ");
    const LOG: &str = "#include <lichen/log.h>\n#include <lichen/thread.h>\nLOG_CIRCULAR(marks, 1000);\n\
        THREAD(notes, 512, PRIORITY_APP)\n{\n    (void)!log_append(&marks, \"x\", 1);\n}\n";
    for (name, code) in
        [("one", EVENT), ("other", EVENT), ("two", more.as_str()), ("three", LOG), ("four", LOG)]
    {
        pack(name, 1, code);
    }
    pack("one", 2, &more);
    let input = folder.path().join("input.txt");
    let text = "1s !load one-1.lichen\n1200ms !load other-1.lichen\n1400ms !load one-2.lichen\n1600ms !ps\n\
                1800ms !remove other\n2s !load two-1.lichen to-all\n4s !remove one\n6s !remove two\n\
                7s !load three-1.lichen\n8s !load four-1.lichen to-all\n10s !remove three\n";
    std::fs::write(&input, text).expect("an input");
    let input = input.display().to_string();
    let run = call(&["run", &image, "--board", "hamilton", "--input", &input, "--for", "12s"]);
    let said = format!("{}{}", run.out, run.err);
    let lines: Vec<&str> =
        said.lines().filter_map(|line| Some(line.split_once("over the air: ")?.1)).collect();
    let expected = [
        "two 1: this image has too few free slots for its events",
        "two 1: installed",
        "four 1: storage that another program has",
        "four 1: installed",
    ];
    assert_eq!(lines, expected, "{said}");
    assert!(said.contains("load one: the mote's image has too few free slots"), "{said}");
    assert!(said.contains("* one                  running        1 "), "not touched: {said}");
}

/// Three motes in a row, which are told of each other when their addresses are known.
#[test]
fn a_program_comes_over_a_secured_link_to_a_leaf_that_sleeps() {
    const IMAGE: &str = "test/load/kin";
    let folder = tempfile::tempdir().expect("a folder");
    let key = root().join("test/load/kin/kin.key").display().to_string();
    let tick = tick(folder.path(), "hamilton", 1, &key);
    let run = |seconds, inputs: [Vec<String>; 3]| {
        let mut text = format!(
            "seed = 7\nfor = \"{seconds}s\"\n[medium]\nmodel = \"unit-disk\"\nrange = 15\n"
        );
        for (mote, lines) in inputs.iter().enumerate() {
            let program = root().join(IMAGE).display().to_string();
            text += &format!(
                "[[mote]]\nname = \"m{mote}\"\nboard = \"hamilton\"\nprogram = \"{program}\"\n\
                 position = [{}, 0]\ninput = {lines:?}\n",
                mote * 10
            );
        }
        let file = folder.path().join("kin.toml");
        std::fs::write(&file, text).expect("a scenario");
        let called = call(&["run", &file.display().to_string()]);
        let text = format!("{}{}", called.out, called.err);
        assert_eq!(called.code, 0, "{text}");
        Run { called, text }
    };
    let first = run(1, Default::default());
    let addresses = first.called.out.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, mote, "I", "am", addresses, "0"] = words[..] else { return None };
        Some((mote.to_string(), addresses.to_string()))
    });
    let addresses: BTreeMap<String, String> = addresses.collect();
    assert_eq!(addresses.len(), 3, "{}", first.text);
    let meet = |ms: u32, kind, mote| format!("{ms}ms {kind} {}", addresses[mote]);
    let second = run(
        25,
        [
            vec![meet(1_000, 'd', "m1"), format!("3s !load {tick} to-all")],
            vec![meet(1_000, 'd', "m0"), meet(1_200, 'c', "m2")],
            vec![meet(1_000, 'p', "m1")],
        ],
    );
    assert_eq!(second.saying(" met 0").len(), 4, "{}", second.text);
    let mut installed = second.saying("over the air: tick 1: installed");
    installed.sort_unstable();
    assert_eq!(installed, [0, 1, 2], "{}", second.text);
}

#[test]
fn an_image_without_a_radio_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let tick = tick(folder.path(), "hamilton", 1, "test/load/host/host.key");
    let input = folder.path().join("input.txt");
    std::fs::write(&input, format!("1s !load {tick} to-all\n")).expect("an input");
    let input = input.display().to_string();
    let run =
        call(&["run", "test/load/host", "--board", "hamilton", "--input", &input, "--for", "3s"]);
    let text = format!("{}{}", run.out, run.err);
    assert!(text.contains("the mote's image passes nothing on"), "{text}");
}
