//! Charts of the times of puzzles: how many are solved within a time, and the distribution of
//! times.

use maud::{Markup, html};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::lines::{Line, STRIP, legend, time_step, timed};
use crate::bench::{Quantile, Row};
use crate::report::chart::{
    Area, Caption, DrawError, Hover, TEXT, faint, figure, short, text, values,
};
use crate::report::labels::Labels;
use crate::report::lanes::{NAMES, lanes};
use crate::report::number::{grouped, time};

/// Returns the share of the tried puzzles that the row answered.
fn answered(row: &Row) -> f64 {
    let counts = [row.unique, row.assumed, row.multiple, row.unsolvable];
    let answered = counts.into_iter().fold(0, u64::saturating_add);
    answered as f64 / row.covered.max(1) as f64
}

/// Returns the cactus plot: how many puzzles are solved within a time.
pub(super) fn solved(lines: &[Line<'_>], number: usize) -> Markup {
    let Some((lines, times)) = timed(lines, |row| &row.answered, |point| point.us) else {
        return html! {};
    };
    let caption = Caption {
        id: format!("solved-{number}"),
        title: "Puzzles solved within a time",
        about: "Upward, the share of the puzzles that a solver tried; to the right, time a puzzle on one \
            thread, on a log scale. Further left is faster; a line that ends below 100 % did not solve \
            all. From all puzzles, at 29 percentiles."
            .to_owned(),
    };
    let draw = |area: &Area<'_>| -> Result<Vec<Hover>, DrawError> {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .margin_right(30)
            .x_label_area_size(34)
            .y_label_area_size(64)
            .build_cartesian_2d(times.log_scale(), 0f64..103f64)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(faint())
            .label_style(text(BLACK, HPos::Center))
            .x_label_formatter(&|us| time_step(*us))
            .y_labels(6)
            .y_label_formatter(&|percent| format!("{percent:.0} %"))
            .draw()?;
        let mut hovers = Vec::new();
        for line in &lines {
            let points = line.row.answered.iter();
            let share = 100.0 * answered(line.row);
            let points = points.map(|point| (point.us, share * point.share));
            chart.draw_series(LineSeries::new(points.clone(), line.colour.stroke_width(2)))?;
            for (us, percent) in points {
                let count = (percent / 100.0 * line.row.covered as f64).round() as u64;
                let text = format!(
                    "{}: {percent:.1} % solved within {} ({} of {})",
                    line.row.solver,
                    time(us),
                    grouped(count),
                    grouped(line.row.covered)
                );
                hovers.push(Hover::at(chart.backend_coord(&(us, percent)), text));
            }
        }
        let mut labels = Labels::new(TEXT, chart.plotting_area().get_pixel_range());
        let curves = lines.iter().map(|line| {
            let points = line.row.answered.iter();
            let share = 100.0 * answered(line.row);
            let points = points.map(|point| chart.backend_coord(&(point.us, share * point.share)));
            points.collect::<Vec<_>>()
        });
        let curves: Vec<_> = curves.collect();
        curves.iter().for_each(|curve| labels.keep_clear(curve));
        for (line, curve) in lines.iter().zip(&curves) {
            let name = short(&line.row.solver);
            // Beside the upper part first, where the fast ones are apart.
            let place = labels.place(&name, curve.iter().rev().copied());
            area.draw(&Text::new(name, place, text(line.colour, HPos::Left)))?;
        }
        Ok(hovers)
    };
    let rows = lines.iter().map(|line| {
        let share = answered(line.row);
        let within = |percent: f64| match line
            .row
            .answered
            .iter()
            .find(|it| share * it.share >= percent)
        {
            Some(point) => time(point.us),
            None => "–".to_owned(),
        };
        let solved = format!("{:.1} %", 100.0 * share);
        vec![
            line.row.solver.clone(),
            within(0.5),
            within(0.9),
            within(0.99),
            solved,
        ]
    });
    let rows: Vec<_> = rows.collect();
    html! {
        (figure(&caption, 420, draw))
        (legend(&lines))
        (values(caption.title, &["solver", "half", "90 %", "99 %", "solved"], &rows))
    }
}

