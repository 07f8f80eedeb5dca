/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames from the console's line, byte by byte: the interrupt's part of the loader.
 *
 * There is one buffer. `taken` says whose it is: the interrupt's, or from the end of a frame to
 * load_frame_release the thread's. A frame that begins while it is the thread's is dropped whole,
 * however soon the thread is done.
 */
#include <lichen/interrupt.h>
#include <lichen/notify.h>

#include "chip/usart.h"
#include "driver/console/framed.h"
#include "load/frame.h"
#include "load/thread.h"

static struct frame frame;
static volatile bool taken; /* set by the interrupt, cleared by the thread */
static volatile bool begun; /* the same */

/* The interrupt's. */
static bool inside;  /* between begin and end */
static bool dropped; /* this frame */
static bool stuffed; /* the byte before was FRAME_STUFF */

static void begin(void)
{
    inside = true;
    stuffed = false;
    dropped = taken;
    if (!dropped) {
        frame.length = 0;
    }
    if (!ARCH_FLASH_IS_APART) { /* load/serial.c */
        begun = true;
        notify_post_from(&loader_work, LEVEL_DRIVER);
    }
}

static void end(void)
{
    inside = false;
    if (!dropped && !stuffed) {
        taken = true;
        notify_post_from(&loader_work, LEVEL_DRIVER);
    }
}

/* Where it is dropped, nothing bounds a frame but its end or the line's. */
static void keep(uint8_t byte)
{
    if (dropped) {
        return;
    }
    if (frame.length == sizeof(frame.byte)) {
        inside = false;
        return;
    }
    frame.byte[frame.length++] = stuffed ? byte ^ FRAME_STUFFED : byte;
    stuffed = false;
}

static bool is_of_frame(uint8_t byte)
{
    if (byte == FRAME_BEGIN) {
        begin();
        return true;
    }
    if (!inside) {
        return false;
    }
    switch (byte) {
    case FRAME_END:
        end();
        return true;
    case FRAME_STUFF:
        stuffed = true;
        return true;
    case '\n':
    case '\r':
        inside = false;
        return false;
    default:
        keep(byte);
        return true;
    }
}

unsigned load_serial_receive(const ARCH_FLASH struct usart_port *port, uint8_t *byte)
{
    unsigned errors = usart_receive(port, byte);

    if ((errors & USART_DAMAGED) == 0 && is_of_frame(*byte)) {
        errors |= USART_DAMAGED;
    }
    return errors;
}

bool load_frame_begun(void)
{
    bool has_begun = begun;

    begun = false;
    return has_begun;
}

struct frame *load_frame_arrived(void)
{
    return taken ? &frame : 0;
}

void load_frame_release(void)
{
    taken = false;
}
