// SPDX-License-Identifier: MIT OR Apache-2.0
//! What to do about errors of a build.

use super::linker::{
    AVR_LIBC, CONSTRUCTOR, DOES_NOT_FIT, NO_CHANNEL, NO_SHELL, NOT_WITHIN, OVERFLOWED, STORAGE,
    TIMER_OF_WAVES, TWO_HANDLERS,
};
use super::message::{Message, NO_VECTOR};
use super::{plain, postable};

/// Words of errors, and what to do about them; the first words that an error contains count.
const REMEDIES: &[(&str, &str)] = &[
    ("woven pairs", "weave fewer pairs: events that are not woven run as themselves"),
    (STORAGE, "declare logs and volumes of fewer bytes: LOG, LOG_CIRCULAR, VOLUME"),
    (
        NO_SHELL,
        "write SHELL(SHELL_STACK, PRIORITY_LOW); in one of the files, or take the command away",
    ),
    (
        NO_CHANNEL,
        "write WATCHDOG_CHANNEL(name); in one of the files, and watchdog_feed(&name) where its work goes on",
    ),
    (CONSTRUCTOR, "write INIT(function); (lichen/init.h) in place of the attribute"),
    (OVERFLOWED, TOO_LARGE),
    (DOES_NOT_FIT, TOO_LARGE),
    (NOT_WITHIN, TOO_LARGE),
    (
        NO_VECTOR,
        "interrupts have the names of the data sheet, such as USART1_RX; if the program includes \
         <avr/io.h>, which defines INT0 to INT7 and ADC, remove those with #undef",
    ),
    (
        AVR_LIBC,
        "write INTERRUPT(USART1_RX), with the vector's name in the data sheet: lichen/interrupt.h",
    ),
    (
        "multiple definition of `pin_of_",
        "the program uses two things that share a pin of this board, as the name says: leave out one of them",
    ),
    (
        TIMER_OF_WAVES,
        "beside them waves (lichen/pwm.h) have TC3, which is RT_TIMER_A: give the task RT_TIMER_B or RT_TIMER_C",
    ),
    (
        "multiple definition of `data_flash_and_uart_",
        "logs, volumes and counters have the data flash, whose pins are the serial port's: leave out one of them",
    ),
    (
        "redefinition of 'link_in_turn'",
        "LINK_SECURED, LINK_THREADS and LINK_IN_TURN each declare the link's threads: write one of them, or \
         LINK_SECURED_IN_TURN",
    ),
    (
        "undefined reference to `shell_command_",
        "SHELL_USE names a command of the system: energy, log, panic, ps, reboot, sensors or uptime \
         (lichen/shell.h); a SHELL_COMMAND of the program needs none",
    ),
    (
        "undefined reference to `sensor_",
        "this board has no such sensor: doc/spec/sensor.md has a table of boards and sensors",
    ),
    ("undefined reference to `interrupt_vector_", NO_INTERRUPT),
    ("undefined reference to `vector_", NO_INTERRUPT),
    (
        "undefined reference to `board_uart",
        "this board has no such serial port: lichen/uart.h says which boards have one",
    ),
    (
        "undefined reference to `uart_",
        "write UART_RINGS(32, 128); in one of the files: lichen/uart.h",
    ),
    (
        "undefined reference to `spi_",
        "this board has no such SPI bus: lichen/spi.h says which boards have one",
    ),
    (
        "undefined reference to `radio_received'",
        "a program that uses the radio itself defines the event radio_received, which takes what was received: \
         lichen/radio.h shows one",
    ),
    (
        "undefined reference to `radio_",
        "this board has no radio that Lichen drives, and the program uses one (lichen/link.h, lichen/am.h, \
         lichen/radio.h): choose a board that has one, such as hamilton, and leave this one out of the manifest",
    ),
    ("undefined reference", "define that name, or list its file in lichen_app(NAME SOURCES …)"),
    ("os/lichen.cmake", NO_LICHEN),
    ("\"lichen_app\"", NO_LICHEN),
];

const TOO_LARGE: &str = "the program does not fit the chip's memory: make it smaller; the .map file in the build \
                         folder lists what is in it";
const NO_INTERRUPT: &str = "the chip has no interrupt of that name: vectors have the names of the data sheet, such \
                            as TC3 on the SAM R21 and USART1_RX on the ATmega128; a timer for a real-time task is \
                            RT_TIMER_A or RT_TIMER_B";
const NO_LICHEN: &str = "before project(), include os/lichen.cmake of Lichen's folder, as \
                         ${LICHEN_ROOT}/os/lichen.cmake or relative to this file; `lichen new` writes the line; \
                         plain CMake needs -DLICHEN_ROOT=FOLDER";

/// Words of messages, of which the first may be about something else, that the RAM is full.
const FULL_RAM: [&str; 3] = ["region `ram'", "region `data'", plain::FULL_RAM];

/// The blocks of packets, which a program may make fewer.
const POOL: &str = "`packet_blocks'";

/// What to do about `messages`.
pub(super) fn remedy(messages: &[Message]) -> String {
    let Some(first) = messages.first() else {
        return "the output above says what is wrong".to_string();
    };
    let text = first.text.as_str();
    let is_full_ram = || {
        let is_about = |text: &str| FULL_RAM.iter().any(|words| text.contains(words));
        messages.iter().any(|message| is_about(&message.text))
    };
    let known = match first.help.as_deref() {
        Some(help) => Some(help),
        None if postable::is_about(text) => Some(postable::REMEDY),
        None if text.contains(TWO_HANDLERS) => Some(two_handlers(text)),
        None if is_full_ram() && text.contains(POOL) => Some(
            "give threads smaller stacks, or queues and buffers fewer bytes, or packets fewer blocks: \
             PACKET_POOL(4); in one of the files (lichen/packet.h); the .map file in the build folder lists what is \
             in RAM",
        ),
        None if is_full_ram() => Some(
            "give threads smaller stacks, or queues and buffers fewer bytes; the .map file in the build folder lists \
             what is in RAM",
        ),
        None => REMEDIES.iter().find(|(words, _)| text.contains(words)).map(|(_, help)| *help),
    };
    match (known, messages.len()) {
        (Some(help), _) => help.to_string(),
        (None, 1) => "correct this line and build again".to_string(),
        (None, n) => format!("correct this line and build again ({n} errors in all, shown above)"),
    }
}

/// What to do about two handlers of one interrupt.
fn two_handlers(text: &str) -> &'static str {
    let is_in =
        |file: &str| text.contains(&format!("/{file}")) || text.contains(&format!(" {file}"));
    if is_in("cycles.c") {
        "the CPU time of threads is counted by this timer and its neighbour: choose another one, or take \
         `cpu_time = true` out of lichen.toml"
    } else if is_in("counter.c") && text.contains("TIMER1_COMPA") {
        "alarms in microseconds, sleep_exact_us and the MicaZ's radio have this timer, RT_TIMER_B: give the task \
         RT_TIMER_A; beside them a program has either that or waves (lichen/pwm.h)"
    } else if is_in("counter.c") {
        "alarms in microseconds and sleep_exact_us count this timer: choose another one, or a timer of \
         lichen/timer.h instead of the alarms"
    } else if is_in("pwm.c") {
        "waves (lichen/pwm.h) have this timer, RT_TIMER_A: give the task RT_TIMER_B; beside alarms in microseconds \
         or the MicaZ's radio, which have that one, a program has either waves or a task on RT_TIMER_A"
    } else {
        "choose another vector, or remove what links that file into the program"
    }
}
