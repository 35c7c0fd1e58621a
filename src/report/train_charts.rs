//! Charts of a training run: loss and accuracy by epoch, and confidence against accuracy.

use maud::{Markup, html};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::chart::{Area, Caption, DrawError, Hover, colour, faint, figure, legend, text};
use super::number::{counted, grouped, percent};
use crate::digits::{EpochMetrics, Reliability, TrainingSummary};

/// Below this, a loss is as good as none.
const LEAST_LOSS: f64 = 1e-6;

/// More would touch each other.
const MOST_TICKS: usize = 14;

/// One of the two curves of a chart.
struct Curve {
    name: &'static str,
    colour: RGBColor,
    value: fn(&EpochMetrics) -> f32,
}

/// A scale of values: where each is drawn, and which are marked.
struct Scale {
    height: Box<dyn Fn(f64) -> f64>,
    ticks: Vec<(f64, String)>,
}

/// Loss and accuracy by epoch.
pub(super) fn curves(summary: &TrainingSummary) -> Markup {
    if summary.history.is_empty() {
        return html! {};
    }
    let curves = |training, held_out| {
        [("training", training), ("held out", held_out)]
            .into_iter()
            .zip(0..)
            .map(|((name, value), number)| Curve {
                name,
                colour: colour(number),
                value,
            })
            .collect::<Vec<Curve>>()
    };
    let loss = curves(|epoch| epoch.training_loss, |epoch| epoch.validation_loss);
    let accuracy = curves(
        |epoch| epoch.training_accuracy,
        |epoch| epoch.validation_accuracy,
    );
    let about_loss = "In nats, on a log scale. Training: distorted crops, with dropout and smoothed \
        labels, so it may lie above the held-out curve.";
    let about_accuracy = "Crops read right, on a scale that is stretched towards 100 %: each step of \
        the same height halves the errors or so. Training: distorted crops, with dropout.";
    html! {
        section {
            h2 { "Epoch by epoch" }
            div.charts {
                div { (by_epoch(summary, ("loss", "Loss", about_loss), &loss, &loss_scale(), |loss| format!("{loss:.4}"))) }
                div { (by_epoch(summary, ("accuracy", "Accuracy", about_accuracy), &accuracy, &accuracy_scale(summary), percent)) }
            }
        }
    }
}

/// Powers of ten, and 2 and 5 times them.
fn loss_scale() -> Scale {
    let powers = (-6..=3).map(|power| 10f64.powi(power));
    let ticks = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|times| times * power));
    Scale {
        height: Box::new(|loss| loss.max(LEAST_LOSS).log10()),
        ticks: ticks.map(|tick| (tick, tick.to_string())).collect(),
    }
}

/// Half of an error and none are drawn at the same height.
fn accuracy_scale(summary: &TrainingSummary) -> Scale {
    let crops = summary
        .card
        .data
        .iter()
        .map(|data| data.training + data.validation);
    let least = 0.5 / crops.sum::<usize>().max(1) as f64;
    let height = move |accuracy: f64| -(1.0 - accuracy).max(least).log10();
    let errors = (-4..=0)
        .rev()
        .flat_map(|power| [1.0, 0.5, 0.2].map(|times| times * 10f64.powi(power)));
    let ticks = errors.filter(|error| *error > 2.0 * least);
    let mut ticks: Vec<(f64, String)> = ticks
        .map(|error| (1.0 - error, format!("{} %", (100.0 - 100.0 * error) as f32)))
        .collect();
    ticks.push((1.0, "100 %".to_owned()));
    Scale {
        height: Box::new(height),
        ticks,
    }
}

