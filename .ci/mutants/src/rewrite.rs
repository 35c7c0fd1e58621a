//! Puts every change behind a switch.
//!
//! Each operand stands once in the new text, so nested operators do not multiply it. The marks in comments tell which
//! change an error of the compiler belongs to.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{LineColumn, Span};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Arm, BinOp, Expr, ExprBinary, ExprUnary, ImplItemFn, ItemFn, ReturnType, Signature, Type, UnOp,
};

use crate::Mutant;

/// The module that the switches call.
const SWITCH: &str = include_str!("switch.rs.txt");

/// Rewrites all files, and returns the changes that cannot be written as a switch, with the reason.
pub fn write(
    copy: &Path,
    originals: &BTreeMap<String, String>,
    mutants: &[Mutant],
    left_out: &BTreeMap<usize, &'static str>,
    constant: &BTreeSet<String>,
) -> Result<BTreeMap<usize, &'static str>, String> {
    let mut unwritten = BTreeMap::new();
    for (file, text) in originals {
        let tree = syn::parse_file(text).map_err(|error| format!("{file}: {error}"))?;
        let mut places: BTreeMap<(&str, usize, usize), Vec<usize>> = BTreeMap::new();
        let chosen =
            |(id, mutant): &(usize, &Mutant)| mutant.file == *file && !left_out.contains_key(id);
        for (id, mutant) in mutants.iter().enumerate().filter(chosen) {
            let (line, column) = mutant.place;
            places
                .entry((&mutant.genre, line, column))
                .or_default()
                .push(id);
        }
        let mut rewriter = Rewriter {
            text,
            lines: line_starts(text),
            mutants,
            places,
            constant,
            edits: Vec::new(),
        };
        rewriter.visit_file(&tree);
        unwritten.extend(
            rewriter
                .places
                .values()
                .flatten()
                .map(|&id| (id, "not written as a switch")),
        );
        let rewritten = rewriter.rewritten();
        fs::write(copy.join(file), rewritten).map_err(|error| format!("{file}: {error}"))?;
    }
    let switch = copy.join("src/mutation_switch.rs");
    fs::write(&switch, SWITCH.replace("COUNT", &mutants.len().to_string()))
        .map_err(|error| error.to_string())?;
    Ok(unwritten)
}

fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    [0].into_iter().chain(ends).collect()
}

/// What happens at one place of a text. In this order if several happen at one.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Kind {
    /// The end of something: what is within ended before.
    Close,
    /// The begin of something: what is within begins after.
    Open,
    /// Text that goes.
    Replace,
}

struct Rewriter<'a> {
    text: &'a str,
    lines: Vec<usize>,
    mutants: &'a [Mutant],
    /// Changes by genre and place; those that were written are taken out.
    places: BTreeMap<(&'a str, usize, usize), Vec<usize>>,
    constant: &'a BTreeSet<String>,
    edits: Vec<(usize, Kind, usize, String)>,
}

impl<'a> Rewriter<'a> {
    fn at(&self, place: LineColumn) -> usize {
        let start = self.lines[place.line - 1];
        let line = &self.text[start..];
        let column = line
            .char_indices()
            .nth(place.column)
            .map_or(line.len(), |(at, _)| at);
        start + column
    }

    fn start(&self, span: Span) -> usize {
        self.at(span.start())
    }

    fn end(&self, span: Span) -> usize {
        self.at(span.end())
    }

    fn edit(&mut self, at: usize, kind: Kind, until: usize, text: String) {
        self.edits.push((at, kind, until, text));
    }

    fn open(&mut self, at: usize, text: String) {
        self.edit(at, Kind::Open, at, text);
    }

    fn close(&mut self, at: usize, text: String) {
        self.edit(at, Kind::Close, at, text);
    }

    fn replace(&mut self, span: Span, text: &str) {
        let (at, until) = (self.start(span), self.end(span));
        self.edit(at, Kind::Replace, until, text.to_owned());
    }

