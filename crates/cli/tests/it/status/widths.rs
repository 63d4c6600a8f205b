//! The overview at three widths of the terminal, compared with files in `tests/snapshots`. With
//! `REDRIVE_SNAPSHOTS=write` the files are written instead.

use std::path::Path;

use super::busy_server;
use crate::outcome;
use crate::test_server::TestServer;

const WIDTHS: [&str; 3] = ["80", "120", "200"];

fn compare(server: &TestServer, name: &str, arguments: &[&str]) {
    for width in WIDTHS {
        let mut command = server.command(arguments);
        command.env("COLUMNS", width);
        let ran = outcome(command.spawn().unwrap());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        // Port and version differ from run to run and from release to release.
        let address = format!("http://{}, version {}", server.address, env!("CARGO_PKG_VERSION"));
        let printed = ran.stdout.replace(&address, "<server>");
        for line in printed.lines() {
            assert!(line.chars().count() <= width.parse().unwrap(), "{line:?} is wider than {width}");
        }
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/snapshots/{name}-{width}.txt"));
        if std::env::var("REDRIVE_SNAPSHOTS").as_deref() == Ok("write") {
            std::fs::write(&file, &printed).unwrap();
        }
        let expected = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(printed, expected, "\n{} differs; it is\n{printed}", file.display());
    }
}

#[test]
fn the_overview_fits_the_width_of_the_terminal() {
    let server = busy_server();
    compare(&server, "status", &["status"]);
    compare(&TestServer::frozen(), "status-empty", &["status"]);
}
