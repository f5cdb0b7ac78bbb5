package io.rmigate.gateway.config;

import static io.rmigate.gateway.config.Allowed.count;
import static io.rmigate.gateway.config.Allowed.duration;
import static io.rmigate.gateway.config.Allowed.oneOf;
import static io.rmigate.gateway.config.Allowed.size;
import static io.rmigate.gateway.config.Allowed.wordsOf;
import static io.rmigate.gateway.config.Allowed.wordsOrNoneOf;

import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.callback.CallbackSettings;
import io.rmigate.gateway.lease.LeaseSettings;
import io.rmigate.gateway.limit.LockoutSettings;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.policy.ClassSettings;
import io.rmigate.gateway.policy.Codebases;
import io.rmigate.gateway.policy.JmxAccess;
import io.rmigate.gateway.policy.JmxGrant;
import io.rmigate.gateway.policy.KeyLimit;
import io.rmigate.gateway.policy.LongCallSettings;
import io.rmigate.gateway.policy.MessageBound;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.services.ServiceSettings;
import io.rmigate.gateway.session.SessionSettings;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Every key of {@code rmigate.yaml}: path, what is allowed, default, meaning. The reader, the
 * environment overrides, the suggestions for unknown keys and the table of docs/reference come from
 * here.
 */
enum ConfigKey {
  LISTEN(
      "listen",
      Allowed.HOST_PORT,
      "0.0.0.0:8443",
      "Stand-alone only: the address to listen on. A change needs a restart."),
  PATH(
      "path",
      Allowed.CONTEXT_PATH,
      "/rmigate",
      "Stand-alone only: the context path; in a container the deployment decides. A change needs a"
          + " restart."),
  INSECURE(
      "insecure",
      Allowed.FLAG,
      "false",
      "Accept plain HTTP: the stand-alone gateway then serves without tls, and Basic passwords and"
          + " bearer tokens are taken from requests that did not come over TLS. A change needs a"
          + " restart."),
  DRAIN(
      "drain",
      duration("0s", "10m"),
      "20s",
      "How long a stopping gateway waits for calls in flight."),
  STATE(
      "state",
      Allowed.DIRECTORY,
      ".rmigate",
      "Where the gateway keeps what must outlive a restart. A change needs a restart."),

  TLS_KEYSTORE(
      "tls.keystore",
      Allowed.FILE,
      "",
      "Stand-alone only: PKCS12 or JKS file with the server's key and certificate chain. Read anew"
          + " when it changes; adding or removing tls needs a restart."),
  TLS_PASSWORD_FILE(
      "tls.password-file",
      Allowed.FILE,
      "",
      "File whose first line is the password of the keystore; required with it."),
  TLS_CLIENT_AUTH(
      "tls.client-auth",
      oneOf("none", "want", "need"),
      "none",
      "Whether clients are asked for (want) or must show (need) a certificate. Who they are then"
          + " is the matter of logins.client-certificate. A change needs a restart."),
  TLS_TRUSTSTORE(
      "tls.truststore",
      Allowed.FILE,
      "",
      "PKCS12 or JKS file with the authorities that issue client certificates; required for want"
          + " and need. Read anew when it changes."),
  TLS_TRUSTSTORE_PASSWORD_FILE(
      "tls.truststore-password-file",
      Allowed.FILE,
      "",
      "File whose first line is the password of the truststore; left out: that of the keystore."),

  TLS_CRL_FILE(
      "tls.crl-file",
      Allowed.FILE,
      "",
      "Revocation lists of the authorities, PEM or DER, several in one file. With it each"
          + " certificate of a client's chain is looked up, and one whose issuer has no list there"
          + " that is current is refused. Read anew when it changes; nothing is fetched from"
          + " anywhere."),

  HTTP_MAX_CONNECTIONS(
      "http.max-connections",
      count(16, 1_000_000),
      "40000",
      "Stand-alone only: connections that may be open at the gateway's ports, in all; never more"
          + " than half of the files that the process may open (ulimit -n). Of one address, of IPv6"
          + " one network of 64 bits, there are no more than three times as many as are left, unless"
          + " it is one of services.trusted-proxies. One beyond is closed at once."),
  HTTP_PATIENCE(
      "http.patience",
      duration("200ms", "10m"),
      "30s",
      "Stand-alone only: how long the head of a request may take to come, on a new connection with"
          + " the TLS handshake, and how long a body may bring no byte. Then the connection ends. A"
          + " request that waits for its answer has no such bound."),
  HTTP_MIN_RATE(
      "http.min-rate",
      size("1B", "1MiB"),
      "200B",
      "Stand-alone only: bytes a second that a body has to bring, measured over twice"
          + " http.patience. Then the connection ends. services.min-rate and legacy.patience are"
          + " stricter for what they bound."),

