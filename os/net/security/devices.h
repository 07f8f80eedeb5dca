/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the files of link security share about keys and devices. All of it is called while the
 * caller holds the mutex (security_lock).
 *
 * A thread that ends while it holds the mutex leaves a key that is not there, or a device whose
 * state is not set: what makes it valid is written last.
 */
#ifndef NET_SECURITY_DEVICES_H
#define NET_SECURITY_DEVICES_H

#include <lichen/link_security.h>

/* States of a device. */
enum {
    DEVICE_FREE = 0,
    DEVICE_NAMED = 1,    /* nothing of it was authenticated yet */
    DEVICE_ACCEPTED = 2, /* `least` is behind a frame that was */
};

#define ADDRESS_NONE 0xffffu

void security_lock(struct link_security *security);
void security_unlock(struct link_security *security);

/* Returns the key of a name, or 0. */
struct link_key *security_key_find(struct link_security *security,
                                   const struct link_key_name *name);

/* Returns the device with an address, or 0. */
struct link_device *security_device_find(struct link_security *security,
                                         const uint8_t extended[LINK_EXTENDED_BYTES]);
struct link_device *security_device_find_short(struct link_security *security, uint16_t pan,
                                               uint16_t short_address);

/* The least counter that is accepted from a device, which may be 0 for one that is not known. */
uint32_t security_device_least(const struct link_security *security,
                               const struct link_device *device);

/* Accepts nothing below `least` from the device with this address any more. It gets a place if it
 * has none. */
void security_device_accept(struct link_security *security,
                            const uint8_t extended[LINK_EXTENDED_BYTES], uint32_t least);

#endif
