//! Explains colors.

use super::wording::{PatternText, and, and_houses, part, sentence, shared_house, short_cells};
use crate::grid::{CandidateGrid, CandidateSet, Cell, CellSet, Digit, House, HouseSet};
use crate::logic::technique_id::TechniqueId;

/// The places of a digit in one or two pairs of colors, which eliminate these cells.
pub(super) fn colors(
    grid: &CandidateGrid,
    digit: Digit,
    components: &[[CellSet; 2]],
    technique: TechniqueId,
    eliminated: CellSet,
) -> PatternText {
    let named: Vec<Color> = components
        .iter()
        .flatten()
        .zip('A'..)
        .map(|(&cells, name)| Color { name, cells })
        .collect();
    let mut houses = HouseSet::EMPTY;
    let mut reason = String::new();
    for pair in named.chunks_exact(2) {
        let cells = pair[0].cells.union(pair[1].cells);
        let linked: HouseSet = House::all()
            .filter(|house| {
                let places = grid.places(digit).intersection(house.cells());
                places.len() == 2 && places.difference(cells).is_empty()
            })
            .collect();
        let [has, each] = if linked.len() > 1 {
            ["have", " each"]
        } else {
            ["has", ""]
        };
        reason.push_str(&format!(
            "{} {has} only two places{each} for {digit}, of two colors: {}, and {}. One of the colors is \
             {digit} in all of its cells, and the other one in none. ",
            sentence(&and_houses(linked.iter())),
            pair[0].named(),
            pair[1].named()
        ));
        houses = houses.iter().chain(linked.iter()).collect();
    }
    let (end, met) = match (technique, named.as_slice()) {
        (TechniqueId::SimpleColorsWrap, [..]) => wrap(&named, digit, eliminated),
        (TechniqueId::MultiColors1, [a, b, c, d]) => joined([[a, b], [c, d]], digit, eliminated),
        (TechniqueId::MultiColors2, [.., c, d]) => refuted(&named, [c, d], digit, eliminated),
        _ => trap(&named, digit, eliminated),
    };
    let roles = ["color A", "color B", "color C", "color D"];
    let sets = named.iter().map(|color| short_cells(color.cells));
    PatternText {
        look: format!("the houses in which {digit} has two places"),
        short: format!("{digit} {}", sets.collect::<Vec<_>>().join(" / ")),
        reason: reason + &end,
        houses: houses.iter().chain(met).collect(),
        parts: named
            .iter()
            .zip(roles)
            .map(|(color, role)| part(role, CandidateSet::of(digit, color.cells)))
            .collect(),
    }
}

/// Places that are right together.
struct Color {
    name: char,
    cells: CellSet,
}

impl Color {
    fn named(&self) -> String {
        format!("{} is {}", self.name, and(self.cells))
    }

    /// One of its cells that this one sees.
    fn seen_by(&self, cell: Cell) -> Option<Cell> {
        self.cells.intersection(cell.peers()).first()
    }

    /// One of its cells and one of the other color that see each other.
    fn meets(&self, other: &Color) -> Option<(Cell, Cell)> {
        let mut pairs = self.cells.into_iter();
        pairs.find_map(|cell| Some((cell, other.seen_by(cell)?)))
    }
}

fn trap(colors: &[Color], digit: Digit, eliminated: CellSet) -> (String, Vec<House>) {
    let sees = eliminated.into_iter().map(|cell| {
        let seen: Vec<Cell> = colors.iter().filter_map(|c| c.seen_by(cell)).collect();
        format!("{cell} sees {}", and(seen))
    });
    let text = format!(
        "{}: one cell of either color, and one of them is {digit}.",
        and(sees)
    );
    (text, vec![])
}

fn wrap(colors: &[Color], digit: Digit, eliminated: CellSet) -> (String, Vec<House>) {
    let Some(color) = colors.iter().find(|color| color.cells == eliminated) else {
        return trap(colors, digit, eliminated);
    };
    let Some((one, other)) = color.meets(color) else {
        return (String::new(), vec![]);
    };
    let house = shared_house(one, other);
    let text = format!(
        "{one} and {other} are of color {}{}: so they cannot both be {digit}, and {} is the \
         wrong color.",
        color.name,
        lie_in(house),
        color.name
    );
    (text, house.into_iter().collect())
}

/// Where a color of the one pair meets one of the other, one of the other two colors is right.
fn joined(
    [one, other]: [[&Color; 2]; 2],
    digit: Digit,
    eliminated: CellSet,
) -> (String, Vec<House>) {
    let mut sentences = Vec::new();
    let mut houses = Vec::new();
    let mut left = eliminated;
    for (met, opposite) in [(one[0], one[1]), (one[1], one[0])] {
        for (touched, rest) in [(other[0], other[1]), (other[1], other[0])] {
            let Some((near, far)) = met.meets(touched) else {
                continue;
            };
            let ends = left
                .into_iter()
                .filter_map(|cell| Some((cell, opposite.seen_by(cell)?, rest.seen_by(cell)?)));
            let ends: Vec<(Cell, Cell, Cell)> = ends.collect();
            if ends.is_empty() {
                continue;
            }
            let house = shared_house(near, far);
            houses.extend(house);
            let sees = ends
                .iter()
                .map(|(cell, one, other)| format!("{cell} sees {one} and {other}"));
            sentences.push(format!(
                "{near} of {} and {far} of {}{}, are not both {digit}, so {} or {} is the right \
                 color. {}, one of each.",
                met.name,
                touched.name,
                lie_in(house),
                opposite.name,
                rest.name,
                and(sees)
            ));
            left = left
                .into_iter()
                .filter(|cell| ends.iter().all(|(end, ..)| end != cell))
                .collect();
        }
    }
    (sentences.join(" "), houses)
}

/// A color that meets both of another pair is wrong.
fn refuted(
    colors: &[Color],
    pair: [&Color; 2],
    digit: Digit,
    eliminated: CellSet,
) -> (String, Vec<House>) {
    let Some(color) = colors.iter().find(|color| color.cells == eliminated) else {
        return (String::new(), vec![]);
    };
    let mut houses = Vec::new();
    let sees = pair.map(|other| {
        color.meets(other).map_or_else(String::new, |(one, met)| {
            let house = shared_house(one, met);
            houses.extend(house);
            let within = house.map_or_else(String::new, |house| format!(" in {house}"));
            format!("{one} sees {met} of {}{within}", other.name)
        })
    });
    let text = format!(
        "{}. As {} or {} is {digit}, color {} is wrong.",
        and(sees),
        pair[0].name,
        pair[1].name,
        color.name
    );
    (text, houses)
}

fn lie_in(house: Option<House>) -> String {
    house.map_or_else(String::new, |house| format!(", both in {house}"))
}