  LOGINS_ANONYMOUS(
      "logins.anonymous",
      Allowed.FLAG,
      "false",
      "Let everybody in, without any login, as principal anonymous."),
  LOGINS_BASIC_USERS_FILE(
      "logins.basic.users-file",
      Allowed.FILE,
      "",
      "Lines name:hash or name:hash:group,group for HTTP Basic; `java -jar rmigate.war"
          + " hash-password` makes them."),
  LOGINS_BEARER_JWKS(
      "logins.bearer.jwks",
      Allowed.FILE_OR_URL,
      "",
      "The JSON Web Key Set with the issuer's public keys; the only keys ever used. Left out: the"
          + " set that the issuer's own metadata name (OpenID Connect Discovery)."),
  LOGINS_BEARER_ISSUER(
      "logins.bearer.issuer",
      Allowed.TEXT,
      "",
      "What the claim iss must be; required. Without" + " logins.bearer.jwks an https:// address."),
  LOGINS_BEARER_AUDIENCE(
      "logins.bearer.audience", Allowed.TEXT, "", "What the claim aud must contain; required."),
  LOGINS_BEARER_PRINCIPAL_CLAIM(
      "logins.bearer.principal-claim",
      Allowed.TEXT,
      "sub",
      "The claim that holds the principal's name."),
  LOGINS_BEARER_GROUPS_CLAIM(
      "logins.bearer.groups-claim",
      Allowed.TEXT,
      "groups",
      "The claim that holds the names of the principal's groups, a list or one name."),
  LOGINS_BEARER_ALGORITHMS(
      "logins.bearer.algorithms",
      wordsOf("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"),
      "RS256, ES256",
      "Signature algorithms that are accepted."),
  LOGINS_CLIENT_CERTIFICATE(
      "logins.client-certificate",
      Allowed.FLAG,
      "false",
      "Take the principal from the TLS client certificate: its first subject alternative name"
          + " (URI, DNS or e-mail); one without is refused."),
  LOGINS_CONTAINER(
      "logins.container",
      Allowed.FLAG,
      "false",
      "Take the principal the servlet container has authenticated, with its roles as groups, as far"
          + " as lists of principals name them."),

  ORIGINS(
      "origins",
      Allowed.ORIGINS,
      "",
      "Web pages that may open the tunnel by WebSocket, with a login as everybody: by scheme, host"
          + " and port. Left out: none; agents have no Origin."),

  HOSTS(
      "hosts",
      Allowed.HOST_NAMES,
      "",
      "Host names by which clients reach this gateway, beside localhost and the names in the"
          + " certificate of tls, services.url, callbacks.host, listen and admin.listen. Requests"
          + " for other names get 421; addresses always pass, and so do /health and the link of"
          + " agents. In a container: left out, and without services.url and callbacks.host, every"
          + " name passes."),

  TARGETS_PRINCIPALS(
      "targets[].principals",
      Allowed.PRINCIPALS,
      "",
      "Who this entry is for, by name or group alone, whichever way has proven it; \"*\" is everybody"
          + " who is let in. Required."),
  TARGETS_ALLOW(
      "targets[].allow",
      Allowed.TARGET_PATTERNS,
      "",
      "Which RMI servers they may reach. Required. Stubs from an allowed registry may point"
          + " elsewhere: their endpoints are allowed in that session, and in those that show its"
          + " grants."),
  TARGETS_REGISTRY(
      "targets[].registry",
      wordsOrNoneOf("lookup", "list", "bind", "rebind", "unbind"),
      "lookup, list",
      "Registry operations granted there; none for a server that is no registry."),
  TARGETS_CLASS_MODE(
      "targets[].class-mode",
      oneOf("enforce", "learn", "off"),
      "",
      "Whether calls there are looked into: enforce refuses what is not allowed, learn lets it pass"
          + " and notes what would have to be allowed, off does not look. The first matching entry"
          + " that says so decides; left out: classes.mode."),
  TARGETS_CLASSES(
      "targets[].classes",
      Allowed.CLASS_PATTERNS,
      "",
      "Classes that calls and replies there may carry, beside the JDK's values and what"
          + " classes.interfaces mention. The first pattern that matches decides, those of"
          + " classes.allow coming last."),
  TARGETS_OPAQUE(
      "targets[].opaque",
      Allowed.CLASS_NAMES,
      "",
      "Classes whose data are not looked into, because no jar explains them, they write their"
          + " data unframed, or nothing proves where they stop reading. Who may send one may hide"
          + " anything in it; such calls go alone on a connection."),
  TARGETS_REFERENCES(
      "targets[].references",
      Allowed.TARGET_PATTERNS,
      "",
      "Endpoints at which arguments may name any object. Without them: objects of the client's own"
          + " JVM, those that its session was given by servers, and registries of endpoints that"
          + " entries name as one host and one port. A reference there that brings a"
          + " socket factory passes if the factory's class is allowed, too: the server makes its"
          + " sockets by it."),
  TARGETS_RECEIVED_OBJECTS(
      "targets[].received-objects",
      Allowed.FLAG,
      "",
      "Whether only objects may be called there, and leases be taken of, that this session has"
          + " looked up or was given by servers, whoever knows the ids of others. Left out: so it is,"
          + " unless another matching entry says false. Means nothing where calls are not looked"
          + " into (class-mode: off). Clients that come back to"
          + " another gateway, or to this one after a restart, show by their grants what they were"
          + " given. Stubs that clients have by other ways, such as files, are refused."),
  TARGETS_NEW_PORTS(
      "targets[].new-ports",
      Allowed.FLAG,
      "",
      "Whether objects that the registry there hands out may themselves hand out objects at ports"
          + " that it has not named, on the same host: these count as named by it, in sessions that"
          + " were given them. For objects exported at another port each time."),
  TARGETS_EXPLAIN(
      "targets[].explain",
      Allowed.FLAG,
      "",
      "Whether clients of these principals are told why something is refused, and what would allow"
          + " it: names of classes, methods and targets. Without it their exceptions have the number"
          + " of the refusal, for `policy explain`."),
  TARGETS_JMX(
      "targets[].jmx",
      oneOf(JmxAccess.words()),
      "",
      "Whether JMX is spoken there: its classes and methods, refused elsewhere, are allowed, but"
          + " creating MBeans, the JVM's own MBeans for diagnosis (diagnostic commands, heap dumps,"
          + " recordings) and loading classes are not. With read only attributes, metadata and"
          + " notifications are: nothing is set, invoked, registered or unregistered."),
  TARGETS_JMX_GRANTS(
      "targets[].jmx-grants",
      wordsOf(JmxGrant.words()),
      "",
      "Which of these are allowed there all the same, with jmx: true. Who may do one of them may run"
          + " anything in that server."),
  TARGETS_METHODS(
      "targets[].methods",
      Allowed.METHOD_PATTERNS,
      "",
      "Methods that may be called there, of interfaces in classes.interfaces and of JMX's; what !"
          + " takes away is refused wherever it stands in the list, and if nothing else is listed,"
          + " all others are allowed. By name, parameters and result, for no more travels: the same"
          + " method of another interface counts as this one. Left out, in any matching entry:"
          + " all."),
  TARGETS_NAMES(
      "targets[].names",
      Allowed.WORDS,
      "",
      "Names, with * for any characters, that may be looked up in registries there, or bound, and"
          + " that lists of them show; where calls are not looked into (class-mode: off) listing is"
          + " refused instead. Left out, in any matching entry, and where class-mode is learn: all."),
  TARGETS_LIST_ALL(
      "targets[].list-all",
      Allowed.FLAG,
      "",
      "Whether lists of registries there show all names, also those that names does not permit to"
          + " look up."),
  TARGETS_CALL_LIMIT(
      "targets[].call-limit",
      size("64KiB", "1GiB"),
      "",
      "The longest call that is gathered and looked into there; left out: classes.call-limit."),
  TARGETS_KEY_LIMIT(
      "targets[].key-limit",
      count(KeyLimit.LEAST, KeyLimit.MOST),
      "",
      "The keys that one message may have there; left out: classes.key-limit."),
  TARGETS_STREAM(
      "targets[].stream",
      Allowed.FLAG,
      "",
      "Whether calls, and results of clients' objects, may be longer than that. They are looked"
          + " into as they pass: what stands before something that is refused has reached the"
          + " server by then. Replies may be longer without it."),

