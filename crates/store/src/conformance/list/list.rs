//! The list of all cases, from which tests and the table are generated.

/// Calls a macro with every case of the suite. For [`conformance_tests!`](crate::conformance_tests).
///
/// Each part of the list passes the cases before it on to the next part, so that the macro is called once with all
/// cases.
#[doc(hidden)]
#[macro_export]
macro_rules! each_conformance_case {
    ([$($then:tt)*] $($with:tt)*) => {
        $crate::each_item_case! { [$($then)*] [$($with)*] }
    };
}

/// Generates a test for every case, in a module for each theme.
///
/// It needs an expression that creates a [`Harness`](crate::conformance::Harness), and `tokio` with `macros` and `rt`.
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
        /// All cases of the suite.
        pub const CASES: &[crate::conformance::Case] = &[$($(
            crate::conformance::Case {
                theme: stringify!($theme),
                name: stringify!($case),
                run: |fixture| Box::pin(crate::conformance::cases::$theme::$case(fixture)),
            },
        )*)*];
    };
}

each_conformance_case! { [table] }

/// Checks the case with this name.
///
/// # Panics
///
/// If there is no such case, or if the store breaks the rule.
pub async fn check(theme: &str, name: &str, harness: impl crate::conformance::Harness + 'static) {
    let case = CASES.iter().find(|case| case.theme == theme && case.name == name);
    case.expect("no case with this name").check(harness).await;
}
