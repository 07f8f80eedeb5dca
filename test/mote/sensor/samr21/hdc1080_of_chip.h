/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which of a board's sensors of temperature the HDC1080 is. */
#define HDC1080_TEMPERATURE_SENSOR sensor_temperature
