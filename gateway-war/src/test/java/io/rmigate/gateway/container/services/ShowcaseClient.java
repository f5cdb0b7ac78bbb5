package io.rmigate.gateway.container.services;

import io.rmigate.sample.Counter;
import io.rmigate.sample.Person;
import io.rmigate.sample.Planet;
import io.rmigate.sample.Showcase;
import io.rmigate.sample.value.Load;
import io.rmigate.sample.value.Load.Crate;
import io.rmigate.sample.value.Load.Tank;
import io.rmigate.sample.value.Moments;
import io.rmigate.sample.value.Money;
import io.rmigate.sample.value.Page;
import io.rmigate.sample.value.Pair;
import io.rmigate.sample.value.Receipt;
import io.rmigate.sample.value.Road;
import io.rmigate.sample.value.Scalars;
import io.rmigate.sample.value.Shipment;
import io.rmigate.sample.value.TooHeavy;
import io.rmigate.sample.value.Truck;
import io.rmigate.sample.value.Van;
import io.rmigate.sample.value.Vehicle;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.rmi.registry.LocateRegistry;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Calls {@link Showcase} by plain RMI, without a gateway, and prints what it gets, a line for each
 * kind of value. Clients in other languages make the same calls and must print the same.
 *
 * <p>Arguments: host and port of the registry.
 */
final class ShowcaseClient {
  private static final Instant INSTANT = Instant.parse("2026-11-21T14:20:30Z");

  private final Showcase showcase;
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private ShowcaseClient(Showcase showcase) {
    this.showcase = showcase;
  }

  public static void main(String[] args) throws Exception {
    ShowcaseClient client =
        new ShowcaseClient(
            (Showcase)
                LocateRegistry.getRegistry(args[0], Integer.parseInt(args[1]))
                    .lookup(Showcase.NAME));
    client.plainValues();
    client.collections();
    client.beans();
    client.failures();
    client.references();
    client.bytes();
  }

  private void say(String name, Object... values) {
    out.println(
        name + "=" + Arrays.stream(values).map(String::valueOf).collect(Collectors.joining(" ")));
  }

  private void plainValues() throws Exception {
    Scalars s =
        showcase.next(
            new Scalars(
                true,
                (byte) -2,
                (short) 2,
                'c',
                4,
                9007199254740990L,
                1.5f,
                2.5,
                true,
                7,
                null,
                "\u010d \u20ac & <x> \ud83d\ude00",
                new BigInteger("1234567890123456788"),
                new BigDecimal("12.50"),
                Planet.EARTH,
                UUID.fromString("123e4567-e89b-12d3-a456-426614174000")));
    say("primitives", s.z(), s.b(), s.s(), (int) s.c(), s.i(), s.j(), s.f(), s.d());
    say("wrappers", s.flag(), s.boxed(), s.missing());
    say("scalars", s.text(), s.large(), s.exact(), s.planet(), s.id());

    Moments given = new Moments();
    given.date = Date.from(INSTANT);
    given.calendar = GregorianCalendar.from(INSTANT.atZone(ZoneId.of("Europe/Ljubljana")));
    given.stamp = java.sql.Timestamp.from(INSTANT);
    given.day = java.sql.Date.valueOf("2026-11-21");
    given.instant = INSTANT;
    given.offset = INSTANT.atZone(ZoneId.of("+01:00")).toOffsetDateTime();
    given.zoned = INSTANT.atZone(ZoneId.of("Europe/Ljubljana"));
    given.local = LocalDateTime.parse("2026-11-21T14:20:30");
    given.localDate = LocalDate.parse("2026-11-21");
    given.time = LocalTime.parse("14:20:30");
    given.duration = Duration.ofMinutes(486);
    given.month = YearMonth.of(2026, 11);
    Moments m = showcase.later(given);
    say("legacy dates", m.date.toInstant(), m.calendar.toInstant(), m.stamp.toInstant(), m.day);
    say("instants", m.instant, m.offset.toInstant(), m.zoned);
    say("dates", m.local, m.localDate, m.time, m.duration, m.month);
    say("null", showcase.echoString(null));
    say("overloads", showcase.kind(7), showcase.kind("x"));
  }

