//! Explains chains, remote pairs, colors and templates.

use super::wording::{
    PatternText, and, and_houses, house_of, or, part, sentence, shared_house, short_cells,
    short_digits,
};
use crate::grid::{CandidateGrid, CandidateSet, Cell, CellSet, Digit, DigitSet, House, HouseSet};
use crate::logic::deduction::{AlmostLockedSet, Effect, Node};
use crate::logic::technique::held;
use crate::logic::technique_id::TechniqueId;

/// `r1c1 or r1c2 is 3`.
fn is(node: &Node) -> String {
    format!("{} is {}", or(node.cells), node.digit)
}

/// `r1c1 is not 3`, `neither r1c1 nor r1c2 is 3`.
fn is_not(node: &Node) -> String {
    let cells: Vec<Cell> = node.cells.into_iter().collect();
    match cells.as_slice() {
        [cell] => format!("{cell} is not {}", node.digit),
        [one, other] => format!("neither {one} nor {other} is {}", node.digit),
        _ => format!("none of {} is {}", and(cells), node.digit),
    }
}

/// Writes a chain, and collects the houses that it names.
struct ChainWriter<'a> {
    grid: &'a CandidateGrid,
    sets: std::slice::Iter<'a, AlmostLockedSet>,
    houses: HouseSet,
}

impl ChainWriter<'_> {
    /// Why the second claim is true if the first is false.
    fn strong(&mut self, from: &Node, to: &Node) -> String {
        if from.digit == to.digit {
            let both = from.cells.union(to.cells);
            let holds =
                |house: &House| self.grid.places(to.digit).intersection(house.cells()) == both;
            return House::all().find(holds).map_or_else(String::new, |house| {
                self.houses = self.houses.with(house);
                format!(" (no other place in {house})")
            });
        }
        let of_two = from.cells == to.cells
            && from.cells.len() == 1
            && from
                .cells
                .into_iter()
                .all(|cell| self.grid.candidates(cell).len() == 2);
        match self.sets.as_slice().first() {
            Some(set) if !of_two => {
                self.sets.next();
                let within = house_of(set.cells).map_or_else(String::new, |house| {
                    self.houses = self.houses.with(house);
                    format!(" in {house}")
                });
                format!(
                    " (in {}{within}, just one of {} is missing)",
                    and(set.cells),
                    and(set.digits)
                )
            }
            _ => " (no other candidate there)".to_owned(),
        }
    }

    /// Why not both claims are true.
    fn weak(&mut self, from: &Node, to: &Node) -> String {
        if from.digit != to.digit {
            return String::new();
        }
        match house_of(from.cells.union(to.cells)) {
            Some(house) => {
                self.houses = self.houses.with(house);
                format!(" (both in {house})")
            }
            None => " (all see each other)".to_owned(),
        }
    }
}

pub(super) fn chain(
    grid: &CandidateGrid,
    nodes: &[Node],
    sets: &[AlmostLockedSet],
    closed: bool,
) -> PatternText {
    let (first, last) = (&nodes[0], &nodes[nodes.len() - 1]);
    let mut writer = ChainWriter {
        grid,
        sets: sets.iter(),
        houses: HouseSet::EMPTY,
    };
    let mut reason = String::new();
    let mut short = String::new();
    for (at, pair) in nodes.chunks_exact(2).enumerate() {
        let [off, on] = [&pair[0], &pair[1]];
        let so = match at {
            0 => format!("If {}, then ", is_not(off)),
            _ => {
                let before = &nodes[2 * at - 1];
                short.push('-');
                format!("; so {}{}, and ", is_not(off), writer.weak(before, off))
            }
        };
        reason.push_str(&format!("{so}{}{}", is(on), writer.strong(off, on)));
        short.push_str(&format!("{}={}", in_short(off), in_short(on)));
    }
    reason.push('.');
    let end = if first == last {
        format!(" So it cannot be that {}: {}.", is_not(first), is(first))
    } else if closed {
        let back = writer.weak(last, first);
        let locked = match sets.len() {
            0 => "",
            _ => " The other digits of the almost locked cells have their places in them.",
        };
        format!(
            " And if {}, then in turn {}{back}: the chain is a loop. So of any two neighbours in it \
             that exclude each other one is true, and what both of them exclude is not.{locked}",
            is(last),
            is_not(first)
        )
    } else {
        either(first, last)
    };
    reason.push_str(&end);
    let of = |nodes: &mut dyn Iterator<Item = &Node>| {
        let sets = nodes.map(|node| CandidateSet::of(node.digit, node.cells));
        sets.fold(CandidateSet::EMPTY, |all, some| all.union(&some))
    };
    let mut parts = vec![
        part("off", of(&mut nodes.iter().step_by(2))),
        part("on", of(&mut nodes.iter().skip(1).step_by(2))),
    ];
    let in_sets = sets
        .iter()
        .map(|set| held(grid, set.cells, set.digits))
        .fold(CandidateSet::EMPTY, |all, some| all.union(&some));
    if !sets.is_empty() {
        parts.push(part("almost locked sets", in_sets));
    }
    PatternText {
        look: format!("what follows if {}", is_not(first)),
        short,
        reason,
        houses: writer.houses,
        parts,
    }
}

