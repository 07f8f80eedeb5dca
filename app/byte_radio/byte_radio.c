/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The MICA2's radio by hand: console commands that send frames, listen and measure, directly by
 * lichen/radio.h, without a link.
 *
 *     set 2 1
 *     listen on
 *     send 20 1
 *
 * sends a frame with 20 bytes of payload to all, with CSMA, in the format of TinyOS's active
 * messages. Received frames are printed.
 */
#include <lichen/packet.h>
#include <lichen/queue.h>
#include <lichen/radio.h>
#include <lichen/semaphore.h>
#include <lichen/shell.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum {
    HEADER_BYTES = 7,
    PAYLOAD_MAX = 118,
    GROUP = 0x22,
    BROADCAST = 0xffff,
    FLAGS_ALL = RADIO_CSMA | RADIO_RETRY | RADIO_IF_CLEAR,
    FRAME_RETRIES = 3,
    CSMA_RETRIES = 5,
    EXPONENT_LEAST = 3,
    EXPONENT_MOST = 5,
    SHOWN_BYTES = 8,
};

SHELL(SHELL_STACK + 192, PRIORITY_APP);

static uint8_t own = 1;
static uint16_t destination = BROADCAST;
static uint8_t type = 0x99;
static volatile bool shows = true;
static volatile bool takes = true;
static unsigned intact_frames, other_frames;

/* ---------------------------------------------------------------- receiving */
QUEUE(frames, packet_t, 3);

static void take_frames(void)
{
    packet_t packet;

    while (takes && queue_held(&frames) < 3 && radio_receive(&packet) == 0) {
        if (queue_try_send(&frames, &packet) != 0) {
            packet_free(packet);
        }
    }
}

EVENT(radio_received)
{
    take_frames();
}

/* Whether the payload is the bytes that were sent: they count up from its length. */
static bool is_intact(packet_t packet)
{
    struct packet_cursor cursor;
    uint8_t length = (uint8_t)(packet_length(packet) - HEADER_BYTES);

    packet_cursor(&cursor, packet, HEADER_BYTES);
    for (uint8_t i = 0; i < length; i++) {
        if (packet_cursor_u8(&cursor) != (uint8_t)(length + i)) {
            return false;
        }
    }
    return true;
}

static void print_bytes(packet_t packet)
{
    struct packet_cursor cursor;
    uint16_t length = packet_length(packet);

    packet_cursor(&cursor, packet, 0);
    for (uint8_t i = 0; i < length && i < HEADER_BYTES + SHOWN_BYTES; i++) {
        print(" %02x", packet_cursor_u8(&cursor));
    }
    print("\n");
}

static void show(packet_t packet)
{
    const struct packet_attributes *attributes = packet_attributes(packet);
    bool intact = is_intact(packet);

    intact_frames += intact;
    other_frames += !intact;
    if (shows) {
        print("received %u bytes, %s, %d dBm, at %lu ms:", packet_length(packet) - HEADER_BYTES,
              intact ? TEXT("intact") : TEXT("other"), attributes->dbm,
              (unsigned long)(packet_time_us(packet) / TIME_US_PER_MS));
        print_bytes(packet);
    }
}

THREAD(printer, 448, PRIORITY_APP)
{
    for (;;) {
        packet_t packet;
        queue_receive(&frames, &packet);
        show(packet);
        packet_free(packet);
    }
}

/* ---------------------------------------------------------------- commands */
SHELL_COMMAND(set, "CHANNEL ADDRESS [RATE] [DBM] [FLAGS]", "Sets how the radio is used.")
{
    int32_t channel, address, rate = 0, dbm = 0, flags = 0;

    if (shell_number(arguments, 1, 0, 0xff, &channel) != 0 ||
        shell_number(arguments, 2, 0, 0xff, &address) != 0 ||
        (arguments->count > 3 && shell_number(arguments, 3, 0, 0xff, &rate) != 0) ||
        (arguments->count > 4 && shell_number(arguments, 4, -128, 127, &dbm) != 0) ||
        (arguments->count > 5 && shell_number(arguments, 5, 0, 0xff, &flags) != 0)) {
        return;
    }
    const struct radio_settings settings = {.channel = (uint8_t)channel,
                                            .rate = (uint8_t)rate,
                                            .dbm = (int8_t)dbm,
                                            .flags = (uint8_t)flags,
                                            .pan = GROUP,
                                            .short_address = (uint16_t)address};
    own = (uint8_t)address;
    int error = radio_set(&settings);
    if (error != 0) {
        print("set: %s\n", error_name(error));
    }
}

SHELL_COMMAND(listen, "STATE", "Receives, or sleeps: on or off.")
{
    int on;

    if (shell_choice(arguments, 1, TEXT("off|on"), &on) == 0) {
        radio_listen(on);
    }
}

SHELL_COMMAND(to, "DESTINATION TYPE", "Sets to whom frames are sent, and of which type.")
{
    int32_t number, to_type;

    if (shell_number(arguments, 1, 0, BROADCAST, &number) == 0 &&
        shell_number(arguments, 2, 0, 0xff, &to_type) == 0) {
        destination = (uint16_t)number;
        type = (uint8_t)to_type;
    }
}

