/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames that the CC2420 has received, in its RXFIFO of 128 bytes, and noise.
 *
 * FIFOP, whose threshold is above all frames, is active, low, while a whole frame is there of which
 * nothing was read. An overflow shows as FIFOP active while FIFO is not, and the frames before it
 * stay. As the RXFIFO was full then, it is known how many of its bytes are theirs, unless it
 * overflowed while one was being read. Then all is flushed.
 *
 * The start of a frame is the beginning of a pulse on SFD, which is as long as the frame. Frames
 * that the filter rejects, and acknowledgments that the radio sends, have pulses, too, so the
 * length tells which one it was. It is looked for if the program asks for times, and else only for
 * acknowledgments: they name no mote, and are told apart by when they began.
 */
#include "driver/radio/cc2420/driver.h"

#include <lichen/gpio.h>
#include <lichen/print.h>
#include <lichen/time.h>

#include "base/noise.h"
#include "chip/capture.h"
#include "driver/radio/cc2420/access.h"
#include "driver/radio/cc2420/air.h"
#include "driver/radio/cc2420/registers.h"
#include "driver/radio/cc2420/wiring.h"
#include "driver/radio/part.h"

#pragma weak time_note_soon

enum {
    FIFO_BYTES = 128,
    BAD_MOST = 16, /* frames in a row without an intact one */
    RSSI_OFFSET = -45,
    CRC_OK = 0x80,
    CORRELATION_Msk = 0x7f,
    CORRELATION_LEAST = 50, /* of a frame that could just be received (data sheet, "LQI") */
    CORRELATION_MOST = 110,
    QUALITY_QUARTERS = 4 * UINT8_MAX / (CORRELATION_MOST - CORRELATION_LEAST), /* 17, and no rest */
    NOISE_SAMPLES = 16,
};

static packet_t packet; /* what is read into; PACKET_NONE: the frame is left out */
static uint8_t psdu;    /* its length with its FCS */
static uint8_t *at;     /* where the rest goes; 0: it is left out */
static uint8_t left;    /* bytes that are still to be read */

/* The last frame whose start was looked for began at this count, or before. */
static uint32_t last;

/* The frame that was sent last, if its acknowledgment is awaited. */
static struct {
    bool is_known;
    uint32_t begin; /* the count at its beginning, */
    uint16_t last;  /* and from then on to the last one at which the acknowledgment's may be */
    uint16_t first;
} awaited;

/* So many counts are more than a frame and those that wait with it take. */
#define BEFORE (UINT32_C(1) << 20)

static bool captures;
static bool is_old; /* a few seconds have passed since that was wanted last */

static uint8_t bad; /* frames since the last intact one */

static bool is_rested; /* nothing was read since there was no overflow */
static bool is_overflown;
static uint8_t sound; /* bytes of whole frames that are at most left then */

void cc2420_receive_capture(void)
{
    is_old = false;
    if (!captures) {
        captures = true;
        capture_start();
    }
}

void cc2420_receive_capture_no_more(void)
{
    if (captures) {
        captures = false;
        capture_stop();
    }
}

void cc2420_receive_keep_pace(void)
{
    if (cc2420_times_compare != 0) {
        cc2420_times_compare();
        last = capture_now() - BEFORE;
    } else if (is_old) {
        cc2420_receive_capture_no_more();
    }
    is_old = true;
}

void cc2420_receive_open(void)
{
    is_overflown = false;
    awaited.is_known = false;
    bad = 0;
    last = capture_now() - BEFORE;
}

/* Bytes that do not belong to a frame that is being received, or has just come. */
static bool has_leftover(void)
{
    return gpio_read(cc2420_wiring.fifo) && !gpio_read(cc2420_wiring.sfd) &&
           gpio_read(cc2420_wiring.fifop);
}

enum receive_state cc2420_receive_look(void)
{
    if (gpio_read(cc2420_wiring.fifop)) {
        is_rested = true;
        return has_leftover() ? RECEIVE_PART : RECEIVE_NOTHING;
    }
    if (gpio_read(cc2420_wiring.fifo)) {
        is_rested = true;
        return RECEIVE_FRAME;
    }
    if (!is_overflown) {
        is_overflown = true;
        sound = is_rested ? FIFO_BYTES : 0;
        radio_note(&radio_state.counters.overflowed);
    }
    return RECEIVE_OVERFLOW;
}

/* A byte is read before, and the command is given twice ("Buffered receive mode", "RXFIFO
 * overflow"). */
bool cc2420_receive_flush(void)
{
    (void)cc2420_begin_read();
    cc2420_end();
    (void)cc2420_strobe(SFLUSHRX);
    (void)cc2420_strobe(SFLUSHRX);
    is_overflown = false;
    return gpio_read(cc2420_wiring.fifop) && !gpio_read(cc2420_wiring.fifo);
}

static void note_corrupted(void)
{
    radio_note(&radio_state.counters.corrupted);
    bad++;
}

/* A packet for the frame, or PACKET_NONE. */
static packet_t packet_for_frame(void)
{
    packet_t fresh;

    if (psdu <= FCS_BYTES) {
        note_corrupted();
    } else if (radio_state.held == RADIO_QUEUE) {
        radio_note(&radio_state.counters.not_taken);
    } else if (packet_alloc_receive(&fresh, TEXT("radio"), psdu) != 0) {
        radio_note(&radio_state.counters.no_packet);
    } else {
        return fresh;
    }
    return PACKET_NONE;
}

