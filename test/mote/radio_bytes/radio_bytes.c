/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The MICA2's radio, with nobody else on the air. Exchanges of motes are tests of the program
 * byte_radio. */
#include <lichen/packet.h>
#include <lichen/radio.h>
#include <lichen/semaphore.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "radio_bytes.h"
#include "sleep_mode.h"
#include "test.h"

enum {
    HEADER_BYTES = 7,
    LENGTH_AT = 4,
    FRAME_BYTES = 125, /* without its checksum */
    CHANNEL = 2,
    START_MS = 100, /* with the calibration of the synthesizer */
};

EVENT(radio_received)
{
}

SEMAPHORE(ended, 0);

EVENT(transfer_ended)
{
    semaphore_post(&ended);
}

static struct radio_transfer transfer = {.ended = &transfer_ended};

static void compose(uint8_t bytes)
{
    uint8_t payload = (uint8_t)(bytes - HEADER_BYTES);

    expect_equal(packet_alloc(&transfer.packet, TEXT("test"), 0, bytes), 0);
    packet_write(transfer.packet, LENGTH_AT, &payload, 1);
}

static int send(void)
{
    int error = radio_send(&transfer);

    if (error != 0) {
        return error;
    }
    semaphore_wait(&ended);
    return transfer.result;
}

static void use(uint8_t rate)
{
    const struct radio_settings settings = {.channel = CHANNEL, .rate = rate};

    expect_equal(radio_set(&settings), 0);
}

static void expect_no_packet_is_left(void)
{
    struct packet_statistics pool;

    packet_statistics(&pool);
    expect_equal(pool.free, pool.blocks);
}

TEST(it_sleeps_until_it_is_used)
{
    sleep_ms(20);
    sleep_ms(10);
    expect_equal(sleep_mode(), SLEEP_DEEPEST);
}

TEST(it_refuses_what_it_cannot_do)
{
    struct radio_settings settings = {.channel = 4};

    expect_equal(radio_set(&settings), ERR_INVALID);
    settings.channel = 0;
    expect_equal(radio_set(&settings), ERR_INVALID);
    settings.channel = CHANNEL;
    settings.rate = 2;
    expect_equal(radio_set(&settings), ERR_INVALID);
    struct radio_measurement measurement = {0};
    expect_equal(radio_measure(&measurement), ERR_INVALID);
}

TEST(it_sends_frames_of_a_known_length_only)
{
    use(0);
    compose(20);
    expect_equal(send(), 0);
    expect_equal(transfer.sent, 1);
    packet_trim_back(transfer.packet, 1);
    expect_equal(send(), ERR_INVALID);
    packet_trim_back(transfer.packet, 14);
    expect_equal(send(), ERR_INVALID);
    packet_free(transfer.packet);
    expect_no_packet_is_left();
}

/* A packet whose parts are joined is several blocks, until it is made one. */
TEST(it_sends_packets_of_one_block_only)
{
    packet_t part;

    compose(14);
    packet_trim_back(transfer.packet, 1);
    expect_equal(packet_alloc(&part, TEXT("test"), 0, 1), 0);
    packet_join(transfer.packet, part);
    expect_equal(send(), ERR_INVALID);
    expect_equal(packet_unshare(&transfer.packet), 0);
    expect_equal(send(), 0);
    packet_free(transfer.packet);
    expect_no_packet_is_left();
}

TEST(it_cancels_what_is_not_on_the_air)
{
    compose(FRAME_BYTES);
    expect_equal(radio_send(&transfer), 0);
    expect_equal(radio_cancel(&transfer), 0);
    semaphore_wait(&ended);
    expect_equal(transfer.result, ERR_CANCELLED);
    transfer.flags = RADIO_CSMA;
    transfer.exponent_least = transfer.exponent_most = 8;
    expect_equal(radio_send(&transfer), 0);
    sleep_ms(20);
    expect_equal(radio_cancel(&transfer), 0);
    semaphore_wait(&ended);
    expect_equal(transfer.result, ERR_CANCELLED);
    expect_equal(radio_cancel(&transfer), ERR_EMPTY);
    transfer.flags = 0;
    expect_equal(send(), 0);
    packet_free(transfer.packet);
    expect_no_packet_is_left();
}

/* Behind a tick of the clock, the rest of a sleep may be too short for the deepest mode. */
static bool sleeps_deepest(void)
{
    for (uint8_t i = 0; i < 4; i++) {
        sleep_ms(10 + i);
        if (sleep_mode() == SLEEP_DEEPEST) {
            return true;
        }
    }
    return false;
}

TEST(it_sleeps_again)
{
    radio_listen(true);
    sleep_ms(START_MS);
    expect(!sleeps_deepest());
    expect_equal(sleep_mode(), SLEEP_COUNTING);
    radio_listen(false);
    sleep_ms(23);
    expect(sleeps_deepest());
}

TEST(noise_is_weak)
{
    static struct radio_measurement measurement = {.ended = &transfer_ended};

    radio_listen(true);
    for (uint8_t i = 0; i < 10; i++) {
        expect_equal(radio_measure(&measurement), 0);
        semaphore_wait(&ended);
        expect_equal(measurement.result, 0);
        expect(measurement.dbm <= -100);
        expect(measurement.is_clear);
    }
    radio_listen(false);
}

/* The task of 125 Hz, which is the slowest that counts single cycles. */
static void sample(const char *what)
{
    jitter_begin();
    sleep_ms(8000);
    struct jitter jitter = jitter_end();
    print("%s: %u to %u cycles in %u runs\n", what, jitter.earliest, jitter.latest, jitter.runs);
    expect(jitter.runs >= 990);
    expect(jitter.latest - jitter.earliest <= JITTER_CYCLES);
}

TEST(a_task_keeps_its_jitter_without_the_radio)
{
    sample(TEXT("silence"));
}

TEST(a_task_keeps_its_jitter_while_bytes_arrive)
{
    for (uint8_t rate = 0; rate < 2; rate++) {
        use(rate);
        radio_listen(true);
        sleep_ms(START_MS);
        sample(rate == 0 ? TEXT("19.2 kbit/s") : TEXT("38.4 kbit/s"));
        radio_listen(false);
    }
}

static volatile bool sends;

THREAD(sender, 256, PRIORITY_LOW)
{
    for (;;) {
        while (!sends) {
            sleep_ms(10);
        }
        (void)send();
    }
}

TEST(a_task_keeps_its_jitter_while_frames_leave)
{
    compose(FRAME_BYTES);
    for (uint8_t rate = 0; rate < 2; rate++) {
        use(rate);
        sends = true;
        sample(rate == 0 ? TEXT("sending 19.2 kbit/s") : TEXT("sending 38.4 kbit/s"));
        sends = false;
        sleep_ms(200);
    }
    struct radio_counters counters;
    radio_count(&counters);
    expect(counters.sent > 300);
    expect_equal(counters.restarts, 0);
}

/* Whether its runs meet a byte depends on when the frame begins: about half of the frames. */
TEST(a_task_that_takes_too_long_spoils_frames)
{
    enum { FRAMES = 16, STEP_US = 101 };
    struct radio_counters before, after;
    uint8_t spoilt = 0;

    use(0);
    radio_count(&before);
    hold_begin();
    for (uint8_t i = 0; i < FRAMES; i++) {
        sleep_us(i * STEP_US);
        spoilt += send() == ERR_IO;
    }
    hold_end();
    radio_count(&after);
    expect(spoilt > 0);
    expect_equal(after.underrun, before.underrun + spoilt);
    expect_equal(after.restarts, before.restarts);
    expect_equal(send(), 0);
}
