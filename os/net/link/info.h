/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The flags of a received packet's attributes, which the link writes before it puts the packet into
 * a receiver's queue, and reads when the program takes it. */
#ifndef NET_LINK_INFO_H
#define NET_LINK_INFO_H

enum {
    INFO_TO_ALL = 1 << 0,
    INFO_SECURED = 1 << 1,
    INFO_EXTENDED = 1 << 2, /* the source is in front of the packet's bytes */
};

#endif
