package io.rmigate.gateway.testing;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A network of its own for processes of a test: interfaces, routes and ports that nothing else on
 * this machine sees (network_namespaces(7)). It begins with loopback alone and no route to
 * anywhere; {@link #cable} gives it one neighbour. Needs Linux, the {@code ip} command and the
 * right to use it, which {@link #obstacle} looks into.
 */
public final class NetworkNamespace implements AutoCloseable {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final String name;

  private NetworkNamespace(String name) {
    this.name = name;
  }

  /** Makes one; {@code role} is for people who look at the machine. */
  public static NetworkNamespace create(String role) throws IOException {
    NetworkNamespace made =
        new NetworkNamespace("rmigate-" + ProcessHandle.current().pid() + "-" + role);
    ip("netns", "add", made.name);
    try {
      made.ipInside("link", "set", "lo", "up");
    } catch (IOException failed) {
      made.close();
      throw failed;
    }
    return made;
  }

  /** Why there can be none on this machine; empty when there can. */
  public static Optional<String> obstacle() {
    try {
      create("probe").close();
      return Optional.empty();
    } catch (IOException refused) {
      return Optional.of("network namespaces cannot be made here: " + refused.getMessage());
    }
  }

  /**
   * Lays a cable to a neighbour. Each then reaches the other's end of it and, since neither passes
   * on what is not for itself, nothing behind that.
   *
   * @param address of this end, with the length of the network's prefix: {@code 192.0.2.1/30}
   * @param neighboursAddress the address of the other end, with the length of the network's prefix
   * @return the name of its device at this end
   */
  public String cable(String address, NetworkNamespace neighbour, String neighboursAddress)
      throws IOException {
    int number = NUMBER.getAndIncrement();
    String near = "rg" + number + "a"; // names have at most 15 characters
    String far = "rg" + number + "b";
    ipInside("link", "add", near, "type", "veth", "peer", "name", far, "netns", neighbour.name);
    plugIn(near, address);
    neighbour.plugIn(far, neighboursAddress);
    return near;
  }

  private void plugIn(String device, String address) throws IOException {
    ipInside("address", "add", address, "dev", device);
    ipInside("link", "set", device, "up");
  }

  /**
   * Makes it a firewall for what comes from one network and goes to another.
   *
   * @param what {@code prohibit}: it answers that it does not pass that on (ICMP); {@code
   *     blackhole}: it says nothing
   * @return what lets it through again
   */
  public Closeable stop(String what, String from, String to) throws IOException {
    String[] rule = {"from", from, "to", to, "type", what, "priority", "100"};
    rule(rule, "add");
    return () -> rule(rule, "delete");
  }

  private void rule(String[] rule, String doing) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("rule", doing));
    arguments.addAll(Arrays.asList(rule));
    ipInside(arguments.toArray(String[]::new));
  }

  /** What comes before a command that is to be run in here; the process stays the same. */
  public List<String> entrance() {
    return List.of("ip", "netns", "exec", name);
  }

  /** Gives it an address of its own, apart from any cable: {@code 198.51.100.1/32}. */
  public void address(String address) throws IOException {
    ipInside("address", "add", address, "dev", "lo");
  }

  /** Adds a route, in the words of {@code ip route}: {@code unreachable 198.51.100.2}. */
  public void route(String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of("route", "add"));
    all.addAll(Arrays.asList(words));
    ipInside(all.toArray(String[]::new));
  }

  /** Changes its network, in the words of {@code ip}: {@code link set rg0a down}. */
  public void change(String... words) throws IOException {
    ipInside(words);
  }

  /** Adds rules of a firewall, in the words of nft(8). */
  public void filter(String rules) throws IOException {
    runInside(rules, "nft", "-f", "-");
  }

  /** Sets a parameter of its kernel: {@code net/ipv4/ip_forward}. */
  public void set(String parameter, int value) throws IOException {
    runInside(Integer.toString(value), "tee", "/proc/sys/" + parameter);
  }

  private void runInside(String input, String... command) throws IOException {
    List<String> all = new ArrayList<>(entrance());
    all.addAll(Arrays.asList(command));
    run(all, input);
  }

  private void ipInside(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("-n", name));
    all.addAll(Arrays.asList(arguments));
    ip(all.toArray(String[]::new));
  }

  private static void ip(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(Arrays.asList(arguments));
    run(command, "");
  }

  private static void run(List<String> command, String input) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (Writer in = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8)) {
      in.write(input);
    }
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + ": " + output);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(String.join(" ", command));
    }
  }

  /** Removes it, and the cables with it. Its processes are to be gone. */
  @Override
  public void close() throws IOException {
    ip("netns", "delete", name);
  }

  @Override
  public String toString() {
    return "network namespace " + name;
  }
}
