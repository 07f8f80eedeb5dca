/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Simulator benchmark: linked lists, walked, split and merged.
 *
 * Loads that depend on loads, calls and recursion-free pointer work: the work of kernels.
 * Never ends; the length of the run is given in time. */

#include <stddef.h>
#include <stdint.h>

#define NODES 128

struct node {
    struct node *next;
    uint32_t key;
};

/* Completed rounds, for an observer. */
volatile uint32_t rounds;
/* The result of the latest round, so that the work is not optimised away. */
volatile uint32_t result;

static struct node nodes[NODES];

static struct node *merge(struct node *a, struct node *b)
{
    struct node head = {NULL, 0};
    struct node *tail = &head;
    while (a != NULL && b != NULL) {
        struct node **least = a->key <= b->key ? &a : &b;
        tail->next = *least;
        tail = *least;
        *least = (*least)->next;
    }
    tail->next = a != NULL ? a : b;
    return head.next;
}

/* Bottom-up: the slot at index i holds a sorted list of 2^i nodes, or nothing. */
static struct node *merge_sort(struct node *list)
{
    struct node *slots[8] = {NULL};
    while (list != NULL) {
        struct node *carry = list;
        list = list->next;
        carry->next = NULL;
        uint32_t i = 0;
        for (; i < 7 && slots[i] != NULL; i++) {
            carry = merge(slots[i], carry);
            slots[i] = NULL;
        }
        slots[i] = merge(slots[i], carry);
    }
    for (uint32_t i = 0; i < 8; i++) {
        list = merge(slots[i], list);
    }
    return list;
}

static struct node *reverse(struct node *list)
{
    struct node *reversed = NULL;
    while (list != NULL) {
        struct node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    return reversed;
}

static uint32_t sum(const struct node *list)
{
    uint32_t total = 0;
    for (; list != NULL; list = list->next) {
        total += list->key;
    }
    return total;
}

int main(void)
{
    struct node *list = NULL;
    for (uint32_t i = 0; i < NODES; i++) {
        nodes[i] = (struct node){list, i * 2654435761u >> 16};
        list = &nodes[i];
    }
    for (;;) {
        list = reverse(merge_sort(list));
        for (int walk = 0; walk < 8; walk++) {
            result = sum(list);
        }
        list->key += rounds;
        rounds++;
    }
}
