// SPDX-License-Identifier: MIT OR Apache-2.0
//! What to do about errors of a build.

use super::linker::{
    AVR_LIBC, DOES_NOT_FIT, NO_CHANNEL, NO_SHELL, NOT_WITHIN, OVERFLOWED, STORAGE, TWO_HANDLERS,
};
use super::message::{Message, NO_VECTOR};
use super::{plain, postable};

/// What to do about `messages`.
pub(super) fn remedy(messages: &[Message]) -> String {
    let Some(first) = messages.first() else {
        return "the output above says what is wrong".to_string();
    };
    if let Some(help) = &first.help {
        return help.clone();
    }
    let text = &first.text;
    if postable::is_about(text) {
        return postable::REMEDY.to_string();
    }
    if text.contains("woven pairs") {
        return "weave fewer pairs: events that are not woven run as themselves".to_string();
    }
    if text.contains(STORAGE) {
        return "declare logs and volumes of fewer bytes: LOG, LOG_CIRCULAR, VOLUME".to_string();
    }
    if text.contains(NO_SHELL) {
        return "write SHELL(SHELL_STACK, PRIORITY_LOW); in one of the files, or take the command away".to_string();
    }
    if text.contains(NO_CHANNEL) {
        return "write WATCHDOG_CHANNEL(name); in one of the files, and watchdog_feed(&name) where its work goes on"
            .to_string();
    }
    let is_about = |words: &str| messages.iter().any(|message| message.text.contains(words));
    if is_about("region `ram'") || is_about("region `data'") || is_about(plain::FULL_RAM) {
        return "give threads smaller stacks, or queues and buffers fewer bytes; the .map file in the build \
                folder lists what is in RAM"
            .to_string();
    }
    if [OVERFLOWED, DOES_NOT_FIT, NOT_WITHIN].iter().any(|words| text.contains(words)) {
        return "the program does not fit the chip's memory: make it smaller; the .map file in \
                the build folder lists what is in it"
            .to_string();
    }
    if text.contains(TWO_HANDLERS) {
        return two_handlers(text).to_string();
    }
    if text.contains(NO_VECTOR) {
        return "interrupts have the names of the data sheet, such as USART1_RX; if the program includes \
                <avr/io.h>, which defines INT0 to INT7 and ADC, remove those with #undef"
            .to_string();
    }
    if text.contains(AVR_LIBC) {
        return "write INTERRUPT(USART1_RX), with the vector's name in the data sheet: lichen/interrupt.h"
            .to_string();
    }
    if text.contains("multiple definition of `pin_of_") {
        return "the program uses two things that share a pin of this board, as the name says: leave out one \
                of them"
            .to_string();
    }
    if text.contains("multiple definition of `timers_of_") {
        return "the program uses two things that share timers of this chip, as the name says: leave out one \
                of them"
            .to_string();
    }
    if text.contains("undefined reference to `shell_command_") {
        return "SHELL_USE names a command of the system: energy, log, panic, ps, reboot, sensors or uptime \
                (lichen/shell.h); a SHELL_COMMAND of the program needs none"
            .to_string();
    }
    if text.contains("undefined reference to `sensor_") {
        return "this board has no such sensor: doc/spec/sensor.md has a table of boards and sensors"
            .to_string();
    }
    if ["`interrupt_vector_", "`vector_"]
        .iter()
        .any(|symbol| text.contains(&format!("undefined reference to {symbol}")))
    {
        return "the chip has no interrupt of that name: vectors have the names of the data sheet, such as TC3 \
                on the SAM R21 and USART1_RX on the ATmega128; a timer for a real-time task is RT_TIMER_A or RT_TIMER_B"
            .to_string();
    }
    if text.contains("undefined reference to `board_uart") {
        return "this board has no such serial port: lichen/uart.h says which boards have one"
            .to_string();
    }
    if text.contains("undefined reference") {
        return "define that name, or list its file in lichen_app(NAME SOURCES …)".to_string();
    }
    if text.contains("os/lichen.cmake") || text.contains("\"lichen_app\"") {
        return "before project(), include os/lichen.cmake of Lichen's folder, as ${LICHEN_ROOT}/os/lichen.cmake \
                or relative to this file; `lichen new` writes the line; plain CMake needs -DLICHEN_ROOT=FOLDER"
            .to_string();
    }
    match messages.len() {
        1 => "correct this line and build again".to_string(),
        n => format!("correct this line and build again ({n} errors in all, shown above)"),
    }
}

/// What to do about two handlers of one interrupt.
fn two_handlers(text: &str) -> &'static str {
    let is_in =
        |file: &str| text.contains(&format!("/{file}")) || text.contains(&format!(" {file}"));
    if is_in("cycles.c") {
        "the CPU time of threads is counted by this timer and its neighbour: choose another one, or take \
         `cpu_time = true` out of lichen.toml"
    } else if is_in("counter.c") {
        "alarms in microseconds and sleep_exact_us count this timer: choose another one, RT_TIMER_A for a \
         real-time task, or a timer of lichen/timer.h instead of the alarms"
    } else {
        "choose another vector, or remove what links that file into the program"
    }
}
