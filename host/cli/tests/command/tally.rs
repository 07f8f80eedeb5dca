// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run says of the frames between its motes agrees with what it captures of them, frame by frame, as tshark reads
//! that: in every scenario of several motes that is here, and in some where much goes wrong.

use crate::common::{call, lichen, root};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A board with each of the radios.
const BOARDS: [&str; 3] = ["hamilton", "micaz", "mica2"];
/// Simulated time of each run.
const LENGTH: &str = "4s";
/// Drawn so that frames are lost in many ways.
const SEED: &str = "1";
/// A radio of bytes reports what it has received so long after its end, at most.
const LATEST_NS: u64 = 10_000_000;

/// A frame: its sender, and when it has ended, in whole microseconds.
type Key = (String, u64);
/// What became of a frame at motes, in words.
type Fates = BTreeMap<String, String>;

/// A packet of a capture.
#[derive(Clone, Debug)]
struct Packet {
    ns: u64,
    mote: String,
    number: u64,
    is_sent: bool,
    /// What the radio made of it, and the mote that has sent it, unless it was received.
    comment: Option<(String, String)>,
    is_wrong: bool,
    /// Of a frame of IEEE 802.15.4: when it began, and whether tshark finds its checksum right, if it finds one.
    begin: Option<u64>,
    is_intact: Option<bool>,
    /// Its checksum; of a frame of another radio, its bytes.
    bytes: String,
}

impl Packet {
    fn key(&self) -> Key {
        (self.mote.clone(), self.ns / 1_000)
    }

    /// What must be said of it, one of these.
    fn expected(&self) -> &'static [&'static str] {
        match (self.comment.as_ref().map(|(what, _)| what.as_str()), self.is_wrong) {
            (None, false) => &["heard whole"],
            (Some("filtered"), false) => &["for another mote"],
            (Some("filtered" | "corrupted"), true) => &["collision", "noise"],
            (Some("overflowed"), _) => &["no room"],
            (Some("abandoned"), _) => &["stopped receiving"],
            _ => panic!("{self:?}"),
        }
    }

    fn is_heard(&self) -> bool {
        matches!(self.expected()[0], "heard whole" | "for another mote")
    }

    /// The frame that it is a part of, among those that were sent.
    fn frame<'a>(&self, sent: &'a [Packet]) -> Option<&'a Packet> {
        let is_of = |it: &&Packet| self.comment.as_ref().is_none_or(|(_, from)| *from == it.mote);
        let of_others = sent.iter().filter(|it| it.mote != self.mote).filter(is_of);
        match self.begin {
            Some(begin) => {
                let mut found = of_others.filter(|it| it.begin == Some(begin));
                let alike = found.clone().find(|it| it.bytes == self.bytes);
                alike.or_else(|| found.next())
            }
            None => of_others
                .filter(|it| self.ns.abs_diff(it.ns) <= LATEST_NS)
                .filter(|it| !self.is_heard() || it.bytes.starts_with(&self.bytes))
                .min_by_key(|it| self.ns.abs_diff(it.ns)),
        }
    }
}

/// What tshark reads in a capture.
fn packets(capture: &Path) -> Vec<Packet> {
    let mut command = Command::new("tshark");
    command.args(["-n", "-T", "fields", "-r"]).arg(capture);
    for field in [
        "frame.time_epoch",
        "frame.interface_name",
        "frame.packet_flags_direction",
        "frame.comment",
        "frame.packet_flags_crc_error",
        "wpan-tap.sof_ts",
        "wpan.fcs_ok",
        "data.data",
        "frame.interface_id",
        "wpan.fcs",
    ] {
        command.args(["-e", field]);
    }
    let output = command.output().expect("tshark is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let packet = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let (seconds, fraction) = fields[0].split_once('.').expect("seconds");
        let number = |digits: &str| digits.parse::<u64>().expect("a number");
        let comment = fields[3].split_once(", from ");
        Packet {
            ns: number(seconds) * 1_000_000_000 + number(fraction),
            mote: short(fields[1]),
            is_sent: fields[2].ends_with('2'),
            comment: comment.map(|(what, from)| (what.to_string(), short(from))),
            is_wrong: fields[4] == "1",
            begin: fields[5].parse().ok(),
            is_intact: (!fields[6].is_empty()).then(|| fields[6] == "1"),
            bytes: fields[7].to_string() + fields[9],
            number: number(fields[8]),
        }
    };
    out.lines().map(packet).collect()
}

/// The name of a mote in a line.
fn short(name: &str) -> String {
    name.strip_prefix("mote ").unwrap_or(name).to_string()
}

