/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The board's radio: frames, sent and received as packets (lichen/packet.h).
 *
 *     EVENT(radio_received)
 *     {
 *         packet_t packet;
 *         while (radio_receive(&packet) == 0) { ... packet_free(packet); }
 *     }
 *     EVENT(sent) { ... sending.result ... }
 *     static struct radio_transfer sending = {.ended = &sent};
 *
 *     static const struct radio_settings settings = {.channel = 26, .dbm = 0, .pan = 0x22,
 *         .short_address = 1, .flags = RADIO_FILTER | RADIO_ACKNOWLEDGE};
 *     radio_set(&settings);
 *     radio_listen(true);
 *     ... sending.packet = packet; int error = radio_send(&sending);
 *
 * The link (lichen/link.h) uses it, or a program that is a link itself, such as a sniffer. One
 * layer owns the radio: it defines the event `radio_received`, and nothing else calls these
 * functions.
 *
 * Every call returns at once. The driver works while other work runs or the processor sleeps, and
 * posts events. radio_facts says what a chip does by itself. The layer above does the rest; if it
 * asks the radio for that, it gets ERR_INVALID.
 *
 * A radio that does not answer, whose synthesizer does not lock, or that stops in the middle of a
 * frame is reset and set up again. Transfers under way end with ERR_IO or ERR_TIMEOUT, and are
 * counted. Every wait for the radio has a limit.
 *
 * The AT86RF233 of the SAM R21 has all capabilities except RADIO_CAN_CIPHER and
 * RADIO_CAN_HOLD_APART: it has one buffer, and is deaf while it holds a frame. Its rates are 250,
 * 500, 1000 and 2000 kbit/s. While it listens, the mote sleeps in standby: 6.4 mA on Hamilton; some
 * seconds after it has stopped listening and sending, it takes 20 nA. A received frame of 100 bytes
 * costs 3,200 cycles until radio_received runs. TCC0 is for the times of its frames
 * (packet_time_us), so PWM (lichen/pwm.h) has TC3 and one pin. With RADIO_CSMA or RADIO_IF_CLEAR a
 * frame that asks for an acknowledgment waits for it, as with RADIO_RETRY. How it works:
 * doc/design/radio.md.
 *
 * The CC2420 of the MICAz has RADIO_CAN_FILTER, RADIO_CAN_ACKNOWLEDGE, RADIO_CAN_TELL_TIME,
 * RADIO_CAN_HOLD and RADIO_CAN_HOLD_APART, and RADIO_PENDING has no effect. While it listens, the
 * mote sleeps in extended standby: 19 mA; in a program that calls packet_time_us, and until an
 * acknowledgment has come, in idle mode: 22 mA. Frames are timed by timer 1, so a program has a
 * real-time task on RT_TIMER_A or PWM beside it: doc/guide/8-which-kind-of-work.md.
 *
 * The CC1000 of the MICA2 only moves bits; its driver does the rest, with an interrupt for each
 * byte. It has all capabilities except RADIO_CAN_TELL_TIME, RADIO_CAN_CIPHER, RADIO_CAN_ANNOUNCE,
 * RADIO_CAN_HOLD and RADIO_CAN_HOLD_APART: the start of a frame is known to a byte. Its rates
 * are 19.2 and 38.4 kbit/s. Its frames are those of TinyOS, whose fifth byte is the length of their
 * payload. While it listens, the mote sleeps in idle mode. A byte that is sent must be written
 * within half a bit, 26 or 13 us: if handlers of other interrupts delay it for longer, the frame is
 * corrupted. This is counted (`underrun`); the frame is sent again with RADIO_RETRY, else its
 * transfer ends with ERR_IO.
 *
 * A program for a board without a radio does not link with these functions.
 */
#ifndef LICHEN_RADIO_H
#define LICHEN_RADIO_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/packet.h>

/* What a radio does by itself. */
enum radio_capability {
    RADIO_CAN_FILTER = 1 << 0,      /* receives only frames for its addresses */
    RADIO_CAN_ACKNOWLEDGE = 1 << 1, /* acknowledges frames that ask for it */
    RADIO_CAN_CSMA = 1 << 2,        /* waits for a clear channel, with random backoff */
    RADIO_CAN_RETRY = 1 << 3,       /* waits for the acknowledgment, and sends again without one */
    RADIO_CAN_TELL_TIME = 1 << 4,   /* the time of a frame's start is exact to a tick of the chip's
                                     * capture, not to the latency of an interrupt */
    RADIO_CAN_CIPHER = 1 << 5,      /* encrypts blocks (AES-128) */
    RADIO_CAN_RATES = 1 << 6,       /* has rates besides the first one */
    RADIO_CAN_ANNOUNCE = 1 << 7,    /* its acknowledgments say that data waits: RADIO_PENDING */
    RADIO_CAN_HOLD = 1 << 8,        /* keeps a frame until it is told to send it: RADIO_HOLD */
    RADIO_CAN_HOLD_APART = 1 << 9,  /* and receives meanwhile */
};

