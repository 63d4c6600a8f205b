//! The one list from which tests and table are made.

/// Calls a macro with every case of the suite. For [`conformance_tests!`](crate::conformance_tests).
///
/// Each part of the list hands what came before on to the next one, so that the macro hears of all at once.
#[doc(hidden)]
#[macro_export]
macro_rules! each_conformance_case {
    ([$($then:tt)*] $($with:tt)*) => {
        $crate::each_item_case! { [$($then)*] [$($with)*] }
    };
}

/// Makes a test of every rule that a store keeps, in a module for each theme.
///
/// It wants an expression that makes a [`Harness`](crate::conformance::Harness), and `tokio` with `macros` and `rt`.
///
/// ```ignore
/// mod in_memory {
///     redrive_store::conformance_tests!(crate::InMemory);
/// }
/// ```
#[macro_export]
macro_rules! conformance_tests {
    ($harness:expr) => {
        $crate::each_conformance_case! { [$crate::conformance_test_functions] $harness }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! conformance_test_functions {
    ([$harness:expr] $($theme:ident { $($case:ident,)* })*) => {
        $(mod $theme {
            #[allow(unused_imports, reason = "the harness may be named by a path from the root")]
            use super::*;

            $(#[tokio::test]
            async fn $case() {
                $crate::conformance::check(stringify!($theme), stringify!($case), $harness).await;
            })*
        })*
    };
}

macro_rules! table {
    ([] $($theme:ident { $($case:ident,)* })*) => {
        /// Every rule that a store keeps.
        pub const CASES: &[crate::conformance::Case] = &[$($(
            crate::conformance::Case {
                theme: stringify!($theme),
                name: stringify!($case),
                run: |bed| Box::pin(crate::conformance::cases::$theme::$case(bed)),
            },
        )*)*];
    };
}

each_conformance_case! { [table] }

/// Tries the case of this name.
///
/// # Panics
///
/// When there is none, or the store breaks the rule.
pub async fn check(theme: &str, name: &str, harness: impl crate::conformance::Harness + 'static) {
    let case = CASES.iter().find(|case| case.theme == theme && case.name == name);
    case.expect("the list of tests is the list of cases").check(harness).await;
}