/// The ticks around these heights: from the last one below to the first one above all of them.
fn around(scale: &Scale, heights: impl Iterator<Item = f64> + Clone) -> Vec<(f64, &str)> {
    let least = heights.clone().fold(f64::INFINITY, f64::min);
    let most = heights.fold(f64::NEG_INFINITY, f64::max);
    let ticks = scale.ticks.iter();
    let ticks: Vec<(f64, &str)> = ticks
        .map(|(value, label)| ((scale.height)(*value), &**label))
        .collect();
    let below = ticks
        .iter()
        .rposition(|(height, _)| *height < least)
        .unwrap_or(0);
    let above = ticks
        .iter()
        .position(|(height, _)| *height > most)
        .unwrap_or(ticks.len() - 1);
    ticks[below.min(above)..=above.max(below)].to_vec()
}

fn by_epoch(
    summary: &TrainingSummary,
    (id, title, about): (&str, &str, &str),
    curves: &[Curve],
    scale: &Scale,
    told: fn(f32) -> String,
) -> Markup {
    let history = &summary.history;
    let kept = summary.card.epoch;
    let caption = Caption {
        id: id.to_owned(),
        title,
        about: format!("{about} Marked: epoch {kept}, which is kept for its held-out loss."),
    };
    let height =
        |curve: &Curve, epoch: &EpochMetrics| (scale.height)(f64::from((curve.value)(epoch)));
    let heights = curves
        .iter()
        .flat_map(|curve| history.iter().map(move |epoch| height(curve, epoch)));
    let ticks = around(scale, heights);
    let (low, high) = (ticks[0].0, ticks[ticks.len() - 1].0);
    let last = history.iter().map(|epoch| epoch.epoch).max().unwrap_or(1) as i32;
    let draw = |area: &Area<'_>| -> Result<Vec<Hover>, DrawError> {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .margin_right(30)
            .x_label_area_size(52)
            .y_label_area_size(86)
            .build_cartesian_2d(0..last + 1, low..high.max(low + 1e-3))?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(faint())
            .disable_mesh()
            .y_labels(0)
            .label_style(text(BLACK, HPos::Center))
            .axis_desc_style(text(BLACK, HPos::Center))
            .x_desc("epoch")
            .x_labels(15)
            .x_label_formatter(&|epoch| match epoch {
                epoch if (1..=last).contains(epoch) => epoch.to_string(),
                _ => String::new(),
            })
            .draw()?;
        for (height, label) in ticks.iter().step_by(ticks.len().div_ceil(MOST_TICKS)) {
            let across = [(0, *height), (last + 1, *height)];
            chart.draw_series([PathElement::new(across, faint())])?;
            let (left, y) = chart.backend_coord(&across[0]);
            area.draw(&Text::new(*label, (left - 8, y), text(BLACK, HPos::Right)))?;
        }
        let mark = [(kept as i32, low), (kept as i32, high)];
        chart.draw_series([PathElement::new(mark, BLACK.mix(0.45).stroke_width(2))])?;
        let mut hovers = Vec::new();
        for curve in curves {
            let point = |epoch: &EpochMetrics| (epoch.epoch as i32, height(curve, epoch));
            chart.draw_series(LineSeries::new(
                history.iter().map(point),
                curve.colour.stroke_width(2),
            ))?;
            for epoch in history {
                let at = point(epoch);
                let radius = if epoch.epoch == kept { 6 } else { 3 };
                chart.draw_series([Circle::new(at, radius, curve.colour.filled())])?;
                let value = told((curve.value)(epoch));
                let text = format!("epoch {}, {}: {value}", epoch.epoch, curve.name);
                hovers.push(Hover::at(chart.backend_coord(&at), text));
            }
        }
        Ok(hovers)
    };
    html! {
        (figure(&caption, 420, draw))
        (legend(curves.iter().map(|curve| (curve.colour, curve.name))))
    }
}