/* Of a driver without RADIO_CAN_ACKNOWLEDGE: the link acknowledges frames for it. */
#define RADIO_NEEDS_ACKNOWLEDGMENTS __asm__(".global link_acknowledge")

/* What a radio is. */
struct radio_facts {
    uint16_t capabilities;  /* enum radio_capability */
    uint8_t channel_first;  /* number of the first channel */
    uint8_t channel_last;   /* number of the last channel */
    int8_t dbm_least;       /* least transmit power */
    int8_t dbm_most;        /* largest transmit power */
    uint8_t frame_bytes;    /* the longest frame, with its checksum */
    uint8_t overhead_bytes; /* of a frame on the air, before its first byte */
    uint16_t byte_us;       /* time of a byte at the first rate */
    uint16_t symbol_us;     /* unit of backoff and acknowledgment times */
    uint16_t turnaround_us; /* from receiving to sending, and back */
    uint16_t told_us;       /* from the end of a frame that was sent, or of the acknowledgment that
                             * the radio awaits, until the event of its transfer, at least */
    uint16_t received_us;   /* from the end of an acknowledgment that is received as a frame until
                             * radio_received, at least */
    uint16_t start_us;      /* from the due time of an alarm whose event calls radio_go until the
                             * frame begins on the air, at least */
    uint8_t rates;          /* number of rates */
};

extern const ARCH_FLASH struct radio_facts radio_facts;

/* Flags of the settings. */
enum radio_flag {
    RADIO_FILTER = 1 << 0,      /* receives only frames for its addresses; needs RADIO_CAN_FILTER */
    RADIO_ACKNOWLEDGE = 1 << 1, /* acknowledges; needs RADIO_FILTER and RADIO_CAN_ACKNOWLEDGE */
    RADIO_PENDING = 1 << 2,     /* acknowledgments of requests for data say that data waits */
    RADIO_COORDINATOR = 1 << 3, /* also receives frames without a destination, from its PAN */
    RADIO_ACKNOWLEDGE_2015 = 1 << 4, /* also acknowledges frames of version 2 */
};

struct radio_settings {
    uint8_t channel;
    int8_t dbm;    /* transmit power; the radio takes its next lower one */
    uint8_t flags; /* enum radio_flag */
    uint8_t rate;  /* from 0, the first one, on: above */
    uint16_t pan;
    uint16_t short_address;      /* 0xffff: none */
    uint8_t extended_address[8]; /* the least significant byte first */
};

/* How a frame is sent. */
enum radio_transfer_flag {
    RADIO_CSMA = 1 << 0,     /* waits for a clear channel; needs RADIO_CAN_CSMA */
    RADIO_RETRY = 1 << 1,    /* the frame asks for an acknowledgment; needs RADIO_CAN_RETRY */
    RADIO_IF_CLEAR = 1 << 2, /* only if the channel is clear, which is assessed once */
    RADIO_HOLD = 1 << 3,     /* it is brought to the radio, and sent only after radio_go, which
                              * nothing replaces: until then later transfers wait, and a radio
                              * without RADIO_CAN_HOLD_APART is deaf; needs RADIO_CAN_HOLD */
    RADIO_AGAIN = 1 << 4,    /* it is the frame that this transfer has sent last, unchanged: a radio
                              * which still has that needs not be given it again */
};

/* Sending a frame. */
struct radio_transfer {
    struct event *ended;    /* posted at its end */
    struct event *begun;    /* posted when the radio has begun to send it; 0: none */
    packet_t packet;        /* the frame without its checksum; the caller keeps its reference */
    uint8_t flags;          /* enum radio_transfer_flag */
    uint8_t csma_retries;   /* RADIO_CSMA: how often a busy channel is tried again, 0 to 5 */
    uint8_t exponent_least; /* RADIO_CSMA: exponent of the first backoff, 0 to 8 */
    uint8_t exponent_most;  /* RADIO_CSMA: largest exponent of a backoff, 0 to 8 */
    uint8_t frame_retries;  /* RADIO_RETRY: how often the frame is sent again, 0 to 7 */
    volatile bool active;   /* from its start to its end */
    /* Its outcome; and packet_time_us has the start of the frame, the end of its SFD: 0 if it was
     * not sent, or is not known. */
    uint8_t result; /* 0; ERR_CHANNEL: the channel was never clear; ERR_NO_ACK: no acknowledgment;
                     * ERR_IO, ERR_TIMEOUT: the radio failed; ERR_CANCELLED; ERR_INVALID: on mica2,
                     * the frame's fifth byte is not the length of its payload */
    uint8_t sent;   /* how often it was sent */
    bool pending;   /* the acknowledgment says that data waits for this mote */
    /* The driver's. */
    struct radio_transfer *next;
};

