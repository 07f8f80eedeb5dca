/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Messages of threads, which wait: they leave from the thread's memory. */
#include "net/byte_link/byte_link.h"

static void write(struct byte_link_content *content, uint8_t type, const void *payload,
                  uint8_t length)
{
    content->bytes = payload;
    content->length = length;
    content->type = type;
}

int am_send(uint16_t destination, uint8_t type, const void *payload, uint8_t length)
{
    struct byte_link_message message;

    if (!byte_link_fits(type, length)) {
        return ERR_INVALID;
    }
    write(&message.content, type, payload, length);
    return byte_link_run(&message.call, destination, KIND_MESSAGE);
}

int am_send_until(uint16_t destination, uint8_t type, const void *payload, uint8_t length,
                  uint64_t deadline)
{
    struct byte_link_message message;

    if (!byte_link_fits(type, length)) {
        return ERR_INVALID;
    }
    write(&message.content, type, payload, length);
    return byte_link_run_until(&message.call, destination, KIND_MESSAGE, deadline);
}
