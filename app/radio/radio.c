/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The radio by hand: console commands that send frames, listen and measure, directly by
 * lichen/radio.h, without a link.
 *
 *     set 26 1 3
 *     listen on
 *     send 50 2 3
 *
 * sends a frame of 50 bytes from mote 1 to mote 2, with CSMA and an acknowledgment. Received frames
 * are printed. Frames carry data between short addresses in the PAN 0x22, unless set otherwise;
 * frames too short for a header carry arbitrary bytes.
 */
#include <lichen/packet.h>
#include <lichen/queue.h>
#include <lichen/radio.h>
#include <lichen/semaphore.h>
#include <lichen/shell.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum {
    PAN = 0x22,
    HEADER_BYTES = 9,
    FRAME_BYTES_MAX = 125,
    PENDING_FRAMES = 8,
    ASKS = 8, /* for an acknowledgment, which arrives as a frame */
    FLAGS_ALL = RADIO_CSMA | RADIO_RETRY | RADIO_IF_CLEAR | ASKS,
    CSMA_RETRIES = 4,
    EXPONENT_LEAST = 3,
    EXPONENT_MOST = 5,
    FRAME_RETRIES = 3,
    BROADCAST = 0xffff,
    NUMBER_AT = 2,
    KEPT_MAX = 64,
    BEAT = 0xbe, /* the first byte of a beat's payload */
    BEAT_BYTES = 25,
    STAMP_ERROR_US = 5,
};

/* The payload of a beat. */
struct beat {
    uint8_t mark;
    uint8_t reserved[7];
    uint64_t sent_us; /* time at which the beat before was sent; 0: not known */
};
_Static_assert(BEAT_BYTES == HEADER_BYTES + sizeof(struct beat), "a beat's length");

SHELL(SHELL_STACK + 256, PRIORITY_APP);

static uint16_t own, pan = PAN;
static uint8_t sequence;
static volatile bool takes = true;
static volatile bool shows = true;
static volatile bool keeps;
static packet_t packets_kept[KEPT_MAX];
static uint8_t kept;
static unsigned intact_frames, other_frames;

/* ---------------------------------------------------------------- receiving */
QUEUE(frames, packet_t, PENDING_FRAMES);

static void take_frames(void)
{
    packet_t packet;

    while (takes && queue_held(&frames) < PENDING_FRAMES && radio_receive(&packet) == 0) {
        if (queue_try_send(&frames, &packet) != 0) {
            packet_free(packet);
        }
    }
}

EVENT(radio_received)
{
    take_frames();
}

/* Whether the payload is the bytes that were sent: they count up. */
static bool is_intact(packet_t packet, uint16_t length)
{
    struct packet_cursor cursor;
    uint8_t from = length < HEADER_BYTES ? 0 : HEADER_BYTES;

    packet_cursor(&cursor, packet, from);
    for (uint16_t i = from; i < length; i++) {
        if (packet_cursor_u8(&cursor) != (uint8_t)(length + i)) {
            return false;
        }
    }
    return true;
}

static uint8_t number_of(packet_t packet, uint16_t length)
{
    uint8_t number = 0;

    if (length > NUMBER_AT) {
        packet_read(packet, NUMBER_AT, &number, 1);
    }
    return number;
}

/* A beat carries the time at which the one before was sent, by the sender's clock. The difference
 * of the two clocks is constant, except for the errors of these stamps and of the first ones. */
static void compare(packet_t packet, uint64_t time_us)
{
    static uint8_t last_number;
    static uint64_t last_us;
    static int64_t first_difference;
    struct beat beat;

    packet_read(packet, HEADER_BYTES, &beat, sizeof(beat));
    uint8_t number = number_of(packet, BEAT_BYTES);
    if (beat.sent_us != 0 && last_us != 0 && number == (uint8_t)(last_number + 1)) {
        int64_t difference = (int64_t)(last_us - beat.sent_us);
        if (first_difference == 0) {
            first_difference = difference;
        }
        int64_t error = difference - first_difference;
        uint64_t far_us = (uint64_t)(error < 0 ? -error : error);
        print("beat %u: stamps %s\n", last_number,
              far_us <= STAMP_ERROR_US       ? TEXT("agree")
              : far_us <= 2 * STAMP_ERROR_US ? TEXT("nearly agree")
                                             : TEXT("differ"));
    }
    last_number = number;
    last_us = time_us;
}

static void show(packet_t packet)
{
    const struct packet_attributes *attributes = packet_attributes(packet);
    uint16_t length = packet_length(packet);
    bool intact = is_intact(packet, length);
    uint8_t mark = 0;

    if (length == BEAT_BYTES) {
        packet_read(packet, HEADER_BYTES, &mark, 1);
    }
    if (mark == BEAT) {
        compare(packet, packet_time_us(packet));
        return;
    }
    intact_frames += intact;
    other_frames += !intact;
    if (shows) {
        print("received %u bytes, number %u, %s, %d dBm, LQI %u, channel %u, at %llu\n", length,
              number_of(packet, length), intact ? TEXT("intact") : TEXT("other"), attributes->dbm,
              attributes->lqi, attributes->channel, (unsigned long long)packet_time_us(packet));
    }
}

