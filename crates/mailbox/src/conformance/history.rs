//! A random history on a mailbox and its mailbox of letters, compared with the naive model after every step.

use redrive_core::{Span, SplitMix64};
use redrive_testkit::Seed;

use super::fixture::{MailboxFixture, SharedMailbox, id, letter_about, stale};
use super::naive::NaiveMailbox;
use crate::{
    HandOverSpec, LeaseExtension, MailboxError, MailboxSettings, MessageId, NackSpec, NewMessage, RawMessage,
    ReceiveSpec, Verdict,
};

pub(super) struct History<'f> {
    fixture: &'f MailboxFixture,
    seed: Seed,
    random: SplitMix64,
    source: (SharedMailbox, NaiveMailbox),
    letters: (SharedMailbox, NaiveMailbox),
    /// Every delivery so far, of both mailboxes: `true` for a letter.
    deliveries: Vec<(bool, RawMessage)>,
    sent: u64,
}

impl<'f> History<'f> {
    pub(super) async fn new(
        fixture: &'f MailboxFixture,
        seed: Seed,
        settings: MailboxSettings,
        letter_settings: MailboxSettings,
    ) -> Self {
        let source = fixture.mailbox_with(settings.clone()).await;
        let letters = fixture.letters_with(letter_settings.clone()).await;
        for mailbox in [&source, &letters] {
            mailbox.purge().await.expect("the backend is available");
        }
        Self {
            fixture,
            random: SplitMix64::new(seed.number().wrapping_mul(0xD134_2543_DE82_EF95)),
            seed,
            source: (source, NaiveMailbox::new(settings)),
            letters: (letters, NaiveMailbox::new(letter_settings)),
            deliveries: Vec::new(),
            sent: 0,
        }
    }

    pub(super) async fn run(mut self, steps: u32) {
        for _ in 0..steps {
            self.step().await;
            self.source.1.pass_time(self.fixture.now());
            self.letters.1.pass_time(self.fixture.now());
            for (mailbox, model) in [&self.source, &self.letters] {
                assert_eq!(mailbox.counts().await, Ok(model.counts()), "{model:#?}");
            }
        }
    }

    fn below(&mut self, end: u64) -> u64 {
        self.random.next() % end
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[usize::try_from(self.below(all.len() as u64)).expect("a small number")]
    }

    async fn step(&mut self) {
        match self.below(100) {
            0..22 => self.send().await,
            22..44 => self.receive().await,
            44..50 => self.take().await,
            50..80 => self.settle().await,
            80..82 => self.purge().await,
            _ => {
                let span = self.one_of(&[1, 999_999, 5_000_000, 30_000_000, 61_000_000, 200_000_000]);
                self.fixture.advance(Span::from_micros(span)).await;
                self.source.1.pass_time(self.fixture.now());
                self.letters.1.pass_time(self.fixture.now());
            }
        }
    }

    async fn send(&mut self) {
        self.sent += 1;
        let message = if self.below(3) == 0 {
            let id = self.explicit_id();
            NewMessage { id: Some(id.clone()), ..NewMessage::new(format!("with id {id}")) }
        } else {
            NewMessage::new(format!("{} of {}", self.sent, self.seed.number()))
        };
        let now = self.fixture.now();
        let (mailbox, model) = &mut self.source;
        let is_known = message.id.as_ref().is_some_and(|id| model.has_accepted(id));
        match mailbox.send(message.clone()).await {
            Ok(id) => model.sent(now, id, &message),
            Err(error) => {
                assert!(matches!(error, MailboxError::Full { .. }), "{error}");
                assert!(model.is_full() && !is_known, "a mailbox rejected {message:?} although it is not full");
            }
        }
    }

    async fn receive(&mut self) {
        let max_messages = u32::try_from(1 + self.below(10)).expect("a small number");
        let visibility = Span::from_secs(self.one_of(&[0, 1, 10, 30, 100]));
        let is_letter = self.below(4) == 0;
        let now = self.fixture.now();
        let (mailbox, model) = if is_letter { &mut self.letters } else { &mut self.source };
        let got = mailbox.receive(ReceiveSpec { max_messages, visibility, wait: Span::ZERO }).await;
        let got = got.expect("the backend is available");
        model.received(now, max_messages, visibility, &got);
        self.deliveries.extend(got.into_iter().map(|message| (is_letter, message)));
    }

