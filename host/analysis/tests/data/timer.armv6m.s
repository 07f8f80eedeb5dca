@ SPDX-License-Identifier: MIT OR Apache-2.0
	.cpu cortex-m0plus
	.arch armv6s-m
	.fpu softvfp
	.eabi_attribute 20, 1
	.eabi_attribute 21, 1
	.eabi_attribute 23, 3
	.eabi_attribute 24, 1
	.eabi_attribute 25, 1
	.eabi_attribute 26, 1
	.eabi_attribute 30, 4
	.eabi_attribute 34, 0
	.eabi_attribute 18, 4
	.file	"timer.c"
	.text
	.section	.text.post,"ax",%progbits
	.align	1
	.syntax unified
	.code	16
	.thumb_func
	.type	post, %function
post:
	@ args = 0, pretend = 0, frame = 0
	@ frame_needed = 0, uses_anonymous_args = 0
	push	{r4, lr}
	ldr	r0, [r0, #16]
	bl	event_post_service
	@ sp needed
	pop	{r4, pc}
	.size	post, .-post
	.section	.text.timer_insert,"ax",%progbits
	.align	1
	.global	timer_insert
	.syntax unified
	.code	16
	.thumb_func
	.type	timer_insert, %function
timer_insert:
	@ args = 0, pretend = 0, frame = 0
	@ frame_needed = 0, uses_anonymous_args = 0
	push	{r3, r4, r5, r6, r7, lr}
	movs	r3, r0
	ldr	r0, [r0]
	movs	r5, #2
	ldr	r4, [r0]
	cmp	r4, #0
	bne	.L2
	ldr	r6, [r3, #8]
	ldr	r7, [r3, #12]
	str	r6, [r0, #8]
	str	r7, [r0, #12]
	blx	r2
	movs	r5, r4
.L2:
	@ sp needed
	movs	r0, r5
	pop	{r3, r4, r5, r6, r7, pc}
	.size	timer_insert, .-timer_insert
	.section	.text.arm,"ax",%progbits
	.align	1
	.syntax unified
	.code	16
	.thumb_func
	.type	arm, %function
arm:
	@ args = 0, pretend = 0, frame = 0
	@ frame_needed = 0, uses_anonymous_args = 0
	push	{r4, lr}
	ldr	r2, .L6
	ldr	r1, .L6+4
	bl	timer_insert
	@ sp needed
	pop	{r4, pc}
.L7:
	.align	2
.L6:
	.word	deadline_insert
	.word	post
	.size	arm, .-arm
	.section	.text.arm_after,"ax",%progbits
	.align	1
	.syntax unified
	.code	16
	.thumb_func
	.type	arm_after, %function
arm_after:
	@ args = 0, pretend = 0, frame = 0
	@ frame_needed = 0, uses_anonymous_args = 0
	ldr	r3, [r0, #8]
	push	{r4, lr}
	adds	r3, r3, #1
	bne	.L12
	ldr	r3, [r0, #12]
	ldr	r2, .L15
	adds	r3, r3, #1
	beq	.L9
.L12:
	ldr	r2, .L15+4
.L9:
	ldr	r1, .L15+8
	bl	timer_insert
	@ sp needed
	pop	{r4, pc}
.L16:
	.align	2
.L15:
	.word	deadline_insert
	.word	deadline_insert_after
	.word	post
	.size	arm_after, .-arm_after
	.section	.text.timer_arm,"ax",%progbits
	.align	1
	.global	timer_arm
	.syntax unified
	.code	16
	.thumb_func
	.type	timer_arm, %function
timer_arm:
	@ args = 0, pretend = 0, frame = 16
	@ frame_needed = 0, uses_anonymous_args = 0
	push	{r0, r1, r2, r3, r4, lr}
	movs	r1, r3
	str	r0, [sp]
	movs	r0, r2
	bl	deadline_of_us
	ldr	r2, .L18
	str	r0, [sp, #8]
	str	r1, [sp, #12]
	mov	r0, sp
	bl	arch_kernel_run
	add	sp, sp, #20
	@ sp needed
	pop	{pc}
.L19:
	.align	2
.L18:
	.word	arm
	.size	timer_arm, .-timer_arm
	.section	.text.timer_arm_after_ticks,"ax",%progbits
	.align	1
	.global	timer_arm_after_ticks
	.syntax unified
	.code	16
	.thumb_func
	.type	timer_arm_after_ticks, %function
timer_arm_after_ticks:
	@ args = 0, pretend = 0, frame = 16
	@ frame_needed = 0, uses_anonymous_args = 0
	push	{r0, r1, r2, r3, r4, lr}
	str	r2, [sp, #8]
	str	r3, [sp, #12]
	str	r0, [sp]
	ldr	r2, .L21
	mov	r0, sp
	bl	arch_kernel_run
	add	sp, sp, #20
	@ sp needed
	pop	{pc}
.L22:
	.align	2
.L21:
	.word	arm_after
	.size	timer_arm_after_ticks, .-timer_arm_after_ticks
	.section	.text.timer_arm_after_converted,"ax",%progbits
	.align	1
	.global	timer_arm_after_converted
	.syntax unified
	.code	16
	.thumb_func
	.type	timer_arm_after_converted, %function
timer_arm_after_converted:
	@ args = 0, pretend = 0, frame = 0
	@ frame_needed = 0, uses_anonymous_args = 0
	push	{r4, lr}
	movs	r1, r3
	@ sp needed
	movs	r4, r0
	movs	r0, r2
	bl	deadline_of_us
	movs	r2, r0
	movs	r3, r1
	movs	r0, r4
	bl	timer_arm_after_ticks
	pop	{r4, pc}
	.size	timer_arm_after_converted, .-timer_arm_after_converted
	.ident	"GCC: (15:12.2.rel1-1) 12.2.1 20221205"
