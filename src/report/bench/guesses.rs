//! The chart of guesses against time.

use maud::{Markup, html};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::lines::{Line, legend, time_step, timed};
use crate::bench::GuessTimes;
use crate::report::chart::{Area, Caption, DrawError, Hover, faint, figure, text, values};
use crate::report::number::{counted, grouped, time};

/// Returns the chart of the median time of puzzles by their number of guesses.
pub(super) fn guesses(lines: &[Line<'_>], number: usize) -> Markup {
    let timed = timed(lines, |row| &row.by_guesses, |times| times.median_us);
    let Some((lines, range)) = timed else {
        return html! {};
    };
    let times = lines.iter().flat_map(|line| &line.row.by_guesses);
    let steps = times.map(step).max().unwrap_or(0);
    // Where no solver ever guesses there is nothing to compare.
    if steps == 0 {
        return html! {};
    }
    let caption = Caption {
        id: format!("guesses-{number}"),
        title: "Time by guesses",
        about: "Each dot: the puzzles on which a solver made so many guesses, and their median time. Both on \
            log scales; larger dots stand for more puzzles. From all puzzles, each once."
            .to_owned(),
    };
    let draw = |area: &Area<'_>| -> Result<Vec<Hover>, DrawError> {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .margin_right(30)
            .x_label_area_size(52)
            .y_label_area_size(86)
            .build_cartesian_2d(-1..steps + 1, range.log_scale())?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(faint())
            .label_style(text(BLACK, HPos::Center))
            .axis_desc_style(text(BLACK, HPos::Center))
            .x_desc("guesses")
            .x_labels(20)
            .x_label_formatter(&|step| match step {
                -1 => String::new(),
                0 => "0".to_owned(),
                step if *step > steps => String::new(),
                step => power(1u64 << (step - 1).clamp(0, 63)),
            })
            .y_label_formatter(&|us| time_step(*us))
            .draw()?;
        let mut hovers = Vec::new();
        for line in &lines {
            let points = line.row.by_guesses.iter();
            let path = points.clone().map(|times| (step(times), times.median_us));
            chart.draw_series(LineSeries::new(path, line.colour.stroke_width(2)))?;
            for times in points {
                let at = (step(times), times.median_us);
                let share = (times.puzzles as f64 / line.row.covered.max(1) as f64).min(1.0);
                let radius = 3 + (6.0 * share.sqrt()) as i32;
                chart.draw_series([Circle::new(at, radius, line.colour.filled())])?;
                let text = format!(
                    "{}: {}: {}, median {}, p90 {}",
                    line.row.solver,
                    guesses_of(times),
                    counted(times.puzzles, "puzzle"),
                    time(times.median_us),
                    time(times.p90_us),
                );
                hovers.push(Hover::at(chart.backend_coord(&at), text));
            }
        }
        Ok(hovers)
    };
    let rows = lines.iter().flat_map(|line| {
        let row = |times: &GuessTimes| {
            let solver = line.row.solver.clone();
            vec![
                solver,
                guesses_of(times),
                grouped(times.puzzles),
                time(times.median_us),
            ]
        };
        line.row.by_guesses.iter().map(row)
    });
    let rows: Vec<_> = rows.collect();
    html! {
        (figure(&caption, 420, draw))
        (legend(&lines))
        (values(caption.title, &["solver", "guesses", "puzzles", "median"], &rows))
    }
}

/// Returns a range of guesses in words.
fn guesses_of(times: &GuessTimes) -> String {
    match times.from {
        1 => "1 guess".to_owned(),
        from if from == times.to => format!("{from} guesses"),
        from => format!("{} to {} guesses", grouped(from), grouped(times.to)),
    }
}

/// Returns the index of a range of guesses: 0, 1, 2 to 3, 4 to 7, and so on.
fn step(times: &GuessTimes) -> i32 {
    (u64::BITS - times.from.leading_zeros()) as i32
}

/// Returns a power of two in few characters.
fn power(number: u64) -> String {
    match number {
        n if n < 1 << 10 => n.to_string(),
        n if n < 1 << 20 => format!("{}k", n >> 10),
        n if n < 1 << 30 => format!("{}M", n >> 20),
        n => format!("{}G", n >> 30),
    }
}
