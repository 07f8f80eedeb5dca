/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <string.h>

#include "net/security/devices.h"

/* LINK_LEVELS that a key may have. */
#define LEVELS_POSSIBLE (0xffu & ~LINK_LEVELS(LINK_LEVEL_NONE) & ~LINK_LEVELS(LINK_LEVEL_ENC))

void security_lock(struct link_security *security)
{
    (void)mutex_lock(security->lock);
}

void security_unlock(struct link_security *security)
{
    mutex_unlock(security->lock);
}

static bool is_same(const struct link_key_name *one, const struct link_key_name *other)
{
    uint8_t source = one->mode == LINK_KEY_SOURCE_4 ? 4 : one->mode == LINK_KEY_SOURCE_8 ? 8 : 0;

    return one->mode == other->mode &&
           (one->mode == LINK_KEY_IMPLICIT || one->index == other->index) &&
           memcmp(one->source, other->source, source) == 0;
}

struct link_key *security_key_find(struct link_security *security, const struct link_key_name *name)
{
    for (uint8_t i = 0; i < security->key_count; i++) {
        struct link_key *key = &security->keys[i];
        if (key->levels != 0 && is_same(&key->name, name)) {
            return key;
        }
    }
    return 0;
}

static struct link_key *free_place(struct link_security *security)
{
    for (uint8_t i = 0; i < security->key_count; i++) {
        if (security->keys[i].levels == 0) {
            return &security->keys[i];
        }
    }
    return 0;
}

int link_key_set(struct link_security *security, const struct link_key_name *name,
                 const uint8_t key[LINK_KEY_BYTES], uint8_t levels)
{
    if (name->mode > LINK_KEY_SOURCE_8 || (name->mode != LINK_KEY_IMPLICIT && name->index == 0) ||
        levels == 0 || (levels & ~LEVELS_POSSIBLE) != 0) {
        return ERR_INVALID;
    }
    security_lock(security);
    struct link_key *place = security_key_find(security, name);
    place = place ? place : free_place(security);
    if (place) {
        *(volatile uint8_t *)&place->levels = 0;
        place->name = *name;
        memcpy(place->bytes, key, LINK_KEY_BYTES);
        *(volatile uint8_t *)&place->levels = levels;
    }
    security_unlock(security);
    return place ? 0 : ERR_FULL;
}

int link_key_remove(struct link_security *security, const struct link_key_name *name)
{
    security_lock(security);
    struct link_key *key = security_key_find(security, name);
    if (key) {
        key->levels = 0;
        memset(key->bytes, 0, LINK_KEY_BYTES);
    }
    security_unlock(security);
    return key ? 0 : ERR_EMPTY;
}