/// The frames of `--view network`, each with what became of it.
fn lines(out: &str) -> BTreeMap<Key, Fates> {
    let frame = |line: &str| {
        let (head, rest) = line.split_once(" > ")?;
        if !rest.starts_with("frame") && !rest.starts_with("acknowledgment") {
            return None;
        }
        let (time, mote) = head.trim().split_once(' ')?;
        let us = time.replace('.', "").parse().ok()?;
        let fates = rest.split("; ").skip(1).filter_map(|part| part.split_once(": "));
        let fates = fates.flat_map(|(fate, motes)| {
            let motes = without_parentheses(motes);
            let motes: Vec<String> = motes.split(", ").map(|mote| mote.trim().into()).collect();
            motes.into_iter().map(|mote| (mote, fate.to_string()))
        });
        Some(((mote.trim().to_string(), us), fates.collect()))
    };
    out.lines().filter_map(frame).collect()
}

fn without_parentheses(text: &str) -> String {
    let mut depth = 0;
    let kept = text.chars().filter(|c| {
        depth += i32::from(*c == '(');
        let is_kept = depth == 0;
        depth -= i32::from(*c == ')');
        is_kept
    });
    kept.collect()
}

/// A run, and all that it says of its frames.
struct Told {
    what: String,
    packets: Vec<Packet>,
    frames: BTreeMap<Key, Fates>,
    events: Vec<serde_json::Value>,
    picture: String,
}

impl Told {
    fn by(arguments: &[&str]) -> Told {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let mut command = lichen();
        command.arg("run").args(arguments).args(["--view", "network"]);
        let files = ["--pcap", "--json", "--air"].map(|option| (option, path(&option[2..])));
        for (option, file) in &files {
            command.arg(option).arg(file);
        }
        let called = crate::common::finish(&mut command);
        let what = arguments.join(" ");
        // Some scenarios end with a failure, as they should.
        assert_ne!(called.code, 2, "{what}: {}", called.err);
        let text = |name| std::fs::read_to_string(path(name)).expect("a file");
        let events = text("json");
        let events = events.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let (packets, frames) = (packets(&path("pcap")), lines(&called.out));
        Told { what, packets, frames, events, picture: text("air") }
    }

    fn sent(&self) -> Vec<Packet> {
        self.packets.iter().filter(|packet| packet.is_sent).cloned().collect()
    }

    /// Compares all of it; returns how many frames were sent, how many arrivals were heard, and how many were spoilt.
    fn check(&self) -> [usize; 3] {
        let what = &self.what;
        let sent = self.sent();
        let keys: BTreeSet<Key> = sent.iter().map(Packet::key).collect();
        assert_eq!(keys, self.frames.keys().cloned().collect(), "{what}: all that was sent");
        let mut captured: BTreeMap<Key, Fates> = BTreeMap::new();
        let (mut heard, mut spoilt) = (0, 0);
        for packet in self.packets.iter().filter(|packet| !packet.is_sent) {
            // The others are sent to their end after the run.
            let Some(frame) = packet.frame(&sent) else {
                assert!(!packet.is_heard(), "{what}: nobody has sent {packet:?}");
                continue;
            };
            if let Some(is_intact) = packet.is_intact {
                assert!(is_intact || !packet.is_heard(), "{what}: it is not whole: {packet:?}");
                assert!(!is_intact || !packet.is_wrong, "{what}: it is whole: {packet:?}");
            }
            let told =
                self.frames[&frame.key()].get(&packet.mote).map_or("nothing", String::as_str);
            let expected = packet.expected();
            assert!(expected.contains(&told), "{what}: {told}, of {packet:?} of {frame:?}");
            (heard, spoilt) =
                (heard + usize::from(packet.is_heard()), spoilt + usize::from(packet.is_wrong));
            captured.entry(frame.key()).or_default().insert(packet.mote.clone(), told.into());
        }
        self.nothing_else_is_told(&captured);
        self.counts_are_sums();
        self.links_are_sums();
        self.nothing_reaches_motes_without_power();
        [sent.len(), heard, spoilt]
    }

    /// What radios have received, left, or lost although they have begun to receive it, is in the capture.
    fn nothing_else_is_told(&self, captured: &BTreeMap<Key, Fates>) {
        let of_radios =
            ["heard whole", "for another mote", "no room", "stopped receiving", "noise"];
        for (key, fates) in &self.frames {
            for (mote, fate) in fates.iter().filter(|(_, fate)| of_radios.contains(&fate.as_str()))
            {
                let there = captured.get(key).and_then(|fates| fates.get(mote));
                assert_eq!(there, Some(fate), "{}: {key:?} at {mote}", self.what);
            }
        }
    }

    /// All arrivals: from, to, fate.
    fn arrivals(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.frames.iter().flat_map(|((from, _), fates)| {
            fates.iter().map(move |(to, fate)| (from.as_str(), to.as_str(), fate.as_str()))
        })
    }

