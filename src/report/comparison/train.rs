//! Comparison of `train` runs: their models, their held-out loss, and each label and source.

use std::collections::BTreeSet;

use maud::{Markup, html};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::settings::settings;
use crate::digits::class_names;
use crate::report::chart::{Area, Caption, DrawError, Hover, colour, faint, figure, legend, text};
use crate::report::number::{grouped, percent, sort_key};
use crate::training::{EpochMetrics, TrainingSideBySide, TrainingSummary};

/// Returns the section on training.
pub(super) fn train_section(runs: &TrainingSideBySide) -> Markup {
    let apart = runs
        .verdicts
        .iter()
        .filter_map(|it| Some((&it.run, it.apart?)));
    html! {
        section #train {
            h2 { "Training" }
            @for (run, why) in apart {
                p.caveat { b { (run) } ": " (why) ", so its shares are for other crops than those of " (runs.runs[0]) "." }
            }
            (measures(runs))
            (settings(&runs.runs, &runs.settings))
            div.charts { div { (losses(runs)) } }
            (shares("Accuracy of each label", "label", runs, &labels(runs), &|run, label| {
                run.card.validation.recall.get(label).copied()
            }))
            (shares("Accuracy of each source", "source", runs, &sources(runs), &|run, source| {
                let share = run.card.validation.sources.get(source);
                share.map(|(share, _)| *share)
            }))
        }
    }
}

fn measures(runs: &TrainingSideBySide) -> Markup {
    type Value = fn(&TrainingSummary) -> String;
    let rows: [(&str, Value); 9] = [
        ("held-out crops", |run| {
            grouped(run.card.validation.crops as u64)
        }),
        ("accuracy", |run| percent(run.card.validation.accuracy)),
        ("accuracy of digits", |run| {
            percent(run.card.validation.digit_accuracy)
        }),
        ("held-out loss", |run| {
            format!("{:.4}", run.card.validation.loss_calibrated)
        }),
        ("calibration error", |run| {
            format!("{:.4}", run.card.validation.calibration_error_calibrated)
        }),
        ("temperature", |run| format!("{:.3}", run.card.temperature)),
        ("trained values", |run| grouped(run.card.parameters as u64)),
        ("epoch kept, of", |run| {
            format!("{} of {}", run.card.epoch, run.epochs)
        }),
        ("seconds", |run| {
            let epochs = run.history.iter();
            let seconds = epochs.map(|epoch| epoch.training_seconds + epoch.validation_seconds);
            format!("{:.0}", seconds.sum::<f64>())
        }),
    ];
    html! {
        div.wide {
            table.measures {
                caption.unseen { "The model of each run" }
                thead { tr {
                    td {}
                    @for run in &runs.runs { th.number scope="col" { (run) } }
                } }
                tbody {
                    @for (name, value) in rows {
                        tr {
                            th scope="row" { (name) }
                            @for run in &runs.summaries { td.number { (value(run)) } }
                        }
                    }
                }
            }
        }
    }
}

fn labels(runs: &TrainingSideBySide) -> Vec<String> {
    let known = |name: &String| {
        let mut runs = runs.summaries.iter();
        runs.any(|run| run.card.validation.recall.contains_key(name))
    };
    class_names().into_iter().filter(known).collect()
}

fn sources(runs: &TrainingSideBySide) -> Vec<String> {
    let names = runs.summaries.iter();
    let names: BTreeSet<&String> = names
        .flat_map(|run| run.card.validation.sources.keys())
        .collect();
    names.into_iter().cloned().collect()
}

/// Returns a table with a share for each run in each row, and its difference from that of the first
/// run.
fn shares(
    title: &str,
    what: &str,
    runs: &TrainingSideBySide,
    names: &[String],
    share: &dyn Fn(&TrainingSummary, &str) -> Option<f32>,
) -> Markup {
    let key = |share: Option<f32>| share.map(|share| sort_key(f64::from(share)));
    html! {
        @if !names.is_empty() {
            h3 { (title) }
            div.wide {
                table.sorts {
                    caption.unseen { (title) ", in each run" }
                    thead { tr {
                        th scope="col" { (what) }
                        @for (number, run) in runs.runs.iter().enumerate() {
                            th.number scope="col" { (run) }
                            @if number > 0 { th.number scope="col" { (run) " − " (runs.runs[0]) } }
                        }
                    } }
                    tbody {
                        @for name in names {
                            @let first = share(&runs.summaries[0], name);
                            tr {
                                th scope="row" { (name) }
                                @for (number, run) in runs.summaries.iter().enumerate() {
                                    @let own = share(run, name);
                                    @let change = own.zip(first).map(|(own, first)| own - first);
                                    td.number data-value=[key(own)] { (own.map_or_else(String::new, percent)) }
                                    @if number > 0 {
                                        td.number.gain[change > Some(0.0)].loss[change.is_some_and(|it| it < 0.0)]
                                            data-value=[key(change)]
                                        { (change.map_or_else(String::new, |it| format!("{:+.2}", 100.0 * it))) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the chart of the held-out loss of all runs by epoch.
fn losses(runs: &TrainingSideBySide) -> Markup {
    let epochs = || runs.summaries.iter().flat_map(|run| &run.history);
    let loss = |epoch: &EpochMetrics| f64::from(epoch.validation_loss);
    let seen = || epochs().map(loss).filter(|loss| *loss > 0.0);
    let least = seen().fold(f64::INFINITY, f64::min);
    let most = seen().fold(0.0, f64::max);
    let last = epochs().map(|epoch| epoch.epoch).max().unwrap_or(0);
    if most <= 0.0 {
        return html! {};
    }
    let range = least / 1.25..most * 1.25;
    let caption = Caption {
        id: "compared-losses".to_owned(),
        title: "Held-out loss by epoch",
        about: "In nats, on a log scale; one line per run.".to_owned(),
    };
    let draw = |area: &Area<'_>| -> Result<Vec<Hover>, DrawError> {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .x_label_area_size(52)
            .y_label_area_size(86)
            .build_cartesian_2d(0f64..last as f64 + 1.0, range.clone().log_scale())?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(faint())
            .disable_x_mesh()
            .label_style(text(BLACK, HPos::Center))
            .axis_desc_style(text(BLACK, HPos::Center))
            .x_desc("epoch")
            .y_label_formatter(&|loss| format!("{}", (loss * 1e6).round() / 1e6))
            .x_label_formatter(&|epoch| match epoch.fract() {
                0.0 => epoch.to_string(),
                _ => String::new(),
            })
            .draw()?;
        let mut hovers = Vec::new();
        for (number, (name, run)) in runs.runs.iter().zip(&runs.summaries).enumerate() {
            let seen = run.history.iter().filter(|epoch| loss(epoch) > 0.0);
            let point = |epoch: &EpochMetrics| (epoch.epoch as f64, loss(epoch));
            let points: Vec<(f64, f64)> = seen.map(point).collect();
            let colour = colour(number);
            chart.draw_series(LineSeries::new(
                points.iter().copied(),
                colour.stroke_width(2),
            ))?;
            for (epoch, loss) in points {
                chart.draw_series([Circle::new((epoch, loss), 3, colour.filled())])?;
                let text = format!("{name}, epoch {epoch}: {loss:.4}");
                hovers.push(Hover::at(chart.backend_coord(&(epoch, loss)), text));
            }
        }
        Ok(hovers)
    };
    let names = runs.runs.iter().enumerate();
    html! {
        (figure(&caption, 420, draw))
        (legend(names.map(|(number, name)| (colour(number), name.as_str()))))
    }
}
