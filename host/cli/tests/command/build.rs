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

#[test]
fn each_task_in_flash_is_named() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("tasks");
    let path = folder.to_str().expect("a path of text");
    assert_eq!(call(&["new", path]).code, 0);
    std::fs::write(folder.join("main.c"), TWO_TASKS).expect("written");
    let build = call(&["build", path]);
    assert_eq!(build.code, 0, "{}", build.err);
    for task in ["one", "two"] {
        assert!(build.out.contains(&format!("real-time task {task} is in flash")), "{}", build.out);
    }
}

const TWO_TASKS: &str = "\
#include <lichen/log.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

RT_MAY_WAIT_FOR_FLASH;

LOG(samples, 1000);

RT_TASK(one, RT_TIMER_A, .priority = 0, .period_us = 50000, .deadline_us = 9000, .wcet_cycles = 100)
{
    rt_acknowledge();
}

RT_TASK(two, RT_TIMER_B, .priority = 1, .period_us = 50000, .deadline_us = 9000, .wcet_cycles = 100)
{
    rt_acknowledge();
}

THREAD(t, 512, PRIORITY_APP)
{
    rt_period_start(one);
    rt_period_start(two);
    (void)!log_append(&samples, \"x\", 1);
}
";