THREAD(printer, 576, PRIORITY_APP)
{
    for (;;) {
        packet_t packet;
        queue_receive(&frames, &packet);
        show(packet);
        if (keeps && kept < KEPT_MAX) {
            packets_kept[kept++] = packet;
        } else {
            packet_free(packet);
        }
        event_post(&radio_received);
    }
}

/* ---------------------------------------------------------------- commands */
static void print_error(const struct shell_arguments *arguments, int error)
{
    if (error != 0) {
        print("%s: %s\n", arguments->word[0], error_name(error));
    }
}

SHELL_COMMAND(set, "CHANNEL ADDRESS [FLAGS] [RATE] [DBM] [PAN]",
              "Sets channel, address, flags of lichen/radio.h, rate, power and PAN.")
{
    int32_t value[] = {0, 0, 0, 0, 0, PAN};

    if (shell_number(arguments, 1, 0, 255, &value[0]) != 0 ||
        shell_number(arguments, 2, 0, 0xffff, &value[1]) != 0 ||
        (arguments->count > 3 && shell_number(arguments, 3, 0, 31, &value[2]) != 0) ||
        (arguments->count > 4 && shell_number(arguments, 4, 0, 255, &value[3]) != 0) ||
        (arguments->count > 5 && shell_number(arguments, 5, -100, 100, &value[4]) != 0) ||
        (arguments->count > 6 && shell_number(arguments, 6, 0, 0xffff, &value[5]) != 0)) {
        return;
    }
    own = (uint16_t)value[1];
    pan = (uint16_t)value[5];
    const struct radio_settings settings = {.channel = (uint8_t)value[0],
                                            .short_address = own,
                                            .flags = (uint8_t)value[2],
                                            .rate = (uint8_t)value[3],
                                            .dbm = (int8_t)value[4],
                                            .pan = pan};
    print_error(arguments, radio_set(&settings));
}