static enum receive_outcome flushed(void)
{
    return cc2420_receive_flush() ? RECEIVE_ENDED : RECEIVE_UNSOUND;
}

enum receive_outcome cc2420_receive_begin(void)
{
    is_rested = false;
    if (bad == BAD_MOST) {
        bad = 0;
        return RECEIVE_UNSOUND;
    }
    if (is_overflown && sound == 0) {
        return flushed();
    }
    psdu = cc2420_begin_read() & PACKET_FRAME_BYTES;
    if (is_overflown) {
        if (psdu >= sound) {
            cc2420_end();
            return flushed();
        }
        sound = (uint8_t)(sound - psdu - 1);
    }
    if (time_note_soon != 0) {
        time_note_soon();
    }
    packet = packet_for_frame();
    at = packet != PACKET_NONE ? packet_flat(packet) : 0;
    left = psdu;
    return RECEIVE_MOVES;
}

void cc2420_receive_await(const uint32_t *begin, uint16_t us)
{
    awaited.is_known = begin != 0;
    if (begin != 0) {
        awaited.begin = *begin;
        awaited.first = capture_counts(us);
        awaited.last = capture_counts((uint16_t)(us + RADIO_ANSWER_SYMBOLS * SYMBOL_US));
        if (cc2420_times_note == 0) {
            last = *begin;
        }
    }
}

/* Whether a frame that began at this count may be the acknowledgment that is awaited. */
static bool answers(uint32_t begin)
{
    uint32_t after = begin - awaited.begin;

    return psdu == ACK_BYTES && awaited.is_known && after >= awaited.first && after <= awaited.last;
}

/* Finds when the frame that has been read began. If it was the last one, it has the last pulse of
 * its length. */
static bool find_start(uint32_t *begin)
{
    if (!captures || (psdu != ACK_BYTES && cc2420_times_note == 0)) {
        return false;
    }
    bool is_last = gpio_read(cc2420_wiring.fifop) && !gpio_read(cc2420_wiring.fifo);

    if (!capture_find(last, sfd_us(psdu), is_last ? CAPTURE_NEWEST : CAPTURE_OLDEST, begin)) {
        return false;
    }
    last = *begin;
    return true;
}

static uint8_t quality(uint8_t correlation)
{
    if (correlation <= CORRELATION_LEAST) {
        return 0;
    }
    if (correlation >= CORRELATION_MOST) {
        return UINT8_MAX;
    }
    return (uint8_t)((uint16_t)(correlation - CORRELATION_LEAST) * QUALITY_QUARTERS / 4u);
}

int8_t cc2420_receive_dbm(uint8_t rssi)
{
    int dbm = (int8_t)rssi + RSSI_OFFSET;
    return (int8_t)(dbm < INT8_MIN ? INT8_MIN : dbm);
}

/* The FCS is replaced by RSSI and by correlation and CRC_OK. */
static void hand_on(void)
{
    const uint8_t *end = at - FCS_BYTES;
    uint32_t begin;

    bool has_start = find_start(&begin);
    if (!(end[1] & CRC_OK)) {
        note_corrupted();
        return;
    }
    bad = 0;
    struct packet_attributes *attributes = packet_attributes(packet);
    attributes->dbm = cc2420_receive_dbm(end[0]);
    attributes->lqi = quality(end[1] & CORRELATION_Msk);
    attributes->channel = radio_state.settings.channel;
    attributes->flags = has_start && answers(begin) ? RADIO_ANSWERS : 0;
    if (cc2420_times_note != 0) {
        cc2420_times_note(packet, has_start ? &begin : 0);
    } else if (attributes->flags != 0) {
        cc2420_receive_capture_no_more();
    }
    packet_trim_back(packet, FCS_BYTES);
    radio_take(packet);
    packet = PACKET_NONE;
}

static void leave_out(void)
{
    uint32_t begin;

    (void)find_start(&begin);
}

/* Apart, so that a piece saves no registers for it. */
static __attribute__((noinline)) void end_frame(void)
{
    if (packet != PACKET_NONE) {
        hand_on();
    } else {
        leave_out();
    }
    cc2420_receive_abandon();
}

bool cc2420_receive_move(void)
{
    if (left != 0) {
        uint8_t length = left < PIECE_BYTES ? left : PIECE_BYTES;
        cc2420_move_in(at, length);
        at = at != 0 ? at + length : 0;
        left = (uint8_t)(left - length);
        return true;
    }
    end_frame();
    return false;
}

void cc2420_receive_abandon(void)
{
    cc2420_end();
    if (packet != PACKET_NONE) {
        packet_free(packet);
        packet = PACKET_NONE;
    }
}

/* For programs that draw no random numbers. */
bool cc2420_receive_noise_never(void)
{
    return true;
}

/* The receiver's converters, one for I and one for Q, each of which has noise in its last bit at
 * least (data sheet, "ADCTST"). */
bool cc2420_receive_noise_once(void)
{
    static bool is_added;
    uint32_t noise = 0;

    if (is_added) {
        return true;
    }
    if (!(cc2420_strobe(SNOP) & STATUS_RSSI_VALID)) {
        return false;
    }
    for (uint8_t i = 0; i < NOISE_SAMPLES; i++) {
        noise = noise << 2 ^ cc2420_read(ADCTST);
    }
    random_noise(noise);
    is_added = true;
    return true;
}
