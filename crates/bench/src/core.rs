//! Classification and policy decisions, on one core.

use std::hint::black_box;

use redrive_core::{Attempts, Classifier, Evidence, Failure, Policy, Time};

use crate::allocations;
use crate::figure::{Figure, Target};
use crate::measure::side_by_side;

/// Errors as systems print them: some are classified by their first word, most by a word in the middle, some by none.
const MESSAGES: &[&str] = &[
    "requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='api.example', port=443): Read timed out. (read timeout=30)",
    "HTTP 429 Too Many Requests for tenant 4711 while placing the order",
    "could not place order 98123 for customer acme: upstream answered 503 Service Unavailable after three tries",
    "deadlock detected: Process 4711 waits for ShareLock on transaction 99; blocked by process 12",
    "KeyError: 'customer_id' was not found in the document that the parser returned for page 17",
    "failed to write segment 00000000000000000042: No space left on device",
    "ValidationError: 2 fields of the invoice are required and were empty: currency and due date",
    "com.example.billing.InvoiceNotFoundException: invoice 2026-0042 was archived by the nightly job",
    "permission denied for table orders, the role reader may only select from the reporting views",
    "the worker stopped with exit status 137 while it was rendering the third chapter of the report",
    "socket.gaierror: [Errno -2] Name or service not known, resolving broker-3.internal for topic payments",
    "RATE_LIMIT_EXCEEDED: see https://docs.example/limits?status=429 for how quotas are counted by the minute",
];
const TEXT_BYTES: usize = 200;
const FILLER: &str = " while handling item 2PqKxYz7 of batch 17 in partition 3, which was produced by the importer on behalf of the nightly run and carries nothing else of note";

/// The messages, all padded or cut to the same length.
fn failures() -> Vec<Failure> {
    let of_length = |message: &&str| {
        let text: String = message.chars().chain(FILLER.chars().cycle()).take(TEXT_BYTES).collect();
        Failure::new(text)
    };
    MESSAGES.iter().map(of_length).collect()
}

const WORD_SPLIT: &str = "word split";

/// The reference of classification: the minimum work of any classifier that looks at the words of a text.
fn split_into_words(text: &str) -> usize {
    text.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count()
}

pub(crate) fn figures() -> anyhow::Result<Vec<Figure>> {
    let failures = failures();
    let batch = u32::try_from(failures.len())?;
    let classifier = Classifier::built_in();
    let split_all = || failures.iter().map(|failure| split_into_words(&failure.error.message)).sum::<usize>();
    let classify_all =
        || failures.iter().map(|failure| classifier.classify(black_box(failure), 1).category as usize).sum::<usize>();

    let policy = Policy::builder().max_attempts(3).build()?;
    let typed: Vec<Failure> = [503, 504, 507, 404, 429].map(|status| Failure::typed(Evidence::http(status))).into();
    let decide_all = |failures: &[Failure]| {
        for (failure, attempts) in failures.iter().zip((1..=3).cycle()) {
            black_box(policy.decide(black_box(failure), Attempts::charged(attempts, Time::EPOCH), Time::EPOCH, 7));
        }
    };

    let classified = side_by_side(classify_all, split_all, batch);
    let decided_text = side_by_side(|| decide_all(&failures), split_all, batch);
    let decided = {
        let copies: Vec<Failure> = typed.iter().cycle().take(failures.len()).cloned().collect();
        side_by_side(|| decide_all(&copies), split_all, batch)
    };
    let allocations = allocations::during(|| {
        black_box(classify_all());
    });
    let by_split = allocations::during(|| {
        black_box(split_all());
    });
    let allocations = (allocations as f64 / f64::from(batch), by_split as f64 / f64::from(batch));
    Ok(vec![
        Figure::of("classify/200 B", "texts/s", classified).beside(WORD_SPLIT, Target::RatioAtLeast(0.3)),
        Figure::of("classify/allocations", "per text", allocations).beside(WORD_SPLIT, Target::AtMost(0.0)),
        Figure::of("decide/typed evidence", "decisions/s", decided)
            .beside(WORD_SPLIT, Target::AtLeast(5e6))
            .for_orientation(),
        Figure::of("decide/200 B of text", "decisions/s", decided_text).beside(WORD_SPLIT, Target::RatioAtLeast(0.3)),
    ])
}
