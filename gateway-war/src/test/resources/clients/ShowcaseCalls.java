import counters.Counter;
import counters.CounterLease;
import counters.CounterService;
import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.soap.MTOMFeature;
import jakarta.xml.ws.soap.SOAPFaultException;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.datatype.XMLGregorianCalendar;
import javax.xml.transform.dom.DOMResult;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import showcases.*;

/**
 * The calls of ShowcaseClient, with classes that Metro's wsimport has made of our WSDL: SOAP 1.1,
 * 1.2 for references, and MTOM for bytes.
 */
public final class ShowcaseCalls {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
  private final DatatypeFactory types = DatatypeFactory.newDefaultInstance();
  private final ShowcaseService service;
  private final Showcase showcase;

  private ShowcaseCalls(String address) throws Exception {
    service = new ShowcaseService(new URL(address + "?wsdl"));
    showcase = service.getShowcaseSoap11();
  }

  /** Makes all calls; returns the lines. */
  public static String run(String address) throws Exception {
    ShowcaseCalls calls = new ShowcaseCalls(address);
    calls.plainValues();
    calls.collections();
    calls.beans();
    calls.failures();
    calls.references();
    calls.bytes();
    return calls.bytes.toString(StandardCharsets.UTF_8);
  }

  private void say(String name, Object... values) {
    out.print(name + "=" + Arrays.stream(values).map(String::valueOf).collect(Collectors.joining(" ")) + "\n");
  }