    fn source(&self, span: Span) -> &'a str {
        &self.text[self.start(span)..self.end(span)]
    }

    /// Takes the changes of this genre that begin here.
    fn take(&mut self, genre: &'static str, start: LineColumn) -> Vec<usize> {
        self.places
            .remove(&(genre, start.line, start.column + 1))
            .unwrap_or_default()
    }

    /// `if` the switch of a change is on, its value, else that of the next.
    fn choice(
        &self,
        ids: &[usize],
        changed: impl Fn(&Mutant) -> String,
        unchanged: &str,
    ) -> String {
        let mut text = String::new();
        for &id in ids {
            let value = changed(&self.mutants[id]);
            text += &format!("if {} {{ /*<{id}*/ {value} /*{id}>*/ }} else ", on(id));
        }
        text + &format!("{{ {unchanged} }}")
    }

    /// The text with all edits.
    fn rewritten(mut self) -> String {
        self.edits.sort_by_key(|&(at, kind, ..)| (at, kind));
        let mut text = String::new();
        let mut done = 0;
        for (at, _, until, edit) in &self.edits {
            text.push_str(&self.text[done..(*at).max(done)]);
            text.push_str(edit);
            done = done.max(*until);
        }
        text + &self.text[done..]
    }

    /// Whether a constant is computed by this function, so that it may not call a switch.
    fn stays_constant(&self, signature: &Signature) -> bool {
        signature.constness.is_some() && self.constant.contains(&signature.ident.to_string())
    }

    fn visit_function(&mut self, signature: &Signature, block: &syn::Block) {
        if let Some(token) = signature.constness {
            self.replace(token.span, "");
        }
        // All returned values would have to be of one type, which has no name.
        if matches!(&signature.output, ReturnType::Type(_, of) if matches!(**of, Type::ImplTrait(_)))
        {
            return;
        }
        let Some(first) = block.stmts.first() else {
            return;
        };
        let ids = self.take("FnValue", first.span().start());
        if !ids.is_empty() {
            let mut text = format!("/*[{}*/ ", list(&ids));
            for &id in &ids {
                let value = &self.mutants[id].replacement;
                text += &format!("if {} {{ /*<{id}*/ return {value}; /*{id}>*/ }} ", on(id));
            }
            self.open(self.start(first.span()), text + "/*]*/ ");
        }
    }

    fn visit_logical(&mut self, node: &ExprBinary, ids: &[usize]) {
        let is_and = matches!(node.op, BinOp::And(_));
        let switches: Vec<String> = ids.iter().map(|&id| on(id)).collect();
        let switch = switches.join(" || ");
        let test = if is_and { "!=" } else { "==" };
        let ids = list(ids);
        self.open(
            self.start(node.span()),
            format!("({{ /*[{ids}*/ let l: bool = "),
        );
        visit::visit_expr(self, &node.left);
        self.replace(node.op.span(), &format!("; if l {test} ({switch}) {{"));
        visit::visit_expr(self, &node.right);
        self.close(self.end(node.span()), "} else { l } /*]*/ })".to_owned());
    }

    fn visit_assignment(&mut self, node: &ExprBinary, ids: &[usize]) {
        let place = self.source(node.left.span());
        let begin = format!("(match /*[{}*/ (", list(ids));
        let (at, until) = (self.start(node.span()), self.end(node.op.span()));
        self.edit(at, Kind::Replace, until, begin);
        visit::visit_expr(self, &node.right);
        let changed = |mutant: &Mutant| format!("{place} {} r;", mutant.replacement);
        let operator = self.source(node.op.span());
        let choice = self.choice(ids, changed, &format!("{place} {operator} r;"));
        self.close(
            self.end(node.span()),
            format!(") {{ r => {choice} }} /*]*/)"),
        );
    }
}

fn on(id: usize) -> String {
    format!("crate::mutation_switch::is_on({id})")
}

fn list(ids: &[usize]) -> String {
    let ids: Vec<String> = ids.iter().map(usize::to_string).collect();
    ids.join(" ")
}

