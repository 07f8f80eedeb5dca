/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Where the sensor of motion is connected (lichen.toml), and how deeply a mote sleeps while a line
 * of PORT E is low (lichen/gpio.h).
 */
#define MOTION_PIN    GPIO_PIN('E', 5)
#define SLEEP_AT_REST 0u
