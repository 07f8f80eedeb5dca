// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls as the firmware reads them: `struct command` of `test/model/frame/model.h`, with the numbers of
//! `test/model/frame/calls.h`.

use lichen_model::{Actor, Call, Until};

/// Bytes of one command.
pub(crate) const BYTES: u32 = 16;

/// An actor's number.
pub(crate) fn number(actor: Actor) -> u32 {
    match actor {
        Actor::Thread(index) => index as u32,
        Actor::Event(index) => 8 + index as u32,
        Actor::Interrupt(level) => 16 + level as u32,
        Actor::Pair(index) => 20 + index as u32,
        Actor::Coop(index) => 24 + index as u32,
    }
}

/// The actor of a number.
pub(crate) fn actor(number: u32) -> Option<Actor> {
    match number {
        0..8 => Some(Actor::Thread(number as usize)),
        8..16 => Some(Actor::Event(number as usize - 8)),
        16..20 => Some(Actor::Interrupt(number as usize - 16)),
        20..24 => Some(Actor::Pair(number as usize - 20)),
        24..28 => Some(Actor::Coop(number as usize - 24)),
        _ => None,
    }
}

/// The bytes of a call with absolute moments.
pub(crate) fn encode(call: Call) -> [u8; BYTES as usize] {
    let mut bytes = [0; BYTES as usize];
    let (code, object, other, value, time) = fields(call);
    bytes[..3].copy_from_slice(&[code, object as u8, other]);
    bytes[4..8].copy_from_slice(&value.to_le_bytes());
    bytes[8..].copy_from_slice(&time.to_le_bytes());
    bytes
}

fn until(plain: u8, object: usize, until: Until) -> (u8, usize, u8, u32, u64) {
    match until {
        Until::Ever => (plain, object, 0, 0, 0),
        Until::At(us) => (plain + 1, object, 0, 0, us),
    }
}

fn moment(until: Until) -> u64 {
    match until {
        Until::Ever => u64::MAX,
        Until::At(us) => us,
    }
}

fn fields(call: Call) -> (u8, usize, u8, u32, u64) {
    match call {
        Call::Return => (1, 0, 0, 0, 0),
        Call::Compute(us) => (2, 0, 0, us, 0),
        Call::Now => (3, 0, 0, 0, 0),
        Call::SemaphoreTry(object) => (4, object, 0, 0, 0),
        Call::SemaphorePost(object) => (5, object, 0, 0, 0),
        Call::ConditionSignal(object) => (6, object, 0, 0, 0),
        Call::ConditionBroadcast(object) => (7, object, 0, 0, 0),
        Call::ReferenceTake(object) => (8, object, 0, 0, 0),
        Call::ReferenceGive(object) => (9, object, 0, 0, 0),
        Call::QueueTrySend(object, message) => (10, object, 0, message, 0),
        Call::QueueTryReceive(object) => (11, object, 0, 0, 0),
        Call::QueueHeld(object) => (12, object, 0, 0, 0),
        Call::NotifyPost(object) => (13, object, 0, 0, 0),
        Call::EventPost(object) => (14, object, 0, 0, 0),
        Call::TimerArm(object, at) => (15, object, 0, 0, moment(at)),
        Call::TimerArmAfter(object, us) => (16, object, 0, 0, us),
        Call::TimerArmEvery(object, first, us) => (17, object, 0, us as u32, moment(first)),
        Call::TimerCancel(object) => (18, object, 0, 0, 0),
        Call::ThreadStart(object) => (19, object, 0, 0, 0),
        Call::ThreadPause(object) => (20, object, 0, 0, 0),
        Call::ThreadResume(object) => (21, object, 0, 0, 0),
        Call::ThreadSetPriority(object, priority) => (22, object, priority, 0, 0),
        Call::SemaphoreWait(object, at) => until(23, object, at),
        Call::MutexLock(object, at) => until(25, object, at),
        Call::MutexTry(object) => (27, object, 0, 0, 0),
        Call::MutexUnlock(object) => (28, object, 0, 0, 0),
        Call::ConditionWait(object, mutex, at) => {
            let (code, object, _, value, time) = until(29, object, at);
            (code, object, mutex as u8, value, time)
        }
        Call::BarrierWait(object, at) => until(31, object, at),
        Call::ReferenceWait(object, at) => until(33, object, at),
        Call::QueueSend(object, message, at) => {
            let (code, object, other, _, time) = until(35, object, at);
            (code, object, other, message, time)
        }
        Call::QueueReceive(object, at) => until(37, object, at),
        Call::NotifyWait(object, at) => until(39, object, at),
        Call::SleepUs(us) => (41, 0, 0, 0, us),
        Call::SleepUntil(at) => (42, 0, 0, 0, moment(at)),
        Call::ThreadCreate(object) => (43, object, 0, 0, 0),
        Call::ThreadDestroy(object) => (44, object, 0, 0, 0),
        Call::ThreadJoin(object, at) => until(45, object, at),
        Call::ThreadYield => (47, 0, 0, 0, 0),
        Call::SemaphorePostFrom => (48, 0, 0, 0, 0),
        Call::QueueSendFrom(message) => (49, 0, 0, message, 0),
        Call::CoopSignal(object) => (50, object, 0, 0, 0),
        Call::CoopAdd(object) => (51, object, 0, 0, 0),
        Call::CoopHold(object) => (52, object, 0, 0, 0),
        Call::CoopKill(object) => (53, object, 0, 0, 0),
        Call::CoopYield => (54, 0, 0, 0, 0),
        Call::CoopWait => (55, 0, 0, 0, 0),
        Call::CoopSleep(ms) => (56, 0, 0, ms, 0),
        Call::AlarmSet(object, us) => (57, object, 0, us, 0),
        Call::AlarmCancel(object) => (58, object, 0, 0, 0),
        Call::SleepExact(us) => (59, 0, 0, us, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_makes_another_call_of_the_next_number() {
        let plain = encode(Call::QueueSend(1, 7, Until::Ever));
        let timed = encode(Call::QueueSend(1, 7, Until::At(0x0102)));
        assert_eq!(plain[..8], [35, 1, 0, 0, 7, 0, 0, 0]);
        assert_eq!(timed[..8], [36, 1, 0, 0, 7, 0, 0, 0]);
        assert_eq!((plain[8], timed[8], timed[9]), (0, 2, 1));
    }

    #[test]
    fn actors_have_numbers() {
        for who in
            [Actor::Thread(5), Actor::Event(6), Actor::Interrupt(0), Actor::Pair(2), Actor::Coop(3)]
        {
            assert_eq!(actor(number(who)), Some(who));
        }
        assert_eq!(actor(28), None);
    }
}
