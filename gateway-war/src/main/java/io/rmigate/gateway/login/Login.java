package io.rmigate.gateway.login;

import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.policy.RefusalLine;
import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.tls.TlsSettings;
import io.rmigate.protocol.AddressLiteral;
import io.rmigate.protocol.AddressOwner;
import io.rmigate.protocol.LogText;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The door: every configured scheme looks at the request. All credentials found must be good and
 * name the same principal; a bad one is never ignored because another one is good. Immutable and
 * thread-safe; a changed configuration makes another one.
 */
public final class Login {
  private static final Logger log = LoggerFactory.getLogger(Login.class);

  /** Names under which credentials are put into addresses. */
  private static final Pattern TOKEN_PARAMETER =
      Pattern.compile("(?i)access_token|id_token|bearer_token|authorization|password");

  private static final Pattern ESCAPED = Pattern.compile("%(\\p{XDigit}{2})");

  /** When to repeat a login whose password was not checked for want of time. */
  private static final String RETRY_SECONDS = "5";

  /** The reason of refusals while the audit cannot be written. */
  public static final String AUDIT_FULL = "audit-full";

  /** Many clients begin without a credential, so that it is no event for a log. */
  private static final LoginResult NO_CREDENTIAL =
      new LoginResult.Refused("no credential", "", LoginResult.Kind.WRONG, "");

  private final List<LoginScheme> schemes;
  private final boolean anonymous;
  private final LoginAudit audit;
  private final boolean containerAuthenticates;
  private final List<String> challenges;

  Login(
      List<LoginScheme> schemes,
      boolean anonymous,
      boolean containerAuthenticates,
      LoginAudit audit) {
    this.schemes = List.copyOf(schemes);
    this.anonymous = anonymous;
    this.audit = audit;
    this.containerAuthenticates = containerAuthenticates;
    List<String> offered =
        schemes.stream().map(LoginScheme::challenge).flatMap(Optional::stream).toList();
    // RFC 9110, section 15.5.2, wants at least one with every 401. There is no registered scheme
    // for "by your certificate"; clients ignore one they do not know.
    this.challenges = offered.isEmpty() ? List.of("ClientCertificate realm=\"rmigate\"") : offered;
  }

  /**
   * Makes the ways to log in that are configured, and reads the files that they name.
   *
   * @param logins the ways
   * @param origin where they are configured, for messages
   * @param plainHttpAllowed whether passwords may come over plain HTTP
   * @param principals the entries of all lists of principals: of their groups container logins are
   *     asked
   * @param audit is told who was let in and who was not
   * @param ownTls by which this gateway's own server lets clients in; empty in a container
   * @param downloaded keys that are known from configurations before
   * @throws ConfigException with every problem in these files
   */
  public static Login of(
      LoginSettings logins,
      String origin,
      boolean plainHttpAllowed,
      Set<String> principals,
      LoginAudit audit,
      Optional<TlsSettings> ownTls,
      KeySets downloaded)
      throws ConfigException {
    if ((logins.bearer().isPresent() || logins.clientCertificate()) && ZeroSignatures.areTaken()) {
      throw new ConfigException(
          origin,
          logins.clientCertificate() ? "logins.client-certificate" : "logins.bearer",
          "this JVM takes a signature of zeros for anybody's (CVE-2022-21449); update its JDK");
    }
    List<LoginScheme> schemes = new ArrayList<>();
    if (logins.bearer().isPresent()) {
      schemes.add(BearerLogin.load(logins.bearer().get(), plainHttpAllowed, downloaded));
    }
    if (logins.usersFile().isPresent()) {
      schemes.add(BasicLogin.load(logins.usersFile().get(), plainHttpAllowed));
    }
    if (logins.clientCertificate()) {
      schemes.add(CertificateLogin.load(ownTls));
    }
    if (logins.container()) {
      schemes.add(new ContainerLogin(Principal.groups(principals)));
    }
    return new Login(schemes, logins.anonymous(), logins.container(), audit);
  }

  /** Judges a request. Called by threads of the container; may block for a slow hash. */
  public LoginResult authenticate(HttpServletRequest request) {
    return authenticate(request, Optional.empty());
  }

