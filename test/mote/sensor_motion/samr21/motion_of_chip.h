/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Where the sensor of motion is connected (lichen.toml), and how deeply a mote sleeps meanwhile.
 */
#define MOTION_PIN    GPIO_PIN('A', 7)
#define SLEEP_AT_REST SLEEP_DEEPEST
