package io.rmigate.client.pac;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A world of known names for PAC files. */
final class PacBed implements PacNetwork {
  final List<String> lookups = new ArrayList<>();
  int patience = Integer.MAX_VALUE;
  int looksAtTheClock;
  int ownAddresses;
  private final Map<String, String> names = new HashMap<>();
  private ZonedDateTime now = ZonedDateTime.of(2026, 3, 18, 14, 30, 20, 0, ZoneId.of("+01:00"));

  PacBed name(String name, String address) {
    names.put(name, address);
    return this;
  }

  PacBed now(ZonedDateTime time) {
    now = time;
    return this;
  }

  /** What the script says for a host, as it would be written in a PAC file. */
  String ask(String script, String host) throws IOException {
    return PacScript.parse("proxy.pac", script)
        .findProxy("https://" + host + "/", host, this)
        .stream()
        .map(PacHop::text)
        .collect(Collectors.joining("; "));
  }

  /** The value of one expression, as text. */
  String value(String expression) throws IOException {
    return ask(
            "function FindProxyForURL(url, host) { return 'X ' + (" + expression + ") }",
            "gw.example")
        .substring(2);
  }

  @Override
  public boolean isOutOfTime() {
    return ++looksAtTheClock > patience;
  }

  @Override
  public Optional<InetAddress> addressOf(String host) throws IOException {
    lookups.add(host);
    return Optional.ofNullable(names.get(host)).map(PacBed::address);
  }

  private static InetAddress address(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public InetAddress ownAddress() {
    ownAddresses++;
    return address("10.20.30.40");
  }

  @Override
  public ZonedDateTime now() {
    return now;
  }
}
