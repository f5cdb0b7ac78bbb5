package io.rmigate.gateway.services;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One page in a Chromium without a window, driven by its DevTools protocol. Used by one thread;
 * ends with its process and its profile.
 */
final class HeadlessBrowser implements AutoCloseable {
  private static final List<String> PROGRAMS =
      List.of("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
  private final WebSocket socket;
  private int commands;

  private HeadlessBrowser(Process process, Path profile) throws Exception {
    this.process = process;
    Path active = profile.resolve("DevToolsActivePort");
    await()
        .atMost(PATIENCE)
        .until(() -> Files.exists(active) && Files.readString(active).lines().count() == 2);
    String port = Files.readAllLines(active).get(0);
    HttpClient http = HttpClient.newHttpClient();
    HttpRequest newPage =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/new?about:blank"))
            .PUT(HttpRequest.BodyPublishers.noBody())
            .build();
    JsonNode page = JSON.readTree(http.send(newPage, BodyHandlers.ofString()).body());
    socket =
        http.newWebSocketBuilder()
            .buildAsync(URI.create(page.get("webSocketDebuggerUrl").asText()), new Answers())
            .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** The program, if there is one. */
  static Optional<Path> program() {
    return PROGRAMS.stream()
        .flatMap(
            name -> Stream.of(System.getenv("PATH").split(":", -1)).map(at -> Path.of(at, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Starts one whose files are below a directory. */
  static HeadlessBrowser start(Path program, Path directory) throws Exception {
    Path profile = Files.createDirectories(directory.resolve("profile"));
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--headless",
                "--no-sandbox", // in which root cannot be
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("browser.log").toFile())
            .start();
    try {
      return new HeadlessBrowser(process, profile);
    } catch (Exception | Error e) {
      end(process);
      throw e;
    }
  }

  private final class Answers implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        answered(text.toString());
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  /** Handles an answer. Events have no number, and no caller waits for them. */
  private void answered(String message) {
    try {
      JsonNode answer = JSON.readTree(message);
      CompletableFuture<JsonNode> asked = waiting.remove(answer.path("id").asInt());
      if (asked != null) {
        asked.complete(answer);
      }
    } catch (IOException e) {
      throw new AssertionError(message, e);
    }
  }

  private JsonNode command(String method, ObjectNode parameters) throws Exception {
    int id = ++commands;
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    waiting.put(id, answer);
    ObjectNode command = JSON.createObjectNode().put("id", id).put("method", method);
    command.set("params", parameters);
    socket.sendText(command.toString(), true).get(Patience.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    JsonNode answered = answer.get(Patience.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(answered.has("error")).as("%s: %s", method, answered).isFalse();
    return answered.get("result");
  }

  /** Goes to an address, and waits until its page is there. */
  void open(String address) throws Exception {
    JsonNode gone = command("Page.navigate", JSON.createObjectNode().put("url", address));
    assertThat(gone.has("errorText")).as("%s", gone).isFalse();
    await()
        .until(
            () ->
                evaluate("document.readyState + location.protocol")
                    .asText()
                    .equals("completehttp:"));
  }

  /** The value of an expression of JavaScript in the page; awaits a promise. */
  JsonNode evaluate(String expression) throws Exception {
    JsonNode result =
        command(
            "Runtime.evaluate",
            JSON.createObjectNode()
                .put("expression", expression)
                .put("awaitPromise", true)
                .put("userGesture", true)
                .put("returnByValue", true));
    assertThat(result.has("exceptionDetails")).as("%s: %s", expression, result).isFalse();
    return result.get("result").path("value");
  }

  @Override
  public void close() {
    socket.abort();
    end(process);
  }

  /** Its helpers end with it; their files are not there to be deleted before that. */
  private static void end(Process process) {
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    await().until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
  }
}
