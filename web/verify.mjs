// Check the log of a game, in a browser or with Node 20 and newer:
//
//     import { verify } from "./verify.mjs";
//     const { verdict, failure, checked } = await verify(text, { keys, receipts });
//
//     node verify.mjs FILE|- [--key KEY] [--receipt FILE] [--json]
//
// One module without dependencies: all hashes and signatures come from Web Crypto. It was written from
// docs/fair-play.md and shares no line with the server: § names a section of that document, and the checks have its
// names and its order (§9). It does not know the rules of the games.
//
//   FILE            a served log, as from GET /v1/games/{id}/log; - is standard input
//   --key KEY       a public key of the operator: the `x` of its JWK, or a file with a JWK, a list of them, or the
//                   answer of GET /v1/server. May be given several times
//   --receipt FILE  signed heads that you kept: a receipt of a POST, its `signed`, a list or lines of them
//
// Exit status: 0 sound (or sound, but signed by no key that you gave), 1 unsound, 2 the input cannot be read.

const MAX_DEPTH = 100; // arrays and objects inside each other, §9
const MAX_LINE = 4 * 2 ** 20; // bytes of a line with its end, §9
const BATCH = 512; // so many lines are hashed at once: Web Crypto answers later, and waiting for each alone is slow

const encoder = new TextEncoder();
const encode = (text) => encoder.encode(text);

/** A check failed: its name, the version (or null), and what was found. */
class Unsound extends Error {
  constructor(check, v, why) {
    super(why);
    Object.assign(this, { check, v, why });
  }
}

// --- §5.1 canonical JSON

