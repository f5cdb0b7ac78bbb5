package io.rmigate.soap.testing;

import io.rmigate.soap.call.Caller;
import io.rmigate.soap.json.JsonFront;
import io.rmigate.soap.json.JsonRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** An answer in JSON as a client would have it. */
public final class RecordedReply extends RecordedAnswer {
  /** Sends a JSON text to an operation. */
  public static RecordedReply of(JsonFront front, Caller caller, String operation, String json)
      throws IOException {
    return of(front, caller, operation, json.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends bytes that are said to be JSON to an operation. */
  public static RecordedReply of(JsonFront front, Caller caller, String operation, byte[] json)
      throws IOException {
    return of(
        front,
        caller,
        new JsonRequest(operation, "application/json", "", new ByteArrayInputStream(json)));
  }

  /** Sends a request. */
  public static RecordedReply of(JsonFront front, Caller caller, JsonRequest request)
      throws IOException {
    RecordedReply reply = new RecordedReply();
    front.call(request, caller, reply);
    return reply;
  }
}