  private void collections() throws Exception {
    long[][] columns = showcase.transposed(new long[][] {{1, 2}, {3, 4}});
    say(
        "arrays",
        Arrays.stream(columns)
            .map(row -> Arrays.stream(row).mapToObj(Long::toString).collect(commas()))
            .collect(Collectors.joining(" ")));
    // No null among them: zeep leaves such elements out, both on its way and back.
    say("texts", (Object[]) showcase.reversed(new String[] {"a", "b", "\u017e"}));
    Map<String, List<Integer>> positions = showcase.positions(List.of("b", "a", "b"));
    say(
        "maps",
        positions.entrySet().stream()
            .map(
                e ->
                    e.getKey() + ":" + e.getValue().stream().map(String::valueOf).collect(commas()))
            .collect(Collectors.joining(" ")));
    say("sets", showcase.union(Set.of("b", "a"), Set.of("b", "c")).toArray());
    Page<Person> page = showcase.people(3, 2);
    for (Person p : page.items()) {
      say("generics", p.firstName(), p.phoneNumbers().stream().collect(commas()), p.city());
    }
    say("next", page.next());
    Pair<String, Planet> swapped = showcase.swapped(new Pair<>(Planet.SATURN, "x"));
    say("swapped", swapped.first(), swapped.second());
  }

  private static java.util.stream.Collector<CharSequence, ?, String> commas() {
    return Collectors.joining(",");
  }

  private static Shipment shipment(Vehicle vehicle) {
    vehicle.setPlate("LJ-1");
    vehicle.setRoute(new Road("Ljubljana", "Graz", 194));
    Shipment shipment = new Shipment();
    shipment.setNumber("S-1");
    shipment.setVehicle(vehicle);
    shipment.getLoads().add(new Crate(3, new BigDecimal("12.5")));
    shipment.setMarks(new TreeSet<>(Set.of("fragile")));
    shipment.setSeals(new TreeMap<>(Map.of("door", 1, "roof", 8)));
    shipment.setPrice(new Money(new BigDecimal("12.50"), "EUR"));
    return shipment;
  }

  private void beans() throws Exception {
    Truck truck = new Truck();
    truck.setAxles(2);
    Shipment s = showcase.loaded(shipment(truck), new Tank(new BigDecimal("800.0"), null));
    Truck same = (Truck) s.getVehicle();
    Road road = (Road) same.getRoute();
    say("bean", s.getNumber(), s.getMarks().stream().collect(commas()));
    say("seals", "door:" + s.getSeals().get("door"), "roof:" + s.getSeals().get("roof"));
    say("inherited", same.getClass().getSimpleName(), same.getPlate(), same.getAxles());
    say("interface", road.start(), road.end(), road.kilometres());
    for (Load load : s.getLoads()) {
      if (load instanceof Crate crate) {
        say("sealed", "Crate", crate.pieces(), crate.each());
      } else if (load instanceof Tank tank) {
        say("sealed", "Tank", tank.weight(), tank.content());
      }
    }
    say("immutable", s.getPrice().getAmount(), s.getPrice().getCurrency());
  }

  private void failures() throws Exception {
    try {
      showcase.loaded(shipment(new Van()), new Tank(new BigDecimal("800.0"), "milk"));
    } catch (TooHeavy e) {
      say("fault", e.getMessage(), e.getLimit(), e.getRemedies().stream().collect(commas()));
    }
    try {
      showcase.failUnchecked("secret");
    } catch (IllegalStateException e) {
      say("failed", "executed"); // what others are told of it
    }
  }

  /** RMI renews by itself, and releases what is not used any more. */
  private void references() throws Exception {
    Counter counter = showcase.newCounter(5);
    say("used", counter.increment());
    say("passed back", showcase.incrementFor(counter));
    say("renewed", true);
    say("released", true);
  }

  private void bytes() throws Exception {
    say("bytes", HexFormat.of().formatHex(showcase.inverted(new byte[] {0, 1, -1})));
    byte[] produced = showcase.produce(100_000, 1);
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(produced);
    say("download", produced.length, HexFormat.of().formatHex(digest));
    byte[] upload = new byte[50 << 20];
    for (int i = 0; i < upload.length; i++) {
      upload[i] = (byte) i;
    }
    Receipt receipt = showcase.receive(upload);
    say("upload", receipt.length(), receipt.sha256());
  }
}
