//! The chart of puzzles a second.

use maud::{Markup, html};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::lines::{LANE, Line};
use crate::bench::{BenchSummary, Row, ThroughputRow};
use crate::report::chart::{Area, Caption, DrawError, Hover, decades, figure, short, text};
use crate::report::lanes::{NAMES, lanes};
use crate::report::number::{counted, decade, rate};

/// Puzzles a second on one thread and on all, with how far behind the first a solver is.
pub(super) fn rates(summary: &BenchSummary, lines: &[Line<'_>], number: usize) -> Markup {
    let all_threads = |row: &Row| {
        let same = |other: &&ThroughputRow| {
            other.corpus == row.corpus && other.solver == row.solver && other.struck.is_none()
        };
        summary.throughput.iter().find(same)
    };
    let one = lines.iter().map(|line| line.row.puzzles_per_s);
    let all = lines.iter().filter_map(|line| all_threads(line.row));
    let Some(range) = decades(one.chain(all.map(|row| row.puzzles_per_s))) else {
        return html! {};
    };
    let fastest = lines
        .iter()
        .map(|line| line.row.puzzles_per_s)
        .fold(0.0, f64::max);
    let caption = Caption {
        id: format!("rates-{number}"),
        title: "Puzzles a second",
        about:
            "On a log scale, so a bar that is a step shorter is ten times slower. Strong bars: one \
            thread, with how many times slower than the fastest; pale bars: all threads, with how many times \
            as fast as one."
                .to_owned(),
    };
    // Room for what is written behind the longest bar.
    let range = range.start..range.end * (range.end / range.start).powf(0.7);
    let draw = |area: &Area<'_>| -> Result<Vec<Hover>, DrawError> {
        let mut chart = lanes(area, range.clone(), lines.len(), 10, &decade)?;
        let mut hovers = Vec::new();
        for (place, line) in lines.iter().enumerate() {
            let row = line.row;
            let middle = lines.len() as f64 - 0.5 - place as f64;
            let times = fastest / row.puzzles_per_s.max(f64::MIN_POSITIVE);
            let behind = if times < 1.005 {
                "fastest".to_owned()
            } else {
                format!("{}× slower", rate(times))
            };
            let mut bar = |per_s: f64, from: f64, to: f64, strength: f64, label: String| {
                let corners = [(range.start, middle + from), (per_s, middle + to)];
                let shape = Rectangle::new(corners, line.colour.mix(strength).filled());
                chart.draw_series([shape])?;
                let (left, top) = chart.backend_coord(&(range.start, middle + to));
                let (right, bottom) = chart.backend_coord(&(per_s, middle + from));
                let mut style = text(BLACK, HPos::Left);
                style.font = style.font.resize(16.0);
                area.draw(&Text::new(
                    label.clone(),
                    (right + 6, (top + bottom) / 2),
                    style,
                ))?;
                hovers.push(Hover {
                    from: (left, top),
                    to: (right, bottom),
                    text: format!("{}: {label}", row.solver),
                });
                Ok::<(), DrawError>(())
            };
            let label = format!("{}/s, {behind}", rate(row.puzzles_per_s));
            match all_threads(row) {
                None => bar(row.puzzles_per_s, -0.25, 0.25, 0.9, label)?,
                Some(all) => {
                    bar(row.puzzles_per_s, 0.0, 0.42, 0.9, label)?;
                    let times = all.times_one_thread;
                    let times = times.map_or_else(String::new, |times| format!(", {times:.1}×"));
                    let threads = counted(all.threads as u64, "thread");
                    let label = format!("{}/s on {threads}{times}", rate(all.puzzles_per_s));
                    bar(all.puzzles_per_s, -0.42, -0.02, 0.4, label)?;
                }
            }
            let (_, y) = chart.backend_coord(&(range.start, middle));
            let style = text(BLACK, HPos::Right);
            area.draw(&Text::new(short(&row.solver), (NAMES as i32, y), style))?;
        }
        Ok(hovers)
    };
    let lane = if summary.throughput.is_empty() {
        LANE
    } else {
        LANE + 12
    };
    figure(&caption, (lines.len() * lane) as u32 + 54, draw)
}
