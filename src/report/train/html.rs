//! A training run as one self-contained page.

use maud::{Markup, PreEscaped, html};
use serde_json::Value;

use super::classes::{bar, classes, confusion, most_confused};
use super::curves::curves;
use super::reliability::reliability;
use super::worst::worst;
use crate::digits::{Artifact, DataCard, class_names};
use crate::report::number::{counted, grouped, percent};
use crate::report::page::{TABLES_SCRIPT, TABLES_STYLE, document, hash};
use crate::training::TrainingSummary;

/// The style of this page beside that of all pages and that of charts.
const TRAIN_STYLE: &str = include_str!("../assets/train.css");

/// Returns `report.html`: how good the model is and where it is weak, then the curves of the run,
/// the confusion matrix, the calibration, and the worst crops. `worst_png` is `worst.png`; without
/// it, these crops are only listed.
pub fn train_page(summary: &TrainingSummary, worst_png: &[u8]) -> String {
    let body = html! {
        body.train {
            header {
                h1 { "Trained digit network" }
                p.quiet { (trained_on(summary)) }
            }
            main {
                (tiles(summary))
                (ending(summary))
                (weaknesses(summary))
                (curves(summary))
                section {
                    h2 { "Confusion of classes" }
                    div.sides { (confusion(&summary.confusion)) (classes(&summary.confusion)) }
                }
                (reliability(summary))
                (sources(summary))
                (worst(&summary.worst, worst_png))
                (facts(summary))
            }
            script { (PreEscaped(TABLES_SCRIPT)) }
        }
    };
    document("trained digit network", &[TABLES_STYLE, TRAIN_STYLE], &body)
}

/// Returns the data, the network and the machine on one line.
fn trained_on(summary: &TrainingSummary) -> String {
    let card = &summary.card;
    let crops: usize = card
        .data
        .iter()
        .map(|data| data.training)
        .fold(0, usize::saturating_add);
    let names: Vec<&str> = card.data.iter().map(|data| &*data.name).collect();
    let (crops, values) = (
        counted(crops as u64, "crop"),
        grouped(card.parameters as u64),
    );
    let start = match &card.init {
        Some(_) => ", starting from another model",
        None => "",
    };
    let (names, version, cpu) = (names.join(", "), &summary.version, &summary.environment.cpu);
    format!("{values} values trained on {crops} from {names}{start}; sudoku-batch {version}, {cpu}")
}

/// Returns the tiles with the main results.
fn tiles(summary: &TrainingSummary) -> Markup {
    let (card, held_out) = (&summary.card, &summary.card.validation);
    html! {
        div.tiles {
            div.tile {
                b { (percent(held_out.accuracy)) }
                span {
                    "of " (counted(held_out.crops as u64, "held-out crop")) " read right"
                    @if let Some(start) = &summary.start {
                        "; the model it started from: " (percent(start.accuracy))
                    }
                }
            }
            div.tile { b { (percent(held_out.digit_accuracy)) } span { "of those with a digit" } }
            div.tile {
                b { (format!("{:.4}", held_out.calibration_error_calibrated)) }
                span {
                    "calibration error, "
                    (format!("{:.4} before temperature {:.3}", held_out.calibration_error, card.temperature))
                }
            }
            div.tile {
                b { "epoch " (card.epoch) }
                span { "kept, of " (summary.epochs) " done (" (card.config.epochs) " asked for)" }
            }
            @if let Some((exact, photos)) = summary.evaluation.as_ref().and_then(puzzles) {
                a.tile href="evaluation/report.html" {
                    b { (grouped(exact)) " of " (grouped(photos)) }
                    span { "photos read without an error" }
                }
            }
        }
    }
}

/// Returns the number of puzzles without a mistake, and of photos, from the evaluation on photos.
fn puzzles(evaluation: &Value) -> Option<(u64, u64)> {
    let accuracy = &evaluation["accuracy"];
    let count = |name: &str| accuracy[name].as_u64();
    Some((count("decoded_exact")?, count("photos")?))
}

/// Returns a remark on a run that has not had all its epochs.
fn ending(summary: &TrainingSummary) -> Markup {
    let done = counted(summary.epochs as u64, "epoch");
    html! {
        @if summary.interrupted {
            p.bad { "Interrupted after " (done) "; these are the results so far." }
        } @else if summary.stopped_early {
            p { "Stopped early after " (done) ": the held-out loss no longer fell." }
        }
    }
}

/// Returns the weaknesses of the model: the most confused pair, the weakest class, the weakest
/// source.
fn weaknesses(summary: &TrainingSummary) -> Markup {
    let confusion = &summary.confusion;
    let names = class_names();
    let recalls = (0..names.len()).filter_map(|class| Some((class, confusion.recall(class)?)));
    let weakest = recalls.min_by(|(_, a), (_, b)| a.total_cmp(b));
    let sources = &summary.card.validation.sources;
    let poorest = sources
        .iter()
        .min_by(|(_, (a, _)), (_, (b, _))| a.total_cmp(b));
    let poorest = poorest.filter(|(_, (accuracy, _))| sources.len() > 1 && *accuracy < 1.0);
    html! {
        @match most_confused(confusion) {
            None => p.weak { "No held-out crop is misread." },
            Some((label, read)) => p.weak {
                @let count = confusion.count(label, read);
                "Most frequent error: " b { (names[label]) } " for " b { (names[read]) } ", "
                (counted(count as u64, "time")) " in " (grouped(confusion.labeled(label) as u64)) ". "
                @if let Some((class, recall)) = weakest {
                    "Weakest class: " b { (names[class]) } ", " (percent(recall)) " of "
                    (grouped(confusion.labeled(class) as u64)) " read right. "
                }
                @if let Some((source, (accuracy, crops))) = poorest {
                    "Weakest source: " b { (named(source)) } ", " (percent(*accuracy)) " of "
                    (grouped(*crops as u64)) "."
                }
            },
        }
    }
}