  TARGETS_LIMITS_CALLS_PER_SECOND(
      "targets[].limits.calls-per-second",
      count(1, 1_000_000),
      "",
      "Calls by this entry, of all whom it is for together, in the long run: see"
          + " limits.calls-per-second."),
  TARGETS_LIMITS_BURST(
      "targets[].limits.burst",
      count(1, 10_000_000),
      "",
      "Calls that may come at once after a rest; left out: those of a second."),
  TARGETS_LIMITS_CALLS_IN_PROGRESS(
      "targets[].limits.calls-in-progress",
      count(1, 1_000_000),
      "",
      "All those principals' calls that wait for an answer, or for a connection, at a time."),
  TARGETS_LIMITS_BYTES_PER_SECOND(
      "targets[].limits.bytes-per-second",
      size("1KiB", "1GiB"),
      "",
      "Bytes of all those principals' calls and answers together, in the long run. Each passes"
          + " whole, and the next are refused until what has passed is paid for."),

  CLASSES_MODE(
      "classes.mode",
      oneOf("enforce", "learn", "off"),
      "enforce",
      "What is done with calls and replies of all targets: see targets[].class-mode. Where nothing"
          + " else is said, values of the JDK pass, and nothing else. off and learn are logged at each"
          + " start, those of entries too, and /health shows them."),
  CLASSES_ALLOW(
      "classes.allow",
      Allowed.CLASS_PATTERNS,
      "",
      "Classes that calls and replies of all targets may carry: see targets[].classes."),
  CLASSES_OPAQUE(
      "classes.opaque",
      Allowed.CLASS_NAMES,
      "",
      "Classes of all targets whose data are not looked into: see targets[].opaque."),
  CLASSES_INTERFACES(
      "classes.interfaces",
      Allowed.JAR_DIRECTORY,
      "",
      "The jars of the remote interfaces. Methods that none of them has are refused; what their"
          + " methods can carry by their signatures is allowed, and the serial form of all their"
          + " classes is known. Read when the configuration is."),
  CLASSES_CODEBASES(
      "classes.codebases",
      oneOf(Codebases.WORDS.toArray(String[]::new)),
      Codebases.DROP.toString(),
      "What is done with codebases in class annotations of calls and replies, as JVMs write them"
          + " whose classes come from a URLClassLoader (Tomcat, Spring Boot): drop, they are left"
          + " out on the way; keep, they go on, and a reader with java.rmi.server.useCodebaseOnly=false,"
          + " or of a JDK older than 7u21, loads classes from there; refuse, what names them is"
          + " refused. true means keep, and false refuse."),
  CLASSES_CALL_LIMIT(
      "classes.call-limit",
      size("64KiB", "1GiB"),
      Units.text(ClassSettings.CALL_LIMIT),
      "The longest call that is gathered and looked into; longer ones are refused, unless they are"
          + " longer by long-calls. Replies may have any length."),
  CLASSES_KEY_LIMIT(
      "classes.key-limit",
      count(KeyLimit.LEAST, KeyLimit.MOST),
      Integer.toString(ClassSettings.KEY_LIMIT),
      "Keys of one table, in a call or a reply, that its receiver may have to compare each with"
          + " each: those of Hashtable, Set.of and Map.of, and those of other hashed maps and sets"
          + " whose class is not Comparable with itself, which count twice. Strings and whole"
          + " numbers do not count. As shipped half a second of a receiver; twice as many take four"
          + " times as long."),
  CLASSES_MAX_DEPTH(
      "classes.max-depth",
      bound(MessageBound.DEPTH),
      usual(MessageBound.DEPTH),
      "Objects within each other, in a call or a reply. Their receiver reads them recursively: one"
          + " whose thread has too small a stack fails with a StackOverflowError. A linked list of"
          + " an application's own nodes is as deep as it is long."),
  CLASSES_OBJECT_LIMIT(
      "classes.object-limit",
      bound(MessageBound.OBJECTS),
      usual(MessageBound.OBJECTS),
      "Objects, strings and descriptors of classes in one call. Replies, and calls that stream"
          + " lets pass, may have any number. A list of a million Integers has a million."),
  CLASSES_CLASS_LIMIT(
      "classes.class-limit",
      bound(MessageBound.CLASSES),
      usual(MessageBound.CLASSES),
      "Different classes in one message."),
  CLASSES_REFERENCE_LIMIT(
      "classes.reference-limit",
      bound(MessageBound.REFERENCES),
      usual(MessageBound.REFERENCES),
      "References to remote objects in one message; in a reply 16384, if that is more."),
  CLASSES_PROXY_LIMIT(
      "classes.proxy-limit",
      bound(MessageBound.PROXIES),
      usual(MessageBound.PROXIES),
      "Different lists of interfaces of proxies, stubs among them, in one message, and in all that"
          + " one principal sends. A server keeps a class of each, with 14 KB of metaspace."),
  CLASSES_HASHING_LIMIT(
      "classes.hashing-limit",
      bound(MessageBound.HASHING),
      usual(MessageBound.HASHING),
      "Steps that the receiver of a message takes through what it hashes, keeps in an order, or"
          + " copies although others share it, beyond eight for each byte of the message; and"
          + " comparisons of keys, of which there may be 128 times as many."),

