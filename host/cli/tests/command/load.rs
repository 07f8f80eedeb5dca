// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs that come over a mote's console line: by the input of a simulated mote, and by `lichen load` and its relatives at a
//! serial port. The first mote's loader is played (`test/mote/loader_serial`): it notes what comes, and installs nothing. The other one
//! is that of `app/base`, which programs of `app` come to.

use crate::common::{Called, call, lichen, root};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Stdio};

const PROGRAM: &str = "test/mote/loader_serial";

/// A container of version 3 for a machine, of a program that uses these groups: 198 bytes, if it is one.
fn container(folder: &Path, name: &str, machine: u8, group: [u8; 3]) -> String {
    let mut bytes = vec![0; 30];
    bytes[..4].copy_from_slice(&[0x4c, 0xf0, 1, machine]);
    bytes[5] = 40;
    bytes[6] = 3;
    bytes[12] = 154;
    bytes[28] = 3;
    bytes.extend(b"box\x01\x03");
    bytes.extend(group);
    bytes.resize(40, 0);
    bytes.extend((0..158).map(|at| at as u8));
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("a container");
    path.display().to_string()
}

/// A group that the mote has, and one that it has in another form.
const KNOWN: [u8; 3] = [2, 0x02, 0x10];
const OTHER: [u8; 3] = [9, 0x01, 0x10];

pub fn lines(called: &Called, with: &str) -> Vec<String> {
    let lines = called.out.lines().filter(|line| line.contains(with));
    lines.map(|line| line.trim().to_string()).collect()
}

