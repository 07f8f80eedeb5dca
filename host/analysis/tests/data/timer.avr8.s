; SPDX-License-Identifier: MIT OR Apache-2.0
	.file	"timer.c"
__SP_H__ = 0x3e
__SP_L__ = 0x3d
__SREG__ = 0x3f
__RAMPZ__ = 0x3b
__tmp_reg__ = 0
__zero_reg__ = 1
	.section	.text.post,"ax",@progbits
	.type	post, @function
post:
/* prologue: function */
/* frame size = 0 */
/* stack size = 0 */
.L__stack_usage = 0
	movw r30,r24
	ldd r24,Z+12
	ldd r25,Z+13
	jmp event_post_service
	.size	post, .-post
	.section	.text.timer_insert,"ax",@progbits
.global	timer_insert
	.type	timer_insert, @function
timer_insert:
/* prologue: function */
/* frame size = 0 */
/* stack size = 0 */
.L__stack_usage = 0
	movw r26,r24
	ld r24,X+
	ld r25,X
	sbiw r26,1
	movw r30,r24
	ld r18,Z
	ldd r19,Z+1
	or r18,r19
	brne .L4
	adiw r30,4
	adiw r26,2
/* #APP */
 ;  95 "os/arch/avr8/include/lichen/arch.h" 1
	call u64_copy
 ;  0 "" 2
/* #NOAPP */
	movw r30,r20
	icall
	ldi r24,0
	ldi r25,0
	ret
.L4:
	ldi r24,lo8(2)
	ldi r25,0
	ret
	.size	timer_insert, .-timer_insert
	.section	.text.arm,"ax",@progbits
	.type	arm, @function
arm:
/* prologue: function */
/* frame size = 0 */
/* stack size = 0 */
.L__stack_usage = 0
	ldi r20,lo8(gs(deadline_insert))
	ldi r21,hi8(gs(deadline_insert))
	ldi r22,lo8(gs(post))
	ldi r23,hi8(gs(post))
	jmp timer_insert
	.size	arm, .-arm
	.section	.text.arm_after,"ax",@progbits
	.type	arm_after, @function
arm_after:
/* prologue: function */
/* frame size = 0 */
/* stack size = 0 */
.L__stack_usage = 0
	movw r30,r24
	ldd r18,Z+2
	ldd r19,Z+3
	ldd r20,Z+4
	ldd r21,Z+5
	ldd r22,Z+6
	ldd r23,Z+7
	ldd r24,Z+8
	ldd r25,Z+9
	ldi r26,lo8(-1)
	call __cmpdi2_s8
	brne .L9
	ldi r20,lo8(gs(deadline_insert))
	ldi r21,hi8(gs(deadline_insert))
	rjmp .L8
.L9:
	ldi r20,lo8(gs(deadline_insert_after))
	ldi r21,hi8(gs(deadline_insert_after))
.L8:
	ldi r22,lo8(gs(post))
	ldi r23,hi8(gs(post))
	movw r24,r30
	jmp timer_insert
	.size	arm_after, .-arm_after
	.section	.text.timer_arm,"ax",@progbits
.global	timer_arm
	.type	timer_arm, @function
timer_arm:
	push r14
	push r15
	push r16
	push r17
	push r28
	push r29
	in r28,__SP_L__
	in r29,__SP_H__
	sbiw r28,10
	in __tmp_reg__,__SREG__
	cli
	out __SP_H__,r29
	out __SREG__,__tmp_reg__
	out __SP_L__,r28
/* prologue: function */
/* frame size = 10 */
/* stack size = 16 */
.L__stack_usage = 16
	movw r14,r18
	mov r27,r20
	mov r26,r21
	mov r31,r22
	mov r30,r23
	std Y+2,r25
	std Y+1,r24
	movw r18,r16
	movw r20,r14
	mov r22,r27
	mov r23,r26
	mov r24,r31
	mov r25,r30
	call deadline_of_us
	std Y+3,r18
	std Y+4,r19
	std Y+5,r20
	std Y+6,r21
	std Y+7,r22
	std Y+8,r23
	std Y+9,r24
	std Y+10,r25
	ldi r20,lo8(gs(arm))
	ldi r21,hi8(gs(arm))
	movw r24,r28
	adiw r24,1
	call arch_kernel_run
/* epilogue start */
	adiw r28,10
	in __tmp_reg__,__SREG__
	cli
	out __SP_H__,r29
	out __SREG__,__tmp_reg__
	out __SP_L__,r28
	pop r29
	pop r28
	pop r17
	pop r16
	pop r15
	pop r14
	ret
	.size	timer_arm, .-timer_arm
	.section	.text.timer_arm_after_ticks,"ax",@progbits
.global	timer_arm_after_ticks
	.type	timer_arm_after_ticks, @function
timer_arm_after_ticks:
	push r16
	push r17
	push r28
	push r29
	in r28,__SP_L__
	in r29,__SP_H__
	sbiw r28,10
	in __tmp_reg__,__SREG__
	cli
	out __SP_H__,r29
	out __SREG__,__tmp_reg__
	out __SP_L__,r28
/* prologue: function */
/* frame size = 10 */
/* stack size = 14 */
.L__stack_usage = 14
	std Y+2,r25
	std Y+1,r24
	std Y+3,r16
	std Y+4,r17
	std Y+5,r18
	std Y+6,r19
	std Y+7,r20
	std Y+8,r21
	std Y+9,r22
	std Y+10,r23
	ldi r20,lo8(gs(arm_after))
	ldi r21,hi8(gs(arm_after))
	movw r24,r28
	adiw r24,1
	call arch_kernel_run
/* epilogue start */
	adiw r28,10
	in __tmp_reg__,__SREG__
	cli
	out __SP_H__,r29
	out __SREG__,__tmp_reg__
	out __SP_L__,r28
	pop r29
	pop r28
	pop r17
	pop r16
	ret
	.size	timer_arm_after_ticks, .-timer_arm_after_ticks
	.section	.text.timer_arm_after_converted,"ax",@progbits
.global	timer_arm_after_converted
	.type	timer_arm_after_converted, @function
timer_arm_after_converted:
	push r16
	push r17
	push r28
	push r29
/* prologue: function */
/* frame size = 0 */
/* stack size = 4 */
.L__stack_usage = 4
	movw r28,r24
	mov r27,r18
	mov r26,r19
	mov r31,r20
	mov r30,r21
	movw r24,r22
	movw r18,r16
	mov r20,r27
	mov r21,r26
	mov r22,r31
	mov r23,r30
	call deadline_of_us
	movw r16,r18
	movw r18,r20
	movw r20,r22
	movw r22,r24
	movw r24,r28
	call timer_arm_after_ticks
/* epilogue start */
	pop r29
	pop r28
	pop r17
	pop r16
	ret
	.size	timer_arm_after_converted, .-timer_arm_after_converted
	.ident	"GCC: (GNU) 5.4.0"