/// One of the ends is true.
fn either(first: &Node, last: &Node) -> String {
    if first.digit == last.digit {
        let ends = first.cells.union(last.cells);
        let them = if ends.len() == 2 { "both" } else { "all" };
        format!(
            " Either way, {} is {}, so no cell that sees {them} of them is.",
            or(ends),
            first.digit
        )
    } else if first.cells == last.cells {
        format!(
            " Either way, {} or {}, and it is nothing else.",
            is(first),
            last.digit
        )
    } else {
        format!(
            " Either way, {} or {}, so what both of these exclude is not true.",
            is(first),
            is(last)
        )
    }
}

/// `(3)r1c1`.
fn in_short(node: &Node) -> String {
    format!("({}){}", node.digit, short_cells(node.cells))
}

pub(super) fn remote_pair(grid: &CandidateGrid, digits: DigitSet, cells: &[Cell]) -> PatternText {
    let mut houses = HouseSet::EMPTY;
    let sees = cells.windows(2).map(|pair| {
        let within = shared_house(pair[0], pair[1]).map_or_else(String::new, |house| {
            houses = houses.with(house);
            format!(" in {house}")
        });
        format!("{} sees {}{within}", pair[0], pair[1])
    });
    let sees = and(sees.collect::<Vec<_>>());
    let [one, other] = [0, 1].map(|from| cells.iter().skip(from).step_by(2).copied());
    let [one, other] = [one.collect::<CellSet>(), other.collect::<CellSet>()];
    PatternText {
        look: format!("the cells that can only be {}", or(digits)),
        short: format!(
            "{} {}",
            short_digits(digits, "/"),
            cells
                .iter()
                .map(Cell::to_string)
                .collect::<Vec<_>>()
                .join("-")
        ),
        reason: format!(
            "{} can only be {}. {sees}, so they are the one and the other in turn: {} are one of the \
             digits, and {} the other one. A cell that sees one cell of either kind is neither.",
            and(cells),
            or(digits),
            and(one),
            and(other)
        ),
        houses,
        parts: [("one digit", one), ("the other digit", other)]
            .map(|(role, cells)| part(role, held(grid, cells, digits)))
            .into(),
    }
}

pub(super) fn templates(digit: Digit, effect: &Effect) -> PatternText {
    let (cells, say) = match effect {
        Effect::Place(candidate) => (CandidateSet::only(*candidate), "all of these take"),
        Effect::Eliminate(eliminated) => (*eliminated, "none of these takes"),
    };
    PatternText {
        look: format!("all places of {digit}"),
        short: format!("all ways to fill in {digit}"),
        reason: format!(
            "Go through all ways to put one {digit} into each row, each column and each block that \
             the candidates allow, and that leave alone what any other digit takes in all of its own \
             ways: {say} {}.",
            or(cells.places(digit))
        ),
        houses: HouseSet::EMPTY,
        parts: vec![part("cells", cells)],
    }
}

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
