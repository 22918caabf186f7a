"""What Python's email package and Debian's icalendar read in a mail, as plain data."""

from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.utils import getaddresses

from read_calendar import read_calendar


def read_mail(content):
    message = message_from_bytes(content, policy=policy.default)
    headers = message_from_bytes(content)
    return {
        "from": read_addresses(headers["from"]),
        "to": read_addresses(headers["to"]),
        "subject": message["subject"],
        "messageId": message["message-id"],
        "text": message.get_body(("plain",)).get_content(),
        "calendars": [
            read_part(part)
            for part in message.walk()
            if part.get_content_type() in ("text/calendar", "application/ics")
        ],
        "defects": [str(defect) for part in message.walk() for defect in read_defects(part)],
    }


def read_addresses(header):
    """By the older functions: the policy of Python 3.11 leaves a space in a name of two encoded words."""
    return [
        {"name": str(make_header(decode_header(name))), "address": address}
        for name, address in getaddresses([header])
    ]


def read_part(part):
    return {
        "contentType": part.get_content_type(),
        "charset": part.get_param("charset"),
        "methodOfPart": part.get_param("method"),
        "filename": part.get_filename(),
        **read_calendar(part.get_payload(decode=True)),
    }


def read_defects(part):
    return [*part.defects, *(defect for header in part.values() for defect in header.defects)]