    /// Takes a message by its id: one that was delivered before, or one with an id that senders choose.
    async fn take(&mut self) {
        let count = self.deliveries.len() as u64;
        let (is_letter, wanted) = if count > 0 && self.below(3) > 0 {
            let reach = count.min(20);
            let index = usize::try_from(count - 1 - self.below(reach)).expect("a small number");
            let (is_letter, delivery) = &self.deliveries[index];
            (*is_letter, delivery.id().clone())
        } else {
            (false, self.explicit_id())
        };
        let visibility = Span::from_secs(self.one_of(&[0, 1, 10, 30, 100]));
        let now = self.fixture.now();
        let (mailbox, model) = if is_letter { &mut self.letters } else { &mut self.source };
        let taken = mailbox.take(&wanted, visibility).await.expect("the backend is available");
        assert_eq!(taken.is_some(), model.can_take(&wanted), "{wanted}: {model:#?}");
        if let Some(taken) = taken {
            model.taken(now, visibility, &taken);
            self.deliveries.push((is_letter, taken));
        }
    }

    /// One of few ids, so that they are used again in any state.
    fn explicit_id(&mut self) -> MessageId {
        let number = self.below(6);
        id(&format!("{}/{number}", self.seed.number()))
    }

    /// Settles a delivery: one of the latest, or any that ever was.
    async fn settle(&mut self) {
        let count = self.deliveries.len() as u64;
        if count == 0 {
            return;
        }
        let reach = if self.below(3) == 0 { count } else { count.min(6) };
        let index = usize::try_from(count - 1 - self.below(reach)).expect("a small number");
        let (is_letter, delivery) = self.deliveries[index].clone();
        let kind = self.below(if is_letter { 6 } else { 7 });
        let spec = NackSpec {
            delay: Span::from_secs(self.one_of(&[0, 0, 1, 20, 300])),
            charge: self.below(3) > 0,
            last_error: (self.below(2) == 0).then(|| format!("error {}", self.random.next())),
            verdict: (self.below(8) == 0).then(|| Verdict::failed(format!("a.{}", self.random.next()), 2)),
            parts: if self.below(4) == 0 { vec!["a".to_owned(), format!("\"{}", self.below(9))] } else { Vec::new() },
        };
        let timeout = Span::from_secs(self.one_of(&[0, 5, 60, 600]));
        let extension = LeaseExtension { timeout, may_shorten: self.below(2) == 0 };
        let attempts = u32::try_from(self.below(9)).expect("a small number");
        let now = self.fixture.now();
        let handle = &delivery.handle;
        let letter = letter_about(&delivery, "letter");
        let (mailbox, model) = if is_letter { &mut self.letters } else { &mut self.source };
        let is_valid = model.is_valid(handle);
        let expected = if is_valid { Ok(()) } else { stale(handle) };
        match kind {
            0 | 1 => {
                assert_eq!(mailbox.acknowledge(handle).await, expected);
                if is_valid {
                    model.remove(handle.id());
                }
            }
            2 => {
                assert_eq!(mailbox.nack(handle, spec.clone()).await, expected);
                if is_valid {
                    model.nacked(now, handle.id(), &spec);
                }
            }
            3 => {
                assert_eq!(mailbox.release(handle).await, expected);
                if is_valid {
                    model.released(now, handle.id());
                }
            }
            4 => {
                let expected = if is_valid { Ok(model.extended(now, handle.id(), extension)) } else { stale(handle) };
                assert_eq!(mailbox.extend(handle, extension).await, expected);
            }
            5 => {
                let (error, verdict) = (format!("late {attempts}"), Verdict::failed("late", attempts));
                let spec = HandOverSpec { lease: timeout, error, verdict };
                let began = mailbox.begin_hand_over(handle, spec.clone()).await;
                let expected =
                    if is_valid { Ok(model.began_hand_over(now, handle.id(), &spec)) } else { stale(handle) };
                assert_eq!(began, expected);
            }
            _ => self.dead_letter(&delivery, letter, is_valid).await,
        }
    }

    async fn dead_letter(&mut self, delivery: &RawMessage, letter: NewMessage, is_valid: bool) {
        let now = self.fixture.now();
        let (mailbox, model) = &mut self.source;
        let (letters, letter_model) = &mut self.letters;
        let letter_id = MessageId::of_letter(mailbox.name(), delivery.id(), delivery.enqueued_at);
        let answer = mailbox.dead_letter(&delivery.handle, letter.clone(), &**letters).await;
        if !is_valid {
            assert_eq!(answer, stale(&delivery.handle));
        } else if letter_model.is_full() && !letter_model.has_accepted(&letter_id) {
            assert!(matches!(answer, Err(MailboxError::Full { .. })), "{answer:?}");
        } else {
            assert_eq!(answer, Ok(()));
            letter_model.sent(now, letter_id, &letter);
            model.remove(delivery.id());
        }
    }

    async fn purge(&mut self) {
        let is_letter = self.below(2) == 0;
        let (mailbox, model) = if is_letter { &mut self.letters } else { &mut self.source };
        assert_eq!(mailbox.purge().await, Ok(model.purged()));
    }
}
