"""Subscribes to a calendar, as a client on Debian would: `read_feed.py URL`."""

import json
import sys
from urllib.request import urlopen

from read_calendar import read_calendar

with urlopen(sys.argv[1], timeout=10) as response:
    calendar = read_calendar(response.read())
    print(json.dumps({"contentType": response.headers["content-type"], **calendar}))