/// Confidence against accuracy, before and after the temperature.
pub(super) fn reliability(summary: &TrainingSummary) -> Markup {
    let held_out = &summary.card.validation;
    let tables = ["before", "after"].into_iter().zip(&summary.reliability);
    let tables: Vec<(&str, RGBColor, &Reliability)> = tables
        .zip([1, 2])
        .map(|((name, table), number)| (name, colour(number), table))
        .collect();
    let caption = Caption {
        id: "reliability".to_owned(),
        title: "Confidence and truth",
        about: format!(
            "To the right, how sure the network is; upward, how often it is right then. On the diagonal it \
            knows itself; below it, it is too sure. Larger dots stand for more crops. Calibration error: \
            {:.4} before the temperature of {:.3}, {:.4} after it.",
            held_out.calibration_error,
            summary.card.temperature,
            held_out.calibration_error_calibrated,
        ),
    };
    let draw = |area: &Area<'_>| -> Result<Vec<Hover>, DrawError> {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .margin_right(30)
            .x_label_area_size(52)
            .y_label_area_size(86)
            .build_cartesian_2d(0f32..103f32, 0f32..103f32)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(faint())
            .label_style(text(BLACK, HPos::Center))
            .axis_desc_style(text(BLACK, HPos::Center))
            .x_desc("confidence")
            .x_labels(6)
            .y_labels(6)
            .x_label_formatter(&|share| format!("{share:.0} %"))
            .y_label_formatter(&|share| format!("{share:.0} %"))
            .draw()?;
        let diagonal = [(0.0, 0.0), (100.0, 100.0)];
        chart.draw_series([PathElement::new(diagonal, BLACK.mix(0.45).stroke_width(2))])?;
        let mut hovers = Vec::new();
        for (name, colour, table) in &tables {
            let crops: usize = table.bins().map(|(_, bin)| bin.crops).sum();
            let mut path = Vec::new();
            for (_, bin) in table.bins() {
                let (Some(said), Some(right)) = (bin.confidence(), bin.accuracy()) else {
                    continue;
                };
                let at = (100.0 * said, 100.0 * right);
                let share = bin.crops as f64 / crops.max(1) as f64;
                let radius = 3 + (9.0 * share.sqrt()) as i32;
                chart.draw_series([Circle::new(at, radius, colour.mix(0.8).filled())])?;
                path.push(at);
                let told = format!(
                    "{name}: {}, {} sure, {} right",
                    counted(bin.crops as u64, "crop"),
                    percent(said),
                    percent(right),
                );
                hovers.push(Hover::at(chart.backend_coord(&at), told));
            }
            chart.draw_series(LineSeries::new(path, colour.stroke_width(1)))?;
        }
        Ok(hovers)
    };
    html! {
        section {
            h2 { "Whether its confidence can be trusted" }
            div.charts {
                div {
                    (figure(&caption, 460, draw))
                    (legend(tables.iter().map(|(name, colour, _)| (*colour, *name))))
                }
                div.wide { (bins(&summary.reliability)) }
            }
        }
    }
}

/// The dots of the chart as a table.
fn bins([before, after]: &[Reliability; 2]) -> Markup {
    let filled = before.bins().zip(after.bins());
    let filled = filled.filter(|((_, before), (_, after))| before.crops + after.crops > 0);
    html! {
        table.bins {
            caption { "The same in numbers: how sure the network is, and how often it is right then." }
            colgroup {}
            colgroup span="3" {}
            colgroup span="3" {}
            thead {
                tr {
                    td {}
                    @for title in ["before the temperature", "after it"] {
                        th colspan="3" scope="colgroup" { (title) }
                    }
                }
                tr {
                    th scope="col" { "confidence" }
                    @for title in ["crops", "sure", "right", "crops", "sure", "right"] {
                        th.number scope="col" { (title) }
                    }
                }
            }
            tbody {
                @for ((range, before), (_, after)) in filled {
                    tr {
                        th scope="row" { (format!("{:.0} to {:.0} %", 100.0 * range.start, 100.0 * range.end)) }
                        @for bin in [before, after] {
                            td.number { (grouped(bin.crops as u64)) }
                            @for share in [bin.confidence(), bin.accuracy()] {
                                td.number { @if let Some(share) = share { (percent(share)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}
