// The calls of ShowcaseClient, with classes that Mono's wsdl has made of our WSDL: SOAP 1.1.
// Namespace Showcases: of the published object; Counters: of what it gives references to.
using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Web.Services.Protocols;
using System.Xml;
using Showcases;

class Client
{
    static readonly DateTime instant = new DateTime(2026, 11, 21, 14, 20, 30, DateTimeKind.Utc);
    static readonly DateTime local = new DateTime(2026, 11, 21, 14, 20, 30);
    static readonly StreamWriter console = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
    static ShowcaseService showcase;

    static void Say(string name, params object[] values)
    {
        console.Write(name + "=" + string.Join(" ", values.Select(Word)) + "\n");
        console.Flush();
    }

    static string Word(object value)
    {
        if (value is bool) return (bool)value ? "true" : "false";
        if (value is byte[]) return string.Concat(((byte[])value).Select(b => b.ToString("x2")));
        return value == null ? "null" : value.ToString();
    }

    static string Commas<T>(T[] values)
    {
        return string.Join(",", values);
    }

    static string Utc(DateTime moment)
    {
        return moment.ToUniversalTime().ToString("yyyy-MM-dd'T'HH:mm:ss'Z'");
    }

    static string Detail(SoapException fault, string name)
    {
        return Commas(fault.Detail.SelectNodes(".//*[local-name()='" + name + "']").Cast<XmlNode>()
            .Select(node => node.InnerText).ToArray());
    }

    static void PlainValues()
    {
        var s = showcase.next(new Scalars {
            z = true, b = -2, s = 2, c = 99, i = 4, j = 9007199254740990, f = 1.5f, d = 2.5,
            flag = true, flagSpecified = true, boxed = 7, boxedSpecified = true, text = "č € & <x> 😀",
            large = "1234567890123456788", exact = 12.50m, exactSpecified = true,
            planet = Planet.EARTH, planetSpecified = true, id = "123e4567-e89b-12d3-a456-426614174000" });
        Say("primitives", s.z, s.b, s.s, s.c, s.i, s.j, s.f, s.d);
        Say("wrappers", s.flag, s.boxed, s.missingSpecified ? (object)s.missing : null);
        Say("scalars", s.text, s.large, s.exact, s.planet, s.id);

        var m = showcase.later(new Moments {
            date = instant, dateSpecified = true, calendar = instant, calendarSpecified = true,
            stamp = instant, stampSpecified = true, day = local, daySpecified = true,
            instant = instant, instantSpecified = true, offset = instant, offsetSpecified = true,
            zoned = "2026-11-21T15:20:30+01:00[Europe/Ljubljana]", local = local, localSpecified = true,
            localDate = local, localDateSpecified = true, time = local, timeSpecified = true,
            duration = "PT8H6M", month = "2026-11" });
        const string day = "yyyy-MM-dd";
        Say("legacy dates", Utc(m.date), Utc(m.calendar), Utc(m.stamp), m.day.ToString(day));
        Say("instants", Utc(m.instant), Utc(m.offset), m.zoned);
        Say("dates", m.local.ToString("yyyy-MM-dd'T'HH:mm:ss"), m.localDate.ToString(day), m.time.ToString("HH:mm:ss"),
            m.duration, m.month);
        Say("null", showcase.echoString(null));
        Say("overloads", showcase.kind_int(7), showcase.kind_String("x"));
    }

    static void Collections()
    {
        var columns = showcase.transposed(new[] {
            new ArrayOfLong { item = new long[] { 1, 2 } }, new ArrayOfLong { item = new long[] { 3, 4 } } });
        Say("arrays", columns.Select(row => Commas(row.item)).ToArray());
        Say("texts", showcase.reversed(new[] { "a", "b", "ž" }));
        Say("maps", showcase.positions(new[] { "b", "a", "b" })
            .Select(entry => entry.key + ":" + Commas(entry.value)).ToArray());
        Say("sets", showcase.union(new[] { "b", "a" }, new[] { "b", "c" }));
        var page = showcase.people(3, 2);
        foreach (var person in page.items) Say("generics", person.firstName, Commas(person.phoneNumbers), person.city);
        Say("next", page.next);
        var swapped = showcase.swapped(new PairOfPlanetAndString {
            first = Planet.SATURN, firstSpecified = true, second = "x" });
        Say("swapped", swapped.first, swapped.second);
    }

