// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use lichen_project::Explain;

fn board(name: &str) -> Board {
    let boards = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../board");
    Board::find(&boards, name).expect("a board")
}

fn call(name: &str, choice: Choice<'_>) -> Result<Call, FlashError> {
    let files = (Path::new("/b/x.elf"), Path::new("/b/x.bin"));
    Call::new(&board(name), Path::new("board.toml"), files, choice)
}

fn line(name: &str, choice: Choice<'_>) -> String {
    call(name, choice).expect("a call").line()
}

#[test]
fn a_board_with_its_own_probe() {
    let with = |writer| Choice { writer: Some(writer), ..Choice::default() };
    assert_eq!(
        line("samr21-xpro", with(Writer::Openocd)),
        "openocd -f board/atmel_samr21_xplained_pro.cfg -c 'program {/b/x.elf} verify reset exit'"
    );
    assert_eq!(line("samr21-xpro", with(Writer::Edbg)), "edbg -b -t samr21 -p -v -f /b/x.bin");
    let choice = Choice { serial: Some("ATML21"), ..with(Writer::Openocd) };
    assert!(line("samr21-xpro", choice).contains("-c 'adapter serial ATML21' -c 'program"));
    let choice = Choice { serial: Some("ATML21"), ..with(Writer::Edbg) };
    assert!(line("samr21-xpro", choice).ends_with("x.bin -s ATML21"));
}

#[test]
fn a_board_with_a_probe_of_the_users() {
    let choice = Choice { writer: Some(Writer::Openocd), ..Choice::default() };
    assert_eq!(
        line("hamilton", choice),
        "openocd -f interface/jlink.cfg -c 'transport select swd' -f target/at91samdXX.cfg \
         -c 'program {/b/x.elf} verify reset exit'"
    );
    let choice = Choice { probe: Some("cmsis-dap"), ..choice };
    assert!(line("hamilton", choice).starts_with("openocd -f interface/cmsis-dap.cfg -c"));
    let choice = Choice { writer: Some(Writer::Edbg), ..choice };
    assert!(line("hamilton", choice).starts_with("edbg -b -t samr21"));
}

#[test]
fn a_board_with_a_programmer_at_a_port() {
    let written = "avrdude -c mib510 -p m128 -P /dev/ttyUSB0 -U flash:w:/b/x.elf:e";
    assert_eq!(line("micaz", Choice::default()), written);
    let choice = Choice { probe: Some("mib510"), port: Some("/dev/ttyS1"), ..Choice::default() };
    assert_eq!(line("micaz", choice), written.replace("ttyUSB0", "ttyS1"));
    let reported = |choice| {
        let error = call("micaz", choice).expect_err("refused");
        format!("{error}; {}", error.remedy().unwrap_or_default())
    };
    let serial = reported(Choice { serial: Some("A1"), ..Choice::default() });
    assert!(
        serial.starts_with("avrdude does not find its probe by a serial number; say"),
        "{serial}"
    );
    assert!(
        reported(Choice { port: Some("-x"), ..Choice::default() })
            .starts_with("`-x` is not a port")
    );
    let probe = reported(Choice { probe: Some("jlink"), ..Choice::default() });
    assert!(probe.ends_with("it is written with: mib510"), "{probe}");
    let openocd = reported(Choice { writer: Some(Writer::Openocd), ..Choice::default() });
    assert_eq!(openocd, "openocd cannot write into micaz; omit --with to use a tool that can");
    let port = Choice { port: Some("/dev/ttyS1"), ..Choice::default() };
    let error = call("samr21-xpro", port).expect_err("refused").to_string();
    assert!(error.ends_with("does not find its probe by a port"), "{error}");
}

