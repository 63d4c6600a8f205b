//! Apache Kafka in KRaft mode: one process that is broker and controller, with empty data at every start.
//!
//! | variable | value |
//! |---|---|
//! | `REDRIVE_TEST_KAFKA` | host and port of the listener PLAINTEXT: no login, all rights |
//! | `REDRIVE_TEST_KAFKA_SASL_SSL` | host and port of the listener `SASL_SSL`: logins by SCRAM-SHA-512 or PLAIN |
//! | `REDRIVE_TEST_KAFKA_CA` | the PEM file of the CA that signed the certificate of `SASL_SSL` |
//! | `REDRIVE_TEST_KAFKA_HOME` | the folder of the distribution |
//!
//! User `redrive` with password `redrive-secret` has all rights. User `reader` with password `reader-secret` has none,
//! and gets only what a test grants by an ACL. Both can log in by both mechanisms.
//!
//! A test that kills or suspends the broker starts a separate one from the distribution, whose `lib/*` is the class path:
//!
//! ```text
//! java -cp "$REDRIVE_TEST_KAFKA_HOME/lib/*" kafka.tools.StorageTool format -t cmVkcml2ZS10ZXN0LWthZg -c server.properties
//! java -Xmx256m -cp "$REDRIVE_TEST_KAFKA_HOME/lib/*" kafka.Kafka server.properties
//! ```
//!
//! The first command initialises the data; after a kill, only the second one runs again. Root needs no other user. The
//! settings need separate ports and a separate folder. With the default session timeout, the controller rejects a
//! killed broker for nine seconds after its restart. `crates/kafka/tests/it/fixture/own_broker.rs` has the settings.
//!
//! For a separate broker with TLS, `tls/server.p12` in the distribution (password `redrive-secret`) is a key store with
//! a certificate for 127.0.0.1 and localhost.

use std::fs;
use std::io::Read;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::install::Package;
use super::service::{StartContext, Variable, ask, free_port, write};
use super::user::User;
use super::{Service, install, java};

pub(super) const SERVICE: Service = Service {
    name: "kafka",
    program: "java",
    package: java::RUNTIME,
    needs: &[],
    variables: &[
        Variable { suffix: "SASL_SSL", value: sasl_ssl_address },
        Variable { suffix: "CA", value: |directory| Ok(home(directory).join(CA).display().to_string()) },
        Variable { suffix: "HOME", value: |directory| Ok(home(directory).display().to_string()) },
    ],
    start,
    answers,
};

/// The distribution creates no user, and Kafka needs no rights of root.
const USER: User = User("nobody");

/// Changes with the version and with everything else that [`create_home`] writes.
const FOLDER: &str = "kafka-4.1.0";

/// `kafka-tools` contains the commands for topics, ACLs and groups. Without an implementation of slf4j, the broker would
/// log nothing.
const PROJECT: &str = "\
<project xmlns=\"http://maven.apache.org/POM/4.0.0\">
  <modelVersion>4.0.0</modelVersion>
  <groupId>redrive</groupId>
  <artifactId>kafka</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>4.1.0</version></dependency>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka-tools</artifactId><version>4.1.0</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
";

/// The key store of the broker and the certificate of its CA, in the distribution.
const KEY_STORE: &str = "tls/server.p12";
const CA: &str = "tls/ca.pem";
const KEY_STORE_PASSWORD: &str = "redrive-secret";

/// Each user with its password.
const USERS: [(&str, &str); 2] = [("redrive", "redrive-secret"), ("reader", "reader-secret")];

/// 16 bytes in URL-safe base64, as Kafka requires.
const CLUSTER_ID: &str = "cmVkcml2ZS10ZXN0LWthZg";

/// The file with the address of the second listener, beside the one with the address of the service.
const SASL_SSL_ADDRESS: &str = "sasl_ssl_address";

/// What the examples of routes import, which are tests of this service.
const MODULES: [(&str, Package); 2] = [
    ("confluent_kafka", Package { name: "python3-confluent-kafka", units: &[] }),
    // It depends on protobuf.
    ("grpc, google.protobuf", Package { name: "python3-grpcio", units: &[] }),
];

