/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A frame that has come. It stays where it is: its receiver's queue gets its number, and the driver
 * gets another one. An acknowledgment says that the frame is in the queue, or that it was a request
 * or an answer of which this mote's link has taken note.
 *
 * Not in a program that receives nothing: there the driver has no memory for frames, and each that
 * begins is counted as having no receiver. */
#include "net/byte_link/byte_link.h"
#include "net/neighbour/neighbour.h"

#pragma weak byte_link_child_asks
#pragma weak byte_link_polled
#pragma weak byte_link_deliver
#pragma weak neighbour_heard_short

uint16_t byte_link_source(const uint8_t *frame)
{
    uint16_t source = byte_link_u16(frame + SOURCE_AT);

    return source == LINK_EXTENDED ? LINK_ALL : source;
}

static uint8_t accept_request(uint16_t source)
{
    if (byte_link_child_asks == 0) {
        return LOST_KIND;
    }
    byte_link_child_asks(source);
    return LOST_NONE;
}

static void note_sender(const uint8_t *frame, uint16_t source)
{
    if (neighbour_heard_short != 0 && source != LINK_ALL) {
        neighbour_heard_short(source, (int8_t)frame[-1]);
    }
    if (byte_link_polled != 0) {
        byte_link_polled(source, frame);
    }
}

/* It says that nothing waits for this mote. */
static bool is_empty(const uint8_t *frame)
{
    return frame[TYPE_AT] == TYPE_PACKET && frame[LENGTH_AT] == 0 &&
           byte_link_u16(frame) != LINK_ALL;
}

static uint8_t deliver(const uint8_t *frame)
{
    uint8_t number = byte_link_state.receiving;

    if (byte_link_deliver == 0) {
        return LOST_NO_RECEIVER;
    }
    uint8_t lost = byte_link_deliver(frame, number);
    byte_link_state.receiving = lost == LOST_NONE ? 0 : number;
    return lost;
}

/* Returns why it is lost. */
static uint8_t accept(uint8_t *frame)
{
    uint16_t source = byte_link_source(frame);
    uint8_t lost;

    frame[-1] = (uint8_t)cc1000_channel_dbm();
    note_sender(frame, source);
    if (frame[TYPE_AT] == TYPE_REQUEST) {
        lost = accept_request(source);
    } else {
        lost = is_empty(frame) ? LOST_EMPTY : deliver(frame);
    }
    if (lost != LOST_NONE) {
        byte_link_lose(lost);
    }
    return lost;
}

void byte_link_refill(void)
{
    if (byte_link_state.receiving == 0) {
        byte_link_state.receiving = byte_link_take_frame(0);
        if (byte_link_state.receiving != 0) {
            cc1000_receive_into(byte_link_frame(byte_link_state.receiving), link_frame_payload);
        }
    }
}

bool byte_link_received(uint8_t *frame)
{
    uint16_t destination = byte_link_u16(frame);
    bool is_own = destination == byte_link_state.own;
    uint8_t lost = LOST_NO_RECEIVER;

    if (frame[GROUP_AT] == byte_link_state.group && (is_own || destination == LINK_ALL)) {
        lost = accept(frame);
    }
    if (byte_link_state.receiving != 0) {
        cc1000_receive_into(frame, link_frame_payload);
    } else {
        byte_link_refill();
    }
    return is_own && (lost == LOST_NONE || lost == LOST_EMPTY);
}