    fn counts_are_sums(&self) {
        let records: Vec<_> = self.events.iter().filter(|event| event["kind"] == "air").collect();
        let sum = |field: &str| -> u64 {
            records.iter().map(|record| record[field].as_u64().expect("a count")).sum()
        };
        let lost: u64 = records
            .iter()
            .flat_map(|record| record["lost"].as_object().expect("reasons").values())
            .map(|count| count.as_u64().expect("a count"))
            .sum();
        let count = |wanted: &str| self.arrivals().filter(|(.., fate)| *fate == wanted).count();
        let [whole, filtered] = ["heard whole", "for another mote"].map(|fate| count(fate) as u64);
        let others = self.arrivals().count() as u64 - whole - filtered;
        let told = [sum("sent"), sum("received"), sum("filtered"), lost];
        let expected = [self.frames.len() as u64, whole, filtered, others];
        assert_eq!(told, expected, "{}", self.what);
    }

    fn links_are_sums(&self) {
        let mut links: BTreeMap<(String, String), [usize; 2]> = BTreeMap::new();
        for (from, to, fate) in self.arrivals() {
            let link = links.entry((short(to), short(from))).or_default();
            link[0] += usize::from(["heard whole", "for another mote"].contains(&fate));
            link[1] += 1;
        }
        let titles = self.picture.split("<title>").skip(1);
        let titles = titles.filter_map(|title| title.split('<').next());
        let mut told = 0;
        for title in titles {
            let Some((to, rest)) = title.split_once(" hears ") else { continue };
            let Some((counts, from)) = rest.split_once(" frames of ") else { continue };
            let (heard, reached) = counts.split_once(" of ").expect("two counts");
            let link = links.get(&(short(to), short(from)));
            let [is, all] = link.unwrap_or_else(|| panic!("{}: {title}", self.what));
            assert_eq!((heard, reached), (&*is.to_string(), &*all.to_string()), "{title}");
            told += 1;
        }
        let heard = links.values().filter(|[heard, _]| *heard > 0).count();
        assert!(told >= heard, "{}: {told} of {heard}: {links:?}", self.what);
    }

    fn nothing_reaches_motes_without_power(&self) {
        let packets = self.packets.iter();
        let numbers: BTreeMap<&str, u64> =
            packets.map(|packet| (packet.mote.as_str(), packet.number)).collect();
        let power = self.power();
        for ((from, end), fates) in &self.frames {
            for mote in fates.keys() {
                // No frame takes longer than this.
                let begin = end.saturating_sub(100_000);
                let Some(number) = numbers.get(mote.as_str()) else { continue };
                let has_power = |us: u64| {
                    let before = power.iter().rev().find(|(of, at, _)| of == number && *at <= us);
                    before.is_none_or(|(.., is_on)| *is_on)
                };
                assert!(
                    has_power(begin) || has_power(*end),
                    "{}: {from} at {end} us reaches {mote}",
                    self.what
                );
            }
        }
    }

    /// When the power of which mote came or went, in whole microseconds, and whether it came.
    fn power(&self) -> Vec<(u64, u64, bool)> {
        let events = self.events.iter().filter(|event| event["kind"] == "power");
        let change = |event: &serde_json::Value| {
            let us = event["t_us"].as_f64()?.ceil() as u64;
            Some((event["mote"].as_u64()?, us, event["on"].as_bool()?))
        };
        events.map(|event| change(event).expect("a mote, a time and a state")).collect()
    }
}

/// The boards on which the motes of a scenario of `app` can run, one for each radio.
fn boards(app: &Path, scenario: &str) -> Vec<&'static str> {
    let manifest = std::fs::read_to_string(app.join("lichen.toml")).expect("a manifest");
    let named = [scenario, &manifest].into_iter().find_map(|text| {
        text.lines().find(|line| line.starts_with("boards = ")).map(str::to_string)
    });
    let named = named.expect("boards");
    BOARDS.into_iter().filter(|board| named.contains(&format!("\"{board}\""))).collect()
}

/// Checks the scenarios of a program; returns the sums of what [`Told::check`] returns.
fn check_app(app: &str) -> [usize; 3] {
    let app = root().join("app").join(app);
    let folder = std::fs::read_dir(app.join("test")).expect("its scenarios");
    let mut files: Vec<PathBuf> = folder.map(|file| file.expect("a file").path()).collect();
    files.sort();
    let mut sum = [0; 3];
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a scenario");
        if !is_network(&text) {
            continue;
        }
        for board in boards(&app, &text) {
            let file = file.to_str().expect("a plain path");
            let told = Told::by(&[file, "--board", board, "--for", LENGTH, "--seed", SEED]);
            add(&mut sum, told.check());
        }
    }
    sum
}

fn is_network(scenario: &str) -> bool {
    scenario.matches("[[mote]]").count() > 1
}

