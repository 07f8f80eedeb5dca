/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Stacks of the link's threads, THREAD_STACK_MIN included, for frames that are secured. */
#ifndef NET_LINK_STACK_H
#define NET_LINK_STACK_H

#include <lichen/arch.h>

#define LINK_MAIN_STACK (ARCH_FLASH_IS_APART ? 320u : 448u)
#define LINK_TX_STACK   (ARCH_FLASH_IS_APART ? 320u : 448u)

#endif