  LONG_CALLS_MAX_BYTES(
      "long-calls.max-bytes",
      size("64KiB", "1GiB"),
      Units.text(LongCallSettings.DEFAULT.maxBytes()),
      "What arrays of primitives and strings of one call may take in all, of those that are longer"
          + " than 65535 bytes. Where classes.interfaces has the method, they do not count for"
          + " call-limit, and pass as they come. No more than call-limit: no call is longer than"
          + " that, but by a line with stream."),
  LONG_CALLS_MAX_BYTES_PER_PRINCIPAL(
      "long-calls.max-bytes-per-principal",
      size("64KiB", "2047MiB"),
      Units.text(LongCallSettings.DEFAULT.maxBytesPerPrincipal()),
      "The bytes that long arrays and strings of all calls of a principal under way may take;"
          + " further calls are refused until one is over, with an error that says that nothing was"
          + " executed."),
  LONG_CALLS_PATIENCE(
      "long-calls.patience",
      duration("1s", "1h"),
      "30s",
      "How long a call that passes as it comes, by this or by stream, may bring less than 64KiB and"
          + " not its end, though its server would take more. Then it is refused, and its server's"
          + " thread is free."),

  LIMITS_CALLS_PER_SECOND(
      "limits.calls-per-second",
      count(1, 1_000_000),
      "",
      "Calls of a principal, in all its sessions and as a web-service client, in the long run; more"
          + " are refused, with an error that says that nothing was executed"
          + " (java.rmi.ConnectIOException, HTTP 429). Who has not logged in is counted by address."
          + " Left out, as all of this section: any number."),
  LIMITS_BURST(
      "limits.burst",
      count(1, 10_000_000),
      "",
      "Calls that may come at once after a rest; left out: those of a second."),
  LIMITS_CALLS_IN_PROGRESS(
      "limits.calls-in-progress",
      count(1, 1_000_000),
      "",
      "A principal's calls that wait for an answer, or for a connection, at a time."),
  LIMITS_BYTES_PER_SECOND(
      "limits.bytes-per-second",
      size("1KiB", "1GiB"),
      "",
      "Bytes of a principal's calls and answers together, in the long run. Each passes whole, and"
          + " the next are refused until what has passed is paid for."),

  LOCKOUT_AFTER(
      "lockout.after",
      count(2, 1_000_000),
      String.valueOf(LockoutSettings.DEFAULTS.after()),
      "A principal that was refused this number of different hostile things, in all its"
          + " sessions, is let do nothing any more for a while: classes by which servers are attacked,"
          + " malformed messages, forged references, guessed methods. Of what may be an"
          + " honest program's, such as stale objects and calls whose rule is missing, it"
          + " takes fifty times as many, up to 10000. Objects do not count that an agent"
          + " has declared as held. Who has not logged in is counted by address."),
  LOCKOUT_WITHIN(
      "lockout.within",
      duration("1s", "1d"),
      Units.text(LockoutSettings.DEFAULTS.within()),
      "The time in which that must have been, from the first of them."),
  LOCKOUT_LASTS(
      "lockout.lasts",
      duration("1s", "7d"),
      Units.text(LockoutSettings.DEFAULTS.lasts()),
      "How long that while is; a change of one of these three ends it, too."),

  RAW_PRINCIPALS(
      "raw[].principals",
      Allowed.PRINCIPALS,
      "",
      "Whose raw streams this entry is for: connections of stubs with a socket factory of their"
          + " own, which the gateway does not look into; \"*\" is everybody. Required."),
  RAW_ALLOW(
      "raw[].allow",
      Allowed.TARGET_PATTERNS,
      "",
      "Where those may go. Required. What targets or a registry's replies allow does not count."),
  RAW_FIRST_BYTES(
      "raw[].first-bytes",
      oneOf("tls", "any"),
      "tls",
      "What a client's first bytes there must be: the beginning of a TLS handshake, or anything but"
          + " plain JRMP."),

  MAP_LOOPBACK(
      "map-loopback",
      Allowed.FLAG,
      "true",
      "A stub that names loopback, or a host that is unknown here, is reached at the host its"
          + " registry was reached at."),
  MAP_HOST(
      "map[].host",
      Allowed.HOST_PATTERN,
      "",
      "Hosts that stubs name and that are nowhere, such as addresses of containers; the first entry"
          + " that matches counts. Required."),
  MAP_TO(
      "map[].to",
      Allowed.HOST,
      "",
      "Where they are; left out: at the host their registry was reached at."),
  COMPRESSION_MODE(
      "compression.mode",
      oneOf("on", "off", "auto"),
      "auto",
      "Compression of links: auto does as the agent asks, on always sends compressed to agents that"
          + " can undo it, off neither sends nor takes anything compressed. For sessions opened"
          + " from then on."),
  COMPRESSION_FOR_PRINCIPALS(
      "compression.for[].principals",
      Allowed.PRINCIPALS,
      "",
      "Who has a mode of their own; the first entry that names them counts. Required."),
  COMPRESSION_FOR_MODE(
      "compression.for[].mode", oneOf("on", "off", "auto"), "", "Their mode. Required."),