/* A flag of a received packet's attributes, from radios without RADIO_CAN_RETRY: the frame began
 * where the acknowledgment of the one that was sent last does. From the end of that one to the end
 * of the start of this one, its SFD, there were at most so many symbols: macAckWaitDuration, and
 * 352 us at 2.4 GHz for receivers that acknowledge by software. Another mote looks at the channel
 * for 8 symbols, turns around in 12, and sends 34 at least: its acknowledgment comes later. Only
 * frames as long as acknowledgments have it, after a frame that asks for one. */
#define RADIO_ANSWERS        (1 << 0)
#define RADIO_ANSWER_SYMBOLS 76u

/* A measurement of the channel. */
struct radio_measurement {
    struct event *ended;
    volatile bool active;
    uint8_t result; /* 0; ERR_IO, ERR_TIMEOUT: the radio failed; ERR_CANCELLED */
    int8_t dbm;     /* mean power in the channel */
    bool is_clear;  /* as the radio judges it */
};

/* Why frames were lost, and what else went wrong. Each stops at its largest value. */
struct radio_counters {
    uint16_t received;
    uint16_t sent;
    uint16_t corrupted;  /* received with a wrong checksum or length */
    uint16_t overflowed; /* the radio had no room for them, as far as it reports that */
    uint16_t no_packet;  /* no packet could be allocated for them */
    uint16_t not_taken;  /* RADIO_QUEUE packets were waiting, and the radio could not keep them */
    uint16_t channel_busy;
    uint16_t not_acknowledged;
    uint16_t underrun; /* the frame, or a byte of it, did not reach the radio in time */
    uint16_t restarts; /* resets of a radio that failed */
};

/* Packets that the driver keeps until radio_receive takes them. */
#define RADIO_QUEUE 2u

/* Posted when radio_receive has a packet. The layer that uses the radio defines it, and so its
 * handler radio_received_event. */
EVENT_EXTERN(radio_received);

/* Sets how the radio is used. Takes effect when the transfers under way have ended, before any
 * later request.
 * returns   0, or ERR_INVALID: the channel or the rate does not exist, or the radio cannot do by
 *           itself what the flags say; nothing has changed
 * context   event, thread, coop
 * blocks    no
 */
MUST_CHECK int radio_set(const struct radio_settings *settings);

/* Sets whether the radio receives while it does not send. If not, it sleeps as deep as it can while
 * there is nothing to send.
 * context   event, thread, coop
 * blocks    no
 */
void radio_listen(bool listens);

/* Queues a frame to be sent after all earlier ones.
 * returns   0: it will end, not within this call, and post its event; ERR_BUSY: it has been
 *           started and has not ended; ERR_INVALID: the frame is empty, too long or in several
 *           blocks, or the radio cannot do by itself what `flags` say
 * context   event, thread, coop
 * blocks    no
 * owns      the transfer belongs to the radio until it has ended, and the packet is not changed
 */
MUST_CHECK int radio_send(struct radio_transfer *transfer);

/* Lets the radio send a frame that it holds (RADIO_HOLD), as soon as it has it.
 * returns   0, or ERR_EMPTY: it is not active
 * context   event, thread, coop
 * blocks    no
 */
int radio_go(struct radio_transfer *transfer);

/* Cancels a transfer that is not on the air yet.
 * returns   0: its event is posted, with ERR_CANCELLED; ERR_BUSY: it is on the air, and ends soon;
 *           ERR_EMPTY: it is not active
 * context   event, thread, coop
 * blocks    no
 */
int radio_cancel(struct radio_transfer *transfer);

/* Takes a received frame, without its checksum. Its attributes hold its strength, its quality and
 * its channel; packet_time_us has its start, the end of its SFD.
 * packet    the caller's from now on
 * returns   0, or ERR_EMPTY
 * context   event, thread, coop
 * blocks    no
 */
MUST_CHECK int radio_receive(packet_t *packet);

/* Measures the channel while the radio listens. If the radio stops listening meanwhile, the
 * measurement ends with ERR_CANCELLED.
 * returns   0: it will end, and post its event; ERR_BUSY: it has not ended; ERR_INVALID: the radio
 *           does not listen
 * context   event, thread, coop
 * blocks    no
 */
MUST_CHECK int radio_measure(struct radio_measurement *measurement);

/* Reads the counters.
 * context   event, thread, coop
 * blocks    no
 */
void radio_count(struct radio_counters *counters);

#endif
