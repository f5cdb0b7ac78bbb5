package io.rmigate.sample;

import java.io.Serializable;
import java.util.List;

/** The value type of the Mobility-RPC benchmark: four strings, a list, two numbers. */
public record Person(
    String firstName,
    String lastName,
    List<String> phoneNumbers,
    int personId,
    int houseNumber,
    String street,
    String city,
    String country)
    implements Serializable, Comparable<Person> {

  /** A person unlike that of any other number. */
  public static Person numbered(int id) {
    return new Person(
        "First" + id,
        "Last" + id,
        List.of("+386 1 " + id, "+386 2 " + id),
        id,
        id % 100,
        "Street " + id % 1000,
        "City " + id % 50,
        "Country " + id % 7);
  }

  @Override
  public int compareTo(Person other) {
    return Integer.compare(personId, other.personId);
  }
}