  LOOKUPS_CACHE(
      "lookups.cache",
      Allowed.FLAG,
      "true",
      "Agents may answer repeated lookups; the gateway watches what they hold. Sessions that are"
          + " open keep asking or not asking, and are told what is void."),
  LOOKUPS_UNCACHED(
      "lookups.uncached",
      Allowed.WORDS,
      "",
      "Names, with * for any characters, that are looked up in their registry every time."),
  LOOKUPS_POLL(
      "lookups.poll",
      duration("1s", "1h"),
      Units.text(LookupSettings.DEFAULTS.poll()),
      "Each watched name is looked up inside so often; a rebind inside is seen by agents within"
          + " that and one way of the link."),

  PRELOAD_PRINCIPALS(
      "preload[].principals",
      Allowed.PRINCIPALS,
      "",
      "Whose agents get what these names are bound to with the welcome; \"*\" is everybody."
          + " Required."),
  PRELOAD_NAMES(
      "preload[].names",
      Allowed.REGISTRY_NAMES,
      "",
      "Names that are watched from the start. targets must permit them. Required."),

  CALLBACKS_ADDRESS(
      "callbacks.address",
      Allowed.ADDRESS,
      "",
      "Where the gateway listens for objects that clients' JVMs export: an address of the inner"
          + " interface. Required with callbacks; without that section it does not listen. A change"
          + " of address, ports or allow is for ports asked for from then on."),
  CALLBACKS_HOST(
      "callbacks.host",
      Allowed.HOST,
      "",
      "How stubs of clients' objects name this gateway; left out: by the address."),
  CALLBACKS_PORTS(
      "callbacks.ports",
      Allowed.PORT_RANGE,
      "0",
      "The ports for exports that ask for none in particular."),
  CALLBACKS_FROM(
      "callbacks.from",
      Allowed.PEERS,
      "",
      "Which inner hosts may connect there. Required with callbacks. Names are looked up every half"
          + " a minute."),
  CALLBACKS_ALLOW_PRINCIPALS(
      "callbacks.allow[].principals",
      Allowed.PRINCIPALS,
      "",
      "Whose JVMs may export; the first entry that names them counts, \"*\" is everybody."
          + " Required."),
  CALLBACKS_ALLOW_MAX_PORTS(
      "callbacks.allow[].max-ports",
      count(1, 60_000),
      String.valueOf(CallbackSettings.MAX_PORTS),
      "Ports that one of them may have at a time, those in quarantine included. A client's JVM"
          + " usually needs one."),
  CALLBACKS_ALLOW_EXPLICIT(
      "callbacks.allow[].explicit",
      Allowed.PORTS,
      "",
      "Ports that they may ask for by number, such as 1099 for a registry; left out: none."),
  CALLBACKS_MAX_CONNECTIONS(
      "callbacks.max-connections",
      count(1, CallbackSettings.MOST_CONNECTIONS),
      String.valueOf(CallbackSettings.MAX_CONNECTIONS),
      "Connections of inner JVMs to one client's JVM at a time; each call needs one. Agents take no"
          + " more."),
  CALLBACKS_MAX_CONNECTIONS_IN_ALL(
      "callbacks.max-connections-in-all",
      count(1, 1_000_000),
      String.valueOf(CallbackSettings.MAX_CONNECTIONS_IN_ALL),
      "Connections of inner JVMs to all clients' JVMs together; each needs a descriptor. An inner"
          + " host, of IPv6 a network of 64 bits, gets no more than three times as many as are"
          + " left, here and of max-connections."),
  CALLBACKS_QUARANTINE(
      "callbacks.quarantine",
      duration("0s", "1d"),
      Units.text(CallbackSettings.QUARANTINE),
      "How long a port that was freed is given to nobody but its principal's JVMs, since stubs of"
          + " it are still about. Longer than callbacks.lease, or warned of."),
  CALLBACKS_LEASE(
      "callbacks.lease",
      duration("2s", "1d"),
      Units.text(CallbackSettings.LEASE),
      "The lease that inner JVMs get on clients' objects, as java.rmi.dgc.leaseValue of a server."),

  SESSION_HEARTBEAT(
      "session.heartbeat",
      duration("1s", "10m"),
      Units.text(SessionSettings.DEFAULTS.heartbeat()),
      "An agent sends a heartbeat after so much silence; after three without a byte the session"
          + " ends."),
  SESSION_HELLO_TIMEOUT(
      "session.hello-timeout",
      duration("100ms", "5m"),
      Units.text(SessionSettings.DEFAULTS.helloTimeout()),
      "How long a fresh connection may take to say hello."),
  SESSION_STREAM_CREDIT(
      "session.stream-credit",
      size("4KiB", "64MiB"),
      Units.text(SessionSettings.DEFAULTS.streamCredit()),
      "Bytes per stream and direction that may be under way unconsumed."),
  SESSION_MAX_STREAMS(
      "session.max-streams",
      count(1, 65536),
      String.valueOf(SessionSettings.DEFAULTS.maxStreams()),
      "Streams a session may have open at a time."),
  SESSION_MAX_SESSIONS_PER_PRINCIPAL(
      "session.max-sessions-per-principal",
      count(1, 1_000_000),
      String.valueOf(SessionSettings.DEFAULTS.maxSessionsPerPrincipal()),
      "Sessions one principal may have at a time."),
  SESSION_MAX_SESSIONS(
      "session.max-sessions",
      count(1, 1_000_000),
      String.valueOf(SessionSettings.DEFAULTS.maxSessions()),
      "Sessions in all."),
  SESSION_SEND_TIMEOUT(
      "session.send-timeout",
      duration("1s", "10m"),
      Units.text(SessionSettings.DEFAULTS.sendTimeout()),
      "How long a link may refuse to take a byte before it counts as lost."),
  SESSION_GRACE(
      "session.grace",
      duration("0s", "1h"),
      Units.text(SessionSettings.DEFAULTS.grace()),
      "How long a session and its leases outlive the loss of its link, for its agent may come back;"
          + " 0s: not at all. A change needs a restart."),

