//! The methods of [`Isa`](super::isa::Isa) that are one expression of intrinsics.

/// Writes such methods of a token.
macro_rules! operations {
    ($($name:ident($($arg:ident: $type:ty),*) -> $result:ty = $body:expr;)*) => {
        $(#[inline(always)]
        fn $name(self, $($arg: $type),*) -> $result {
            // SAFETY: the token is proof that the CPU has these instructions; they touch no memory.
            unsafe { $body }
        })*
    };
}

pub(super) use operations;
