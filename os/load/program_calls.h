/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Made by `lichen-dev generate` from os/load/interface.toml. */
/* Included first in each file of a program that is loaded: functions that are inline in headers and
 * reach into the kernel are calls there, or errors. Their definitions have other names here, and
 * nothing uses them.
 */
#ifndef LOAD_PROGRAM_CALLS_H
#define LOAD_PROGRAM_CALLS_H

#define barrier_wait_until   barrier_wait_until_in_image
#define clock_release        clock_release_in_image
#define clock_request        clock_request_in_image
#define condition_wait_until condition_wait_until_in_image
#define event_post_directly  event_post_directly_in_image
#define event_post_from      event_post_from_in_image
#define kernel_do            kernel_do_in_image
#define kernel_run           kernel_run_in_image
#define kernel_run_with      kernel_run_with_in_image
#define kernel_state         kernel_state_in_image
#define mutex_lock           mutex_lock_in_image
#define mutex_lock_until     mutex_lock_until_in_image
#define mutex_unlock         mutex_unlock_in_image
#define notify_post          notify_post_in_image
#define notify_post_from     notify_post_from_in_image
#define notify_wait          notify_wait_in_image
#define notify_wait_until    notify_wait_until_in_image
#define power_limit          power_limit_in_image
#define power_unlimit        power_unlimit_in_image
#define queue_receive_until  queue_receive_until_in_image
#define queue_send_from      queue_send_from_in_image
#define queue_send_until     queue_send_until_in_image
#define reference_wait_until reference_wait_until_in_image
#define semaphore_post       semaphore_post_in_image
#define semaphore_post_from  semaphore_post_from_in_image
#define semaphore_try        semaphore_try_in_image
#define semaphore_wait       semaphore_wait_in_image
#define semaphore_wait_until semaphore_wait_until_in_image
#define syslog_rt_post       syslog_rt_post_in_image
#define thread_join_until    thread_join_until_in_image
#define thread_start         thread_start_in_image
#define thread_yield         thread_yield_in_image
#define watchdog_feed        watchdog_feed_in_image

#include <lichen/barrier.h>
#include <lichen/clock.h>
#include <lichen/condition.h>
#include <lichen/event.h>
#include <lichen/kernel.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/power.h>
#include <lichen/queue.h>
#include <lichen/reference.h>
#include <lichen/semaphore.h>
#include <lichen/syslog.h>
#include <lichen/thread.h>
#include <lichen/timer.h>
#include <lichen/watchdog.h>

#undef barrier_wait_until
#undef clock_release
#undef clock_request
#undef condition_wait_until
#undef event_post_directly
#undef event_post_from
#undef kernel_do
#undef kernel_run
#undef kernel_run_with
#undef kernel_state
#undef mutex_lock
#undef mutex_lock_until
#undef mutex_unlock
#undef notify_post
#undef notify_post_from
#undef notify_wait
#undef notify_wait_until
#undef power_limit
#undef power_unlimit
#undef queue_receive_until
#undef queue_send_from
#undef queue_send_until
#undef reference_wait_until
#undef semaphore_post
#undef semaphore_post_from
#undef semaphore_try
#undef semaphore_wait
#undef semaphore_wait_until
#undef syslog_rt_post
#undef thread_join_until
#undef thread_start
#undef thread_yield
#undef watchdog_feed

void thread_yield(void);
int thread_start(struct thread *thread, void *argument);
int thread_join_until(struct thread *thread, uint64_t deadline);
void semaphore_wait(struct semaphore *semaphore);
int semaphore_wait_until(struct semaphore *semaphore, uint64_t deadline);
int semaphore_try(struct semaphore *semaphore);
int semaphore_post(struct semaphore *semaphore);
int mutex_lock(struct mutex *mutex);
int mutex_lock_until(struct mutex *mutex, uint64_t deadline);
void mutex_unlock(struct mutex *mutex);
int condition_wait_until(struct condition *condition, struct mutex *mutex, uint64_t deadline);
int barrier_wait_until(struct barrier *barrier, uint64_t deadline);
int reference_wait_until(struct reference *reference, uint64_t deadline);
void notify_post(struct notify *notify);
void notify_wait(struct notify *notify);
int notify_wait_until(struct notify *notify, uint64_t deadline);
int queue_send_until(struct queue *queue, const void *message, uint64_t deadline);
int queue_receive_until(struct queue *queue, void *message, uint64_t deadline);

int clock_release_refused(void) __attribute__((error("a loaded program has no clock_release")));
#define clock_release(...) clock_release_refused()
int clock_request_refused(void) __attribute__((error("a loaded program has no clock_request")));
#define clock_request(...) clock_request_refused()
int event_post_directly_refused(void)
    __attribute__((error("a loaded program has no event_post_directly")));
#define event_post_directly(...) event_post_directly_refused()
int event_post_from_refused(void) __attribute__((error("a loaded program has no event_post_from")));
#define event_post_from(...) event_post_from_refused()
int kernel_do_refused(void) __attribute__((error("a loaded program has no kernel_do")));
#define kernel_do(...) kernel_do_refused()
int kernel_run_refused(void) __attribute__((error("a loaded program has no kernel_run")));
#define kernel_run(...) kernel_run_refused()
int kernel_run_with_refused(void) __attribute__((error("a loaded program has no kernel_run_with")));
#define kernel_run_with(...) kernel_run_with_refused()
int kernel_state_refused(void) __attribute__((error("a loaded program has no kernel_state")));
#define kernel_state(...) kernel_state_refused()
int notify_post_from_refused(void)
    __attribute__((error("a loaded program has no notify_post_from")));
#define notify_post_from(...) notify_post_from_refused()
int power_limit_refused(void) __attribute__((error("a loaded program has no power_limit")));
#define power_limit(...) power_limit_refused()
int power_unlimit_refused(void) __attribute__((error("a loaded program has no power_unlimit")));
#define power_unlimit(...) power_unlimit_refused()
int queue_send_from_refused(void) __attribute__((error("a loaded program has no queue_send_from")));
#define queue_send_from(...) queue_send_from_refused()
int semaphore_post_from_refused(void)
    __attribute__((error("a loaded program has no semaphore_post_from")));
#define semaphore_post_from(...) semaphore_post_from_refused()
int syslog_rt_post_refused(void) __attribute__((error("a loaded program has no syslog_rt_post")));
#define syslog_rt_post(...) syslog_rt_post_refused()
int watchdog_feed_refused(void) __attribute__((error("a loaded program has no watchdog_feed")));
#define watchdog_feed(...) watchdog_feed_refused()

#endif
