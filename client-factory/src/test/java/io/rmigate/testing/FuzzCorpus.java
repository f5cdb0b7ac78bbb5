package io.rmigate.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Inputs of a target for fuzzing that are worth keeping: what it reads in earnest, and what has
 * once been too much for it. A target is a class as Jazzer takes it, with a method {@code
 * fuzzerTestOneInput(byte[])} that throws when something is wrong, and perhaps {@code
 * fuzzerInitialize()} and {@code fuzzerTearDown()}; its inputs are the files of the directory
 * {@code fuzz/name} on the class path, where {@code NameTarget} is the class. Confined to one
 * thread.
 */
public final class FuzzCorpus implements AutoCloseable {
  private static final String METHOD = "fuzzerTestOneInput";
  private static final byte[] INTERESTING = {
    0, 1, 2, 0x7F, (byte) 0x80, -1, '"', '\'', '{', '}', '[', ']', '<', '>', '&', ':', '-', '\n'
  };

  private final Class<?> target;
  private final Method take;
  private final List<byte[]> inputs;

  private FuzzCorpus(Class<?> target, Method take, List<byte[]> inputs) {
    this.target = target;
    this.take = take;
    this.inputs = inputs;
  }

  /** Those of a target, which is ready then. */
  public static FuzzCorpus of(Class<?> target) throws ReflectiveOperationException {
    String name = target.getSimpleName().replace("Target", "").toLowerCase(Locale.ROOT);
    URL directory = target.getResource("/fuzz/" + name);
    if (directory == null) {
      throw new IllegalStateException("no corpus fuzz/" + name + " in the class path");
    }
    List<byte[]> inputs = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of(directory.toURI()))) {
      for (Path file : files.sorted().toList()) {
        inputs.add(Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    FuzzCorpus corpus = new FuzzCorpus(target, target.getMethod(METHOD, byte[].class), inputs);
    corpus.callIfThere("fuzzerInitialize");
    return corpus;
  }

  @Override
  public void close() throws ReflectiveOperationException {
    callIfThere("fuzzerTearDown");
  }

  private void callIfThere(String method) throws ReflectiveOperationException {
    for (Method its : target.getMethods()) {
      if (its.getName().equals(method)) {
        its.invoke(null);
      }
    }
  }

  /** The inputs as they are, in no particular order. */
  public List<byte[]> inputs() {
    return List.copyOf(inputs);
  }

  /** Gives the target each as it is; returns how many there are. */
  public int replay() {
    inputs.forEach(this::take);
    return inputs.size();
  }

  /** Gives it a number of damaged copies of them, which are the same for the same seed. */
  public void mutate(long seed, long count) {
    Random random = new Random(seed);
    for (long i = 0; i < count; i++) {
      take(mutated(random));
    }
  }

  private void take(byte[] input) {
    try {
      take.invoke(null, input);
    } catch (InvocationTargetException e) {
      throw new AssertionError(
          e.getCause() + " at input " + HexFormat.of().formatHex(input), e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] mutated(Random random) {
    byte[] bytes = any(random).clone();
    for (int n = 1 + random.nextInt(4); n > 0; n--) {
      int at = random.nextInt(bytes.length + 1);
      int end = Math.min(bytes.length, at + 1 + random.nextInt(16));
      byte[] other = any(random);
      switch (random.nextInt(6)) {
        case 0 -> bytes = spliced(bytes, at, end, new byte[0]);
        case 1 -> bytes = spliced(bytes, at, at, Arrays.copyOfRange(bytes, at, end));
        case 2 -> bytes = spliced(bytes, at, at, piece(other, random));
        case 3 -> bytes = spliced(bytes, at, end, piece(other, random));
        case 4 ->
            bytes =
                spliced(
                    bytes,
                    at,
                    Math.min(bytes.length, at + 1),
                    new byte[] {INTERESTING[random.nextInt(INTERESTING.length)]});
        default -> {
          if (at < bytes.length) {
            bytes[at] ^= (byte) (1 << random.nextInt(8));
          }
        }
      }
    }
    return bytes;
  }

  private byte[] any(Random random) {
    return inputs.get(random.nextInt(inputs.size()));
  }

  private static byte[] piece(byte[] of, Random random) {
    int at = random.nextInt(of.length + 1);
    return Arrays.copyOfRange(of, at, Math.min(of.length, at + random.nextInt(64)));
  }

  private static byte[] spliced(byte[] bytes, int from, int to, byte[] middle) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + middle.length);
    out.write(bytes, 0, from);
    out.writeBytes(middle);
    out.write(bytes, to, bytes.length - to);
    return out.toByteArray();
  }
}
