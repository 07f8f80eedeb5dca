/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Reading a message out of its frame. */
#ifndef NET_BYTE_LINK_READ_H
#define NET_BYTE_LINK_READ_H

#include <string.h>

#include "net/byte_link/byte_link.h"

static void byte_link_read_message(uint8_t number, struct am_message *message, void *payload,
                                   uint8_t size)
{
    const uint8_t *frame = byte_link_frame(number);
    struct byte_link_content content;

    (void)byte_link_read(frame, &content);
    message->source = byte_link_source(frame);
    message->type = content.type;
    message->length = content.length;
    message->dbm = (int8_t)frame[-1];
    message->lqi = 0;
    message->to_all = byte_link_u16(frame) == LINK_ALL;
    memcpy(payload, content.bytes, content.length < size ? content.length : size);
    byte_link_free_frame(number);
}

#endif
