// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lines after a run of several motes that count the frames that were sent, received and lost, with the reasons.

use super::summary::entry;
use crate::mote::Names;
use lichen_terminal::screen::many;
use lichen_trace::air::{Counts, Fate, Tally};

/// The motes of a larger network are not listed, but so many that have lost most.
const MOST_LISTED: usize = 16;
const WORST: usize = 5;

/// Prints what was sent and what became of it; nothing if nothing was sent.
pub fn print(tally: &Tally, names: &Names) {
    lines(tally, names).iter().for_each(|(name, text)| entry(name, text));
    deaf(tally, names).iter().for_each(|text| entry("note", text));
}

/// What to warn of: motes that send from one address take each other's frames and acknowledgments.
pub fn warning(tally: &Tally, names: &Names) -> Option<String> {
    let shared = tally.shared_addresses();
    let who = |motes: &[u32]| listed(motes.iter().map(|mote| names.long(*mote)).collect());
    let at = |(network, address): (u16, u16)| format!("{address:04x} of network {network:04x}");
    let what = match &shared[..] {
        [] => return None,
        [(address, motes)] => {
            let quantity = if motes.len() == 2 { "both" } else { "all" };
            format!("{} {quantity} send from address {}", who(motes), at(*address))
        }
        _ => {
            let shared = shared
                .iter()
                .map(|(address, motes)| format!("{} from {}", who(motes), at(*address)));
            format!("motes send from one address: {}", listed(shared.collect()))
        }
    };
    Some(format!(
        "{what}, so they take each other's frames; give them addresses of their own, or take another --seed"
    ))
}

/// Motes that frames reached, and whose radio was never on.
fn deaf(tally: &Tally, names: &Names) -> Option<String> {
    let is_deaf = |counts: &Counts| {
        let missed = counts.with(Fate::Deaf);
        let others =
            Fate::ALL.into_iter().filter(|fate| !matches!(fate, Fate::Deaf | Fate::TooWeak));
        counts.sent == 0 && missed > 0 && others.map(|fate| counts.with(fate)).sum::<u64>() == 0
    };
    let motes = tally.motes().iter().zip(0..).filter(|(counts, _)| is_deaf(counts));
    let motes: Vec<String> = motes.map(|(_, mote)| names.short(mote)).collect();
    if motes.is_empty() {
        return None;
    }
    let shown = listed(motes);
    Some(format!(
        "frames reached motes whose radio never listened: {shown}; does their program open it (link_open)?"
    ))
}

/// Some of them, and how many more there are.
fn listed(mut all: Vec<String>) -> String {
    let last = match all.len() {
        count if count > WORST => {
            all.truncate(WORST);
            format!("{} more", count - WORST)
        }
        _ => all.pop().unwrap_or_default(),
    };
    if all.is_empty() { last } else { format!("{} and {last}", all.join(", ")) }
}

/// The lines, each with its name.
fn lines(tally: &Tally, names: &Names) -> Vec<(String, String)> {
    let whole = tally.whole();
    if whole.sent == 0 {
        return Vec::new();
    }
    let line = |name: &str, text: String| (name.to_string(), text);
    let mut lines = vec![line("frames", sent(&whole)), line("lost", lost(&whole))];
    let motes: Vec<(usize, &Counts)> = tally.motes().iter().enumerate().collect();
    if motes.len() <= MOST_LISTED {
        lines.extend(motes.iter().map(|(mote, counts)| {
            let mote = *mote as u32;
            let address = tally.address(mote).map(|(_, address)| format!(" ({address:04x})"));
            let text = format!("{}; lost {}", sent(counts), lost(counts));
            (format!("air {}{}", names.short(mote), address.unwrap_or_default()), text)
        }));
        return lines;
    }
    let mut worst: Vec<_> = motes.into_iter().filter(|(_, counts)| counts.lost() > 0).collect();
    worst.sort_by_key(|(mote, counts)| (std::cmp::Reverse(counts.lost()), *mote));
    let worst = worst
        .iter()
        .take(WORST)
        .map(|(mote, counts)| format!("{} in {}", counts.lost(), names.long(*mote as u32)));
    let worst: Vec<String> = worst.collect();
    if !worst.is_empty() {
        lines.push(line("lost most", worst.join(", ")));
    }
    lines
}

/// What was sent, and what was heard.
fn sent(counts: &Counts) -> String {
    let acks = match counts.acknowledgments {
        0 => String::new(),
        count => format!(" ({})", many(count, "acknowledgment")),
    };
    let mut text = format!("{} sent{acks}, {} heard whole", counts.sent, counts.with(Fate::Whole));
    for fate in [Fate::Filtered, Fate::TooWeak] {
        let count = counts.with(fate);
        if count > 0 {
            text += &format!(", {count} {}", fate.words());
        }
    }
    text
}

