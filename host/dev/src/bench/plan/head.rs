// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every entry of a plan has, whatever it measures: a title, and boards. Each kind spells the keys itself: serde does not
//! refuse unknown keys of an entry with a flattened part.

use super::{
    Bursts, Busy, Container, Current, Jitter, Latency, Load, Lost, Measure, Naps, Network,
    Overhead, Period, Plan, Rom, Size, Snapshot, Speed, Throughput, Traffic, Wakeups,
};

/// The title of a value: the id of a figure, or a text for a value printed beside the figure before
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Title {
    /// Id in `bench/figures.toml`.
    Id(String),
    /// In words.
    Beside(String),
}

/// Both ways to title a value, as written; exactly one must be present.
fn title(id: &Option<String>, beside: &Option<String>) -> Option<Title> {
    match (id, beside) {
        (Some(id), None) => Some(Title::Id(id.clone())),
        (None, Some(words)) => Some(Title::Beside(words.clone())),
        _ => None,
    }
}

/// The head of an entry.
pub struct Head<'a> {
    /// Its title; none unless it has either `id` or `beside`.
    pub title: Option<Title>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<&'a [String]>,
}

impl Plan {
    /// The heads of all entries.
    pub fn heads(&self) -> Vec<Head<'_>> {
        let mut heads: Vec<Head<'_>> = self.measure.iter().map(Measure::head).collect();
        heads.extend(self.size.iter().map(Size::head));
        heads.extend(self.rom.iter().map(Rom::head));
        heads.extend(self.container.iter().map(Container::head));
        heads.extend(self.load.iter().map(Load::head));
        heads.extend(self.wakeups.iter().map(Wakeups::head));
        heads.extend(self.current.iter().map(Current::head));
        heads.extend(self.period.iter().map(Period::head));
        heads.extend(self.busy.iter().map(Busy::head));
        heads.extend(self.overhead.iter().map(Overhead::head));
        heads.extend(self.bursts.iter().map(Bursts::head));
        heads.extend(self.throughput.iter().map(Throughput::head));
        heads.extend(self.lost.iter().map(Lost::head));
        heads.extend(self.traffic.iter().map(Traffic::head));
        heads.extend(self.jitter.iter().map(Jitter::head));
        heads.extend(self.latency.iter().map(Latency::head));
        heads.extend(self.speed.iter().map(Speed::head));
        heads.extend(self.naps.iter().map(Naps::head));
        heads.extend(self.snapshot.iter().map(Snapshot::head));
        heads.extend(self.network.iter().map(Network::head));
        heads
    }

    /// What is wrong with its boards: there is none, or an entry has one that the plan has not, and so would
    /// never be measured there.
    pub fn mistake(&self) -> Option<String> {
        if self.boards.is_empty() {
            return Some("`boards` is empty: name a board to measure on".to_string());
        }
        let heads = self.heads();
        let mut boards = heads.iter().filter_map(|head| head.boards).flatten();
        let unknown = boards.find(|board| !self.boards.contains(board))?;
        let known = self.boards.join(", ");
        Some(format!("an entry is for the board `{unknown}`, the group is for: {known}"))
    }
}

macro_rules! titled {
    ($($kind:ty),*) => {
        $(impl $kind {
            /// The value's title; none unless the entry has either `id` or `beside`.
            pub fn title(&self) -> Option<Title> {
                self.head().title
            }

            fn head(&self) -> Head<'_> {
                Head { title: title(&self.id, &self.beside), boards: self.boards.as_deref() }
            }

            /// Whether it is measured on `board`.
            pub fn is_of(&self, board: &str) -> bool {
                self.boards.as_ref().is_none_or(|boards| boards.iter().any(|name| name == board))
            }
        })*
    };
}

titled!(
    Measure, Size, Rom, Wakeups, Current, Latency, Speed, Snapshot, Network, Naps, Period, Busy,
    Overhead, Bursts, Throughput, Lost, Traffic, Jitter, Container, Load
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_a_figure_or_stands_beside_one() {
        let text = "[[measure]]\nid = \"a.b\"\nprogram = \"p\"\nfrom = \"f\"\nto = \"t\"\n\
                    pick = \"min\"\n[[size]]\nbeside = \"in words\"\nprogram = \"p\"\n";
        let plan: Plan = toml::from_str(text).expect("good");
        assert_eq!(plan.measure[0].title(), Some(Title::Id("a.b".to_string())));
        assert_eq!(plan.size[0].title(), Some(Title::Beside("in words".to_string())));
        assert_eq!(plan.boards, ["hamilton"]);
        assert_eq!(plan.mistake(), None);
    }

    #[test]
    fn a_board_that_would_never_be_measured_is_a_mistake() {
        let mistake = |boards: &str, own: &str| {
            let text = format!(
                "boards = {boards}\n[[rom]]\nid = \"a.b\"\nboards = {own}\nprogram = \"p\"\nrooms = []\n"
            );
            toml::from_str::<Plan>(&text).expect("good").mistake()
        };
        assert_eq!(mistake("[\"hamilton\", \"micaz\"]", "[\"micaz\"]"), None);
        let found = mistake("[\"hamilton\"]", "[\"mikaz\"]").expect("a mistake");
        assert!(found.contains("`mikaz`") && found.ends_with(": hamilton"), "{found}");
        assert!(mistake("[]", "[]").is_some_and(|found| found.contains("empty")));
    }
}
