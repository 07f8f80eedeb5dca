// SPDX-License-Identifier: MIT OR Apache-2.0
//! The states of the radio, and how it goes from one to another (data sheet of the AT86RF233, "Operating Modes").
//!
//! This is all that depends on time. A state in which it sends or receives begins and ends here, too; what it
//! sends and receives there belongs to other files.

use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

/// A state in which it stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) enum State {
    /// Its supply has just come up, and its crystal does not oscillate yet.
    Start,
    POn,
    /// The reset line is low.
    Reset,
    TrxOff,
    Sleep,
    PrepDeepSleep,
    DeepSleep,
    PllOn,
    RxOn,
    RxAackOn,
    TxAretOn,
    BusyRx,
    BusyTx,
    BusyRxAack,
    BusyTxAret,
}

use State::*;

/// TRX_STATUS while it goes from one state to another.
const STATE_TRANSITION_IN_PROGRESS: u8 = 0x1F;

impl State {
    /// Its number in TRX_STATUS.
    fn status(self) -> u8 {
        match self {
            Start | POn | Reset => 0x00,
            BusyRx => 0x01,
            BusyTx => 0x02,
            RxOn => 0x06,
            TrxOff => 0x08,
            PllOn => 0x09,
            Sleep | DeepSleep => 0x0F,
            PrepDeepSleep => 0x10,
            BusyRxAack => 0x11,
            BusyTxAret => 0x12,
            RxAackOn => 0x16,
            TxAretOn => 0x19,
        }
    }

    /// Its name in the table of currents.
    pub fn name(self) -> &'static str {
        match self {
            Start | POn => "p_on",
            // Its oscillator runs, as in TRX_OFF.
            Reset | TrxOff => "trx_off",
            Sleep => "sleep",
            PrepDeepSleep => "prep_deep_sleep",
            DeepSleep => "deep_sleep",
            PllOn => "pll_on",
            RxOn => "rx_on",
            RxAackOn => "rx_aack_on",
            TxAretOn | BusyTxAret => "tx_aret_on",
            BusyRx | BusyRxAack => "busy_rx",
            BusyTx => "busy_tx",
        }
    }

    /// Whether its registers can be accessed.
    pub fn is_accessible(self) -> bool {
        !matches!(self, Start | Reset | Sleep | DeepSleep)
    }

    /// Whether its crystal oscillates, and its clock output runs.
    pub fn is_clocked(self) -> bool {
        !matches!(self, Start | Sleep | DeepSleep)
    }

    /// Whether its synthesizer is locked.
    pub fn has_pll(self) -> bool {
        matches!(self, PllOn | RxOn | RxAackOn | TxAretOn) || self.is_busy()
    }

    /// Whether a frame is under way, the end of which a change of the state waits for.
    pub fn is_busy(self) -> bool {
        matches!(self, BusyRx | BusyTx | BusyRxAack | BusyTxAret)
    }

    /// Whether it listens for frames.
    pub fn listens(self) -> bool {
        matches!(self, RxOn | RxAackOn | BusyRx | BusyRxAack)
    }
}

/// Times (data sheet, "State Transition Timing", typical values; tTR1, tTR2, tTR4, tTR13 and tTR15). That of
/// DEEP_SLEEP is taken to be the one of P_ON: the oscillator and the regulator start in both.
const START: Time = Time::from_us(330);
const P_ON_TO_TRX_OFF: Time = Time::from_us(360);
const RESET_TO_TRX_OFF: Time = Time::from_us(26);
pub(super) const SLEEP_TO_TRX_OFF: Time = Time::from_us(210);
const DEEP_SLEEP_TO_TRX_OFF: Time = Time::from_us(360);
pub(super) const TRX_OFF_TO_PLL_ON: Time = Time::from_us(80);
/// From the end of a transmission until it can receive (tTR11).
const SETTLES: Time = Time::from_us(32);
/// All others.
const SHORT: Time = Time::from_us(1);

/// A command (TRX_STATE.TRX_CMD).
const TX_START: u8 = 0x02;
const FORCE_TRX_OFF: u8 = 0x03;
const FORCE_PLL_ON: u8 = 0x04;

/// The state that a command leads to; `None` for those that are no state.
fn target(command: u8) -> Option<State> {
    Some(match command {
        0x06 => RxOn,
        FORCE_TRX_OFF | 0x08 => TrxOff,
        FORCE_PLL_ON | 0x09 => PllOn,
        0x10 => PrepDeepSleep,
        0x16 => RxAackOn,
        0x19 => TxAretOn,
        _ => return None,
    })
}

/// How long a command takes from one state to another; `None` if that is not possible.
fn takes(from: State, to: State) -> Option<Time> {
    match (from, to) {
        (POn, TrxOff) => Some(P_ON_TO_TRX_OFF),
        (TrxOff, PrepDeepSleep) | (PrepDeepSleep, TrxOff) => Some(SHORT),
        (TrxOff, to) if to.has_pll() => Some(TRX_OFF_TO_PLL_ON),
        (from, TrxOff) if from.has_pll() => Some(SHORT),
        (from, to) if from.has_pll() && to.has_pll() => Some(SHORT),
        _ => None,
    }
}

/// What a command comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It is done, or under way.
    Accepted,
    /// The state does not allow it, or another change is under way.
    Ignored,
    /// It sends.
    Sends,
    /// It is done when the frame that is under way has ended.
    Deferred,
}

