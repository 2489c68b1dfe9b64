"""Proxies of the environment: loopback goes past them, those that cannot be used stop nobody and let nobody past."""

from __future__ import annotations

import httpx
import pytest

from assistant.core.errors import BadInput, EndpointBusy, EndpointRefused
from assistant.core.proxies import UNUSABLE, is_loopback, mend_proxies
from assistant.models.chat.client import ChatClient, ChatOptions
from assistant.settings import read_settings
from tests import scripted_chat

ASKED = [{"role": "user", "content": "[1] The lake is 5 m deep.\nQuestion: how deep is the lake?"}]
DEAD = "http://127.0.0.1:9"


@pytest.fixture
def environ(monkeypatch):
    """Sets variables of a process that has no other proxies."""
    names = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
    for name in (*names, *map(str.upper, names)):
        monkeypatch.setenv(name, "")  # so that what is mended is put back, too
        monkeypatch.delenv(name)

    def put(**variables):
        for name, value in variables.items():
            monkeypatch.setenv(name, value)

    return put


def test_without_proxies_nothing_is_changed():
    environ = {"PATH": "/bin", "HTTP_PROXY": ""}
    mend_proxies(environ, "10.0.0.2")
    assert environ == {"PATH": "/bin", "HTTP_PROXY": ""}


def test_what_is_mended_and_what_is_left():
    environ = {"HTTP_PROXY": "proxy.lan:3128", "all_proxy": "socks4://p:1", "NO_PROXY": "a.lan, [::1], fe80::/10"}
    mend_proxies(environ, "10.0.0.2")
    assert (environ["HTTP_PROXY"], environ["all_proxy"]) == ("proxy.lan:3128", UNUSABLE)
    assert environ["NO_PROXY"] == environ["no_proxy"] == "a.lan,::1,localhost,127.0.0.1,10.0.0.2"
    once = dict(environ)
    mend_proxies(environ, "10.0.0.2")
    assert environ == once
    everything = {"HTTPS_PROXY": DEAD, "no_proxy": "*"}
    mend_proxies(everything)
    assert everything["NO_PROXY"] == "*"


def test_addresses_of_this_machine():
    for host in ("localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "127.9.9.9", "::1", "0.0.0.0"):
        assert is_loopback(host), host
    for host in ("10.0.0.1", "localhost.example", "example.org", ""):
        assert not is_loopback(host), host


@pytest.mark.slow
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
@pytest.mark.parametrize(
    "variables",
    [{"HTTP_PROXY": DEAD, "http_proxy": DEAD}, {"ALL_PROXY": "socks5://127.0.0.1:9"}, {"HTTP_PROXY": "gopher://x"}],
)
def test_loopback_is_asked_directly(environ, variables, host):
    environ(**variables)
    settings = read_settings(profile="embedded")
    assert settings
    with scripted_chat.start() as server:
        url = server.base_url.replace("127.0.0.1", host)
        assert httpx.get(f"{url}/models").status_code == 200  # as gradio asks its own page
        reply = ChatClient(ChatOptions(url, None, "echo", max_tries=1)).complete(ASKED)
    assert reply.text == "The lake is 5 m deep [1]."


def test_all_of_loopback_is_asked_directly_by_the_client_itself(environ):
    environ(http_proxy=DEAD)
    with scripted_chat.start() as server:
        assert ChatClient(ChatOptions(server.base_url, None, "echo", max_tries=1)).complete(ASKED).text


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:9", "gopher://x"])
def test_elsewhere_a_proxy_that_cannot_be_used_is_one_sentence(environ, proxy):
    environ(ALL_PROXY=proxy)
    elsewhere = ChatOptions("http://198.51.100.7/v1", None, "m", max_tries=1)
    with pytest.raises(BadInput, match="cannot be used"):
        ChatClient(elsewhere)  # a process that did not read the settings
    read_settings(profile="embedded")
    with pytest.raises(EndpointRefused, match="behind a proxy") as problem:
        ChatClient(elsewhere).complete(ASKED)
    assert "\n" not in str(problem.value)


def test_elsewhere_a_proxy_that_is_down_is_named(environ):
    environ(HTTP_PROXY=DEAD)
    with pytest.raises(EndpointBusy, match="through the proxy that the environment names"):
        ChatClient(ChatOptions("http://198.51.100.7/v1", None, "m", max_tries=1)).complete(ASKED)
