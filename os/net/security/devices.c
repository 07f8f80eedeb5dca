/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Devices and their counters.
 *
 * Invariant: whatever counter was accepted from a device is below `least` of that device, or the
 * device has no place and the counter is below the floor. So no frame is accepted twice. It is kept
 * when a device loses its place, since the floor is raised to its `least` first; and when one gets
 * a place, since only a counter from the floor on gets it there.
 */
#include "net/security/devices.h"

#include <string.h>

struct link_device *security_device_find(struct link_security *security,
                                         const uint8_t extended[LINK_EXTENDED_BYTES])
{
    for (uint8_t i = 0; i < security->device_count; i++) {
        struct link_device *device = &security->devices[i];
        if (device->state != DEVICE_FREE &&
            memcmp(device->extended, extended, LINK_EXTENDED_BYTES) == 0) {
            return device;
        }
    }
    return 0;
}

struct link_device *security_device_find_short(struct link_security *security, uint16_t pan,
                                               uint16_t short_address)
{
    for (uint8_t i = 0; i < security->device_count; i++) {
        struct link_device *device = &security->devices[i];
        if (device->state != DEVICE_FREE && device->short_address == short_address &&
            device->pan == pan) {
            return device;
        }
    }
    return 0;
}

uint32_t security_device_least(const struct link_security *security,
                               const struct link_device *device)
{
    return device && device->state == DEVICE_ACCEPTED ? device->least : security->floor;
}

/* Whether a device should lose its place rather than the other one. */
static bool is_dispensable(const struct link_device *one, const struct link_device *other)
{
    if (one->state != other->state) {
        return one->state < other->state;
    }
    return one->state == DEVICE_ACCEPTED && one->least < other->least;
}

static struct link_device *most_dispensable(struct link_security *security)
{
    struct link_device *found = &security->devices[0];

    for (uint8_t i = 1; i < security->device_count; i++) {
        if (is_dispensable(&security->devices[i], found)) {
            found = &security->devices[i];
        }
    }
    return found;
}

/* Gives a device the place of another one. */
static void take_place(struct link_security *security, struct link_device *place,
                       const uint8_t extended[LINK_EXTENDED_BYTES])
{
    if (place->state == DEVICE_ACCEPTED && place->least > security->floor) {
        security->floor = place->least;
    }
    place->state = DEVICE_FREE;
    memcpy(place->extended, extended, LINK_EXTENDED_BYTES);
    place->pan = ADDRESS_NONE;
    place->short_address = ADDRESS_NONE;
}

void security_device_accept(struct link_security *security,
                            const uint8_t extended[LINK_EXTENDED_BYTES], uint32_t least)
{
    struct link_device *device = security_device_find(security, extended);

    if (device && device->state == DEVICE_ACCEPTED && device->least >= least) {
        return;
    }
    if (!device) {
        device = most_dispensable(security);
        take_place(security, device, extended);
    }
    device->least = least;
    device->state = DEVICE_ACCEPTED;
}

void link_device_add(struct link_security *security, const uint8_t extended[LINK_EXTENDED_BYTES],
                     uint32_t least)
{
    security_lock(security);
    security_device_accept(security, extended, least);
    security_unlock(security);
}

/* An address belongs to one device. */
static void withdraw_short(struct link_security *security, uint16_t pan, uint16_t short_address)
{
    struct link_device *device = security_device_find_short(security, pan, short_address);

    if (device) {
        device->short_address = ADDRESS_NONE;
    }
}

int link_device_name(struct link_security *security, const uint8_t extended[LINK_EXTENDED_BYTES],
                     uint16_t pan, uint16_t short_address)
{
    int error = 0;

    security_lock(security);
    struct link_device *device = security_device_find(security, extended);
    if (!device) {
        device = most_dispensable(security);
        error = device->state == DEVICE_ACCEPTED ? ERR_FULL : 0;
        if (error == 0) {
            take_place(security, device, extended);
            device->state = DEVICE_NAMED;
        }
    }
    if (error == 0) {
        withdraw_short(security, pan, short_address);
        device->pan = pan;
        device->short_address = short_address;
    }
    security_unlock(security);
    return error;
}

void link_devices_forget(struct link_security *security)
{
    security_lock(security);
    for (uint8_t i = 0; i < security->device_count; i++) {
        security->devices[i].state = DEVICE_FREE;
    }
    security->floor = 0;
    security_unlock(security);
}
