/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Simulator benchmark: heap sort and insertion sort of 16-bit samples.
 *
 * Comparisons, unpredictable branches and halfword accesses: the work of filters and queues.
 * Never ends; the length of the run is given in time. */

#include <stdint.h>

#define SAMPLES 256

/* Completed rounds, for an observer. */
volatile uint32_t rounds;
/* The result of the latest round, so that the work is not optimised away. */
volatile uint32_t result;

static int16_t samples[SAMPLES];
static uint32_t seed = 1;

static int16_t random_sample(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (int16_t)(seed >> 16);
}

static void sift_down(int16_t *heap, uint32_t root, uint32_t count)
{
    int16_t moved = heap[root];
    for (uint32_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && heap[child + 1] > heap[child]) {
            child++;
        }
        if (heap[child] <= moved) {
            break;
        }
        heap[root] = heap[child];
        root = child;
    }
    heap[root] = moved;
}

static void heap_sort(int16_t *values, uint32_t count)
{
    for (uint32_t root = count / 2; root-- > 0;) {
        sift_down(values, root, count);
    }
    for (uint32_t end = count - 1; end > 0; end--) {
        int16_t largest = values[0];
        values[0] = values[end];
        values[end] = largest;
        sift_down(values, 0, end);
    }
}

static void insertion_sort(int16_t *values, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        int16_t value = values[i];
        uint32_t at = i;
        for (; at > 0 && values[at - 1] > value; at--) {
            values[at] = values[at - 1];
        }
        values[at] = value;
    }
}

int main(void)
{
    for (;;) {
        for (uint32_t i = 0; i < SAMPLES; i++) {
            samples[i] = random_sample();
        }
        if (rounds & 1) {
            heap_sort(samples, SAMPLES);
        } else {
            insertion_sort(samples, SAMPLES);
        }
        result = (uint32_t)samples[0];
        rounds++;
    }
}
