//! Charts in pages: drawn by plotters, coloured by the style of the page.

use maud::{Markup, PreEscaped, html};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// The drawing area of a chart.
pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Error of drawing.
pub(super) type DrawError = Box<dyn std::error::Error + Send + Sync>;

/// Width of all charts, in units of the picture.
pub(super) const WIDTH: u32 = 760;

/// Largest number of rows of values that are shown without expanding.
const MOST_ROWS: usize = 16;

/// Size of text in a chart, in units of the picture.
pub(super) const TEXT: i32 = 19;

/// An area of a chart that shows a value when hovered, in units of the picture.
pub(super) struct Hover {
    /// The left upper corner.
    pub(super) from: (i32, i32),
    /// The right lower one.
    pub(super) to: (i32, i32),
    /// The text shown.
    pub(super) text: String,
}

impl Hover {
    /// Returns the area around a point.
    pub(super) fn at((x, y): (i32, i32), text: String) -> Hover {
        let reach = 7;
        Hover {
            from: (x.saturating_sub(reach), y.saturating_sub(reach)),
            to: (x.saturating_add(reach), y.saturating_add(reach)),
            text,
        }
    }
}

/// Title and description of a chart.
pub(super) struct Caption<'a> {
    /// Identifier, unique within the page.
    pub(super) id: String,
    /// Title above the chart.
    pub(super) title: &'a str,
    /// Description: shown below the chart, and read out by screen readers.
    pub(super) about: String,
}