SHELL_COMMAND(show, "STATE", "Prints what has come, or only counts it: on or off.")
{
    int on;

    if (shell_choice(arguments, 1, TEXT("off|on"), &on) == 0) {
        shows = on;
    }
}

SHELL_COMMAND(take, "STATE", "Takes frames from the radio, or leaves them there: on or off.")
{
    int on;

    if (shell_choice(arguments, 1, TEXT("off|on"), &on) == 0) {
        takes = on;
        event_post(&radio_received);
    }
}

static int compose(packet_t *packet, uint8_t length)
{
    uint8_t bytes[HEADER_BYTES] = {
        (uint8_t)(destination >> 8), (uint8_t)destination, 0, own, length, GROUP, type};
    int error = packet_alloc(packet, TEXT("byte_radio"), 0, (uint16_t)(HEADER_BYTES + length));

    if (error != 0) {
        return error;
    }
    packet_write(*packet, 0, bytes, HEADER_BYTES);
    for (uint8_t i = 0; i < length; i++) {
        bytes[0] = (uint8_t)(length + i);
        packet_write(*packet, (uint16_t)(HEADER_BYTES + i), bytes, 1);
    }
    return 0;
}

SEMAPHORE(ended, 0);

EVENT(transfer_ended)
{
    semaphore_post(&ended);
}

static struct radio_transfer transfer = {.ended = &transfer_ended,
                                         .csma_retries = CSMA_RETRIES,
                                         .exponent_least = EXPONENT_LEAST,
                                         .exponent_most = EXPONENT_MOST,
                                         .frame_retries = FRAME_RETRIES};

/* Sends a frame several times. Returns how often that failed; `last` is the last error. */
static uint16_t send(uint8_t length, uint8_t flags, uint16_t times, int *last)
{
    uint16_t failed = 0;

    *last = compose(&transfer.packet, length);
    if (*last != 0) {
        return times;
    }
    transfer.flags = flags;
    for (; times > 0; times--) {
        int error = radio_send(&transfer);
        if (error == 0) {
            semaphore_wait(&ended);
            error = transfer.result;
        }
        if (error != 0) {
            *last = error;
            failed++;
        }
    }
    packet_free(transfer.packet);
    return failed;
}

SHELL_COMMAND(send, "LENGTH [FLAGS] [TIMES]", "Sends frames with a payload of this length.")
{
    int32_t length, flags = 0, times = 1;
    int last;

    if (shell_number(arguments, 1, 0, PAYLOAD_MAX, &length) != 0 ||
        (arguments->count > 2 && shell_number(arguments, 2, 0, FLAGS_ALL, &flags) != 0) ||
        (arguments->count > 3 && shell_number(arguments, 3, 1, 10000, &times) != 0)) {
        return;
    }
    uint16_t failed = send((uint8_t)length, (uint8_t)flags, (uint16_t)times, &last);
    print("sent %u of %u bytes, %u failed: %s\n", (unsigned)times, (unsigned)length, failed,
          last == 0 ? TEXT("ok") : error_name(last));
}

SHELL_COMMAND(sizes, "[FLAGS]", "Sends a frame of each size.")
{
    int32_t flags = 0;
    uint16_t failed = 0;

    if (arguments->count > 1 && shell_number(arguments, 1, 0, FLAGS_ALL, &flags) != 0) {
        return;
    }
    for (uint8_t length = 0; length <= PAYLOAD_MAX; length++) {
        int last;
        failed += send(length, (uint8_t)flags, 1, &last);
    }
    print("sent all sizes, %u failed\n", failed);
}

EVENT(looked)
{
    semaphore_post(&ended);
}

SHELL_COMMAND(measure, "", "Measures the power in the channel.")
{
    static struct radio_measurement measurement = {.ended = &looked};
    int error = radio_measure(&measurement);

    if (error == 0) {
        semaphore_wait(&ended);
        error = measurement.result;
    }
    if (error == 0) {
        print("%d dBm, %s\n", measurement.dbm, measurement.is_clear ? TEXT("clear") : TEXT("busy"));
    } else {
        print("measure: %s\n", error_name(error));
    }
}

SHELL_COMMAND(count, "", "Prints what the radio has counted.")
{
    struct radio_counters counters;
    struct packet_statistics pool;

    radio_count(&counters);
    print("received %u, sent %u, corrupted %u, overflowed %u, no_packet %u, not_taken %u\n",
          counters.received, counters.sent, counters.corrupted, counters.overflowed,
          counters.no_packet, counters.not_taken);
    print("busy %u, not_acknowledged %u, restarts %u\n", counters.channel_busy,
          counters.not_acknowledged, counters.restarts);
    print("frames %u intact, %u other\n", intact_frames, other_frames);
    packet_statistics(&pool);
    print("blocks %u, free %u\n", pool.blocks, pool.free);
}
