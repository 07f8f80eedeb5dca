/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* No task at all: only the vectors, start-up, clocks, sleep and panic record that every program
 * has. */