#[test]
fn what_cannot_be_is_reported_with_a_remedy() {
    let reported = |name, choice| {
        let error = call(name, choice).expect_err("refused");
        format!("{error}; {}", error.remedy().unwrap_or_default())
    };
    let edbg = Choice { writer: Some(Writer::Edbg), ..Choice::default() };
    assert_eq!(
        reported("hamilton", edbg),
        "edbg cannot write into hamilton by a probe of the kind jlink; edbg supports only CMSIS-DAP \
         probes: --probe cmsis-dap, or --with openocd"
    );
    let probe = |probe| Choice { probe: Some(probe), ..Choice::default() };
    assert!(
        reported("hamilton", probe("stlink")).ends_with("it is written with: jlink, cmsis-dap")
    );
    assert!(reported("samr21-xpro", probe("jlink")).ends_with("omit --probe"));
    for serial in ["", "-x", "a b", "x}"] {
        let choice = Choice { serial: Some(serial), ..Choice::default() };
        assert!(reported("samr21-xpro", choice).contains("is not a serial number"), "{serial}");
    }
    let bare = Board { programmer: None, ..board("hamilton") };
    let files = (Path::new("x.elf"), Path::new("x.bin"));
    let error =
        Call::new(&bare, Path::new("b.toml"), files, Choice::default()).expect_err("no facts");
    assert!(error.to_string().contains("has no [programmer]"), "{error}");
}

#[test]
fn names_of_files_are_one_word_each() {
    assert_eq!(tcl_word("/a b/x.elf"), "{/a b/x.elf}");
    assert_eq!(tcl_word("/a}/x y"), "/a\\}/x\\ y");
    assert_eq!(shell_word("program {it's}"), "'program {it'\\''s}'");
    assert_eq!(shell_word(""), "''");
}

#[test]
fn what_the_tools_say_is_understood() {
    let meaning = |writer, output| output::meaning(writer, output, "the cable", Some("S1")).0;
    let openocd = |output| meaning(Writer::Openocd, output);
    assert_eq!(
        openocd("Error: unable to find a matching CMSIS-DAP device\n** OpenOCD init failed **"),
        "openocd finds no probe with the serial number S1"
    );
    assert!(
        openocd("Error: Error connecting DP: cannot read IDR").contains("no chip connected to it")
    );
    assert!(openocd("** Verify Failed **").contains("does not hold"));
    assert!(openocd("something else").contains("does not say that it has written"));
    let edbg = |output| meaning(Writer::Edbg, output);
    assert!(
        edbg("Error: unknown target device (DSU_DID = 0x10010305)").contains("a different chip")
    );
    assert!(edbg("Error: more than one debugger found, please").contains("more than one"));
    let avrdude = |output| meaning(Writer::Avrdude, output);
    assert!(
        avrdude("avrdude OS error: cannot open port /dev/ttyUSB9: No such")
            .contains("no programmer")
    );
    assert!(
        avrdude("stk500_getsync() attempt 1 of 10: not in sync: resp=0x00")
            .contains("no programmer")
    );
    assert!(avrdude("expected signature for ATmega128 is 1E 97 02").contains("a different chip"));
    assert!(avrdude("avrdude error: verification mismatch").contains("does not hold"));
    let no_probe = output::meaning(Writer::Edbg, "Error: no debuggers found", "the cable", None);
    assert_eq!(no_probe.0, "edbg finds no probe");
    assert!(no_probe.1.starts_with("connect the cable"));
}

#[test]
fn only_what_is_verified_is_written() {
    assert!(output::is_verified(Writer::Openocd, "a\n** Verified OK **\nb"));
    assert!(!output::is_verified(Writer::Openocd, "** Programming Finished **"));
    assert!(output::is_verified(Writer::Edbg, "Programming.... done.\nVerification.... done.\n"));
    assert!(output::is_verified(Writer::Avrdude, "avrdude: 4210 bytes of flash verified\n"));
    assert!(!output::is_verified(Writer::Avrdude, "avrdude: 4210 bytes of flash written\n"));
    assert!(!output::is_verified(Writer::Edbg, "Programming.... done.\nVerification...."));
}
