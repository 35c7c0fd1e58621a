//! Text from outside in tables that spreadsheets open.

use std::borrow::Cow;

/// The text as a field of a CSV file: one that a spreadsheet would take for a formula gets an
/// apostrophe in front.
pub(super) fn as_text(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@']) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}
