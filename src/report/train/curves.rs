//! The charts of a training run by epoch: loss and accuracy.

use std::ops::Range;

use maud::{Markup, html};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use crate::report::chart::{Area, Caption, DrawError, Hover, colour, faint, figure, legend, text};
use crate::report::labels::Labels;
use crate::report::number::percent;
use crate::training::{EpochMetrics, TrainingSummary};

/// Steps within a power of ten, from coarse to fine.
const STEPS: [&[f64]; 5] = [
    &[1.0],
    &[1.0, 2.0, 5.0],
    &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0],
    &[
        1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0,
    ],
    &[
        1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.2, 2.4, 2.6, 2.8, 3.0, 3.3, 3.6,
        4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 7.5, 8.0, 8.5, 9.0, 9.5,
    ],
];
/// Size of text on a narrow screen, as in `train.css`.
const NARROW_TEXT: i32 = 24;
/// Largest number of labels that do not overlap.
const MOST_LABELS: usize = 12;

/// A chart with one curve for the crops trained on and one for those held out.
struct Chart {
    id: &'static str,
    title: &'static str,
    about: &'static str,
    training: fn(&EpochMetrics) -> f32,
    held_out: fn(&EpochMetrics) -> f32,
    /// Formats a value.
    format: fn(f32) -> String,
    scale: Scale,
}

/// A log scale of the remaining error: of the loss, or of the misread share.
struct Scale {
    /// The remaining error at a value.
    left: fn(f32) -> f64,
    /// Whether a smaller error is drawn higher.
    upside_down: bool,
    /// Smallest error of the scale; below it, errors are drawn here and labeled as `none`.
    least: f64,
    none: &'static str,
    most: f64,
    /// Label of an error.
    label: fn(f64) -> String,
}

impl Scale {
    fn height(&self, left: f64) -> f64 {
        let height = left.clamp(self.least, self.most).log10();
        if self.upside_down { -height } else { height }
    }

    /// Returns the heights that are labeled in this range: the coarsest steps with enough labels.
    fn ticks(&self, range: &Range<f64>) -> Vec<(f64, String)> {
        let within = |steps: &[f64]| -> Vec<(f64, String)> {
            let powers = (-8..=3).map(|power| 10f64.powi(power));
            let lefts = powers.flat_map(|power| steps.iter().map(move |step| step * power));
            // `none` needs its place.
            let lefts = lefts.filter(|&left| left > 1.5 * self.least && left <= self.most);
            let ticks = lefts.map(|left| (self.height(left), (self.label)(left)));
            let none = (self.height(self.least), self.none.to_owned());
            let ticks = std::iter::once(none).chain(ticks);
            ticks.filter(|(height, _)| range.contains(height)).collect()
        };
        let few = |ticks: &Vec<(f64, String)>| ticks.len() < 4;
        let ticks = STEPS.into_iter().map(within);
        let ticks = ticks.reduce(|coarse, fine| if few(&coarse) { fine } else { coarse });
        let ticks = ticks.unwrap_or_default();
        let stride = ticks.len().div_ceil(MOST_LABELS).max(1);
        ticks.into_iter().step_by(stride).collect()
    }
}

/// Returns the charts of loss and accuracy by epoch.
pub(super) fn curves(summary: &TrainingSummary) -> Markup {
    if summary.history.is_empty() {
        return html! {};
    }
    html! {
        section {
            h2 { "Epoch by epoch" }
            div.charts {
                @for chart in [loss(), accuracy(summary)] { div { (by_epoch(summary, &chart)) } }
            }
        }
    }
}

fn loss() -> Chart {
    Chart {
        id: "loss",
        title: "Loss",
        about: "In nats, on a log scale. Training: distorted crops, with dropout and smoothed labels, so it \
            may lie above the held-out curve.",
        training: |epoch| epoch.training_loss,
        held_out: |epoch| epoch.validation_loss,
        format: |loss| format!("{loss:.4}"),
        scale: Scale {
            left: f64::from,
            upside_down: false,
            least: 1e-6,
            none: "0",
            most: 1e3,
            // Single precision drops what a multiplication left behind.
            label: |left| (left as f32).to_string(),
        },
    }
}

fn accuracy(summary: &TrainingSummary) -> Chart {
    let data = summary.card.data.iter();
    let crops: usize = data
        .map(|data| data.training.max(data.validation))
        .fold(0, usize::saturating_add);
    Chart {
        id: "accuracy",
        title: "Accuracy",
        about: "Accuracy, stretched towards 100 %: wherever half of the errors go, the curve rises \
            by the same. Training: distorted crops, with dropout.",
        training: |epoch| epoch.training_accuracy,
        held_out: |epoch| epoch.validation_accuracy,
        format: percent,
        scale: Scale {
            left: |accuracy| 1.0 - f64::from(accuracy),
            upside_down: true,
            // Half of an error.
            least: 0.5 / crops.max(1) as f64,
            none: "100 %",
            most: 1.0,
            label: |left| format!("{} %", (100.0 - 100.0 * left) as f32),
        },
    }
}

