// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a scenario says of the air.

use super::{read, wrong};
use lichen_chip::Time;
use lichen_world::{Medium, MoteId, Space};

/// Two motes, and what else is said.
fn with_air(text: &str) -> String {
    format!(
        "[[mote]]\nname = \"a\"\nboard = \"hamilton\"\nprogram = \"p\"\nposition = [0, 0]\n\
         [[mote]]\nname = \"b\"\nboard = \"hamilton\"\nprogram = \"p\"\nposition = [3, 4]\n\
         moves = [{{ at = \"10s\", to = [6, 8] }}]\n{text}"
    )
}

/// What is lost from the first to the second mote at a time in seconds, in hundredths of a dB.
fn lost(text: &str, s: u64) -> Option<i32> {
    let scenario = read(&with_air(text), &[]).expect("a scenario");
    let space = Space::new(scenario.air.layout(1), 1);
    space.loss(0, 1, 2_450_000, Time::from_s(s))
}

#[test]
fn the_air_is_as_the_file_says() {
    let model = "[medium]\nmodel = \"log-distance\"\nexponent = 2\nsigma = 0\n";
    let near = lost(model, 0).expect("a loss");
    assert!((near - 4_023 - 1_398).abs() <= 2, "{near}");
    let far = lost(model, 10).expect("a loss");
    assert!((far - near - 602).abs() <= 2, "twice the distance: {far}");
    let wall = "[[wall]]\nfrom = [0, 1]\nto = [4, 1]\nloss = 7.5\n";
    assert_eq!(lost(&format!("{model}{wall}"), 0), Some(near + 750));
    assert_eq!(lost("[medium]\nmodel = \"unit-disk\"\nrange = 6\n", 0), Some(6_000));
    assert_eq!(lost("[medium]\nmodel = \"unit-disk\"\nrange = 6\n", 10), None);
    assert_eq!(lost("[medium]\nmodel = \"links\"\n", 0), None);
    let link = "[medium]\nmodel = \"links\"\n[[link]]\nfrom = \"b\"\nto = \"a\"\nloss = 70\n\
                fades = [{ from = \"2s\", until = \"3s\", loss = 20 }]\n";
    assert_eq!([0, 2, 3].map(|s| lost(link, s)), [Some(7_000), Some(9_000), Some(7_000)]);
    assert_eq!(lost(&format!("{link}one-way = true\n"), 0), None);
}

#[test]
fn a_link_is_as_good_on_the_way_back() {
    let qualities = |more: &str| -> Vec<(u32, u32, f64)> {
        let text = format!("[[link]]\nfrom = \"a\"\nto = \"b\"\nquality = 0.5\n{more}");
        let scenario = read(&with_air(&text), &[]).expect("a scenario");
        let links = scenario.air.layout(1).links.into_iter();
        links.map(|link| (link.from, link.to, link.quality)).collect()
    };
    assert_eq!(qualities(""), [(0, 1, 0.5), (1, 0, 0.5)]);
    assert_eq!(qualities("one-way = true\n"), [(0, 1, 0.5)]);
}

#[test]
fn distance_weakens_by_its_third_power_unless_the_file_says_more() {
    let usual = lost("[medium]\nmodel = \"log-distance\"\nsigma = 0\n", 0).expect("a loss");
    assert!((usual - 4_023 - 2_097).abs() <= 2, "{usual} at 5 m");
    let said = "[medium]\nmodel = \"log-distance\"\nexponent = 3\nsigma = 3\n";
    assert_eq!(lost(said, 0), lost("[medium]\nmodel = \"log-distance\"\n", 0));
    assert_ne!(lost(said, 0), Some(usual));
}