fn start(context: &StartContext<'_>) -> Result<Command> {
    for (module, package) in &MODULES {
        // All other tests need no Python module.
        if let Err(error) = install::ensure_module(module, package) {
            eprintln!("the examples of routes cannot be tested: {error:#}");
        }
    }
    let directory = context.directory;
    let home = java::distribution(directory, FOLDER, create_home)?;
    USER.own(directory)?;
    for folder in ["data", "tmp"] {
        USER.create(&directory.join(folder))?;
    }
    let sasl_ssl = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()?));
    write(&directory.join(SASL_SSL_ADDRESS), &sasl_ssl.to_string())?;
    write(&directory.join("server.properties"), &settings(context, &home, sasl_ssl)?)?;
    format_data(directory, &home)?;

    let mut command = java(directory, &home);
    command.args(["kafka.Kafka", "server.properties"]);
    Ok(command)
}

/// Java with the class path of Kafka, as the user of the service.
fn java(directory: &Path, home: &Path) -> Command {
    let mut command = USER.command("java");
    command
        .current_dir(directory)
        .arg("-Xmx512m")
        // Java would otherwise write to the temporary folder of the system: unpacked libraries, and a file of counters.
        .arg(format!("-Djava.io.tmpdir={}", directory.join("tmp").display()))
        .arg("-XX:-UsePerfData")
        .args(["-Dorg.slf4j.simpleLogger.showDateTime=true", "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS"])
        .arg("-cp")
        .arg(home.join("lib/*"));
    command
}

/// Without a login, a client of PLAINTEXT is `User:ANONYMOUS`, and so is the controller.
fn settings(context: &StartContext<'_>, home: &Path, sasl_ssl: SocketAddr) -> Result<String> {
    let StartContext { directory, port, .. } = context;
    let controller = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()?));
    let (data, key_store) = (directory.join("data"), home.join(KEY_STORE));
    let (data, key_store) = (data.display(), key_store.display());
    let logins: String = USERS.iter().map(|(user, password)| format!(" user_{user}=\"{password}\"")).collect();
    Ok(format!(
        "process.roles=broker,controller
node.id=1
controller.quorum.voters=1@{controller}
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://{controller},SASL_SSL://{sasl_ssl}
log.dirs={data}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL
sasl.enabled.mechanisms=SCRAM-SHA-512,PLAIN
listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config=\
org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.sasl_ssl.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required{logins};
ssl.keystore.type=PKCS12
ssl.keystore.location={key_store}
ssl.keystore.password={KEY_STORE_PASSWORD}
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS;User:redrive
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
# The default buffer takes a quarter of the heap. The short pause makes compaction observable for tests.
log.cleaner.dedupe.buffer.size=8388608
log.cleaner.backoff.ms=100
"
    ))
}

/// Initialises the data, with the SCRAM logins of the users. PLAIN reads its logins from the settings.
fn format_data(directory: &Path, home: &Path) -> Result<()> {
    let mut command = java(directory, home);
    command.args(["kafka.tools.StorageTool", "format", "-t", CLUSTER_ID, "-c", "server.properties"]);
    for (user, password) in USERS {
        command.args(["--add-scram", &format!("SCRAM-SHA-512=[name={user},password={password}]")]);
    }
    check(&mut command).context("could not format the data of Kafka; it requires Java 17 or later")
}

