import java.io.PrintStream;
import java.math.BigDecimal;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.CounterApi;
import org.openapitools.client.api.ShowcaseApi;
import org.openapitools.client.model.*;

/** The calls of ShowcaseClient by the classes that openapi-generator makes of the OpenAPI document. */
public class OpenApiCalls {
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private final ApiClient client = new ApiClient();
  private final ShowcaseApi api;

  private OpenApiCalls(String address) {
    client.updateBaseUri(address);
    api = new ShowcaseApi(client);
  }

  public static void main(String[] args) throws Exception {
    OpenApiCalls calls = new OpenApiCalls(args[0]);
    calls.plainValues();
    calls.collections();
    calls.beans();
    calls.rest();
  }

  private static void say(String name, Object... values) {
    OUT.println(name + "=" + Arrays.stream(values).map(String::valueOf).collect(Collectors.joining(" ")));
  }

  private static String commas(Iterable<?> values) {
    StringBuilder text = new StringBuilder();
    values.forEach(value -> text.append(text.isEmpty() ? "" : ",").append(value));
    return text.toString();
  }

  private void plainValues() throws ApiException {
    Scalars s =
        api.next(
            new NextRequest()
                .scalars(
                    new Scalars()
                        .z(true)
                        .b(-2)
                        .s(2)
                        .c("c")
                        .i(4)
                        .j(9007199254740990L)
                        .f(new FloatNumber(1.5f))
                        .d(new DoubleNumber(2.5))
                        .flag(true)
                        .boxed(7)
                        .missing(null)
                        .text("\u010d \u20ac & <x> \ud83d\ude00")
                        .large("1234567890123456788")
                        .exact(new BigDecimal("12.50"))
                        .planet(Planet.EARTH)
                        .id(UUID.fromString("123e4567-e89b-12d3-a456-426614174000"))));
    say("primitives", s.getZ(), s.getB(), s.getS(), (int) s.getC().charAt(0), s.getI(), s.getJ(),
        s.getF().getActualInstance(), s.getD().getActualInstance());
    say("wrappers", s.getFlag(), s.getBoxed(), s.getMissing());
    say("scalars", s.getText(), s.getLarge(), s.getExact(), s.getPlanet(), s.getId());

    OffsetDateTime here = OffsetDateTime.parse("2026-11-21T14:20:30Z");
    OffsetDateTime there = OffsetDateTime.parse("2026-11-21T15:20:30+01:00");
    Moments m =
        api.later(
            new LaterRequest()
                .moments(
                    new Moments()
                        .date(here)
                        .calendar(there)
                        .stamp(here)
                        .day(LocalDate.parse("2026-11-21"))
                        .instant(here)
                        .offset(there)
                        .zoned(there + "[Europe/Ljubljana]")
                        .local(LocalDateTime.parse("2026-11-21T14:20:30"))
                        ._localDate(LocalDate.parse("2026-11-21"))
                        .time(LocalTime.parse("14:20:30"))
                        .duration("PT8H6M")
                        .month("2026-11")));
    say("legacy dates", m.getDate().toInstant(), m.getCalendar().toInstant(), m.getStamp().toInstant(), m.getDay());
    say("instants", m.getInstant().toInstant(), m.getOffset().toInstant(), m.getZoned());
    say("dates", m.getLocal(), m.getLocalDate(), m.getTime(), m.getDuration(), m.getMonth());
    say("null", api.echoString(new EchoStringRequest().value(null)));
    say("overloads", api.kindInt(new KindIntRequest().value(7)), api.kindString(new KindStringRequest().value("x")));
  }

  private void collections() throws ApiException {
    say("arrays",
        api.transposed(new TransposedRequest().rows(List.of(List.of(1L, 2L), List.of(3L, 4L)))).stream()
            .map(OpenApiCalls::commas)
            .toArray());
    say("texts", api.reversed(new ReversedRequest().texts(List.of("a", "b", "\u017e"))).toArray());
    say("maps",
        new TreeMap<>(api.positions(new PositionsRequest().words(List.of("b", "a", "b")))).entrySet().stream()
            .map(e -> e.getKey() + ":" + commas(e.getValue()))
            .toArray());
    say("sets",
        api.union(
                new UnionRequest()
                    .some(new LinkedHashSet<>(List.of("b", "a")))
                    .others(new LinkedHashSet<>(List.of("b", "c"))))
            .toArray());
    PageOfPerson page = api.people(new PeopleRequest().first(3).count(2));
    for (Person p : page.getItems()) {
      say("generics", p.getFirstName(), commas(p.getPhoneNumbers()), p.getCity());
    }
    say("next", page.getNext());
    PairOfStringAndPlanet swapped =
        api.swapped(new SwappedRequest().pair(new PairOfPlanetAndString().first(Planet.SATURN).second("x")));
    say("swapped", swapped.getFirst(), swapped.getSecond());
  }

