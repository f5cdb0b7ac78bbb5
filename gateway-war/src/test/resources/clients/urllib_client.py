# The calls of ShowcaseClient in JSON, with nothing but Python itself; bytes as they are.
import base64
import hashlib
import json
import sys
import urllib.error
import urllib.request
from datetime import datetime, timezone

sys.stdout.reconfigure(encoding="utf-8")
base = sys.argv[1]


def send(address, body=None, method="POST", media="application/json"):
    request = urllib.request.Request(address, data=body, method=method, headers={"Content-Type": media})
    try:
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
            return json.loads(text) if text else None
    except urllib.error.HTTPError as failure:
        return json.load(failure)


def call(operation, at=base, **parameters):
    return send(at + "/" + operation, json.dumps(parameters).encode())


def say(name, *values):
    print(name + "=" + " ".join(word(value) for value in values))


def word(value):
    return value if isinstance(value, str) else json.dumps(value)


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(timezone.utc)


def utc(text):
    return instant(text).strftime("%Y-%m-%dT%H:%M:%SZ")


s = call("next", scalars={"z": True, "b": -2, "s": 2, "c": "c", "i": 4, "j": 9007199254740990, "f": 1.5, "d": 2.5,
                          "flag": True, "boxed": 7, "missing": None, "text": "č € & <x> 😀",
                          "large": "1234567890123456788", "exact": "12.50", "planet": "EARTH",
                          "id": "123e4567-e89b-12d3-a456-426614174000"})
say("primitives", s["z"], s["b"], s["s"], ord(s["c"]), s["i"], s["j"], s["f"], s["d"])
say("wrappers", s["flag"], s["boxed"], s["missing"])
say("scalars", s["text"], s["large"], s["exact"], s["planet"], s["id"])

here, there = "2026-11-21T14:20:30Z", "2026-11-21T15:20:30+01:00"
m = call("later", moments={"date": here, "calendar": there, "stamp": here, "day": "2026-11-21", "instant": here,
                           "offset": there, "zoned": there + "[Europe/Ljubljana]", "local": "2026-11-21T14:20:30",
                           "localDate": "2026-11-21", "time": "14:20:30", "duration": "PT8H6M", "month": "2026-11"})
say("legacy dates", utc(m["date"]), utc(m["calendar"]), utc(m["stamp"]), m["day"])
say("instants", utc(m["instant"]), utc(m["offset"]), m["zoned"])
say("dates", m["local"], m["localDate"], m["time"], m["duration"], m["month"])
say("null", call("echoString", value=None))
say("overloads", call("kind_int", value=7), call("kind_String", value="x"))

say("arrays", *[",".join(map(str, row)) for row in call("transposed", rows=[[1, 2], [3, 4]])])
say("texts", *call("reversed", texts=["a", "b", "ž"]))
positions = call("positions", words=["b", "a", "b"])
say("maps", *[key + ":" + ",".join(map(str, places)) for key, places in positions.items()])
say("sets", *call("union", some=["b", "a"], others=["b", "c"]))
page = call("people", first=3, count=2)
for person in page["items"]:
    say("generics", person["firstName"], ",".join(person["phoneNumbers"]), person["city"])
say("next", page["next"])
swapped = call("swapped", pair={"first": "SATURN", "second": "x"})
say("swapped", swapped["first"], swapped["second"])


def load(vehicle, tank):
    vehicle.update({"plate": "LJ-1", "route": {"start": "Ljubljana", "end": "Graz", "kilometres": 194}})
    shipment = {"number": "S-1", "vehicle": vehicle, "loads": [{"@type": "Crate", "pieces": 3, "each": "12.5"}],
                "marks": ["fragile"], "seals": {"door": 1, "roof": 8}, "price": {"amount": "12.50", "currency": "EUR"}}
    return call("loaded", shipment=shipment, more=[dict(tank, **{"@type": "Tank"})])


loaded = load({"@type": "Truck", "axles": 2}, {"weight": "800.0"})
say("bean", loaded["number"], ",".join(loaded["marks"]))
say("seals", *["%s:%d" % (place, loaded["seals"][place]) for place in ("door", "roof")])
vehicle = loaded["vehicle"]
say("inherited", vehicle["@type"], vehicle["plate"], vehicle["axles"])
say("interface", *[vehicle["route"][part] for part in ("start", "end", "kilometres")])
for each in loaded["loads"]:
    say("sealed", each.pop("@type"), *each.values())
say("immutable", loaded["price"]["amount"], loaded["price"]["currency"])

failure = load({"@type": "Van"}, {"weight": "800.0", "content": "milk"})
say("fault", failure["detail"], failure["exception"]["limit"], ",".join(failure["exception"]["remedies"]))
failure = call("failUnchecked", message="secret")
say(failure["type"].split(":")[-1], "executed" if failure["executed"] == "yes" else "not executed")

reference = call("newCounter", start=5)
href = reference["href"]
say("used", call("increment", at=href))
say("passed back", call("incrementFor", counter=href))
say("renewed", instant(send(href + "/lease", method="PUT")["expires"][:19] + "Z") > datetime.now(timezone.utc))
send(href, method="DELETE")
say("released", call("incrementFor", counter=href)["type"] == "urn:rmigate:problem:bad-argument")

say("bytes", base64.b64decode(call("inverted", bytes=base64.b64encode(bytes([0, 1, 255])).decode())).hex())
produced = base64.b64decode(call("produce", length=100000, seed=1))
say("download", len(produced), hashlib.sha256(produced).hexdigest())
receipt = send(base + "/receive", bytes(range(256)) * (50 << 12), media="application/octet-stream")
say("upload", receipt["length"], receipt["sha256"])
