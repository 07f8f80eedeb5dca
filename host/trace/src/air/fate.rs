// SPDX-License-Identifier: MIT OR Apache-2.0
//! What becomes of a frame at a mote that it reaches.

use borsh::{BorshDeserialize, BorshSerialize};

/// What became of a frame at a mote that it reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, BorshSerialize, BorshDeserialize)]
pub enum Fate {
    /// It arrived whole, and was received.
    Whole,
    /// It arrived whole, and the radio left it to another mote.
    Filtered,
    /// Another signal disturbed it, or the radio listened to another one.
    Collision,
    /// It arrived with errors, and nothing else disturbed it: noise.
    Noise,
    /// The radio listened, and nothing disturbed it, but its beginning was not recognized.
    Missed,
    /// It was weaker than what the radio can synchronize with.
    TooWeak,
    /// It faded on its way, as the quality of the link says.
    Faded,
    /// The radio listened in another channel.
    Elsewhere,
    /// The radio was sending, or about to.
    Sends,
    /// The radio was off, or did not listen.
    Deaf,
    /// The radio had no room for it.
    Overflowed,
    /// The radio stopped receiving before its end.
    Abandoned,
}

impl Fate {
    /// All of them.
    pub const ALL: [Fate; 12] = [
        Fate::Whole,
        Fate::Filtered,
        Fate::Collision,
        Fate::Noise,
        Fate::Missed,
        Fate::TooWeak,
        Fate::Faded,
        Fate::Elsewhere,
        Fate::Sends,
        Fate::Deaf,
        Fate::Overflowed,
        Fate::Abandoned,
    ];

    /// What became of a frame of which a radio reports this, and that arrived whole or not. A radio that filters frames
    /// goes by their headers, which may have arrived wrong.
    pub(super) fn of(reported: &str, whole: bool) -> Fate {
        match (reported, whole) {
            ("received", true) => Fate::Whole,
            ("filtered", true) => Fate::Filtered,
            ("overflowed", _) => Fate::Overflowed,
            ("abandoned", _) => Fate::Abandoned,
            _ => Fate::Noise,
        }
    }

    /// Whether the mote has heard the frame, be it for another mote.
    pub fn is_heard(self) -> bool {
        matches!(self, Fate::Whole | Fate::Filtered)
    }

    /// Whether the frame is lost: it was not heard, and could have been by a radio that listens to nothing else.
    pub fn is_lost(self) -> bool {
        !self.is_heard() && self != Fate::TooWeak
    }

    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            Fate::Whole => "received",
            Fate::Filtered => "filtered",
            Fate::Collision => "collision",
            Fate::Noise => "noise",
            Fate::Missed => "not_recognized",
            Fate::TooWeak => "too_weak",
            Fate::Faded => "faded",
            Fate::Elsewhere => "other_channel",
            Fate::Sends => "sending",
            Fate::Deaf => "not_listening",
            Fate::Overflowed => "overflowed",
            Fate::Abandoned => "abandoned",
        }
    }

    /// The same for people, after the number of frames or before what they collided with.
    pub fn words(self) -> &'static str {
        match self {
            Fate::Whole => "heard whole",
            Fate::Filtered => "for another mote",
            Fate::Collision => "collision",
            Fate::Noise => "noise",
            Fate::Missed => "not recognized",
            Fate::TooWeak => "too weak",
            Fate::Faded => "faded",
            Fate::Elsewhere => "on another channel",
            Fate::Sends => "sending itself",
            Fate::Deaf => "not listening",
            Fate::Overflowed => "no room",
            Fate::Abandoned => "stopped receiving",
        }
    }
}
