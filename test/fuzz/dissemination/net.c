/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "net.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <lichen/random.h>

#include "../host/host.h"
#include "service/dissemination/dissemination.h"
#include "service/dissemination/store.h"

enum {
    QUEUE = 3,  /* frames that have come */
    OUTBOX = 4, /* and that go out */
    TRIES = 5,  /* at a channel that is busy */

    ERASE_US = 6000,
    WRITE_US = 5000,
    BACKOFF_US = 320,
    BACKOFFS = 8, /* and twice as many after each try */
    BYTE_US = 32,
    OVERHEAD = 23,  /* bytes of a frame beside the message */
    SEND_US = 3000, /* for which a thread that sends waits, beside the air */
    PIECE = 50,
};

struct frame {
    uint16_t source;
    uint8_t length;
    uint8_t bytes[DISSEMINATION_FRAME];
};

struct mote {
    struct dissemination state;
    uint8_t flash[NET_STORE];
    bool is_on;
    bool is_spoiled; /* what is written next */
    uint8_t cut_in;  /* operations of its flash, with the one before which power fails; 0: never */
    uint64_t wakes;  /* its thread */
    uint64_t writes_to; /* when its flash is written */
    struct frame in[QUEUE];
    struct frame out[OUTBOX];
    uint8_t ins, outs;
    uint8_t tries;
    bool sends;       /* out[0] */
    uint64_t next;    /* when that begins, or ends */
    uint32_t spoiled; /* a bit for each mote that cannot make it out */
};

static struct mote motes[NET_MOTES];
static uint32_t hears[NET_MOTES]; /* bits */
static uint32_t link_quality;
static uint32_t state;
static uint8_t bytes_of[2][NET_STORE]; /* of objects with even and odd numbers */
static uint16_t length_of[2];

uint64_t net_now;
uint32_t net_frames;

/* The mote whose thread runs, and its time. */
static uint8_t own;
static uint64_t own_now;

uint32_t net_random(uint32_t bound)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % bound;
}

/* -------- what dissemination calls */

uint32_t random_below(uint32_t below)
{
    return net_random(below);
}

uint64_t time_now_us(void)
{
    return own_now;
}

static jmp_buf power;

static void operate(void)
{
    if (motes[own].cut_in != 0 && --motes[own].cut_in == 0) {
        longjmp(power, 1);
    }
}

static void write_for(uint32_t us)
{
    own_now += us;
    motes[own].writes_to = own_now;
}

uint16_t dissemination_store_bytes(void)
{
    return NET_STORE;
}

uint16_t dissemination_store_read(uint16_t offset)
{
    require(offset % 2 == 0 && offset + 2 <= NET_STORE);
    return (uint16_t)(motes[own].flash[offset] | motes[own].flash[offset + 1] << 8);
}

int dissemination_store_erase(uint16_t offset)
{
    require(offset % STORE_PAGE == 0 && offset + STORE_PAGE <= NET_STORE);
    operate();
    memset(motes[own].flash + offset, 0xff, STORE_PAGE);
    write_for(ERASE_US);
    return 0;
}

int dissemination_store_add(uint16_t offset, const uint8_t *bytes, uint8_t count)
{
    uint8_t *at = motes[own].flash + offset;

    require(offset % 2 == 0 && offset + count <= NET_STORE);
    operate();
    for (uint8_t i = 0; i < count; i++) {
        require(at[i] == 0xff || at[i] == bytes[i]);
        at[i] = bytes[i];
    }
    if (motes[own].is_spoiled && offset < NET_STORE - STORE_PAGE) {
        motes[own].is_spoiled = false;
        at[0] ^= 1;
    }
    write_for(WRITE_US);
    return 0;
}

void link_own(struct link_address *address)
{
    memset(address, 0, sizeof(*address));
    address->short_address = own;
}

static uint32_t backoff(uint8_t tries)
{
    return BACKOFF_US * (1 + net_random((uint32_t)BACKOFFS << tries));
}

