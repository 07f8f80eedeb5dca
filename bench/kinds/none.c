/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* No work of any kind: what every program contains. */
