//! A proxy that holds requests until the test lets them pass.

use std::io::{Read, Write, copy};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::test_server::TestServer;

/// Forwards the requests of clients to a server, and holds each call with this path.
pub(super) struct Gate {
    pub(super) url: String,
    held: Receiver<()>,
    release: SyncSender<()>,
}

impl Gate {
    pub(super) fn before(server: &TestServer, path: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (held_tx, held) = sync_channel(100);
        let (release, released) = sync_channel::<()>(100);
        let released = Arc::new(Mutex::new(released));
        let upstream = server.address.clone();
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let (client, server) = (client.unwrap(), TcpStream::connect(&upstream).unwrap());
                let (mut answers, mut to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
                std::thread::spawn(move || {
                    let _ended = copy(&mut answers, &mut to_client);
                    let _closed = to_client.shutdown(Shutdown::Write);
                });
                let (held, released) = (held_tx.clone(), Arc::clone(&released));
                std::thread::spawn(move || forward(client, server, path, &held, &released));
            }
        });
        Self { url, held, release }
    }

    /// Waits for a call. `false` if the client has ended without one.
    pub(super) fn wait(&self) -> bool {
        self.held.recv_timeout(Duration::from_secs(30)).is_ok()
    }

    /// Whether another call waits.
    pub(super) fn is_waiting(&self) -> bool {
        self.held.try_recv().is_ok()
    }

    pub(super) fn release(&self) {
        self.release.send(()).unwrap();
    }
}

fn forward(
    mut client: TcpStream,
    mut server: TcpStream,
    path: &str,
    held: &SyncSender<()>,
    released: &Mutex<Receiver<()>>,
) {
    let mut bytes = [0; 65_536];
    while let Ok(count @ 1..) = client.read(&mut bytes) {
        if String::from_utf8_lossy(&bytes[..count]).contains(path) {
            // Either end is gone if the test is over.
            if held.send(()).is_err() || released.lock().unwrap().recv().is_err() {
                return;
            }
        }
        if server.write_all(&bytes[..count]).is_err() {
            return;
        }
    }
    let _closed = server.shutdown(Shutdown::Write);
}
