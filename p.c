#include <lichen/alarm.h>
#include <lichen/am.h>
#include <lichen/assert.h>
#include <lichen/barrier.h>
#include <lichen/button.h>
#include <lichen/condition.h>
#include <lichen/console.h>
#include <lichen/error.h>
#include <lichen/led.h>
#include <lichen/link.h>
#include <lichen/log.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/panic.h>
#include <lichen/print.h>
#include <lichen/program.h>
#include <lichen/queue.h>
#include <lichen/random.h>
#include <lichen/reference.h>
#include <lichen/semaphore.h>
#include <lichen/sensor.h>
#include <lichen/serial_number.h>
#include <lichen/shell.h>
#include <lichen/syslog.h>
#include <lichen/thread.h>
#include <lichen/time.h>
const unsigned long v0 = sizeof(struct thread);
const unsigned long v1 = sizeof(struct thread_info);
const unsigned long v2 = sizeof(struct thread_created);
const unsigned long v3 = THREAD_STACK_MIN;
const unsigned long v4 = sizeof(struct time_moment);
const unsigned long v5 = CHIP_TICK_HZ;
const unsigned long v6 = sizeof(struct semaphore);
const unsigned long v7 = sizeof(struct mutex);
const unsigned long v8 = sizeof(struct condition);
const unsigned long v9 = sizeof(struct barrier);
const unsigned long v10 = sizeof(struct reference);
const unsigned long v11 = sizeof(struct notify);
const unsigned long v12 = sizeof(struct queue);
const unsigned long v13 = sizeof(struct syslog_place);
const unsigned long v14 = sizeof(struct syslog_module);
const unsigned long v15 = SENSOR_QUANTITIES;
const unsigned long v16 = SENSOR_RAW_WORDS;
const unsigned long v17 = sizeof(struct log);
const unsigned long v18 = sizeof(struct link_address);
const unsigned long v19 = sizeof(struct link_settings);
const unsigned long v20 = sizeof(struct link_loss);
const unsigned long v21 = sizeof(struct link_counters);
const unsigned long v22 = SERIAL_NUMBER_BYTES;
const unsigned long v23 = sizeof(struct am_message);
const unsigned long v24 = sizeof(struct link_receiver);
const unsigned long v25 = sizeof(struct link_taker);
const unsigned long v26 = sizeof(struct link_transfer);
const unsigned long v27 = SHELL_WORDS_MAX;
const unsigned long v28 = sizeof(struct shell_arguments);
const unsigned long v29 = sizeof(struct shell_command);
