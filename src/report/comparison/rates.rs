//! The chart of rates of several runs.

use maud::{Markup, html};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use crate::bench::{SideEntry, SideRow};
use crate::report::chart::{
    Area, Caption, DrawError, Hover, colour, decades, figure, legend, short, text,
};
use crate::report::lanes::{NAMES, lanes};
use crate::report::number::{decade, rate};

/// Height of a bar.
const BAR: usize = 15;
/// Space between the bars of two solvers.
const GAP: usize = 12;

/// Returns the chart of puzzles per second of each solver of a corpus, one bar per run.
pub(super) fn rates(runs: &[String], rows: &[&SideRow], number: usize) -> Markup {
    let per_s = |entry: &Option<SideEntry>| entry.as_ref().and_then(|entry| entry.puzzles_per_s);
    let all = rows
        .iter()
        .flat_map(|row| row.entries.iter().filter_map(per_s));
    let Some(range) = decades(all) else {
        return html! {};
    };
    let caption = Caption {
        id: format!("compared-rates-{number}"),
        title: "Puzzles per second",
        about:
            "One thread, on a log scale; a bar a run. A bar that is a step shorter is ten times \
            slower."
                .to_owned(),
    };
    // Room for what is written behind the longest bar.
    let range = range.start..range.end * (range.end / range.start).powf(0.2);
    let lane = runs.len() * BAR + GAP;
    let draw = |area: &Area<'_>| -> Result<Vec<Hover>, DrawError> {
        let mut chart = lanes(area, range.clone(), rows.len() * lane, 34, &decade)?;
        let mut hovers = Vec::new();
        for (place, row) in rows.iter().enumerate() {
            let top = ((rows.len() - place) * lane - GAP / 2) as f64;
            for (run, entry) in row.entries.iter().enumerate() {
                let Some(per_s) = per_s(entry) else {
                    continue;
                };
                let (high, low) = (top - (run * BAR) as f64, top - ((run + 1) * BAR - 2) as f64);
                let shape = [(range.start, low), (per_s, high)];
                chart.draw_series([Rectangle::new(shape, colour(run).filled())])?;
                let from = chart.backend_coord(&(range.start, high));
                let to = chart.backend_coord(&(per_s, low));
                let mut style = text(BLACK, HPos::Left);
                style.font = style.font.resize(14.0);
                let label = rate(per_s);
                area.draw(&Text::new(
                    label.clone(),
                    (to.0 + 6, (from.1 + to.1) / 2),
                    style,
                ))?;
                hovers.push(Hover {
                    from,
                    to,
                    text: format!("{} in {}: {label}/s", row.solver, runs[run]),
                });
            }
            let middle = top - (runs.len() * BAR) as f64 / 2.0;
            let (_, y) = chart.backend_coord(&(range.start, middle));
            let style = text(BLACK, HPos::Right);
            area.draw(&Text::new(short(&row.solver), (NAMES as i32, y), style))?;
        }
        Ok(hovers)
    };
    let names = runs.iter().enumerate();
    html! {
        (figure(&caption, (rows.len() * lane) as u32 + 54, draw))
        (legend(names.map(|(number, name)| (colour(number), name.as_str()))))
    }
}
