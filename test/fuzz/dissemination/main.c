/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Objects go from one mote to all, in networks and by accidents that a seed makes: they arrive
 * whole, soon, and with few frames.
 *
 *     dissemination SEED ROUNDS
 *
 * Networks of `places`: 15 motes over four hops; and two crowds that one mote on each side joins.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../host/host.h"
#include "net.h"

enum {
    FED_S = 5,
    BYTES = 4096,
    SHORT_BYTES = 461,
    PAGES = BYTES / 256,
    HOPS = 4,
    FRAMES_MOST = 3 * PAGES * HOPS, /* on average */
    SPOILED = 7,                    /* a mote */
    CUT = 8,                        /* another one */
    CUT_OPERATIONS = 8,
    CUTS = 6,
    CUTS_WITHIN_MS = 9000,
};

static const uint8_t in_hops[NET_MOTES] = {0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4};
static const uint8_t in_crowds[NET_MOTES] = {0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3};

static uint32_t seed;
static const char *network;

static void tell(void)
{
    fprintf(stderr, "%s, seed %lu, at %.1f s\n", network, (unsigned long)seed,
            (double)net_now / NET_S);
    net_tell();
}

/* Until all have it. Returns the seconds. */
static double wait_for(uint16_t number, uint32_t most_s)
{
    uint64_t begin = net_now;

    while (!net_all_have(number)) {
        require(net_now - begin < most_s * NET_S);
        net_run(net_now + NET_S / 10);
    }
    return (double)(net_now - begin) / NET_S;
}

static double most(double one, double other)
{
    return one > other ? one : other;
}

/* Nothing is lost but by collisions. Returns the frames. */
static uint32_t pass_long(void)
{
    network = "hops";
    net_begin(seed, in_hops, 256);
    net_run(FED_S * NET_S);
    net_feed(0, 5, BYTES);
    uint32_t before = net_frames;
    (void)wait_for(5, 20);
    return net_frames - before;
}

/* When all have been quiet, another object comes from the other end, where the first one was of no
 * use. At its edge are motes that hear many neighbours, and one that they do not hear. One mote
 * gets a part of each object wrong, and takes all of it again; the power of another one fails while
 * it takes the second one. */
static double pass_second(const char *name, const uint8_t *places)
{
    network = name;
    net_begin(seed, places, 256);
    net_run(FED_S * NET_S);
    net_spoil(SPOILED);
    net_feed(0, 5, SHORT_BYTES);
    double first = wait_for(5, 12);
    net_run(net_now + (60 + net_random(600)) * NET_S);
    net_refuse(NET_MOTES - 1);
    net_spoil(SPOILED);
    net_cut(CUT, (uint8_t)net_random(CUT_OPERATIONS));
    net_feed(NET_MOTES - 1, 6, SHORT_BYTES);
    return most(first, wait_for(6, 12));
}

/* A fifth of the frames is lost on each link, some motes are without power for a moment, one comes
 * late, and in half of the rounds a newer object follows from the other end. */
static double pass_badly(void)
{
    uint16_t number = (uint16_t)(5 + net_random(2));

    network = "accidents";
    net_begin(seed, in_hops, 205);
    net_power(13, false);
    net_run(FED_S * NET_S);
    net_feed(0, 5, BYTES);
    for (uint8_t i = 0; i < CUTS; i++) {
        uint8_t mote = (uint8_t)(1 + 4 * net_random(3));
        net_run(net_now + net_random(CUTS_WITHIN_MS / CUTS) * 1000);
        net_power(mote, false);
        net_run(net_now + net_random(500) * 1000);
        net_power(mote, true);
        if (i == CUTS / 2 && number == 6) {
            net_feed(NET_MOTES - 1, 6, BYTES);
        }
    }
    net_power(13, true);
    return wait_for(number, 60);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        return 2;
    }
    uint32_t first = (uint32_t)strtoul(argv[1], 0, 10);
    uint32_t rounds = (uint32_t)strtoul(argv[2], 0, 10);
    uint64_t frames = 0;
    double slowest = 0;
    double worst = 0;

    host_at_death(tell);
    for (uint32_t i = 0; i < rounds; i++) {
        seed = first + i;
        frames += pass_long();
        slowest = most(slowest, pass_second("hops, again", in_hops));
        slowest = most(slowest, pass_second("crowds", in_crowds));
        worst = most(worst, pass_badly());
    }
    require(frames <= (uint64_t)rounds * FRAMES_MOST);
    printf(
        "%lu networks of 15 motes; %.2f frames for each page and hop; a second object in %.1f s, "
        "with accidents in %.1f s at most\n",
        (unsigned long)rounds * 4, (double)frames / rounds / PAGES / HOPS, slowest, worst);
    return 0;
}
