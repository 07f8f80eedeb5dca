// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `fuzz`: the network's and the loader's own sources, compiled for this machine with
//! sanitizers, and fed with what is made at random, from a seed. The programs are in `test/fuzz`.
//!
//! A second test of the codec writes all frames that there are into a capture, and compares what
//! tshark reads in it with what the codec does.

use super::{Context, Listener, Report, Verdict, read, side_by_side};
use lichen_project::tool;
use lichen_test::Code;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A program of `test/fuzz`.
struct Program {
    name: &'static str,
    /// Its sources: files, and folders of them.
    sources: &'static [&'static str],
    /// Sources that it shares with others.
    needs: &'static [&'static str],
    /// A folder of headers that it includes without their folder.
    headers: Option<&'static str>,
    /// How many inputs it makes, and how many in a long run.
    executions: u32,
    long: u32,
}

const PACKET: Program = Program {
    name: "packet",
    sources: &["test/fuzz/packet", "test/mote/packet_random/packet_model.c", "os/net/packet"],
    needs: &[],
    headers: None,
    executions: 5_000,
    long: 100_000,
};

const FRAME: Program = Program {
    name: "frame",
    sources: &[
        "test/fuzz/frame",
        "test/mote/ieee802154/compose.c",
        "os/net/ieee802154",
        "os/net/packet",
    ],
    needs: &[],
    headers: None,
    executions: 2_000_000,
    long: 10_000_000,
};

/// The link's way of a received frame.
const LINK: Program = Program {
    name: "link",
    sources: &[
        "test/fuzz/link",
        "test/mote/ieee802154/compose.c",
        "os/crypto/aes_box.c",
        "os/crypto/aes_words.c",
        "os/crypto/ccm.c",
        "os/net/am/dispatch.c",
        "os/net/ieee802154",
        "os/net/link/guard.c",
        "os/net/link/headers.c",
        "os/net/link/ieee802154.c",
        "os/net/link/incoming.c",
        "os/net/link/losses.c",
        "os/net/link/open.c",
        "os/net/link/receive.c",
        "os/net/link/sequence.c",
        "os/net/neighbour/neighbour.c",
        "os/net/packet",
        "os/net/security",
    ],
    needs: &[],
    headers: None,
    executions: 1_000_000,
    long: 10_000_000,
};

/// The way of a frame from the bytes of a CC1000 to a receiver.
const BYTES: Program = Program {
    name: "bytes",
    sources: &[
        "test/fuzz/bytes",
        "test/fuzz/link/hostile.c",
        "test/mote/ieee802154/compose.c",
        "os/driver/radio/cc1000/bytes.c",
        "os/driver/radio/cc1000/receive.c",
        "os/net/am/dispatch.c",
        "os/net/byte_link/dispatch.c",
        "os/net/byte_link/frames.c",
        "os/net/byte_link/losses.c",
        "os/net/byte_link/open.c",
        "os/net/byte_link/packets.c",
        "os/net/byte_link/receive.c",
        "os/net/packet",
    ],
    needs: &[],
    headers: None,
    executions: 1_000_000,
    long: 10_000_000,
};

/// The linker of loaded programs, for AVR.
const LINKER_AVR8: Program = Program {
    name: "linker/avr8",
    sources: &[
        "test/fuzz/linker",
        "test/fuzz/linker/avr8",
        "os/base/crc32.c",
        "os/load/header.c",
        "os/load/linker.c",
        "os/load/avr8/fields.c",
    ],
    needs: &[],
    headers: Some("os/load/avr8"),
    executions: 500_000,
    long: 10_000_000,
};

/// The same for ARMv6-M.
const LINKER_ARMV6M: Program = Program {
    name: "linker/armv6m",
    sources: &[
        "test/fuzz/linker",
        "test/fuzz/linker/armv6m",
        "os/base/crc32.c",
        "os/load/header.c",
        "os/load/linker.c",
        "os/load/armv6m/fields.c",
    ],
    needs: &[],
    headers: Some("os/load/armv6m"),
    executions: 500_000,
    long: 10_000_000,
};

/// The loader against its model, in random steps.
const LOADER: Program = Program {
    name: "loader",
    sources: &["test/fuzz/loader"],
    needs: LOADED,
    headers: Some("os/load/armv6m"),
    executions: 100_000,
    long: 1_000_000,
};

/// The same, when power fails at any operation of its flash: rounds of all that there are.
const POWER: Program = Program {
    name: "power",
    sources: &["test/fuzz/power"],
    needs: LOADED,
    headers: Some("os/load/armv6m"),
    executions: 10,
    long: 300,
};

