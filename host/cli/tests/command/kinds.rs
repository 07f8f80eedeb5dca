// SPDX-License-Identifier: MIT OR Apache-2.0
//! tshark reads every kind of frame that the link sends (`test/network/kinds`), secured ones with their key: it finds checksums
//! and codes right, and the payloads that were sent.

use crate::common::{finish, lichen, root};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The key of the program, and another one.
const KEY: &str = "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf";
const OTHER_KEY: &str = "c0c1c2c3c4c5c6c7c8c9cacbcccdced0";
/// The levels of security, in the order of the program's parts; each has four of them.
const LEVELS: [&str; 7] = ["", "1", "2", "3", "5", "6", "7"];
/// Parts after these, in which a child asks, and their levels.
const CHILD: [(usize, &str); 2] = [(28, ""), (29, "5")];

const DATA: &str = "1";
const ACKNOWLEDGMENT: &str = "2";
const COMMAND: &str = "3";

/// A frame as tshark reads it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Frame {
    kind: String,
    version: String,
    level: String,
    short_source: String,
    extended_destination: String,
    /// In hexadecimal, as sent in the payload.
    data: String,
    command: String,
    fcs_ok: String,
    /// What tshark finds wrong.
    complaint: String,
}

/// What the motes sent, in `capture`, read with a key; `addresses` are the extended ones of the motes 1 and 2.
fn frames(capture: &Path, key: &str, addresses: &[String; 2]) -> Vec<Frame> {
    let mut command = Command::new("tshark");
    command.args(["-n", "-T", "fields", "-Y", "frame.packet_flags_direction == 2", "-r"]);
    command.arg(capture);
    command.args(["-o", &format!("uat:ieee802154_keys:\"{key}\",\"1\",\"No hash\"")]);
    for (short, extended) in (1..).zip(addresses) {
        let address = format!("uat:802154_addresses:\"{short:04x}\",\"0022\",{extended}");
        command.args(["-o", &address]);
    }
    // Payloads of others.
    for protocol in ["6lowpan", "zbee_nwk", "zbee_beacon"] {
        command.args(["--disable-protocol", protocol]);
    }
    for field in [
        "wpan.frame_type",
        "wpan.version",
        "wpan.aux_sec.sec_level",
        "wpan.src16",
        "wpan.dst64",
        "data.data",
        "wpan.cmd",
        "wpan.fcs_ok",
        "_ws.expert.message",
        "_ws.malformed",
    ] {
        command.args(["-e", field]);
    }
    let output = command.output().expect("tshark is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let number = |field: &str| {
        let digits = field.trim_start_matches("0x").trim_start_matches('0');
        if field.is_empty() || !digits.is_empty() { digits.to_string() } else { "0".to_string() }
    };
    let frame = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        Frame {
            kind: number(fields[0]),
            version: number(fields[1]),
            level: number(fields[2]),
            short_source: number(fields[3]),
            extended_destination: fields[4].replace(':', ""),
            data: fields[5].to_string(),
            command: number(fields[6]),
            fcs_ok: fields[7].to_string(),
            complaint: fields[8..].concat(),
        }
    };
    String::from_utf8_lossy(&output.stdout).lines().map(frame).collect()
}

/// A run of the scenario: the capture, and the extended addresses that the motes have told.
fn run(capture: &Path) -> [String; 2] {
    let scenario = root().join("test/network/kinds/test/all.toml");
    let mut command = lichen();
    command.arg("run").arg(scenario).arg("--pcap").arg(capture);
    let called = finish(&mut command);
    assert_eq!(called.code, 0, "{}{}", called.out, called.err);
    assert!(!called.out.contains("failed"), "{}", called.out);
    ["sender", "receiver"].map(|mote| {
        let line = called.out.lines().find(|line| line.contains(&format!("{mote} address ")));
        line.and_then(|line| line.split(' ').next_back()).expect("its address").to_string()
    })
}

/// The payload of a message, in hexadecimal.
fn payload(part: usize, what: &str) -> String {
    format!("{part:02} {what}").bytes().fold("3f08".to_string(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// All data frames that the program sends, with their texts.
fn expected(receiver: &str) -> BTreeSet<Frame> {
    let data = |level: &str, version: &str, short_source: &str, destination: &str, data| Frame {
        kind: DATA.to_string(),
        version: version.to_string(),
        level: level.to_string(),
        short_source: short_source.to_string(),
        extended_destination: destination.to_string(),
        data,
        command: String::new(),
        fcs_ok: "1".to_string(),
        complaint: String::new(),
    };
    let mut frames = BTreeSet::new();
    let version = |is_2015: bool, level: &str| match (is_2015, level) {
        (true, _) => "2",
        (false, "") => "0",
        (false, _) => "1",
    };
    for part in 0..4 * LEVELS.len() {
        let level = LEVELS[part / 4];
        let source = if part & 2 == 0 { "1" } else { "" };
        for (what, destination) in [("one", ""), ("extended", receiver), ("all", "")] {
            let version = version(part & 1 == 1, level);
            frames.insert(data(level, version, source, destination, payload(part, what)));
        }
    }
    for (part, level) in CHILD {
        frames.insert(data(level, version(false, level), "1", "", payload(part, "child")));
    }
    frames
}

#[test]
fn tshark_reads_every_kind_of_frame_with_the_key_and_none_that_is_encrypted_with_another_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let capture = folder.path().join("frames.pcapng");
    let addresses = run(&capture);
    let read = frames(&capture, KEY, &addresses);
    for frame in &read {
        assert_eq!((&*frame.fcs_ok, &*frame.complaint), ("1", ""), "{frame:?}");
    }
    // Without those by which the motes have met.
    let texts = read.iter().filter(|frame| frame.data.starts_with("3f08"));
    assert_eq!(texts.cloned().collect::<BTreeSet<_>>(), expected(&addresses[1]));
    let acknowledgments = read.iter().filter(|frame| frame.kind == ACKNOWLEDGMENT).count();
    assert!(acknowledgments >= 2 * 4 * LEVELS.len(), "{acknowledgments}");
    for (_, level) in CHILD {
        let asks = |frame: &&Frame| frame.kind == COMMAND && frame.level == level;
        let requests: Vec<_> = read.iter().filter(asks).collect();
        assert!(requests.len() >= 2, "{requests:?}");
        assert!(requests.iter().all(|frame| frame.command == "4"), "{requests:?}");
    }
    let of_other = frames(&capture, OTHER_KEY, &addresses);
    assert_eq!(of_other.len(), read.len());
    for (frame, right) in of_other.iter().zip(&read).filter(|(frame, _)| !frame.level.is_empty()) {
        assert!(!frame.complaint.is_empty(), "{frame:?}");
        let is_encrypted = frame.level.parse::<u8>().is_ok_and(|level| level >= 5);
        assert!(!is_encrypted || frame.data != right.data || right.data.is_empty());
    }
}
