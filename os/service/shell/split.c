/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A line as words. A word is moved down over the quotes and backslashes that it is freed from, and
 * ends with a zero byte, at the latest where the next one begins. */
#include "service/shell/shell.h"

static bool is_blank(char character)
{
    return character == ' ' || character == '\t';
}

static bool is_quote(char character)
{
    return character == '"' || character == '\'';
}

/* Copies a word to `*to`; moves both behind it.
 * returns   the quote that has no end, or 0
 */
static char take_word(char **from, char **to)
{
    char quote = '\0';
    char character;

    for (; (character = **from) != '\0' && (quote != '\0' || !is_blank(character)); (*from)++) {
        if (quote == '\0' ? is_quote(character) : character == quote) {
            quote = quote == '\0' ? character : '\0';
            continue;
        }
        if (character == '\\' && quote != '\'' && (*from)[1] != '\0') {
            (*from)++;
        }
        *(*to)++ = **from;
    }
    if (**from != '\0') {
        (*from)++; /* before it may be overwritten */
    }
    *(*to)++ = '\0';
    return quote;
}

static bool is_text(const char *line)
{
    for (; *line != '\0'; line++) {
        if ((uint8_t)*line < ' ' && *line != '\t') {
            print("character 0x%02x is not understood\n", (unsigned)(uint8_t)*line);
            return false;
        }
    }
    return true;
}

int shell_split(char *line, struct shell_arguments *arguments)
{
    char *to = line;

    arguments->count = 0;
    if (!is_text(line)) {
        return ERR_INVALID;
    }
    for (;;) {
        while (is_blank(*line)) {
            line++;
        }
        if (*line == '\0') {
            break;
        }
        if (arguments->count == SHELL_WORDS_MAX) {
            print("'%s' is too much: a line has %u words at most\n", line, SHELL_WORDS_MAX);
            return ERR_INVALID;
        }
        char *word = to;
        char quote = take_word(&line, &to);

        if (quote != '\0') {
            print("'%s' lacks the quote %c at its end\n", word, quote);
            return ERR_INVALID;
        }
        arguments->word[arguments->count++] = word;
    }
    arguments->word[arguments->count] = 0;
    return 0;
}