  private Shipment load(AnyVehicle vehicle, AnyLoadTank tank) throws ApiException {
    Shipment shipment =
        new Shipment()
            .number("S-1")
            .vehicle(vehicle)
            .loads(
                List.of(
                    new AnyLoad(
                        new AnyLoadCrate()
                            .atType(AnyLoadCrate.AtTypeEnum.CRATE)
                            .pieces(3)
                            .each(new BigDecimal("12.5")))))
            .marks(new LinkedHashSet<>(List.of("fragile")))
            .seals(Map.of("door", 1, "roof", 8))
            .price(new Money().amount(new BigDecimal("12.50")).currency("EUR"));
    return api.loaded(
        new LoadedRequest().shipment(shipment).more(List.of(new AnyLoad(tank.atType(AnyLoadTank.AtTypeEnum.TANK)))));
  }

  private static Road road() {
    return new Road().start("Ljubljana").end("Graz").kilometres(194);
  }

  private void beans() throws ApiException {
    AnyVehicleTruck truck =
        new AnyVehicleTruck().atType(AnyVehicleTruck.AtTypeEnum.TRUCK).plate("LJ-1").route(road()).axles(2);
    Shipment s = load(new AnyVehicle(truck), new AnyLoadTank().weight(new BigDecimal("800.0")).content(null));
    AnyVehicleTruck same = s.getVehicle().getAnyVehicleTruck();
    say("bean", s.getNumber(), commas(new TreeSet<>(s.getMarks())));
    say("seals", "door:" + s.getSeals().get("door"), "roof:" + s.getSeals().get("roof"));
    say("inherited", same.getAtType().getValue(), same.getPlate(), same.getAxles());
    say("interface", same.getRoute().getStart(), same.getRoute().getEnd(), same.getRoute().getKilometres());
    AnyLoadCrate crate = s.getLoads().get(0).getAnyLoadCrate();
    say("sealed", "Crate", crate.getPieces(), crate.getEach());
    AnyLoadTank tank = s.getLoads().get(1).getAnyLoadTank();
    say("sealed", "Tank", tank.getWeight(), tank.getContent());
    say("immutable", s.getPrice().getAmount(), s.getPrice().getCurrency());
  }

  private void rest() throws Exception {
    try {
      AnyVehicleVan van =
          new AnyVehicleVan().atType(AnyVehicleVan.AtTypeEnum.VAN).plate("LJ-1").route(road()).cooled(false);
      load(new AnyVehicle(van), new AnyLoadTank().weight(new BigDecimal("800.0")).content("milk"));
    } catch (ApiException e) {
      TooHeavyProblem problem = client.getObjectMapper().readValue(e.getResponseBody(), TooHeavyProblem.class);
      say("fault", problem.getDetail(), problem.getException().getLimit(), commas(problem.getException().getRemedies()));
    }
    try {
      api.failUnchecked(new FailUncheckedRequest().message("secret"));
    } catch (ApiException e) {
      Problem problem = client.getObjectMapper().readValue(e.getResponseBody(), Problem.class);
      say(problem.getType().getValue().replaceFirst(".*:", ""),
          problem.getExecuted() == Problem.ExecutedEnum.YES ? "executed" : "not executed");
    }
    Counter counter = api.newCounter(new NewCounterRequest().start(5));
    say("used", new CounterApi(client).counterIncrement(counter.getHref().getPath().replaceFirst(".*/", "")));
    say("passed back", api.incrementFor(new IncrementForRequest().counter(counter)));
    HttpRequest release = HttpRequest.newBuilder(counter.getHref()).DELETE().build();
    HttpClient.newHttpClient().send(release, HttpResponse.BodyHandlers.discarding());
    try {
      api.incrementFor(new IncrementForRequest().counter(counter));
    } catch (ApiException e) {
      say("released", e.getResponseBody().contains("urn:rmigate:problem:bad-argument"));
    }
    say("bytes", HexFormat.of().formatHex(api.inverted(new InvertedRequest().bytes(new byte[] {0, 1, -1}))));
  }
}