/// Returns the quantile for this share, at the nearest point of the curve.
fn value_at(curve: &[Quantile], share: f64) -> f64 {
    let near = |a: &&Quantile, b: &&Quantile| {
        let distance = |point: &Quantile| (point.share - share).abs();
        distance(a).total_cmp(&distance(b))
    };
    curve.iter().min_by(near).map_or(0.0, |point| point.us)
}

/// Returns the chart of the distribution of times, one strip per solver.
pub(super) fn spread(lines: &[Line<'_>], number: usize) -> Markup {
    let Some((lines, times)) = timed(lines, |row| &row.times, |point| point.us) else {
        return html! {};
    };
    let caption = Caption {
        id: format!("spread-{number}"),
        title: "Time a puzzle",
        about: "Each puzzle in a call for itself, the median of its repeats, on a log scale. Strips from dark to light: the middle half of all puzzles, the middle four \
            fifths, and all but the shortest and the longest hundredth; thin line: from the shortest to the \
            longest. Marked: median (bar), p90 and p99 (dots), longest (ring)."
            .to_owned(),
    };
    let height = lines.len() * STRIP;
    let draw = |area: &Area<'_>| -> Result<Vec<Hover>, DrawError> {
        let mut chart = lanes(area, times, lines.len(), 30, &time_step)?;
        let mut hovers = Vec::new();
        for (place, line) in lines.iter().enumerate() {
            let middle = lines.len() as f64 - 0.5 - place as f64;
            let at = |share| value_at(&line.row.times, share);
            let strip = |low, high, half: f64, strength: f64| {
                let corners = [(at(low), middle - half), (at(high), middle + half)];
                Rectangle::new(corners, line.colour.mix(strength).filled())
            };
            chart.draw_series([
                strip(0.0, 1.0, 0.02, 0.8),
                strip(0.01, 0.99, 0.26, 0.25),
                strip(0.1, 0.9, 0.26, 0.35),
                strip(0.25, 0.75, 0.26, 0.6),
            ])?;
            let median = [(at(0.5), middle - 0.34), (at(0.5), middle + 0.34)];
            chart.draw_series([PathElement::new(median, BLACK.stroke_width(3))])?;
            let dots = [0.9, 0.99].map(|share| (at(share), middle));
            chart.draw_series(dots.map(|dot| Circle::new(dot, 3, BLACK.filled())))?;
            chart.draw_series([Circle::new((at(1.0), middle), 4, BLACK.stroke_width(1))])?;
            let (left, top) = chart.backend_coord(&(at(0.0), middle + 0.4));
            let (right, bottom) = chart.backend_coord(&(at(1.0), middle - 0.4));
            let text_of = format!(
                "{}: shortest {}, median {}, p90 {}, p99 {}, longest {}",
                line.row.solver,
                time(at(0.0)),
                time(at(0.5)),
                time(at(0.9)),
                time(at(0.99)),
                time(at(1.0)),
            );
            hovers.push(Hover {
                from: (left - 4, top),
                to: (right + 4, bottom),
                text: text_of,
            });
            let label = Text::new(
                short(&line.row.solver),
                (NAMES as i32, (top + bottom) / 2),
                text(BLACK, HPos::Right),
            );
            area.draw(&label)?;
        }
        Ok(hovers)
    };
    let rows = lines.iter().map(|line| {
        let shares = [0.5, 0.9, 0.99, 1.0];
        let times = shares.map(|share| time(value_at(&line.row.times, share)));
        [vec![line.row.solver.clone()], times.to_vec()].concat()
    });
    let rows: Vec<_> = rows.collect();
    html! {
        (figure(&caption, height as u32 + 54, draw))
        (values(caption.title, &["solver", "median", "p90", "p99", "longest"], &rows))
    }
}
