//! The solvers of a chart.

use std::ops::Range;

use maud::Markup;
use plotters::style::RGBColor;

use crate::bench::Row;
use crate::report::chart::{self, decades};

/// Height per solver in charts with a strip for each.
pub(super) const STRIP: usize = 34;

/// A solver of a chart, with its colour.
pub(super) struct Line<'a> {
    pub(super) row: &'a Row,
    pub(super) colour: RGBColor,
}

/// Returns the solvers that have times of this kind, and the range of these in whole decades of
/// microseconds; `None` if no solver has.
pub(super) fn timed<'l, 'r, T: 'r>(
    lines: &'l [Line<'r>],
    of: fn(&'r Row) -> &'r [T],
    us: fn(&T) -> f64,
) -> Option<(Vec<&'l Line<'r>>, Range<f64>)> {
    let timed: Vec<&Line<'r>> = lines
        .iter()
        .filter(|line| !of(line.row).is_empty())
        .collect();
    let range = decades(timed.iter().flat_map(|line| of(line.row)).map(us))?;
    Some((timed, range))
}

pub(super) fn legend(lines: &[&Line<'_>]) -> Markup {
    let names = lines.iter().map(|line| (line.colour, &*line.row.solver));
    chart::legend(names)
}

/// Returns microseconds, a power of ten, in few characters.
pub(super) fn time_step(us: f64) -> String {
    match us {
        us if us < 0.9 => format!("{:.0} ns", us * 1e3),
        us if us < 0.9e3 => format!("{us:.0} µs"),
        us if us < 0.9e6 => format!("{:.0} ms", us / 1e3),
        us => format!("{:.0} s", us / 1e6),
    }
}
