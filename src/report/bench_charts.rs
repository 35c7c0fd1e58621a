//! The charts of a corpus: what was measured of its rows, as pictures.

use maud::{Markup, html};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::chart::{Area, Caption, DrawError, Hover, colour, decades, faint, figure, short, text};
use super::number::{counted, grouped, rate, time};
use crate::bench::{BenchSummary, GuessTimes, Quantile, Row, ThroughputRow};

/// Space for names at the left.
const NAMES: u32 = 175;
/// Height of what belongs to one solver where they stand below each other.
const LANE: usize = 34;

/// A solver of a chart, with its colour.
struct Line<'a> {
    row: &'a Row,
    colour: RGBColor,
}

/// All charts of the corpus with this number. What has no data has no chart.
pub(super) fn charts(summary: &BenchSummary, number: usize) -> Markup {
    let corpus = &summary.corpora[number];
    let rows = summary.rows.iter();
    let rows = rows.filter(|row| row.corpus == corpus.name && row.counts());
    let place = |row: &Row| {
        summary
            .config
            .solvers
            .iter()
            .position(|name| *name == row.solver)
    };
    let mut lines: Vec<Line<'_>> = rows
        .map(|row| Line {
            row,
            colour: colour(place(row).unwrap_or(0)),
        })
        .collect();
    lines.sort_by(|a, b| b.row.puzzles_per_s.total_cmp(&a.row.puzzles_per_s));
    let at_once: Vec<&str> = lines
        .iter()
        .filter(|line| line.row.at_once)
        .map(name)
        .collect();
    let untimed = lines.iter().filter(|line| line.row.times.is_empty());
    let untimed: Vec<&str> = untimed.map(name).collect();
    html! {
        div.charts {
            div { (solved(&lines, number)) }
            div { (spread(&lines, number)) }
            div { (rates(summary, &lines, number)) }
            div { (guesses(&lines, number)) }
        }
        @if !at_once.is_empty() {
            p.quiet {
                (at_once.join(", ")) ": gets many puzzles at once, so its times are the means of blocks of up to "
                (grouped(summary.config.block as u64)) ", and it has no line by guesses."
            }
        }
        @if !untimed.is_empty() {
            p.quiet { (untimed.join(", ")) ": single puzzles are not timed, so only its rate is shown." }
        }
    }
}

fn name<'a>(line: &Line<'a>) -> &'a str {
    &line.row.solver
}

/// Of the puzzles that the row tried, the share that it answered.
fn answered(row: &Row) -> f64 {
    let answered = row.unique + row.assumed + row.multiple + row.unsolvable;
    answered as f64 / row.covered.max(1) as f64
}

