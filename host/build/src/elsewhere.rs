// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names that programs for other systems use, and what to write instead.

/// Names that programs of other systems and of the C library use, and what does the same here.
pub(super) const OURS: [(&str, &str); 33] = [
    ("sleep", "sleep_ms"),
    ("timer_start", "timer_arm_after"),
    ("snprintf", "print_into"),
    ("sprintf", "print_into"),
    ("delay", "sleep_ms"),
    ("delayMicroseconds", "sleep_us"),
    ("usleep", "sleep_us"),
    ("nanosleep", "sleep_us"),
    ("k_msleep", "sleep_ms"),
    ("k_sleep", "sleep_ms"),
    ("vTaskDelay", "sleep_ms"),
    ("vTaskDelayUntil", "sleep_until_us"),
    ("xtimer_usleep", "sleep_us"),
    ("ztimer_sleep", "sleep_ms"),
    ("xtimer_now", "time_now_us"),
    ("clock_gettime", "time_now_us"),
    ("millis", "time_now_us"),
    ("micros", "time_now_us"),
    ("printk", "print"),
    ("PRIORITY_NORMAL", "PRIORITY_APP"),
    ("PRIORITY_DEFAULT", "PRIORITY_APP"),
    ("PRIORITY_MAIN", "PRIORITY_APP"),
    ("scanf", "console_read_line"),
    ("getchar", "console_read"),
    ("digitalWrite", "gpio_set"),
    ("digitalRead", "gpio_read"),
    ("analogRead", "adc_read_mv"),
    ("xSemaphoreTake", "semaphore_wait"),
    ("xSemaphoreGive", "semaphore_post"),
    ("k_mutex_lock", "mutex_lock"),
    ("k_mutex_unlock", "mutex_unlock"),
    ("xQueueSend", "queue_send"),
    ("xQueueReceive", "queue_receive"),
];

/// Names for which Lichen has no function that does the same, and what to write instead.
const INSTEAD: [(&[&str], &str); 18] = [
    (
        &[
            "expect_true",
            "expect_false",
            "assert_true",
            "TEST_ASSERT",
            "TEST_ASSERT_TRUE",
            "zassert_true",
        ],
        "write expect(condition), or expect(!condition) (test.h)",
    ),
    (
        &[
            "expect_eq",
            "assert_equal",
            "TEST_ASSERT_EQUAL",
            "TEST_ASSERT_EQUAL_INT",
            "zassert_equal",
        ],
        "write expect_equal(left, right) (test.h)",
    ),
    (
        &["attachInterrupt", "detachInterrupt"],
        "a button posts an event by button_notify (<lichen/button.h>), another pin by gpio_event_on_edge \
         (<lichen/gpio.h>)",
    ),
    (
        &["Serial", "Serial1", "UART"],
        "text goes to the console by print (<lichen/print.h>), and is read by console_read_line \
         (<lichen/console.h>)",
    ),
    (&["Wire"], "I2C is <lichen/i2c.h>, and sensors of the board are <lichen/sensor.h>"),
    (&["SPI"], "SPI is <lichen/spi.h>"),
    (
        &["map"],
        "write it out: (x - from_low) * (to_high - to_low) / (from_high - from_low) + to_low",
    ),
    (
        &["pinMode"],
        "write gpio_output(pin, false) or gpio_input(pin, GPIO_PULL_UP) (<lichen/gpio.h>)",
    ),
    (&["analogWrite"], "a pin with a duty cycle is <lichen/pwm.h>"),
    (
        &["SemaphoreHandle_t", "xSemaphoreCreateBinary", "xSemaphoreCreateCounting", "sem_t"],
        "declare it at the outermost level of the file: SEMAPHORE(name, 0); (<lichen/semaphore.h>)",
    ),
    (
        &["xSemaphoreCreateMutex", "pthread_mutex_t"],
        "declare it at the outermost level of the file: MUTEX(name); (<lichen/mutex.h>)",
    ),
    (
        &["QueueHandle_t", "xQueueCreate"],
        "declare it at the outermost level of the file: QUEUE(name, int, 4); (<lichen/queue.h>)",
    ),
    (
        &["TaskHandle_t", "xTaskCreate", "pthread_t", "pthread_create", "k_thread_create"],
        "declare the thread at the outermost level of the file: THREAD(name, 512, PRIORITY_APP) { ... } \
         (<lichen/thread.h>)",
    ),
    (
        &["vTaskStartScheduler", "osKernelStart"],
        "take it away: the threads of the program start by themselves",
    ),
    (
        &["__disable_irq", "__enable_irq", "cli", "sei", "noInterrupts", "interrupts"],
        "programs mask no interrupts: threads share variables by a mutex (<lichen/mutex.h>), interrupts hand \
         over by events and queues (<lichen/event.h>, <lichen/queue.h>)",
    ),
    (
        &["log"],
        "text goes to the console by print (<lichen/print.h>), with a level by syslog (<lichen/syslog.h>)",
    ),
    (&["_delay_ms", "_delay_us"], "a thread waits by sleep_ms and sleep_us (<lichen/time.h>)"),
    (
        &["PRIu64", "PRId64", "PRIu32", "PRId32"],
        "write %llu and %lld for 64 bits, %lu and %ld for 32",
    ),
];

/// The name that Lichen has for what `name` is elsewhere.
pub(super) fn ours(name: &str) -> Option<&'static str> {
    OURS.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| *ours)
}

/// What to write instead of `name`, if Lichen has no such name.
pub(super) fn instead(name: &str) -> Option<String> {
    if let Some((port, number)) = pin(name) {
        return Some(format!("write GPIO_PIN('{port}', {number}) (<lichen/gpio.h>)"));
    }
    let (_, help) = INSTEAD.iter().find(|(names, _)| names.contains(&name))?;
    Some(help.to_string())
}

/// A pin as data sheets write it: `PA19`.
fn pin(name: &str) -> Option<(char, u8)> {
    let rest = name.strip_prefix('P')?;
    let port = rest.chars().next().filter(char::is_ascii_uppercase)?;
    let number = rest[1..].trim_start_matches('_');
    number.starts_with(|c: char| c.is_ascii_digit()).then_some((port, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_of_the_data_sheet_is_written_out() {
        assert_eq!(instead("PA19").as_deref(), Some("write GPIO_PIN('A', 19) (<lichen/gpio.h>)"));
        assert_eq!(pin("PA_3"), Some(('A', 3)));
        assert_eq!(pin("PAD"), None);
        assert_eq!(pin("PA+1"), None);
        assert_eq!(instead("led_on"), None);
    }
}
