// SPDX-License-Identifier: MIT OR Apache-2.0
//! The output of OpenOCD, edbg and avrdude, and what the user should do about it.
//!
//! The phrases are those of OpenOCD 0.12, of edbg at its revision of 2024, and of avrdude 6.3 and 7.1; the messages of other
//! versions may differ, and are then quoted.

use super::Writer;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Problem {
    NoProbe,
    SeveralProbes,
    Access,
    NoChip,
    OtherChip,
    Locked,
    NotVerified,
    NotWritten,
    NoScript,
}

/// Phrases, in the order in which they are looked for: causes before their consequences.
const PHRASES: &[(Writer, &str, Problem)] = &[
    (Writer::Openocd, "Can't find ", Problem::NoScript),
    (Writer::Openocd, "LIBUSB_ERROR_ACCESS", Problem::Access),
    (Writer::Openocd, "unable to open CMSIS-DAP device", Problem::Access),
    (Writer::Openocd, "unable to find a matching CMSIS-DAP device", Problem::NoProbe),
    (Writer::Openocd, "No J-Link device found", Problem::NoProbe),
    (Writer::Openocd, "Multiple devices found", Problem::SeveralProbes),
    (Writer::Openocd, "Error connecting DP", Problem::NoChip),
    (Writer::Openocd, "cannot read IDR", Problem::NoChip),
    (Writer::Openocd, "Couldn't find part corresponding to DID", Problem::OtherChip),
    (Writer::Openocd, "** Verify Failed **", Problem::NotVerified),
    (Writer::Openocd, "** Programming Failed **", Problem::NotWritten),
    (Writer::Edbg, "no debuggers found", Problem::NoProbe),
    (Writer::Edbg, "unable to find a debugger with a specified serial number", Problem::NoProbe),
    (Writer::Edbg, "more than one debugger found", Problem::SeveralProbes),
    (Writer::Edbg, "unable to open device", Problem::Access),
    (Writer::Edbg, "unknown target device", Problem::OtherChip),
    (Writer::Edbg, "target is locked", Problem::Locked),
    (Writer::Edbg, "verification failed", Problem::NotVerified),
    (Writer::Edbg, "invalid response during transfer", Problem::NoChip),
    (Writer::Avrdude, "Permission denied", Problem::Access),
    (Writer::Avrdude, "cannot open port", Problem::NoProbe),
    (Writer::Avrdude, "can't open device", Problem::NoProbe),
    (Writer::Avrdude, "not in sync", Problem::NoProbe),
    (Writer::Avrdude, "programmer is not responding", Problem::NoProbe),
    (Writer::Avrdude, "xpected signature for", Problem::OtherChip),
    (Writer::Avrdude, "Invalid device signature", Problem::NoChip),
    (Writer::Avrdude, "initialization failed", Problem::NoChip),
    (Writer::Avrdude, "verification mismatch", Problem::NotVerified),
    (Writer::Avrdude, "verification error", Problem::NotVerified),
];

/// Whether the tool reports that flash holds what was written.
pub(super) fn is_verified(writer: Writer, output: &str) -> bool {
    match writer {
        Writer::Openocd => output.contains("** Verified OK **"),
        // One line: the word, a dot for each row, the end.
        Writer::Edbg => output
            .lines()
            .any(|line| line.starts_with("Verification") && line.trim_end().ends_with("done.")),
        Writer::Avrdude => output.contains("of flash verified"),
    }
}

/// A message and a remedy for a call that failed. `place` is what the user connects.
pub(super) fn meaning(
    writer: Writer,
    output: &str,
    place: &str,
    serial: Option<&str>,
) -> (String, String) {
    let name = writer.tool().name;
    let known = PHRASES.iter().find(|(by, phrase, _)| *by == writer && output.contains(phrase));
    let Some((_, _, problem)) = known else {
        let message = format!("{name} does not say that it has written and verified the program");
        return (message, "see its output above".to_string());
    };
    let (message, remedy) = match problem {
        Problem::NoProbe if writer == Writer::Avrdude => (
            "avrdude finds no programmer at this port".to_string(),
            format!("connect {place}, and say where: --port /dev/ttyUSB0, for example"),
        ),
        Problem::Access if writer == Writer::Avrdude => (
            "avrdude may not open the port".to_string(),
            "become a member of the group that may (dialout, as a rule), and log in anew"
                .to_string(),
        ),
        Problem::NoProbe => {
            let message = match serial {
                Some(serial) => format!("{name} finds no probe with the serial number {serial}"),
                None => format!("{name} finds no probe"),
            };
            (message, format!("connect {place}; lsusb lists what this machine sees"))
        }
        Problem::SeveralProbes => (
            format!("{name} finds more than one probe"),
            "say which one: --serial NUMBER, as printed on it or by lsusb -v".to_string(),
        ),
        Problem::Access => (
            format!("{name} may not open the probe"),
            "let users do that by a udev rule (the package openocd has 60-openocd.rules), or end \
             what else uses the probe; then connect it anew"
                .to_string(),
        ),
        Problem::NoChip => (
            format!("{name} finds the probe, but no chip connected to it"),
            format!("has the board power? the probe should be {place}"),
        ),
        Problem::OtherChip => (
            format!("{name} finds a different chip from the board's"),
            "is it the board that --board names?".to_string(),
        ),
        Problem::Locked => (
            "the chip's security bit is set: its flash cannot be written".to_string(),
            "edbg -t TARGET -u erases the whole chip, and unlocks it".to_string(),
        ),
        Problem::NotVerified if writer == Writer::Avrdude => (
            "flash does not hold what was written".to_string(),
            "try again; if it fails again, lock bits protect it, or it is worn out".to_string(),
        ),
        Problem::NotVerified => (
            "flash does not hold what was written".to_string(),
            "try again; if it fails again, that part of flash is protected or worn out".to_string(),
        ),
        Problem::NotWritten => (
            format!("{name} cannot write the flash"),
            "is it protected (region lock bits, boot loader)? see its output above".to_string(),
        ),
        Problem::NoScript => (
            format!("{name} does not have a script that the board's file names"),
            "it may be too old (lichen doctor), or installed without its scripts".to_string(),
        ),
    };
    (message, remedy)
}
