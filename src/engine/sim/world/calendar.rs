//! People, rooms and events on days. A room holds one event at a time; people may be booked twice, and the tools say so.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    Realm,
    tool::{
        Arguments, Kind, Outcome, Spec, Table, clock, date, entry, entry_mut, holds, may, minutes, must, next_id, page,
    },
};

const PAGE: usize = 4;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Diary {
    hours: Hours,
    people: Table<Person>,
    rooms: Table<Room>,
    events: Table<Event>,
}

/// Working hours, the same on every day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Hours {
    start: String,
    end: String,
}

impl Default for Hours {
    fn default() -> Self {
        Self { start: "09:00".to_owned(), end: "17:00".to_owned() }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Person {
    name: String,
    #[serde(default)]
    team: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Room {
    name: String,
    seats: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Event {
    title: String,
    date: String,
    start: String,
    end: String,
    attendees: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    room: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl Event {
    /// Whether it takes any of these minutes of the day.
    fn meets(&self, date: &str, start: u32, end: u32) -> bool {
        let (from, to) = (minutes(&self.start).unwrap_or(0), minutes(&self.end).unwrap_or(0));
        self.date == date && from < end && start < to
    }
}

const EVENT_ID: &str = "id of the event, like ev-104";
const DATE: &str = "the day, like 2026-03-09";
const START: &str = "when it starts, like 09:30";
const END: &str = "when it ends, like 10:00";

impl Realm for Diary {
    const TOOLS: &'static [Spec<Self>] = &[
        Spec {
            name: "find_people",
            about: "Finds people by a part of their name or team.",
            arguments: &[must("query", Kind::Text, "part of a name or team")],
            run: |diary, arguments| {
                let query = arguments.text("query");
                let fits = |person: &Person| holds(&person.name, query) || holds(&person.team, query);
                let found = diary.people.iter().filter(|(_, person)| fits(person));
                let row = |(id, person): (&String, &Person)| json!({ "person_id": id, "name": person.name, "team": person.team });
                Ok(json!({ "people": found.map(row).collect::<Vec<_>>() }))
            },
        },
        Spec {
            name: "list_events",
            about: "Lists the events of a day in order of time, 4 per page; those of one person if you name one.",
            arguments: &[
                must("date", Kind::Text, DATE),
                may("person_id", Kind::Text, "only events this person attends"),
                may("page", Kind::Whole, "page to show, from 1; 1 if left out"),
            ],
            run: |diary, arguments| diary.list_events(arguments),
        },
        Spec {
            name: "get_event",
            about: "Shows one event: title, time, attendees, room and note.",
            arguments: &[must("event_id", Kind::Text, EVENT_ID)],
            run: |diary, arguments| {
                let id = arguments.text("event_id");
                let event = entry(&diary.events, "event", id, "list_events")?;
                let mut shown = json!(event);
                if let Some(shown) = shown.as_object_mut() {
                    shown.insert("event_id".to_owned(), id.into());
                }
                Ok(shown)
            },
        },
        Spec {
            name: "find_free_slots",
            about: "Shows when all of these people are free on a day within working hours.",
            arguments: &[
                must("date", Kind::Text, DATE),
                must("person_ids", Kind::Texts, "ids of the people"),
                must("minutes", Kind::Whole, "how long it must be free at least"),
            ],
            run: |diary, arguments| diary.find_free_slots(arguments),
        },
        Spec {
            name: "find_free_rooms",
            about: "Lists the rooms that are free for the whole of a time, with their seats.",
            arguments: &[
                must("date", Kind::Text, DATE),
                must("start", Kind::Text, START),
                must("end", Kind::Text, END),
            ],
            run: |diary, arguments| diary.find_free_rooms(arguments),
        },
        Spec {
            name: "create_event",
            about: "Creates an event. People may be booked twice: the result names the conflicts.",
            arguments: &[
                must("title", Kind::Text, "what it is called"),
                must("date", Kind::Text, DATE),
                must("start", Kind::Text, START),
                must("end", Kind::Text, END),
                must("attendees", Kind::Texts, "ids of the people"),
                may("room_id", Kind::Text, "id of the room"),
            ],
            run: |diary, arguments| diary.create_event(arguments),
        },
        Spec {
            name: "move_event",
            about: "Moves an event to another time, and to another room if you name one.",
            arguments: &[
                must("event_id", Kind::Text, EVENT_ID),
                must("date", Kind::Text, DATE),
                must("start", Kind::Text, START),
                must("end", Kind::Text, END),
                may("room_id", Kind::Text, "id of the room; the same room if left out"),
            ],
            run: |diary, arguments| diary.move_event(arguments),
        },
        Spec {
            name: "cancel_event",
            about: "Cancels an event for everyone. It can't be brought back.",
            arguments: &[must("event_id", Kind::Text, EVENT_ID)],
            run: |diary, arguments| {
                let id = arguments.text("event_id");
                entry(&diary.events, "event", id, "list_events")?;
                diary.events.remove(id);
                Ok(json!({ "event_id": id, "cancelled": true }))
            },
        },
        Spec {
            name: "add_attendee",
            about: "Adds a person to an event.",
            arguments: &[
                must("event_id", Kind::Text, EVENT_ID),
                must("person_id", Kind::Text, "id of the person, like p-3"),
            ],
            run: |diary, arguments| {
                let (id, person) = (arguments.text("event_id"), arguments.text("person_id"));
                entry(&diary.people, "person", person, "find_people")?;
                let event = entry_mut(&mut diary.events, "event", id, "list_events")?;
                if event.attendees.iter().any(|there| there == person) {
                    return Err(format!("{person} attends {id} already"));
                }
                event.attendees.push(person.to_owned());
                Ok(json!({ "event_id": id, "attendees": event.attendees }))
            },
        },
    ];

    fn sound(&self) -> Result<(), (String, String)> {
        span(&self.hours.start, &self.hours.end).map_err(|why| ("hours".to_owned(), why))?;
        for (id, event) in &self.events {
            let at = |why| (format!("events.{id}"), why);
            date(&event.date).map_err(at)?;
            span(&event.start, &event.end).map_err(at)?;
            self.known(event.attendees.iter().map(String::as_str), event.room.as_deref()).map_err(at)?;
        }
        Ok(())
    }
}

/// Start and end in minutes since midnight.
fn span(start: &str, end: &str) -> Result<(u32, u32), String> {
    let (from, to) = (minutes(start)?, minutes(end)?);
    if from >= to {
        return Err(format!("it ends at {end}, which is not after {start}"));
    }
    Ok((from, to))
}

impl Diary {
    fn known<'a>(&self, mut people: impl Iterator<Item = &'a str>, room: Option<&str>) -> Result<(), String> {
        people.try_for_each(|person| entry(&self.people, "person", person, "find_people").map(drop))?;
        room.map_or(Ok(()), |room| entry(&self.rooms, "room", room, "find_free_rooms").map(drop))
    }

    fn list_events(&self, arguments: &Arguments) -> Outcome {
        let (day, person) = (date(arguments.text("date"))?, arguments.maybe("person_id"));
        self.known(person.into_iter(), None)?;
        let attends = |event: &Event| person.is_none_or(|person| event.attendees.iter().any(|there| there == person));
        let mut rows: Vec<(&str, Value)> = self
            .events
            .iter()
            .filter(|(_, event)| event.date == day && attends(event))
            .map(|(id, e)| {
                (e.start.as_str(), json!({ "event_id": id, "title": e.title, "start": e.start, "end": e.end }))
            })
            .collect();
        rows.sort_by_key(|(start, _)| *start);
        page("events", rows.into_iter().map(|(_, row)| row).collect(), arguments.whole("page"), PAGE)
    }

    fn find_free_slots(&self, arguments: &Arguments) -> Outcome {
        let (day, people) = (date(arguments.text("date"))?, arguments.texts("person_ids"));
        self.known(people.iter().copied(), None)?;
        let length = u32::try_from(arguments.whole("minutes")).unwrap_or(u32::MAX);
        let busy =
            |event: &&Event| event.date == day && event.attendees.iter().any(|there| people.contains(&there.as_str()));
        let mut taken: Vec<(u32, u32)> =
            self.events.values().filter(busy).filter_map(|event| span(&event.start, &event.end).ok()).collect();
        taken.sort_unstable();
        let (mut free_from, closes) = span(&self.hours.start, &self.hours.end)?;
        taken.push((closes, closes));
        let mut slots = Vec::new();
        for (from, to) in taken {
            let until = from.min(closes);
            if until.saturating_sub(free_from) >= length {
                slots.push(json!({ "start": clock(free_from), "end": clock(until) }));
            }
            free_from = free_from.max(to);
        }
        Ok(json!({ "date": day, "free": slots }))
    }

    fn find_free_rooms(&self, arguments: &Arguments) -> Outcome {
        let day = date(arguments.text("date"))?;
        let (start, end) = span(arguments.text("start"), arguments.text("end"))?;
        let free = |id: &String| {
            !self.events.values().any(|event| event.room.as_ref() == Some(id) && event.meets(day, start, end))
        };
        let rooms = self.rooms.iter().filter(|(id, _)| free(id));
        let rows: Vec<Value> =
            rooms.map(|(id, room)| json!({ "room_id": id, "name": room.name, "seats": room.seats })).collect();
        Ok(json!({ "rooms": rows }))
    }

    /// Whether an event may stand there; the names of those who are busy then.
    fn place(&self, own: Option<&str>, event: &Event) -> Result<Vec<String>, String> {
        date(&event.date)?;
        let (start, end) = span(&event.start, &event.end)?;
        self.known(event.attendees.iter().map(String::as_str), event.room.as_deref())?;
        let mut conflicts = Vec::new();
        for (id, other) in self.events.iter().filter(|(id, _)| Some(id.as_str()) != own) {
            if !other.meets(&event.date, start, end) {
                continue;
            }
            if other.room.is_some() && other.room == event.room {
                return Err(format!(
                    "the room {} is taken by {id} from {} to {}; find_free_rooms shows free ones",
                    other.room.as_deref().unwrap_or_default(),
                    other.start,
                    other.end
                ));
            }
            let busy = event.attendees.iter().filter(|person| other.attendees.contains(person));
            conflicts.extend(busy.map(|person| format!("{person} is in {id} ({} to {})", other.start, other.end)));
        }
        Ok(conflicts)
    }

    fn create_event(&mut self, arguments: &Arguments) -> Outcome {
        let event = Event {
            title: arguments.text("title").to_owned(),
            date: arguments.text("date").to_owned(),
            start: arguments.text("start").to_owned(),
            end: arguments.text("end").to_owned(),
            attendees: arguments.texts("attendees").into_iter().map(str::to_owned).collect(),
            room: arguments.maybe("room_id").map(str::to_owned),
            note: None,
        };
        let conflicts = self.place(None, &event)?;
        let id = next_id(&self.events, "ev-");
        self.events.insert(id.clone(), event);
        Ok(json!({ "event_id": id, "conflicts": conflicts }))
    }

    fn move_event(&mut self, arguments: &Arguments) -> Outcome {
        let id = arguments.text("event_id");
        let mut event = entry(&self.events, "event", id, "list_events")?.clone();
        event.date = arguments.text("date").to_owned();
        event.start = arguments.text("start").to_owned();
        event.end = arguments.text("end").to_owned();
        event.room = arguments.maybe("room_id").map(str::to_owned).or(event.room);
        let conflicts = self.place(Some(id), &event)?;
        let result = json!({
            "event_id": id,
            "date": event.date,
            "start": event.start,
            "end": event.end,
            "room": event.room,
            "conflicts": conflicts,
        });
        self.events.insert(id.to_owned(), event);
        Ok(result)
    }
}