fn legend(lines: &[&Line<'_>]) -> Markup {
    html! {
        ul.legend aria-hidden="true" {
            @for line in lines {
                @let RGBColor(r, g, b) = line.colour;
                li { span style=(format!("background: rgb({r} {g} {b})")) {} (line.row.solver) }
            }
        }
    }
}

/// The cactus plot: how many puzzles are solved within a time.
fn solved(lines: &[Line<'_>], number: usize) -> Markup {
    let lines: Vec<&Line<'_>> = lines
        .iter()
        .filter(|line| !line.row.answered.is_empty())
        .collect();
    let times = lines.iter().flat_map(|line| &line.row.answered);
    let Some(times) = decades(times.map(|point| point.us)) else {
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
        // Names stand at heights of their own, so that they do not hide each other.
        for (place, line) in lines.iter().enumerate() {
            let share = 0.9 - 0.05 * (place % 17) as f64;
            let us = value_at(&line.row.answered, share);
            let (x, y) = chart.backend_coord(&(us, 100.0 * share * answered(line.row)));
            let style = text(line.colour, HPos::Left);
            area.draw(&Text::new(short(&line.row.solver), (x + 6, y), style))?;
        }
        Ok(hovers)
    };
    html! { (figure(&caption, 420, draw)) (legend(&lines)) }
}

/// The time that this share of the puzzles does not exceed; the nearest point of the curve.
fn value_at(curve: &[Quantile], share: f64) -> f64 {
    let near = |a: &&Quantile, b: &&Quantile| {
        let distance = |point: &Quantile| (point.share - share).abs();
        distance(a).total_cmp(&distance(b))
    };
    curve.iter().min_by(near).map_or(0.0, |point| point.us)
}

/// The distribution of times, a strip a solver.
fn spread(lines: &[Line<'_>], number: usize) -> Markup {
    let lines: Vec<&Line<'_>> = lines
        .iter()
        .filter(|line| !line.row.times.is_empty())
        .collect();
    let times = lines.iter().flat_map(|line| &line.row.times);
    let Some(times) = decades(times.map(|point| point.us)) else {
        return html! {};
    };
    let caption = Caption {
        id: format!("spread-{number}"),
        title: "Time a puzzle",
        about: "On a log scale. Strips from dark to light: the middle half of all puzzles, the middle four \
            fifths, and all but the shortest and the longest hundredth; thin line: from the shortest to the \
            longest. Marked: median (bar), p90 and p99 (dots), longest (ring)."
            .to_owned(),
    };
    let height = lines.len() * LANE;
    let draw = |area: &Area<'_>| -> Result<Vec<Hover>, DrawError> {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .margin_right(30)
            .x_label_area_size(34)
            .y_label_area_size(NAMES)
            .build_cartesian_2d(times.log_scale(), 0f64..lines.len() as f64)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(faint())
            .disable_y_mesh()
            .disable_y_axis()
            .label_style(text(BLACK, HPos::Center))
            .x_label_formatter(&|us| time_step(*us))
            .draw()?;
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
    figure(&caption, height as u32 + 54, draw)
}

/// Puzzles a second on one thread and on all, with how far behind the first a solver is.
fn rates(summary: &BenchSummary, lines: &[Line<'_>], number: usize) -> Markup {
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
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .x_label_area_size(34)
            .y_label_area_size(NAMES)
            .build_cartesian_2d(range.clone().log_scale(), 0f64..lines.len() as f64)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(faint())
            .disable_y_mesh()
            .disable_y_axis()
            .label_style(text(BLACK, HPos::Center))
            .x_label_formatter(&|count| decade(*count))
            .draw()?;
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

/// What guesses cost: the median time of the puzzles on which a solver guessed about equally often.
fn guesses(lines: &[Line<'_>], number: usize) -> Markup {
    let lines = lines.iter();
    let lines: Vec<&Line<'_>> = lines
        .filter(|line| !line.row.by_guesses.is_empty())
        .collect();
    let times = lines.iter().flat_map(|line| &line.row.by_guesses);
    let steps = times.clone().map(step).max().unwrap_or(0);
    let Some(range) = decades(times.map(|times| times.median_us)) else {
        return html! {};
    };
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
                let share = times.puzzles as f64 / line.row.covered.max(1) as f64;
                let radius = 3 + (6.0 * share.sqrt()) as i32;
                chart.draw_series([Circle::new(at, radius, line.colour.filled())])?;
                let guesses = match times.from {
                    1 => "1 guess".to_owned(),
                    from if from == times.to => format!("{from} guesses"),
                    from => format!("{} to {} guesses", grouped(from), grouped(times.to)),
                };
                let text = format!(
                    "{}: {guesses}: {}, median {}, p90 {}",
                    line.row.solver,
                    counted(times.puzzles, "puzzle"),
                    time(times.median_us),
                    time(times.p90_us),
                );
                hovers.push(Hover::at(chart.backend_coord(&at), text));
            }
        }
        Ok(hovers)
    };
    html! { (figure(&caption, 420, draw)) (legend(&lines)) }
}

/// The place of a range of guesses: 0, 1, 2 to 3, 4 to 7, and so on.
fn step(times: &GuessTimes) -> i32 {
    (u64::BITS - times.from.leading_zeros()) as i32
}

/// Microseconds, a power of ten, in few characters.
fn time_step(us: f64) -> String {
    match us {
        us if us < 0.9 => format!("{:.0} ns", us * 1e3),
        us if us < 0.9e3 => format!("{us:.0} µs"),
        us if us < 0.9e6 => format!("{:.0} ms", us / 1e3),
        us => format!("{:.0} s", us / 1e6),
    }
}

/// A power of ten in few characters.
fn decade(number: f64) -> String {
    match number {
        n if n < 1e3 => n.to_string(),
        n if n < 1e6 => format!("{:.0}k", n / 1e3),
        n if n < 1e9 => format!("{:.0}M", n / 1e6),
        n => format!("{:.0}G", n / 1e9),
    }
}

/// A power of two in few characters.
fn power(number: u64) -> String {
    match number {
        n if n < 1 << 10 => n.to_string(),
        n if n < 1 << 20 => format!("{}k", n >> 10),
        n if n < 1 << 30 => format!("{}M", n >> 20),
        n => format!("{}G", n >> 30),
    }
}