    static Shipment Shipped(object vehicle)
    {
        return new Shipment {
            number = "S-1", vehicle = new AnyVehicle { Item = vehicle }, marks = new[] { "fragile" },
            loads = new[] { new AnyLoad { Item = new Crate { pieces = 3, each = 12.5m, eachSpecified = true } } },
            seals = new[] {
                new MapOfStringToIntegerEntry { key = "door", value = 1, valueSpecified = true },
                new MapOfStringToIntegerEntry { key = "roof", value = 8, valueSpecified = true } },
            price = new Money { amount = 12.50m, amountSpecified = true, currency = "EUR" } };
    }

    static Road Route()
    {
        return new Road { start = "Ljubljana", end = "Graz", kilometres = 194 };
    }

    static AnyLoad[] Filled(string content)
    {
        return new[] { new AnyLoad { Item = new Tank { weight = 800.0m, weightSpecified = true, content = content } } };
    }

    static void Beans()
    {
        var truck = new Truck { plate = "LJ-1", route = Route(), axles = 2, axlesSpecified = true };
        var loaded = showcase.loaded(Shipped(truck), Filled(null));
        Say("bean", loaded.number, Commas(loaded.marks));
        Say("seals", loaded.seals.Select(entry => entry.key + ":" + entry.value).ToArray());
        truck = (Truck)loaded.vehicle.Item;
        Say("inherited", truck.GetType().Name, truck.plate, truck.axles);
        Say("interface", truck.route.start, truck.route.end, truck.route.kilometres);
        foreach (var load in loaded.loads)
        {
            var crate = load.Item as Crate;
            var tank = load.Item as Tank;
            if (crate != null) Say("sealed", "Crate", crate.pieces, crate.each);
            else Say("sealed", "Tank", tank.weight, tank.content);
        }
        Say("immutable", loaded.price.amount, loaded.price.currency);
    }

    static void Failures()
    {
        try { showcase.loaded(Shipped(new Van { plate = "LJ-1", route = Route() }), Filled("milk")); }
        catch (SoapException e) { Say("fault", e.Message, Detail(e, "limit"), Detail(e, "remedies")); }
        try { showcase.failUnchecked("secret"); }
        catch (SoapException e) { Say(Detail(e, "type"), Detail(e, "executed") == "yes" ? "executed" : "not executed"); }
    }

    static void References()
    {
        var reference = showcase.newCounter(5);
        Say("used", new Counters.CounterSoap11 { Url = reference.Address }.increment());
        Say("passed back", showcase.incrementFor(reference));
        var lease = new Counters.CounterLease { Url = reference.Address };
        Say("renewed", lease.renew().ToUniversalTime() > DateTime.UtcNow);
        lease.release();
        try { Say("released", showcase.incrementFor(reference) < 0); }
        catch (SoapException e) { Say("released", Detail(e, "type") == "bad-argument"); }
    }

    static void Bytes()
    {
        Say("bytes", showcase.inverted(new byte[] { 0, 1, 255 }));
        var produced = showcase.produce(100000, 1);
        Say("download", produced.Length, SHA256.Create().ComputeHash(produced));
        var upload = new byte[50 << 20];
        for (var i = 0; i < upload.Length; i++) upload[i] = (byte)i;
        var receipt = showcase.receive(upload);
        Say("upload", receipt.length, receipt.sha256);
    }

    static void Main(string[] arguments)
    {
        showcase = new ShowcaseService { Url = arguments[0], Timeout = 300000 };
        PlainValues();
        Collections();
        Beans();
        Failures();
        References();
        Bytes();
    }
}
