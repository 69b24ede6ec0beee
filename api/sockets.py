"""The connections of streams: bounded, and looked after, since who only writes is the last to learn of a closed one."""

import select
import socket
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Final

from gevent.monkey import get_original

from eventstore.following import Follower

SEND_BUFFER: Final = 64 * 1024
"""What the kernel keeps for a stream whose client does not read: little, so that a slow one is known as such."""

STALLED_S: Final = 30.0
"""How long a client may take nothing of what it is sent, or not acknowledge it, before it is hung up on."""

# gevent's own `poll` starts a watcher for each socket; this one is asked once for all, and never waits.
_poll = get_original("select", "poll")
_CLOSED: Final = getattr(select, "POLLRDHUP", 0) | select.POLLHUP | select.POLLERR


def bounded(peer: object) -> socket.socket | None:
    """Bound what the kernel keeps for a stream's connection; None if the server does not say which it is."""
    if not isinstance(peer, socket.socket):
        return None
    with suppress(OSError):
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        if hasattr(socket, "TCP_USER_TIMEOUT") and peer.family != socket.AF_UNIX:
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(STALLED_S * 1000))
    return peer


def no_more(peer: socket.socket | None) -> None:
    """Have the server close a stream's connection after it: it would wait for another request when it should stop."""
    if peer is not None:
        with suppress(OSError):
            peer.shutdown(socket.SHUT_RD)


def look_after(followers: Sequence[Follower]) -> None:
    """Let go of those whose client has closed, and hang up on those whose client takes nothing."""
    poll, polled = _poll(), {}
    for follower in followers:
        if follower.peer is not None and (number := follower.peer.fileno()) >= 0:
            poll.register(number, _CLOSED & ~(select.POLLHUP | select.POLLERR))
            polled[number] = follower
    for number, _ in poll.poll(0) if polled else ():
        polled[number].let_go()
    late = monotonic() - STALLED_S
    for follower in polled.values():
        if 0 < follower.writing < late and follower.peer is not None:
            with suppress(OSError):
                follower.peer.shutdown(socket.SHUT_RDWR)
