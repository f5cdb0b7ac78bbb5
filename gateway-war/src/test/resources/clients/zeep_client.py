# The calls of ShowcaseClient, by zeep in its strict mode: SOAP 1.1, and 1.2 for references.
import hashlib
import sys
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal

import isodate
from zeep import Client, Settings
from zeep.exceptions import Fault
from zeep.helpers import serialize_object

sys.stdout.reconfigure(encoding="utf-8")
settings = Settings(strict=True, xml_huge_tree=True)
problem = "{urn:rmigate:problem}"


def client(address):
    return Client(address + "?wsdl", settings=settings)


def say(name, *values):
    print(name + "=" + " ".join(word(value) for value in values))


def word(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return utc(value) if value.tzinfo else value.isoformat()
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return isodate.duration_isoformat(value)
    return str(value)


def utc(moment):
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def commas(values):
    return ",".join(word(value) for value in values)


def call(operation, *arguments, **named):
    return serialize_object(getattr(showcase, operation)(*arguments, **named), dict)


showcase = client(sys.argv[1]).service

s = call("next", {"z": True, "b": -2, "s": 2, "c": 99, "i": 4, "j": 9007199254740990, "f": 1.5, "d": 2.5,
                  "flag": True, "boxed": 7, "missing": None, "text": "č € & <x> 😀", "large": 1234567890123456788,
                  "exact": Decimal("12.50"), "planet": "EARTH", "id": "123e4567-e89b-12d3-a456-426614174000"})
say("primitives", s["z"], s["b"], s["s"], s["c"], s["i"], s["j"], s["f"], s["d"])
say("wrappers", s["flag"], s["boxed"], s["missing"])
say("scalars", s["text"], s["large"], s["exact"], s["planet"], s["id"])

instant = datetime(2026, 11, 21, 14, 20, 30, tzinfo=timezone.utc)
there = instant.astimezone(timezone(timedelta(hours=1)))
m = call("later", {"date": instant, "calendar": there, "stamp": instant, "day": date(2026, 11, 21),
                   "instant": instant, "offset": there, "zoned": "2026-11-21T15:20:30+01:00[Europe/Ljubljana]",
                   "local": datetime(2026, 11, 21, 14, 20, 30), "localDate": date(2026, 11, 21),
                   "time": time(14, 20, 30), "duration": timedelta(minutes=486), "month": (2026, 11, None)})
say("legacy dates", m["date"], m["calendar"], m["stamp"], m["day"])
say("instants", m["instant"], m["offset"], m["zoned"])
say("dates", m["local"], m["localDate"], m["time"], m["duration"], "%04d-%02d" % m["month"][:2])
say("null", call("echoString", None))
say("overloads", call("kind_int", 7), call("kind_String", "x"))

say("arrays", *[commas(row["item"]) for row in call("transposed", [{"item": [1, 2]}, {"item": [3, 4]}])])
say("texts", *call("reversed", ["a", "b", "ž"]))
say("maps", *[entry["key"] + ":" + commas(entry["value"]) for entry in call("positions", ["b", "a", "b"])])
say("sets", *call("union", ["b", "a"], ["b", "c"]))
page = call("people", 3, 2)
for person in page["items"]:
    say("generics", person["firstName"], commas(person["phoneNumbers"]), person["city"])
say("next", page["next"])
swapped = call("swapped", {"first": "SATURN", "second": "x"})
say("swapped", swapped["first"], swapped["second"])


def shipment(vehicle):
    vehicle.update({"plate": "LJ-1", "route": {"start": "Ljubljana", "end": "Graz", "kilometres": 194}})
    return {"number": "S-1", "loads": [{"Crate": {"pieces": 3, "each": Decimal("12.5")}}], "marks": ["fragile"],
            "seals": {"entry": [{"key": "door", "value": 1}, {"key": "roof", "value": 8}]},
            "price": {"amount": Decimal("12.50"), "currency": "EUR"}}


truck, van = {"axles": 2}, {}
loaded = call("loaded", dict(shipment(truck), vehicle={"Truck": truck}), [{"Tank": {"weight": Decimal("800.0")}}])
say("bean", loaded["number"], commas(loaded["marks"]))
seals = {entry["key"]: entry["value"] for entry in loaded["seals"]["entry"]}
say("seals", "door:%d" % seals["door"], "roof:%d" % seals["roof"])
kind, vehicle = next((kind, value) for kind, value in loaded["vehicle"].items() if value)
say("inherited", kind, vehicle["plate"], vehicle["axles"])
say("interface", *[vehicle["route"][part] for part in ("start", "end", "kilometres")])
for load in loaded["loads"]:
    for kind, value in load.items():
        if value:
            say("sealed", kind, *value.values())
say("immutable", loaded["price"]["amount"], loaded["price"]["currency"])

try:
    call("loaded", dict(shipment(van), vehicle={"Van": van}), [{"Tank": {"weight": Decimal("800.0"), "content": "milk"}}])
except Fault as fault:
    say("fault", fault.message, fault.detail.findtext(".//limit"),
        commas(each.text for each in fault.detail.findall(".//remedies")))
try:
    call("failUnchecked", "secret")
except Fault as fault:
    executed = fault.detail.findtext(".//" + problem + "executed") == "yes"
    say(fault.detail.findtext(".//" + problem + "type"), "executed" if executed else "not executed")

address = call("newCounter", 5)["Address"]
address = address if isinstance(address, str) else address["_value_1"]
counter = client(address)
say("used", counter.bind("CounterService", "CounterSoap12").increment())
say("passed back", call("incrementFor", {"Address": address}))
lease = counter.bind("CounterService", "CounterLease")
say("renewed", lease.renew() > datetime.now(timezone.utc))
lease.release()
try:
    call("incrementFor", {"Address": address})
    say("released", False)
except Fault as fault:
    say("released", fault.detail.findtext(".//" + problem + "type") == "bad-argument")

say("bytes", call("inverted", bytes([0, 1, 255])).hex())
produced = call("produce", 100000, 1)
say("download", len(produced), hashlib.sha256(produced).hexdigest())
receipt = call("receive", bytes(range(256)) * (50 << 12))
say("upload", receipt["length"], receipt["sha256"])