  /**
   * Judges a request that may do without a credential.
   *
   * @param otherwise principal of a request without a credential; empty for the configured one, if
   *     any
   */
  public LoginResult authenticate(HttpServletRequest request, Optional<Principal> otherwise) {
    LoginResult judged = judge(request);
    LoginResult result =
        otherwise.isPresent() && isWithoutCredential(judged)
            ? new LoginResult.Accepted(otherwise.get())
            : judged;
    if (result instanceof LoginResult.Accepted accepted) {
      audit.accepted(request, accepted.principal());
    } else if (result.equals(NO_CREDENTIAL)) {
      log.debug("{} has not logged in", request.getRemoteAddr());
    } else if (result instanceof LoginResult.Refused refused) {
      String peer = request.getRemoteAddr();
      String reason = LogText.brief(refused.reason());
      Refusal refusal = new Refusal(refused.number(), reason, "");
      String path = LogText.brief(request.getServletPath());
      String door = path.isEmpty() ? "/" : path;
      String claimed = LogText.brief(refused.claimed());
      String whole = peer + ":" + request.getRemotePort();
      audit
          .lines()
          .warn(
              log, owner(peer), "{}", new RefusalLine(door, "login", claimed, refusal, "", whole));
      audit.refused(request, refused);
    }
    return result;
  }

  /** The owner of shares; all clients without a known address are one owner. */
  private static AddressOwner owner(String peer) {
    return AddressOwner.of(
        AddressLiteral.ofPeer(String.valueOf(peer)).orElseGet(InetAddress::getLoopbackAddress));
  }

  /**
   * Audits that a request is refused before its login is checked: nothing new is let in while the
   * audit cannot be written. Its line is kept until it can, as far as there is room, or else
   * counted as lost.
   *
   * @param status of HTTP, with which it is answered
   */
  public Refusal shut(HttpServletRequest request, int status) {
    Refusal refusal = Refusal.of("nothing new is let in while the audit cannot be written");
    audit.shut(request, AUDIT_FULL, refusal, status);
    return refusal;
  }

  /** The refusal of which log and audit have been told; empty when they have not. */
  public static Optional<Refusal> refusal(LoginResult result) {
    return result instanceof LoginResult.Refused refused && !refused.number().isEmpty()
        ? Optional.of(new Refusal(refused.number(), refused.reason(), ""))
        : Optional.empty();
  }

  /**
   * Whether a principal that has logged in, by this configuration or an earlier one, could log in
   * again with its credentials, as far as can be known without them: the line of the users file is
   * the same, the token's key is one of the issuer's still, an authority stands for the
   * certificate. May block. Whether a proof has expired is for {@link Principal#expires} to say.
   */
  public boolean holds(Principal principal) {
    return switch (principal.scheme()) {
      case CONFIGURED -> true;
      case ANONYMOUS -> anonymous;
      case CONTAINER -> containerAuthenticates && allHold(principal);
      case BASIC, BEARER, CLIENT_CERTIFICATE -> !principal.proofs().isEmpty() && allHold(principal);
    };
  }

  private boolean allHold(Principal principal) {
    return principal.proofs().stream()
        .allMatch(
            proof -> schemes.stream().anyMatch(scheme -> scheme.holds(principal.name(), proof)));
  }

  /** Whether this is what becomes of a request in which there is no credential at all. */
  private static boolean isWithoutCredential(LoginResult result) {
    return result.equals(NO_CREDENTIAL)
        || (result instanceof LoginResult.Accepted accepted
            && accepted.principal().scheme() == Principal.Scheme.ANONYMOUS);
  }

