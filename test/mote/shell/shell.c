/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The shell, with lines that are typed every 200 ms (input.txt). A command keeps its words; what
 * the shell says to what it refuses is on the console, which host/cli/tests/shell.rs reads. */
#include <lichen/console.h>
#include <lichen/shell.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include <string.h>

#include "test.h"

SHELL(SHELL_STACK, PRIORITY_HIGH);
SHELL_USE(log);
SHELL_USE(panic);
SHELL_USE(ps);
SHELL_USE(reboot);
SHELL_USE(uptime);

static char kept[SHELL_LINE_MAX + SHELL_WORDS_MAX];
static unsigned runs;

SHELL_COMMAND(keep, "FIRST [SECOND] [THIRD] [FOURTH]", "Keeps its arguments.")
{
    char *end = kept;

    for (unsigned i = 1; i < arguments->count; i++) {
        size_t length = strlen(arguments->word[i]);
        memcpy(end, arguments->word[i], length);
        end += length;
        *end++ = '/';
    }
    *end = '\0';
    expect(arguments->word[arguments->count] == 0);
    runs++;
}

static int32_t number;

SHELL_COMMAND(number, "NUMBER", "Keeps a number from -5 to 31.")
{
    number = 0;
    if (shell_number(arguments, 1, -5, 31, &number) == 0) {
        runs++;
    }
}

static int choice;

SHELL_COMMAND(choose, "COLOUR", "Keeps which of two words it is.")
{
    choice = -1;
    if (shell_choice(arguments, 1, TEXT("red|blue"), &choice) == 0) {
        runs++;
    }
}

SHELL_COMMAND(busy, "", "Lets the console's ring overflow.")
{
    sleep_ms(250);
}

SHELL_COMMAND(flood, "", "Sends more than the console's ring holds.")
{
    for (unsigned i = 0; i < 40; i++) {
        print("line %u\n", i);
    }
    runs++;
}

/* Lets the next line be typed and executed. The clock of a MICA starts 62 ms after the first line's
 * time does. */
static void next_line(void)
{
    static uint64_t due = 400 * TIME_US_PER_MS;

    due += 200 * TIME_US_PER_MS;
    sleep_until_us(due);
}

static void expect_kept(const char *wanted)
{
    unsigned before = runs;

    next_line();
    expect_equal(runs, before + 1);
    expect(strcmp(kept, wanted) == 0);
}

static void expect_refused(void)
{
    unsigned before = runs;

    next_line();
    expect_equal(runs, before);
}

TEST(words_are_split_at_blanks)
{
    expect_kept("one/two/");
    expect_kept("one/");
}

TEST(quotes_keep_words_together)
{
    expect_kept("a b/c d/");
    expect_kept("ab c/\\/\"/\\x/");
    expect_kept("/end/");
}

TEST(an_empty_line_is_none)
{
    expect_refused();
}

TEST(a_quote_without_end_is_refused)
{
    expect_refused();
}

TEST(the_number_of_words_is_checked)
{
    expect_refused();
    expect_refused();
    expect_refused();
}

TEST(unknown_commands_are_refused)
{
    expect_refused();
    expect_refused();
}

TEST(backspace_takes_back)
{
    expect_kept("one/two/");
}

TEST(a_line_too_long_is_refused)
{
    next_line();
    expect_equal(strlen(kept), 75 + 1);
    expect_refused();
}

TEST(backspace_makes_a_line_fit)
{
    expect_kept("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz/");
}

TEST(what_is_not_text_is_refused)
{
    expect_refused();
}

TEST(numbers_are_decimal_or_hexadecimal)
{
    static const int8_t wanted[] = {17, -5, 31, 3};

    for (unsigned i = 0; i < sizeof(wanted); i++) {
        next_line();
        expect_equal(number, wanted[i]);
    }
}

TEST(other_numbers_are_refused)
{
    for (unsigned i = 0; i < 8; i++) {
        expect_refused();
    }
}

TEST(choices_are_whole_words)
{
    next_line();
    expect_equal(choice, 0);
    next_line();
    expect_equal(choice, 1);
    expect_refused();
    expect_refused();
    expect_refused();
}

/* The ring overflows in the middle of a line whose end comes later: nothing of it is executed, nor
 * of the lines before it that wait. */
TEST(what_may_be_incomplete_is_ignored)
{
    expect_refused();
    expect_refused();
    expect_refused();
    expect(console_lost_input() > 0);
    expect_kept("after/");
}

TEST(output_beyond_the_ring_waits)
{
    uint32_t lost = console_lost();
    unsigned before = runs;

    next_line();
    expect_equal(runs, before + 1);
    expect_equal(console_lost(), lost);
    expect_kept("alive/");
}

TEST(what_a_zero_byte_hides_is_not_run)
{
    expect_refused();
}

static struct thread_created made;
static THREAD_STACK(made_stack, THREAD_STACK_MIN + 64);

static void made_entry(void *argument)
{
    (void)argument;
    sleep_ms(20);
}

/* Whether `thread_look` shows a thread of a name, and how often. */
static unsigned shown(const char *name)
{
    struct thread_view view;
    unsigned times = 0;

    for (unsigned i = 0; thread_look(i, &view) == 0; i++) {
        times += same_text(view.name, name);
        expect(view.stack_free <= view.stack_bytes);
    }
    return times;
}

TEST(all_threads_are_shown)
{
    made.info.entry = made_entry;
    made.info.stack = made_stack;
    made.info.stack_bytes = sizeof(made_stack);
    made.info.name = "made";
    made.info.priority = PRIORITY_LOW;
    expect_equal(shown("shell"), 1);
    expect_equal(shown("tests"), 1);
    expect_equal(shown("idle"), 1);
    expect_equal(shown("kernel"), 1);
    expect_equal(shown("made"), 0);
    expect_equal(thread_create(&made, 0), 0);
    expect_equal(shown("made"), 1);
    thread_join(&made.thread);
    expect_equal(shown("made"), 0);
}
