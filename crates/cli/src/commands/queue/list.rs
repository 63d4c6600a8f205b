//! `redrive queue list`.

use anyhow::Result;
use redrive_client::proto::querator::{QueueInfo, QueuesListRequest};
use redrive_client::proto::redrive::v1::StatusQueuesRequest;

use super::paused::PausedQueues;
use super::queue_line::{HEADER, QueueLine, row};
use crate::commands::identity::NamespacesOption;
use crate::console::Lines;
use crate::session::Session;

const PAGE: i32 = 1_000;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive queue list --namespace shop --json
  redrive queue list --all-namespaces")]
pub(crate) struct Arguments {
    #[command(flatten)]
    namespaces: NamespacesOption,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let listed = arguments.namespaces.select(session, "queue.list").await?;
    let mut lines = Lines::new(session.format, listed.header(HEADER));
    for namespace in &listed.names {
        let mut pages = Pages { session, namespace, last: String::new(), is_over: false };
        while let Some((page, paused)) = pages.next().await? {
            for queue in &page {
                let paused = paused.get(&queue.queue_name);
                lines.push(|| listed.cells(row(queue, paused)), &QueueLine::new(queue, paused))?;
            }
        }
    }
    lines.finish()?;
    listed.note(session).await
}

struct Pages<'s> {
    session: &'s Session,
    namespace: &'s str,
    /// The last queue of the previous page. The next page begins with it.
    last: String,
    is_over: bool,
}

impl Pages<'_> {
    async fn next(&mut self) -> Result<Option<(Vec<QueueInfo>, PausedQueues)>> {
        if self.is_over {
            return Ok(None);
        }
        let namespace = self.namespace.to_owned();
        let request = QueuesListRequest { pivot: self.last.clone(), limit: PAGE, namespace: namespace.clone() };
        let mut page = self.session.call(self.session.client.list_queues(&request)).await?.items;
        let pivot = self.last.clone();
        let request = StatusQueuesRequest { namespace, pivot, limit: PAGE, ..StatusQueuesRequest::default() };
        let paused = PausedQueues::read(self.session, request).await?;
        self.is_over = page.len() < usize::try_from(PAGE)?;
        page.retain(|queue| queue.queue_name != self.last);
        if let Some(queue) = page.last() {
            self.last.clone_from(&queue.queue_name);
        }
        Ok(Some((page, paused)))
    }
}
