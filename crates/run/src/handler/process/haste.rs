//! Looking for a quick answer before sleeping until one is there.
//!
//! A worker that answers in microseconds costs more in being slept for than in its work: the thread goes to sleep, the
//! operating system wakes it, the runtime finds the task. So after a request, the pipe is looked at a few times, each time
//! after letting others run, the worker above all. A worker that is slow is hardly ever looked for.

use tokio::io::AsyncRead;

use super::frame::FrameReader;

/// Whether a worker's answers have been quick.
#[derive(Debug, Default)]
pub(super) struct Haste {
    /// So many calls are not worth a look.
    pause: u8,
    calls: u8,
    is_quick: bool,
}

impl Haste {
    const LOOKS: usize = 12;
    /// The longest pause: one call in so many is looked for, to see whether the worker has become quick.
    const PAUSE_MAX: u8 = 128;

    #[cfg(test)]
    pub(super) fn of_a_quick_one() -> Self {
        Self { is_quick: true, ..Self::default() }
    }

    /// Whether the last answer that was looked for was quick.
    pub(super) const fn is_quick(&self) -> bool {
        self.is_quick
    }

    /// Looks for an answer, if that is worth it.
    pub(super) fn wait_for<R: AsyncRead + std::os::fd::AsFd + Unpin>(&mut self, frames: &mut FrameReader<R>) {
        if frames.has_frame() {
            return;
        }
        if self.calls < self.pause {
            self.calls += 1;
            return;
        }
        self.calls = 0;
        for _ in 0..Self::LOOKS {
            std::thread::yield_now();
            if frames.look() {
                self.pause = 0;
                self.is_quick = true;
                return;
            }
        }
        self.is_quick = false;
        self.pause = self.pause.saturating_mul(2).clamp(1, Self::PAUSE_MAX);
    }
}
