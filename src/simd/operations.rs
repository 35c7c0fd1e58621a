//! Macro for methods of a token that are compiled for its instructions.

/// Writes methods of a token whose bodies use its instructions.
///
/// A body is safe code in a function that is compiled for the instructions. There an intrinsic that
/// only touches registers is safe to call, and one that follows a pointer is not: a body with one
/// does not compile unless it says `unsafe` itself, and why it may.
macro_rules! operations {
    ($features:literal; $($name:ident($($arg:ident: $type:ty),*) -> $result:ty { $($body:tt)* })*) => {
        $(#[inline(always)]
        fn $name(self, $($arg: $type),*) -> $result {
            #[inline]
            #[target_feature(enable = $features)]
            fn instructions($($arg: $type),*) -> $result {
                $($body)*
            }
            // SAFETY: the token is proof that the CPU has these instructions.
            unsafe { instructions($($arg),*) }
        })*
    };
}

pub(super) use operations;
