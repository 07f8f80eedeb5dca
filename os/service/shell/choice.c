/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Arguments that are words. */
#include "service/shell/shell.h"

/* The place behind the word if the choice at `text` is that word, or 0. */
static bool is_choice(const char *text, const char *word)
{
    for (; *word != '\0' && arch_text(text) == *word; text++, word++) {
    }
    return *word == '\0' && (arch_text(text) == '\0' || arch_text(text) == '|');
}

void shell_refuse(const struct shell_arguments *arguments, unsigned index, const char *wanted)
{
    print("%s: ", arguments->command->name);
    shell_print_usage_word(arguments, index);
    print(" must be %s, not '%s'\n", wanted, arguments->word[index]);
}

int shell_choice(const struct shell_arguments *arguments, unsigned index, const char *choices,
                 int *choice)
{
    const char *at = choices;

    *choice = 0;
    while (!is_choice(at, arguments->word[index])) {
        char character;

        while ((character = arch_text(at++)) != '|') {
            if (character == '\0') {
                shell_refuse(arguments, index, choices);
                return ERR_INVALID;
            }
        }
        (*choice)++;
    }
    return 0;
}
