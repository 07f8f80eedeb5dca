// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sniffer and `lichen sniff`: what a mote hears is what the others have sent.

use crate::common::{call, finish, lichen, root};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Two motes that talk, and one that listens.
const MOTES: [(&str, &str, &str); 3] = [
    ("left", "hamilton", "radio_count_to_leds"),
    ("right", "samr21-xpro", "radio_count_to_leds"),
    ("sniffer", "hamilton", "sniffer"),
];

/// A run on this board of the sniffer: what the others have sent, and what the sniffer's serial port has.
struct Heard {
    folder: tempfile::TempDir,
    sent: Vec<String>,
}

impl Heard {
    fn on(board: &str) -> Heard {
        Heard::reported(board, &[])
    }

    /// The same, with these lines typed to the sniffer.
    fn reported(board: &str, input: &[&str]) -> Heard {
        let folder = tempfile::tempdir().expect("a folder");
        let mut scenario = "for = \"3s\"\nseed = 8\n".to_string();
        for (name, usual, program) in MOTES {
            let board = if name == "sniffer" { board } else { usual };
            let program = root().join("app").join(program);
            let program = program.display();
            scenario += &format!(
                "[[mote]]\nname = \"{name}\"\nboard = \"{board}\"\nprogram = \"{program}\"\n"
            );
        }
        scenario += &format!("input = {input:?}\n");
        let file = folder.path().join("air.toml");
        std::fs::write(&file, scenario).expect("written");
        let events = folder.path().join("events.jsonl");
        let called = finish(lichen().arg("run").arg(&file).arg("--json").arg(&events));
        assert_eq!(called.code, 0, "{}{}", called.out, called.err);
        let events = std::fs::read_to_string(&events).expect("events");
        let events: Vec<serde_json::Value> =
            events.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let port: Vec<u8> = (events.iter())
            .filter(|event| event["mote"] == 2 && event["kind"] == "uart" && event["dir"] == "out")
            .map(|event| event["data"].as_u64().expect("a byte") as u8)
            .collect();
        let sent = (events.iter())
            .filter(|event| event["kind"] == "sent")
            .map(|event| event["bytes"].as_str().expect("bytes").to_string())
            .collect();
        std::fs::write(folder.path().join("port.bin"), port).expect("written");
        Heard { folder, sent }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

fn fields(frames: &Path, field: &str) -> Vec<String> {
    let output =
        Command::new("tshark").arg("-r").arg(frames).args(["-T", "fields", "-e", field]).output();
    let output = output.expect("tshark is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect()
}

#[test]
fn what_is_sent_is_shown_and_captured_on_each_board() {
    for board in ["hamilton", "samr21-xpro", "micaz"] {
        let heard = Heard::on(board);
        assert!(heard.sent.len() >= 20, "{board}: {}", heard.sent.len());
        let (pcap, json) = (heard.path("out.pcapng"), heard.path("out.jsonl"));
        let mut command = lichen();
        command.arg("sniff").arg(heard.path("port.bin")).arg("--pcap").arg(&pcap);
        let called = finish(command.arg("--json").arg(&json));
        assert_eq!(called.code, 0, "{}", called.err);
        assert!(called.err.starts_with("listening on channel 26\n"), "{}", called.err);
        // The last one may still be on its way.
        let lines = called.out.lines().count();
        assert!((heard.sent.len() - 1..=heard.sent.len()).contains(&lines), "{}", called.out);
        let captured = std::fs::read_to_string(&json).expect("JSON");
        for (line, sent) in captured.lines().zip(&heard.sent) {
            let frame: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let without_checksum = &sent[..sent.len() - 4];
            assert_eq!(frame["bytes"], without_checksum, "{board}");
        }
        assert_eq!(fields(&pcap, "wpan.fcs_ok"), vec!["1"; lines], "{board}");
        assert_eq!(fields(&pcap, "wpan-tap.ch_num"), vec!["26"; lines], "{board}");
        assert_eq!(fields(&pcap, "_ws.malformed").join(""), "");
    }
}

#[test]
fn a_line_chooses_the_channel_and_one_without_a_channel_changes_nothing() {
    let typed =
        ["1 channel 11", "1.5 channel 10", "1.6 channel", "1.7 channel 256", "2 channel 26"];
    let heard = Heard::reported("hamilton", &typed);
    let called = finish(lichen().arg("sniff").arg(heard.path("port.bin")));
    assert_eq!(called.code, 0, "{}", called.err);
    let reported: Vec<&str> =
        called.err.lines().filter(|line| line.starts_with("listening")).collect();
    assert_eq!(reported, [26, 11, 26].map(|channel| format!("listening on channel {channel}")));
    let seconds = |line: &str| line.split_whitespace().next().and_then(|s| s.parse::<f64>().ok());
    let times: Vec<f64> = called.out.lines().filter_map(seconds).collect();
    let within = |from, to| times.iter().filter(|time| (from..to).contains(*time)).count();
    assert!(within(0.0, 1.0) >= 4 && within(2.0, 3.0) >= 4, "{}", called.out);
    assert_eq!(within(1.01, 2.0), 0, "nobody sends on channel 11: {}", called.out);
}

#[test]
fn a_capture_on_the_standard_output_is_that_of_the_file() {
    let heard = Heard::on("hamilton");
    let pcap = heard.path("out.pcapng");
    let input = std::fs::read(heard.path("port.bin")).expect("what was sent");
    let mut command = lichen();
    command.args(["sniff", "-", "--pcap", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("lichen starts");
    child.stdin.take().expect("a pipe").write_all(&input).expect("written");
    let output = child.wait_with_output().expect("it ends");
    let called = finish(lichen().arg("sniff").arg(heard.path("port.bin")).arg("--pcap").arg(&pcap));
    assert_eq!(called.code, 0, "{}", called.err);
    assert!(output.stdout == std::fs::read(&pcap).expect("the file"), "they differ");
}

/// A record as it comes from the port.
fn framed(record: &[u8]) -> Vec<u8> {
    let sum = lichen_device::air::fcs(record).to_le_bytes();
    [&[0xC0], record, &sum, &[0xC0]].concat()
}

/// The state of a sniffer on this channel.
fn state(channel: u8) -> Vec<u8> {
    let mut record = vec![2, 1, channel, 11, 26, 32, 0];
    record.resize(19, 0);
    framed(&record)
}

/// An acknowledgment that it has heard.
fn frame() -> Vec<u8> {
    framed(&[1, 1, 2, 3, 0, 0, 0, 0, 0, 15, 186, 9, 2, 0, 7])
}

#[test]
fn a_mote_at_a_port_is_reported_the_channel_and_one_that_it_lacks_is_refused() {
    for (channel, code, expected) in
        [(15, 0, "listening on channel 15"), (27, 2, "the mote's radio has no channel 27")]
    {
        let (mut mote, port) = serialport::TTYPort::pair().expect("a pseudo terminal");
        let name = serialport::SerialPort::name(&port).expect("its name");
        drop(port);
        let mut command = lichen();
        command.args(["sniff", &name, "--channel", &channel.to_string()]).stderr(Stdio::piped());
        command.stdout(Stdio::piped());
        let mut child = command.spawn().expect("lichen starts");
        let mut shown = String::new();
        let mut reported = Vec::new();
        while !reported.ends_with(b"\n") {
            let mut byte = [0];
            if mote.read(&mut byte).is_ok_and(|count| count == 1) {
                reported.push(byte[0]);
            }
        }
        assert_eq!(reported, format!("channel {channel}\n").as_bytes());
        mote.write_all(&state(channel.min(26))).expect("written");
        if code == 0 {
            // A frame after the state: its line says that both were read.
            mote.write_all(&frame()).expect("written");
            let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
            lines.read_line(&mut shown).expect("a line");
            let pid = child.id().to_string();
            let killed = Command::new("kill").args(["-INT", &pid]).status().expect("kill");
            assert!(killed.success());
        }
        let output = child.wait_with_output().expect("it ends");
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(err.contains(expected), "{err}");
        assert_eq!(output.status.code(), Some(code), "{err}");
        assert_eq!(shown.contains("channel 15   -70 dBm  LQI   9    3 bytes  02 00 07"), code == 0);
    }
}

#[test]
fn what_is_no_sniffer_is_said() {
    let called = call(&["sniff", "/dev/nowhere"]);
    assert_eq!(called.code, 2);
    assert!(called.err.contains("/dev/nowhere: cannot open it"), "{}", called.err);
    let called = call(&["sniff", "/dev/null"]);
    assert_eq!(called.code, 2);
    assert!(called.err.contains("/dev/null: this is no serial port"), "{}", called.err);
    let folder = tempfile::tempdir().expect("a folder");
    for (name, begins) in [
        ("net.pcapng", [0x0A, 0x0D, 0x0D, 0x0A]),
        ("net.pcap", [0xD4, 0xC3, 0xB2, 0xA1]),
        ("ns.pcap", [0xA1, 0xB2, 0x3C, 0x4D]),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, [&begins[..], b"\xC0\n\xC0ab\xC0"].concat()).expect("written");
        let called = finish(lichen().arg("sniff").arg(&path));
        assert_eq!(called.code, 2, "{}", called.err);
        assert!(called.err.contains(&format!("{name}: this is a capture")), "{}", called.err);
        assert!(called.err.contains("open it in Wireshark"), "{}", called.err);
        assert!(!called.err.contains("warning"), "{}", called.err);
    }
    let path = folder.path().join("text");
    std::fs::write(&path, "hello\n").expect("written");
    let called = finish(lichen().arg("sniff").arg(&path));
    assert_eq!(called.code, 1);
    assert!(called.err.contains("the mote says: hello"), "{}", called.err);
    assert!(called.err.contains("nothing of a sniffer"), "{}", called.err);
    let called = finish(lichen().arg("sniff").arg(&path).args(["--channel", "12"]));
    assert_eq!(called.code, 2);
    assert!(called.err.contains("leave out --channel"), "{}", called.err);
    let called = finish(lichen().arg("sniff").arg(&path).args(["--pcap", "-", "--json", "-"]));
    assert_eq!(called.code, 2);
    assert!(called.err.contains("give --pcap or --json a name"), "{}", called.err);
}
