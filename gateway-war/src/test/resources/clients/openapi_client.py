# The calls of ShowcaseClient by the classes that openapi-generator makes of the OpenAPI document.
# Arguments: the object's address, the directory of the classes.
import base64
import datetime
import sys
import urllib.request

sys.path.insert(0, sys.argv[2])
import showcase
from showcase import *
from showcase.exceptions import ApiException

sys.stdout.reconfigure(encoding="utf-8")
client = showcase.ApiClient(showcase.Configuration(host=sys.argv[1]))
api = showcase.ShowcaseApi(client)


def say(name, *values):
    print(name + "=" + " ".join(word(value) for value in values))


def word(value):
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


s = api.next(NextRequest(scalars=Scalars(
    z=True, b=-2, s=2, c="c", i=4, j=9007199254740990, f=FloatNumber(1.5), d=DoubleNumber(2.5), flag=True, boxed=7,
    missing=None, text="č € & <x> 😀", large="1234567890123456788", exact="12.50", planet=Planet.EARTH,
    id="123e4567-e89b-12d3-a456-426614174000")))
say("primitives", s.z, s.b, s.s, ord(s.c), s.i, s.j, s.f.actual_instance, s.d.actual_instance)
say("wrappers", s.flag, s.boxed, s.missing)
say("scalars", s.text, s.large, s.exact, s.planet.value, s.id)

here, there = "2026-11-21T14:20:30Z", "2026-11-21T15:20:30+01:00"
m = api.later(LaterRequest(moments=Moments(
    var_date=here, calendar=there, stamp=here, day="2026-11-21", instant=here, offset=there,
    zoned=there + "[Europe/Ljubljana]", local="2026-11-21T14:20:30", local_date="2026-11-21", time="14:20:30",
    duration="PT8H6M", month="2026-11")))
say("legacy dates", m.var_date, m.calendar, m.stamp, m.day.isoformat())
say("instants", m.instant, m.offset, m.zoned)
say("dates", m.local, m.local_date.isoformat(), m.time, m.duration, m.month)
say("null", api.echo_string(EchoStringRequest(value=None)))
say("overloads", api.kind_int(KindIntRequest(value=7)), api.kind_string(KindStringRequest(value="x")))

say("arrays", *[",".join(map(str, row)) for row in api.transposed(TransposedRequest(rows=[[1, 2], [3, 4]]))])
say("texts", *api.reversed(ReversedRequest(texts=["a", "b", "ž"])))
positions = api.positions(PositionsRequest(words=["b", "a", "b"]))
say("maps", *[key + ":" + ",".join(map(str, places)) for key, places in positions.items()])
say("sets", *api.union(UnionRequest(some=["b", "a"], others=["b", "c"])))
page = api.people(PeopleRequest(first=3, count=2))
for person in page.items:
    say("generics", person.first_name, ",".join(person.phone_numbers), person.city)
say("next", page.next)
swapped = api.swapped(SwappedRequest(pair=PairOfPlanetAndString(first=Planet.SATURN, second="x")))
say("swapped", swapped.first, swapped.second.value)


def load(vehicle, tank):
    vehicle.plate = "LJ-1"
    vehicle.route = Road(start="Ljubljana", end="Graz", kilometres=194)
    shipment = Shipment(
        number="S-1", vehicle=AnyVehicle(vehicle), marks=["fragile"], seals={"door": 1, "roof": 8},
        loads=[AnyLoad(AnyLoadCrate(type="Crate", pieces=3, each="12.5"))], price=Money(amount="12.50", currency="EUR"))
    return api.loaded(LoadedRequest(shipment=shipment, more=[AnyLoad(tank)]))


loaded = load(AnyVehicleTruck(type="Truck", axles=2), AnyLoadTank(type="Tank", weight="800.0", content=None))
say("bean", loaded.number, ",".join(loaded.marks))
say("seals", *["%s:%d" % (place, loaded.seals[place]) for place in ("door", "roof")])
truck = loaded.vehicle.actual_instance
say("inherited", truck.type, truck.plate, truck.axles)
say("interface", truck.route.start, truck.route.end, truck.route.kilometres)
crate, tank = [each.actual_instance for each in loaded.loads]
say("sealed", crate.type, crate.pieces, crate.each)
say("sealed", tank.type, tank.weight, tank.content)
say("immutable", loaded.price.amount, loaded.price.currency)

try:
    load(AnyVehicleVan(type="Van"), AnyLoadTank(type="Tank", weight="800.0", content="milk"))
except ApiException as failure:
    say("fault", failure.data.detail, failure.data.exception.limit, ",".join(failure.data.exception.remedies))
try:
    api.fail_unchecked(FailUncheckedRequest(message="secret"))
except ApiException as failure:
    say(failure.data.type.split(":")[-1], "executed" if failure.data.executed == "yes" else "not executed")

reference = api.new_counter(NewCounterRequest(start=5))
say("used", showcase.CounterApi(client).counter_increment(reference.href.split("/")[-1]))
say("passed back", api.increment_for(IncrementForRequest(counter=reference)))
urllib.request.urlopen(urllib.request.Request(reference.href, method="DELETE"))
try:
    api.increment_for(IncrementForRequest(counter=reference))
except ApiException as failure:
    say("released", failure.data.type == "urn:rmigate:problem:bad-argument")

# The classes take bytes, but cannot send them: they want base64.
inverted = api.inverted(InvertedRequest(bytes=base64.b64encode(bytes([0, 1, 255])).decode()))
say("bytes", base64.b64decode(inverted).hex())
