// SPDX-License-Identifier: MIT OR Apache-2.0
//! `build`: what it says of a program beside its size.

use crate::common::call;

#[test]
fn tasks_in_flash_are_named_if_the_program_writes_flash() {
    let words = " is in flash: it waits for up to 6 ms while flash is written; RT_TASK_IN_RAM";
    let build = call(&["build", "test/mote/storage_rt", "--board", "hamilton"]);
    assert_eq!(build.code, 0, "{}", build.err);
    assert!(build.out.contains(&format!("real-time task in_flash{words}")), "{}", build.out);
    assert!(!build.out.contains(&format!("task in_ram{words}")), "{}", build.out);
    let build = call(&["build", "test/mote/storage_rt", "--board", "micaz", "--json"]);
    assert!(build.out.contains("\"waiting_for_flash\":[]"), "{}", build.out);
}