/// Objects that go through networks of motes.
const DISSEMINATION: Program = Program {
    name: "dissemination",
    sources: &[
        "test/fuzz/dissemination",
        "os/base/crc32.c",
        "os/service/dissemination/feed.c",
        "os/service/dissemination/messages.c",
        "os/service/dissemination/object.c",
        "os/service/dissemination/rate_frames.c",
        "os/service/dissemination/run.c",
        "os/service/dissemination/send.c",
        "os/service/dissemination/trickle.c",
    ],
    needs: &[],
    headers: None,
    executions: 300,
    long: 10_000,
};

/// The loader, on a mote of the host.
const LOADED: &[&str] = &[
    "test/fuzz/mote",
    "os/base/crc32.c",
    "os/load/armv6m/fields.c",
    "os/load/ahead.c",
    "os/load/crc.c",
    "os/load/directory.c",
    "os/load/floor.c",
    "os/load/header.c",
    "os/load/install.c",
    "os/load/key.c",
    "os/load/linker.c",
    "os/load/loader.c",
    "os/load/place.c",
    "os/load/region.c",
    "os/load/run.c",
    "os/load/table.c",
    "os/load/turn.c",
    "os/load/writer.c",
];

/// What each of them needs besides.
const COMMON: &str = "test/fuzz/host";

/// The programs declare pools of their own.
const LEFT_OUT: &str = "pool.c";

/// The test with tshark.
const DECODED: &str = "frame/tshark";

/// The seed of all runs. A failure names the input that was made of it.
const SEED: &str = "1";

const FLAGS: &[&str] = &[
    "-std=gnu11",
    "-g",
    "-O2",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-Wall",
    "-Wextra",
    "-Wshadow",
    "-Werror",
];

/// The fields of a frame, as the codec's program prints them.
const FIELDS: &[&str] = &[
    "wpan.frame_type",
    "wpan.version",
    "wpan.seq_no",
    "wpan.dst_pan",
    "wpan.dst16",
    "wpan.dst64",
    "wpan.src_pan",
    "wpan.src16",
    "wpan.src64",
    "wpan.aux_sec.sec_level",
    "wpan.aux_sec.key_id_mode",
    "wpan.aux_sec.frame_counter",
    "wpan.aux_sec.key_index",
    "wpan.aux_sec.key_source.bytes",
    "data.len",
    "wpan.mic",
    "wpan.fcs_ok",
    "_ws.malformed",
];

/// A field that the program does not compare.
const ANYTHING: &str = "?";

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    let fed = |program: &'static Program| {
        move |listener: &mut dyn Listener| {
            feed(context, program, &build(context, program)?, listener)
        }
    };
    // Two tests have this one.
    let frame = OnceLock::new();
    let frame = || frame.get_or_init(|| build(context, &FRAME)).clone();
    let tests: [(&str, &Test<'_>); 10] = [
        (PACKET.name, &fed(&PACKET)),
        (FRAME.name, &|listener| feed(context, &FRAME, &frame()?, listener)),
        (LINK.name, &fed(&LINK)),
        (BYTES.name, &fed(&BYTES)),
        (LINKER_AVR8.name, &fed(&LINKER_AVR8)),
        (LINKER_ARMV6M.name, &fed(&LINKER_ARMV6M)),
        (LOADER.name, &fed(&LOADER)),
        (POWER.name, &fed(&POWER)),
        (DISSEMINATION.name, &fed(&DISSEMINATION)),
        (DECODED, &|listener| decode(context, &frame()?, listener)),
    ];
    let wanted: Vec<_> = tests.into_iter().filter(|(name, _)| context.wants(name)).collect();
    side_by_side(&wanted, listener, |(name, test), listener| {
        listener.working(context.group, name);
        let paths = ["os", "test/fuzz", "test/mote/packet_random", "test/mote/ieee802154"];
        let code = Code::default().files(&["dev/src/suite/fuzz.rs"]);
        let inputs = read::with_tools(context, name, &paths, code);
        context.remembering(&inputs, listener, |listener| {
            let verdict = test(listener).err().unwrap_or(Verdict::Passed);
            context.tell(listener, *name, verdict);
        });
    });
}

/// A test; anything but a pass is an error.
type Test<'a> = dyn Fn(&mut dyn Listener) -> Result<(), Verdict> + Sync + 'a;

/// Runs a program that is built.
fn feed(
    context: &Context<'_>,
    program: &Program,
    executable: &Path,
    listener: &mut dyn Listener,
) -> Result<(), Verdict> {
    let executions = if context.suite.long { program.long } else { program.executions };
    let mut command = Command::new(executable);
    command.arg(SEED).arg(executions.to_string()).current_dir(context.tree().path(""));
    let said = run_command(command, "an input shows a mistake", "correct what is named below")?;
    listener.figure(context.group, &format!("{}: {}", program.name, said.trim_end()));
    Ok(())
}

