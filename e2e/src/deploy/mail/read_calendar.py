"""What Debian's icalendar reads in a calendar, as plain data."""

from datetime import timezone

from icalendar import Calendar


def read_calendar(content):
    calendar = Calendar.from_ical(content)
    name = calendar.get("X-WR-CALNAME")
    lines = content.split(b"\r\n")
    return {
        "method": str(calendar["METHOD"]),
        "name": name and str(name),
        "longestLine": max(len(line) for line in lines),
        "foldedLines": sum(line.startswith(b" ") for line in lines),
        "events": [read_event(event) for event in calendar.walk("VEVENT")],
    }


def read_event(event):
    organizer = event.get("ORGANIZER")
    attendees = event.get("ATTENDEE", [])
    return {
        "uid": str(event["UID"]),
        "sequence": int(event["SEQUENCE"]),
        "status": str(event["STATUS"]),
        "summary": str(event["SUMMARY"]),
        "description": str(event.get("DESCRIPTION", "")),
        "location": str(event["LOCATION"]),
        "start": read_time(event["DTSTART"]),
        "end": read_time(event["DTEND"]),
        "organizer": organizer and read_person(organizer),
        "attendees": [
            read_person(attendee) for attendee in (attendees if isinstance(attendees, list) else [attendees])
        ],
        # The library leaves out the properties that it cannot read.
        "errors": [str(error) for error in event.errors],
    }


def read_time(value):
    """A time without a zone stays one, so that it equals no instant."""
    time = value.dt
    return (time.astimezone(timezone.utc) if time.tzinfo else time).isoformat()


def read_person(person):
    return {"name": person.params["CN"], "address": str(person).lower().removeprefix("mailto:")}
