//! The search of `bands`.

use std::fmt;
use std::ops::ControlFlow;

use super::board::{Board, has_clash, is_filled, solution, strike, with_givens};
use super::branch::{choose, split};
use super::sweep::{Constants, propagate};
use crate::grid::{Candidate, Puzzle, Solution};
use crate::simd::{self, Kernel, Square};
use crate::solve::instruction_set::InstructionSet;
use crate::solve::search::{End, Found, Ledger, Search};
use crate::solve::solver::{Goal, Limits};

/// The solver `bands`: one puzzle at a time; see the module.
///
/// Complete: every puzzle gets a true verdict. Keeps nothing between puzzles but the memory for its
/// stack of boards.
#[derive(Clone)]
pub struct Bands {
    instructions: InstructionSet,
    searcher: Searcher,
}

/// The stack of boards, by instruction set.
#[derive(Clone)]
enum Searcher {
    #[cfg(target_arch = "x86_64")]
    Avx512(On<simd::NarrowAvx512>),
    #[cfg(target_arch = "x86_64")]
    Avx2(On<simd::Avx2>),
    #[cfg(target_arch = "aarch64")]
    Neon(On<simd::Neon>),
    #[cfg(target_arch = "wasm32")]
    Simd128(On<simd::Simd128>),
    Portable(On<simd::Portable>),
}

#[derive(Clone)]
struct On<I: Square> {
    isa: I,
    waiting: Vec<Board<I>>,
}

impl Default for Bands {
    fn default() -> Bands {
        Bands::new()
    }
}

impl fmt::Debug for Bands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bands({})", self.instructions)
    }
}

impl Bands {
    /// Returns a solver on the best instructions that this CPU has.
    pub fn new() -> Bands {
        let best = InstructionSet::ALL.into_iter().find_map(Bands::on);
        best.expect("every CPU runs the portable instructions")
    }

    /// Returns a solver on these instructions, if this CPU has them.
    pub fn on(instructions: InstructionSet) -> Option<Bands> {
        let searcher = match instructions {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => Searcher::Avx512(On::new(simd::NarrowAvx512::detect()?)),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => Searcher::Avx2(On::new(simd::Avx2::detect()?)),
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => Searcher::Neon(On::new(simd::Neon::detect()?)),
            #[cfg(target_arch = "wasm32")]
            InstructionSet::Simd128 => Searcher::Simd128(On::new(simd::Simd128::detect()?)),
            InstructionSet::Portable => Searcher::Portable(On::new(simd::Portable)),
            _ => return None,
        };
        Some(Bands {
            instructions,
            searcher,
        })
    }

    /// Returns a solution of the puzzle without this candidate, if there is one. With the digit of
    /// a known solution as the candidate, this finds a second solution without searching for the
    /// first again.
    pub fn other(&mut self, puzzle: &Puzzle, without: Candidate) -> Option<Solution> {
        let mut ledger = Ledger::new(Goal::FirstSolution, Limits::NONE);
        let end = self.visit(puzzle, Some(without), &mut ledger);
        match ledger.close(end).0 {
            Found::First(solution) => Some(solution),
            _ => None,
        }
    }

    fn visit(
        &mut self,
        puzzle: &Puzzle,
        without: Option<Candidate>,
        ledger: &mut Ledger,
    ) -> ControlFlow<End> {
        match &mut self.searcher {
            #[cfg(target_arch = "x86_64")]
            Searcher::Avx512(on) => on.visit(puzzle, without, ledger),
            #[cfg(target_arch = "x86_64")]
            Searcher::Avx2(on) => on.visit(puzzle, without, ledger),
            #[cfg(target_arch = "aarch64")]
            Searcher::Neon(on) => on.visit(puzzle, without, ledger),
            #[cfg(target_arch = "wasm32")]
            Searcher::Simd128(on) => on.visit(puzzle, without, ledger),
            Searcher::Portable(on) => on.visit(puzzle, without, ledger),
        }
    }
}

impl Search for Bands {
    fn search(&mut self, puzzle: &Puzzle, ledger: &mut Ledger) -> ControlFlow<End> {
        self.visit(puzzle, None, ledger)
    }
}

impl<I: Square> On<I> {
    fn new(isa: I) -> On<I> {
        On {
            isa,
            waiting: Vec::new(),
        }
    }

    fn visit(
        &mut self,
        puzzle: &Puzzle,
        without: Option<Candidate>,
        ledger: &mut Ledger,
    ) -> ControlFlow<End> {
        self.waiting.clear();
        self.isa.run(VisitSolutions {
            puzzle,
            without,
            ledger,
            waiting: &mut self.waiting,
        })
    }
}

/// Visits every solution of a puzzle, depth first.
struct VisitSolutions<'a, I: Square> {
    puzzle: &'a Puzzle,
    /// A candidate that no solution may have.
    without: Option<Candidate>,
    ledger: &'a mut Ledger,
    waiting: &'a mut Vec<Board<I>>,
}

impl<I: Square> Kernel<I> for VisitSolutions<'_, I> {
    type Output = ControlFlow<End>;

    #[inline(always)]
    fn run(self, isa: I) -> ControlFlow<End> {
        let constants = Constants::new(isa);
        let mut board = with_givens(isa, self.puzzle);
        if let Some(candidate) = self.without {
            strike(isa, &mut board, candidate);
        }
        if has_clash(isa, &board) {
            return self.ledger.node();
        }
        loop {
            self.ledger.node()?;
            if propagate(isa, &constants, &mut board) && is_filled(isa, &board) {
                if let Some(branch) = choose(isa, &constants, &board) {
                    self.ledger.guess()?;
                    let mut without = board;
                    split(isa, branch, &mut board, &mut without);
                    self.waiting.push(without);
                    continue;
                }
                // In a stack, each digit has one configuration, so one column of each block. It has
                // one row of each block too: none lies in two blocks, and all three blocks have one.
                // So it has one cell of each block; and as there are nine cells, none empty, for nine
                // digits, each cell has one digit.
                self.ledger.solution(solution(isa, &board))?;
            }
            match self.waiting.pop() {
                Some(next) => board = next,
                None => return ControlFlow::Continue(()),
            }
        }
    }
}
