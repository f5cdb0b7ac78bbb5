package io.rmigate.perf.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** A link for any client and server; started by {@code perf/link}. */
public final class LinkCommand {
  private LinkCommand() {}

  /** Runs until it is ended. Exit codes: 1 it cannot listen, 2 wrong usage. */
  public static void main(String[] args) throws InterruptedException {
    Options options;
    try {
      options = Options.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println("link: " + e.getMessage() + "; see --help");
      System.exit(2);
      return;
    }
    if (options.list()) {
      LinkProfile.NAMED.forEach(
          profile -> System.out.println(profile.describe() + "\n    " + profile.source()));
      return;
    }
    TrafficPrinter printer = new TrafficPrinter(options.profile(), System.err);
    EmulatedLink link = new EmulatedLink(options.profile(), printer);
    try {
      System.err.println(options.profile().describe());
      StringBuilder ports = new StringBuilder("link ready");
      for (Route route : options.routes()) {
        ports.append(' ').append(link.listen(route.at(), route.target()));
      }
      System.out.println(ports);
    } catch (IOException e) {
      System.err.println("link: " + e.getMessage());
      System.exit(1);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.err.println(printer.sum())));
    new CountDownLatch(1).await();
  }

  /** From where to where. */
  record Route(InetSocketAddress at, InetSocketAddress target) {}

  /**
   * The command line.
   *
   * @param list only show the profiles
   */
  record Options(LinkProfile profile, List<Route> routes, boolean list) {
    private static final InetSocketAddress ANY_PORT =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException says what is wrong
     */
    static Options parse(String... args) {
      LinkProfile profile = LinkProfile.parse("gsm");
      Optional<InetSocketAddress> at = Optional.empty();
      List<Route> routes = new ArrayList<>();
      boolean list = false;
      for (int i = 0; i < args.length; i++) {
        switch (args[i]) {
          case "--profile", "--link" -> profile = LinkProfile.parse(value(args, ++i));
          case "--listen" -> at = Optional.of(address(value(args, ++i), Optional.of("127.0.0.1")));
          case "--to" -> {
            InetSocketAddress target = address(value(args, ++i), Optional.empty());
            routes.add(new Route(at.orElse(ANY_PORT), target));
            at = Optional.empty();
          }
          case "--list" -> list = true;
          default -> throw new IllegalArgumentException("unknown option " + args[i]);
        }
      }
      if (!list && (routes.isEmpty() || at.isPresent())) {
        throw new IllegalArgumentException("expected --to host:port, behind each --listen");
      }
      return new Options(profile, List.copyOf(routes), list);
    }

    private static String value(String[] args, int i) {
      if (i >= args.length) {
        throw new IllegalArgumentException(args[i - 1] + " needs a value");
      }
      return args[i];
    }

    @SuppressWarnings("AddressSelection") // the listener's own, or as RMI would choose
    private static InetSocketAddress address(String text, Optional<String> defaultHost) {
      int colon = text.lastIndexOf(':');
      if (colon <= 0 && defaultHost.isEmpty()) {
        throw new IllegalArgumentException("expected host:port, got " + text);
      }
      try {
        return new InetSocketAddress(
            colon <= 0 ? defaultHost.get() : text.substring(0, colon),
            Integer.parseInt(text.substring(colon + 1)));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("expected a port, got " + text, e);
      }
    }
  }
}