  SESSION_CHORES_PER_SECOND(
      "session.chores-per-second",
      count(100, 10_000_000),
      String.valueOf(SessionSettings.DEFAULTS.choresPerSecond()),
      "What the links of one principal may have the gateway do besides passing calls on: hold an"
          + " object or let it go, look up a name, open a stream, and the like; 16 frames that do"
          + " nothing are one; a lookup that insists on asking the registry counts as 10, a call"
          + " that is refused as 20, of who is locked out as 200."
          + " Nothing is refused for that: links that ask for more are read more slowly. Who has"
          + " not logged in is counted by address. A change needs a restart."),

  POST_ENABLED(
      "post.enabled",
      Allowed.FLAG,
      "true",
      "Clients may use HTTP POST where no WebSocket comes through. A change needs a restart."),
  POST_HOLD(
      "post.hold",
      duration("1s", "10m"),
      "25s",
      "How long a POST waits at most for something to answer it with; shorter than whatever stands"
          + " between waits. A change needs a restart."),

  LEGACY_ENABLED(
      "legacy.enabled",
      Allowed.FLAG,
      "false",
      "Serve the HTTP tunnelling that JDK 8 and older bring along, at the root of the gateway's"
          + " host. A change needs a restart."),
  LEGACY_LISTEN(
      "legacy.listen",
      Allowed.HOST_PORT,
      "",
      "Stand-alone only: where such clients find it over plain HTTP, and nothing else; they know no"
          + " https. Left out: where the gateway listens. A change needs a restart."),
  LEGACY_PRINCIPAL(
      "legacy.principal",
      Allowed.TEXT,
      "",
      "Who such a client is that does not log in; left out: all have to. These and the other keys"
          + " of this section are hot."),
  LEGACY_FROM(
      "legacy.from",
      Allowed.PROXIES,
      "",
      "Where its requests may come from; * alone is everywhere but this machine. Required with"
          + " legacy.principal."),
  LEGACY_MAX_BODY("legacy.max-body", size("1KiB", "32MiB"), "16MiB", "The message in one request."),
  LEGACY_MAX_REQUESTS(
      "legacy.max-requests",
      count(1, 10_000),
      "256",
      "Requests in progress in all. Those of one address, of IPv6 one network of 64 bits, are no"
          + " more than three times as many as are left."),
  LEGACY_PATIENCE(
      "legacy.patience",
      duration("1s", "10m"),
      "60s",
      "How long a body may take to come, and a second more for each 16 KiB of it; and how long"
          + " nothing of an answer may be taken."),
  LEGACY_CALL_TIMEOUT(
      "legacy.call-timeout",
      duration("100ms", "24h"),
      "10m",
      "How long a server may take to answer; nobody else would notice that such a client has"
          + " gone."),
  LEGACY_LEASE(
      "legacy.lease",
      duration("1s", "1d"),
      "600s",
      "The lease such clients get on servers' objects, which they renew at half of it; and how long"
          + " is remembered what registries have told an address that holds nothing."),

  RELAY_CONNECT_TIMEOUT(
      "relay.connect-timeout",
      duration("100ms", "5m"),
      Units.text(RelaySettings.DEFAULTS.connectTimeout()),
      "For one TCP connection to an RMI server, unless the agent asks for less."),
  RELAY_HANDSHAKE_TIMEOUT(
      "relay.handshake-timeout",
      duration("100ms", "10m"),
      Units.text(RelaySettings.DEFAULTS.handshakeTimeout()),
      "Until the server's ProtocolAck or PingAck has come."),
  RELAY_PING_AFTER_IDLE(
      "relay.ping-after-idle",
      duration("0s", "1h"),
      Units.text(RelaySettings.DEFAULTS.pingAfterIdle()),
      "A connection unused for so long is pinged before the next call."),
  RELAY_MAX_HELD_CALL(
      "relay.max-held-call",
      size("1KiB", "64MiB"),
      Units.text(RelaySettings.DEFAULTS.maxHeldCallBytes()),
      "Where class rules are off: a call up to this size is parsed to its end before its first"
          + " byte goes to the server. Where they are not, call-limit says so."),
  RELAY_THREADS(
      "relay.threads",
      count(0, 256),
      String.valueOf(RelaySettings.DEFAULTS.threads()),
      "Selector threads; 0 means one for every two processors. A change needs a restart."),

