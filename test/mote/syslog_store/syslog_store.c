/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The second place of messages is a log in the board's storage, as lichen/syslog.h shows it. */
#include <lichen/log.h>
#include <lichen/syslog.h>

#include <string.h>

#include "test.h"

SYSLOG_MODULE(kept, LOG_INFO);

LOG_CIRCULAR(messages, 2048);

static unsigned failures;

SYSLOG_SINK(text, length, missed)
{
    failures += missed;
    failures += log_append(&messages, text, length) != 0;
}

/* Reads the next record, and compares what is behind its time. */
static void expect_record(const char *wanted)
{
    static char record[SYSLOG_SINK_MAX + 1];
    size_t length = SYSLOG_SINK_MAX;

    expect_equal(log_read(&messages, record, &length), 0);
    record[length] = '\0';
    const char *end = strchr(record, ']');
    expect(end != 0 && strcmp(end + 1, wanted) == 0);
}

TEST(messages_are_kept_and_read_in_order)
{
    expect_equal(log_erase(&messages), 0);
    syslog(LOG_INFO, "first %u", 1u);
    syslog(LOG_DEBUG, "left out");
    syslog(LOG_ERR, "second");
    expect_equal(failures, 0);
    expect_record(" kept: info: first 1");
    expect_record(" kept: err: second");
    static char record[SYSLOG_SINK_MAX];
    size_t length = sizeof(record);
    expect_equal(log_read(&messages, record, &length), ERR_EMPTY);
}
