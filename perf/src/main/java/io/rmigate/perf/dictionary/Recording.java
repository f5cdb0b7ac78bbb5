package io.rmigate.perf.dictionary;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The messages of one run, as a file: gzip of {@code count} and then, for each message, {@code
 * connection, request, length, bytes}; numbers are ints, {@code request} is a byte.
 */
record Recording(List<Message> messages) {
  Recording {
    messages = List.copyOf(messages);
  }

  static Recording read(Path file) throws IOException {
    try (DataInputStream in =
        new DataInputStream(
            new BufferedInputStream(new GZIPInputStream(Files.newInputStream(file))))) {
      int count = in.readInt();
      List<Message> messages = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int connection = in.readInt();
        boolean request = in.readBoolean();
        byte[] bytes = in.readNBytes(in.readInt());
        messages.add(new Message(connection, request, bytes));
      }
      return new Recording(messages);
    }
  }

  void write(Path file) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(
            new BufferedOutputStream(new GZIPOutputStream(Files.newOutputStream(file))))) {
      out.writeInt(messages.size());
      for (Message message : messages) {
        out.writeInt(message.connection());
        out.writeBoolean(message.request());
        out.writeInt(message.bytes().length);
        out.write(message.bytes());
      }
    }
  }
}
