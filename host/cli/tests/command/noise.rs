// SPDX-License-Identifier: MIT OR Apache-2.0
//! What differs from one power-up of a mote to the next.

use crate::common::call;
use std::collections::BTreeSet;

const DICE: &str = "\
#include <lichen/print.h>
#include <lichen/random.h>
#include <lichen/thread.h>

THREAD(thrower, 512, PRIORITY_APP)
{
    print(\"thrown %lu\\n\", (unsigned long)random_u32());
}
";

const THREE_POWER_UPS: &str = "1 !power off\n2 !power on\n3 !power off\n4 !power on\n";

#[test]
fn a_program_throws_other_dice_at_each_power_up_and_the_same_in_each_run() {
    let place = tempfile::tempdir().expect("a folder");
    let path = |name: &str| place.path().join(name).to_str().expect("a plain path").to_string();
    let (program, input) = (path("dice"), path("input.txt"));
    assert_eq!(call(&["new", &program]).code, 0);
    std::fs::write(path("dice/main.c"), DICE).expect("written");
    std::fs::write(&input, THREE_POWER_UPS).expect("written");
    for board in ["hamilton", "micaz"] {
        let throws = |options: &[&str]| -> Vec<String> {
            let run = ["run", &program, "--board", board, "--input", &input, "--for", "5s"];
            let out = call(&[&run, options].concat()).out;
            out.lines()
                .filter_map(|line| Some(line.split_once(" thrown ")?.1.to_string()))
                .collect()
        };
        let (noisy, other, quiet) =
            (throws(&[]), throws(&["--seed", "5"]), throws(&["--no-noise"]));
        let different: BTreeSet<&String> = noisy.iter().chain(&other).collect();
        assert_eq!(different.len(), 6, "{board}: {noisy:?} {other:?}");
        assert_eq!(throws(&[]), noisy, "{board}");
        assert!(quiet.len() == 3 && quiet[1] == quiet[2], "{board}: {quiet:?}");
    }
}
