package io.rmigate.gateway.standalone;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rmigate.protocol.LogText;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code lockouts list} and {@code lockouts end}: who is locked out of a running gateway, and an
 * end of that before its time. Asks the gateway over HTTP, as an administrator.
 */
@Command(
    name = "lockouts",
    description = "List or end lockouts of a running gateway.",
    mixinStandardHelpOptions = true)
final class LockoutsCommand implements Runnable {
  /** Exit code: there is no such lockout. */
  private static final int NONE = 1;

  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Spec private CommandSpec spec;

  /** Which gateway, and who asks it. */
  static final class Gateway {
    @Option(
        names = "--gateway",
        paramLabel = "URL",
        required = true,
        description =
            "The address of the gateway including its context path, such as"
                + " https://gw.example/rmigate; if admin.listen is set, that address. If the"
                + " certificate is from a private authority: java"
                + " -Djavax.net.ssl.trustStore=FILE -jar …")
    private URI url;

    @Option(
        names = "--user",
        paramLabel = "NAME",
        description = "The user to log in as; must be one of admin.principals.")
    private String user;

    @Option(
        names = "--password-file",
        paramLabel = "FILE",
        description = "A file with the user's password in its first line. Required with --user.")
    private Path passwordFile;

    @Option(
        names = "--token-file",
        paramLabel = "FILE",
        description = "Log in with the bearer token in the first line of this file instead.")
    private Path tokenFile;

    private HttpRequest.Builder request(String path) throws IOException {
      String base = url.toString().replaceAll("/+$", "");
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(base + "/admin/lockouts" + path)).timeout(PATIENCE);
      if (user != null && passwordFile != null) {
        byte[] pair = (user + ":" + firstLine(passwordFile)).getBytes(StandardCharsets.UTF_8);
        request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair));
      } else if (tokenFile != null) {
        request.header("Authorization", "Bearer " + firstLine(tokenFile));
      }
      return request;
    }

    private static String firstLine(Path file) throws IOException {
      try (var lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
        return Optional.ofNullable(lines.readLine()).orElse("").strip();
      }
    }
  }

  /** One of the list. */
  private record Lockout(String id, String principal, String since, String until, String refused) {
    static Lockout of(JsonNode one) {
      List<String> refused = new ArrayList<>();
      one.path("refused").forEach(each -> refused.add(LogText.of(each.asText(""))));
      return new Lockout(
          one.path("id").asText(""),
          one.path("principal").asText(""),
          one.path("since").asText(""),
          one.path("until").asText(""),
          String.join(", ", refused));
    }

    String line() {
      return "%s %s since %s until %s: %s"
          .formatted(id, LogText.of(principal), since, until, refused);
    }
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "missing command: lockouts list, or lockouts end ID");
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description =
          "Print each lockout: its id, the principal, its begin and end, and what was refused"
              + " before.",
      exitCodeListHeading = Standalone.EXIT_CODES,
      exitCodeList = {
        "0:The lockouts are printed, or there are none.",
        "2:The gateway cannot be reached, or refuses this user."
      },
      exitCodeOnExecutionException = Standalone.UNUSABLE)
  int list(@Mixin Gateway gateway) throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    lockouts(gateway).forEach(one -> out.println(one.line()));
    out.flush();
    return 0;
  }

  @Command(
      name = "end",
      mixinStandardHelpOptions = true,
      description =
          "End a lockout early; earlier refusals no longer count. The gateway's audit records the"
              + " administrator.",
      exitCodeListHeading = Standalone.EXIT_CODES,
      exitCodeList = {
        "0:The lockout has ended.",
        "1:There is no such lockout.",
        "2:The gateway cannot be reached, or refuses this user."
      },
      exitCodeOnExecutionException = Standalone.UNUSABLE)
  int end(
      @Mixin Gateway gateway,
      @Parameters(
              paramLabel = "ID",
              description = "The id of a lockout, or the principal, as printed by lockouts list.")
          String id)
      throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    int ended = 0;
    for (Lockout one : lockouts(gateway)) {
      if (one.id().equals(id) || one.principal().equals(id)) {
        HttpResponse<String> answer = send(gateway.request("/" + one.id()).DELETE());
        if (answer.statusCode() == OK) {
          ended++;
          out.println("ended the lockout of " + LogText.of(one.principal()));
        } else if (answer.statusCode() != NOT_FOUND) { // it may have ended by itself
          throw unexpected(answer);
        }
      }
    }
    if (ended == 0) {
      out.println("there is no lockout " + LogText.of(id) + "; lockouts list prints all");
    }
    out.flush();
    return ended == 0 ? NONE : 0;
  }

  private List<Lockout> lockouts(Gateway gateway) throws IOException, InterruptedException {
    if ((gateway.user == null) != (gateway.passwordFile == null)
        || (gateway.user != null && gateway.tokenFile != null)) {
      throw new ParameterException(
          spec.commandLine(), "log in with --user and --password-file, or with --token-file");
    }
    HttpResponse<String> answer = send(gateway.request("").GET());
    if (answer.statusCode() != OK) {
      throw unexpected(answer);
    }
    List<Lockout> all = new ArrayList<>();
    try {
      JSON.readTree(answer.body()).forEach(one -> all.add(Lockout.of(one)));
    } catch (JsonProcessingException other) {
      throw new IOException(
          answer.uri() + " does not answer like a gateway; check --gateway", other);
    }
    return all;
  }

  private static HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    HttpRequest built = request.build();
    try {
      return client.send(built, HttpResponse.BodyHandlers.ofString());
    } catch (IOException failure) {
      throw new IOException(
          "cannot ask "
              + built.uri()
              + ": "
              + Optional.ofNullable(failure.getMessage()).orElse(failure.toString()),
          failure);
    }
  }

  private static IOException unexpected(HttpResponse<String> answer) {
    String why =
        switch (answer.statusCode()) {
          case 401 -> "the login is missing or wrong";
          case 403 -> "this user is not one of admin.principals";
          case NOT_FOUND ->
              "there is no /admin; check the address and its context path, and admin.listen";
          default -> LogText.brief(answer.body().strip());
        };
    return new IOException(answer.uri() + " answers " + answer.statusCode() + ": " + why);
  }
}