/// Returns the range of these numbers with a margin, also where they are all the same.
fn roomy(numbers: impl Iterator<Item = f64> + Clone) -> Range<f64> {
    let least = numbers.clone().fold(f64::INFINITY, f64::min);
    let most = numbers.fold(f64::NEG_INFINITY, f64::max);
    let space = (0.06 * (most - least)).max(0.05);
    least - space..most + space
}

fn by_epoch(summary: &TrainingSummary, chart: &Chart) -> Markup {
    let history = &summary.history;
    let kept = summary.card.epoch;
    let caption = Caption {
        id: chart.id.to_owned(),
        title: chart.title,
        about: format!(
            "{} Marked: epoch {kept}, with the least held-out loss.",
            chart.about
        ),
    };
    let curves = [
        ("training", colour(0), chart.training),
        ("held out", colour(1), chart.held_out),
    ];
    let height = |value: f32| chart.scale.height((chart.scale.left)(value));
    let values = curves
        .iter()
        .flat_map(|(.., value)| history.iter().map(value));
    let range = roomy(values.map(height));
    let last = history.iter().map(|epoch| epoch.epoch).max().unwrap_or(1) as i32;
    let draw = |area: &Area<'_>| -> Result<Vec<Hover>, DrawError> {
        let mut context = ChartBuilder::on(area)
            .margin(10)
            .margin_right(30)
            .x_label_area_size(60)
            .y_label_area_size(104)
            .build_cartesian_2d(0..last + 1, range.clone())?;
        context
            .configure_mesh()
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
        for (height, label) in chart.scale.ticks(&range) {
            let across = [(0, height), (last + 1, height)];
            context.draw_series([PathElement::new(across, faint())])?;
            let (left, y) = context.backend_coord(&across[0]);
            area.draw(&Text::new(label, (left - 8, y), text(BLACK, HPos::Right)))?;
        }
        let mark = [range.start, range.end].map(|end| (kept as i32, end));
        let style = BLACK.mix(0.45).stroke_width(2);
        context.draw_series([PathElement::new(mark, style)])?;
        let mut hovers = Vec::new();
        for (name, colour, value) in curves {
            let at = |epoch: &EpochMetrics| (epoch.epoch as i32, height(value(epoch)));
            let points = history.iter().map(at);
            context.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
            for epoch in history {
                let radius = if epoch.epoch == kept { 6 } else { 3 };
                context.draw_series([Circle::new(at(epoch), radius, colour.filled())])?;
                let format = (chart.format)(value(epoch));
                let text = format!("epoch {}, {name}: {format}", epoch.epoch);
                hovers.push(Hover::at(context.backend_coord(&at(epoch)), text));
            }
        }
        let mut labels = Labels::new(NARROW_TEXT, context.plotting_area().get_pixel_range());
        let points = curves.map(|(.., value)| {
            let at = |epoch: &EpochMetrics| (epoch.epoch as i32, height(value(epoch)));
            let points = history
                .iter()
                .map(|epoch| context.backend_coord(&at(epoch)));
            points.collect::<Vec<_>>()
        });
        points.iter().for_each(|points| labels.keep_clear(points));
        for ((name, colour, value), points) in curves.into_iter().zip(&points) {
            let last = history.last().map(|epoch| (chart.format)(value(epoch)));
            let name = format!("{name} {}", last.unwrap_or_default());
            // Above and below the curve, beginning at its end.
            let beside = points.iter().rev().flat_map(|(x, y)| {
                [
                    (*x, y.saturating_sub(18)),
                    (*x, y.saturating_add(18)),
                    (*x, *y),
                ]
            });
            let place = labels.place(&name, beside);
            area.draw(&Text::new(name, place, text(colour, HPos::Left)))?;
        }
        Ok(hovers)
    };
    html! {
        (figure(&caption, 420, draw))
        (legend(curves.map(|(name, colour, _)| (colour, name))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(least: f64, accuracies: &[f32]) -> Vec<String> {
        let scale = Scale {
            left: |accuracy| 1.0 - f64::from(accuracy),
            upside_down: true,
            least,
            none: "100 %",
            most: 1.0,
            label: |left| format!("{} %", (100.0 - 100.0 * left) as f32),
        };
        let lefts = accuracies.iter().map(|&accuracy| (scale.left)(accuracy));
        let ticks = scale.ticks(&roomy(lefts.map(|left| scale.height(left))));
        ticks.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn every_range_has_a_few_labels() {
        let whole = ["100 %", "99.9 %", "99 %", "90 %", "0 %"];
        assert_eq!(labels(1e-4, &[0.0, 0.9, 1.0]), whole);
        let upper = ["100 %", "99.5 %", "99 %", "98 %", "95 %", "90 %"];
        assert_eq!(labels(2e-3, &[0.9, 1.0]), upper);
        for accuracy in [0.0, 0.1, 0.47, 0.9, 0.953, 0.998, 1.0] {
            let count = labels(1e-3, &[accuracy]).len();
            assert!((1..=MOST_LABELS).contains(&count), "{accuracy}");
        }
    }
}