#[test]
fn the_host_of_a_simulated_mote_does_what_its_input_says() {
    let folder = tempfile::tempdir().expect("a folder");
    for (board, machine, other) in [("mica2", 2, 1), ("hamilton", 1, 2)] {
        container(folder.path(), "box.lichen", machine, KNOWN);
        container(folder.path(), "other.lichen", other, KNOWN);
        container(folder.path(), "form.lichen", machine, OTHER);
        let input = folder.path().join("input.txt");
        let text = "1 !load box.lichen\n2 !ps\n3 !stop sense\n3 !ps\n4 !load other.lichen\n5 !load form.lichen\n6 \
                    !remove nobody\n";
        std::fs::write(&input, text).expect("an input");
        let input = input.display().to_string();
        let json = |name: &str| folder.path().join(format!("{board}-{name}")).display().to_string();
        let run = |json: &str| {
            call(&[
                "run", PROGRAM, "--board", board, "--for", "8s", "--input", &input, "--json", json,
            ])
        };
        let called = run(&json("one"));
        let loaded = lines(&called, "is loaded: 198 bytes in");
        assert_eq!(loaded.len(), 1, "{}{}", called.out, called.err);
        assert_eq!(
            lines(&called, "sense                running      515").len(),
            1,
            "{}",
            called.out
        );
        assert_eq!(
            lines(&called, "sense                stopped      515").len(),
            1,
            "{}",
            called.out
        );
        assert_eq!(lines(&called, "* sense is stopped").len(), 1, "{}", called.out);
        let refused = lines(&called, ": machine, at byte 3");
        assert!(refused[0].contains("warning: load box: the container is for"), "{refused:?}");
        let refused = lines(&called, "has another form of group 9: groups, at byte 35");
        assert!(!refused.is_empty(), "{}", called.out);
        assert!(!lines(&called, "remove nobody: the mote has no program of that name").is_empty());
        assert!(!called.out.contains('\u{2}'), "frames are not shown: {}", called.out);
        run(&json("two"));
        let [one, two] = ["one", "two"].map(|name| std::fs::read_to_string(json(name)));
        let [one, two] = [one.expect("events"), two.expect("events")];
        let events = |text: &str| text.lines().skip(1).map(str::to_string).collect::<Vec<_>>();
        assert!(events(&one) == events(&two), "two runs are the same to the byte");
        assert!(one.contains(r#""kind":"host","what":"sense is stopped""#));
    }
}

/// A mote that runs at the pace of a real one, at a serial port of this machine.
struct Running {
    child: Child,
    port: String,
    /// Open as long as it runs.
    _out: BufReader<ChildStdout>,
}

impl Running {
    fn begin(program: &str, board: &str) -> Running {
        let mut command = lichen();
        command.args(["run", program, "--board", board, "--for", "60s", "--serial"]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("a run");
        let mut out = BufReader::new(child.stdout.take().expect("its output"));
        let mut said = String::new();
        while !said.contains("console is at") {
            said.clear();
            assert_ne!(out.read_line(&mut said).expect("a line"), 0, "it does not name the port");
        }
        let port = said.trim_end().split("--port ").nth(1).expect("its name");
        Running { port: port.trim_end_matches('`').to_string(), child, _out: out }
    }

    fn call(&self, arguments: &[&str]) -> Called {
        call(&[arguments, &["--port", &self.port]].concat())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_program_is_sent_to_a_serial_port_and_managed_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = container(folder.path(), "box.lichen", 2, KNOWN);
    let other = container(folder.path(), "other.lichen", 1, KNOWN);
    let mote = Running::begin(PROGRAM, "mica2");
    let loaded = mote.call(&["load", &good]);
    assert_eq!(loaded.code, 0, "{}{}", loaded.out, loaded.err);
    assert!(loaded.out.starts_with("box 3 is loaded: 198 bytes in "), "{}", loaded.out);
    let listed = mote.call(&["ps", "--board", "mica2"]);
    assert_eq!(lines(&listed, "sense                running ").len(), 1, "{}", listed.out);
    assert_eq!(mote.call(&["stop", "sense", "--baud", "57600"]).out, "sense is stopped\n");
    assert_eq!(lines(&mote.call(&["ps"]), "sense                stopped ").len(), 1);
    let refused = mote.call(&["load", &other]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    let expected =
        "other.lichen: the container is for ARMv6-M, the mote is AVR: machine, at byte 3";
    assert!(refused.err.contains(expected), "{}", refused.err);
    let refused = mote.call(&["remove", "nobody"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("error: the mote has no program of that name"), "{}", refused.err);
}

#[test]
fn what_is_no_container_and_what_is_no_mote_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().join("text.lichen");
    std::fs::write(&text, "no container").expect("a file");
    let refused = call(&["load", &text.display().to_string(), "--port", "/dev/null"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.contains("0x4c, 0xf0, this file with 0x6e, 0x6f: magic, at byte 0"),
        "{}",
        refused.err
    );
    let refused = call(&["ps", "--port", "/dev/null"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("/dev/null: this is no serial port"), "{}", refused.err);
}

/// `app/base` with a key, and the key's file: that of the tree is a person's own.
fn base(folder: &Path) -> (String, String) {
    let (from, folder) = (root().join("app/base"), folder.join("base"));
    std::fs::create_dir(&folder).expect("a folder");
    for name in ["base.c", "lichen.toml"] {
        std::fs::copy(from.join(name), folder.join(name)).expect("copied");
    }
    let rules = std::fs::read_to_string(from.join("CMakeLists.txt")).expect("rules");
    let system = root().join("os/lichen.cmake").display().to_string();
    let rules = rules.replace("../../os/lichen.cmake", &system);
    std::fs::write(folder.join("CMakeLists.txt"), rules).expect("written");
    let key = folder.join("base.key").display().to_string();
    assert_eq!(call(&["key", &key]).code, 0);
    (folder.display().to_string(), key)
}

/// The container of a program, under a key.
pub fn packed(folder: &Path, program: &str, board: &str, key: &str) -> PathBuf {
    let name = program.replace('/', "-");
    let file = folder.join(format!("{name}-{board}.lichen"));
    let path = file.display().to_string();
    let called = call(&["pack", program, "--board", board, "--key", key, "--output", &path]);
    assert_eq!(called.code, 0, "{}{}", called.out, called.err);
    file
}

#[test]
fn programs_arrive_over_serial_and_run_beside_the_image() {
    let folder = tempfile::tempdir().expect("a folder");
    let (base, key) = base(folder.path());
    for board in ["mica2", "hamilton"] {
        let hello = packed(folder.path(), "hello", board, &key);
        let other_key = folder.path().join(format!("{board}.key")).display().to_string();
        assert_eq!(call(&["key", &other_key]).code, 0);
        let blink = packed(folder.path(), "blink", board, &other_key);
        let text = format!(
            "1500ms !load {}\n3500ms !ps\n4s !load {}\n5s !stop hello\n6s !start hello\n7s !remove hello\n8s !ps\n",
            hello.display(),
            blink.display()
        );
        let input = folder.path().join("input.txt");
        std::fs::write(&input, text).expect("an input");
        let input = input.display().to_string();
        let run = call(&["run", &base, "--board", board, "--for", "9s", "--input", &input]);
        let said = format!("{}{}", run.out, run.err);
        assert_eq!(run.code, 0, "{said}");
        assert_eq!(lines(&run, "* hello 1 is loaded: ").len(), 1, "{said}");
        assert!(!lines(&run, "Hello, world! Up for 2 s.").is_empty(), "{said}");
        assert_eq!(
            lines(&run, "* hello                running        1       1").len(),
            1,
            "{said}"
        );
        let refused = "load blink: the container is not signed with the key of the mote's image";
        assert!(!lines(&run, refused).is_empty(), "{said}");
        for done in ["* hello is stopped", "* hello is started", "* hello is removed"] {
            assert_eq!(lines(&run, done).len(), 1, "{done}: {said}");
        }
        assert_eq!(lines(&run, " hello   ").len(), 1, "it is listed once: {said}");
        let led = if board == "mica2" { "red" } else { "led0" };
        assert!(lines(&run, &format!("* {led} ")).len() >= 8, "the image blinks on: {said}");
    }
}

#[test]
fn an_image_without_a_key_trusts_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let (base, key) = base(folder.path());
    for board in ["mica2", "hamilton"] {
        let hello = packed(folder.path(), "hello", board, &key);
        let gone = folder.path().join("gone.key");
        std::fs::rename(&key, &gone).expect("the key is away");
        let built = call(&["build", &base, "--board", board]);
        assert!(built.out.contains("the image has no key"), "{}{}", built.out, built.err);
        let input = folder.path().join("input.txt");
        let text = format!("1500ms !load {}\n3s !ps\n", hello.display());
        std::fs::write(&input, text).expect("an input");
        let input = input.display().to_string();
        let run = call(&["run", &base, "--board", board, "--for", "4s", "--input", &input]);
        let said = format!("{}{}", run.out, run.err);
        assert_eq!(run.code, 0, "{said}");
        let refused = "load hello: the container is not signed with the key of the mote's image";
        assert!(!lines(&run, refused).is_empty(), "{said}");
        assert!(lines(&run, "Hello, world!").is_empty(), "{said}");
        std::fs::rename(&gone, &key).expect("the key is back");
    }
}

#[test]
fn a_program_comes_from_another_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let (base, key) = base(folder.path());
    let hello = packed(folder.path(), "hello", "hamilton", &key).display().to_string();
    let mote = Running::begin(&base, "hamilton");
    let loaded = mote.call(&["load", &hello]);
    assert!(loaded.out.contains("hello 1 is loaded: "), "{}{}", loaded.out, loaded.err);
    let second = mote.call(&["load", &hello, "--instance", "2"]);
    assert!(second.out.contains("hello 1 is loaded: "), "{}{}", second.out, second.err);
    let listed = mote.call(&["ps"]);
    for name in ["hello   ", "hello.2 "] {
        assert_eq!(lines(&listed, name).len(), 1, "{}{}", listed.out, listed.err);
    }
    assert_eq!(mote.call(&["remove", "hello.2"]).code, 0);
    let again = mote.call(&["load", &hello]);
    assert_eq!(again.code, 2, "{}", again.out);
    assert!(
        again.err.contains("the mote has this version of the program already"),
        "{}",
        again.err
    );
}

/// A mote that a program is loaded into, beside one that sends four messages a second.
fn two(folder: &Path, board: &str, container: &Path, lines: &str) -> Called {
    let input = folder.join("input.txt");
    let text = lines.replace("FILE", &container.display().to_string());
    std::fs::write(&input, text).expect("an input");
    let program = |name: &str| root().join(name).display().to_string();
    let text = format!(
        "for = \"25s\"\n[[mote]]\nname = \"host\"\nboard = \"{board}\"\nprogram = \"{}\"\ninput = \"input.txt\"\n\
         [[mote]]\nname = \"sender\"\nboard = \"{board}\"\nprogram = \"{}\"\n",
        program("test/load/host"),
        program("app/count_to_radio")
    );
    let scenario = folder.join("two.toml");
    std::fs::write(&scenario, text).expect("a scenario");
    call(&["run", &scenario.display().to_string()])
}

/// The container of `test/load/guest` for `test/load/host`.
fn guest(folder: &Path, board: &str) -> PathBuf {
    packed(folder, "test/load/guest", board, "test/load/host/host.key")
}

/// What the lines of the first mote say.
fn said(called: &Called) -> Vec<&str> {
    let lines = called.out.lines().filter_map(|line| line.split_once(" host "));
    lines.map(|(_, said)| said.trim()).collect()
}

#[test]
fn a_program_has_receivers_commands_and_modules() {
    let folder = tempfile::tempdir().expect("a folder");
    for board in ["hamilton", "mica2"] {
        let guest = guest(folder.path(), board);
        let run = two(
            folder.path(),
            board,
            &guest,
            "500ms open\n1s pool\n1500ms !load FILE\n3s greet\n3100ms log guest debug\n4s log guest none\n4100ms pace fast\n\
             4200ms pace slow\n8s pool\n8500ms stay\n9s !stop guest\n9500ms pool\n9700ms greet\n10s !start guest\n11s greet\n\
             11500ms log guest\n11600ms fail\n11650ms !ps\n11700ms greet\n11800ms !start guest\n12s stay\n13s !remove guest\n14s pool\n",
        );
        let text = format!("{}{}", run.out, run.err);
        assert_eq!(run.code, 0, "{text}");
        let said = said(&run);
        let times = |what: &str| said.iter().filter(|line| line.contains(what)).count();
        assert_eq!(times("started 1 times"), 2, "the start function runs once a start: {text}");
        assert_eq!(times("guest            debug, at most debug"), 1, "{text}");
        assert_eq!(times("guest            notice, at most debug"), 1, "after a start: {text}");
        assert_eq!(times("pace: PACE must be quick|slow, not 'fast'"), 1, "{text}");
        assert_eq!(
            times("there is no command 'greet'"),
            2,
            "after the stop and the failure: {text}"
        );
        assert_eq!(times("guest                assertion"), 1, "why it has ended: {text}");
        assert_eq!(times("staying"), 2, "{text}");
        let counts = times("guest: notice: count");
        assert!((10..30).contains(&counts), "{counts} messages: {text}");
        assert!(times("guest: debug: of type 4") >= 2, "{text}");
        let in_use = used(&said);
        assert_eq!(in_use.len(), 4, "{text}");
        assert!(in_use[1] > in_use[0], "messages wait for the program: {text}");
        assert_eq!(in_use[2..], [in_use[0]; 2], "all are freed when it ends: {text}");
    }
}

/// The packets or frames in use, each time that the first mote was asked.
fn used(said: &[&str]) -> Vec<u32> {
    said.iter()
        .filter_map(|line| line.strip_prefix("in use: "))
        .map(|count| count.parse().expect("a number"))
        .collect()
}

#[test]
fn a_program_that_is_stopped_at_any_time_keeps_no_packet() {
    let folder = tempfile::tempdir().expect("a folder");
    for board in ["hamilton", "mica2"] {
        let guest = guest(folder.path(), board);
        let mut lines = "500ms open\n1500ms !load FILE\n2500ms pool\n".to_string();
        let stops = 60;
        for at in (3000..).step_by(313).take(stops) {
            lines += &format!("{at}ms !stop guest\n{}ms !start guest\n", at + 157);
        }
        lines += "22500ms !stop guest\n23s pool\n";
        let run = two(folder.path(), board, &guest, &lines);
        let text = format!("{}{}", run.out, run.err);
        let said = said(&run);
        let stopped = said.iter().filter(|line| line.contains("guest is stopped")).count();
        assert_eq!(stopped, stops + 1, "{text}");
        assert!(text.contains("guest: notice: count"), "{text}");
        let in_use = used(&said);
        assert_eq!(in_use.len(), 2, "{text}");
        assert_eq!(in_use[0], in_use[1], "{text}");
    }
}