  LEASES_ENABLED(
      "leases.enabled",
      Allowed.FLAG,
      String.valueOf(LeaseSettings.DEFAULTS.enabled()),
      "Hold the leases on objects that agents have references to; otherwise their garbage"
          + " collector's calls cross the link. A change needs a restart."),
  LEASES_MAX_OBJECTS(
      "leases.max-objects",
      count(1, 10_000_000),
      String.valueOf(LeaseSettings.DEFAULTS.maxObjects()),
      "Objects held for one session; those beyond are not held. A change needs a restart."),
  LEASES_MAX_OBJECTS_PER_PRINCIPAL(
      "leases.max-objects-per-principal",
      count(1, 100_000_000),
      String.valueOf(LeaseSettings.DEFAULTS.maxObjectsPerPrincipal()),
      "Objects held for all sessions of one principal together. A change needs a restart."),
  LEASES_MAX_ENDPOINTS(
      "leases.max-endpoints",
      count(1, 65_536),
      String.valueOf(LeaseSettings.DEFAULTS.maxEndpoints()),
      "Endpoints at which objects are held for one session. A change needs a restart."),
  LEASES_CALL_TIMEOUT(
      "leases.call-timeout",
      duration("1s", "5m"),
      Units.text(LeaseSettings.DEFAULTS.callTimeout()),
      "The longest one call to a server for a lease may take. A change needs a restart."),

  GRANTS_KEY_FILE(
      "grants.key-file",
      Allowed.FILE,
      "",
      "Keys that several gateways have in common, so that each believes what the others have sealed"
          + " for agents: 32 bytes in Base64 a line; the first one seals, all open. Left out: a key"
          + " that the gateway keeps in state."),
  GRANTS_LIFETIME(
      "grants.lifetime",
      duration("1m", "30d"),
      "24h",
      "For how long an agent may come back and hold what an earlier session has learnt. Renewed at"
          + " half of it while the session lasts."),

  CALLS_HUNG_AFTER(
      "calls.hung-after",
      duration("1s", "24h"),
      "1m",
      "A call that has waited for its server, or for a client's JVM, longer is listed as hung in"
          + " /admin/calls and counted in rmigate_calls_hung."),

  PUBLISH_PATH(
      "publish[].path",
      Allowed.SERVICE_PATH,
      "",
      "Where web-service clients find the object: /services/<path>. None may begin with another one"
          + " and a slash. Required."),
  PUBLISH_OBJECT(
      "publish[].object",
      Allowed.RMI_URL,
      "",
      "The registry in which it is bound, and its name there. targets must permit the lookup, for"
          + " the principal that calls. Required."),
  PUBLISH_INTERFACE(
      "publish[].interface",
      Allowed.CLASS_NAME,
      "",
      "The remote interface that is published. Required."),
  PUBLISH_JARS(
      "publish[].jars",
      Allowed.JAR_DIRECTORY,
      "",
      "Its jars, with all classes that its methods name. Read anew when they change; missing or"
          + " damaged ones concern this entry only, and leave in place what it has published."
          + " Required."),
  PUBLISH_PRINCIPALS(
      "publish[].principals",
      Allowed.PRINCIPALS,
      "",
      "Who may call it; \"*\" is everybody who is let in. For others it does not exist. Required."),
  PUBLISH_METHODS(
      "publish[].methods",
      Allowed.WORDS,
      "",
      "The names of the methods that may be called; left out: all. Those of an interface whose"
          + " objects it hands out follow the latter's name: Basket.add; of one of which none is"
          + " named, all."),
  PUBLISH_IMPLEMENTATIONS_OF(
      "publish[].implementations[].of",
      Allowed.CLASS_NAME,
      "",
      "An interface or class of arguments and results whose values can be of several classes."
          + " Required."),
  PUBLISH_IMPLEMENTATIONS_CLASSES(
      "publish[].implementations[].classes", Allowed.CLASS_NAMES, "", "Those classes. Required."),
  PUBLISH_NAMES_METHOD(
      "publish[].names[].method",
      Allowed.SIGNATURE,
      "",
      "A method whose names are to be others than in its class. Required."),
  PUBLISH_NAMES_OPERATION(
      "publish[].names[].operation",
      Allowed.OPERATION_NAME,
      "",
      "What clients call it; left out: as it is."),
  PUBLISH_NAMES_PARAMETERS(
      "publish[].names[].parameters",
      Allowed.WORDS,
      "",
      "What clients call its parameters, all of them in their order; left out: as they are."),

