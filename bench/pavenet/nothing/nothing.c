/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* No task at all: vectors, start-up, clocks, sleep, and the record of a panic, which every program
 * has. */
