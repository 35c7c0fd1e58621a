//! Calibration of a network, as a chart and as a table.

use maud::{Markup, html};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use crate::digits::Reliability;
use crate::report::chart::{Area, Caption, DrawError, Hover, colour, faint, figure, legend, text};
use crate::report::number::{counted, grouped, percent};
use crate::training::TrainingSummary;

/// Returns the chart of accuracy by confidence, before and after the temperature.
pub(super) fn reliability(summary: &TrainingSummary) -> Markup {
    let held_out = &summary.card.validation;
    let tables = ["before", "after"].into_iter().zip(&summary.reliability);
    let tables: Vec<(&str, RGBColor, &Reliability)> = tables
        .zip([1, 2])
        .map(|((name, table), number)| (name, colour(number), table))
        .collect();
    let caption = Caption {
        id: "reliability".to_owned(),
        title: "Confidence and accuracy",
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
            .x_label_area_size(60)
            .y_label_area_size(104)
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
            let crops: usize = table
                .bins()
                .map(|(_, bin)| bin.crops)
                .fold(0, usize::saturating_add);
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
                let description = format!(
                    "{name}: {}, confidence {}, accuracy {}",
                    counted(bin.crops as u64, "crop"),
                    percent(said),
                    percent(right),
                );
                hovers.push(Hover::at(chart.backend_coord(&at), description));
            }
            chart.draw_series(LineSeries::new(path, colour.stroke_width(1)))?;
        }
        Ok(hovers)
    };
    html! {
        section {
            h2 { "Calibration of its confidence" }
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

/// Returns the dots of the chart as a table.
fn bins([before, after]: &[Reliability; 2]) -> Markup {
    let filled = before.bins().zip(after.bins());
    let filled = filled.filter(|((_, before), (_, after))| before.crops + after.crops > 0);
    html! {
        table.bins {
            caption { "Confidence and accuracy as a table." }
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
