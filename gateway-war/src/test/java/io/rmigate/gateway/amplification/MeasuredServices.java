package io.rmigate.gateway.amplification;

import io.rmigate.gateway.bridge.marshal.CallWriter;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.soap.call.CallFailure;
import io.rmigate.soap.call.Caller;
import io.rmigate.soap.call.RemoteReferences;
import io.rmigate.soap.http.HttpReply;
import io.rmigate.soap.json.JsonFront;
import io.rmigate.soap.json.JsonLimits;
import io.rmigate.soap.json.JsonRequest;
import io.rmigate.soap.publish.NotPublishedException;
import io.rmigate.soap.publish.Publication;
import io.rmigate.soap.publish.PublishEntry;
import io.rmigate.soap.soap.SoapDialect;
import io.rmigate.soap.soap.SoapFront;
import io.rmigate.soap.soap.SoapLimits;
import io.rmigate.soap.soap.SoapRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The web-service front without its container. Calls are marshalled and answered at once; the
 * requests of the link measure the cost of sending a call.
 */
final class MeasuredServices implements Closeable {
  static final String PATH = "perf/taker";
  private static final URI ADDRESS = URI.create("https://gateway.example/services/" + PATH);
  private static final ObjIdentifier OBJECT = new ObjIdentifier(42, 1, 2, (short) 3);

  private final Path directory;
  private final Publication publication;
  private final JsonFront json;
  private final SoapFront soap;
  private final Caller caller = new Caller(MeasuredServices::call, new None(), (of, what) -> true);

  MeasuredServices() throws IOException {
    this.directory = Files.createTempDirectory("amplification");
    try (ZipOutputStream jar =
        new ZipOutputStream(Files.newOutputStream(directory.resolve("sink.jar")))) {
      for (Class<?> type : List.of(ParameterSink.class, ChainLink.class)) {
        String file = type.getName().replace('.', '/') + ".class";
        jar.putNextEntry(new ZipEntry(file));
        try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
          in.transferTo(jar);
        }
      }
    }
    try {
      this.publication =
          Publication.of(PublishEntry.of(PATH, ParameterSink.class.getName(), directory));
    } catch (NotPublishedException e) {
      throw new IllegalStateException(e);
    }
    this.json = new JsonFront(publication.contract(), JsonLimits.DEFAULT);
    this.soap = new SoapDialect(SoapLimits.DEFAULT).front(publication.contract());
  }

  private static Object call(Method method, Object[] arguments) throws CallFailure {
    try {
      ByteArrayOutputStream call = new ByteArrayOutputStream();
      CallWriter.write(call, OBJECT, method, arguments);
      return call.size();
    } catch (IOException e) {
      throw new CallFailure(CallFailure.Kind.NOT_SENDABLE, "not sent", e);
    }
  }

  /** Handles a JSON body for an operation. */
  void json(String operation, byte[] body) throws IOException {
    Reply reply = new Reply();
    JsonRequest request =
        new JsonRequest(operation, "application/json", "", new ByteArrayInputStream(body));
    json.call(request, caller, reply);
    reply.expectGood();
  }

  /** Handles a SOAP envelope. */
  void soap(byte[] body) throws IOException {
    Reply reply = new Reply();
    SoapRequest request =
        new SoapRequest(
            () -> ADDRESS, "text/xml; charset=utf-8", "", "", new ByteArrayInputStream(body));
    soap.call(request, caller, reply);
    reply.expectGood();
  }

  /** A reply that stays in memory. */
  private static final class Reply implements HttpReply {
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status;

    @Override
    public OutputStream begin(int code, String contentType) {
      status = code;
      return body;
    }

    void expectGood() {
      if (status != 200) {
        throw new IllegalStateException(status + " " + body);
      }
    }
  }

  /** References for calls that carry none. */
  private static final class None implements RemoteReferences {
    @Override
    public Handle hold(Object reference, Class<?> type) {
      throw new IllegalStateException("a reference");
    }

    @Override
    public void withdraw() {
      // none is held
    }

    @Override
    public Optional<Object> resolve(String href, Class<?> type) {
      return Optional.empty();
    }

    @Override
    public Optional<Handle> renew(String href) {
      return Optional.<Instant>empty().map(never -> new Handle(href, never));
    }

    @Override
    public boolean release(String href) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    publication.close();
    Files.delete(directory.resolve("sink.jar"));
    Files.delete(directory);
  }
}
