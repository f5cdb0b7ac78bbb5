package io.rmigate.gateway.container;

import io.rmigate.sample.Everything;
import io.rmigate.sample.Hello;
import io.rmigate.sample.Person;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The client of tests that count what crosses the link: makes one kind of call for each line of
 * standard input and answers {@code did <what>}. Arguments: host and port of the registry.
 *
 * <pre>
 * hello     one short text there and one back
 * people    a collection of 100 there and back, always the same
 * noise     48 KiB there and back that cannot be compressed, other ones each time
 * </pre>
 */
public final class CountedCaller {
  private CountedCaller() {}

  /** Looks everything up first, and says {@code calling}. */
  public static void main(String[] args) throws Exception {
    Registry registry = LocateRegistry.getRegistry(args[0], Integer.parseInt(args[1]));
    Hello hello = (Hello) registry.lookup(Hello.NAME);
    Everything everything = (Everything) registry.lookup(Everything.NAME);
    List<Person> people = IntStream.range(0, 100).mapToObj(Person::numbered).toList();
    Random random = new Random(20261121);
    System.out.println("calling");
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      switch (line) {
        case "hello" -> require(hello.hello("World").contains("World"));
        case "people" -> {
          Collection<Person> back = everything.processRequest(people);
          require(back.size() == people.size());
        }
        case "noise" -> {
          byte[] noise = new byte[48 * 1024];
          random.nextBytes(noise);
          require(((byte[]) everything.echo(noise)).length == noise.length);
        }
        default -> throw new IOException("no call " + line);
      }
      System.out.println("did " + line);
    }
    System.exit(0);
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new IllegalStateException("a wrong answer");
    }
  }
}
