// SPDX-License-Identifier: MIT OR Apache-2.0
//! The map of a picture of the air: where the motes are, what is between them, and who hears whom.

use super::lanes::NAME_SIZE;
use super::{Scene, marks, names};
use crate::air::{Link, Tally};
use crate::drawing::words::{escaped, width};
use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::fmt::Write;

/// Size of the map in pixels, and the room within its edges.
pub const WIDTH: f64 = 430.0;
const HEIGHT: f64 = 300.0;
const EDGE: f64 = 30.0;
/// Radius of a mote, and of one that is near another, at least.
const NODE: f64 = 10.0;
const LEAST_NODE: f64 = 4.0;
/// Motes at one place are drawn in a circle of this radius at least, or of the other one if all are at one place.
const CIRCLE: f64 = 24.0;
const WHOLE_CIRCLE: f64 = 110.0;
/// The links to and fro are so far apart. A share is written so far beside its link, and further where that would be
/// through the text.
const APART: f64 = 2.5;
const BESIDE: f64 = 9.0;
const TEXT: f64 = 7.0;
/// Length and half the width of an arrow's head.
const HEAD: [f64; 2] = [8.0, 3.5];
/// Shares of more ways are not written.
const MOST_SHARES: usize = 24;
pub const SHARE_SIZE: f64 = 8.5;

/// Shares from which on a link is good, and fair.
const GOOD: f64 = 0.9;
const FAIR: f64 = 0.5;

/// The classes of ways, and what they mean.
pub const CLASSES: [(&str, &str); 3] =
    [("good", "90 % or more is heard"), ("fair", "50 % or more"), ("poor", "less")];

/// The class of a link.
pub fn class(link: Link) -> &'static str {
    match link.share() {
        share if share >= GOOD => CLASSES[0].0,
        share if share >= FAIR => CLASSES[1].0,
        _ => CLASSES[2].0,
    }
}

/// A share in percent: all and nothing are said only of all and of nothing.
pub fn percent(link: Link) -> String {
    let percent = (link.share() * 100.0).round() as u64;
    let percent = match (link.heard, link.reached) {
        (0, _) => 0,
        (heard, reached) if heard == reached => 100,
        _ => percent.clamp(1, 99),
    };
    percent.to_string()
}

/// Draws a map below `top`, from `left` on; returns where it ends.
pub fn draw(svg: &mut String, scene: &Scene, tally: &Tally, (left, top): (f64, f64)) -> f64 {
    let mut map = Map { scene, tally, scale: Scale::of(scene), left, top, radius: NODE };
    map.radius = radius(&map.nodes());
    map.walls(svg);
    map.moves(svg);
    map.sources(svg);
    map.links(svg);
    map.motes(svg);
    top + map.scale.height
}

/// The radius of motes that do not touch each other, if there is room for that.
fn radius(nodes: &[[f64; 2]]) -> f64 {
    let others = |index: usize| nodes[index + 1..].iter();
    let nearest = nodes.iter().enumerate().flat_map(|(index, [x, y])| {
        others(index).map(move |[other_x, other_y]| (other_x - x).hypot(other_y - y))
    });
    (nearest.fold(f64::INFINITY, f64::min) / 2.0 - 1.0).clamp(LEAST_NODE, NODE)
}

/// From metres to pixels.
struct Scale {
    height: f64,
    /// Pixels of a metre; nothing if all is at one place.
    scale: Option<f64>,
    least: [f64; 2],
}

impl Scale {
    fn of(scene: &Scene) -> Scale {
        let places = scene.motes.iter().flat_map(|mote| &mote.places);
        let others = scene.walls.iter().flatten().chain(&scene.sources);
        let all: Vec<[f64; 2]> = places.chain(others).copied().collect();
        let end = |axis: usize, of: fn(f64, f64) -> f64, none: f64| {
            all.iter().map(|at| at[axis]).fold(none, of)
        };
        let least = [0, 1].map(|axis| end(axis, f64::min, f64::INFINITY));
        let most = [0, 1].map(|axis| end(axis, f64::max, f64::NEG_INFINITY));
        let [x, y] = [0, 1].map(|axis| most[axis] - least[axis]);
        if all.is_empty() || x.max(y) < 1e-6 {
            return Scale { height: HEIGHT, scale: None, least };
        }
        let fits = |size: f64, room: f64| {
            if size > 0.0 { (room - 2.0 * EDGE) / size } else { f64::INFINITY }
        };
        let scale = fits(x, WIDTH).min(fits(y, HEIGHT));
        Scale { height: y * scale + 2.0 * EDGE, scale: Some(scale), least }
    }

    /// Where a place is on the map. Its second number counts upwards.
    fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        match self.scale {
            None => [WIDTH / 2.0, self.height / 2.0],
            Some(scale) => {
                let [right, up] = [x - self.least[0], y - self.least[1]].map(|it| it * scale);
                [EDGE + right, self.height - EDGE - up]
            }
        }
    }
}

struct Map<'a> {
    scene: &'a Scene,
    tally: &'a Tally,
    scale: Scale,
    left: f64,
    top: f64,
    /// That of motes.
    radius: f64,
}

