package io.rmigate.gateway.scan;

import io.rmigate.client.Rmigate;
import io.rmigate.gateway.testing.PlainCall;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.util.HexFormat;
import javax.naming.NamingException;

/**
 * A client of {@link AttackedServer}, through the gateway that is named first, or without one. Does
 * what it reads, line by line, and says what came of it behind {@code answer}. All goes through a
 * gateway that is named, 127.0.0.1 too, so that it is the gateway that decides about stubs.
 *
 * <ul>
 *   <li>{@code session}: what follows is of a new session
 *   <li>{@code call HOST PORT HEX}: the bytes of a Call, on a connection of its own
 *   <li>{@code look HOST PORT}: looks the object up
 *   <li>{@code give HEX}: has it answer with these bytes
 *   <li>{@code follow}: calls the object whose stub has been in that answer
 * </ul>
 */
public final class AttackingClient {
  private static Attacked attacked;
  private static Object given;

  private AttackingClient() {}

  /** Runs until its input ends. */
  public static void main(String[] args) throws Exception {
    Rmigate session = null;
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      String[] words = line.split(" ", -1);
      String answer =
          switch (words[0]) {
            case "session" -> {
              if (session != null) {
                session.close();
              }
              session =
                  Rmigate.builder()
                      .gateway(URI.create(args[0]))
                      .tunnel("*:*", "127.0.0.1:*")
                      .build();
              yield "new";
            }
            case "call" -> {
              try (Socket socket =
                  session.socketFactory().createSocket(words[1], Integer.parseInt(words[2]))) {
                yield call(socket, HexFormat.of().parseHex(words[3]));
              }
            }
            case "look" -> {
              if (session != null) {
                session.install();
              }
              attacked =
                  (Attacked)
                      LocateRegistry.getRegistry(words[1], Integer.parseInt(words[2]))
                          .lookup(AttackedServer.NAME);
              yield "found";
            }
            case "give" -> give(HexFormat.of().parseHex(words[1]));
            case "follow" -> follow();
            default -> throw new IllegalArgumentException(line);
          };
      System.out.println("answer " + answer.replaceAll("\\s+", " "));
    }
    System.exit(0);
  }

  private static String give(byte[] reply) {
    given = null;
    try {
      given = attacked.give(reply);
      return "got " + given;
    } catch (Exception | Error e) {
      if (e.getCause() instanceof NamingException allowed) {
        given = allowed.getResolvedObj();
      }
      return "failed " + e;
    }
  }

  private static String follow() {
    Attacked elsewhere =
        (Attacked)
            Proxy.newProxyInstance(
                Attacked.class.getClassLoader(),
                new Class<?>[] {Attacked.class},
                (RemoteObjectInvocationHandler) given);
    try {
      return "returned " + elsewhere.take("anything");
    } catch (RemoteException e) {
      return "failed " + e;
    }
  }

  /** What comes of a Call, in words. */
  static String call(Socket socket, byte[] call) throws IOException {
    PlainCall answer = PlainCall.on(socket, call);
    return (answer.returned() ? "returned " : "threw ") + answer.value();
  }
}
