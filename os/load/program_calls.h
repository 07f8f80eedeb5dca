/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* Included first in each file of a program that is loaded: functions that are inline in headers
 * and reach into the kernel are calls there, or errors. Their definitions have other names here,
 * and nothing uses them. */
/* clang-format off */
#ifndef LOAD_PROGRAM_CALLS_H
#define LOAD_PROGRAM_CALLS_H

#define barrier_wait_until barrier_wait_until_in_image
#define clock_release clock_release_in_image
#define clock_request clock_request_in_image
#define condition_wait_until condition_wait_until_in_image
#define event_post_directly event_post_directly_in_image
#define event_post_from event_post_from_in_image
#define kernel_do kernel_do_in_image
#define kernel_run kernel_run_in_image
#define kernel_run_with kernel_run_with_in_image
#define kernel_state kernel_state_in_image
#define mutex_lock mutex_lock_in_image
#define mutex_lock_until mutex_lock_until_in_image
#define mutex_unlock mutex_unlock_in_image
#define notify_post notify_post_in_image
#define notify_post_from notify_post_from_in_image
#define notify_wait notify_wait_in_image
#define notify_wait_until notify_wait_until_in_image
#define power_limit power_limit_in_image
#define power_unlimit power_unlimit_in_image
#define queue_receive_until queue_receive_until_in_image
#define queue_send_from queue_send_from_in_image
#define queue_send_until queue_send_until_in_image
#define reference_wait_until reference_wait_until_in_image
#define semaphore_post semaphore_post_in_image
#define semaphore_post_from semaphore_post_from_in_image
#define semaphore_try semaphore_try_in_image
#define semaphore_wait semaphore_wait_in_image
#define semaphore_wait_until semaphore_wait_until_in_image
#define syslog_rt_post syslog_rt_post_in_image
#define thread_join_until thread_join_until_in_image
#define thread_start thread_start_in_image
#define thread_yield thread_yield_in_image
#define watchdog_feed watchdog_feed_in_image

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
MUST_CHECK int thread_join_until(struct thread *thread, uint64_t deadline);
void semaphore_wait(struct semaphore *semaphore);
MUST_CHECK int semaphore_wait_until(struct semaphore *semaphore, uint64_t deadline);
MUST_CHECK int semaphore_try(struct semaphore *semaphore);
int semaphore_post(struct semaphore *semaphore);
int mutex_lock(struct mutex *mutex);
MUST_CHECK int mutex_lock_until(struct mutex *mutex, uint64_t deadline);
void mutex_unlock(struct mutex *mutex);
MUST_CHECK int condition_wait_until(struct condition *condition, struct mutex *mutex, uint64_t deadline);
MUST_CHECK int barrier_wait_until(struct barrier *barrier, uint64_t deadline);
MUST_CHECK int reference_wait_until(struct reference *reference, uint64_t deadline);
void notify_post(struct notify *notify);
void notify_wait(struct notify *notify);
MUST_CHECK int notify_wait_until(struct notify *notify, uint64_t deadline);
MUST_CHECK int queue_send_until(struct queue *queue, const void *message, uint64_t deadline);
MUST_CHECK int queue_receive_until(struct queue *queue, void *message, uint64_t deadline);

__attribute__((error("a loaded program has no clock_release"))) int clock_release_refused(void);
#define clock_release(...) clock_release_refused()

__attribute__((error("a loaded program has no clock_request"))) int clock_request_refused(void);
#define clock_request(...) clock_request_refused()

__attribute__((error("a loaded program has no event_post_directly"))) int event_post_directly_refused(void);
#define event_post_directly(...) event_post_directly_refused()

__attribute__((error("a loaded program has no event_post_from"))) int event_post_from_refused(void);
#define event_post_from(...) event_post_from_refused()

__attribute__((error("a loaded program has no kernel_do"))) int kernel_do_refused(void);
#define kernel_do(...) kernel_do_refused()

__attribute__((error("a loaded program has no kernel_run"))) int kernel_run_refused(void);
#define kernel_run(...) kernel_run_refused()

__attribute__((error("a loaded program has no kernel_run_with"))) int kernel_run_with_refused(void);
#define kernel_run_with(...) kernel_run_with_refused()

__attribute__((error("a loaded program has no kernel_state"))) int kernel_state_refused(void);
#define kernel_state(...) kernel_state_refused()

__attribute__((error("a loaded program has no notify_post_from"))) int notify_post_from_refused(void);
#define notify_post_from(...) notify_post_from_refused()

__attribute__((error("a loaded program has no power_limit"))) int power_limit_refused(void);
#define power_limit(...) power_limit_refused()

__attribute__((error("a loaded program has no power_unlimit"))) int power_unlimit_refused(void);
#define power_unlimit(...) power_unlimit_refused()

__attribute__((error("a loaded program has no queue_send_from"))) int queue_send_from_refused(void);
#define queue_send_from(...) queue_send_from_refused()

__attribute__((error("a loaded program has no semaphore_post_from"))) int semaphore_post_from_refused(void);
#define semaphore_post_from(...) semaphore_post_from_refused()

__attribute__((error("a loaded program has no syslog_rt_post"))) int syslog_rt_post_refused(void);
#define syslog_rt_post(...) syslog_rt_post_refused()

__attribute__((error("a loaded program has no watchdog_feed"))) int watchdog_feed_refused(void);
#define watchdog_feed(...) watchdog_feed_refused()

#endif
