// Plays a game of a ruleset through openapi-fetch and the types that openapi-typescript made of the document.
// `node player.ts <address> <ruleset> <moves at most>`; `tsc` holds it against the types first.

import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./types.js";

type Schemas = components["schemas"];
type Move = Schemas["Move"];

const [address = "", ruleset = "", most = "0"] = process.argv.slice(2);
const MOST_TURNS = 12;

let state = 7;
const random = (below: number): number => {
  state = (state * 1103515245 + 12345) % 2147483648;
  return Math.floor((state / 2147483648) * below);
};
const pick = <T>(items: readonly T[]): T => {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error("nothing to choose from");
  return item;
};
const good = <T>(answer: { data?: T; error?: Schemas["Problem"] }): T => {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
};

async function join(name: string): Promise<Client<paths>> {
  const anybody = createClient<paths>({ baseUrl: address });
  const made = good(await anybody.POST("/v1/players", { body: { name } }));
  return createClient<paths>({ baseUrl: address, headers: { Authorization: `Bearer ${made.token}` } });
}

function value(given: Schemas["FieldForm"]): unknown {
  const low = given.min ?? 0;
  switch (given.kind) {
    case "one_of":
      return pick(given.values ?? []);
    case "range":
      return low + random((given.max ?? low) - low + 1);
    case "multiset": {
      const left = [...(given.from ?? [])];
      const count = low + random((given.max ?? low) - low + 1);
      return Array.from({ length: count }, () => left.splice(random(left.length), 1)[0]);
    }
    case "run": {
      const held = (given.held ?? []) as { card: string; number: number }[];
      const { up, down } = given;
      const fits = held.filter((one) => (up != null && one.number >= up) || (down != null && one.number <= down));
      return [pick(fits).card];
    }
    default:
      throw new Error(`an unknown kind of field: ${given.kind}`);
  }
}

function filled(form: Schemas["Form"]): Move {
  const fields = Object.entries(form.fields).map(([name, given]) => [name, value(given)]);
  return { ...Object.fromEntries(fields), type: form.type, decision: form.decision } as Move;
}

const told = good(
  await createClient<paths>({ baseUrl: address }).GET("/v1/rulesets/{key}", { params: { path: { key: ruleset } } }),
);
const clients: Client<paths>[] = [];
for (let seat = 0; seat < told.seats.min; seat++) clients.push(await join(`Player ${seat}`));
const host = clients[0] as Client<paths>;
const body: Schemas["NewGame"] = {
  ruleset: ruleset as Schemas["NewGame"]["ruleset"],
  seats: clients.length,
  auto_start: true,
  ...("max_turns" in told.defaults ? { options: { max_turns: MOST_TURNS } } : {}),
};
const { game } = good(
  await host.POST("/v1/games", { body, params: { header: { "Idempotency-Key": crypto.randomUUID() } } }),
);
const params = { path: { game } };
for (const client of clients.slice(1)) good(await client.POST("/v1/games/{game}/seats", { params, body: {} }));

let moves = 0;
const events = new Set<string>();
let view = good(await host.GET("/v1/games/{game}", { params }));
while (view.asked.length && moves < Number(most)) {
  const client = clients[pick(view.asked).seat] as Client<paths>;
  const { decision } = good(await client.GET("/v1/games/{game}/moves", { params }));
  if (!decision) throw new Error("asked, and no decision");
  const made = good(await client.POST("/v1/games/{game}/moves", { params, body: filled(pick(decision.moves)) }));
  for (const event of made.events) events.add(event.type);
  moves += 1;
  view = good(await host.GET("/v1/games/{game}", { params }));
}
if (view.status === "finished" && !view.result) throw new Error("a finished game without a result");
console.log(JSON.stringify({ status: view.status, moves, events: [...events].sort() }));
