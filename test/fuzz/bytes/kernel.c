/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the byte link and its driver call besides. */
#include <lichen/kernel.h>

#include "../host/host.h"
#include "driver/radio/cc1000/driver.h"
#include "net/byte_link/byte_link.h"

struct kernel kernel;
const uint8_t kernel_slots[1];
struct cc1000_settings cc1000_settings;
struct cc1000_frame cc1000_frame;

void arch_kernel_request_from(unsigned level)
{
    (void)level;
    require(false); /* the event is taken for one that is in its ring */
}

void cc1000_driver_serve(void)
{
}

int cc1000_channel_sample(void)
{
    return 0;
}

int8_t cc1000_channel_dbm(void)
{
    return -60;
}

/* Without programs that are loaded. */
uint8_t byte_link_deliver(const uint8_t *frame, uint8_t number)
{
    return byte_link_deliver_declared(frame, number);
}

int byte_link_to_packet(const struct link_receiver *receiver, uint8_t number,
                        struct link_info *info, packet_t *packet)
{
    return byte_link_to_packet_declared(receiver, number, info, packet);
}

/* Nothing is sent. */
int byte_link_begin(struct link_transfer *transfer)
{
    (void)transfer;
    return ERR_INVALID;
}

int byte_link_run(struct byte_link_call *call, uint16_t destination, uint8_t kind)
{
    return byte_link_run_until(call, destination, kind, TIME_NEVER);
}

int byte_link_run_until(struct byte_link_call *call, uint16_t destination, uint8_t kind,
                        uint64_t deadline)
{
    (void)call;
    (void)destination;
    (void)kind;
    (void)deadline;
    return ERR_INVALID;
}
