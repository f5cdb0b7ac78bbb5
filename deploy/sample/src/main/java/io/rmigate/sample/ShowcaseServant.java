package io.rmigate.sample;

import io.rmigate.sample.value.Load;
import io.rmigate.sample.value.Moments;
import io.rmigate.sample.value.Money;
import io.rmigate.sample.value.Page;
import io.rmigate.sample.value.Pair;
import io.rmigate.sample.value.Receipt;
import io.rmigate.sample.value.Scalars;
import io.rmigate.sample.value.Shipment;
import io.rmigate.sample.value.TooHeavy;
import java.math.BigDecimal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The object behind {@link Showcase}. Called by any thread; keeps nothing of its own. */
final class ShowcaseServant extends EverythingServant implements Showcase {

  ShowcaseServant(int objectPort) {
    super(objectPort);
  }

  @Override
  public Scalars next(Scalars scalars) {
    return scalars.next();
  }

  @Override
  public Moments later(Moments moments) {
    return moments.later();
  }

  @Override
  public long[][] transposed(long[][] rows) {
    return IntStream.range(0, rows[0].length)
        .mapToObj(column -> Arrays.stream(rows).mapToLong(row -> row[column]).toArray())
        .toArray(long[][]::new);
  }

  @Override
  public String[] reversed(String[] texts) {
    List<String> reversed = Arrays.asList(texts.clone());
    Collections.reverse(reversed);
    return reversed.toArray(String[]::new);
  }

  @Override
  public Map<String, List<Integer>> positions(List<String> words) {
    Map<String, List<Integer>> positions = new TreeMap<>();
    for (int i = 0; i < words.size(); i++) {
      positions.computeIfAbsent(words.get(i), word -> new ArrayList<>()).add(i);
    }
    return positions;
  }

  @Override
  public Set<String> union(Set<String> some, Set<String> others) {
    Set<String> union = new TreeSet<>(some);
    union.addAll(others);
    return union;
  }

  @Override
  public Shipment loaded(Shipment shipment, Load... more) throws TooHeavy {
    Shipment loaded = new Shipment();
    loaded.setNumber(shipment.getNumber());
    loaded.setVehicle(shipment.getVehicle());
    loaded.getLoads().addAll(shipment.getLoads());
    loaded.getLoads().addAll(List.of(more));
    BigDecimal weight =
        loaded.getLoads().stream().map(Load::weight).reduce(BigDecimal.ZERO, BigDecimal::add);
    BigDecimal limit = shipment.getVehicle().limit();
    if (weight.compareTo(limit) > 0) {
      throw new TooHeavy(
          weight.subtract(limit),
          limit,
          List.of("a larger vehicle", shipment.getLoads().size() + " loads"));
    }
    loaded.setMarks(union(shipment.getMarks(), Set.of("LOADED")));
    shipment.getSeals().forEach((place, number) -> loaded.getSeals().put(place, number + 1));
    Money price = shipment.getPrice();
    loaded.setPrice(new Money(price.getAmount().add(price.getAmount()), price.getCurrency()));
    return loaded;
  }

  @Override
  public Page<Person> people(int first, int count) {
    return new Page<>(
        new ArrayList<>(IntStream.range(first, first + count).mapToObj(Person::numbered).toList()),
        first + count);
  }

  @Override
  public Pair<String, Planet> swapped(Pair<Planet, String> pair) {
    return pair.swapped();
  }

  @Override
  public String kind(int value) {
    return "int " + value;
  }

  @Override
  public String kind(String value) {
    return "String " + value;
  }

  @Override
  public byte[] inverted(byte[] bytes) {
    byte[] inverted = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      inverted[i] = (byte) ~bytes[i];
    }
    return inverted;
  }

  @Override
  public Receipt receive(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return new Receipt(bytes.length, HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every JDK has it
    }
  }
}