int am_send(uint16_t destination, uint8_t type, const void *payload, uint8_t length)
{
    struct mote *mote = &motes[own];

    require(destination == AM_ALL && type == DISSEMINATION_TYPE && mote->outs < OUTBOX);
    struct frame *frame = &mote->out[mote->outs++];
    frame->source = own;
    frame->length = length;
    memcpy(frame->bytes, payload, length);
    if (mote->outs == 1) {
        mote->next = own_now + backoff(0);
    }
    own_now += SEND_US + (length + OVERHEAD) * BYTE_US;
    return 0;
}

/* What has come waits while the mote sends. */
int am_try_receive(struct link_receiver *receiver, struct am_message *message, void *payload,
                   uint8_t size)
{
    struct mote *mote = &motes[own];

    (void)receiver;
    if (mote->ins == 0 || mote->outs > 0) {
        return ERR_EMPTY;
    }
    require(mote->in[0].length <= size);
    message->source = mote->in[0].source;
    message->length = mote->in[0].length;
    memcpy(payload, mote->in[0].bytes, mote->in[0].length);
    mote->ins--;
    memmove(mote->in, mote->in + 1, mote->ins * sizeof(mote->in[0]));
    return 0;
}

int am_receive(struct link_receiver *receiver, struct am_message *message, void *payload,
               uint8_t size, uint64_t deadline)
{
    (void)deadline;
    return am_try_receive(receiver, message, payload, size);
}

struct link_receiver dissemination_messages;
static struct event arrived;
struct event *const dissemination_arrived = &arrived;

void dissemination_handle(uint16_t source, uint8_t *bytes, uint8_t length)
{
    dissemination_handle_usual(source, bytes, length);
}

void dissemination_announce(uint8_t *bytes)
{
    dissemination_announce_usual(bytes);
}

/* Sequences, which are functions here. */
int mutex_enter(void *mutex);
int mutex_leave(void *mutex);

int mutex_enter(void *mutex)
{
    (void)mutex;
    return 0;
}

int mutex_leave(void *mutex)
{
    (void)mutex;
    return 0;
}

/* -------- motes */

static void enter(uint8_t mote)
{
    own = mote;
    own_now = net_now;
    dissemination_state = motes[mote].state;
}

static void leave(void)
{
    motes[own].state = dissemination_state;
}

static void step(uint8_t mote)
{
    enter(mote);
    if (setjmp(power) == 0) {
        motes[mote].wakes = dissemination_step();
        leave();
    } else {
        net_power(own, true);
    }
}

void net_power(uint8_t mote, bool is_on)
{
    struct mote *one = &motes[mote];

    memset(&one->state, 0, sizeof(one->state));
    one->is_on = is_on;
    one->wakes = net_now;
    one->writes_to = 0;
    one->ins = 0;
    one->outs = 0;
    one->sends = false;
}

void net_feed(uint8_t mote, uint16_t number, uint16_t length)
{
    uint8_t *bytes = bytes_of[number % 2];

    length_of[number % 2] = length;
    for (uint16_t i = 0; i < length; i++) {
        bytes[i] = (uint8_t)net_random(256);
    }
    enter(mote);
    require(dissemination_begin(number, length) == 0);
    for (uint16_t at = 0; at < length; at += PIECE) {
        uint16_t count = length - at < PIECE ? (uint16_t)(length - at) : (uint16_t)PIECE;
        require(dissemination_feed(bytes + at, count) == 0);
    }
    require(dissemination_end() == 0);
    leave();
    motes[mote].wakes = net_now;
}

void net_cut(uint8_t mote, uint8_t operation)
{
    motes[mote].cut_in = (uint8_t)(operation + 1u);
}

void net_spoil(uint8_t mote)
{
    motes[mote].is_spoiled = true;
}

void net_refuse(uint8_t mote)
{
    struct dissemination_object object;

    enter(mote);
    require(dissemination_look(&object) == 0);
    dissemination_refuse(&object);
    leave();
}

bool net_all_have(uint16_t number)
{
    for (uint8_t i = 0; i < NET_MOTES; i++) {
        const struct dissemination *mote = &motes[i].state;

        if (!mote->is_complete || mote->object.number != number) {
            return false;
        }
        require(mote->object.length == length_of[number % 2]);
        require(memcmp(motes[i].flash, bytes_of[number % 2], mote->object.length) == 0);
    }
    return true;
}

