/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The dining philosophers: five threads, five semaphores, no deadlock.
 *
 * Five philosophers sit around a table with one fork between each two. They think, grow hungry,
 * take the fork on either side, eat, and put both back. If each took the left fork first, all could
 * hold one and wait for ever for the other. So the forks are numbered, and each takes the lower
 * number first: then the one that holds the highest fork in use waits for no other, eats, and puts
 * both forks back.
 *
 * Each philosopher is a thread; all run the same code, each at a seat of its own. Each fork is a
 * semaphore that starts at 1. Every change prints one row: what all five do, and how often each has
 * eaten.
 *
 *     ./lichen run philosophers --for 10s
 */
#include <lichen/print.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#define SEATS       5u
#define STACK_BYTES 576

/* The least time that thinking and eating take, and the range of the random addition. */
#define THINK_MS  300u
#define EAT_MS    200u
#define CHANCE_MS 512u

enum doing {
    THINKS,
    WAITS,
    EATS,
};

struct seat {
    enum doing doing; /* written by the philosopher who sits here, read by all for the rows */
    unsigned meals;   /* likewise */
    uint32_t chance;  /* state of the seat's own random numbers, never 0 */
};

static struct seat seats[SEATS] = {
    {.chance = 1}, {.chance = 2}, {.chance = 3}, {.chance = 4}, {.chance = 5},
};

static struct semaphore forks[SEATS] = {
    {.count = 1}, {.count = 1}, {.count = 1}, {.count = 1}, {.count = 1}};

static const char *word(unsigned seat)
{
    static const char *const words[] = {[THINKS] = ".", [WAITS] = "waits", [EATS] = "EATS"};

    return words[seats[seat].doing];
}

static void print_head(void)
{
    print("  time     usnea    parmelia cladonia lobaria  physcia   meals of each\n");
}

static void print_row(void)
{
    unsigned long ms = (unsigned long)(time_now_us() / TIME_US_PER_MS);

    print("%4lu.%03lu   %-8s %-8s %-8s %-8s %-8s  %3u %3u %3u %3u %3u\n", ms / 1000, ms % 1000,
          word(0), word(1), word(2), word(3), word(4), seats[0].meals, seats[1].meals,
          seats[2].meals, seats[3].meals, seats[4].meals);
}

static void now_does(struct seat *seat, enum doing doing)
{
    seat->doing = doing;
    print_row();
}

/* At least `ms`, and up to CHANCE_MS more (xorshift, Marsaglia 2003). */
static void take_time(struct seat *seat, unsigned ms)
{
    seat->chance ^= seat->chance << 13;
    seat->chance ^= seat->chance >> 17;
    seat->chance ^= seat->chance << 5;
    sleep_ms(ms + seat->chance % CHANCE_MS);
}

/* The life of the philosopher at seat `number`, between fork `number` and the next one. */
static void dine(unsigned number)
{
    struct seat *seat = &seats[number];
    unsigned next = (number + 1) % SEATS;
    struct semaphore *lower = &forks[number < next ? number : next];
    struct semaphore *higher = &forks[number < next ? next : number];

    for (;;) {
        take_time(seat, THINK_MS);
        now_does(seat, WAITS);
        semaphore_wait(lower);
        semaphore_wait(higher);
        seat->meals++;
        now_does(seat, EATS);
        take_time(seat, EAT_MS);
        now_does(seat, THINKS);
        semaphore_post(higher);
        semaphore_post(lower);
    }
}

THREAD(usnea, STACK_BYTES, PRIORITY_APP)
{
    print_head();
    dine(0);
}

THREAD(parmelia, STACK_BYTES, PRIORITY_APP)
{
    dine(1);
}

THREAD(cladonia, STACK_BYTES, PRIORITY_APP)
{
    dine(2);
}

THREAD(lobaria, STACK_BYTES, PRIORITY_APP)
{
    dine(3);
}

THREAD(physcia, STACK_BYTES, PRIORITY_APP)
{
    dine(4);
}
