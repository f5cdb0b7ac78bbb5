package io.rmigate.java8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;

/** Additions to {@link Files}. */
public final class LaterFiles {
  private LaterFiles() {}

  public static String readString(Path file, Charset charset) throws IOException {
    // A decoder of its own: it refuses what is not of the charset, as that of later releases does.
    return charset.newDecoder().decode(ByteBuffer.wrap(Files.readAllBytes(file))).toString();
  }
}
