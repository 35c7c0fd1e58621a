//! The dialog for correcting a board. `assets/board.js` fills it, `assets/corners.js` outlines
//! boards that were not found.

use maud::{Markup, html};

/// Returns the markup of the dialog, empty.
pub(super) fn board_dialog() -> Markup {
    html! {
        dialog #board aria-labelledby="board-title" {
            header {
                h2 #board-title {}
                div.turns {
                    button #previous type="button" title="Page Up" { "Previous" }
                    button #next type="button" title="Page Down" { "Next" }
                    button #close type="button" title="Escape" { "Close" }
                }
            }
            p #board-facts {}
            p #message role="alert" {}
            div.sides {
                (pictures())
                div #editor {
                    div #no-board { p #no-board-facts {} (corner_tools()) }
                    div #digits { (digits()) }
                    div.choices {
                        button #confirm type="button" title="Key C" { "Correct as it is" }
                        button #undo type="button" title="Ctrl+Z" { "Undo" }
                        button #reset type="button" { "As it was read" }
                    }
                    (extras())
                    (help())
                    section #evidence aria-labelledby="evidence-title" {
                        h3 #evidence-title { "Doubtful cells" }
                        p.legend {
                            "Possible contents of each, and the result for the board."
                        }
                        ul #doubts {}
                    }
                }
            }
        }
        (question())
    }
}

/// Returns the pictures of the cells, as cut in the run or at the corners that were clicked, and
/// the photo.
fn pictures() -> Markup {
    html! {
        div #pictures {
            div #cells role="img" aria-label="the cells as cut from the photo" {
                img #flat alt="" hidden;
                div #marker {}
            }
            div #photo-side {
                div #outline {
                    a #photo-link { img #photo alt="the photo"; }
                    svg #edges viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" { polyline points="" {} }
                    div #corners {}
                }
                video #film controls preload="metadata" hidden {}
                p.legend #larger {}
            }
        }
    }
}

fn corner_tools() -> Markup {
    html! {
        div #corner-tools {
            p #corner-help role="status" {}
            div.choices {
                button #place-corners type="button" { "Put four corners into the photo" }
                button #remove-corners type="button" { "Remove the corners" }
            }
        }
    }
}

/// Returns the board, its status, and the buttons for touch screens.
fn digits() -> Markup {
    html! {
        table #grid role="grid" aria-label="the board" {}
        div #keys role="group" aria-label="digits" {}
        p #verdict role="status" {}
        p #cell-facts {}
    }
}

/// Returns the less frequent controls.
fn extras() -> Markup {
    html! {
        div #extras .choices {
            button #next-doubt type="button" title="Key N" { "Next doubtful cell" }
            label #paste-line {
                span { "All 81 cells" }
                input #paste type="text" inputmode="numeric" autocomplete="off" spellcheck="false"
                    placeholder="paste digits, . or 0";
            }
        }
    }
}

fn help() -> Markup {
    html! {
        p.legend #keys-help {
            kbd { "1" } "–" kbd { "9" } " digit, " kbd { "0" } " " kbd { "." } " " kbd { "Space" } " blank, and go to the next cell; "
            kbd { "Delete" } " clears; arrows move; " kbd { "N" } " next doubtful cell; "
            kbd { "C" } " correct as it is or done, go to the next doubtful board; "
            kbd { "Ctrl" } "+" kbd { "Z" } " undo; " kbd { "Ctrl" } "+" kbd { "V" } " paste 81 cells; "
            kbd { "Page Up" } " " kbd { "Page Down" } " other photos."
        }
        p.legend #marks-help {
            "Framed: overruled by the rules; the reading is shown small in the corner. "
            "Underlined: doubtful, with the second best content. Filled: corrected by you."
        }
    }
}

/// Returns the confirmation before corrections are discarded.
fn question() -> Markup {
    html! {
        dialog #question aria-labelledby="question-text" {
            p #question-text {}
            div.choices {
                button #question-no type="button" { "Keep them" }
                button #question-yes type="button" { "Start over" }
            }
        }
    }
}
