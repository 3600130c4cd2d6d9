//! A support desk: agents in teams, and tickets with a priority, an assignee and comments.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    Realm,
    tool::{Arguments, Kind, Spec, Table, entry, entry_mut, holds, may, must, page},
};

const PAGE: usize = 4;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Desk {
    agents: Table<Agent>,
    tickets: Table<Ticket>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Agent {
    name: String,
    team: String,
    #[serde(default)]
    away: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ticket {
    subject: String,
    body: String,
    requester: String,
    opened: String,
    status: Status,
    priority: Priority,
    /// Id of the agent; absent while nobody has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    assignee: Option<String>,
    #[serde(default)]
    comments: Vec<Comment>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    resolution: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Open,
    Closed,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Priority {
    Low,
    Normal,
    High,
    Urgent,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Comment {
    author: String,
    text: String,
    /// Whether the requester sees it.
    #[serde(default)]
    public: bool,
}

const TICKET: &str = "id of the ticket, like T-208";

impl Realm for Desk {
    const TOOLS: &'static [Spec<Self>] = &[
        Spec {
            name: "list_tickets",
            about: "Lists tickets with subject, status, priority and assignee, 4 per page.",
            arguments: &[
                may("status", Kind::OneOf(&["open", "closed"]), "only tickets of this status"),
                may("page", Kind::Whole, "page to show, from 1; 1 if left out"),
            ],
            run: |desk, arguments| {
                let status = arguments.maybe("status");
                let fits = |ticket: &Ticket| status.is_none_or(|status| json!(ticket.status) == status);
                let rows = desk.tickets.iter().filter(|(_, ticket)| fits(ticket)).map(row).collect();
                page("tickets", rows, arguments.whole("page"), PAGE)
            },
        },
        Spec {
            name: "search_tickets",
            about: "Finds tickets by a text in subject, body or requester, 4 per page.",
            arguments: &[
                must("text", Kind::Text, "the text to look for, in any case"),
                may("page", Kind::Whole, "page to show, from 1; 1 if left out"),
            ],
            run: |desk, arguments| {
                let wanted = arguments.text("text");
                let fits = |t: &Ticket| [&t.subject, &t.body, &t.requester].iter().any(|text| holds(text, wanted));
                let rows = desk.tickets.iter().filter(|(_, ticket)| fits(ticket)).map(row).collect();
                page("tickets", rows, arguments.whole("page"), PAGE)
            },
        },
        Spec {
            name: "get_ticket",
            about: "Shows a whole ticket with its body and comments.",
            arguments: &[must("ticket_id", Kind::Text, TICKET)],
            run: |desk, arguments| {
                let id = arguments.text("ticket_id");
                let mut shown = json!(entry(&desk.tickets, "ticket", id, "list_tickets")?);
                if let Some(shown) = shown.as_object_mut() {
                    shown.insert("ticket_id".to_owned(), id.into());
                }
                Ok(shown)
            },
        },
        Spec {
            name: "list_agents",
            about: "Lists the agents of the desk with team, number of open tickets and whether they are away.",
            arguments: &[may("team", Kind::Text, "only agents of this team")],
            run: |desk, arguments| Ok(desk.list_agents(arguments)),
        },
        Spec {
            name: "assign_ticket",
            about: "Gives an open ticket to an agent.",
            arguments: &[
                must("ticket_id", Kind::Text, TICKET),
                must("agent_id", Kind::Text, "id of the agent, like a-4"),
            ],
            run: |desk, arguments| {
                let (id, agent) = (arguments.text("ticket_id"), arguments.text("agent_id"));
                entry(&desk.agents, "agent", agent, "list_agents")?;
                let ticket = desk.open(id)?;
                ticket.assignee = Some(agent.to_owned());
                Ok(json!({ "ticket_id": id, "assignee": agent }))
            },
        },
        Spec {
            name: "set_priority",
            about: "Sets the priority of an open ticket.",
            arguments: &[
                must("ticket_id", Kind::Text, TICKET),
                must("priority", Kind::OneOf(&["low", "normal", "high", "urgent"]), "the new priority"),
            ],
            run: |desk, arguments| {
                let (id, priority) = (arguments.text("ticket_id"), arguments.text("priority"));
                let ticket = desk.open(id)?;
                ticket.priority = match priority {
                    "low" => Priority::Low,
                    "high" => Priority::High,
                    "urgent" => Priority::Urgent,
                    _ => Priority::Normal,
                };
                Ok(json!({ "ticket_id": id, "priority": ticket.priority }))
            },
        },
        Spec {
            name: "add_comment",
            about: "Adds a comment to a ticket. The requester reads it only if it is public.",
            arguments: &[
                must("ticket_id", Kind::Text, TICKET),
                must("text", Kind::Text, "what the comment says"),
                must("public", Kind::Flag, "true: the requester reads it; false: agents only"),
            ],
            run: |desk, arguments| {
                let (id, public) = (arguments.text("ticket_id"), arguments.flag("public"));
                let ticket = entry_mut(&mut desk.tickets, "ticket", id, "list_tickets")?;
                let text = arguments.text("text").to_owned();
                ticket.comments.push(Comment { author: "you".to_owned(), text, public });
                Ok(json!({ "ticket_id": id, "comments": ticket.comments.len() }))
            },
        },
        Spec {
            name: "close_ticket",
            about: "Closes an open ticket.",
            arguments: &[
                must("ticket_id", Kind::Text, TICKET),
                must("resolution", Kind::OneOf(&["solved", "duplicate", "rejected"]), "how it ended"),
            ],
            run: |desk, arguments| {
                let (id, resolution) = (arguments.text("ticket_id"), arguments.text("resolution"));
                let ticket = desk.open(id)?;
                ticket.status = Status::Closed;
                ticket.resolution = Some(resolution.to_owned());
                Ok(json!({ "ticket_id": id, "status": ticket.status, "resolution": resolution }))
            },
        },
        Spec {
            name: "reopen_ticket",
            about: "Opens a closed ticket again.",
            arguments: &[must("ticket_id", Kind::Text, TICKET)],
            run: |desk, arguments| {
                let id = arguments.text("ticket_id");
                let ticket = entry_mut(&mut desk.tickets, "ticket", id, "list_tickets")?;
                if ticket.status == Status::Open {
                    return Err(format!("ticket {id} is open already"));
                }
                (ticket.status, ticket.resolution) = (Status::Open, None);
                Ok(json!({ "ticket_id": id, "status": ticket.status }))
            },
        },
    ];

    fn sound(&self) -> Result<(), (String, String)> {
        for (id, ticket) in &self.tickets {
            if let Some(agent) = ticket.assignee.as_ref().filter(|agent| !self.agents.contains_key(*agent)) {
                return Err((format!("tickets.{id}.assignee"), format!("{agent:?} is no agent")));
            }
            if ticket.resolution.is_some() != (ticket.status == Status::Closed) {
                return Err((
                    format!("tickets.{id}.resolution"),
                    "belongs to closed tickets, and only there".to_owned(),
                ));
            }
        }
        Ok(())
    }
}

fn row((id, ticket): (&String, &Ticket)) -> Value {
    json!({
        "ticket_id": id,
        "subject": ticket.subject,
        "status": ticket.status,
        "priority": ticket.priority,
        "assignee": ticket.assignee,
    })
}

impl Desk {
    fn list_agents(&self, arguments: &Arguments) -> Value {
        let team = arguments.maybe("team");
        let fits = |agent: &Agent| team.is_none_or(|team| agent.team.eq_ignore_ascii_case(team));
        let open = |id: &String| {
            let own = |ticket: &&Ticket| ticket.status == Status::Open && ticket.assignee.as_ref() == Some(id);
            self.tickets.values().filter(own).count()
        };
        let rows = self.agents.iter().filter(|(_, agent)| fits(agent)).map(|(id, agent)| {
            json!({
                "agent_id": id, "name": agent.name, "team": agent.team, "away": agent.away, "open_tickets": open(id),
            })
        });
        json!({ "agents": rows.collect::<Vec<_>>() })
    }

    /// A ticket that may still be worked on.
    fn open(&mut self, id: &str) -> Result<&mut Ticket, String> {
        let ticket = entry_mut(&mut self.tickets, "ticket", id, "list_tickets")?;
        if ticket.status == Status::Closed {
            return Err(format!("ticket {id} is closed; reopen_ticket opens it again"));
        }
        Ok(ticket)
    }
}
