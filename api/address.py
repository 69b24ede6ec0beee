"""Where a request comes from, also through proxies."""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address

from flask import request

UNKNOWN = "unknown"


def peer(trusted_proxies: int) -> str:
    """The address of whoever sent the present request, as the last of `trusted_proxies` proxies in front tells it.

    Each proxy appends the address of its own peer to `X-Forwarded-For`; what stands before the entries of ours was
    written by the client, and may be anything. With fewer entries than proxies it is that of the connection.
    """
    found = request.remote_addr or UNKNOWN
    if trusted_proxies:
        hops = [hop.strip() for hop in ",".join(request.headers.getlist("X-Forwarded-For")).split(",")]
        if len(hops) >= trusted_proxies:
            found = _bare(hops[-trusted_proxies]) or found
    return found


def group(address: str) -> str:
    """What is counted as one caller: an IPv4 address, or the /64 of an IPv6 one, of which anybody has all."""
    return _group(address)


@lru_cache(maxsize=4096)
def _group(address: str) -> str:
    try:
        found = ip_address(address)
    except ValueError:
        return UNKNOWN
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return f"{IPv6Address(int(found) >> 64 << 64)}/64"
    return str(found)


def _bare(hop: str) -> str | None:
    """An entry without the port that some proxies add; None if it is no address."""
    if hop.startswith("["):
        hop = hop[1:].partition("]")[0]
    elif hop.count(":") == 1:
        hop = hop.partition(":")[0]
    try:
        return str(ip_address(hop))
    except ValueError:
        return None