/// Compares the codec with tshark.
fn decode(
    context: &Context<'_>,
    executable: &Path,
    listener: &mut dyn Listener,
) -> Result<(), Verdict> {
    let Some(tshark) = tool::TSHARK.path() else {
        return Err(Verdict::Skipped(format!("tshark is missing; {}", tool::TSHARK.remedy())));
    };
    let file = executable.with_extension("pcap");
    let mut command = Command::new(executable);
    command.arg(&file);
    let ours = run_command(command, "the capture cannot be made", "correct test/fuzz/frame")?;
    let mut command = Command::new(tshark);
    command.arg("-r").arg(&file).args(["-T", "fields", "-E", "separator=,"]);
    command.args(FIELDS.iter().flat_map(|field| ["-e", field]));
    // Others would take what a frame carries for theirs.
    command.args(["6lowpan", "zbee_nwk"].iter().flat_map(|name| ["--disable-protocol", name]));
    let theirs = run_command(command, "tshark does not read the capture", "look at its version")?;
    let frames = ours.lines().count();
    match difference(&ours, &theirs) {
        None => {
            listener.figure(context.group, &format!("tshark reads the same in {frames} frames"));
            Ok(())
        }
        Some(difference) => Err(Verdict::Failed(Report {
            message: format!("tshark reads {} otherwise than the codec", file.display()),
            remedy: Some("look the frame up in IEEE Std 802.15.4".to_string()),
            output: Some(difference),
            ..Report::default()
        })),
    }
}

/// The first frame that is read differently: its number, and both lines.
fn difference(ours: &str, theirs: &str) -> Option<String> {
    let (mine, other) = (ours.lines().count(), theirs.lines().count());
    if mine != other {
        return Some(format!("{mine} frames here, {other} there"));
    }
    let same = |(mine, other): (&str, &str)| mine == other || mine == ANYTHING;
    let mut pairs = (1..).zip(ours.lines().zip(theirs.lines()));
    let (number, (mine, other)) = pairs.find(|(_, (mine, other))| {
        mine.split(',').count() != other.split(',').count()
            || !mine.split(',').zip(other.split(',')).all(same)
    })?;
    let fields = FIELDS.join(",");
    Some(format!("frame {number}: {fields}\ncodec:  {mine}\ntshark: {other}"))
}

/// Compiles a program. Returns its executable.
fn build(context: &Context<'_>, program: &Program) -> Result<PathBuf, Verdict> {
    let tree = context.tree();
    let folder = tree.path("build/fuzz");
    let failed = |error: std::io::Error| Verdict::Failed(Report::saying(error.to_string()));
    let executable = folder.join(program.name);
    std::fs::create_dir_all(executable.parent().unwrap_or(&folder)).map_err(failed)?;
    let mut command = Command::new("cc");
    command.args(FLAGS).arg("-I").arg("test/fuzz/host").arg("-I").arg("os");
    command.args(program.headers.iter().flat_map(|folder| ["-I", folder]));
    // The C library's own headers come before those with which programs for motes are told that
    // there is no printf.
    command.arg("-idirafter").arg("os/include").arg("-o").arg(&executable);
    for source in program.sources.iter().chain(program.needs).chain([&COMMON]) {
        command.args(c_files(&tree.path(""), source).map_err(failed)?);
    }
    command.current_dir(tree.path(""));
    let remedy = "correct the program in test/fuzz, or the sources that it is made of";
    run_command(command, "a program of test/fuzz does not compile", remedy)?;
    Ok(executable)
}

/// The C files that a name stands for, relative to the root.
fn c_files(root: &Path, name: &str) -> std::io::Result<Vec<String>> {
    if name.ends_with(".c") {
        return Ok(vec![name.to_string()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root.join(name))? {
        let file = entry?.file_name().to_string_lossy().into_owned();
        if file.ends_with(".c") && file != LEFT_OUT {
            files.push(format!("{name}/{file}"));
        }
    }
    files.sort();
    Ok(files)
}

/// Runs a command. Returns what it printed.
fn run_command(mut command: Command, message: &str, remedy: &str) -> Result<String, Verdict> {
    let report = |output: Option<String>| {
        let (message, remedy) = (message.to_string(), Some(remedy.to_string()));
        Verdict::Failed(Report { message, remedy, output, place: None })
    };
    let output = command.output().map_err(|error| report(Some(error.to_string())))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(said);
    }
    Err(report(Some(format!("{said}{}", String::from_utf8_lossy(&output.stderr)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_told() {
        let told = difference("1,2\n1,?\n3,4\n", "1,2\n1,9\n3,5\n").expect("the third line");
        assert!(told.starts_with("frame 3: ") && told.ends_with("codec:  3,4\ntshark: 3,5"));
    }

    #[test]
    fn a_field_may_be_anything() {
        assert_eq!(difference("1,?,3\n", "1,,3\n"), None);
    }

    #[test]
    fn frames_and_fields_are_counted() {
        assert_eq!(difference("1\n", "1\n2\n").as_deref(), Some("1 frames here, 2 there"));
        assert!(difference("1\n", "1,2\n").is_some());
    }
}
