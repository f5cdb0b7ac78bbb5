package io.rmigate.gateway.edge;

import io.rmigate.gateway.policy.rule.ClassMode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * {@code /health/live}: the process answers. {@code /health/ready} and {@code /health}: 200 while
 * new links are welcome, else 503. Open to everybody and therefore without more detail than whether
 * class rules are in force everywhere, whether the container is one to replace, whether requests
 * for every host name are accepted, and whether a change of the configuration was refused.
 */
public final class HealthServlet extends ReadOnlyServlet {
  private static final long serialVersionUID = 1L;

  private final transient Readiness readiness;
  private final transient Supplier<ClassMode> classRules;
  private final transient Supplier<HostNames> names;
  private final transient BooleanSupplier changeRefused;

  /**
   * Shows {@code readiness}, whether what calls carry is looked into, which names are let in, and
   * whether the files of the configuration hold a change that was refused.
   */
  public HealthServlet(
      Readiness readiness,
      Supplier<ClassMode> classRules,
      Supplier<HostNames> names,
      BooleanSupplier changeRefused) {
    this.changeRefused = changeRefused;
    this.readiness = readiness;
    this.classRules = classRules;
    this.names = names;
  }

  @Override
  void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    switch (below(request)) {
      case "/live" -> Answers.send(response, 200, Answers.JSON, "{\"status\":\"live\"}\n");
      case "", "/ready" -> {
        Readiness.Phase phase = readiness.phase();
        Answers.send(
            response,
            phase == Readiness.Phase.READY ? 200 : 503,
            Answers.JSON,
            "{\"status\":\"%s\",\"classRules\":\"%s\"%s}\n"
                .formatted(
                    word(phase),
                    word(classRules.get()),
                    container()
                        + (names.get().isAny() ? ",\"hosts\":\"any\"" : "")
                        + (changeRefused.getAsBoolean() ? ",\"configuration\":\"refused\"" : "")));
      }
      default -> Answers.send(response, 404, Answers.TEXT, "not found\n");
    }
  }

  private String container() {
    return HostContainer.of(getServletContext()).weakness().isPresent()
        ? ",\"container\":\"outdated\""
        : "";
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
