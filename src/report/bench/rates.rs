//! The chart of puzzles per second.

use maud::{Markup, html};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::lines::{Line, STRIP};
use super::table::{range as ends, standing};
use crate::bench::{BenchSummary, Interval, Row, ThroughputRow};
use crate::report::chart::{Area, Caption, DrawError, Hover, decades, figure, short, text, values};
use crate::report::lanes::{NAMES, lanes};
use crate::report::number::{counted, decade, rate};

/// Returns the chart of puzzles per second on one thread and on all, with intervals and the
/// distance to the fastest solver.
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
    let caption = Caption {
        id: format!("rates-{number}"),
        title: "Puzzles per second",
        about:
            "On a log scale, so a bar that is a step shorter is ten times slower. Strong bars: one \
            thread, with how many times slower than the fastest; pale bars: all threads, with how many times \
            as fast as one. Black lines with ends: 95 % intervals."
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
            let mut bar = |per_s: f64,
                           interval: Option<Interval>,
                           [from, to]: [f64; 2],
                           strength: f64,
                           label: String| {
                let corners = [(range.start, middle + from), (per_s, middle + to)];
                let shape = Rectangle::new(corners, line.colour.mix(strength).filled());
                chart.draw_series([shape])?;
                let (left, top) = chart.backend_coord(&(range.start, middle + to));
                let (mut right, bottom) = chart.backend_coord(&(per_s, middle + from));
                let mut known = String::new();
                if let Some(interval) = interval {
                    let Interval { low, high } = interval;
                    let (center, reach) = (middle + (from + to) / 2.0, (to - from) / 4.0);
                    let end = |at: f64| vec![(at, center - reach), (at, center + reach)];
                    let whisker = [vec![(low, center), (high, center)], end(low), end(high)];
                    let line = |points| PathElement::new(points, BLACK.stroke_width(1));
                    chart.draw_series(whisker.map(line))?;
                    right = right.max(chart.backend_coord(&(high, center)).0);
                    known = format!(", 95 % interval {}", ends(Some(interval)));
                }
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
                    text: format!("{}: {label}{known}", row.solver),
                });
                Ok::<(), DrawError>(())
            };
            let label = format!("{}/s, {}", rate(row.puzzles_per_s), standing(row));
            let (one, interval) = (row.puzzles_per_s, row.rate_interval);
            match all_threads(row) {
                None => bar(one, interval, [-0.25, 0.25], 0.9, label)?,
                Some(all) => {
                    bar(one, interval, [0.0, 0.42], 0.9, label)?;
                    let times = all.vs_one_thread.map(|ratio| ratio.value);
                    let times = times.map_or_else(String::new, |times| format!(", {times:.1}×"));
                    let threads = counted(all.threads as u64, "thread");
                    let label = format!("{}/s on {threads}{times}", rate(all.puzzles_per_s));
                    let (all, interval) = (all.puzzles_per_s, all.rate_interval);
                    bar(all, interval, [-0.42, -0.02], 0.4, label)?;
                }
            }
            let (_, y) = chart.backend_coord(&(range.start, middle));
            let style = text(BLACK, HPos::Right);
            area.draw(&Text::new(short(&row.solver), (NAMES as i32, y), style))?;
        }
        Ok(hovers)
    };
    let strip = if summary.throughput.is_empty() {
        STRIP
    } else {
        STRIP + 12
    };
    let rows = lines.iter().map(|line| {
        let all = all_threads(line.row).map(|all| rate(all.puzzles_per_s));
        let one = rate(line.row.puzzles_per_s);
        vec![
            line.row.solver.clone(),
            one,
            all.unwrap_or_default(),
            standing(line.row),
        ]
    });
    let rows: Vec<_> = rows.collect();
    html! {
        (figure(&caption, (lines.len() * strip) as u32 + 54, draw))
        (values(caption.title, &["solver", "one thread", "all threads", "standing"], &rows))
    }
}
