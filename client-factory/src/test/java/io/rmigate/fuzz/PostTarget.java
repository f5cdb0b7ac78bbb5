package io.rmigate.fuzz;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.post.PostAnswer;
import io.rmigate.protocol.post.PostRequest;
import java.util.Arrays;

/** Bodies of the link's POSTs and of their answers. */
public final class PostTarget {

  /** Reads both ways; what is a request says the same when it is written again. */
  public static void fuzzerTestOneInput(byte[] input) {
    try {
      PostRequest request = PostRequest.decode(input, input.length);
      byte[] again = encode(request);
      if (!Arrays.equals(again, encode(PostRequest.decode(again, again.length)))) {
        throw new IllegalStateException("written again it is another one: " + request);
      }
    } catch (ProtocolViolationException none) {
      // said in words
    }
    try {
      PostAnswer answer = PostAnswer.decode(input, input.length);
      if (answer.bytes().length > input.length) {
        throw new IllegalStateException("more than came: " + answer);
      }
    } catch (ProtocolViolationException none) {
      // said in words
    }
  }

  private static byte[] encode(PostRequest request) {
    return PostRequest.encode(
        request.connection(),
        request.number(),
        request.received(),
        request.holdMillis(),
        request.bytes(),
        0,
        request.bytes().length);
  }

  private PostTarget() {}
}
