package io.rmigate.gateway.container.async;

import io.rmigate.client.Rmigate;
import io.rmigate.client.async.AsyncCall;
import io.rmigate.client.async.AsyncStub;
import io.rmigate.client.async.Execution;
import io.rmigate.client.async.ReadAhead;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes calls for whose results no thread waits. Arguments: host and port of the registry. Answers
 * each line of standard input with {@code did} and what has become of it; see the methods.
 */
public final class DeskClient {
  private static final int PATIENCE_SECONDS = 60;

  private final Desk desk;
  private final Registry registry;
  private final AsyncStub<Desk> async;

  private DeskClient(String host, int port) throws Exception {
    registry = LocateRegistry.getRegistry(host, port);
    desk = (Desk) registry.lookup(Desk.NAME);
    async = Rmigate.async(desk);
  }

  /** Runs until its input ends. */
  public static void main(String[] args) throws Exception {
    DeskClient client = new DeskClient(args[0], Integer.parseInt(args[1]));
    System.out.println("ready");
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String answer;
      try {
        answer = client.answer(line.split(" "), lines);
      } catch (Exception | AssertionError failed) {
        failed.printStackTrace();
        answer = failed.toString();
      }
      System.out.println("did " + answer.replaceAll("\\s+", " "));
    }
    System.exit(0);
  }

  private String answer(String[] words, BufferedReader lines) throws Exception {
    return switch (words[0]) {
      case "values" -> values();
      case "hold" -> hold(Integer.parseInt(words[1]));
      case "fail" -> failureOf(async.run(d -> d.fail(words[1])));
      case "unmarshallable" -> failureOf(async.call(d -> d.ring(text -> text, "by value")));
      case "refused" -> refused();
      case "open" -> open();
      case "ring" -> ring();
      case "lookup" ->
          ((Desk) get(Rmigate.async(registry).call(r -> r.lookup(Desk.NAME)))).echo("looked up");
      case "cancel" -> cancel();
      case "timeout" -> timeout(Long.parseLong(words[1]));
      case "gone" -> gone();
      case "count" -> count(lines);
      case "rows" ->
          rows(Integer.parseInt(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
      case "ahead" -> ahead(Integer.parseInt(words[1]));
      case "counted" -> desk.counted();
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  private static void pause() {
    LockSupport.parkNanos(1_000_000);
  }

  private static <R> R get(CompletableFuture<R> call) throws Exception {
    return call.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Arguments may change as soon as the call has been made. */
  private String values() throws Exception {
    List<AsyncCall<String>> calls = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      String text = "text " + i;
      calls.add(async.call(d -> d.echo(text)));
    }
    byte[] numbers = {1, 2, 3};
    AsyncCall<Double> sum = async.call(d -> d.compute(4, 1L << 40, true, numbers));
    numbers[0] = 100;
    for (int i = 0; i < calls.size(); i++) {
      if (!get(calls.get(i)).equals("text " + i)) {
        throw new AssertionError("another call's result");
      }
    }
    byte[] large = new byte[300_000];
    new Random(1).nextBytes(large);
    boolean same = Arrays.equals(large, get(async.call(d -> d.count(-1, large))));
    boolean nothing = get(async.run(Desk::release)) == null;
    return get(sum) + " " + same + " " + nothing + " " + calls.get(0).execution();
  }

  /** {@code <held at a time> <threads that calls have caused here, but no more than>}. */
  private String hold(int calls) throws Exception {
    int before = Thread.activeCount();
    List<AsyncCall<Integer>> held = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      held.add(async.call(Desk::hold));
    }
    while (desk.held() < Math.min(calls, 128)) {
      pause();
    }
    Thread[] threads = new Thread[Thread.activeCount() + 100];
    int alive = Thread.enumerate(threads);
    long ours =
        Arrays.stream(threads, 0, alive)
            .filter(thread -> thread.getName().startsWith("rmigate-async"))
            .count();
    while (!held.stream().allMatch(CompletableFuture::isDone)) {
      desk.release();
      pause();
    }
    int most = 0;
    for (AsyncCall<Integer> call : held) {
      most = Math.max(most, get(call));
    }
    return most + " " + (ours <= 9) + " " + (alive - before <= 16);
  }

  private static String failureOf(CompletableFuture<?> call) throws Exception {
    try {
      return "result " + get(call);
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      Throwable inner = cause.getCause();
      boolean ofServer =
          Arrays.stream(cause.getStackTrace())
              .anyMatch(at -> at.getClassName().equals(DeskServer.class.getName()));
      return cause.getClass().getSimpleName()
          + " "
          + (inner == null ? "-" : inner.getClass().getSimpleName())
          + " "
          + ofServer
          + " "
          + ((AsyncCall<?>) call).execution();
    }
  }

  /** An object that only this client holds lives, is called, and ends when it is dropped. */
  private String open() throws Exception {
    Desk.Drawer drawer = get(async.call(d -> d.open("left")));
    for (int i = 0; i < 5; i++) { // only a lease keeps it
      System.gc();
      desk.openDrawers();
    }
    String label = get(Rmigate.async(drawer).call(Desk.Drawer::label));
    int open = desk.openDrawers();
    drawer = null;
    while (desk.openDrawers() > 0) {
      System.gc();
      pause();
    }
    return label + " " + open;
  }

  /** The argument is an exported object that nothing else holds. */
  private String ring() throws Exception {
    AsyncCall<String> call = ringOnce();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return get(call);
  }

  private AsyncCall<String> ringOnce() throws RemoteException {
    Desk.Bell bell = text -> "rung " + text;
    UnicastRemoteObject.exportObject(bell, 0);
    return async.call(d -> d.ring(bell, "twice"));
  }

  /** An argument of a class that no policy lists. */
  private String refused() throws Exception {
    Desk.Bell lambda = (Desk.Bell & Serializable) text -> text;
    return failureOf(async.call(d -> d.ring(lambda, "by value")));
  }

  /** Before it is sent, while it is executed, after it. */
  private String cancel() throws Exception {
    AsyncStub<Desk> one = async.withConcurrency(1);
    AsyncCall<Integer> first = one.call(Desk::hold);
    AsyncCall<byte[]> second = one.call(d -> d.count(77_000_001, new byte[0]));
    AsyncCall<byte[]> third = one.call(d -> d.count(77_000_002, new byte[0]));
    while (desk.held() == 0) {
      pause();
    }
    String words = first.execution() + " " + second.execution();
    words += " " + second.cancel(true) + " " + second.execution();
    words += " " + first.cancel(true) + " " + first.execution() + " " + first.isCancelled();
    get(third);
    words += " " + third.cancel(true) + " " + third.execution();
    desk.release();
    return words;
  }

  private String timeout(long millis) throws Exception {
    AsyncStub<Desk> bounded = async.withTimeout(Duration.ofMillis(millis)).withConcurrency(1);
    AsyncCall<Integer> held = bounded.call(Desk::hold);
    AsyncCall<String> waits =
        bounded.withTimeout(Duration.ofMillis(millis / 2)).call(d -> d.echo("late"));
    String words = failureOf(held) + " " + failureOf(waits);
    desk.release();
    return words + " " + get(async.withTimeout(Duration.ofMinutes(1)).call(d -> d.echo("early")));
  }

  /** An object that has been unexported, and more calls than may wait. */
  private String gone() throws Exception {
    AsyncStub<Desk> one = async.withConcurrency(1);
    AsyncCall<Integer> first = one.call(Desk::hold);
    List<AsyncCall<String>> waiting = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      waiting.add(one.call(d -> d.echo("")));
    }
    AsyncCall<String> tooMany = one.call(d -> d.echo(""));
    boolean rejected = false;
    try {
      tooMany.join();
    } catch (java.util.concurrent.CompletionException failed) {
      rejected = failed.getCause() instanceof RejectedExecutionException;
    }
    waiting.forEach(call -> call.cancel(false));
    while (desk.held() == 0) {
      pause();
    }
    desk.release();
    get(first);
    return rejected + " " + tooMany.execution();
  }

  /** {@code <rows in order> <what has ended them> <how often the cursor was asked>}. */
  private String rows(int count, int bad, int taken) throws Exception {
    Desk.Rows cursor = desk.rows(count, bad);
    int row = 0;
    String end = "null";
    try (ReadAhead<String> rows = Rmigate.readAhead(cursor, Desk.Rows::next, 64)) {
      while (row < taken && rows.hasNext()) {
        if (!rows.next().startsWith(row + " ")) {
          throw new AssertionError("another row than " + row);
        }
        row++;
      }
    } catch (CompletionException failed) {
      end = failed.getCause().toString();
    }
    return row + " " + end + " " + cursor.asked();
  }

  /** How often the cursor is asked when one row is wanted. */
  private String ahead(int calls) throws Exception {
    Desk.Rows cursor = desk.rows(10_000, -1);
    try (ReadAhead<String> rows = Rmigate.readAhead(cursor, Desk.Rows::next, calls)) {
      if (!rows.hasNext()) {
        throw new AssertionError("no row");
      }
      int asked = cursor.asked();
      for (int looks = 0; looks < 2_000 && asked < calls; looks++) {
        asked = cursor.asked();
      }
      return asked + " " + cursor.asked();
    }
  }

  /** Counts until the next line, at most 64 calls at a time: {@code <made> <failed> <wrong>}. */
  private String count(BufferedReader lines) throws Exception {
    System.out.println("counting");
    Random random = new Random(3);
    Deque<AsyncCall<byte[]>> underWay = new ArrayDeque<>();
    Deque<byte[]> payloads = new ArrayDeque<>();
    long made = 0;
    long failed = 0;
    long wrong = 0;
    boolean stopped = false;
    while (!stopped || !underWay.isEmpty()) {
      stopped |= System.in.available() > 0 || lines.ready();
      while (!stopped && underWay.size() < 64) {
        long id = made++;
        byte[] payload = new byte[random.nextInt(100) == 0 ? 100_000 : random.nextInt(200)];
        random.nextBytes(payload);
        payloads.add(payload);
        underWay.add(async.call(d -> d.count(id, payload)));
      }
      if (underWay.isEmpty()) {
        break;
      }
      byte[] sent = payloads.remove();
      try {
        if (!Arrays.equals(sent, get(underWay.remove()))) {
          wrong++;
        }
      } catch (ExecutionException lost) {
        lost.printStackTrace();
        failed++;
      }
    }
    lines.readLine();
    return made + " " + failed + " " + wrong + " " + Execution.EXECUTED;
  }
}