/// Returns a figure with a chart of this height. `draw` returns the areas that show values.
pub(super) fn figure(
    caption: &Caption<'_>,
    height: u32,
    draw: impl FnOnce(&Area<'_>) -> Result<Vec<Hover>, DrawError>,
) -> Markup {
    let mut svg = String::new();
    let drawn = {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        draw(&area).and_then(|hovers| {
            area.present()?;
            Ok(hovers)
        })
    };
    let (title, about) = (
        format!("{}-title", caption.id),
        format!("{}-about", caption.id),
    );
    html! {
        figure {
            figcaption { b { (caption.title) } }
            @match drawn {
                Ok(hovers) => {
                    div.wide {
                        svg.chart viewBox={ "0 0 " (WIDTH) " " (height) } role="img"
                            aria-labelledby=(title) aria-describedby=(about)
                        {
                            title id=(title) { (caption.title) }
                            desc id=(about) { (caption.about) }
                            (PreEscaped(inside(&svg)))
                            g.hovers {
                                @for hover in &hovers { (place(hover)) }
                            }
                        }
                    }
                    p.reading aria-hidden="true" {}
                }
                Err(error) => p.bad { "This chart cannot be drawn: " (error.to_string()) },
            }
            p.quiet { (caption.about) }
        }
    }
}

/// Returns the values of a chart as a table, which replaces it on a narrow screen; collapsed where
/// it is long.
pub(super) fn values(title: &str, columns: &[&str], rows: &[Vec<String>]) -> Markup {
    html! {
        @if !rows.is_empty() {
            details.values open[rows.len() <= MOST_ROWS] {
                summary { "Values" }
                table {
                    caption.unseen { (title) ", as values" }
                    thead { tr {
                        @for (number, column) in columns.iter().enumerate() {
                            th.number[number > 0] scope="col" { (column) }
                        }
                    } }
                    tbody {
                        @for row in rows {
                            tr {
                                @for (number, value) in row.iter().enumerate() {
                                    @if number == 0 { th scope="row" { (value) } }
                                    @else { td.number { (value) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the content between the outer tags, which the page writes itself.
fn inside(svg: &str) -> &str {
    let start = svg.find('>').map_or(0, |end| end + 1);
    let end = svg.rfind("</svg").unwrap_or(svg.len()).max(start);
    &svg[start..end]
}

fn place(hover: &Hover) -> Markup {
    let ((x, y), (right, bottom)) = (hover.from, hover.to);
    html! {
        rect x=(x) y=(y) width=(right.saturating_sub(x).max(1)) height=(bottom.saturating_sub(y).max(1)) {
            title { (hover.text) }
        }
    }
}

/// Returns the colour of a line or bar: visible on dark and on light backgrounds.
pub(super) fn colour(number: usize) -> RGBColor {
    const COLOURS: [RGBColor; 12] = [
        RGBColor(0x3b, 0x7d, 0xd8),
        RGBColor(0xd9, 0x68, 0x0f),
        RGBColor(0x2e, 0x9e, 0x4f),
        RGBColor(0xd8, 0x43, 0x4e),
        RGBColor(0x94, 0x67, 0xbd),
        RGBColor(0x8c, 0x6d, 0x46),
        RGBColor(0xd6, 0x52, 0x9f),
        RGBColor(0x7f, 0x7f, 0x7f),
        RGBColor(0x8f, 0x8f, 0x00),
        RGBColor(0x0e, 0x9a, 0xa7),
        RGBColor(0x5b, 0x6a, 0xbf),
        RGBColor(0xb5, 0x8a, 0x00),
    ];
    COLOURS[number % COLOURS.len()]
}

/// Returns the legend of a chart.
pub(super) fn legend<'a>(colours: impl IntoIterator<Item = (RGBColor, &'a str)>) -> Markup {
    html! {
        ul.legend aria-hidden="true" {
            @for (RGBColor(r, g, b), name) in colours {
                li { span style=(format!("background: rgb({r} {g} {b})")) {} (name) }
            }
        }
    }
}

/// Returns the style of text in a chart; black becomes the text colour of the page.
pub(super) fn text(colour: RGBColor, side: HPos) -> TextStyle<'static> {
    let font = ("sans-serif", TEXT).into_font().color(&colour);
    font.pos(Pos::new(side, VPos::Center))
}

/// Returns the colour of grid lines.
pub(super) fn faint() -> RGBAColor {
    BLACK.mix(0.12)
}

/// Largest number of decades of an axis: one of a damaged file could have six hundred.
const MOST_DECADES: f64 = 30.0;

/// The highest power of ten of an axis, far enough below the greatest number that charts can add room.
const HIGHEST: f64 = 250.0;

/// Returns the decades around these numbers, the uppermost 30 below 10^250 if there are more; numbers that are
/// not positive are ignored.
pub(super) fn decades(numbers: impl Iterator<Item = f64>) -> Option<std::ops::Range<f64>> {
    let numbers: Vec<f64> = numbers.filter(|&n| n > 0.0 && n.is_finite()).collect();
    let least = numbers.iter().copied().reduce(f64::min)?;
    let most = numbers.iter().copied().reduce(f64::max)?;
    let high = most.log10().ceil().min(HIGHEST);
    let low = least.log10().floor().max(high - MOST_DECADES);
    let low = low.min(HIGHEST - 1.0);
    let high = high.max(low + 1.0);
    Some(10f64.powf(low)..10f64.powf(high))
}

/// Returns a name shortened to fit beside a chart; the full name is shown elsewhere.
pub(super) fn short(name: &str) -> String {
    const LONGEST: usize = 18;
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    name.chars().take(LONGEST - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_cover_all_numbers_and_are_never_empty() {
        assert_eq!(decades([0.0, -1.0, f64::NAN].into_iter()), None);
        assert_eq!(decades([1.0].into_iter()), Some(1.0..10.0));
        assert_eq!(decades([0.02, 500.0].into_iter()), Some(0.01..1000.0));
        assert_eq!(decades([f64::MAX].into_iter()), Some(1e249..1e250));
        assert_eq!(
            decades([f64::MIN_POSITIVE, 50.0].into_iter()),
            Some(1e-28..100.0)
        );
    }

    #[test]
    fn a_figure_has_one_picture_and_escapes_its_text() {
        let caption = Caption {
            id: "x".to_owned(),
            title: "A <title>",
            about: "About \"it\"".to_owned(),
        };
        let figure = figure(&caption, 100, |area| {
            area.draw(&Text::new("<b>", (10, 10), text(BLACK, HPos::Left)))?;
            Ok(vec![Hover::at((5, 5), "a<b".to_owned())])
        });
        let figure = figure.into_string();
        assert_eq!(figure.matches("<svg").count(), 1);
        assert_eq!(figure.matches("</svg>").count(), 1);
        assert!(!figure.contains("http") && !figure.contains("A <title>"));
        assert!(figure.contains("a&lt;b") && figure.contains("&lt;b&gt;"));
    }
}
