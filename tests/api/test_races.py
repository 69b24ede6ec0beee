"""Many clients, few seats: each seat goes to one of them, and all others are told that there is none."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.api.client import Client

CLIENTS, SEATS = 100, 4


@pytest.mark.slow
@pytest.mark.parametrize("visibility", ["public", "private"])
def test_a_hundred_clients_race_for_four_seats(ann: Client, web, opened, version, visibility: str):
    game = ann.game(seats=SEATS, host_seat="none", visibility=visibility)
    body = {}
    if visibility == "private":
        body["invite"] = ann.post(f"/v1/games/{game}/invites", {"uses": CLIENTS}).json["code"]
    racers = [opened.players.create(f"Racer {number}") for number in range(CLIENTS)]
    tokens = [opened.tokens.first(racer) for racer in racers]
    before, together = version(game), threading.Barrier(CLIENTS)

    def sit(token: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "sit"}
        with httpx.Client(base_url=web.address, headers=headers, timeout=60, verify=False) as client:
            client.get("/v1/me")
            together.wait(60)
            first = client.post(f"/v1/games/{game}/seats", json=body)
            again = client.post(f"/v1/games/{game}/seats", json=body)
            # A repeat of the one that won is told of the same seat; one that lost still finds none.
            assert again.status_code == first.status_code
            assert again.json().get("hash") == first.json().get("hash")
            return first

    with ThreadPoolExecutor(CLIENTS) as pool:
        answers = list(pool.map(sit, tokens))
    found = Counter((answer.status_code, answer.json().get("code")) for answer in answers)
    assert found == {(201, None): SEATS, (409, "game_full"): CLIENTS - SEATS}
    assert version(game) == before + SEATS
    winners = [racer.id for racer, answer in zip(racers, answers, strict=True) if answer.status_code == 201]
    seated = [seat["player"]["id"] for seat in ann.view(game)["seats"]]
    assert sorted(seated) == sorted(winners)
    assert [answer.json()["events"][0]["seat"] for answer in answers if answer.status_code == 201] == [
        seated.index(winner) for winner in winners
    ]
