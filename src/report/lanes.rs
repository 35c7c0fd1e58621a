//! Horizontal bar charts, with one strip per bar and names at the left.

use std::ops::Range;

use plotters::coord::combinators::LogCoord;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::chart::{Area, DrawError, faint, text};

/// Width of the names at the left.
pub(super) const NAMES: u32 = 175;

/// A chart with a log scale to the right, strips upwards.
pub(super) type Lanes<'a, 'b> =
    ChartContext<'a, SVGBackend<'b>, Cartesian2d<LogCoord<f64>, RangedCoordf64>>;

/// Returns an empty chart of strips up to this height, with this much space at the right; `step`
/// formats a power of ten.
pub(super) fn lanes<'a, 'b>(
    area: &'a Area<'b>,
    numbers: Range<f64>,
    height: usize,
    right: u32,
    step: &dyn Fn(f64) -> String,
) -> Result<Lanes<'a, 'b>, DrawError> {
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .margin_right(right)
        .x_label_area_size(34)
        .y_label_area_size(NAMES)
        .build_cartesian_2d(numbers.log_scale(), 0f64..height as f64)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(faint())
        .disable_y_mesh()
        .disable_y_axis()
        .label_style(text(BLACK, HPos::Center))
        .x_label_formatter(&|number| step(*number))
        .draw()?;
    Ok(chart)
}
