package io.rmigate.gateway.container.ordinary;

import io.rmigate.gateway.container.ordinary.api.ByName;
import io.rmigate.gateway.container.ordinary.api.Chain;
import io.rmigate.gateway.container.ordinary.api.Colour;
import io.rmigate.gateway.container.ordinary.api.Customer;
import io.rmigate.gateway.container.ordinary.api.Desk;
import io.rmigate.gateway.container.ordinary.api.Diary;
import io.rmigate.gateway.container.ordinary.api.Item;
import io.rmigate.gateway.container.ordinary.api.Money;
import io.rmigate.gateway.container.ordinary.api.Order;
import io.rmigate.gateway.container.ordinary.api.Page;
import io.rmigate.gateway.container.ordinary.api.People;
import io.rmigate.gateway.container.ordinary.api.Person;
import io.rmigate.gateway.container.ordinary.api.Range;
import io.rmigate.gateway.container.ordinary.api.Shop;
import io.rmigate.gateway.container.ordinary.api.Tag;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Classes of an application. */
@SuppressWarnings({"JavaUtilDate", "ReferenceEquality"})
final class ShopKinds {
  private static final int THREADS = 8;

  private final Shop shop;
  private final People people;
  private final Desk desk;

  private ShopKinds(Kinds kinds) throws Exception {
    shop = kinds.service(Shop.class);
    people = kinds.service(People.class);
    desk = kinds.service(Desk.class);
  }

  static void addTo(Kinds kinds) throws Exception {
    ShopKinds group = new ShopKinds(kinds);
    group.addClasses(kinds);
    group.addGraphs(kinds);
    group.addMethods(kinds);
  }

  static Money euros(String amount) {
    return new Money(new BigDecimal(amount), Currency.getInstance("EUR"));
  }

  static Customer customer(String name) {
    Customer customer = new Customer();
    customer.setName(name);
    customer.setBorn(new Date(0));
    customer.setNumber(5);
    customer.setDiscount(0.5);
    return customer;
  }

  private static Order order() {
    return new Order(
        new UUID(1, 2),
        Order.Status.PAID,
        List.of(new Order.Line("pen", 2, euros("1.50"))),
        new TreeMap<>(Map.of(Order.Status.OPEN, Instant.EPOCH)),
        null);
  }

  private void addClasses(Kinds kinds) {
    kinds.add("record", () -> shop.order(order()));
    kinds.add("enum", () -> shop.status(Order.Status.OPEN) == Order.Status.OPEN);
    kinds.add("enum with a body", () -> shop.status(Order.Status.PAID).isFinal());
    kinds.add("bean", () -> shop.person(customer("Ann")));
    kinds.add(
        "subclass that is declared nowhere",
        () -> shop.people(new ArrayList<>(List.of(customer("Ann"), new Person()))));
    kinds.add("subclass of the server alone", () -> desk.best());
    kinds.add(
        "generic page",
        () ->
            shop.page(
                new Page<>(new ArrayList<>(List.of(new Order.Line("pen", 1, euros("1")))), 20)));
    kinds.add("externalizable", () -> shop.tag(new Tag("urgent", 3)));
    kinds.add("enumeration from before enums", () -> shop.colour(Colour.RED));
    kinds.add("stand-in that is written", () -> shop.range(new Range(1, 9)));
    kinds.add(
        "class that writes itself",
        () -> {
          Diary diary = new Diary("Ann");
          diary.write("rain");
          return shop.diary(diary);
        });
    kinds.add("inner class", () -> shop.entry(new Diary("Ann").write("snow")));
    kinds.add("comparator", () -> shop.order(new ByName()));
    kinds.add("interface as a parameter", () -> shop.item(new Pen("blue")).described());
  }

  private void addGraphs(Kinds kinds) {
    kinds.add(
        "circle",
        () -> {
          Person ann = customer("Ann");
          Person bob = customer("Bob");
          ann.getFriends().add(bob);
          bob.getFriends().add(ann);
          Person back = shop.person(ann);
          return back.getFriends().get(0).getFriends().get(0) == back;
        });
    kinds.add("chain of 300", () -> shop.chain(Chain.of(300)));
    kinds.add("circle of 300", () -> shop.chain(Chain.of(300).close()));
    kinds.add("chain of 1500", () -> shop.chain(Chain.of(1_500)));
    kinds.add(
        "wide graph",
        () -> {
          List<Person> many = new ArrayList<>();
          for (int i = 0; i < 5_000; i++) {
            many.add(customer("c" + i));
          }
          return shop.people(many).size();
        });
    kinds.add(
        "the same object twice",
        () -> {
          Money one = euros("1");
          Money[] back = shop.prices(one, one);
          return back[0] == back[1];
        });
    kinds.add("attributes", () -> new TreeMap<>(shop.attributes(attributes())));
  }

  private static Map<String, Object> attributes() {
    Map<String, Object> attributes = new HashMap<>();
    attributes.put("number", 1);
    attributes.put("price", euros("3"));
    attributes.put("words", new String[] {"a", "b"});
    attributes.put("since", new Date(0));
    attributes.put("nothing", null);
    return attributes;
  }

  private void addMethods(Kinds kinds) {
    kinds.add("ten arguments", () -> shop.many(true, (byte) 1, 'c', (short) 2, 3, 4, 5, 6, "i", 7));
    kinds.add("variable arguments", () -> Arrays.asList(shop.prices(euros("1"), euros("2"))));
    kinds.add("null", () -> shop.order((Order) null));
    kinds.add("type variable", () -> shop.greatest("one", "two"));
    kinds.add(
        "generic repository",
        () -> {
          int key = people.save(customer("Ann"));
          return people.find(key) + " " + people.findAll().size() + people.find(99);
        });
    kinds.add("default method of a remote interface", () -> people.has(98));
    kinds.add("threads", this::callAtOnce);
  }

  private String callAtOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<Order.Status>> calls = new ArrayList<>();
      for (int i = 0; i < 10 * THREADS; i++) {
        calls.add(threads.submit(() -> shop.status(Order.Status.OPEN)));
      }
      int right = 0;
      for (Future<Order.Status> each : calls) {
        right += each.get() == Order.Status.OPEN ? 1 : 0;
      }
      return right + " right";
    } finally {
      threads.shutdown();
    }
  }

  /** In no jar that the gateway has. */
  @SuppressWarnings("serial")
  private record Pen(String colour) implements Item {
    @Override
    public String label() {
      return colour + " pen";
    }
  }
}
