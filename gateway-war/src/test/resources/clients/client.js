// The calls of ShowcaseClient in JSON, with nothing but Node itself.
const { createHash } = require("node:crypto");
const base = process.argv[2];

async function send(address, body, method = "POST") {
  const answer = await fetch(address, { method, body, headers: { "Content-Type": "application/json" } });
  const text = await answer.text();
  return text ? JSON.parse(text) : null;
}

const call = (operation, parameters = {}, at = base) => send(`${at}/${operation}`, JSON.stringify(parameters));
const word = (value) => (value instanceof Buffer ? value.toString("hex") : String(value ?? null));
const say = (name, ...values) => console.log(`${name}=${values.map(word).join(" ")}`);
const utc = (moment) => new Date(moment).toISOString().replace(".000", "");
const sha256 = (bytes) => createHash("sha256").update(bytes).digest();

async function plainValues() {
  const s = await call("next", { scalars: { z: true, b: -2, s: 2, c: "c", i: 4, j: 9007199254740990, f: 1.5,
    d: 2.5, flag: true, boxed: 7, missing: null, text: "č € & <x> 😀", large: "1234567890123456788",
    exact: "12.50", planet: "EARTH", id: "123e4567-e89b-12d3-a456-426614174000" } });
  say("primitives", s.z, s.b, s.s, s.c.charCodeAt(0), s.i, s.j, s.f, s.d);
  say("wrappers", s.flag, s.boxed, s.missing);
  say("scalars", s.text, s.large, s.exact, s.planet, s.id);

  const [instant, there] = ["2026-11-21T14:20:30Z", "2026-11-21T15:20:30+01:00"];
  const m = await call("later", { moments: { date: instant, calendar: there, stamp: instant, day: "2026-11-21",
    instant, offset: there, zoned: there + "[Europe/Ljubljana]", local: "2026-11-21T14:20:30",
    localDate: "2026-11-21", time: "14:20:30", duration: "PT8H6M", month: "2026-11" } });
  say("legacy dates", utc(m.date), utc(m.calendar), utc(m.stamp), m.day);
  say("instants", utc(m.instant), utc(m.offset), m.zoned);
  say("dates", m.local, m.localDate, m.time, m.duration, m.month);
  say("null", await call("echoString", { value: null }));
  say("overloads", await call("kind_int", { value: 7 }), await call("kind_String", { value: "x" }));
}

async function collections() {
  say("arrays", ...(await call("transposed", { rows: [[1, 2], [3, 4]] })));
  say("texts", ...(await call("reversed", { texts: ["a", "b", "ž"] })));
  const positions = await call("positions", { words: ["b", "a", "b"] });
  say("maps", ...Object.entries(positions).map(([key, values]) => `${key}:${values}`));
  say("sets", ...(await call("union", { some: ["b", "a"], others: ["b", "c"] })));
  const page = await call("people", { first: 3, count: 2 });
  for (const person of page.items) say("generics", person.firstName, person.phoneNumbers, person.city);
  say("next", page.next);
  const swapped = await call("swapped", { pair: { first: "SATURN", second: "x" } });
  say("swapped", swapped.first, swapped.second);
}

const shipment = (vehicle, tank) => ({
  shipment: { number: "S-1", loads: [{ "@type": "Crate", pieces: 3, each: "12.5" }], marks: ["fragile"],
    vehicle: { ...vehicle, plate: "LJ-1", route: { start: "Ljubljana", end: "Graz", kilometres: 194 } },
    seals: { door: 1, roof: 8 }, price: { amount: "12.50", currency: "EUR" } },
  more: [{ "@type": "Tank", ...tank }] });

async function beans() {
  const loaded = await call("loaded", shipment({ "@type": "Truck", axles: 2 }, { weight: "800.0" }));
  say("bean", loaded.number, loaded.marks);
  say("seals", "door:" + loaded.seals.door, "roof:" + loaded.seals.roof);
  const { vehicle } = loaded;
  say("inherited", vehicle["@type"], vehicle.plate, vehicle.axles);
  say("interface", vehicle.route.start, vehicle.route.end, vehicle.route.kilometres);
  for (const { "@type": kind, ...load } of loaded.loads) say("sealed", kind, ...Object.values(load));
  say("immutable", loaded.price.amount, loaded.price.currency);
}

async function failures() {
  const heavy = await call("loaded", shipment({ "@type": "Van" }, { weight: "800.0", content: "milk" }));
  say("fault", heavy.detail, heavy.exception.limit, heavy.exception.remedies);
  const failed = await call("failUnchecked", { message: "secret" });
  say(failed.type.split(":").pop(), failed.executed === "yes" ? "executed" : "not executed");
}

async function references() {
  const counter = await call("newCounter", { start: 5 });
  say("used", await call("increment", {}, counter.href));
  say("passed back", await call("incrementFor", { counter }));
  const lease = await send(counter.href + "/lease", undefined, "PUT");
  say("renewed", new Date(lease.expires) > new Date());
  await send(counter.href, undefined, "DELETE");
  const gone = await call("incrementFor", { counter });
  say("released", gone.type === "urn:rmigate:problem:bad-argument");
}

async function bytes() {
  const inverted = await call("inverted", { bytes: Buffer.from([0, 1, 255]).toString("base64") });
  say("bytes", Buffer.from(inverted, "base64"));
  const produced = Buffer.from(await call("produce", { length: 100000, seed: 1 }), "base64");
  say("download", produced.length, sha256(produced));
  const upload = Buffer.alloc(50 << 20);
  for (let i = 0; i < upload.length; i++) upload[i] = i & 255;
  const receipt = await call("receive", { bytes: upload.toString("base64") });
  say("upload", receipt.length, receipt.sha256);
}

(async () => {
  for (const part of [plainValues, collections, beans, failures, references, bytes]) await part();
})();
