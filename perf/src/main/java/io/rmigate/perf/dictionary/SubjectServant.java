package io.rmigate.perf.dictionary;

import java.io.IOException;
import java.math.BigDecimal;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The server's side of {@link Exchanges}. */
final class SubjectServant implements Subject {
  private final int port;

  /** Strong references, so that the JVM does not collect the objects. */
  private final List<Subject> children = new ArrayList<>();

  SubjectServant(int port) {
    this.port = port;
  }

  @Override
  public void run() {}

  @Override
  public String greet(String name) {
    return "Hello, " + name;
  }

  @Override
  public int add(int a, int b) {
    return a + b;
  }

  @Override
  public boolean put(long id, String name, byte[] content) {
    return content.length > 0;
  }

  @Override
  public Object echo(Object value) {
    return value;
  }

  @Override
  public BigDecimal price(String id, Date at) {
    return new BigDecimal("12.50");
  }

  @Override
  public List<Item> items() {
    return new ArrayList<>(
        List.of(
            new Item(1, "a", 1.5, LocalDate.of(2026, 1, 2), Item.Kind.NEW),
            new Item(2, "b", 2.5, LocalDate.of(2026, 3, 4), Item.Kind.OLD)));
  }

  @Override
  public Map<String, Object> values(Set<String> names) {
    Map<String, Object> values = new HashMap<>();
    names.forEach(name -> values.put(name, name.length()));
    return values;
  }

  @Override
  public Subject child() throws RemoteException {
    SubjectServant child = new SubjectServant(port);
    children.add(child);
    return (Subject) UnicastRemoteObject.exportObject(child, port);
  }

  @Override
  public void use(Subject other) throws RemoteException {
    other.run();
  }

  @Override
  public void fail(int way) throws IOException, Refusal {
    Failures.fail(way);
  }
}