  private static String commas(List<?> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private XMLGregorianCalendar xml(String text) {
    return types.newXMLGregorianCalendar(text);
  }

  private static Instant utc(XMLGregorianCalendar moment) {
    return OffsetDateTime.parse(moment.toXMLFormat()).toInstant();
  }

  private void plainValues() {
    Scalars given = new Scalars();
    given.setZ(true);
    given.setB((byte) -2);
    given.setS((short) 2);
    given.setC('c');
    given.setI(4);
    given.setJ(9007199254740990L);
    given.setF(1.5f);
    given.setD(2.5);
    given.setFlag(true);
    given.setBoxed(7);
    given.setText("\u010d \u20ac & <x> \ud83d\ude00");
    given.setLarge(new BigInteger("1234567890123456788"));
    given.setExact(new BigDecimal("12.50"));
    given.setPlanet(Planet.EARTH);
    given.setId("123e4567-e89b-12d3-a456-426614174000");
    Scalars s = showcase.next(given);
    say("primitives", s.isZ(), s.getB(), s.getS(), s.getC(), s.getI(), s.getJ(), s.getF(), s.getD());
    say("wrappers", s.isFlag(), s.getBoxed(), s.getMissing());
    say("scalars", s.getText(), s.getLarge(), s.getExact(), s.getPlanet(), s.getId());

    XMLGregorianCalendar here = xml("2026-11-21T14:20:30Z");
    XMLGregorianCalendar there = xml("2026-11-21T15:20:30+01:00");
    Moments moments = new Moments();
    moments.setDate(here);
    moments.setCalendar(there);
    moments.setStamp(here);
    moments.setDay(xml("2026-11-21"));
    moments.setInstant(here);
    moments.setOffset(there);
    moments.setZoned(there + "[Europe/Ljubljana]");
    moments.setLocal(xml("2026-11-21T14:20:30"));
    moments.setLocalDate(xml("2026-11-21"));
    moments.setTime(xml("14:20:30"));
    moments.setDuration(types.newDuration("PT8H6M"));
    moments.setMonth(xml("2026-11"));
    Moments m = showcase.later(moments);
    say("legacy dates", utc(m.getDate()), utc(m.getCalendar()), utc(m.getStamp()), m.getDay());
    say("instants", utc(m.getInstant()), utc(m.getOffset()), m.getZoned());
    say("dates", m.getLocal(), m.getLocalDate(), m.getTime(), m.getDuration(), m.getMonth());
    say("null", showcase.echoString(null));
    say("overloads", showcase.kindInt(7), showcase.kindString("x"));
  }

  private static ArrayOfLong row(Long... values) {
    ArrayOfLong row = new ArrayOfLong();
    row.getItem().addAll(List.of(values));
    return row;
  }

  private void collections() {
    List<ArrayOfLong> columns = showcase.transposed(List.of(row(1L, 2L), row(3L, 4L)));
    say("arrays", columns.stream().map(row -> commas(row.getItem())).toArray());
    say("texts", showcase.reversed(List.of("a", "b", "\u017e")).toArray());
    MapOfStringToArrayOfInteger positions = showcase.positions(List.of("b", "a", "b"));
    say("maps", positions.getEntry().stream().map(e -> e.getKey() + ":" + commas(e.getValue())).toArray());
    say("sets", showcase.union(List.of("b", "a"), List.of("b", "c")).toArray());
    PageOfPerson page = showcase.people(3, 2);
    for (Person person : page.getItems()) {
      say("generics", person.getFirstName(), commas(person.getPhoneNumbers()), person.getCity());
    }
    say("next", page.getNext());
    PairOfPlanetAndString pair = new PairOfPlanetAndString();
    pair.setFirst(Planet.SATURN);
    pair.setSecond("x");
    PairOfStringAndPlanet swapped = showcase.swapped(pair);
    say("swapped", swapped.getFirst(), swapped.getSecond());
  }

  private static Road route() {
    Road road = new Road();
    road.setStart("Ljubljana");
    road.setEnd("Graz");
    road.setKilometres(194);
    return road;
  }

  private static MapOfStringToInteger.Entry seal(String place, int number) {
    MapOfStringToInteger.Entry entry = new MapOfStringToInteger.Entry();
    entry.setKey(place);
    entry.setValue(number);
    return entry;
  }

  private static Shipment shipment(AnyVehicle vehicle) {
    Crate crate = new Crate();
    crate.setPieces(3);
    crate.setEach(new BigDecimal("12.5"));
    AnyLoad load = new AnyLoad();
    load.setCrate(crate);
    Money price = new Money();
    price.setAmount(new BigDecimal("12.50"));
    price.setCurrency("EUR");
    Shipment shipment = new Shipment();
    shipment.setNumber("S-1");
    shipment.setVehicle(vehicle);
    shipment.getLoads().add(load);
    shipment.getMarks().add("fragile");
    shipment.setSeals(new MapOfStringToInteger());
    shipment.getSeals().getEntry().addAll(List.of(seal("door", 1), seal("roof", 8)));
    shipment.setPrice(price);
    return shipment;
  }

  private static List<AnyLoad> filled(String content) {
    Tank tank = new Tank();
    tank.setWeight(new BigDecimal("800.0"));
    tank.setContent(content);
    AnyLoad load = new AnyLoad();
    load.setTank(tank);
    return List.of(load);
  }

  private void beans() throws Exception {
    Truck truck = new Truck();
    truck.setPlate("LJ-1");
    truck.setRoute(route());
    truck.setAxles(2);
    AnyVehicle vehicle = new AnyVehicle();
    vehicle.setTruck(truck);
    Shipment loaded = showcase.loaded(shipment(vehicle), filled(null));
    say("bean", loaded.getNumber(), commas(loaded.getMarks()));
    say("seals", loaded.getSeals().getEntry().stream().map(e -> e.getKey() + ":" + e.getValue()).toArray());
    Truck same = loaded.getVehicle().getTruck();
    say("inherited", same.getClass().getSimpleName(), same.getPlate(), same.getAxles());
    Road road = same.getRoute();
    say("interface", road.getStart(), road.getEnd(), road.getKilometres());
    for (AnyLoad load : loaded.getLoads()) {
      if (load.getCrate() != null) {
        say("sealed", "Crate", load.getCrate().getPieces(), load.getCrate().getEach());
      } else {
        say("sealed", "Tank", load.getTank().getWeight(), load.getTank().getContent());
      }
    }
    say("immutable", loaded.getPrice().getAmount(), loaded.getPrice().getCurrency());
  }

  private static String detail(SOAPFaultException fault, String name) {
    NodeList found = fault.getFault().getDetail().getElementsByTagNameNS("urn:rmigate:problem", name);
    return found.item(0).getTextContent();
  }

  private void failures() {
    Van van = new Van();
    van.setPlate("LJ-1");
    van.setRoute(route());
    AnyVehicle vehicle = new AnyVehicle();
    vehicle.setVan(van);
    try {
      showcase.loaded(shipment(vehicle), filled("milk"));
    } catch (TooHeavyFault e) {
      TooHeavy heavy = e.getFaultInfo();
      say("fault", e.getMessage(), heavy.getLimit(), commas(heavy.getRemedies()));
    }
    try {
      showcase.failUnchecked("secret");
    } catch (SOAPFaultException e) {
      say(detail(e, "type"), detail(e, "executed").equals("yes") ? "executed" : "not executed");
    }
  }

  private static String address(W3CEndpointReference reference) {
    DOMResult written = new DOMResult();
    reference.writeTo(written);
    return ((Document) written.getNode())
        .getElementsByTagNameNS("http://www.w3.org/2005/08/addressing", "Address")
        .item(0)
        .getTextContent();
  }

  private void references() throws Exception {
    W3CEndpointReference reference = showcase.newCounter(5);
    CounterService counters = new CounterService(new URL(address(reference) + "?wsdl"));
    say("used", counters.getPort(reference, Counter.class).increment());
    say("passed back", showcase.incrementFor(reference));
    CounterLease lease = counters.getCounterLease();
    say("renewed", utc(lease.renew()).isAfter(Instant.now()));
    lease.release();
    try {
      say("released", showcase.incrementFor(reference) < 0);
    } catch (SOAPFaultException e) {
      say("released", detail(e, "type").equals("bad-argument"));
    }
  }

  private void bytes() throws Exception {
    Showcase attaching = service.getShowcaseSoap11(new MTOMFeature());
    // As it is written, instead of as a whole before.
    ((BindingProvider) attaching)
        .getRequestContext()
        .put("com.sun.xml.ws.transport.http.client.streaming.chunk.size", 8192);
    say("bytes", HexFormat.of().formatHex(attaching.inverted(new byte[] {0, 1, -1})));
    byte[] produced = attaching.produce(100_000, 1);
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(produced);
    say("download", produced.length, HexFormat.of().formatHex(digest));
    byte[] upload = new byte[50 << 20];
    for (int i = 0; i < upload.length; i++) {
      upload[i] = (byte) i;
    }
    Receipt receipt = attaching.receive(upload);
    say("upload", receipt.getLength(), receipt.getSha256());
  }
}
