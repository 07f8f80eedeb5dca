/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Arguments that are numbers. */
#include "service/shell/shell.h"

static int digit(char character)
{
    if (character >= '0' && character <= '9') {
        return character - '0';
    }
    character |= 'a' - 'A';
    return character >= 'a' && character <= 'f' ? character - 'a' + 10 : 16;
}

/* Digits up to the end of the word, of a number of 32 bits.
 * returns   false if it is none
 */
static bool magnitude(const char *word, uint32_t *value)
{
    uint8_t base = 10;

    if (word[0] == '0' && word[1] == 'x') {
        base = 16;
        word += 2;
    }
    *value = 0;
    do {
        int next = digit(*word++);

        if (next >= base || *value > (UINT32_MAX - (unsigned)next) / base) {
            return false;
        }
        *value = *value * base + (unsigned)next;
    } while (*word != '\0');
    return true;
}

static bool parse(const char *word, int32_t *number)
{
    bool negative = *word == '-';
    uint32_t value;

    if (!magnitude(word + (negative || *word == '+'), &value) || value > UINT32_C(0x80000000) ||
        (value == UINT32_C(0x80000000) && !negative)) {
        return false;
    }
    *number = (int32_t)(negative ? 0 - value : value);
    return true;
}

int shell_number(const struct shell_arguments *arguments, unsigned index, int32_t least,
                 int32_t most, int32_t *number)
{
    const char *word = arguments->word[index];

    if (parse(word, number) && *number >= least && *number <= most) {
        return 0;
    }
    print("%s: ", arguments->command->name);
    shell_print_usage_word(arguments, index);
    print(" must be %ld to %ld, not '%s'\n", (long)least, (long)most, word);
    return ERR_INVALID;
}
