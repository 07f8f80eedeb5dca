/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link by hand: console commands that send packets, and count what has become of them.
 *
 *     open 1
 *     send 2 100
 *
 * sends a hundred messages from mote 1 to mote 2, one after the other, and prints how many were
 * acknowledged. Messages carry their number. What comes is counted.
 */
#include <lichen/am.h>
#include <lichen/shell.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum { TYPE = 6, BYTES_MOST = 100, PAUSE_MOST_MS = 10000 };

SHELL(SHELL_STACK + (ARCH_FLASH_IS_APART ? 192 : 256), PRIORITY_APP);
PACKET_POOL(ARCH_FLASH_IS_APART ? 4 : 16);

static uint16_t received, repeated;

/* ---------------------------------------------------------------- receiving */
EVENT_EXTERN(came);
AM_RECEIVER_EVENT(messages, TYPE, 4, came);

/* Numbers of one sender after the other are expected. */
EVENT(came)
{
    static uint16_t last_source, last_number;
    struct am_message message;
    uint8_t payload[2];

    while (am_try_receive(&messages, &message, payload, sizeof(payload)) == 0) {
        uint16_t number = (uint16_t)((uint16_t)payload[0] << 8 | payload[1]);
        repeated = (uint16_t)(repeated + (message.source == last_source && number == last_number));
        received++;
        last_source = message.source;
        last_number = number;
    }
}

/* ---------------------------------------------------------------- commands */
SHELL_COMMAND(open, "ADDRESS [FLAGS]", "Opens the link with a short address and flags.")
{
    int32_t address, flags = 0;

    if (shell_number(arguments, 1, 0, 0xffff, &address) != 0 ||
        (arguments->count > 2 && shell_number(arguments, 2, 0, 255, &flags) != 0)) {
        return;
    }
    const struct link_settings settings = {
        .pan = LINK_PAN_USUAL, .short_address = (uint16_t)address, .flags = (uint8_t)flags};
    int error = link_open(&settings);
    if (error != 0) {
        print("open: %s\n", error_name(error));
    }
}

/* What became of the messages of a command. */
struct outcome {
    unsigned acknowledged, missed, busy, failed;
};

static void note(struct outcome *outcome, int error)
{
    outcome->acknowledged += error == 0;
    outcome->missed += error == ERR_NO_ACK;
    outcome->busy += error == ERR_CHANNEL;
    outcome->failed += error != 0 && error != ERR_NO_ACK && error != ERR_CHANNEL;
}

SHELL_COMMAND(send, "TO [TIMES] [BYTES] [PAUSE]",
              "Sends messages to a short address; the pause between them is in milliseconds.")
{
    static uint16_t number;
    static uint8_t payload[BYTES_MOST];
    struct outcome outcome = {0};
    int32_t to, times = 1, bytes = 2, pause = 0;

    if (shell_number(arguments, 1, 0, 0xffff, &to) != 0 ||
        (arguments->count > 2 && shell_number(arguments, 2, 1, 30000, &times) != 0) ||
        (arguments->count > 3 && shell_number(arguments, 3, 2, BYTES_MOST, &bytes) != 0) ||
        (arguments->count > 4 && shell_number(arguments, 4, 0, PAUSE_MOST_MS, &pause) != 0)) {
        return;
    }
    for (int32_t i = 0; i < times; i++) {
        number++;
        payload[0] = (uint8_t)(number >> 8);
        payload[1] = (uint8_t)number;
        note(&outcome, am_send((uint16_t)to, TYPE, payload, (uint8_t)bytes));
        if (pause > 0) {
            sleep_ms((uint32_t)pause);
        }
    }
    print("to %u: %u acknowledged, %u not, %u busy, %u failed\n", (unsigned)to,
          outcome.acknowledged, outcome.missed, outcome.busy, outcome.failed);
}

SHELL_COMMAND(count, "", "Prints what has come, and who has packets.")
{
    struct packet_look look = {0};

    print("received %u, repeated %u\n", received, repeated);
    while (packet_look(&look)) {
        print("%s has %u bytes\n", look.owner, look.length);
    }
}
