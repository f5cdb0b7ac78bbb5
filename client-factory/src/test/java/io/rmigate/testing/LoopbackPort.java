package io.rmigate.testing;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Scanner;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for what has to be told of its port before it listens.
 *
 * <p>They lie below those that the kernel gives to programs that ask for any port, and to
 * connections: between the choice and the use, no program is given such a port by chance, neither
 * in this JVM nor in another one that tests beside it and has another {@code rmigate.test.fork}.
 */
public final class LoopbackPort {
  private static final String RANGE = "/proc/sys/net/ipv4/ip_local_port_range";
  private static final int LOWEST = 10_000;

  /** Of JVMs that test beside each other, each draws from its own. */
  private static final int SLICES = 8;

  private static final int LOWEST_EPHEMERAL = lowestEphemeral();
  private static final int SLICE = (LOWEST_EPHEMERAL - LOWEST) / SLICES;
  private static final int FIRST = LOWEST + SLICE * (fork() % SLICES);
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private LoopbackPort() {}

  /** One that is free now, at any address of this machine, and was never returned before. */
  public static int free() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, FIRST + SLICE);
      if (isFree(port) && GIVEN.add(port)) {
        return port;
      }
    }
  }

  /** The digits of what the build calls this JVM, {@code fork-3}; 0 where it has no name. */
  private static int fork() {
    String digits = System.getProperty("rmigate.test.fork", "").replaceAll("\\D", "");
    return digits.isEmpty() ? 0 : Integer.parseInt(digits);
  }

  private static boolean isFree(int port) {
    try (ServerSocket free = new ServerSocket(port)) {
      return free.isBound();
    } catch (BindException taken) {
      return false;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Of Linux; elsewhere its default, which no other system begins below. */
  private static int lowestEphemeral() {
    try (Scanner range = new Scanner(Path.of(RANGE), StandardCharsets.US_ASCII)) {
      return Math.max(LOWEST + 1_000 * SLICES, range.nextInt());
    } catch (IOException notLinux) {
      return 32_768;
    }
  }
}
