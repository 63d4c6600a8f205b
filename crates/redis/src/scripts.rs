//! The scripts, and the clock that they read.

use redis::Script;

/// All scripts, with one clock.
#[derive(Debug)]
pub(crate) struct Scripts {
    pub(crate) send: StoredScript,
    pub(crate) receive: StoredScript,
    pub(crate) acknowledge: StoredScript,
    pub(crate) nack: StoredScript,
    pub(crate) release: StoredScript,
    pub(crate) extend: StoredScript,
    pub(crate) begin_hand_over: StoredScript,
    pub(crate) dead_letter: StoredScript,
    pub(crate) browse: StoredScript,
    pub(crate) take: StoredScript,
    pub(crate) purge: StoredScript,
    pub(crate) counts: StoredScript,
    pub(crate) probe: StoredScript,
}

/// A script with its hash, by which a server knows it.
#[derive(Debug)]
pub(crate) struct StoredScript {
    pub(crate) name: &'static str,
    pub(crate) code: String,
    pub(crate) hash: String,
}

/// Where the scripts get the time from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScriptClock {
    Server,
    /// The last key of a call.
    #[cfg_attr(not(feature = "manual-clock"), expect(dead_code, reason = "only tests set a clock"))]
    Key,
}

impl Scripts {
    pub(crate) fn new(clock: ScriptClock) -> Self {
        let script = |name, code: &str| {
            let clock = match clock {
                ScriptClock::Server => include_str!("scripts/clock_server.lua"),
                ScriptClock::Key => include_str!("scripts/clock_manual.lua"),
            };
            let code = format!("{clock}{}{code}", include_str!("scripts/prelude.lua"));
            let hash = Script::new(&code).get_hash().to_owned();
            StoredScript { name, code, hash }
        };
        Self {
            send: script("send", include_str!("scripts/send.lua")),
            receive: script("receive", include_str!("scripts/receive.lua")),
            acknowledge: script("acknowledge", include_str!("scripts/acknowledge.lua")),
            nack: script("nack", include_str!("scripts/nack.lua")),
            release: script("release", include_str!("scripts/release.lua")),
            extend: script("extend", include_str!("scripts/extend.lua")),
            begin_hand_over: script("begin_hand_over", include_str!("scripts/begin_hand_over.lua")),
            dead_letter: script("dead_letter", include_str!("scripts/dead_letter.lua")),
            browse: script("browse", include_str!("scripts/browse.lua")),
            take: script("take", include_str!("scripts/take.lua")),
            purge: script("purge", include_str!("scripts/purge.lua")),
            counts: script("counts", include_str!("scripts/counts.lua")),
            probe: script("probe", include_str!("scripts/probe.lua")),
        }
    }
}
