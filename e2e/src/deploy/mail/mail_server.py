"""
A mail server that lets in whoever starts TLS and knows the password: `mail_server.py CERTIFICATE KEY USER PASSWORD`.
Prints a line of JSON with its port, and one for each mail that it takes.
"""

import asyncio
import json
import logging
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

from read_mail import read_mail

certificate, key, user, password = sys.argv[1:]
expected = LoginPassword(user.encode(), password.encode())
# The library warns of what it does itself.
logging.getLogger("mail.log").setLevel(logging.ERROR)
tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
tls.load_cert_chain(certificate, key)


def authenticate(server, session, envelope, mechanism, login):
    return AuthResult(success=login == expected, handled=False)


class Mailbox:
    async def handle_DATA(self, server, session, envelope):
        taken = {
            "sender": envelope.mail_from,
            "recipients": envelope.rcpt_tos,
            **read_mail(envelope.original_content),
        }
        print(json.dumps(taken), flush=True)
        return "250 OK"


def connect():
    return SMTP(
        Mailbox(),
        hostname="localhost",
        tls_context=tls,
        require_starttls=True,
        auth_required=True,
        authenticator=authenticate,
    )


async def serve():
    server = await asyncio.get_running_loop().create_server(connect, "127.0.0.1", 0)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    await server.serve_forever()


asyncio.run(serve())