/// Returns the name of a source, which may be empty.
fn named(source: &str) -> &str {
    if source.is_empty() { "unnamed" } else { source }
}

fn sources(summary: &TrainingSummary) -> Markup {
    let sources = &summary.card.validation.sources;
    let least = sources
        .values()
        .map(|(accuracy, _)| *accuracy)
        .fold(1.0, f32::min);
    html! {
        section {
            h2 { "Where the crops came from" }
            div.wide {
                table.sorts {
                    caption { "Held-out crops by source. Bars: misread share." }
                    thead { tr {
                        th scope="col" { "source" }
                        @for title in ["crops", "misread", "accuracy"] {
                            th.number scope="col" { (title) }
                        }
                        td {}
                    } }
                    tbody {
                        @for (source, (accuracy, crops)) in sources {
                            @let misread = ((1.0 - accuracy) * *crops as f32).round() as u64;
                            tr {
                                th scope="row" { (named(source)) }
                                td.number data-value=(crops) { (grouped(*crops as u64)) }
                                td.number data-value=(misread) { (grouped(misread)) }
                                td.number data-value=(accuracy) { (percent(*accuracy)) }
                                td { (bar(1.0 - accuracy, 1.0 - least)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns what is needed to reproduce the model.
fn facts(summary: &TrainingSummary) -> Markup {
    let card = &summary.card;
    let machine = serde_json::to_value(&summary.environment).expect("an environment is plain data");
    let model = [
        ("weights", html! { (hash(&card.weights)) " (blake3)" }),
        (
            "started from",
            match &card.init {
                Some(weights) => html! {
                    (model_name(weights)) ", keeping " (card.config.keep) " of its weights"
                },
                None => html! { "random weights" },
            },
        ),
        (
            "trained values",
            html! { (grouped(card.parameters as u64)) },
        ),
        ("temperature", html! { (card.temperature.to_string()) }),
        (
            "crops",
            html! { (format!("{0} × {0} pixels", card.crop_side)) },
        ),
        ("normalization", html! { (card.normalization) }),
        ("seconds", html! { (format!("{:.1}", seconds(summary))) }),
    ];
    html! {
        section {
            h2 { "To reproduce it" }
            details {
                summary { "Data" }
                div.wide { (data(summary)) }
            }
            details {
                summary { "Settings" }
                div.wide { (settings("Settings", &config(summary))) }
            }
            details {
                summary { "Model" }
                div.wide { table.facts {
                    caption.unseen { "Model" }
                    tbody { @for (name, value) in model { tr { th scope="row" { (name) } td { (value) } } } }
                } }
            }
            details {
                summary { "Machine" }
                div.wide { (settings("Machine", &machine)) }
            }
        }
    }
}

/// Returns the model with these weights: by its name if it is the built-in one.
fn model_name(weights: &str) -> Markup {
    let built_in = Artifact::built_in();
    match built_in.is_ok_and(|it| it.card.weights == weights) {
        true => html! { span title=(weights) { "built-in" } },
        false => html! { (hash(weights)) " (blake3)" },
    }
}

/// Returns the seconds of all passes of all epochs.
fn seconds(summary: &TrainingSummary) -> f64 {
    let epochs = summary.history.iter();
    epochs
        .map(|epoch| epoch.training_seconds + epoch.validation_seconds)
        .sum()
}

/// Returns the settings as JSON, parsed from text: converted directly, a value would have 0.1 of
/// single precision with all its digits in double precision.
fn config(summary: &TrainingSummary) -> Value {
    let text = serde_json::to_string(&summary.card.config);
    let value = text.and_then(|text| serde_json::from_str(&text));
    value.unwrap_or_default()
}

fn data(summary: &TrainingSummary) -> Markup {
    html! {
        table {
            caption.unseen { "Data" }
            thead { tr {
                th scope="col" { "folder" }
                @for title in ["trained on", "held out", "drawn per epoch"] { th.number scope="col" { (title) } }
                th scope="col" { "blake3" }
            } }
            tbody {
                @for card in &summary.card.data {
                    tr {
                        th scope="row" { (card.name) }
                        td.number { (grouped(card.training as u64)) }
                        td.number { (grouped(card.validation as u64)) " (" (percent(share_held_out(card))) ")" }
                        td.number { (card.weight) " ×" }
                        td { (hash(&card.hash)) }
                    }
                }
            }
        }
    }
}

/// Returns the actual share held out: photos and puzzles are held out as a whole, and
/// near-duplicates left out.
fn share_held_out(card: &DataCard) -> f32 {
    card.validation as f32 / (card.training + card.validation).max(1) as f32
}

/// Returns the fields of an object, each as written in JSON; lists of words as words.
fn settings(title: &str, object: &Value) -> Markup {
    let fields = object.as_object().into_iter().flatten();
    html! {
        table.facts {
            caption.unseen { (title) }
            tbody { @for (name, value) in fields {
                tr { th scope="row" { (name.replace('_', " ")) } td { (plain(value)) } }
            } }
        }
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) if values.is_empty() => "none".to_owned(),
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(plain).collect();
            values.join(" ")
        }
        Value::Object(fields) if fields.is_empty() => "none".to_owned(),
        other => other.to_string(),
    }
}