fn add(sum: &mut [usize; 3], counts: [usize; 3]) {
    sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
}

#[test]
fn of_links_and_neighbours() {
    let mut sum = [0; 3];
    for app in ["link_ping", "neighbours", "leaf", "radio_count_to_leds"] {
        add(&mut sum, check_app(app));
    }
    assert!(sum[0] > 300 && sum[1] > 300 && sum[2] > 2, "{sum:?}");
}

#[test]
fn of_radios_with_frames() {
    let sum = check_app("radio");
    assert!(sum[0] > 1_000 && sum[1] > 1_000 && sum[2] > 5, "{sum:?}");
}

#[test]
fn of_radios_with_bytes() {
    let sum = check_app("byte_radio");
    assert!(sum[0] > 50 && sum[1] > 50, "{sum:?}");
}

#[test]
fn of_the_scenarios_and_the_readme() {
    let mut sum = [0; 3];
    for scenario in ["homestead", "greenhouse", "orchard"] {
        let file = format!("scenario/{scenario}/{scenario}.toml");
        add(&mut sum, Told::by(&[&file, "--for", LENGTH]).check());
    }
    let readme = "link_ping --motes 3 --topology line --seed 40 --for";
    for length in ["2s", "6s"] {
        let words = readme.split(' ').chain([length]);
        add(&mut sum, Told::by(&words.collect::<Vec<_>>()).check());
    }
    assert!(sum[0] > 50 && sum[1] > 50 && sum[2] > 2, "{sum:?}");
}

/// Motes that send more often than the air can carry, out of reach of each other or not, beside something else that
/// sends, and of which one loses its power in the middle of it all.
fn crowded(board: &str, csv: &str) -> String {
    let app = |name: &str| root().join("app").join(name).display().to_string();
    let mote = |name: &str, program: &str, more: &str| {
        let program = app(program);
        format!(
            "[[mote]]\nname = \"{name}\"\nboard = \"{board}\"\nprogram = \"{program}\"\n{more}\n"
        )
    };
    let cut = "input = [\"1.2s !power off\", \"2.1s !power on\", \"3.0123s !power off\"]";
    let mut text = "for = \"4s\"\nseed = 16\n[medium]\ntopology = \"line\"\n".to_string();
    for (name, more) in [("a", ""), ("b", cut), ("c", ""), ("d", "start = \"1500ms\""), ("e", "")] {
        text += &mote(name, "link_ping", more);
    }
    text += &mote("f", "radio_count_to_leds", "");
    text += &mote("g", "radio_count_to_leds", "");
    text + &format!("[[interference]]\ncsv = \"{csv}\"\n")
}

#[test]
fn of_collisions_interference_and_power_cuts() {
    for board in BOARDS {
        let folder = tempfile::tempdir().expect("a folder");
        let bursts: String = (0..400).map(|n| format!("{}ms,700us,26,-57\n", n * 10)).collect();
        let csv = format!("time,duration,channel,dbm\n{bursts}");
        std::fs::write(folder.path().join("on.csv"), csv).expect("written");
        let file = folder.path().join("crowded.toml");
        std::fs::write(&file, crowded(board, "on.csv")).expect("written");
        let told = Told::by(&[file.to_str().expect("a plain path")]);
        let [sent, heard, spoilt] = told.check();
        assert!(sent > 60 && heard > 60 && spoilt > 2, "{board}: {sent} {heard} {spoilt}");
        let on_b = told.arrivals().filter(|(_, to, _)| *to == "b").count();
        let on_c = told.arrivals().filter(|(_, to, _)| *to == "c").count();
        assert!(on_b < on_c, "{board}: {on_b} and {on_c}");
    }
}

#[test]
fn a_run_in_pieces_counts_what_a_run_in_one_does() {
    let run = "link_ping --motes 3 --topology line --seed 4";
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let runs = |line: &str| {
        let called = call(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(called.code, 0, "{line}\n{}{}", called.out, called.err);
        let of_air = ["  frames ", "  lost ", "  air "];
        let lines = called.out.lines().filter(|line| of_air.iter().any(|it| line.starts_with(it)));
        lines.map(str::to_string).collect::<Vec<_>>()
    };
    let straight = runs(&format!("run {run} --for 2s"));
    assert_eq!(straight.len(), 5, "{straight:?}");
    // In the middle of a frame, between its end and its report, and before its acknowledgment.
    for us in [240_300, 240_555, 240_700, 362_000, 366_000] {
        let state = path("state");
        runs(&format!("run {run} --for {us}us --save {state}"));
        let rest = 2_000_000 - us;
        let program = "link_ping --motes 3 --topology line";
        let whole = runs(&format!("run {program} --load {state} --for {rest}us"));
        assert_eq!(whole, straight, "at {us} us");
    }
}