void net_tell(void)
{
    for (uint8_t i = 0; i < NET_MOTES; i++) {
        const struct dissemination *mote = &motes[i].state;

        fprintf(stderr, "mote %u: %s, %u of %u parts of object %u\n", i,
                motes[i].is_on ? "on" : "off", mote->have, mote->parts, mote->object.number);
    }
}

/* -------- the air */

static bool hear(uint8_t to, uint8_t from)
{
    return (hears[to] >> from & 1) != 0;
}

static bool is_busy_at(uint8_t mote)
{
    for (uint8_t i = 0; i < NET_MOTES; i++) {
        if (motes[i].sends && hear(mote, i)) {
            return true;
        }
    }
    return false;
}

/* Two that send at once do not hear each other, and nobody makes out one of them who hears both. */
static void overlap(uint8_t one, uint8_t other)
{
    uint32_t both = 1u << one | 1u << other;

    for (uint8_t i = 0; i < NET_MOTES; i++) {
        if (hear(i, one) && hear(i, other)) {
            both |= 1u << i;
        }
    }
    motes[one].spoiled |= both;
    motes[other].spoiled |= both;
}

static void end_frame(struct mote *mote)
{
    mote->sends = false;
    mote->tries = 0;
    mote->outs--;
    memmove(mote->out, mote->out + 1, mote->outs * sizeof(mote->out[0]));
    mote->next = net_now + backoff(0);
}

static void begin_frame(uint8_t from)
{
    struct mote *mote = &motes[from];

    if (!is_busy_at(from)) {
        mote->spoiled = 0;
        for (uint8_t i = 0; i < NET_MOTES; i++) {
            if (motes[i].sends) {
                overlap(from, i);
            }
        }
        mote->sends = true;
        mote->next = net_now + (mote->out[0].length + OVERHEAD) * BYTE_US;
    } else if (++mote->tries < TRIES) {
        mote->next = net_now + backoff(mote->tries);
    } else {
        end_frame(mote);
    }
}

static void hear_frame(uint8_t from, uint8_t to)
{
    struct mote *mote = &motes[to];

    if (mote->is_on && hear(to, from) && (motes[from].spoiled >> to & 1) == 0 && !mote->sends &&
        mote->writes_to <= net_now && mote->ins < QUEUE && net_random(256) < link_quality) {
        mote->in[mote->ins++] = motes[from].out[0];
        mote->wakes = net_now;
    }
}

static void go_on_sending(uint8_t from)
{
    if (!motes[from].sends) {
        begin_frame(from);
        return;
    }
    net_frames++;
    for (uint8_t i = 0; i < NET_MOTES; i++) {
        hear_frame(from, i);
    }
    end_frame(&motes[from]);
}

/* -------- time */

/* When a mote does something next. */
static uint64_t next_of(const struct mote *mote)
{
    if (!mote->is_on) {
        return UINT64_MAX;
    }
    if (mote->outs > 0) {
        return mote->next;
    }
    return mote->wakes > mote->writes_to ? mote->wakes : mote->writes_to;
}

void net_run(uint64_t until)
{
    for (;;) {
        uint8_t first = 0;

        for (uint8_t i = 1; i < NET_MOTES; i++) {
            if (next_of(&motes[i]) < next_of(&motes[first])) {
                first = i;
            }
        }
        uint64_t next = next_of(&motes[first]);
        if (next >= until) {
            net_now = until;
            return;
        }
        net_now = next > net_now ? next : net_now;
        if (motes[first].outs > 0) {
            go_on_sending(first);
        } else {
            step(first);
        }
    }
}

void net_begin(uint32_t seed, const uint8_t *places, uint32_t quality)
{
    state = seed * 2654435761u | 1u;
    net_now = 0;
    net_frames = 0;
    link_quality = quality;
    for (uint8_t i = 0; i < NET_MOTES; i++) {
        hears[i] = 0;
        for (uint8_t j = 0; j < NET_MOTES; j++) {
            bool is_near = places[i] <= places[j] + 1 && places[j] <= places[i] + 1;
            hears[i] |= i != j && is_near ? 1u << j : 0;
        }
        memset(motes[i].flash, 0xff, NET_STORE);
        net_power(i, true);
        motes[i].wakes = net_random((uint32_t)NET_S);
    }
}