/** The one text of a value; throws if it has none. */
export function canonical(value) {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return canonicalString(value);
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new TypeError("a number that is not an integer of 53 bits");
    return String(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object") throw new TypeError("not a JSON value");
  return `{${Object.keys(value).sort().map((key) => canonicalKey(key) + canonical(value[key])).join(",")}}`;
}

function canonicalString(text) {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  if (/\p{Surrogate}/u.test(text)) throw new TypeError("half a surrogate pair");
  return JSON.stringify(text);
}

function canonicalKey(key) {
  if (!/^[\0-\x7f]*$/.test(key)) throw new TypeError("a key that is not ASCII");
  return `${canonicalString(key)}:`;
}

/** Read a JSON text; throws if it is not JSON, or nested too deeply. */
export function parse(text) {
  const value = JSON.parse(text);
  if (isDeeper(value, MAX_DEPTH)) throw new TypeError("nested too deeply");
  return value;
}

function isDeeper(value, than) {
  if (value === null || typeof value !== "object") return false;
  return than === 0 || Object.values(value).some((inner) => isDeeper(inner, than - 1));
}

/** Whether a text is the canonical one of its value. */
export const isCanonical = (text, value) => hasCanonicalForm(value) && canonical(value) === text;

function hasCanonicalForm(value) {
  try {
    canonical(value);
  } catch {
    return false;
  }
  return true;
}

const same = (one, other) => canonical(one) === canonical(other);

// --- §5.4 to §5.8 hashes, seals, signatures

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function hex(bytes) {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

export const sha256 = async (bytes) => hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
export const genesis = (game) => sha256(encode(game));

/** Bytes as a key for `hmac`: importing one takes longer than using it. */
export const hmacKey = (bytes) =>
  crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
const hmac = async (key, value) => new Uint8Array(await crypto.subtle.sign("HMAC", key, encode(canonical(value))));

export const saltOf = async (seedKey, prev, v, field) =>
  hex((await hmac(seedKey, ["salt", prev, v, field])).subarray(0, 16));
export const digestOf = (game, v, field, salt, value) => sha256(encode(canonical([game, v, field, salt, value])));
export const commitmentOf = (game, clientSeed) => sha256(encode(canonical([game, "client_seed", clientSeed])));

export const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** The bytes of a text that is written as `base64url` writes them, else null. */
export function unbase64url(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null;
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  return base64url(bytes) === text ? bytes : null;
}

/** §5.7: the name of a key is computed from it, never believed. */
export const kidOf = async (x) =>
  base64url(unhex(await sha256(encode(canonical({ crv: "Ed25519", kty: "OKP", x: base64url(x) })))));

/** §5.7: what is signed is all the rest, of a head and of a report. */
export function signedMessage(signed) {
  const { key: _key, signature: _signature, ...said } = signed;
  return canonical(said);
}

const importKey = (x) => crypto.subtle.importKey("raw", x, { name: "Ed25519" }, false, ["verify"]);

/** Whether this browser knows Ed25519. The key is that of RFC 8032, 7.1, test 1. */
export const canCheckSignatures = () =>
  importKey(unhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")).then(() => true, () => false);

/** Whether the signature is of this key. Call it only if signatures can be checked. */
export async function signatureFits(signed, x) {
  const signature = unbase64url(signed.signature);
  if (signature === null || signature.length !== 64) return false;
  try {
    const message = encode(signedMessage(signed));
    return await crypto.subtle.verify({ name: "Ed25519" }, await importKey(x), signature, message);
  } catch {
    return false; // 32 bytes that are no key
  }
}

/** §3: whether two signed heads prove that two histories were shown. `keys` is a Map of kid and x. */
export async function conflict(one, other, keys) {
  for (const head of [one, other]) {
    if (!keys.has(head.key) || !(await signatureFits(head, keys.get(head.key)))) return false;
  }
  return one.game === other.game && one.version === other.version && one.hash !== other.hash;
}

// --- §6 chance

export const entropyOf = (seedKey, game, clientSeeds) => hmac(seedKey, [game, clientSeeds]);

/** The draw of a label: an endless row of 32-bit numbers. */
export class Draw {
  constructor(entropyKey, label) {
    Object.assign(this, { key: entropyKey, label, block: 0, words: [] });
  }

  async word() {
    if (this.words.length === 0) {
      const octets = new DataView((await hmac(this.key, ["draw", this.label, this.block++])).buffer);
      this.words = [0, 4, 8, 12, 16, 20, 24, 28].map((place) => octets.getUint32(place));
    }
    return this.words.shift();
  }

  async below(n) {
    const limit = 2 ** 32 - (2 ** 32 % n);
    let word = await this.word();
    while (word >= limit) word = await this.word();
    return word % n;
  }

  async shuffled(items) {
    const order = [...items];
    for (let last = order.length - 1; last > 0; last--) {
      const other = await this.below(last + 1);
      [order[last], order[other]] = [order[other], order[last]];
    }
    return order;
  }
}

// --- §8 the deals

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, place) => from + place);
const each = (from, step, below) => (_, place) => place >= from && place < below && (place - from) % step === 0;

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
export const FRENCH = [...["S", "H", "D", "C"].flatMap((suit) => RANKS.map((rank) => rank + suit)), "JOKER", "JOKER"];
export const ORDERS = range(1, 10).flatMap((rank) => Array(rank).fill(`R${rank}`));
export const BAGS = ["HKG", "HNL", "SFO"].flatMap((airport) => range(1, 17).map((number) => `${airport}-${number}`));
export const AIRPORT = [["AROUND_THE_WORLD", 4], ["REVERSE", 4], ["NOTICE_BOARD", 3], ["DELAYED_FLIGHT", 3]]
  .flatMap(([card, count]) => Array(count).fill(card));
const CREW = ["cartographer", "monkey", "parrot", "navigator", "gunner", "cook", "lookout", "carpenter", "swabby"];
export const TILES = CREW.flatMap((front) => CREW.filter((back) => back !== front).map((back) => `${front}/${back}`));
const BAGS_EACH = new Map([[2, [12, 3]], [3, [10, 2]], [4, [9, 2]], [5, [8, 2]]]); // seats: bags, Airport cards
const SEATS = new Map([
  ["bluff_king", range(2, 8)],
  ["captains_orders", range(4, 8)],
  ["captain_bluff", range(2, 5)],
  ["captain_flip", range(2, 5)],
]);

/** A multiset: sorted by the codes of the characters, where `sort()` alone goes by UTF-16. */
const multiset = (cards) => [...cards].sort(byCharacters);

function byCharacters(one, other) {
  const [a, b] = [one, other].map((text) => Array.from(text, (character) => character.codePointAt(0)));
  const place = a.findIndex((code, at) => code !== b[at]);
  return place < 0 ? a.length - b.length : place >= b.length ? 1 : a[place] - b[place];
}

/** A record that must be there: its type, seat and data, and the values of its seals. */
const due = (type, seat, data = {}, sealed = {}) => ({ type, seat, data, sealed });

async function dealBluffKing(entropy, seats, options) {
  const first = await new Draw(entropy, "lead").below(seats);
  const cards = await new Draw(entropy, "deal").shuffled(Array(options.decks).fill(FRENCH).flat());
  const hands = range(0, seats - 1).map((k) => multiset(cards.filter(each(k, seats, cards.length))));
  return [
    due("lead_drawn", first),
    ...hands.map((hand, k) => due("hand_dealt", (first + k) % seats, { count: hand.length }, { cards: hand })),
  ];
}

async function dealCaptainsOrders(entropy, seats, _options, round = 1) {
  const dealer = ((await new Draw(entropy, "dealer").below(seats)) + round - 1) % seats;
  const cards = await new Draw(entropy, `deal ${round}`).shuffled(ORDERS);
  const hands = range(0, seats - 1).map((k) => multiset(cards.filter(each(k, seats, 6 * seats))));
  return [
    due("round_started", null, { round, dealer }),
    ...hands.map((hand, k) => due("hand_dealt", (dealer + 1 + k) % seats, { round, count: 6 }, { cards: hand })),
  ];
}

async function dealCaptainBluff(entropy, seats) {
  const first = await new Draw(entropy, "first").below(seats);
  const bags = await new Draw(entropy, "bags").shuffled(BAGS);
  const airport = await new Draw(entropy, "airport").shuffled(AIRPORT);
  const [b, a] = BAGS_EACH.get(seats).map((count) => count * seats);
  const piles = { draw: bags.length - b, unused: airport.length - a };
  const hands = range(0, seats - 1).map((k) =>
    multiset([...bags.filter(each(k, seats, b)), ...airport.filter(each(k, seats, a))]));
  return [
    due("piles_shuffled", null, piles, { order: [...bags.slice(b), ...airport.slice(a)] }),
    due("first_seat_drawn", first),
    ...hands.map((hand, k) => due("hand_dealt", (first + k) % seats, { count: hand.length }, { cards: hand })),
  ];
}

async function dealCaptainFlip(entropy, seats) {
  const flag = await new Draw(entropy, "flag").below(seats);
  const sides = new Draw(entropy, "sides");
  const order = [];
  for (const tile of await new Draw(entropy, "bag").shuffled(TILES)) {
    order.push((await sides.below(2)) === 1 ? tile.split("/").reverse().join("/") : tile);
  }
  return [due("flag_drawn", flag), due("bag_shuffled", null, {}, { order }), tileDue(flag, order[0])];
}

function tileDue(seat, tile) {
  const [face, back] = tile.split("/");
  return due("tile_drawn", seat, { face }, { back });
}

const DEALS = new Map([
  ["bluff_king", dealBluffKing],
  ["captains_orders", dealCaptainsOrders],
  ["captain_bluff", dealCaptainBluff],
  ["captain_flip", dealCaptainFlip],
]);

/** The records after `game_started`: type, seat, data, sealed values. */
export const deal = async (ruleset, entropy, seats, options) =>
  DEALS.get(ruleset)(await hmacKey(entropy), seats, options);

/** Whether §8 has a deal for this game. */
function canDeal(ruleset, seats, options) {
  if (!DEALS.has(ruleset) || !isObject(options)) return false;
  if (ruleset === "bluff_king" && options.decks !== 1 && options.decks !== 2) return false;
  return SEATS.get(ruleset).includes(seats);
}

// --- §5.2, §5.3 the shapes

const anything = () => true;
const number = Number.isSafeInteger;
const text = (value) => typeof value === "string";
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const listOf = (test) => (value) => Array.isArray(value) && value.every((item) => test(item));
const mapOf = (test) => (value) => isObject(value) && Object.values(value).every((member) => test(member));
const either = (...tests) => (value) => tests.some((test) => test(value));
const just = (one) => (value) => value === one;

/** An object with exactly these members. */
function shape(members) {
  const names = Object.keys(members);
  return (value) =>
    isObject(value) && Object.keys(value).length === names.length &&
    names.every((name) => Object.hasOwn(value, name) && members[name](value[name]));
}

const isLine = shape({ record: anything, open: anything });
const isSeal = shape({ digest: text, to: listOf(number) });
const isOpening = shape({ field: text, salt: text, v: number, value: anything });
const isOpen = mapOf(shape({ salt: text, value: anything }));
const isHead = shape({ at: number, game: text, hash: text, key: text, signature: text, version: number });
const isRecord = shape({
  v: number, sv: number, left: number, at: number, type: text, seat: either(number, just(null)), by: text,
  data: isObject, seals: mapOf(isSeal), opens: listOf(isOpening), prev: text,
});
const isHeader = shape({
  format: number, game: text, head: text, rules_version: number, ruleset: text, status: text, version: number,
  observer: either(shape({ all: just(true) }), shape({ spectator: just(true) }), shape({ seat: number })),
});
const isTrailer = either(
  shape({ complete: anything, count: number, head: text }),
  shape({ complete: anything, count: number, head: text, signed: isHead }),
);

// --- §9 phase 1: lines

/** The bytes of a source: a text, bytes, a stream, or an (async) iterable of pieces of these, cut anywhere. */
async function* piecesOf(source) {
  if (typeof source === "string") yield encode(source);
  else if (source instanceof ArrayBuffer) yield new Uint8Array(source);
  else if (ArrayBuffer.isView(source)) yield new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  else if (source instanceof ReadableStream) yield* piecesOfStream(source);
  else for await (const piece of source) yield* piecesOf(piece);
}

async function* piecesOfStream(stream) {
  const reader = stream.getReader(); // not every browser lets one iterate a stream
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield* piecesOf(read.value);
}

/** The lines with their ends. One that is too long is not held in memory: an empty one, no JSON, stands for it. */
async function* linesOf(source) {
  let parts = [];
  let length = 0;
  const take = (part) => {
    length += part.length;
    if (length > MAX_LINE) parts = [];
    else parts.push(part);
  };
  const line = () => {
    const whole = length > MAX_LINE ? encode("\n") : parts.length === 1 ? parts[0] : joined(parts, length);
    [parts, length] = [[], 0];
    return whole;
  };
  for await (const piece of piecesOf(source)) {
    let from = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      take(piece.subarray(from, end + 1));
      from = end + 1;
      yield line();
    }
    take(piece.subarray(from));
  }
  if (length > 0) yield length > MAX_LINE ? encode(" ") : line();
}

