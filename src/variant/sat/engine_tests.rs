//! The engine against trying all assignments, and its learnt clauses against unit propagation.

use proptest::prelude::*;

use super::encoding::Literal;
use super::engine::{Answer, Engine};
use super::trail::Lit;

type Clauses = Vec<Vec<Literal>>;

/// Clauses over this many variables.
fn clauses(
    variables: i32,
    lengths: std::ops::Range<usize>,
    count: usize,
) -> impl Strategy<Value = Clauses> {
    let literal = (1..=variables, any::<bool>())
        .prop_map(|(variable, is_true)| if is_true { variable } else { -variable });
    prop::collection::vec(prop::collection::vec(literal, lengths), 0..count)
}

/// An engine with these clauses, and a clause on each variable that always holds.
fn engine(clauses: &Clauses, variables: i32) -> Engine {
    let mut engine = Engine::new();
    for variable in 1..=variables {
        engine.add(&[variable, -variable]);
    }
    for clause in clauses {
        engine.add(clause);
    }
    engine
}

fn holds(clauses: &Clauses, is_true: impl Fn(Literal) -> bool) -> bool {
    clauses
        .iter()
        .all(|clause| clause.iter().any(|one| is_true(*one)))
}

/// How many assignments satisfy all clauses, by trying each.
fn count(clauses: &Clauses, variables: i32) -> usize {
    let holds = |bits: u32| {
        holds(clauses, |literal| {
            (bits >> (literal.abs() - 1) & 1 == 1) == (literal > 0)
        })
    };
    (0..1u32 << variables).filter(|bits| holds(*bits)).count()
}

/// How many assignments the engine finds, forbidding each.
fn enumerate(engine: &mut Engine, clauses: &Clauses, variables: i32) -> usize {
    let mut found = 0;
    while engine.solve(|_| false) == Answer::Satisfied {
        assert!(holds(clauses, |literal| engine.is_true(literal)));
        let other: Vec<Literal> = (1..=variables)
            .map(|one| if engine.is_true(one) { -one } else { one })
            .collect();
        engine.add(&other);
        found += 1;
    }
    found
}

/// Whether unit propagation refutes the clauses together with the negation of one more.
fn refutes(clauses: &[Vec<Lit>], negated: &[Lit]) -> bool {
    let mut is_true: Vec<Lit> = negated.iter().map(|lit| lit ^ 1).collect();
    loop {
        let before = is_true.len();
        for clause in clauses {
            if clause.iter().any(|lit| is_true.contains(lit)) {
                continue;
            }
            let open: Vec<&Lit> = clause
                .iter()
                .filter(|lit| !is_true.contains(&(**lit ^ 1)))
                .collect();
            match open[..] {
                [] => return true,
                [unit] => is_true.push(*unit),
                _ => {}
            }
        }
        if is_true.len() == before {
            return false;
        }
    }
}

/// No way to put `pigeons` into one hole less, each alone.
fn pigeons(pigeons: i32) -> Clauses {
    let holes = pigeons - 1;
    let sits = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    let mut clauses: Clauses = (0..pigeons)
        .map(|pigeon| (0..holes).map(|hole| sits(pigeon, hole)).collect())
        .collect();
    for hole in 0..holes {
        for one in 0..pigeons {
            clauses.extend((0..one).map(|other| vec![-sits(one, hole), -sits(other, hole)]));
        }
    }
    clauses
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn finds_all_assignments_of_short_clauses(clauses in clauses(8, 1..4, 40)) {
        let mut engine = engine(&clauses, 8);
        prop_assert_eq!(enumerate(&mut engine, &clauses, 8), count(&clauses, 8));
    }

    #[test]
    fn finds_all_assignments_of_long_clauses(clauses in clauses(10, 3..7, 60)) {
        let mut engine = engine(&clauses, 10);
        prop_assert_eq!(enumerate(&mut engine, &clauses, 10), count(&clauses, 10));
    }

    #[test]
    fn learns_only_what_unit_propagation_confirms(clauses in clauses(30, 3..4, 150)) {
        let mut engine = engine(&clauses, 30);
        let answer = engine.solve(|_| false);
        if answer == Answer::Satisfied {
            prop_assert!(holds(&clauses, |literal| engine.is_true(literal)));
        }
        let lit = |one: &Literal| 2 * (one.unsigned_abs() - 1) + u32::from(*one < 0);
        let mut known: Vec<Vec<Lit>> = Vec::new();
        for clause in &clauses {
            let mut clause: Vec<Lit> = clause.iter().map(lit).collect();
            clause.sort_unstable();
            clause.dedup();
            known.push(clause);
        }
        for learnt in std::mem::take(&mut engine.learnt) {
            prop_assert!(refutes(&known, &learnt), "{:?} does not follow", learnt);
            known.push(learnt);
        }
        prop_assert!(answer == Answer::Satisfied || refutes(&known, &[]));
    }
}

/// Needs thousands of conflicts, so learnt clauses are forgotten again and again.
#[test]
fn forgetting_learnt_clauses_loses_nothing() {
    let clauses = pigeons(8);
    let mut engine = engine(&clauses, 56);
    let mut conflicts = 0;
    let answer = engine.solve(|count| {
        conflicts = count;
        false
    });
    assert_eq!(answer, Answer::Unsatisfiable);
    assert!(conflicts > 1_500, "{conflicts} conflicts do not test it");
}

#[test]
fn a_search_that_was_stopped_goes_on() {
    let clauses = pigeons(7);
    let mut engine = engine(&clauses, 42);
    let mut stops = 0;
    while engine.solve(|conflicts| conflicts >= 10) == Answer::Stopped {
        stops += 1;
    }
    assert!(stops > 0);
    assert_eq!(engine.solve(|_| false), Answer::Unsatisfiable);
}