  private LoginResult judge(HttpServletRequest request) {
    List<String> authorization = Collections.list(request.getHeaders("Authorization"));
    if (authorization.size() > 1) {
      return new LoginResult.Refused("several Authorization headers");
    }
    if (hasTokenInUrl(request.getQueryString())) {
      return new LoginResult.Refused("a token in the URL, where logs and proxies keep it");
    }
    List<LoginResult.Accepted> accepted = new ArrayList<>();
    boolean authorizationSeen = false;
    for (LoginScheme scheme : schemes) {
      Optional<LoginResult> result = scheme.attempt(request);
      if (result.isPresent() && result.get() instanceof LoginResult.Refused refused) {
        return refused;
      }
      if (result.isPresent() && result.get() instanceof LoginResult.Accepted good) {
        accepted.add(good);
        authorizationSeen |= scheme instanceof BasicLogin || scheme instanceof BearerLogin;
      }
    }
    // Where the container authenticates, a header that is not ours is what it has judged.
    boolean judgedByContainer = containerAuthenticates && request.getUserPrincipal() != null;
    if (!authorization.isEmpty() && !authorizationSeen && !judgedByContainer) {
      return new LoginResult.Refused("an Authorization header of a scheme that is not configured");
    }
    return agreed(accepted);
  }

  /** As RFC 6750, section 2.3, would have it. */
  private static boolean hasTokenInUrl(String query) {
    if (query == null) {
      return false;
    }
    for (String parameter : query.split("[&;]", -1)) {
      String name = parameter.substring(0, (parameter + "=").indexOf('='));
      if (TOKEN_PARAMETER.matcher(unescaped(name)).matches()) {
        return true;
      }
    }
    return false;
  }

  /** The name of a parameter as a reader of its value finds it; each character may be escaped. */
  private static String unescaped(String name) {
    return ESCAPED.matcher(name).replaceAll(Login::unescaped);
  }

  private static String unescaped(MatchResult escaped) {
    char meant = (char) Integer.parseInt(escaped.group(1), 16);
    return Matcher.quoteReplacement(String.valueOf(meant));
  }

  private LoginResult agreed(List<LoginResult.Accepted> accepted) {
    if (accepted.isEmpty()) {
      return anonymous ? new LoginResult.Accepted(Principal.ANONYMOUS) : NO_CREDENTIAL;
    }
    List<String> names =
        accepted.stream().map(login -> login.principal().name()).distinct().toList();
    if (names.size() > 1) {
      return new LoginResult.Refused("credentials that disagree: " + String.join(" and ", names));
    }
    List<Proof> proofs =
        accepted.stream().flatMap(login -> login.principal().proofs().stream()).toList();
    Optional<Instant> firstEnd =
        accepted.stream()
            .flatMap(login -> login.principal().expires().stream())
            .min(Comparator.naturalOrder());
    Set<String> groups =
        accepted.stream()
            .flatMap(login -> login.principal().groups().stream())
            .collect(Collectors.toUnmodifiableSet());
    return new LoginResult.Accepted(accepted.get(0).principal().by(groups, proofs, firstEnd));
  }

  /**
   * Answers a refused login: 503 if the password was not checked for want of time, so that a user
   * does not take it for wrong; otherwise as {@link #refuse(HttpServletResponse)}.
   *
   * @throws IOException the client is gone
   */
  public void refuse(HttpServletResponse response, LoginResult result) throws IOException {
    if (isBusy(result)) {
      response.setHeader("Retry-After", RETRY_SECONDS);
      answer(
          response,
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          told("too many logins, come back", result));
    } else {
      challenge(response);
      answer(response, HttpServletResponse.SC_UNAUTHORIZED, told("log in", result));
    }
  }

  /** The text for the client, which has only the number of the refusal. */
  private static String told(String text, LoginResult result) {
    return refusal(result).map(refusal -> refusal.told(text, false)).orElse(text) + "\n";
  }

  /** Whether there was no time to look at the credential. */
  public static boolean isBusy(LoginResult result) {
    return result instanceof LoginResult.Refused refused && refused.kind() == LoginResult.Kind.BUSY;
  }

  /**
   * Answers 401, the same for every reason, with a challenge for every configured scheme.
   *
   * @throws IOException the client is gone
   */
  public void refuse(HttpServletResponse response) throws IOException {
    challenge(response);
    answer(response, HttpServletResponse.SC_UNAUTHORIZED, "log in\n");
  }

  private static void answer(HttpServletResponse response, int status, String text)
      throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    response.setStatus(status);
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setContentType("text/plain;charset=utf-8");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  /** Sets status 401 and the challenges without a body, for callers that send one of their own. */
  public void challenge(HttpServletResponse response) {
    response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
    challenges.forEach(challenge -> response.addHeader("WWW-Authenticate", challenge));
  }
}