/// The present state, and the next.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(super) struct States {
    state: State,
    /// When another state begins, and which.
    next: Option<(Time, State)>,
    /// Whether TRX_STATUS says so meanwhile.
    is_reported: bool,
    /// SLP_TR is high.
    sleeps: bool,
    /// From when on it can receive.
    settled: Time,
    /// Time from the end of a reset to TRX_OFF: longer if its crystal stood ("Reset Procedure").
    reset_takes: Time,
}

impl States {
    /// Its supply comes up.
    pub fn powered(now: Time) -> States {
        let next = Some((now + START, POn));
        let (settled, reset_takes) = (Time::ZERO, RESET_TO_TRX_OFF);
        States { state: Start, next, is_reported: false, sleeps: false, settled, reset_takes }
    }

    pub fn state(&self) -> State {
        self.state
    }

    /// TRX_STATUS.TRX_STATUS.
    pub fn status(&self) -> u8 {
        let changes = self.next.is_some() && self.is_reported;
        if changes { STATE_TRANSITION_IN_PROGRESS } else { self.state.status() }
    }

    pub fn due(&self) -> Time {
        self.next.map_or(Time::NEVER, |(due, _)| due)
    }

    fn go(&mut self, at: Time, state: State) {
        (self.next, self.is_reported) = (Some((at, state)), true);
    }

    /// The next state begins; returns the one before, and this. `clkm` is the time that its clock output needs to
    /// stop.
    pub fn fire(&mut self, clkm: Time) -> (State, State) {
        let before = self.state;
        if let Some((now, state)) = self.next.take() {
            self.state = state;
            self.follow_sleep(now, clkm);
        }
        (before, self.state)
    }

    /// Another state begins at once.
    pub fn enter(&mut self, state: State) {
        (self.state, self.next) = (state, None);
    }

    /// A transmission has ended.
    pub fn has_sent(&mut self, now: Time, state: State) {
        self.enter(state);
        self.settled = now + SETTLES;
    }

    /// Whether another state is on the way, in which it can send, and when it begins.
    pub fn next_with_pll(&self) -> Option<Time> {
        self.next.filter(|(_, state)| state.has_pll()).map(|(due, _)| due)
    }

    /// TRX_STATE is written.
    pub fn command(&mut self, now: Time, command: u8) -> Outcome {
        let is_forced = matches!(command, FORCE_TRX_OFF | FORCE_PLL_ON);
        match (command, target(command)) {
            (TX_START, _) if matches!(self.state, PllOn | TxAretOn) && self.next.is_none() => {
                Outcome::Sends
            }
            (TX_START, _) => Outcome::Ignored,
            (_, Some(_)) if self.state.is_busy() && !is_forced => Outcome::Deferred,
            (FORCE_PLL_ON, _) if !self.state.has_pll() => Outcome::Ignored,
            (_, None) => Outcome::Accepted,
            (_, Some(to)) if to == self.state && self.next.is_none() => Outcome::Accepted,
            (_, Some(to)) if self.next.is_none() || command == FORCE_TRX_OFF => {
                match takes(self.state, to) {
                    Some(time) => {
                        let settled = if to.listens() { self.settled } else { now };
                        self.go(settled.max(now + time), to);
                        Outcome::Accepted
                    }
                    // From TRX_OFF on the way to another state.
                    None if to == self.state => {
                        self.next = None;
                        Outcome::Accepted
                    }
                    None => Outcome::Ignored,
                }
            }
            _ => Outcome::Ignored,
        }
    }

    /// The level of SLP_TR. Whether it would send now.
    pub fn sleep(&mut self, now: Time, high: bool, clkm: Time) -> bool {
        let rises = high && !self.sleeps;
        self.sleeps = high;
        self.follow_sleep(now, clkm);
        rises && matches!(self.state, PllOn | TxAretOn) && self.next.is_none()
    }

    /// What SLP_TR means in the present state, where it works by its level.
    fn follow_sleep(&mut self, now: Time, clkm: Time) {
        match (self.state, self.sleeps, self.next) {
            (TrxOff, true, None) => self.next = Some((now + clkm, Sleep)),
            (PrepDeepSleep, true, None) => self.next = Some((now + clkm, DeepSleep)),
            (TrxOff | PrepDeepSleep, false, Some((_, Sleep | DeepSleep))) => self.next = None,
            (Sleep, false, None) => self.go(now + SLEEP_TO_TRX_OFF, TrxOff),
            (DeepSleep, false, None) => self.go(now + DEEP_SLEEP_TO_TRX_OFF, TrxOff),
            _ => {}
        }
        if self.next.is_some_and(|(_, next)| matches!(next, Sleep | DeepSleep)) {
            self.is_reported = false;
        }
    }

    /// The reset line. It stays in P_ON where it is there.
    pub fn reset(&mut self, now: Time, low: bool) {
        match (self.state, low) {
            (Start | POn, _) | (Reset, true) => {}
            (Reset, false) => self.go(now + self.reset_takes, TrxOff),
            (before, true) => {
                self.reset_takes = match before {
                    Sleep => SLEEP_TO_TRX_OFF,
                    DeepSleep => DEEP_SLEEP_TO_TRX_OFF,
                    _ => RESET_TO_TRX_OFF,
                };
                (self.state, self.next) = (Reset, None);
            }
            (_, false) => {}
        }
    }
}