SHELL_COMMAND(listen, "STATE", "Receives, or sleeps: on or off.")
{
    int on;

    if (shell_choice(arguments, 1, TEXT("off|on"), &on) == 0) {
        radio_listen(on);
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

SHELL_COMMAND(show, "STATE",
              "Prints each frame that has come or was sent, or only counts them: on or off.")
{
    int on;

    if (shell_choice(arguments, 1, TEXT("off|on"), &on) == 0) {
        shows = on;
    }
}

SHELL_COMMAND(keep, "STATE", "Keeps the packets that have come, or frees them: on or off.")
{
    int on;

    if (shell_choice(arguments, 1, TEXT("off|on"), &on) != 0) {
        return;
    }
    keeps = on;
    while (!on && kept > 0) {
        packet_free(packets_kept[--kept]);
    }
}

/* The beginning of a frame: data, PAN ID compression, short addresses. */
static void write_header(packet_t packet, uint16_t to, bool asks)
{
    const uint8_t header[HEADER_BYTES] = {
        (uint8_t)(0x41 | asks << 5), 0x88,        sequence,           (uint8_t)pan,
        (uint8_t)(pan >> 8),         (uint8_t)to, (uint8_t)(to >> 8), (uint8_t)own,
        (uint8_t)(own >> 8)};

    packet_write(packet, 0, header, sizeof(header));
}

static int compose(packet_t *packet, uint8_t length, uint16_t to, bool asks)
{
    int error = packet_alloc(packet, TEXT("radio app"), 0, length);

    if (error != 0) {
        return error;
    }
    sequence++;
    uint8_t bytes[FRAME_BYTES_MAX];
    for (uint8_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)(length + i);
    }
    packet_write(*packet, 0, bytes, length < sizeof(bytes) ? length : sizeof(bytes));
    if (length >= HEADER_BYTES) {
        write_header(*packet, to, asks);
    }
    return 0;
}

SEMAPHORE(sent, 0);

EVENT(transfer_ended)
{
    semaphore_post(&sent);
}

static struct radio_transfer transfer = {.ended = &transfer_ended,
                                         .csma_retries = CSMA_RETRIES,
                                         .exponent_least = EXPONENT_LEAST,
                                         .exponent_most = EXPONENT_MOST,
                                         .frame_retries = FRAME_RETRIES};

/* Sends the transfer's packet and waits until that has ended. */
static int send_composed(uint8_t flags)
{
    transfer.flags = flags & (uint8_t)~ASKS;
    int error = radio_send(&transfer);
    if (error == 0) {
        semaphore_wait(&sent);
        error = transfer.result;
    }
    return error;
}

/* Composes a frame, and sends it. */
static int send(uint8_t length, uint16_t to, uint8_t flags)
{
    int error = compose(&transfer.packet, length, to, flags & (RADIO_RETRY | ASKS));

    if (error == 0) {
        error = send_composed(flags);
        if (error == ERR_INVALID) {
            transfer.sent = 0;
        }
    }
    return error;
}

static void print_sent(int error)
{
    print("sent %u bytes, number %u: %s, %u times, at %llu%s\n", packet_length(transfer.packet),
          sequence, error == 0 ? TEXT("ok") : error_name(error), transfer.sent,
          (unsigned long long)packet_time_us(transfer.packet),
          transfer.pending ? TEXT(", pending") : TEXT(""));
}

SHELL_COMMAND(send, "LENGTH TO [FLAGS] [TIMES]",
              "Sends frames of this length to a short address, 65535 for all.")
{
    int32_t length, to, flags = 0, times = 1;

    if (shell_number(arguments, 1, 0, 0xffff, &length) != 0 ||
        shell_number(arguments, 2, 0, BROADCAST, &to) != 0 ||
        (arguments->count > 3 && shell_number(arguments, 3, 0, FLAGS_ALL, &flags) != 0) ||
        (arguments->count > 4 && shell_number(arguments, 4, 1, 10000, &times) != 0)) {
        return;
    }
    for (; times > 0; times--) {
        int error = send((uint8_t)length, (uint16_t)to, (uint8_t)flags);
        if (error == ERR_FULL) {
            print_error(arguments, error);
            return;
        }
        if (shows) {
            print_sent(error);
        }
        packet_free(transfer.packet);
    }
}

SHELL_COMMAND(beat, "TO [TIMES] [PAUSE]",
              "Sends frames that say when the one before was sent; the pause is in milliseconds.")
{
    struct beat beat = {.mark = BEAT};
    int32_t to, times = 1, pause = 10;

    if (shell_number(arguments, 1, 0, BROADCAST, &to) != 0 ||
        (arguments->count > 2 && shell_number(arguments, 2, 1, 10000, &times) != 0) ||
        (arguments->count > 3 && shell_number(arguments, 3, 0, 10000, &pause) != 0)) {
        return;
    }
    for (; times > 0; times--) {
        int error = compose(&transfer.packet, BEAT_BYTES, (uint16_t)to, false);
        if (error == 0) {
            packet_write(transfer.packet, HEADER_BYTES, &beat, sizeof(beat));
            error = send_composed(0);
            beat.sent_us = packet_time_us(transfer.packet);
            packet_free(transfer.packet);
        }
        print_error(arguments, error);
        sleep_ms((uint32_t)pause);
    }
}

SHELL_COMMAND(sizes, "TO [FLAGS]", "Sends a frame of each length from 1 to 125.")
{
    int32_t to, flags = 0;
    unsigned failed = 0;

    if (shell_number(arguments, 1, 0, BROADCAST, &to) != 0 ||
        (arguments->count > 2 && shell_number(arguments, 2, 0, FLAGS_ALL, &flags) != 0)) {
        return;
    }
    for (uint8_t length = 1; length <= FRAME_BYTES_MAX; length++) {
        int error = send(length, (uint16_t)to, (uint8_t)flags);
        failed += error != 0;
        if (error != ERR_FULL) {
            packet_free(transfer.packet);
        }
    }
    print("sent all sizes, %u failed\n", failed);
}

EVENT(looked)
{
    semaphore_post(&sent);
}

SHELL_COMMAND(measure, "", "Measures the power in the channel.")
{
    static struct radio_measurement measurement = {.ended = &looked};
    int error = radio_measure(&measurement);

    if (error == 0) {
        semaphore_wait(&sent);
        error = measurement.result;
    }
    print_error(arguments, error);
    if (error == 0) {
        print("%d dBm, %s\n", measurement.dbm, measurement.is_clear ? TEXT("clear") : TEXT("busy"));
    }
}

SHELL_COMMAND(count, "", "Prints what the radio has counted, and who has packets.")
{
    struct radio_counters counters;
    struct packet_statistics pool;
    struct packet_look look = {0};

    radio_count(&counters);
    print("received %u, sent %u, corrupted %u, no_packet %u, not_taken %u\n", counters.received,
          counters.sent, counters.corrupted, counters.no_packet, counters.not_taken);
    print("busy %u, not_acknowledged %u, underrun %u, restarts %u\n", counters.channel_busy,
          counters.not_acknowledged, counters.underrun, counters.restarts);
    print("frames %u intact, %u other\n", intact_frames, other_frames);
    packet_statistics(&pool);
    print("blocks %u, free %u\n", pool.blocks, pool.free);
    print("overflowed %u\n", counters.overflowed);
    while (packet_look(&look)) {
        print("%s has %u bytes\n", look.owner, look.length);
    }
}