  SERVICES_URL(
      "services.url",
      Allowed.OUTER_URL,
      "",
      "How clients reach this gateway, up to the context path, for the addresses in answers; left"
          + " out: as each request says. All keys of this section are hot."),
  SERVICES_TRUSTED_PROXIES(
      "services.trusted-proxies",
      Allowed.PROXIES,
      "",
      "Reverse proxies whose Forwarded, or else X-Forwarded-For, -Proto, -Host, -Port and"
          + " -Prefix, headers are believed, by logins, the tunnel and the audit too; left out:"
          + " nobody's."),
  SERVICES_MAX_BODY(
      "services.max-body",
      size("1KiB", "1GiB"),
      Units.text(ServiceSettings.DEFAULTS.limits().bodyBytes()),
      "The body of a request."),
  SERVICES_MAX_BODIES(
      "services.max-bodies",
      size("1KiB", "1GiB"),
      Units.text(ServiceSettings.DEFAULTS.bodiesBytes()),
      "The bodies of all requests in progress together. The heap should be several times as"
          + " large."),
  SERVICES_PATIENCE(
      "services.patience",
      duration("1s", "10m"),
      Units.text(ServiceSettings.DEFAULTS.pace().patience()),
      "How long a body may take to come, and an answer to be taken, however small they are."),
  SERVICES_MIN_RATE(
      "services.min-rate",
      size("1B", "1GiB"),
      Units.text(ServiceSettings.DEFAULTS.pace().bytesASecond()),
      "Bytes a second at which they must come and be taken beyond that. Who is slower is cut off."),
  SERVICES_MAX_DEPTH(
      "services.max-depth",
      count(1, 500),
      String.valueOf(ServiceSettings.DEFAULTS.limits().depth()),
      "Objects and arrays within each other in a request."),
  SERVICES_MAX_TOKENS(
      "services.max-tokens",
      count(10, 100_000_000),
      String.valueOf(ServiceSettings.DEFAULTS.limits().tokens()),
      "Names, values and brackets in a request, which bounds the lengths of its arrays."),
  SERVICES_MAX_TEXT(
      "services.max-text",
      count(100, 500_000_000),
      String.valueOf(ServiceSettings.DEFAULTS.limits().textChars()),
      "Characters of one text in a request that is no binary."),
  SERVICES_CALL_TIMEOUT(
      "services.call-timeout",
      duration("100ms", "1h"),
      Units.text(ServiceSettings.DEFAULTS.callTimeout()),
      "How long a remote object may take to answer."),
  SERVICES_MAX_CALLS_PER_PRINCIPAL(
      "services.max-calls-per-principal",
      count(1, 100_000),
      String.valueOf(ServiceSettings.DEFAULTS.callsPerPrincipal()),
      "Requests of one principal in progress at a time."),
  SERVICES_MAX_CALLS(
      "services.max-calls",
      count(1, 100_000),
      String.valueOf(ServiceSettings.DEFAULTS.calls()),
      "Requests in progress in all; each holds a thread of the container."),
  SERVICES_HANDLE_LIFETIME(
      "services.handle-lifetime",
      duration("1s", "7d"),
      Units.text(ServiceSettings.DEFAULTS.handleLifetime()),
      "How long the handle of a remote object lasts since it was made or last renewed."),
  SERVICES_MAX_HANDLES_PER_PRINCIPAL(
      "services.max-handles-per-principal",
      count(1, 1_000_000),
      String.valueOf(ServiceSettings.DEFAULTS.handlesPerPrincipal()),
      "Handles of one principal at a time."),
  SERVICES_MAX_HANDLES(
      "services.max-handles",
      count(1, 10_000_000),
      String.valueOf(ServiceSettings.DEFAULTS.handles()),
      "Handles in all."),

  AUDIT_PATH(
      "audit.path",
      Allowed.NEW_FILE,
      "",
      "Where the audit is written, one line of JSON for each event; rotated files lie beside it."
          + " Required with audit; without that section there is none. A change needs a restart."),
  AUDIT_EVENTS(
      "audit.events",
      wordsOf(Stream.of(AuditEvent.values()).map(AuditEvent::word).toArray(String[]::new)),
      "",
      "What is kept; left out: everything."),
  AUDIT_CHAIN(
      "audit.chain",
      Allowed.FLAG,
      "true",
      "Each line carries a hash over itself and the one before. A change needs a restart."),
  AUDIT_ROTATE_SIZE(
      "audit.rotate-size",
      size("64KiB", "2000MiB"),
      "100MiB",
      "A file that has grown so large is rotated."),
  AUDIT_ROTATE_AGE(
      "audit.rotate-age", duration("1m", "366d"), "1d", "And one whose first line is so old."),
  AUDIT_KEEP("audit.keep", count(1, 100_000), "30", "So many rotated files are kept."),
  AUDIT_WHEN_FULL(
      "audit.when-full",
      oneOf("continue", "refuse"),
      "continue",
      "While the audit cannot be written: work goes on, and lines that find no room in memory are"
          + " lost and counted; or nothing new is let in."),

  ADMIN_LISTEN(
      "admin.listen",
      Allowed.HOST_PORT,
      "",
      "Stand-alone only: where /admin and /metrics are, and health too, and nowhere else then: with"
          + " tls as at listen; without, an address of loopback. Left out: where the gateway"
          + " listens. A change needs a restart."),
  ADMIN_PRINCIPALS(
      "admin.principals",
      Allowed.PRINCIPALS,
      "",
      "Who may read /admin and /metrics, by name or group alone, whichever way has proven it; left"
          + " out: nobody."),
  METRICS(
      "metrics",
      oneOf("admin", "open"),
      "admin",
      "Who may read /metrics: the principals of admin, or everybody who can reach it (open).");

  /** What the names of the environment overrides begin with. */
  static final String ENVIRONMENT_PREFIX = "RMIGATE_GATEWAY_";

  private final String path;

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable values, its list a copy
  private final Allowed allowed;

  private final String defaultText;
  private final String meaning;

  ConfigKey(String path, Allowed allowed, String defaultText, String meaning) {
    this.path = path;
    this.allowed = allowed;
    this.defaultText = defaultText;
    this.meaning = meaning;
  }

  private static Allowed bound(MessageBound bound) {
    return Allowed.count(bound.least(), bound.most());
  }

  private static String usual(MessageBound bound) {
    return Integer.toString(bound.usual());
  }

  /** Dotted; {@code []} stands for each item of a list. */
  String path() {
    return path;
  }

  Allowed allowed() {
    return allowed;
  }

  /** As it would be written; empty when there is none. */
  String defaultText() {
    return defaultText;
  }

  /** The last part of the path. */
  String lastName() {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  /** Keys inside lists have no environment variable. */
  boolean hasEnvironmentVariable() {
    return !path.contains("[]");
  }

  /** {@code session.max-streams} is {@code RMIGATE_GATEWAY_SESSION_MAX_STREAMS}. */
  String environmentVariable() {
    return ENVIRONMENT_PREFIX + path.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /** The reference table in Markdown, as docs/reference/configuration.md has it. */
  static String table() {
    return Stream.of(values())
        .map(
            key ->
                "| `%s` | %s | %s | %s |"
                    .formatted(
                        key.path,
                        key.allowed.text(),
                        key.defaultText.isEmpty() ? "" : "`" + key.defaultText + "`",
                        key.meaning))
        .collect(
            Collectors.joining(
                "\n", "| key | allowed | default | meaning |\n|---|---|---|---|\n", "\n"));
  }
}
