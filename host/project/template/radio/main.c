/* @PROGRAM@: once a second each mote sends a number to all motes in reach, and prints the numbers
 * that it receives.
 *
 * There is no main. THREAD declares a thread where it is defined: its name, the bytes of its
 * stack, its priority; it starts with the mote. Public headers are in os/include/lichen.
 */
#include <lichen/am.h>
#include <lichen/print.h>
#include <lichen/random.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum {
    NUMBER = 100, /* the type of the messages: motes receive the types that they ask for */
    PENDING = 4,  /* messages that may wait to be received */
};

AM_RECEIVER(numbers, NUMBER, PENDING);

/* Numbers are sent with the most significant byte first. */
static void send(uint16_t number)
{
    const uint8_t payload[] = {(uint8_t)(number >> 8), (uint8_t)number};
    int error = am_send(AM_ALL, NUMBER, payload, sizeof(payload));

    if (error != 0) {
        print("number %u was not sent: %s\n", number, error_name(error));
    }
}

/* Prints what other motes send, until then. */
static void listen_until(uint64_t end_us)
{
    struct am_message message;
    uint8_t payload[2] = {0, 0};

    while (am_receive(&numbers, &message, payload, sizeof(payload), end_us) == 0) {
        print("%04x sent %u, received with %d dBm\n", message.source,
              (unsigned)(payload[0] << 8 | payload[1]), message.dbm);
    }
}

/* The MICAs have little RAM, and calls take less of it there. */
THREAD(talker, ARCH_FLASH_IS_APART ? 400 : 640, PRIORITY_APP)
{
    int error = link_open(0);

    if (error != 0) {
        print("no link: %s\n", error_name(error));
        return;
    }
    uint64_t due_us = time_now_us() + random_below(TIME_US_PER_S); /* motes start together */
    for (uint16_t number = 1;; number++) {
        listen_until(due_us);
        send(number);
        due_us += TIME_US_PER_S;
    }
}