impl Map<'_> {
    fn place(&self, at: [f64; 2]) -> [f64; 2] {
        let [x, y] = self.scale.place(at);
        [self.left + x, self.top + y]
    }

    /// Where each mote is drawn: those at one place beside each other.
    fn nodes(&self) -> Vec<[f64; 2]> {
        let first =
            |mote: usize| self.scene.motes[mote].places.first().copied().unwrap_or_default();
        let mut groups: BTreeMap<[u64; 2], Vec<usize>> = BTreeMap::new();
        for mote in 0..self.scene.motes.len() {
            groups.entry(first(mote).map(f64::to_bits)).or_default().push(mote);
        }
        let mut nodes = vec![[0.0; 2]; self.scene.motes.len()];
        for motes in groups.into_values() {
            let radius = match (motes.len(), self.scale.scale) {
                (1, _) => 0.0,
                (_, None) => WHOLE_CIRCLE,
                (count, _) => CIRCLE.max(count as f64 * NODE * 2.4 / TAU),
            };
            for (index, mote) in motes.iter().enumerate() {
                let angle = TAU * index as f64 / motes.len() as f64;
                let [x, y] = self.place(first(*mote));
                nodes[*mote] = [x + radius * angle.sin(), y - radius * angle.cos()];
            }
        }
        nodes
    }

    fn walls(&self, svg: &mut String) {
        for wall in &self.scene.walls {
            let [[x, y], [to_x, to_y]] = wall.map(|end| self.place(end));
            let _ =
                writeln!(svg, "<path class=\"wall\" d=\"M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}\"/>");
        }
    }

    /// The paths of motes that move.
    fn moves(&self, svg: &mut String) {
        for mote in self.scene.motes.iter().filter(|mote| mote.places.len() > 1) {
            let places = mote.places.iter().map(|at| self.place(*at));
            let d: Vec<String> = places.map(|[x, y]| format!("{x:.1} {y:.1}")).collect();
            let _ = writeln!(svg, "<path class=\"path\" d=\"M{}\"/>", d.join("L"));
        }
    }

    fn sources(&self, svg: &mut String) {
        for source in &self.scene.sources {
            svg.push_str("<g><title>interference</title>");
            marks::source(svg, self.place(*source));
            svg.push_str("</g>\n");
        }
    }

    fn links(&self, svg: &mut String) {
        let nodes = self.nodes();
        let heard = self.tally.links().iter().filter(|(_, link)| link.heard > 0);
        let node = |mote: u32| nodes.get(mote as usize).copied();
        let drawn = heard
            .filter_map(|((from, to), link)| Some(((*from, *to), node(*from)?, node(*to)?, *link)));
        let drawn: Vec<_> = drawn.collect();
        for ((from, to), [x, y], [to_x, to_y], link) in &drawn {
            let length = (to_x - x).hypot(to_y - y).max(1.0);
            let [across, along] = [(to_x - x) / length, (to_y - y) / length];
            // A step along the link, and to its left.
            let at = |step: f64, left: f64| {
                [x + across * step + along * left, y + along * step - across * left]
            };
            let end = length - self.radius - 2.0;
            let [[x1, y1], [x2, y2], [tip_x, tip_y], [x3, y3], [x4, y4]] = [
                at(self.radius, APART),
                at(end - HEAD[0], APART),
                at(end, APART),
                at(end - HEAD[0], APART + HEAD[1]),
                at(end - HEAD[0], APART - HEAD[1]),
            ];
            let title = escaped(&self.scene.of_link((*from, *to), *link));
            let class = class(*link);
            let _ = writeln!(
                svg,
                "<g><title>{title}</title><path class=\"{class}\" d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\"/>\
                 <path class=\"{class}s\" d=\"M{tip_x:.1} {tip_y:.1}L{x3:.1} {y3:.1}L{x4:.1} {y4:.1}z\"/></g>"
            );
            if drawn.len() <= MOST_SHARES && link.heard < link.reached {
                let [x, y] = at(length * 0.65, BESIDE + TEXT * along.abs());
                let _ = writeln!(
                    svg,
                    "<text class=\"m name\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"{SHARE_SIZE}\">{} %</text>",
                    y + 3.0,
                    percent(*link)
                );
            }
        }
    }

    fn motes(&self, svg: &mut String) {
        let nodes = self.nodes();
        let names: Vec<String> =
            (0..nodes.len()).map(|mote| self.scene.name(mote as u32)).collect();
        let widths: Vec<f64> = names.iter().map(|name| width(name, NAME_SIZE)).collect();
        let places = names::places(&nodes, &widths, self.radius, (self.left, self.left + WIDTH));
        for (([x, y], [at, base]), name) in nodes.into_iter().zip(places).zip(names) {
            let _ = writeln!(
                svg,
                "<circle class=\"node\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\"/>\
                 <text class=\"name\" x=\"{at:.1}\" y=\"{base:.1}\" text-anchor=\"middle\" font-size=\"{NAME_SIZE}\">{}</text>",
                self.radius,
                escaped(&name)
            );
        }
    }
}
