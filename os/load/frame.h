/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames of the console's line: doc/spec/loading.md. */
#ifndef LOAD_FRAME_H
#define LOAD_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/arch.h>

enum {
    FRAME_BEGIN = 0x02,
    FRAME_END = 0x03,
    FRAME_STUFF = 0x10, /* the next byte has FRAME_STUFFED inverted */
    FRAME_STUFFED = 0x40,
    FRAME_HEAD = 2,         /* type, sequence number */
    FRAME_SUM = 2,          /* CRC */
    FRAME_PAYLOAD_MAX = 68, /* of a request */
    FRAME_ANSWER_MAX = 48,  /* payload of an answer */
};

struct usart_port;

/* console_receive (driver/console/framed.h) where frames are taken. */
unsigned load_serial_receive(const ARCH_FLASH struct usart_port *port, uint8_t *byte);

/* The frame that is being received, then served, then sent: one after the other, since the host
 * waits for the answer. */
struct frame {
    uint8_t length; /* of head, payload and sum */
    uint8_t byte[FRAME_HEAD + FRAME_PAYLOAD_MAX + FRAME_SUM];
};

/* Whether a frame has begun since the last call; `loader_work` is posted when one does.
 * context   the loader's thread
 * blocks    no
 */
bool load_frame_begun(void);

/* A frame that has arrived, or 0; `loader_work` is posted when one does. It is the caller's until
 * load_frame_release; others are dropped meanwhile.
 * context   the loader's thread
 * blocks    no
 */
struct frame *load_frame_arrived(void);

/* What code_hold and code_release are in an image without storage in the flash of programs. */
void load_hold_nothing(void);

/* Receives into the frame again. */
void load_frame_release(void);

#endif