#[test]
fn mistakes_of_the_air_have_their_line() {
    let wrong = |text: &str| wrong(&with_air(text), &[]);
    for (text, expected) in [
        (
            "[medium]\nmodel = \"fog\"",
            "net.toml:13: there is no model `fog`; there are everywhere, unit-disk, log-distance, links",
        ),
        (
            "[medium]\nmodel = \"unit-disk\"",
            "net.toml:13: the model `unit-disk` needs a `range`, in metres",
        ),
        (
            "[medium]\nrange = 5",
            "net.toml:13: `range` belongs to the model `unit-disk`: write `model = \"unit-disk\"`",
        ),
        (
            "[medium]\nmodel = \"unit-disk\"\nrange = -5",
            "net.toml:14: `range` is -5: use a number above 0",
        ),
        ("[medium]\nspacing = 0", "net.toml:13: `spacing` is 0: use a number above 0"),
        ("[medium]\nspacing = -10", "net.toml:13: `spacing` is -10: use a number above 0"),
        (
            "[medium]\ntopology = \"office\"\nspacing = 20",
            "net.toml:14: `spacing` has no effect with `office`: its rooms are 8 x 6 m",
        ),
        (
            "[medium]\ntopology = \"full\"\nspacing = 20",
            "net.toml:14: `spacing` has no effect with `full`: there every mote hears every other one",
        ),
        (
            "[[wall]]\nfrom = [1]\nto = [1, 0]\nloss = 1",
            "net.toml:13: `from` has one number; write `[x, y]`, in metres",
        ),
        (
            "[[wall]]\nfrom = [0, 0]\nto = [1, 0, 2]\nloss = 1",
            "net.toml:14: `to` has 3 numbers; write `[x, y]`, in metres",
        ),
        (
            "[[wall]]\nfrom = \"0, 0\"\nto = [1, 0]\nloss = 1",
            "net.toml:13: `from` is the text \"0, 0\"; write `[x, y]`, in metres",
        ),
        (
            "[medium]\nmodel = \"everywhere\"\n[[wall]]\nfrom = [0, 0]\nto = [1, 0]\nloss = 1",
            "net.toml:14: a wall weakens signals only with the model `log-distance`: write `model = \"log-distance\"` in \
             [medium], or leave it out",
        ),
        (
            "[[link]]\nfrom = \"a\"\nto = \"b\"\n[[link]]\nfrom = \"b\"\nto = \"a\"\none-way = true",
            "net.toml:15: a link above says already how `b` reaches `a`; write one for both ways, or one with \
             `one-way = true` for each",
        ),
        (
            "[medium]\ntopology = \"ring\"",
            "net.toml:13: there is no topology `ring`; there are full, line, grid, random, office",
        ),
        ("[[link]]\nfrom = \"a\"\nto = \"c\"", "net.toml:14: there is no mote `c`; there are a, b"),
        (
            "[[link]]\nfrom = \"a\"\nto = \"a\"",
            "net.toml:14: a link leads from `a` to itself: name two motes",
        ),
        (
            "[[link]]\nfrom = \"a\"\nto = \"b\"\nquality = 2",
            "net.toml:15: `quality` is 2: use the part of frames that arrive, 0 to 1",
        ),
        (
            "[[link]]\nfrom = \"a\"\nto = \"b\"\nloss = -1",
            "net.toml:15: `loss` is -1: use 0 or more",
        ),
        (
            "[[link]]\nfrom = \"a\"\nto = \"b\"\nfades = [{ from = \"2s\", until = \"1s\", loss = 1 }]",
            "net.toml:15: `until`: 1.000000 s is not after 2.000000 s",
        ),
        (
            "[[wall]]\nfrom = [0, 0]\nto = [nan, 0]\nloss = 1",
            "net.toml:14: a position is two numbers, in metres",
        ),
    ] {
        assert_eq!(wrong(text), expected, "{text}");
    }
    let board = super::wrong("[[mote]]\nboard = \"hamiltn\"\nprogram = \"p\"\n", &[]);
    assert!(
        board.starts_with("net.toml:2: unknown board `hamiltn` (did you mean `hamilton`?)"),
        "{board}"
    );
    let moves =
        "[[mote]]\nboard = \"hamilton\"\nprogram = \"p\"\nmoves = [{ at = 1, to = [0, 0] }]";
    assert_eq!(wrong(moves), "net.toml:15: `moves` need a `position` from which the mote moves");
    let order = "[[mote]]\nboard = \"hamilton\"\nprogram = \"p\"\nposition = [0, 0]\nmoves = [{ at = 2, to = [0, 0] }, { at = 1, to = [0, 0] }]";
    assert_eq!(
        wrong(order),
        "net.toml:16: `at`: 1.000000 s is not after 2.000000 s; moves are in order of time"
    );
}

/// A recording of two bursts.
const WIFI: &str = "time,duration,mhz,dbm\n0s,300us,2437,-60\n1ms,2ms,2442.5,-70.25\n";

/// What interference of a scenario reaches in its first milliseconds: when in microseconds, for how long, where in kHz, and how strong.
fn disturbed(text: &str, csv: &str, ms: u64) -> Vec<(u64, u64, u32, i32)> {
    let scenario = read(&with_air(text), &[("a.csv", csv)]).expect("a scenario");
    assert!(scenario.sources.iter().any(|path| path.ends_with("a.csv")));
    let mut space = Space::new(scenario.air.layout(1), 1);
    let mut all = Vec::new();
    space.interfere(Time::from_ms(ms), &mut |_, burst, mote, power| {
        if mote == MoteId(0) {
            let length = (burst.end - burst.begin).us();
            all.push((burst.begin.us(), length, burst.frequency_khz, power));
        }
    });
    all
}

