/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the link adds to a frame, in cycles: the least of several rounds, without the radio's
 * driver, which is played. lichen/link.h states these numbers.
 */
#include <lichen/am.h>
#include <lichen/print.h>

#include "../link/fake_radio.h"
#include "cost_of_chip.h"
#include "link_cost_of_chip.h"
#include "test.h"

enum { OWN = 1, OTHER = 2, COUNT = 6, ROUNDS = 8, SHORT = 2, LONG = 100, LINE_MS = 20, GAP_MS = 3 };

/* How the program is laid out changes some jumps. */
#define LAYOUT 30u

AM_RECEIVER(counts, COUNT, 1);
PACKET_POOL(ARCH_FLASH_IS_APART ? 4 : 16);

static uint8_t frame[PACKET_FRAME_BYTES] = {0x41, 0x88,  0, LINK_PAN_USUAL, 0,    OWN,
                                            0,    OTHER, 0, 0x3f,           COUNT};
static uint8_t payload[LONG];
static struct link_transfer transfer;
static uint32_t least;

static void note(cycles_t begun, cycles_t ended)
{
    cycles_t cycles = ended - begun;

    least = cycles < least ? cycles : least;
}

/* From the driver's event to the receiver's queue: the threads of the link are more urgent than
 * this one, so they have done their work when the event has been posted. */
static void receive(uint8_t length)
{
    struct am_message message;

    for (unsigned i = 0; i < ROUNDS; i++) {
        frame[2]++;
        fake_hold(frame, (uint8_t)(11 + length));
        cycles_t begun = cycles_now();
        event_post(&radio_received);
        note(begun, cycles_now());
        expect_equal(am_try_receive(&counts, &message, payload, sizeof(payload)), 0);
        expect_equal(message.length, length);
    }
}

/* From the call to the radio's transfer. */
static void begin_sending(uint8_t length)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        cycles_t begun = cycles_now();
        int error = am_begin(&transfer, AM_ALL, COUNT, payload, length);
        note(begun, (cycles_t)fake.begun_count);
        expect_equal(error, 0);
        while (transfer.active) {
            sleep_ms(1);
        }
        sleep_ms(GAP_MS);
    }
}

static void check(const char *what, void (*run)(uint8_t), uint8_t length, uint32_t at_most)
{
    sleep_ms(LINE_MS);
    least = UINT32_MAX;
    run(length);
    print("%s, %u bytes: %lu cycles\n", what, length, (unsigned long)least);
    expect(least <= at_most);
}

TEST(a_frame_costs_what_the_header_states)
{
    const struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = OWN};

    fake_renew();
    fake.counter = CYCLES;
    expect_equal(link_open(&settings), 0);
    check(TEXT("receiving"), receive, SHORT, RECEIVE_SHORT + LAYOUT);
    check(TEXT("receiving"), receive, LONG, RECEIVE_LONG + LAYOUT);
    check(TEXT("sending"), begin_sending, SHORT, SEND_SHORT + LAYOUT);
    check(TEXT("sending"), begin_sending, LONG, SEND_LONG + LAYOUT);
}
