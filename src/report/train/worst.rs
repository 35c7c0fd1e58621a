//! The worst crops, each as a figure.

use data_encoding::BASE64;
use maud::{Markup, html};

use super::picture::{crop_place, sheet_size};
use crate::grid::Digit;
use crate::report::number::percent;
use crate::training::WorstCrop;

/// Returns all of them, worst first. Their sheet is embedded once; each figure shows its own part.
pub(super) fn worst(crops: &[WorstCrop], sheet: &[u8]) -> Markup {
    let (width, height) = sheet_size(crops.len());
    html! {
        section {
            h2 { "Read worst" }
            @if crops.is_empty() { p.quiet { "No crops are kept." } }
            @else {
                p.quiet { "The held-out crops with the largest loss, worst first. Labels may be wrong, too." }
                @if !sheet.is_empty() {
                    svg.sheet aria-hidden="true" {
                        defs {
                            image #sheet width=(width) height=(height)
                                href={ "data:image/png;base64," (BASE64.encode(sheet)) } {}
                        }
                    }
                }
                ol.worst {
                    @for (crop, at) in crops.iter().zip(0..) { li { (figure(crop, at, !sheet.is_empty())) } }
                }
            }
        }
    }
}

fn figure(crop: &WorstCrop, at: u32, pictured: bool) -> Markup {
    let (x, y, width, height) = crop_place(at);
    let description = description(crop);
    html! {
        figure title=(description) {
            @if pictured {
                svg viewBox={ (x) " " (y) " " (width) " " (height) } role="img" aria-label=(description) {
                    use href="#sheet" {}
                }
            }
            figcaption aria-hidden=[pictured.then_some("true")] {
                b { (name(crop.label)) }
                @if crop.read == crop.label { " read right" }
                @else { " read as " b.bad { (name(crop.read)) } }
                br;
                (percent(crop.confidence)) " sure"
                span.from { (from(crop)) }
            }
        }
    }
}

/// Returns a description of a crop.
fn description(crop: &WorstCrop) -> String {
    let mut text = format!(
        "label {}, read as {}, {}, loss {:.2}",
        name(crop.label),
        name(crop.read),
        percent(crop.confidence),
        crop.loss,
    );
    for (what, value) in [("photo", &crop.photo), ("source", &crop.source)] {
        if !value.is_empty() {
            text += &format!(", {what} {value}");
        }
    }
    text
}

/// Returns the photo, or else the source.
fn from(crop: &WorstCrop) -> &str {
    if crop.photo.is_empty() {
        &crop.source
    } else {
        &crop.photo
    }
}

fn name(content: Option<Digit>) -> String {
    content.map_or_else(|| "blank".to_owned(), |digit| digit.to_string())
}
