package io.rmigate.perf.services;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.rmigate.sample.PerformanceTester;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.rmi.RemoteException;

/**
 * Calls by JSON over the JDK's {@link HttpURLConnection}, which keeps connections and is what Metro
 * uses, too. Thread-safe.
 *
 * <p>Bodies are not streamed, as Metro's are not: before a streamed one the JDK looks for a
 * millisecond whether a kept connection has been closed (HttpClient.available).
 */
public final class JsonTester implements PerformanceTester {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectReader INT = JSON.readerFor(Integer.class);
  private static final ObjectReader SHORT = JSON.readerFor(Short.class);
  private static final ObjectReader LONG = JSON.readerFor(Long.class);
  private static final ObjectReader FLOAT = JSON.readerFor(Float.class);
  private static final ObjectReader DOUBLE = JSON.readerFor(Double.class);
  private static final ObjectReader BOOLEAN = JSON.readerFor(Boolean.class);
  private static final ObjectReader BYTE = JSON.readerFor(Byte.class);
  private static final ObjectReader STRING = JSON.readerFor(String.class);

  /** No arguments. */
  private static final byte[] BODY = {'{', '}'};

  private final String address;

  /**
   * @param address of the published object
   */
  public JsonTester(String address) {
    this.address = address;
  }

  @Override
  public void ping() throws RemoteException {
    call("ping", null);
  }

  @Override
  public int getInt() throws RemoteException {
    return (Integer) call("getInt", INT);
  }

  @Override
  public short getShort() throws RemoteException {
    return (Short) call("getShort", SHORT);
  }

  @Override
  public long getLong() throws RemoteException {
    return (Long) call("getLong", LONG);
  }

  @Override
  public float getFloat() throws RemoteException {
    return (Float) call("getFloat", FLOAT);
  }

  @Override
  public double getDouble() throws RemoteException {
    return (Double) call("getDouble", DOUBLE);
  }

  @Override
  public boolean getBoolean() throws RemoteException {
    return (Boolean) call("getBoolean", BOOLEAN);
  }

  @Override
  public byte getByte() throws RemoteException {
    return (Byte) call("getByte", BYTE);
  }

  @Override
  public String getString() throws RemoteException {
    return (String) call("getString", STRING);
  }

  private Object call(String operation, ObjectReader result) throws RemoteException {
    try {
      HttpURLConnection http =
          (HttpURLConnection) URI.create(address + "/" + operation).toURL().openConnection();
      http.setRequestMethod("POST");
      http.setDoOutput(true);
      http.setRequestProperty("Content-Type", "application/json");
      http.getOutputStream().write(BODY);
      int status = http.getResponseCode();
      if (status == HttpURLConnection.HTTP_NO_CONTENT) {
        http.getInputStream().close();
        return null;
      }
      if (status != HttpURLConnection.HTTP_OK) {
        throw new RemoteException(operation + " was answered with " + status);
      }
      try (InputStream body = http.getInputStream()) {
        return result.readValue(body.readAllBytes()); // to its end, or the connection is not kept
      }
    } catch (IOException e) {
      throw e instanceof RemoteException remote ? remote : new RemoteException(operation, e);
    }
  }
}
