package io.rmigate.client.pac;

import java.io.IOException;
import java.util.List;

/** A PAC file that has been understood. Immutable, thread-safe. */
public final class PacScript {
  /** Chromium takes no more either (net/proxy_resolution/pac_file_fetcher_impl.cc). */
  public static final int MAX_BYTES = 1024 * 1024;

  private static final String ENTRY = "FindProxyForURL";

  private final String file;
  private final Parser.Script script;

  private PacScript(String file, Parser.Script script) {
    this.file = file;
    this.script = script;
  }

  /**
   * Reads a script.
   *
   * @param file its name, for messages
   * @throws PacException a line is not understood
   */
  public static PacScript parse(String file, String text) throws PacException {
    if (text.length() > MAX_BYTES) {
      throw new PacException(file + " is longer than " + MAX_BYTES);
    }
    PacScript script = new PacScript(file, Parser.parse(file, text));
    if (!script.script.functions().containsKey(ENTRY)) {
      throw new PacException(file + " has no function " + ENTRY + "(url, host)");
    }
    return script;
  }

  /**
   * What the script says.
   *
   * @param url of what is going to be asked for; of https only scheme, host and port, as browsers
   *     do
   * @param host in it, without brackets
   * @throws PacException it cannot be evaluated, or not in the time that {@code network} grants
   * @throws IOException what {@code network} throws
   */
  public List<PacHop> findProxy(String url, String host, PacNetwork network) throws IOException {
    Evaluation run = new Evaluation(file, network);
    Evaluation.Frame top = run.new Frame(null);
    script.functions().forEach(top::assign);
    top.execute(script.body());
    Object answer = script.functions().get(ENTRY).call(run, List.of(url, host), 1);
    if (answer instanceof EmptyValue) {
      return List.of(PacHop.DIRECT); // as browsers do
    }
    return PacHop.parse(Coercion.text(answer));
  }
}
