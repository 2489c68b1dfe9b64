"""Replies that are not wanted any more: the server is told at once, by the end of the connection."""

from __future__ import annotations

import socket
import threading

import pytest

from assistant.core.errors import Cancelled, EndpointBusy
from assistant.models.chat.client import ChatClient, ChatOptions
from assistant.models.protocol import Prompt

ASKED = [{"role": "user", "content": "How deep is the lake?"}]


class Listening:
    """A server that takes one request, says no more than `first`, and notes when its caller is gone."""

    def __init__(self, first: bytes):
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"
        self.asked, self.left = threading.Event(), threading.Event()
        threading.Thread(target=self._serve, args=(first,), daemon=True).start()

    def _serve(self, first: bytes) -> None:
        connection, _ = self._socket.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(first)
            self.asked.set()
            while connection.recv(65536):
                pass
            self.left.set()


SILENT = b""
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(("first", "in_pieces"), [(SILENT, False), (SILENT, True), (HEAD, True)])
def test_a_cancelled_call_leaves_no_request_at_the_server(first: bytes, in_pieces: bool):
    server, stop = Listening(first), threading.Event()
    client = ChatClient(ChatOptions(server.url, None, "echo", timeout_s=30.0, max_tries=1))
    threading.Thread(target=lambda: (server.asked.wait(10), stop.set()), daemon=True).start()
    with pytest.raises(Cancelled):
        list(client.ask(Prompt(ASKED), cancelled=stop, in_pieces=in_pieces))
    assert server.left.wait(3.0)


def test_a_call_that_is_out_of_time_leaves_none_either():
    server = Listening(HEAD)
    client = ChatClient(ChatOptions(server.url, None, "echo", timeout_s=0.5, max_tries=1))
    with pytest.raises(EndpointBusy):
        list(client.ask(Prompt(ASKED)))
    assert server.left.wait(3.0)
