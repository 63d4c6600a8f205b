//! The table form of calls that are sent as they are.

/// Methods of [`Client`](crate::Client), a row for each call: its request, its answer, and how it is sent.
///
/// `call` returns the message of the answer, `execute` has none. `read` and `act` are the constructors of
/// [`Call`](crate::call::Call), which say when the call may be repeated, and `wait` extends its deadline.
macro_rules! calls {
    ($(
        $(#[$documentation:meta])*
        $name:ident($Request:ty) -> $Answer:ty = $send:ident $repeat:ident $path:literal $(, wait $wait:expr)?;
    )*) => {
        impl $crate::Client {
            $(
                $(#[$documentation])*
                pub async fn $name(&self, request: &$Request) -> Result<$Answer, $crate::ClientError> {
                    let call = $crate::call::Call { $(wait: $wait,)? ..$crate::call::Call::$repeat($path) };
                    self.$send(call, request).await
                }
            )*
        }
    };
}

pub(super) use calls;
