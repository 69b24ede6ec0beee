// Runs what a test asks of web/verify.mjs, so that many questions need one process: a JSON list of [name, ...arguments]
// on standard input, the list of answers on standard output. Bytes are hex, a log is base64.

import * as own from "../../web/verify.mjs";

const { hex, unhex } = own;
const hexOf = (text) => hex(new TextEncoder().encode(text));
const key = (text) => own.hmacKey(unhex(text));
const keysByKid = async (jwks) => {
  const xs = own.keysIn(jwks);
  return new Map(await Promise.all(xs.map(async (x) => [await own.kidOf(x), x])));
};
async function* pieces(bytes, size) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const answers = {
  canonical: (json) => hexOf(own.canonical(own.parse(json))),
  isCanonical(text) {
    try {
      return own.isCanonical(text, own.parse(text));
    } catch {
      return false;
    }
  },
  hashOf: (value) => own.sha256(new TextEncoder().encode(own.canonical(value))),
  genesis: own.genesis,
  salt: async (seed, prev, v, field) => own.saltOf(await key(seed), prev, v, field),
  digest: own.digestOf,
  entropy: async (seed, game, clientSeeds) => hex(await own.entropyOf(await key(seed), game, clientSeeds)),
  async words(entropy, label, count) {
    const draw = new own.Draw(await key(entropy), label);
    const words = [];
    while (words.length < count) words.push(await draw.word());
    return words;
  },
  async numbers(entropy, label, below) {
    const draw = new own.Draw(await key(entropy), label);
    const numbers = [];
    for (const n of below) numbers.push(await draw.below(n));
    return numbers;
  },
  shuffled: async (entropy, label, items) => new own.Draw(await key(entropy), label).shuffled(items),
  decks: () => [own.FRENCH, [...own.FRENCH, ...own.FRENCH], own.ORDERS, own.BAGS, own.AIRPORT, own.TILES],
  deal: (ruleset, entropy, seats, options) => own.deal(ruleset, unhex(entropy), seats, options),
  commitment: own.commitmentOf,
  kid: (x) => own.kidOf(unhex(x)),
  base64url: (bytes) => own.base64url(unhex(bytes)),
  signedMessage: (signed) => hexOf(own.signedMessage(signed)),
  async says(signed, jwks) {
    const x = (await keysByKid(jwks)).get(signed.key);
    return x === undefined ? "unknown key" : (await own.signatureFits(signed, x)) ? "valid" : "invalid";
  },
  conflict: async (one, other, jwks) => own.conflict(one, other, await keysByKid(jwks)),
  verify: (log, keys, receipts) => own.verify(Uint8Array.from(Buffer.from(log, "base64")), { keys, receipts }),
  verifyInPieces: (log, size) => own.verify(pieces(Uint8Array.from(Buffer.from(log, "base64")), size)),
};

let asked = "";
for await (const piece of process.stdin.setEncoding("utf8")) asked += piece;
const answered = [];
for (const [name, ...given] of JSON.parse(asked)) answered.push(await answers[name](...given));
process.stdout.write(JSON.stringify(answered));
