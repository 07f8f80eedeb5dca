/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* BaseStation, as in paper 004, section 5.4: messages from the radio go to the serial port, and
 * those from the serial port to the radio.
 *
 * On the serial port a message is its other mote's address, 2 bytes, its type, the length of its
 * payload, and the payload.
 */
#include <lichen/am.h>
#include <lichen/console.h>
#include <lichen/led.h>
#include <lichen/panic.h>
#include <lichen/thread.h>
#include <lichen/time.h>

struct line_header {
    uint8_t address[2];
    uint8_t type;
    uint8_t length;
};

AM_RECEIVER_ALL(heard, 4);

THREAD(to_line, ARCH_FLASH_IS_APART ? 304 : 384, PRIORITY_APP)
{
    struct am_message message;
    uint8_t payload[AM_PAYLOAD_USUAL];

    for (;;) {
        if (am_receive(&heard, &message, payload, sizeof(payload), TIME_NEVER) != 0) {
            continue;
        }
        const struct line_header header = {
            .address = {(uint8_t)(message.source >> 8), (uint8_t)message.source},
            .type = message.type,
            .length = message.length < sizeof(payload) ? message.length : sizeof(payload),
        };
        console_write(&header, sizeof(header));
        console_write(payload, header.length);
        led_toggle(1);
    }
}

static void read_bytes(void *to, uint8_t count)
{
    uint8_t *bytes = to;

    for (uint8_t i = 0; i < count; i++) {
        bytes[i] = console_read();
    }
}

THREAD(to_air, ARCH_FLASH_IS_APART ? 304 : 384, PRIORITY_APP)
{
    struct line_header header;
    uint8_t payload[AM_PAYLOAD_USUAL];
    int error = link_open(0);

    if (error != 0) {
        panic((uintptr_t)error);
    }
    for (;;) {
        read_bytes(&header, sizeof(header));
        if (header.length > sizeof(payload)) {
            continue;
        }
        read_bytes(payload, header.length);
        uint16_t destination = (uint16_t)(header.address[0] << 8 | header.address[1]);

        if (am_send(destination, header.type, payload, header.length) == 0) {
            led_toggle(0);
        } else {
            led_toggle(2);
        }
    }
}