/// What was lost, and why.
fn lost(counts: &Counts) -> String {
    let reasons = counts.reasons().map(|(fate, count)| format!("{} {count}", fate.words()));
    let reasons: Vec<String> = reasons.collect();
    match reasons.is_empty() {
        true => "0".to_string(),
        false => format!("{}: {}", counts.lost(), reasons.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_chip::Time;
    use lichen_trace::Frame;
    use lichen_trace::air::{Arrival, Transmission};

    fn sent_to(sender: u32, bytes: &[u8], fates: &[(u32, Fate)]) -> Transmission {
        let (begin, end) = (Time::ZERO, Time::from_us(1));
        let bytes = bytes.to_vec();
        let frame = Frame { start: begin, khz: 2_405_000, bps: 250_000, dbm: 0.0, bytes };
        let arrivals = fates.iter().map(|(mote, fate)| Arrival {
            mote: *mote,
            dbm: -60.0,
            fate: *fate,
            with: Vec::new(),
            bursts: Vec::new(),
        });
        Transmission { sender, begin, end, frame, arrivals: arrivals.collect() }
    }

    fn shown(tally: &Tally) -> Vec<String> {
        let lines = lines(tally, &Names::default());
        lines.into_iter().map(|(name, text)| format!("{name}: {text}")).collect()
    }

    #[test]
    fn a_small_network_is_reported_mote_by_mote() {
        let mut tally = Tally::new(3);
        assert!(shown(&tally).is_empty(), "nothing was sent");
        tally.add(&sent_to(0, &[1, 0, 7], &[(1, Fate::Whole), (2, Fate::Collision)]));
        tally.add(&sent_to(0, &[1, 0, 8], &[(1, Fate::Noise), (2, Fate::Collision)]));
        tally.add(&sent_to(1, &[2, 0, 7], &[(0, Fate::Filtered), (2, Fate::TooWeak)]));
        let expected = [
            "frames: 3 sent (1 acknowledgment), 1 heard whole, 1 for another mote, 1 too weak",
            "lost: 3: collision 2, noise 1",
            "air 0: 2 sent, 0 heard whole, 1 for another mote; lost 0",
            "air 1: 1 sent (1 acknowledgment), 1 heard whole; lost 1: noise 1",
            "air 2: 0 sent, 0 heard whole, 1 too weak; lost 2: collision 2",
        ];
        assert_eq!(shown(&tally), expected);
    }

    #[test]
    fn radios_that_never_listened_are_named_once() {
        let mut tally = Tally::new(4);
        let fates = [(1, Fate::Whole), (2, Fate::Deaf), (3, Fate::Deaf)];
        tally.add(&sent_to(0, &[1, 0, 7], &fates));
        let names = &Names::default();
        let note = deaf(&tally, names).expect("a note");
        assert!(note.contains("never listened: 2 and 3; does"), "{note}");
        tally.add(&sent_to(0, &[1, 0, 8], &[(2, Fate::Whole), (3, Fate::TooWeak)]));
        let note = deaf(&tally, names).expect("a note");
        assert!(note.contains("never listened: 3; does"), "{note}");
        tally.add(&sent_to(3, &[1, 0, 8], &[]));
        assert_eq!(deaf(&tally, names), None);
    }

    /// A frame from this short address.
    fn from(address: u8) -> [u8; 10] {
        [0x41, 0x88, 7, 0x22, 0, 0xFF, 0xFF, address, 1, 0]
    }

    /// The warning about motes that have sent so many frames from these addresses.
    fn warned(sent: &[(u32, u8, usize)]) -> Option<String> {
        let mut tally = Tally::new(100);
        for (mote, address, count) in sent {
            (0..*count).for_each(|_| tally.add(&sent_to(*mote, &from(*address), &[])));
        }
        warning(&tally, &Names::default())
    }

    #[test]
    fn motes_that_share_an_address_are_named() {
        assert_eq!(warned(&[(0, 5, 2), (1, 6, 2)]), None);
        let two = warned(&[(0, 5, 2), (1, 6, 1), (3, 5, 1)]);
        let expected = "mote 0 and mote 3 both send from address 0105 of network 0022, so they take each other's \
                        frames; give them addresses of their own, or take another --seed";
        assert_eq!(two.as_deref(), Some(expected));
        let all = warned(&(0..50).map(|mote| (mote, 5, 1)).collect::<Vec<_>>()).expect("a warning");
        let expected =
            "mote 0, mote 1, mote 2, mote 3, mote 4 and 45 more all send from address 0105 of";
        assert!(all.starts_with(expected), "{all}");
    }

    #[test]
    fn many_addresses_that_are_shared_are_one_warning() {
        let pairs: Vec<_> = (0..16).map(|mote| (mote, mote as u8 / 2, 3)).collect();
        let warning = warned(&pairs).expect("a warning");
        let expected = "motes send from one address: mote 0 and mote 1 from 0100 of network 0022, mote 2 and mote 3 \
                        from 0101 of network 0022, ";
        assert!(warning.starts_with(expected), "{warning}");
        assert!(warning.contains(" and 3 more, so they take each other's frames; "), "{warning}");
    }

    #[test]
    fn who_repeats_frames_of_others_shares_no_address() {
        assert_eq!(warned(&[(0, 5, 20), (1, 6, 18), (1, 5, 1)]), None);
        assert!(warned(&[(0, 5, 20), (1, 6, 18), (1, 5, 2)]).is_some());
    }

    #[test]
    fn motes_are_reported_with_the_addresses_that_they_send_from() {
        let mut tally = Tally::new(3);
        for (mote, address) in [(0, 0xA8), (1, 0x0F), (1, 0xA8), (1, 0x0F)] {
            tally.add(&sent_to(mote, &from(address), &[]));
        }
        let names: Vec<String> =
            lines(&tally, &Names::default()).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["frames", "lost", "air 0 (01a8)", "air 1 (010f)", "air 2"]);
    }

    #[test]
    fn of_a_large_network_those_are_named_that_lost_most() {
        let mut tally = Tally::new(20);
        for mote in 1..20 {
            let fate = if mote == 7 { Fate::Whole } else { Fate::Deaf };
            tally.add(&sent_to(0, &[1, 0, 7], &[(mote, fate), (9, Fate::Faded)]));
        }
        let lines = shown(&tally);
        assert_eq!(lines.len(), 3);
        let most = "lost most: 20 in mote 9, 1 in mote 1, 1 in mote 2, 1 in mote 3, 1 in mote 4";
        assert_eq!(lines[2], most);
    }
}
