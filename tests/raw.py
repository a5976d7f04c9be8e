"""Requests to a served app as nobody's browser sends them: with these headers and no others, or byte by byte."""

from __future__ import annotations

import http.client
import socket
from urllib.parse import urlsplit

from tests.browser.stage import Server


def ask(server: Server, path: str = "/", method: str = "GET", **headers: str) -> tuple[int, http.client.HTTPMessage, bytes]:
    """Send a request with exactly these headers; an underscore in a name stands for a hyphen."""
    link = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=20)
    link.putrequest(method, path, skip_host="Host" in headers, skip_accept_encoding=True)
    for name, value in headers.items():
        link.putheader(name.replace("_", "-"), value)
    link.endheaders()
    answer = link.getresponse()
    body = answer.read()
    link.close()
    return answer.status, answer.headers, body


def say(server: Server, data: bytes, wait: float = 2) -> bytes:
    """Write bytes to the port and read until the server has nothing more to say."""
    address = urlsplit(server.url)
    with socket.create_connection((address.hostname, address.port), timeout=wait) as link:
        answer = b""
        try:
            link.sendall(data)
            while part := link.recv(65536):
                answer += part
        except (TimeoutError, ConnectionError):
            pass
        return answer
