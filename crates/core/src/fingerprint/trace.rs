//! Stack traces, parsed to find the user's code in them.

use std::collections::VecDeque;
use std::sync::LazyLock;

use regex::Regex;

use super::normalise::normalise_name;

/// A stack trace, innermost call first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    pub frames: Vec<Frame>,
}

/// One call of a stack trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frame {
    pub function: String,
    pub file: String,
    /// Whether the frame is in the user's code; `None` to infer it from the names.
    pub in_user_code: Option<bool>,
}

impl Trace {
    pub const FRAMES_MAX: usize = 256;
    /// Maximum length of a trace that is parsed; the rest is ignored.
    pub const TEXT_BYTES_MAX: usize = 1 << 20;

    /// Parses a trace in the format of Python, the JVM, .NET, Node.js, Go or Rust. Other lines are skipped.
    ///
    /// ```
    /// use redrive_core::Trace;
    ///
    /// let trace = Trace::parse(concat!(
    ///     "Traceback (most recent call last):\n",
    ///     "  File \"/srv/app/orders.py\", line 12, in place\n",
    ///     "  File \"/usr/lib/python3.11/site-packages/requests/api.py\", line 9, in get\n",
    /// ));
    /// assert_eq!(trace.first_user_frame().unwrap().function, "place");
    /// ```
    pub fn parse(text: &str) -> Self {
        let text = &text[..text.floor_char_boundary(Self::TEXT_BYTES_MAX)];
        let mut frames = VecDeque::new();
        let mut pending: Option<&str> = None;
        let mut is_outermost_first = false;
        for line in text.lines() {
            let line = line.trim();
            is_outermost_first |= line.starts_with("Traceback (most recent call last)");
            let Some(frame) = Formats::get().and_then(|formats| formats.frame(line, &mut pending)) else { continue };
            if is_outermost_first {
                frames.push_front(frame);
                frames.truncate(Self::FRAMES_MAX);
            } else if frames.len() < Self::FRAMES_MAX {
                frames.push_back(frame);
            } else {
                break;
            }
        }
        Self { frames: frames.into() }
    }

    /// The innermost frame of the user's code.
    pub fn first_user_frame(&self) -> Option<&Frame> {
        self.frames.iter().find(|frame| frame.is_user_code())
    }
}

/// Parts of file paths that belong to a language, a runtime or an installed package. [`FOREIGN_FUNCTIONS`] are the
/// corresponding prefixes of functions.
const FOREIGN_FILES: &[&str] = &[
    "/site-packages/",
    "/dist-packages/",
    "/lib/python",
    "<frozen ",
    "node_modules/",
    "node:",
    "/rustc/",
    "/.cargo/registry/",
    "/usr/local/go/src/",
    "/go/pkg/mod/",
    "/usr/lib/go",
];
const FOREIGN_FUNCTIONS: &[&str] = &[
    // The JVM and its common frameworks
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "com.sun.",
    "kotlin.",
    "kotlinx.",
    "scala.",
    "org.springframework.",
    "org.apache.",
    "org.hibernate.",
    "io.netty.",
    "io.grpc.",
    "reactor.",
    "akka.",
    // .NET
    "System.",
    "Microsoft.",
    // Rust and Go
    "std::",
    "core::",
    "alloc::",
    "tokio::",
    "<core::",
    "<alloc::",
    "<std::",
    "rust_begin_unwind",
    "__rust",
    "_start",
    "runtime.",
];

impl Frame {
    fn is_user_code(&self) -> bool {
        self.in_user_code.unwrap_or_else(|| {
            let file = self.file.replace('\\', "/");
            !FOREIGN_FILES.iter().any(|part| file.contains(part))
                && !FOREIGN_FUNCTIONS.iter().any(|prefix| self.function.starts_with(prefix))
        })
    }

    /// Function and file name without anything that changes between builds: line, directory, compiler hash.
    pub(super) fn stable_name(&self) -> String {
        let file = self.file.rsplit(['/', '\\']).next().unwrap_or_default();
        let function = self.function.as_str();
        let function = match function.rsplit_once("::h") {
            Some((path, hash)) if hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => path,
            _ => function,
        };
        format!("{}@{}", normalise_name(function), normalise_name(file))
    }
}

/// The patterns of lines that are frames.
struct Formats {
    python: Regex,
    jvm: Regex,
    dotnet: Regex,
    node: Regex,
    rust_function: Regex,
    go_function: Regex,
    place: Regex,
}

impl Formats {
    /// Never `None`: the patterns are constant, and a test parses a trace of each language.
    fn get() -> Option<&'static Self> {
        static FORMATS: LazyLock<Option<Formats>> = LazyLock::new(|| Formats::compile().ok());
        FORMATS.as_ref()
    }

    fn compile() -> Result<Self, regex::Error> {
        Ok(Self {
            python: Regex::new(r#"^File "([^"]+)", line \d+, in (.+)$"#)?,
            jvm: Regex::new(r"^at ([\w.$<>/]+)\(([\w.$]+\.(?:java|kt|scala|groovy))(?::\d+)?\)")?,
            dotnet: Regex::new(r"^at ([\w.`<>+\[\]]+)\(.*\) in (.+):line \d+$")?,
            node: Regex::new(r"^at (?:(?:async )?(.+?) \()?(?:file://)?([^()\s]+?):\d+:\d+\)?$")?,
            rust_function: Regex::new(r"^\d+: +(?:0x[0-9a-f]+ - )?(\S.*)$")?,
            go_function: Regex::new(
                r"^([\w./*()-]+\.[\w.*()-]+)\((?:0x|\{|\.\.\.|\)).*$|^([\w./-]+\.[\w.()*-]+)\(\)$",
            )?,
            place: Regex::new(r"^(?:at )?(\S+\.(?:go|rs)):\d+")?,
        })
    }

    /// The frame that this line completes. Go and Rust print the function on one line and its file on the next, so
    /// `pending` holds the function until then.
    fn frame<'t>(&self, line: &'t str, pending: &mut Option<&'t str>) -> Option<Frame> {
        let frame =
            |function: &str, file: &str| Frame { function: function.into(), file: file.into(), in_user_code: None };
        if let Some(found) = self.python.captures(line) {
            return Some(frame(&found[2], &found[1]));
        }
        if let Some(found) = self.jvm.captures(line).or_else(|| self.dotnet.captures(line)) {
            return Some(frame(&found[1], &found[2]));
        }
        if let Some(found) = self.place.captures(line) {
            return pending.take().map(|function| frame(function, &found[1]));
        }
        if let Some(found) = self.node.captures(line) {
            return Some(frame(found.get(1).map_or("", |name| name.as_str()), &found[2]));
        }
        let function = self.rust_function.captures(line).or_else(|| self.go_function.captures(line))?;
        *pending = function.iter().skip(1).flatten().next().map(|name| name.as_str());
        None
    }
}