/// Downloads the jars and creates the certificates.
fn create_home(folder: &Path) -> Result<PathBuf> {
    eprintln!("downloading Apache Kafka");
    write(&folder.join("pom.xml"), PROJECT)?;
    let output = format!("-DoutputDirectory={}", folder.join("lib").display());
    java::maven(folder, &["dependency:copy-dependencies".into(), "-DincludeScope=runtime".into(), output])?;

    let tls = folder.join("tls");
    fs::create_dir(&tls).with_context(|| format!("could not create {}", tls.display()))?;
    let create = ["-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "3650", "-alias"];
    keytool(folder, &[&create[..], &["ca", "-dname", "CN=redrive-test-ca", "-ext", "bc:c"]].concat())?;
    let names = "san=ip:127.0.0.1,dns:localhost";
    keytool(folder, &[&create[..], &["server", "-signer", "ca", "-dname", "CN=localhost", "-ext", names]].concat())?;
    keytool(folder, &["-exportcert", "-alias", "ca", "-rfc", "-file", CA])?;
    // With two keys in the store, the broker might present the certificate of the CA.
    keytool(folder, &["-delete", "-alias", "ca"])?;
    Ok(folder.to_owned())
}

/// Runs an action of keytool on the key store of the distribution in this folder.
fn keytool(folder: &Path, action: &[&str]) -> Result<()> {
    let mut command = Command::new("keytool");
    command.args(action).args(["-storetype", "PKCS12", "-keystore", KEY_STORE, "-storepass", KEY_STORE_PASSWORD]);
    check(command.current_dir(folder)).context("could not create the certificates of Kafka")
}

/// Runs a command to its end; the error contains its output.
fn check(command: &mut Command) -> Result<()> {
    let output = command.env("PATH", install::search_path()?).output();
    let output = output.with_context(|| format!("could not run {}", command.get_program().to_string_lossy()))?;
    if !output.status.success() {
        bail!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

fn home(directory: &Path) -> PathBuf {
    directory.with_file_name(FOLDER)
}

fn sasl_ssl_address(directory: &Path) -> Result<String> {
    let path = directory.join(SASL_SSL_ADDRESS);
    fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))
}

/// A request for the metadata of no topic: size, API key 3, version 4, correlation id, no client id, no topics, no
/// creation of topics.
const METADATA_REQUEST: [u8; 19] = [0, 0, 0, 15, 0, 3, 0, 4, 0, 0, 0, 7, 0xff, 0xff, 0, 0, 0, 0, 0];

/// Whether the broker lists itself in its metadata. It listens earlier, but cannot create topics until then.
fn answers(address: SocketAddr) -> bool {
    // Size, correlation id, throttle time, number of brokers.
    let mut answer = [0; 16];
    let has_answered = ask(address, &METADATA_REQUEST).and_then(|mut stream| stream.read_exact(&mut answer)).is_ok();
    has_answered && answer[4..8] == METADATA_REQUEST[8..12] && answer[12..] == [0, 0, 0, 1]
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// Whether the service counts as started if the broker lists this number of brokers.
    fn answers_with(brokers: u8) -> bool {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("an address");
        let broker = thread::spawn(move || -> std::io::Result<()> {
            let (mut stream, _) = listener.accept()?;
            stream.read_exact(&mut [0; METADATA_REQUEST.len()])?;
            stream.write_all(&[0, 0, 0, 12, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, brokers])
        });
        let answers = answers(address);
        broker.join().expect("the thread ends").expect("the request is read");
        answers
    }

    /// Otherwise the first test could fail to create a topic.
    #[test]
    fn a_broker_that_is_not_registered_yet_is_not_ready() {
        assert!(!answers_with(0));
        assert!(answers_with(1));
    }
}

#[cfg(test)]
mod with_kafka {
    use redrive_testkit::folder;

    use super::*;

    fn variable(name: &str) -> String {
        std::env::var(name).expect("cargo xtask test sets the variable")
    }

    /// Covers the download, the user, the start and the address.
    #[test]
    fn the_service_in_the_metadata_of_a_package_answers() {
        assert!(answers(variable("REDRIVE_TEST_KAFKA").parse().expect("an address")));
    }

    /// Runs `kafka-topics --create` over SASL_SSL.
    fn create_topic(mechanism: &str, (user, password): (&str, &str)) -> Result<()> {
        let home = PathBuf::from(variable("REDRIVE_TEST_KAFKA_HOME"));
        let topic = format!("xtask-{}-{user}-{mechanism}", std::process::id());
        let module = if mechanism == "PLAIN" { "plain.PlainLoginModule" } else { "scram.ScramLoginModule" };
        let folder = folder("kafka");
        let settings = folder.path().join("client.properties");
        let text = format!(
            "security.protocol=SASL_SSL\nsasl.mechanism={mechanism}\nsasl.jaas.config=\
             org.apache.kafka.common.security.{module} required username=\"{user}\" password=\"{password}\";\n\
             ssl.truststore.type=PEM\nssl.truststore.location={}\n",
            variable("REDRIVE_TEST_KAFKA_CA")
        );
        write(&settings, &text)?;
        let mut command = Command::new("java");
        command.arg("-cp").arg(home.join("lib/*")).args(["org.apache.kafka.tools.TopicCommand", "--create"]);
        command.args(["--topic", &topic, "--bootstrap-server", &variable("REDRIVE_TEST_KAFKA_SASL_SSL")]);
        check(command.arg("--command-config").arg(&settings))
    }

    /// Covers the certificate, the logins by both mechanisms and the authorizer.
    #[test]
    fn over_sasl_ssl_only_the_user_redrive_has_rights() {
        let [redrive, reader] = USERS;
        create_topic("SCRAM-SHA-512", redrive).expect("redrive may create topics");
        let denied = create_topic("PLAIN", reader).expect_err("reader may not create topics").to_string();
        assert!(denied.contains("TopicAuthorizationException"), "{denied}");
    }
}
