/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Link ping: each second a mote sends a ping to all, and each mote that receives it answers. Every
 * ten seconds it prints who has answered: how many answers are missing, how long they took, and how
 * strong the signal is here and there.
 *
 *     mote  missing  least    mean    most us  dBm here there
 *     016d      0 %   3241    5214    9011         -61   -61
 *
 * A round trip has two waits for a clear channel in it, and an acknowledgment.
 *
 *     ./lichen run link_ping --motes 4 --topology line --for 1min
 */
#include <lichen/am.h>
#include <lichen/print.h>
#include <lichen/random.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum { PING = 80, ECHO = 81, PEERS = 8, PINGS_IN_ROUND = 10 };

/* A mote that has answered. */
struct peer {
    uint16_t address;
    uint16_t first; /* number of the first ping that it answered */
    uint16_t last;  /* number of the last one */
    uint16_t answers;
    uint32_t least_us, most_us, sum_us;
    int8_t here_dbm, there_dbm;
};

static struct peer peers[PEERS];
static uint16_t number;   /* number of the last ping */
static uint64_t begun_us; /* time of the last ping */

/* -------- answering: an event, so that it takes no thread */

EVENT_EXTERN(asked);
AM_RECEIVER_EVENT(pings, PING, 2, asked);

/* Answers with the number of the ping, and its strength. */
EVENT(asked)
{
    static struct link_transfer answer;
    struct am_message message;
    uint8_t payload[3];

    while (am_try_receive(&pings, &message, payload, 2) == 0) {
        payload[2] = (uint8_t)message.dbm;
        if (am_begin(&answer, message.source, ECHO, payload, sizeof(payload)) != 0) {
            continue; /* the answer before is still being sent */
        }
    }
}

/* -------- asking */

AM_RECEIVER(echoes, ECHO, PEERS);

static struct peer *find(uint16_t address)
{
    for (unsigned i = 0; i < PEERS; i++) {
        struct peer *peer = &peers[i];
        if (peer->answers == 0) {
            peer->address = address;
            peer->first = number;
            peer->least_us = UINT32_MAX;
        }
        if (peer->address == address) {
            return peer;
        }
    }
    return 0;
}

/* Where frames have no number, an answer comes twice if its acknowledgment was lost. */
static void note(const struct am_message *message, int8_t there_dbm)
{
    struct peer *peer = find(message->source);
    uint32_t us = (uint32_t)(time_now_us() - begun_us);

    if (peer == 0 || (peer->answers > 0 && peer->last == number)) {
        return;
    }
    peer->last = number;
    peer->answers++;
    peer->sum_us += us;
    peer->least_us = us < peer->least_us ? us : peer->least_us;
    peer->most_us = us > peer->most_us ? us : peer->most_us;
    peer->here_dbm = message->dbm;
    peer->there_dbm = there_dbm;
}

static void ping(void)
{
    struct am_message message;
    uint8_t payload[3];

    number++;
    payload[0] = (uint8_t)(number >> 8);
    payload[1] = (uint8_t)number;
    begun_us = time_now_us();
    int error = am_send(AM_ALL, PING, payload, 2);
    if (error != 0) {
        print("ping: %s\n", error_name(error));
    }
    while (am_receive(&echoes, &message, payload, sizeof(payload), begun_us + TIME_US_PER_S) == 0) {
        if (payload[0] == (uint8_t)(number >> 8) && payload[1] == (uint8_t)number) {
            note(&message, (int8_t)payload[2]);
        }
    }
}

static void print_peers(void)
{
    print("mote  missing  least    mean    most us  dBm here there\n");
    for (unsigned i = 0; i < PEERS && peers[i].answers > 0; i++) {
        const struct peer *peer = &peers[i];
        unsigned times = (uint16_t)(number - peer->first + 1u);
        print("%04x    %3u %% %6lu  %6lu  %6lu        %4d  %4d\n", peer->address,
              (unsigned)((times - peer->answers) * 100ul / times), (unsigned long)peer->least_us,
              (unsigned long)(peer->sum_us / peer->answers), (unsigned long)peer->most_us,
              peer->here_dbm, peer->there_dbm);
    }
}

THREAD(pinger, ARCH_FLASH_IS_APART ? 400 : 640, PRIORITY_APP)
{
    int error = link_open(0);

    if (error != 0) {
        print("link: %s\n", error_name(error));
        return;
    }
    sleep_us(random_below(TIME_US_PER_S)); /* or motes that start together collide */
    for (;;) {
        for (unsigned i = 0; i < PINGS_IN_ROUND; i++) {
            ping();
        }
        print_peers();
    }
}
