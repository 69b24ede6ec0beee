// Follows a game with an EventSource, as a browser does: `node listener.mjs <address> <game> <token>`.
// An EventSource sends no token, so each stream is opened with a ticket, and after a break with `after=<last id>`.

import { EventSource } from "eventsource";

const [address, game, token] = process.argv.slice(2);
const KINDS = ["snapshot", "event", "presence", "resync", "heartbeat", "game_over", "shutdown", "slow_consumer", "gone"];
const told = [];
let last = "";
let streams = 0;

async function open() {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const answer = await fetch(`${address}/v1/games/${game}/stream-tickets`, { method: "POST", headers, body: "{}" });
  const { stream } = await answer.json();
  const source = new EventSource(`${address}${stream}${last ? `&after=${last}` : ""}`);
  streams += 1;
  let heard = 0;
  for (const kind of KINDS) {
    source.addEventListener(kind, (message) => {
      const data = JSON.parse(message.data);
      last = message.lastEventId || last;
      told.push({ kind, v: data.event?.v ?? data.view?.version ?? 0 });
      if (kind === "game_over") {
        source.close();
        console.log(JSON.stringify({ streams, told }));
        process.exit(0);
      }
      // The network breaks off once, in the middle of the game.
      if (streams === 1 && kind === "event" && ++heard === 5) {
        source.close();
        setTimeout(open, 50);
      }
    });
  }
  source.addEventListener("error", () => {
    source.close();
    setTimeout(open, 100);
  });
  if (streams === 1) console.log("listening");
}

await open();
