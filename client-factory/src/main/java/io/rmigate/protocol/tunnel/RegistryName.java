package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A name in a registry, bound or not.
 *
 * @param registry as the agent's JVM names it
 * @param name as it is looked up; perhaps empty
 */
public record RegistryName(EndpointId registry, String name) {

  private static final String TEXT =
      "(\\[[0-9A-Fa-f:.]+(?:%[^\\]/]+)?]|[^:/\\s]+):([0-9]{1,5})/(.+)";

  /** Reads {@code host:port/name}; empty when it is not that, or does not fit frames. */
  public static Optional<RegistryName> parse(String text) {
    Matcher matcher = Pattern.compile(TEXT).matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String host = matcher.group(1).replaceAll("[\\[\\]]", "");
    return Optional.of(
            new RegistryName(
                new EndpointId(host, Integer.parseInt(matcher.group(2))), matcher.group(3)))
        .filter(RegistryName::fitsFrames);
  }

  /** Whether frames can carry it, to the letter. */
  public boolean fitsFrames() {
    return ObjectList.canName(registry) && ObjectList.canCarry(name);
  }

  void encode(FrameOutput out) {
    out.text(registry.host());
    out.u16(registry.port());
    out.text(name);
  }

  static RegistryName decode(FrameInput in) throws ProtocolViolationException {
    return new RegistryName(ObjectList.endpoint(in), in.text());
  }

  // Written out: equals and hashCode of records load java.lang.invoke at the start of a program.
  @Override
  public boolean equals(Object other) {
    return other instanceof RegistryName that
        && name.equals(that.name)
        && registry.equals(that.registry);
  }

  @Override
  public int hashCode() {
    return 31 * registry.hashCode() + name.hashCode();
  }

  @Override
  public String toString() {
    return registry + "/" + name;
  }
}