function joined(parts, length) {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Phase 1 has steps: the failure of the lowest step counts, and of two in one step the first. */
class Lines {
  constructor(log) {
    Object.assign(this, { log, step: 99, failure: null });
    this.decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  }

  fail(step, check, v, why) {
    if (step < this.step) [this.step, this.failure] = [step, new Unsound(check, v, why)];
  }

  /** The records in batches, as long as nothing failed. A line waits for the next one, since the last is another. */
  async *read(source) {
    let before = new Uint8Array();
    let place = 0;
    let batch = [];
    for await (const bytes of linesOf(source)) {
      if (++place === 2) this.takeHeader(before);
      else if (place > 2) batch.push(this.takeRecord(before, place - 2));
      before = bytes;
      if (batch.length === BATCH) {
        yield await hashed(batch);
        batch = [];
      }
    }
    if (place <= 1) this.takeHeader(before);
    this.takeTrailer(before);
    yield await hashed(batch);
  }

  value(bytes, name) {
    if (bytes.at(-1) !== 10) this.fail(1, "cut_short", null, "the text does not end with the end of a line");
    try {
      const text = this.decoder.decode(bytes.subarray(0, -1));
      return [text, parse(text)];
    } catch (error) {
      this.fail(2, "unreadable", null, `${name} is not JSON (${error.message})`);
      return ["", null];
    }
  }

  takeHeader(bytes) {
    const [text, value] = this.value(bytes, "the first line");
    this.log.header = value;
    if (!isCanonical(text, value)) this.fail(4, "not_canonical", null, "the first line is not canonical JSON");
    if (!isHeader(value)) this.fail(5, "unreadable", null, "the first line is no header");
  }

  takeTrailer(bytes) {
    const [text, value] = this.value(bytes, "the last line");
    this.log.trailer = value;
    const isEnd = isObject(value) && Object.hasOwn(value, "complete");
    if (!isEnd) this.fail(3, "cut_short", null, "the last line is no trailer");
    if (!isCanonical(text, value)) this.fail(4, "not_canonical", null, "the last line is not canonical JSON");
    if (!isTrailer(value)) this.fail(5, "unreadable", null, "the last line is no trailer");
  }

  takeRecord(bytes, v) {
    const [text, value] = this.value(bytes, `line ${v + 1}`);
    if (this.failure) return null;
    if (!isLine(value)) return this.fail(6, "unreadable", v, "the line has not exactly `record` and `open`");
    let record;
    let open;
    try {
      [record, open] = [canonical(value.record), canonical(value.open)];
    } catch (error) {
      return this.fail(6, "not_canonical", v, error.message);
    }
    if (text !== `{"record":${record},"open":${open}}`) {
      return this.fail(6, "not_canonical", v, "the line is not canonical JSON");
    }
    if (!isRecord(value.record) || !isOpen(value.open)) {
      return this.fail(6, "unreadable", v, "the record has not exactly its eleven members, or one is not of its type");
    }
    const start = '{"record":'.length; // §5.4: what is hashed are the bytes as they stand in the line
    return { v, ...value, bytes: bytes.subarray(start, start + encode(record).length) };
  }
}

/** The lines, each with the hash of its record. */
const hashed = (lines) =>
  Promise.all(lines.filter(Boolean).map(async ({ bytes, ...line }) => ({ ...line, hash: await sha256(bytes) })));

// --- §9 phase 2: order

function seeOrder(log, line) {
  const { record, v } = line;
  const before = log.last?.record;
  log.first ??= line;
  log.last = line;
  log.checked.records = v;
  if (record.v !== v) throw new Unsound("version", v, `record ${v} says that it is version ${record.v}`);
  if (record.left < 0) throw new Unsound("batch", v, "`left` is negative");
  if (before?.left > 0 && record.left !== before.left - 1) throw new Unsound("batch", v, "`left` does not count down");
  if (before?.left > 0 && record.at !== before.at) throw new Unsound("batch", v, "another time than that of its batch");
}

function endOrder(log) {
  if (!log.last) throw new Unsound("batch", 0, "there is no record");
  if (log.last.record.left > 0) throw new Unsound("batch", log.last.v, "the last batch is not whole");
}

// --- §9 phase 3: chain

function seeChain(log, { v, record, hash }) {
  const expected = v === 1 ? log.genesis : log.head;
  log.head = hash;
  if (record.prev !== expected) throw new Unsound("chain", v, "`prev` is not the hash of what comes before");
  if (record.type === "game_started") log.started ??= v;
}

function endChain(log) {
  const { header, trailer, head, checked: { records } } = log;
  if (header.head !== head || header.version !== records) {
    throw new Unsound("head", null, "the header names another head or version");
  }
  if (trailer.head !== head || trailer.count !== records || trailer.complete !== true) {
    throw new Unsound("head", null, "the trailer names another head or count, or is not complete");
  }
  if (log.first.record.type !== "game_created" || header.format !== 1) {
    throw new Unsound("header", null, "the first record is no game_created, or the format is not 1");
  }
  const { ruleset = null, rules_version = null } = log.first.record.data;
  for (const [name, value] of Object.entries({ status: statusOf(log), ruleset, rules_version })) {
    if (!same(header[name], value)) {
      throw new Unsound("header", null, `the header has another ${name} than the records`);
    }
  }
}

/** §5.2 */
function statusOf(log) {
  const type = log.last.record.type;
  if (type === "game_ended") return log.started ? "finished" : "aborted";
  if (type === "game_faulted") return "faulted";
  return log.started ? "playing" : "lobby";
}

// --- §9 phase 4: seals

async function seeSeals(log, line, ahead) {
  await seeOpen(log, line, ahead);
  await seeOpens(log, line, ahead);
  await seeCommitment(log, line);
}

const mayOpen = (observer, seal) => observer.all === true || seal.to.includes(observer.seat);

async function seeOpen(log, { v, record, open }, ahead) {
  const names = Object.keys(record.seals);
  if (names.length) log.seals.set(v, { prev: record.prev, seals: record.seals });
  const allowed = names.filter((name) => mayOpen(log.header.observer, record.seals[name]));
  if (!same(allowed.sort(), Object.keys(open).sort())) {
    throw new Unsound("seal", v, "other seals are open than this observer may open");
  }
  for (const name of allowed) await seeShown(log, "seal", v, v, name, open[name], ahead.get(open[name]));
  log.checked.seals += names.length;
  log.checked.opened += allowed.length;
}

async function seeOpens(log, { v, record }, ahead) {
  for (const entry of record.opens) {
    const isSealed = entry.v > 0 && entry.v < v && Object.hasOwn(log.seals.get(entry.v)?.seals ?? {}, entry.field);
    if (!isSealed) throw new Unsound("open", v, "it opens what was not sealed before");
    await seeShown(log, "open", v, entry.v, entry.field, entry, ahead.get(entry));
  }
  log.checked.opens += record.opens.length;
}

/** §5.6: does what record v shows fit the seal of record w? */
async function seeShown(log, check, v, w, name, shown, digest) {
  if ((await digest) !== log.seals.get(w).seals[name].digest) {
    throw new Unsound(check, v, `what is shown of ${quoted(name)} in record ${w} is not what was sealed`);
  }
  log.salts.set(canonical([w, name]), { v: w, name, salt: shown.salt });
  if (name === "origin") log.origins.set(w, shown.value);
}

/** The digests of all that a batch shows, on their way at once: Map of what is shown and the promise of its digest. */
function digestsAhead(log, lines) {
  const ahead = new Map();
  for (const { v, record, open } of lines) {
    for (const [name, shown] of Object.entries(open)) {
      ahead.set(shown, digestOf(log.header.game, v, name, shown.salt, shown.value));
    }
    for (const entry of record.opens) {
      ahead.set(entry, digestOf(log.header.game, entry.v, entry.field, entry.salt, entry.value));
    }
  }
  return ahead;
}

/** §5.8 */
async function seeCommitment(log, { v, record: { type, seat, data } }) {
  if (type === "client_seed_committed") log.commitments.set(seat, data.commitment);
  else if (type === "seat_taken" || type === "seat_left") log.commitments.delete(seat);
  else if (type === "client_seed_revealed") {
    if (log.commitments.get(seat) !== (await commitmentOf(log.header.game, data.client_seed ?? null))) {
      throw new Unsound("commitment", v, "the seed that is revealed is not the one of the commitment");
    }
  }
}

// --- §9 phase 5: seed

function seeSeed(log, { v, record, open }) {
  const opened = record.opens.filter((entry) => entry.v === 1 && entry.field === "server_seed");
  if (opened.length !== (record.type === "game_ended" ? 1 : 0)) {
    throw new Unsound("seed", v, "game_ended must open the server's seed, once, and no other record may");
  }
  const shown = v === 1 && Object.hasOwn(open, "server_seed") ? [open.server_seed] : [];
  for (const { value } of [...opened, ...shown]) {
    if (!text(value) || !/^[0-9a-f]{64}$/.test(value)) {
      throw new Unsound("seed", v, "the server's seed is not 64 hex digits");
    }
    log.seed = unhex(value);
  }
}

async function endSeed(log) {
  if (!log.seed) return;
  log.seedKey = await hmacKey(log.seed);
  const known = [...log.salts.values()].sort((one, other) => one.v - other.v);
  for (let from = 0; from < known.length; from += BATCH) {
    const some = known.slice(from, from + BATCH);
    const salts = await Promise.all(some.map(({ v, name }) => saltOf(log.seedKey, log.seals.get(v).prev, v, name)));
    for (const [place, { v, name, salt }] of some.entries()) {
      if (salt !== salts[place]) {
        throw new Unsound("salt", v, `the salt of ${quoted(name)} does not follow from the server's seed`);
      }
      log.checked.salts++;
    }
  }
}

// --- §9 phase 6: draws

const DRAWN = new Set([
  "lead_drawn", "hand_dealt", "round_started", "piles_shuffled", "first_seat_drawn", "card_drawn", "draw_pile_renewed",
  "flag_drawn", "bag_shuffled", "tile_drawn",
]);

function seeDraws(log, { v, record }) {
  if (!log.started || v <= log.started) seeClientSeed(log, record);
  else if (DRAWN.has(record.type) || Belts.STEPS.has(record.type)) log.kept.set(v, record);
}

/** §5.8: the seeds of the seats, as they are when the game starts. */
function seeClientSeed(log, { type, seat, data }) {
  const committed = log.first.record.data.seeds === "committed";
  if ((committed ? ["client_seed_revealed"] : ["seat_taken", "client_seed_given"]).includes(type)) {
    log.clientSeeds.set(seat, data.client_seed ?? null);
  } else if (type === "seat_taken" || type === "seat_left") log.clientSeeds.delete(seat);
}

async function endDraws(log) {
  if (!log.seed || !log.started) return;
  const { seats, options } = log.first.record.data;
  const { ruleset, game } = log.header;
  if (!canDeal(ruleset, seats, options)) throw new Unsound("draw", log.started + 1, "no deal is known for such a game");
  const clientSeeds = range(0, seats - 1).map((seat) => log.clientSeeds.get(seat) ?? null);
  log.entropy = await entropyOf(log.seedKey, game, clientSeeds);
  log.entropyKey = await hmacKey(log.entropy);
  const dealt = await DEALS.get(ruleset)(log.entropyKey, seats, options);
  await mustFollow(log, log.started, dealt);
  const after = [...log.kept].filter(([v]) => v > log.started + dealt.length);
  if (ruleset === "captains_orders") await roundsOfCaptainsOrders(log, after, seats);
  if (ruleset === "captain_bluff") await pilesOfCaptainBluff(log, after, dealt[0]);
  if (ruleset === "captain_flip") await tilesOfCaptainFlip(log, after, dealt[1].sealed.order.slice(1));
}

/** Right after record v. */
async function mustFollow(log, v, dues) {
  for (const one of dues) await mustBe(log, ++v, one);
}

async function mustBe(log, v, { type, seat, data, sealed }) {
  const record = log.kept.get(v);
  if (record?.type !== type) throw new Unsound("draw", v, `here must be a ${type}`);
  if (record.seat !== seat || !same(record.data, data)) {
    throw new Unsound("draw", v, `this ${type} must have seat ${seat}, data ${canonical(data)}`);
  }
  for (const [name, value] of Object.entries(sealed)) {
    const digest = await digestOf(log.header.game, v, name, await saltOf(log.seedKey, record.prev, v, name), value);
    if (!Object.hasOwn(record.seals, name) || record.seals[name].digest !== digest) {
      throw new Unsound("draw", v, `${quoted(name)} of this ${type} must be ${canonical(value)}`);
    }
  }
  log.checked.draws++;
}

async function roundsOfCaptainsOrders(log, after, seats) {
  let round = 1;
  for (const [v, { type }] of after) {
    if (type !== "round_started") continue;
    await mustFollow(log, v - 1, await dealCaptainsOrders(log.entropyKey, seats, {}, ++round));
  }
}

async function tilesOfCaptainFlip(log, after, tiles) {
  for (const [v, { type, seat }] of after) {
    if (type !== "tile_drawn") continue;
    if (tiles.length === 0) throw new Unsound("draw", v, "no tile is left");
    await mustBe(log, v, tileDue(seat, tiles.shift()));
  }
}

async function pilesOfCaptainBluff(log, after, { data, sealed }) {
  let pile = sealed.order.slice(0, data.draw); // null: not known since a renewal that cannot be computed
  let renewals = 0;
  const belts = new Belts(log.origins);
  for (const [v, record] of after) {
    belts.land(v);
    if (record.type === "card_drawn" && pile !== null) {
      if (pile.length === 0) throw new Unsound("draw", v, "the draw pile is empty");
      await mustBe(log, v, due("card_drawn", record.seat, {}, { card: pile.shift() }));
    } else if (record.type === "draw_pile_renewed") {
      renewals++;
      const cards = belts.discards.splice(0);
      if (!cards.includes(null)) {
        if (pile?.length > 0) throw new Unsound("draw", v, "the draw pile is not empty");
        const order = await new Draw(log.entropyKey, `renewal:${renewals}`).shuffled(multiset(cards));
        await mustBe(log, v, due("draw_pile_renewed", null, { count: cards.length }, { order }));
        pile = order;
      } else pile = null;
    } else if (Belts.STEPS.has(record.type) && !belts[Belts.STEPS.get(record.type)](v, record)) {
      throw new Unsound("draw", v, "no discard pile can follow from this record");
    }
  }
}

/** §8: the rows of the six belts, and the discard pile. In this a card that is not known is null.
 * A step is false if the record cannot be followed. */
class Belts {
  static STEPS = new Map([
    ["origin_defined", "clear"],
    ["bags_placed", "place"],
    ["airport_played", "play"],
    ["bags_recovered", "recover"],
    ["belt_closed", "close"],
    ["belt_taken", "clear"],
  ]);

  constructor(origins) {
    this.origins = origins; // v: the value of its seal `origin`, if it was opened
    this.rows = new Map(range(0, 5).map((belt) => [belt, []]));
    this.discards = [];
    this.delayed = []; // of each Delayed Flight in the air, the last version of its batch
  }

  row = ({ data }) => this.rows.get(data.belt);

  land(v) {
    this.discards.push(...this.delayed.filter((last) => last < v).map(() => "DELAYED_FLIGHT"));
    this.delayed = this.delayed.filter((last) => last >= v);
  }

  clear(_v, record) {
    return this.row(record)?.splice(0) !== undefined;
  }

  close(v, record) {
    const row = this.row(record);
    const origin = this.origins.get(v) ?? null;
    if (!row || !(origin === null || text(origin))) return false;
    this.discards.push(...row.splice(0), origin);
    return true;
  }

  place(_v, record) {
    const { cards } = record.data;
    const row = this.row(record);
    if (!row || !Array.isArray(cards)) return false;
    const laid = cards.map((card) => (isObject(card) ? card.card : card));
    row.push(...laid);
    return laid.every(text);
  }

  recover(_v, record) {
    const { cards } = record.data;
    const row = this.row(record);
    if (!row || !Array.isArray(cards) || cards.length > row.length) return false;
    row.length -= cards.length;
    return true;
  }

  play(v, record) {
    const { card } = record.data;
    if (card === "NOTICE_BOARD") this.discards.push(card);
    else if (card === "DELAYED_FLIGHT") this.delayed.push(v + record.left);
    else if (["AROUND_THE_WORLD", "REVERSE"].includes(card) && this.row(record)) this.row(record).push(card);
    else return false;
    return true;
  }
}

// --- §9 phases 7 and 8: signature, receipts

async function endSignature(log) {
  const { trailer: { signed }, last, header: { game } } = log;
  if (!signed) return;
  const x = log.known.get(signed.key);
  if (!x) {
    log.signature = "unknown key";
    return;
  }
  if (!same([signed.version, signed.hash, signed.at, signed.game], [last.v, last.hash, last.record.at, game])) {
    throw new Unsound("signature", null, "the signed head is not that of the last record");
  }
  if (log.canCheck && !(await signatureFits(signed, x))) throw new Unsound("signature", null, "the signature is wrong");
  log.signature = log.canCheck ? "valid" : "not checked";
}

function seeReceipts(log, line) {
  if (log.receipted.has(line.v)) log.receipted.set(line.v, line);
}

async function endReceipts(log) {
  for (const receipt of log.receipts) {
    const why = await faultOf(receipt, log);
    if (why) throw new Unsound("receipt", receipt.version, why);
  }
}

async function faultOf(receipt, log) {
  const x = log.known.get(receipt.key);
  const line = log.receipted.get(receipt.version);
  if (!x) return "the receipt is signed by no known key";
  if (log.canCheck && !(await signatureFits(receipt, x))) return "the signature of the receipt is wrong";
  if (receipt.game !== log.header.game) return "the receipt is of another game";
  if (!line) return "the log has no such version";
  if (receipt.hash !== line.hash || receipt.at !== line.record.at) {
    return "the receipt is of another record: its owner was told another history than this log";
  }
  return null;
}

// --- the verdict

const eachLine = (see) => async (log, lines) => {
  for (const line of lines) {
    const going = see(log, line);
    if (going) await going;
  }
};

/** §9: what looks at the records, batch after batch, and what looks at the whole. */
const PHASES = [
  { name: "order", see: eachLine(seeOrder), end: endOrder },
  { name: "chain", see: eachLine(seeChain), end: endChain },
  {
    name: "seals",
    see: (log, lines) => {
      const ahead = digestsAhead(log, lines);
      return eachLine((_, line) => seeSeals(log, line, ahead))(log, lines);
    },
  },
  { name: "seed", see: eachLine(seeSeed), end: endSeed },
  { name: "draws", see: eachLine(seeDraws), end: endDraws },
  { name: "signature", end: endSignature },
  { name: "receipts", see: eachLine(seeReceipts), end: endReceipts },
];

/**
 * Check a served log: a text, bytes, a ReadableStream, or an (async) iterable of pieces of it.
 * `keys`: each an `x`, 32 bytes, a JWK, or the answer of GET /v1/server; `receipts`: each one as `headsIn` takes it.
 * Throws a TypeError if one of these is none. Gives what `resultOf` says: verdict, failure, checked ...
 *
 * Every phase goes through the whole log before the next one counts. To read the log only once, all of them go along, and
 * a phase stops where it, or one before it, failed.
 */
export async function verify(source, { keys = [], receipts = [] } = {}) {
  const log = newLog(headsIn(receipts), await known(keysIn(keys)), await canCheckSignatures());
  const lines = new Lines(log);
  let going = PHASES;
  let failed = {};
  for await (const batch of lines.read(source)) {
    log.genesis ??= isHeader(log.header) ? await genesis(log.header.game) : null;
    for (const [place, { name, see }] of going.entries()) {
      const failure = see && (await failureOf(see, log, batch));
      if (failure) {
        [failed, going] = [{ name, failure }, going.slice(0, place)];
        break;
      }
    }
  }
  if (lines.failure) return resultOf(log, { name: "lines", failure: lines.failure });
  for (const { name, end } of going) {
    const failure = end && (await failureOf(end, log));
    if (failure) return resultOf(log, { name, failure });
  }
  return resultOf(log, failed);
}

async function failureOf(step, ...given) {
  try {
    await step(...given);
  } catch (error) {
    if (error instanceof Unsound) return error;
    throw error;
  }
  return null;
}

const newLog = (receipts, known, canCheck) => ({
  header: null, trailer: null, first: null, last: null, head: null, genesis: null, started: null,
  seals: new Map(), salts: new Map(), origins: new Map(), commitments: new Map(), clientSeeds: new Map(),
  kept: new Map(), // the records that phase 6 looks at
  seed: null, seedKey: null, entropy: null, entropyKey: null, signature: "none",
  known, canCheck, receipts, receipted: new Map(receipts.map(({ version }) => [version, null])),
  checked: { records: 0, seals: 0, opened: 0, opens: 0, salts: 0, draws: 0 },
});

function resultOf(log, { name, failure }) {
  const header = isHeader(log.header) ? log.header : {};
  const { game = null, ruleset = null, status = null, observer = null, version = null, head = null } = header;
  return {
    verdict: failure ? "unsound" : log.signature === "valid" ? "sound" : "sound_unsigned",
    failure: failure ? { phase: name, check: failure.check, v: failure.v, why: failure.why } : null,
    game, ruleset, status, observer, version, head,
    entropy: log.entropy && hex(log.entropy),
    seed_open: log.seed !== null,
    checked: log.checked,
    signature: log.signature,
    signed_by: failure ? null : log.trailer.signed?.key ?? null,
    receipts: log.receipts.length,
    signatures_checked: log.canCheck,
  };
}

const ascii = (said) => said.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
const quoted = (value) => ascii(JSON.stringify(value));

/** A result in words, line by line. Texts of the log are shown in ASCII: they cannot play tricks on a terminal. */
export function report(found) {
  const { checked: counts, failure } = found;
  const unchecked = found.signatures_checked ? "" : ", NOT CHECKED: there is no Ed25519 here";
  const noSeed = "the server's seed is not open, so there is nothing to check";
  const said = {
    lines: `${counts.records} records, a header and a trailer, in canonical JSON`,
    order: "versions without a gap, whole batches",
    chain: `each record names the hash of the one before, up to ${found.head}`,
    seals: `${counts.seals} seals; ${counts.opened} open to this reader, ${counts.opens} opened to all`,
    seed: found.seed_open ? `${counts.salts} salts follow from the server's seed` : noSeed,
    draws: found.seed_open ? `${counts.draws} records are what the seeds say` : noSeed,
    signature: found.signed_by ? `${found.signature}, by ${quoted(found.signed_by)}${unchecked}` : "the log is not signed",
    receipts: `${found.receipts} fit${found.receipts ? unchecked : ""}`,
  };
  const about = ["game", "ruleset", "status", "observer"].map((name) => `${name} ${quoted(found[name])}`).join(", ");
  const lines = Object.entries(said).map(([name, text], place) => {
    const at = failure?.v == null ? "" : ` at version ${failure.v}`;
    const what = failure?.phase === name ? `FAILED ${failure.check}${at}: ${ascii(failure.why)}` : text;
    return { name, text: `${place + 1} ${name.padEnd(10)} ${what}` };
  });
  const last = failure ? lines.findIndex(({ name }) => name === failure.phase) : lines.length;
  return [about, ...lines.slice(0, last + 1).map((line) => line.text), found.verdict];
}

// --- keys and receipts

/** The values in a text: one JSON value, or one in each line. */
export function valuesIn(text) {
  try {
    return [parse(text)];
  } catch {
    return text.split(/\r\n|\r|\n/).filter((line, place, all) => line || place < all.length - 1).map(parse);
  }
}

/** The public keys in a value: an `x`, 32 bytes, a JWK, the answer of GET /v1/server, or a list of these. */
export function keysIn(value) {
  const keys = keysOf(value);
  if (keys.length === 0 && value?.length !== 0) throw new TypeError("there is no Ed25519 key");
  return keys;
}

function keysOf(value) {
  if (value instanceof Uint8Array && value.length === 32) return [value];
  if (text(value) && unbase64url(value)?.length === 32) return [unbase64url(value)];
  if (Array.isArray(value)) return value.flatMap(keysOf); // a list may hold keys of other kinds
  if (!isObject(value)) return [];
  if (!Object.hasOwn(value, "kty")) return keysOf(value.signing_keys ?? value.keys ?? null);
  return value.kty === "OKP" && value.crv === "Ed25519" && text(value.x) ? keysOf(value.x) : [];
}

const known = async (keys) => new Map(await Promise.all(keys.map(async (x) => [await kidOf(x), x])));

/** The signed heads in a value: a signed head, an object with one as `signed`, a list of these. */
export function headsIn(value) {
  if (Array.isArray(value)) return value.flatMap(headsIn);
  const head = isObject(value) && Object.hasOwn(value, "signed") ? value.signed : value;
  if (!isHead(head) || !hasCanonicalForm(head)) throw new TypeError("there is something that is no receipt");
  return [head];
}

// --- the command line

async function main(args) {
  const { readFile } = await import("node:fs/promises");
  const { createReadStream } = await import("node:fs");
  const { parseArgs } = await import("node:util");
  const many = { type: "string", multiple: true, default: [] };
  const options = { key: many, receipt: many, json: { type: "boolean" } };
  let given;
  try {
    given = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    return [2, error.message];
  }
  const { values: { key, receipt, json }, positionals } = given;
  if (positionals.length !== 1) return [2, "usage: node verify.mjs FILE|- [--key KEY] [--receipt FILE] [--json]"];
  const load = async (path) => valuesIn(await readFile(path, "utf8"));
  const loadKeys = async (one) => keysIn(unbase64url(one)?.length === 32 ? one : await load(one));
  try {
    const keys = (await Promise.all(key.map(loadKeys))).flat();
    const receipts = (await Promise.all(receipt.map(load))).flat();
    const source = positionals[0] === "-" ? process.stdin : createReadStream(positionals[0]);
    const found = await verify(source, { keys, receipts });
    return [found.verdict === "unsound" ? 1 : 0, json ? JSON.stringify(found) : report(found).join("\n")];
  } catch (error) {
    if (error.syscall || error instanceof TypeError || error instanceof SyntaxError) return [2, error.message];
    throw error;
  }
}

if (typeof process !== "undefined" && process.argv?.[1]) {
  const { realpathSync } = await import("node:fs");
  const { pathToFileURL } = await import("node:url");
  if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
    const [status, said] = await main(process.argv.slice(2));
    (status === 2 ? console.error : console.log)(said);
    process.exitCode = status;
  }
}