fn is_assignment(operator: &BinOp) -> bool {
    use BinOp::*;
    matches!(
        operator,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitXorAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}

fn is_comparison(operator: &BinOp) -> bool {
    use BinOp::*;
    matches!(operator, Eq(_) | Lt(_) | Le(_) | Ne(_) | Ge(_) | Gt(_))
}

/// Whether this is a condition with `let`, which cannot be taken apart.
fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

impl<'a> Visit<'_> for Rewriter<'a> {
    fn visit_item_fn(&mut self, node: &ItemFn) {
        if !self.stays_constant(&node.sig) {
            self.visit_function(&node.sig, &node.block);
            visit::visit_item_fn(self, node);
        }
    }

    fn visit_impl_item_fn(&mut self, node: &ImplItemFn) {
        if !self.stays_constant(&node.sig) {
            self.visit_function(&node.sig, &node.block);
            visit::visit_impl_item_fn(self, node);
        }
    }

    fn visit_trait_item_fn(&mut self, node: &syn::TraitItemFn) {
        if let Some(block) = &node.default {
            self.visit_function(&node.sig, block);
        }
        visit::visit_trait_item_fn(self, node);
    }

    fn visit_expr_binary(&mut self, node: &ExprBinary) {
        if has_let(&node.left) || has_let(&node.right) {
            return visit::visit_expr_binary(self, node);
        }
        let ids = self.take("BinaryOperator", node.op.span().start());
        if ids.is_empty() {
            return visit::visit_expr_binary(self, node);
        }
        if matches!(node.op, BinOp::And(_) | BinOp::Or(_)) {
            return self.visit_logical(node, &ids);
        }
        if is_assignment(&node.op) {
            return self.visit_assignment(node, &ids);
        }
        let (reference, value) = if is_comparison(&node.op) {
            ("&", "*")
        } else {
            ("", "")
        };
        let operator = self.source(node.op.span());
        self.open(
            self.start(node.span()),
            format!("(match /*[{}*/ ({reference}(", list(&ids)),
        );
        visit::visit_expr(self, &node.left);
        self.replace(node.op.span(), &format!("), {reference}("));
        visit::visit_expr(self, &node.right);
        let changed = |mutant: &Mutant| format!("{value}l {} {value}r", mutant.replacement);
        let choice = self.choice(&ids, changed, &format!("{value}l {operator} {value}r"));
        self.close(
            self.end(node.span()),
            format!(")) {{ (l, r) => {choice} }} /*]*/)"),
        );
    }

    fn visit_expr_unary(&mut self, node: &ExprUnary) {
        let ids = match node.op {
            UnOp::Not(_) | UnOp::Neg(_) => self.take("UnaryOperator", node.span().start()),
            _ => Vec::new(),
        };
        if ids.is_empty() {
            return visit::visit_expr_unary(self, node);
        }
        let operator = self.source(node.op.span());
        let begin = format!("(match /*[{}*/ (", list(&ids));
        self.replace(node.op.span(), &begin);
        visit::visit_expr(self, &node.expr);
        let choice = self.choice(&ids, |_| "v".to_owned(), &format!("{operator}v"));
        self.close(
            self.end(node.span()),
            format!(") {{ v => {choice} }} /*]*/)"),
        );
    }

    fn visit_arm(&mut self, node: &Arm) {
        let deleted = self.take("MatchArm", node.span().start());
        let mut tests: Vec<String> = deleted.iter().map(|&id| format!("!{}", on(id))).collect();
        let Some((_, guard)) = &node.guard else {
            if !deleted.is_empty() {
                let arrow = self.start(node.fat_arrow_token.span());
                self.open(
                    arrow,
                    format!(" /*[{}*/ if {} /*]*/ ", list(&deleted), tests.join(" && ")),
                );
            }
            return visit::visit_arm(self, node);
        };
        if has_let(guard) {
            return visit::visit_arm(self, node);
        }
        let forced = self.take("MatchArmGuard", guard.span().start());
        let ids: Vec<usize> = deleted.iter().chain(&forced).copied().collect();
        if ids.is_empty() {
            return visit::visit_arm(self, node);
        }
        let mut always = String::new();
        for &id in &forced {
            match self.mutants[id].replacement.as_str() {
                "true" => always = format!("{} || ", on(id)),
                _ => tests.push(format!("!{}", on(id))),
            }
        }
        let tests: String = tests.iter().map(|test| format!("{test} && ")).collect();
        self.open(
            self.start(guard.span()),
            format!("/*[{}*/ ({always}{tests}(", list(&ids)),
        );
        visit::visit_arm(self, node);
        self.close(self.end(guard.span()), ")) /*]*/".to_owned());
    }
}