#[test]
fn interference_is_as_recorded() {
    let everywhere = "[[interference]]\ncsv = \"a.csv\"\n";
    let bursts = [(0, 300, 2_437_000, -6_000), (1_000, 2_000, 2_442_500, -7_025)];
    assert_eq!(disturbed(everywhere, WIFI, 100), bursts);
    let later = format!("{everywhere}from = \"10ms\"\nrepeat = \"5ms\"\n");
    let begins: Vec<u64> = disturbed(&later, WIFI, 20).iter().map(|burst| burst.0).collect();
    assert_eq!(begins, [10_000, 11_000, 15_000, 16_000]);
    let disk = "[medium]\nmodel = \"unit-disk\"\nrange = 6\n";
    let placed = |x: u32| format!("{disk}{everywhere}position = [{x}, 0]\n");
    assert_eq!(disturbed(&placed(5), WIFI, 1), [], "too weak");
    let strong = WIFI.replace("-60", "20");
    assert_eq!(disturbed(&placed(5), &strong, 1), [(0, 300, 2_437_000, 2_000 - 6_000)]);
    assert_eq!(disturbed(&placed(7), &strong, 1), []);
    let channels = "time,channel,dbm,duration\n1ms,11,-60,1ms\n2ms,26,-60,1ms\n";
    let khz: Vec<u32> = disturbed(everywhere, channels, 9).iter().map(|burst| burst.2).collect();
    assert_eq!(khz, [2_405_000, 2_480_000]);
}

#[test]
fn mistakes_of_interference_have_their_file_and_line() {
    let text = "[[interference]]\ncsv = \"a.csv\"\n";
    let of_csv = |csv: &str| {
        let message = wrong(&with_air(text), &[("a.csv", csv)]);
        let (place, rest) = message.split_once(": `csv`: ").expect("the key");
        assert_eq!(place, "net.toml:13", "{message}");
        rest[rest.find("a.csv").expect("the file")..].to_string()
    };
    for (csv, expected) in [
        (
            "time,duration,mhz,power\n0,1ms,2437,-60",
            "a.csv:1: there is a column `power`; the columns are `time`, `duration`, `dbm`, and `mhz` or `channel`",
        ),
        (
            "time,mhz,dbm\n0,2437,-60",
            "a.csv:1: there is no column `duration`; there are: time, mhz, dbm; \
             the columns are `time`, `duration`, `dbm`, and `mhz` or `channel`",
        ),
        (
            "time,duration,dbm\n0,1ms,-60",
            "a.csv:1: there is no column `mhz`; there are: time, duration, dbm; \
             the columns are `time`, `duration`, `dbm`, and `mhz` or `channel`",
        ),
        (
            "time,duration,mhz,channel,dbm\n0,1ms,2437,11,-60",
            "a.csv:1: there are columns `mhz` and `channel`; leave one of them out",
        ),
        (
            "time;duration;mhz;dbm\n0;1ms;2437;-60",
            "a.csv:1: the names are not separated by commas; \
          the columns are `time`, `duration`, `dbm`, and `mhz` or `channel`",
        ),
        ("time,time,duration,mhz,dbm\n0,0,1,2437,-60", "a.csv:1: there are two columns `time`"),
        ("time,duration,mhz,dbm\n", "a.csv: there are no values below the line of names"),
        (
            "time,duration,mhz,dbm\n0,1ms,2437,-60\n1,1ms,2437\n",
            "a.csv:3: 3 fields, where the line of names has 4",
        ),
        (
            "time,duration,mhz,dbm\n2,1ms,2437,-60\n1,1ms,2437,-60\n",
            "a.csv:3: 1.000000 s is before the line above; sort the lines by time",
        ),
        (
            "time,duration,mhz,dbm\n0,0,2437,-60\n",
            "a.csv:2: `duration` is 0: give the time that it lasts",
        ),
        ("time,duration,mhz,dbm\n0,1ms,2.4,-60\n", "a.csv:2: `mhz` is 2.4: use 100 to 6000"),
        ("time,duration,mhz,dbm\n0,1ms,2437,nan\n", "a.csv:2: `dbm` is NaN: use -150 to 60"),
        ("time,duration,mhz,dbm\n0,1ms,2437,loud\n", "a.csv:2: `loud` is no number"),
        (
            "time,duration,channel,dbm\n0,1ms,27,-60\n",
            "a.csv:2: there is no channel 27; there are 11 to 26, and in other bands a column `mhz`",
        ),
    ] {
        assert_eq!(of_csv(csv), expected, "{csv}");
    }
    let of_text = |more: &str| wrong(&with_air(&format!("{more}\n")), &[("a.csv", WIFI)]);
    assert_eq!(
        of_text(&format!("{text}repeat = \"1ms\"")),
        "net.toml:14: `repeat`: the recording cannot begin anew after 0.001000 s, since its last line is at 0.001000 s"
    );
    assert_eq!(
        of_text(&format!("[medium]\nmodel = \"links\"\n{text}position = [0, 0]")),
        "net.toml:16: with the model `links` nothing arrives from a place: leave out `position`, and the \
         interference is everywhere"
    );
    assert_eq!(
        of_text("[[interference]]\ncsv = \"\""),
        "net.toml:13: `csv`: it is empty; give the path of a recording"
    );
    assert!(of_text("[[interference]]\ncsv = \"b.csv\"").starts_with("net.toml:13: `csv`: "));
}
