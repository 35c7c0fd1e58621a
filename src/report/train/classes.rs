//! Errors of a network by class: the confusion matrix and the shares of each class, as tables.

use maud::{Markup, html};

use crate::digits::{CLASSES, ConfusionMatrix, class_names};
use crate::report::number::{counted, grouped, percent};

/// Returns the label and the reading that are confused most often; `None` where nothing is misread.
pub(super) fn most_confused(confusion: &ConfusionMatrix) -> Option<(usize, usize)> {
    let pairs = (0..CLASSES).flat_map(|label| (0..CLASSES).map(move |read| (label, read)));
    let misread = pairs.filter(|(label, read)| label != read && confusion.count(*label, *read) > 0);
    // The first of equals.
    misread
        .rev()
        .max_by_key(|&(label, read)| confusion.count(label, read))
}

/// Returns the confusion matrix, errors as dark as they are frequent.
pub(super) fn confusion(confusion: &ConfusionMatrix) -> Markup {
    let names = class_names();
    let most = most_confused(confusion).and_then(|(label, read)| share(confusion, label, read));
    html! {
        div.wide {
            table.confusion {
                caption {
                    "Held-out crops: one row per label, one column per reading."
                    small { " Small: share of the row." }
                }
                thead {
                    tr {
                        th scope="col" { "shown" }
                        @for name in &names { th scope="col" { (name) } }
                    }
                }
                tbody {
                    @for (label, name) in names.iter().enumerate() {
                        tr {
                            th scope="row" { (name) }
                            @for read in 0..CLASSES { (cell(confusion, (label, read), &names, most)) }
                        }
                    }
                }
            }
        }
    }
}

fn share(confusion: &ConfusionMatrix, label: usize, read: usize) -> Option<f32> {
    let all = confusion.labeled(label);
    (all > 0).then(|| confusion.count(label, read) as f32 / all as f32)
}

/// Returns a cell of the matrix; `most` is the share of the pair that is confused most often.
fn cell(
    confusion: &ConfusionMatrix,
    (label, read): (usize, usize),
    names: &[String],
    most: Option<f32>,
) -> Markup {
    let count = confusion.count(label, read);
    let share = share(confusion, label, read).filter(|_| count > 0);
    let Some(share) = share else {
        return html! { td.none { "0" } };
    };
    // A single error among thousands is seen too.
    let heat = match most {
        Some(most) if label != read => 0.2 + 0.8 * (share / most).sqrt().min(1.0),
        _ => share,
    };
    let all = counted(confusion.labeled(label) as u64, "crop");
    let (shown, taken) = (&names[label], &names[read]);
    let description = format!(
        "{shown} read as {taken}: {count} of {all}, {}",
        percent(share)
    );
    html! {
        td.right[label == read].wrong[label != read] title=(description) style=(format!("--heat: {heat:.2}")) {
            (grouped(count as u64)) small { (percent(share)) }
        }
    }
}

/// Returns the table of recall and precision of each class.
pub(super) fn classes(confusion: &ConfusionMatrix) -> Markup {
    let recalls = (0..CLASSES).filter_map(|class| confusion.recall(class));
    let least = recalls.fold(1.0, f32::min);
    html! {
        div.wide {
            table.sorts.classes {
                caption { "Recall: share of the crops that show it. Precision: share of those read as it. Bars: misread share." }
                thead { tr {
                    th scope="col" { "class" }
                    @for title in ["crops", "misread", "recall", "precision"] { th.number scope="col" { (title) } }
                    td {}
                } }
                tbody {
                    @for (class, name) in class_names().iter().enumerate() {
                        @let crops = confusion.labeled(class);
                        @let misread = crops - confusion.count(class, class);
                        @let (recall, precision) = (confusion.recall(class), confusion.precision(class));
                        tr {
                            th scope="row" { (name) }
                            td.number data-value=(crops) { (grouped(crops as u64)) }
                            td.number data-value=(misread) { (grouped(misread as u64)) }
                            @for share in [recall, precision] {
                                td.number data-value=[share] { @if let Some(share) = share { (percent(share)) } }
                            }
                            td { @if let Some(recall) = recall { (bar(1.0 - recall, 1.0 - least)) } }
                        }
                    }
                }
            }
        }
    }
}

/// Returns a bar for a share, relative to the greatest one; nothing for zero.
pub(super) fn bar(share: f32, greatest: f32) -> Markup {
    html! {
        @if share > 0.0 {
            div.bar { div style=(format!("width: {:.1}%", 100.0 * share / greatest.max(share))) {} }
        }
    }
}
