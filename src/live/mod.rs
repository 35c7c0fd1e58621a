//! What a page with a camera asks: boards of photos and frames, solutions, hints and explanations, as answers that
//! serialize to JSON. The page's two engines share it: WebAssembly, and the server of the command line.

mod answer;
mod reasoning;
mod session;

pub use answer::{Answer, BoardAnswer};
pub use reasoning::{
    CandidateAnswer, ExplainAnswer, HintAnswer, SolveAnswer, StepAnswer, explain, hint, solve,
};
pub use session::{Frame, Session};
