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
import io.rmigate.gateway.policy.remote.JmxAccess;
import io.rmigate.gateway.policy.remote.JmxGrant;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.Codebases;
import io.rmigate.gateway.policy.rule.KeyLimit;
import io.rmigate.gateway.policy.rule.LongCallSettings;
import io.rmigate.gateway.policy.rule.MessageBound;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.services.ServiceSettings;
import io.rmigate.gateway.session.SessionSettings;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Every key of {@code rmigate.yaml}: path, what is allowed, default, meaning. The reader, the
 * environment overrides, the suggestions for unknown keys and the pages of docs/reference come from
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
      "Stand-alone only: the context path. In a container the deployment decides. A change"
          + " needs a restart."),
  INSECURE(
      "insecure",
      Allowed.FLAG,
      "false",
      "Accept plain HTTP. The stand-alone gateway then serves without tls, and the gateway"
          + " takes Basic passwords and bearer tokens from requests that did not come over TLS. A"
          + " change needs a restart."),
  DRAIN(
      "drain",
      duration("0s", "10m"),
      "20s",
      "How long a stopping gateway waits for calls in flight."),
  STATE(
      "state",
      Allowed.DIRECTORY,
      ".rmigate",
      "The directory for data that must survive a restart. A change needs a restart."),

  TLS_KEYSTORE(
      "tls.keystore",
      Allowed.FILE,
      "",
      "Stand-alone only: a PKCS12 or JKS file with the server's key and certificate chain."
          + " Read again when it changes; adding or removing tls needs a restart."),
  TLS_PASSWORD_FILE(
      "tls.password-file",
      Allowed.FILE,
      "",
      "A file whose first line is the password of the keystore. Required with the keystore."),
  TLS_CLIENT_AUTH(
      "tls.client-auth",
      oneOf("none", "want", "need"),
      "none",
      "Whether clients are asked for a certificate (want) or must show one (need)."
          + " logins.client-certificate says whether it is a login. A change needs a restart."),
  TLS_TRUSTSTORE(
      "tls.truststore",
      Allowed.FILE,
      "",
      "A PKCS12 or JKS file with the authorities that issue client certificates. Required"
          + " for want and need. Read again when it changes."),
  TLS_TRUSTSTORE_PASSWORD_FILE(
      "tls.truststore-password-file",
      Allowed.FILE,
      "",
      "A file whose first line is the password of the truststore. Left out: the password of"
          + " the keystore."),

  TLS_CRL_FILE(
      "tls.crl-file",
      Allowed.FILE,
      "",
      "Revocation lists of the authorities, PEM or DER, several in one file. With it, the"
          + " gateway looks up each certificate of a client's chain, and refuses one whose issuer"
          + " has no current list there. Read again when it changes; the gateway fetches nothing."),

  HTTP_MAX_CONNECTIONS(
      "http.max-connections",
      count(16, 1_000_000),
      "40000",
      "Stand-alone only: open connections at the gateway's ports, in all; never more than"
          + " half of the files that the process may open (ulimit -n). One address (of IPv6, a"
          + " network of 64 bits) has no more than three times as many as are left, unless it is"
          + " one of services.trusted-proxies. A connection beyond that is closed at once."),
  HTTP_PATIENCE(
      "http.patience",
      duration("200ms", "10m"),
      "30s",
      "Stand-alone only: how long the head of a request may take, on a new connection with"
          + " the TLS handshake, and how long a body may bring no byte. Then the connection ends."
          + " A request that waits for its answer has no such bound."),
  HTTP_MIN_RATE(
      "http.min-rate",
      size("1B", "1MiB"),
      "200B",
      "Stand-alone only: bytes a second that a body must bring, measured over twice"
          + " http.patience. Then the connection ends. services.min-rate and legacy.patience are"
          + " stricter for the bodies that they bound."),

  LOGINS_ANONYMOUS(
      "logins.anonymous",
      Allowed.FLAG,
      "false",
      "Accept clients without any login, as principal anonymous."),
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
      "The JSON Web Key Set with the issuer's public keys, which are the only keys used."
          + " Left out: the set that the issuer's metadata name (OpenID Connect Discovery)."),
  LOGINS_BEARER_ISSUER(
      "logins.bearer.issuer",
      Allowed.TEXT,
      "",
      "What the claim iss must be. Required. Without logins.bearer.jwks an https://" + " address."),
  LOGINS_BEARER_AUDIENCE(
      "logins.bearer.audience", Allowed.TEXT, "", "What the claim aud must contain. Required."),
  LOGINS_BEARER_PRINCIPAL_CLAIM(
      "logins.bearer.principal-claim", Allowed.TEXT, "sub", "The claim with the principal's name."),
  LOGINS_BEARER_GROUPS_CLAIM(
      "logins.bearer.groups-claim",
      Allowed.TEXT,
      "groups",
      "The claim with the names of the principal's groups: a list or one name."),
  LOGINS_BEARER_ALGORITHMS(
      "logins.bearer.algorithms",
      wordsOf("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"),
      "RS256, ES256",
      "The signature algorithms that are accepted."),
  LOGINS_CLIENT_CERTIFICATE(
      "logins.client-certificate",
      Allowed.FLAG,
      "false",
      "Take the principal from the TLS client certificate: its first subject alternative"
          + " name (URI, DNS or e-mail). A certificate without one is refused."),
  LOGINS_CONTAINER(
      "logins.container",
      Allowed.FLAG,
      "false",
      "Take the principal that the servlet container has authenticated. Its groups are its"
          + " roles, as far as lists of principals name them."),

  ORIGINS(
      "origins",
      Allowed.ORIGINS,
      "",
      "Web pages that may open the tunnel by WebSocket, with a login like any client: by"
          + " scheme, host and port. Left out: none. Agents send no Origin."),

  HOSTS(
      "hosts",
      Allowed.HOST_NAMES,
      "",
      "Host names by which clients reach this gateway, beside localhost and the names in"
          + " the certificate of tls, services.url, callbacks.host, listen and admin.listen."
          + " Requests for other names get 421; addresses, /health and the links of agents always"
          + " pass. In a container without this key, services.url and callbacks.host, every name"
          + " passes."),

  TARGETS_PRINCIPALS(
      "targets[].principals",
      Allowed.PRINCIPALS,
      "",
      "The principals of this entry, by name or group; the way of logging in does not matter. \"*\""
          + " is every principal. Required."),
  TARGETS_ALLOW(
      "targets[].allow",
      Allowed.TARGET_PATTERNS,
      "",
      "Which RMI servers the principals may reach. Required. Stubs from an allowed registry"
          + " may point elsewhere: their endpoints are allowed in that session, and in those that"
          + " show its grants."),
  TARGETS_REGISTRY(
      "targets[].registry",
      wordsOrNoneOf("lookup", "list", "bind", "rebind", "unbind"),
      "lookup, list",
      "Registry operations that are permitted there. [] for a server that is no registry."),
  TARGETS_CLASS_MODE(
      "targets[].class-mode",
      oneOf("enforce", "learn", "off"),
      "",
      "How calls there are checked: enforce refuses contents that are not allowed, learn lets them"
          + " pass and notes the missing rules, off does not check contents. The"
          + " first matching entry that has the key decides. Left out: classes.mode."),
  TARGETS_CLASSES(
      "targets[].classes",
      Allowed.CLASS_PATTERNS,
      "",
      "Classes that calls and replies there may carry, beside the JDK's values and the"
          + " classes that classes.interfaces mention. The first pattern that matches decides;"
          + " those of classes.allow come last."),
  TARGETS_OPAQUE(
      "targets[].opaque",
      Allowed.CLASS_NAMES,
      "",
      "Classes whose data the gateway does not check, because no jar explains them, their class"
          + " files do not show where unframed data end, or nothing proves where they stop reading."
          + " A sender of such a class can hide anything in it. Its calls go alone on a connection,"
          + " out of order and to another thread of the server. A class whose data the gateway"
          + " understands has none of these costs."),
  TARGETS_REFERENCES(
      "targets[].references",
      Allowed.TARGET_PATTERNS,
      "",
      "Endpoints at which arguments may name any object. Without it: objects of the"
          + " client's own JVM, objects that servers gave to the session, and registries of"
          + " endpoints that entries name as one host and one port. A reference there with a socket"
          + " factory passes if the factory's class is allowed too, because the server uses that"
          + " factory."),
  TARGETS_RECEIVED_OBJECTS(
      "targets[].received-objects",
      Allowed.FLAG,
      "",
      "Whether a session may call objects there, and take leases of them, only if it has looked"
          + " them up or received them from servers. Left out: true, unless another matching entry"
          + " says false. No effect where calls are not checked (class-mode: off). Clients that"
          + " come back to another gateway, or to this one after a restart, show grants for their"
          + " objects. Stubs that reach clients in other ways, such as files, are refused."),
  TARGETS_NEW_PORTS(
      "targets[].new-ports",
      Allowed.FLAG,
      "",
      "Whether objects that the registry there hands out may hand out objects at ports that"
          + " it has not named, on the same host. These count as named by it, in sessions that"
          + " were given them. For servers that export each object at another port."),
  TARGETS_EXPLAIN(
      "targets[].explain",
      Allowed.FLAG,
      "",
      "Whether clients of these principals learn why something is refused and what would"
          + " allow it: names of classes, methods and targets. Without it, their exceptions have"
          + " the number of the refusal, for `policy explain`."),
  TARGETS_JMX(
      "targets[].jmx",
      oneOf(JmxAccess.words()),
      "",
      "Whether JMX may be used there. true permits its classes and methods, except creating"
          + " MBeans, the JVM's MBeans for diagnosis (diagnostic commands, heap dumps,"
          + " recordings) and loading classes. read permits only attributes, metadata and"
          + " notifications: nothing is set, invoked, registered or unregistered."),
  TARGETS_JMX_GRANTS(
      "targets[].jmx-grants",
      wordsOf(JmxGrant.words()),
      "",
      "Operations that jmx: true excludes and that are permitted there nevertheless. A principal"
          + " that may do one of them can run any code in that server."),
  TARGETS_METHODS(
      "targets[].methods",
      Allowed.METHOD_PATTERNS,
      "",
      "Methods that may be called there, of interfaces in classes.interfaces and of JMX. A"
          + " method with ! is refused wherever it stands in the list; a list with nothing else"
          + " permits all other methods. A pattern holds for name, parameters and result, because a"
          + " call has no more: the same method of another interface counts, too. Left out, in any"
          + " matching"
          + " entry: all."),
  TARGETS_NAMES(
      "targets[].names",
      Allowed.WORDS,
      "",
      "Names, with * for any characters, that may be looked up in registries there, or bound, and"
          + " that lists of these registries show. Where calls are not checked (class-mode: off),"
          + " listing is refused instead. Left out, in any matching entry, and where"
          + " class-mode is learn: all."),
  TARGETS_LIST_ALL(
      "targets[].list-all",
      Allowed.FLAG,
      "",
      "Whether lists of registries there show all names, also those that may not be looked"
          + " up."),
  TARGETS_CALL_LIMIT(
      "targets[].call-limit",
      size("64KiB", "1GiB"),
      "",
      "The longest call that is collected and checked there. Left out:" + " classes.call-limit."),
  TARGETS_KEY_LIMIT(
      "targets[].key-limit",
      count(KeyLimit.LEAST, KeyLimit.MOST),
      "",
      "The keys that one message may have there. Left out: classes.key-limit."),
  TARGETS_STREAM(
      "targets[].stream",
      Allowed.FLAG,
      "",
      "Whether calls, and results of clients' objects, may be longer than the limit. The gateway"
          + " checks them while they pass: the server has received the parts before a refused one"
          + " by then. Replies may be longer without it."),

  TARGETS_LIMITS_CALLS_PER_SECOND(
      "targets[].limits.calls-per-second",
      count(1, 1_000_000),
      "",
      "Calls by this entry, of all its principals together, on average: see"
          + " limits.calls-per-second."),
  TARGETS_LIMITS_BURST(
      "targets[].limits.burst",
      count(1, 10_000_000),
      "",
      "Calls that may come at once after an idle time. Left out: those of one second."),
  TARGETS_LIMITS_CALLS_IN_PROGRESS(
      "targets[].limits.calls-in-progress",
      count(1, 1_000_000),
      "",
      "Calls of all these principals that wait for an answer, or for a connection, at a"
          + " time."),
  TARGETS_LIMITS_BYTES_PER_SECOND(
      "targets[].limits.bytes-per-second",
      size("1KiB", "1GiB"),
      "",
      "Bytes of the calls and answers of all these principals together, on average. A call always"
          + " passes whole; further calls are refused until the average is below the limit."),

  CLASSES_MODE(
      "classes.mode",
      oneOf("enforce", "learn", "off"),
      "enforce",
      "How calls and replies of all targets are checked: see targets[].class-mode. Without other"
          + " rules, only values of the JDK pass. off and learn are"
          + " logged at each start, also those of entries, and /health shows them."),
  CLASSES_ALLOW(
      "classes.allow",
      Allowed.CLASS_PATTERNS,
      "",
      "Classes that calls and replies of all targets may carry: see targets[].classes."),
  CLASSES_OPAQUE(
      "classes.opaque",
      Allowed.CLASS_NAMES,
      "",
      "Classes of all targets whose data are not checked: see targets[].opaque."),
  CLASSES_INTERFACES(
      "classes.interfaces",
      Allowed.JAR_DIRECTORY,
      "",
      "A directory with the jars of the remote interfaces. Methods that none of them has"
          + " are refused. The classes in the signatures of their methods are allowed, and the"
          + " gateway knows the serial form of all classes in the jars. Read when the configuration"
          + " is"
          + " read."),
  CLASSES_CODEBASES(
      "classes.codebases",
      oneOf(Codebases.WORDS.toArray(String[]::new)),
      Codebases.DROP.toString(),
      "How the gateway treats codebases in class annotations of calls and replies. JVMs write them"
          + " if their classes come from a URLClassLoader (Tomcat, Spring Boot). drop removes"
          + " them on the way. keep lets them pass; a reader with"
          + " java.rmi.server.useCodebaseOnly=false, or of a JDK older than 7u21, loads classes"
          + " from there. refuse refuses the message. true means keep, and false refuse."),
  CLASSES_CALL_LIMIT(
      "classes.call-limit",
      size("64KiB", "1GiB"),
      Units.text(ClassSettings.CALL_LIMIT),
      "The longest call that is collected and checked. Longer calls are refused, unless"
          + " long-calls lets them pass. Replies may have any length."),
  CLASSES_KEY_LIMIT(
      "classes.key-limit",
      count(KeyLimit.LEAST, KeyLimit.MOST),
      Integer.toString(ClassSettings.KEY_LIMIT),
      "Keys of one table, in a call or a reply, that its receiver may have to compare each"
          + " with each: those of Hashtable, Set.of and Map.of, and those of other hashed maps"
          + " and sets whose class is not Comparable with itself, which count twice. Strings and"
          + " whole numbers do not count. The default takes a receiver half a second; twice as"
          + " many take four times as long."),
  CLASSES_MAX_DEPTH(
      "classes.max-depth",
      bound(MessageBound.DEPTH),
      usual(MessageBound.DEPTH),
      "Objects within each other, in a call or a reply. The receiver reads them"
          + " recursively; a thread with too small a stack fails with a StackOverflowError. A"
          + " linked list of an application's own nodes is as deep as it is long."),
  CLASSES_OBJECT_LIMIT(
      "classes.object-limit",
      bound(MessageBound.OBJECTS),
      usual(MessageBound.OBJECTS),
      "Objects, strings and descriptors of classes in one call. Replies, and calls that"
          + " stream lets pass, may have any number. A list of a million Integers has a million."),
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
      "Different lists of interfaces of proxies, stubs among them, in one message, and in"
          + " all messages of one principal. A server keeps a class for each, with 14 KB of"
          + " metaspace."),
  CLASSES_HASHING_LIMIT(
      "classes.hashing-limit",
      bound(MessageBound.HASHING),
      usual(MessageBound.HASHING),
      "Steps that the receiver of a message takes to hash, order or copy shared objects, beyond"
          + " eight for each byte of the message; and comparisons of keys, of which there may be"
          + " 128 times as many."),

  LONG_CALLS_MAX_BYTES(
      "long-calls.max-bytes",
      size("64KiB", "1GiB"),
      Units.text(LongCallSettings.DEFAULT.maxBytes()),
      "Bytes of the long arrays of primitives and long strings of one call, in all: those"
          + " of more than 65535 bytes. Where classes.interfaces has the method, they do not"
          + " count for call-limit, and pass as they arrive. Not more than call-limit: only"
          + " stream lets a longer call pass."),
  LONG_CALLS_MAX_BYTES_PER_PRINCIPAL(
      "long-calls.max-bytes-per-principal",
      size("64KiB", "2047MiB"),
      Units.text(LongCallSettings.DEFAULT.maxBytesPerPrincipal()),
      "Bytes of the long arrays and strings of all calls of a principal in progress."
          + " Further calls are refused until one is over, with an error that says that nothing"
          + " was executed."),
  LONG_CALLS_PATIENCE(
      "long-calls.patience",
      duration("1s", "1h"),
      "30s",
      "How long a call that passes as it arrives, by this section or by stream, may bring"
          + " less than 64KiB and not its end, although its server would take more. Then it is"
          + " refused, and its server's thread is free."),

  LIMITS_CALLS_PER_SECOND(
      "limits.calls-per-second",
      count(1, 1_000_000),
      "",
      "Calls of a principal, in all its sessions and as a web-service client, on average. Further"
          + " calls are refused, with an error that says that nothing was executed"
          + " (java.rmi.ConnectIOException, HTTP 429). Clients without a login are counted by"
          + " address. Left out, like all keys of this section: any number."),
  LIMITS_BURST(
      "limits.burst",
      count(1, 10_000_000),
      "",
      "Calls that may come at once after an idle time. Left out: those of one second."),
  LIMITS_CALLS_IN_PROGRESS(
      "limits.calls-in-progress",
      count(1, 1_000_000),
      "",
      "A principal's calls that wait for an answer, or for a connection, at a time."),
  LIMITS_BYTES_PER_SECOND(
      "limits.bytes-per-second",
      size("1KiB", "1GiB"),
      "",
      "Bytes of a principal's calls and answers together, on average. A call always passes whole;"
          + " further calls are refused until the average is below the limit."),

  LOCKOUT_AFTER(
      "lockout.after",
      count(2, 1_000_000),
      String.valueOf(LockoutSettings.DEFAULTS.after()),
      "How many different hostile requests of a principal are refused, in all its sessions, before"
          + " it is locked out: classes by which servers are attacked, malformed messages,"
          + " forged references, guessed methods. Of requests that an honest program may send, such"
          + " as stale objects and calls without a rule, fifty times as many, up to 10000. Objects"
          + " that an agent has declared as held do not count. Clients without a login are"
          + " counted by address."),
  LOCKOUT_WITHIN(
      "lockout.within",
      duration("1s", "1d"),
      Units.text(LockoutSettings.DEFAULTS.within()),
      "The time in which these refusals must happen, from the first of them."),
  LOCKOUT_LASTS(
      "lockout.lasts",
      duration("1s", "7d"),
      Units.text(LockoutSettings.DEFAULTS.lasts()),
      "How long a lockout lasts. A change of one of these three keys ends it, too."),

  RAW_PRINCIPALS(
      "raw[].principals",
      Allowed.PRINCIPALS,
      "",
      "Whose raw streams this entry is for: connections of stubs with a socket factory of their"
          + " own, which the gateway does not check; \"*\" is every principal."
          + " Required."),
  RAW_ALLOW(
      "raw[].allow",
      Allowed.TARGET_PATTERNS,
      "",
      "Where the raw streams may go. Required. Entries of targets and replies of registries do not"
          + " count."),
  RAW_FIRST_BYTES(
      "raw[].first-bytes",
      oneOf("tls", "any"),
      "tls",
      "What a client's first bytes there must be: the beginning of a TLS handshake, or"
          + " anything but plain JRMP."),

  MAP_LOOPBACK(
      "map-loopback",
      Allowed.FLAG,
      "true",
      "Whether a stub that names loopback, or a host that is unknown here, is reached at"
          + " the host at which its registry was reached."),
  MAP_HOST(
      "map[].host",
      Allowed.HOST_PATTERN,
      "",
      "Hosts in stubs that exist nowhere, such as addresses of containers. The first entry"
          + " that matches counts. Required."),
  MAP_TO(
      "map[].to",
      Allowed.HOST,
      "",
      "Where these hosts are. Left out: at the host at which their registry was reached."),
  COMPRESSION_MODE(
      "compression.mode",
      oneOf("on", "off", "auto"),
      "auto",
      "Compression of links: auto does what the agent asks for, on always sends compressed"
          + " to agents that can read it, off neither sends nor takes anything compressed. For"
          + " sessions that are opened later."),
  COMPRESSION_FOR_PRINCIPALS(
      "compression.for[].principals",
      Allowed.PRINCIPALS,
      "",
      "Principals with a mode of their own. The first entry that names a principal counts."
          + " Required."),
  COMPRESSION_FOR_MODE(
      "compression.for[].mode", oneOf("on", "off", "auto"), "", "Their mode. Required."),

  LOOKUPS_CACHE(
      "lookups.cache",
      Allowed.FLAG,
      "true",
      "Whether agents may answer repeated lookups; the gateway watches the names that they"
          + " hold. After a change, open sessions keep their way, and are told what is void."),
  LOOKUPS_UNCACHED(
      "lookups.uncached",
      Allowed.WORDS,
      "",
      "Names, with * for any characters, that are looked up in their registry every time."),
  LOOKUPS_POLL(
      "lookups.poll",
      duration("1s", "1h"),
      Units.text(LookupSettings.DEFAULTS.poll()),
      "How often each watched name is looked up inside. Agents see a rebind inside within"
          + " that and one way of the link."),

  PRELOAD_PRINCIPALS(
      "preload[].principals",
      Allowed.PRINCIPALS,
      "",
      "Whose agents get the bindings of these names with the welcome; \"*\" is every"
          + " principal. Required."),
  PRELOAD_NAMES(
      "preload[].names",
      Allowed.REGISTRY_NAMES,
      "",
      "Names that are watched from the start. targets must permit them. Required."),

  CALLBACKS_ADDRESS(
      "callbacks.address",
      Allowed.ADDRESS,
      "",
      "Where the gateway listens for objects that clients' JVMs export: an address of the"
          + " inner interface. Required with callbacks; without that section it does not listen."
          + " A change of address, ports or allow applies to ports that are asked for later."),
  CALLBACKS_HOST(
      "callbacks.host",
      Allowed.HOST,
      "",
      "The host that stubs of clients' objects name. Left out: the address."),
  CALLBACKS_PORTS(
      "callbacks.ports",
      Allowed.PORT_RANGE,
      "0",
      "The ports for exports that ask for no particular port."),
  CALLBACKS_FROM(
      "callbacks.from",
      Allowed.PEERS,
      "",
      "Which inner hosts may connect there. Required with callbacks. Names are looked up"
          + " every half a minute."),
  CALLBACKS_ALLOW_PRINCIPALS(
      "callbacks.allow[].principals",
      Allowed.PRINCIPALS,
      "",
      "Whose JVMs may export. The first entry that names a principal counts; \"*\" is every"
          + " principal. Required."),
  CALLBACKS_ALLOW_MAX_PORTS(
      "callbacks.allow[].max-ports",
      count(1, 60_000),
      String.valueOf(CallbackSettings.MAX_PORTS),
      "Ports that one principal may have at a time, those in quarantine included. A"
          + " client's JVM usually needs one."),
  CALLBACKS_ALLOW_EXPLICIT(
      "callbacks.allow[].explicit",
      Allowed.PORTS,
      "",
      "Ports that the principals may ask for by number, such as 1099 for a registry. Left"
          + " out: none."),
  CALLBACKS_MAX_CONNECTIONS(
      "callbacks.max-connections",
      count(1, CallbackSettings.MOST_CONNECTIONS),
      String.valueOf(CallbackSettings.MAX_CONNECTIONS),
      "Connections of inner JVMs to one client's JVM at a time; each call needs one. Agents"
          + " take no more."),
  CALLBACKS_MAX_CONNECTIONS_IN_ALL(
      "callbacks.max-connections-in-all",
      count(1, 1_000_000),
      String.valueOf(CallbackSettings.MAX_CONNECTIONS_IN_ALL),
      "Connections of inner JVMs to all clients' JVMs together; each needs a file"
          + " descriptor. An inner host (of IPv6, a network of 64 bits) gets no more than three"
          + " times as many as are left, here and of max-connections."),
  CALLBACKS_QUARANTINE(
      "callbacks.quarantine",
      duration("0s", "1d"),
      Units.text(CallbackSettings.QUARANTINE),
      "How long a freed port is reserved for its principal's JVMs, because servers may"
          + " still have stubs of it. The gateway warns unless it is longer than callbacks.lease."),
  CALLBACKS_LEASE(
      "callbacks.lease",
      duration("2s", "1d"),
      Units.text(CallbackSettings.LEASE),
      "The lease that inner JVMs get on clients' objects, like java.rmi.dgc.leaseValue of a"
          + " server."),

  SESSION_HEARTBEAT(
      "session.heartbeat",
      duration("1s", "10m"),
      Units.text(SessionSettings.DEFAULTS.heartbeat()),
      "An agent sends a heartbeat after that much silence. After three without a byte the"
          + " session ends."),
  SESSION_HELLO_TIMEOUT(
      "session.hello-timeout",
      duration("100ms", "5m"),
      Units.text(SessionSettings.DEFAULTS.helloTimeout()),
      "How long a new connection may take to send its hello."),
  SESSION_STREAM_CREDIT(
      "session.stream-credit",
      size("4KiB", "64MiB"),
      Units.text(SessionSettings.DEFAULTS.limits().streamCredit()),
      "Bytes of a stream and direction that may be in flight unconsumed."),
  SESSION_MAX_STREAMS(
      "session.max-streams",
      count(1, 65536),
      String.valueOf(SessionSettings.DEFAULTS.limits().maxStreams()),
      "Streams that a session may have open at a time."),
  SESSION_MAX_SESSIONS_PER_PRINCIPAL(
      "session.max-sessions-per-principal",
      count(1, 1_000_000),
      String.valueOf(SessionSettings.DEFAULTS.limits().maxSessionsPerPrincipal()),
      "Sessions that one principal may have at a time."),
  SESSION_MAX_SESSIONS(
      "session.max-sessions",
      count(1, 1_000_000),
      String.valueOf(SessionSettings.DEFAULTS.limits().maxSessions()),
      "Sessions in all."),
  SESSION_SEND_TIMEOUT(
      "session.send-timeout",
      duration("1s", "10m"),
      Units.text(SessionSettings.DEFAULTS.sendTimeout()),
      "How long a link may take no byte before it counts as lost."),
  SESSION_GRACE(
      "session.grace",
      duration("0s", "1h"),
      Units.text(SessionSettings.DEFAULTS.grace()),
      "How long a session and its leases survive the loss of its link, because its agent"
          + " may come back; 0s: not at all. A change needs a restart."),

  SESSION_CHORES_PER_SECOND(
      "session.chores-per-second",
      count(100, 10_000_000),
      String.valueOf(SessionSettings.DEFAULTS.choresPerSecond()),
      "How much work besides calls the links of one principal may cause: an object that is"
          + " held or released, a lookup, a new stream and similar work count as 1; 16 frames"
          + " that do nothing count as 1, a lookup that must ask the registry as 10, a refused"
          + " call as 20, during a lockout as 200. Nothing is refused for that: the gateway reads"
          + " the links of a principal that asks for more more slowly. Clients without a login"
          + " are counted by address. A change needs a restart."),

  POST_ENABLED(
      "post.enabled",
      Allowed.FLAG,
      "true",
      "Whether clients may use HTTP POST where no WebSocket comes through. A change needs a"
          + " restart."),
  POST_HOLD(
      "post.hold",
      duration("1s", "10m"),
      "25s",
      "How long a POST waits for something to answer it with. HTTP proxies in front must"
          + " wait longer. A change needs a restart."),

  LEGACY_ENABLED(
      "legacy.enabled",
      Allowed.FLAG,
      "false",
      "Whether to serve the HTTP tunnelling of JDK 8 and older, at the root of the"
          + " gateway's host. A change needs a restart."),
  LEGACY_LISTEN(
      "legacy.listen",
      Allowed.HOST_PORT,
      "",
      "Stand-alone only: where such clients find the gateway over plain HTTP, and nothing"
          + " else; they know no https. Left out: where the gateway listens. A change needs a"
          + " restart."),
  LEGACY_PRINCIPAL(
      "legacy.principal",
      Allowed.TEXT,
      "",
      "The principal of such clients that do not log in. Left out: all must log in. This"
          + " and the following keys of the section change without a restart."),
  LEGACY_FROM(
      "legacy.from",
      Allowed.PROXIES,
      "",
      "Where requests without a login may come from; * alone means everywhere but this"
          + " machine. Required with legacy.principal."),
  LEGACY_MAX_BODY("legacy.max-body", size("1KiB", "32MiB"), "16MiB", "The message in one request."),
  LEGACY_MAX_REQUESTS(
      "legacy.max-requests",
      count(1, 10_000),
      "256",
      "Requests in progress in all. One address (of IPv6, a network of 64 bits) has no more"
          + " than three times as many as are left."),
  LEGACY_PATIENCE(
      "legacy.patience",
      duration("1s", "10m"),
      "60s",
      "How long a body may take to arrive, and a second more for each 16 KiB of it; and how"
          + " long no byte of an answer may be taken."),
  LEGACY_CALL_TIMEOUT(
      "legacy.call-timeout",
      duration("100ms", "24h"),
      "10m",
      "How long a server may take to answer. The gateway would not notice otherwise that"
          + " such a client has gone."),
  LEGACY_LEASE(
      "legacy.lease",
      duration("1s", "1d"),
      "600s",
      "The lease that such clients get on servers' objects, which they renew at half of it;"
          + " and how long the gateway remembers what registries have told an address that holds"
          + " nothing."),

  RELAY_CONNECT_TIMEOUT(
      "relay.connect-timeout",
      duration("100ms", "5m"),
      Units.text(RelaySettings.DEFAULTS.connectTimeout()),
      "For one TCP connection to an RMI server, unless the agent asks for less."),
  RELAY_HANDSHAKE_TIMEOUT(
      "relay.handshake-timeout",
      duration("100ms", "10m"),
      Units.text(RelaySettings.DEFAULTS.handshakeTimeout()),
      "Until the server's ProtocolAck or PingAck has arrived."),
  RELAY_PING_AFTER_IDLE(
      "relay.ping-after-idle",
      duration("0s", "1h"),
      Units.text(RelaySettings.DEFAULTS.pingAfterIdle()),
      "A connection that was idle for so long is pinged before the next call."),
  RELAY_MAX_HELD_CALL(
      "relay.max-held-call",
      size("1KiB", "64MiB"),
      Units.text(RelaySettings.DEFAULTS.maxHeldCallBytes()),
      "Where class rules are off: a call up to this size is parsed to its end before its"
          + " first byte goes to the server. Otherwise call-limit applies."),
  RELAY_THREADS(
      "relay.threads",
      count(0, 256),
      String.valueOf(RelaySettings.DEFAULTS.threads()),
      "Selector threads; 0 means one for every two processors. A change needs a restart."),

  LEASES_ENABLED(
      "leases.enabled",
      Allowed.FLAG,
      String.valueOf(LeaseSettings.DEFAULTS.enabled()),
      "Whether the gateway holds the leases on objects to which agents have references."
          + " Otherwise the calls of their garbage collectors cross the link. A change needs a"
          + " restart."),
  LEASES_MAX_OBJECTS(
      "leases.max-objects",
      count(1, 10_000_000),
      String.valueOf(LeaseSettings.DEFAULTS.maxObjects()),
      "Objects held for one session; further ones are not held. A change needs a restart."),
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
      "The longest time of one call to a server for a lease. A change needs a restart."),

  GRANTS_KEY_FILE(
      "grants.key-file",
      Allowed.FILE,
      "",
      "Keys that several gateways have in common, so that each accepts the grants of the others: 32"
          + " bytes in Base64 a line. The first key seals, all keys"
          + " open. Left out: a key that the gateway keeps in state."),
  GRANTS_LIFETIME(
      "grants.lifetime",
      duration("1m", "30d"),
      "24h",
      "How long an agent may stay away and still use the endpoints and objects that an earlier"
          + " session was given."
          + " Renewed at half of it while the session lasts."),

  CALLS_HUNG_AFTER(
      "calls.hung-after",
      duration("1s", "24h"),
      "1m",
      "A call that has waited longer for its server, or for a client's JVM, is listed as"
          + " hung in /admin/calls and counted in rmigate_calls_hung."),

  PUBLISH_PATH(
      "publish[].path",
      Allowed.SERVICE_PATH,
      "",
      "Where web-service clients find the object: /services/ and this path. None may begin"
          + " with another one and a slash. Required."),
  PUBLISH_OBJECT(
      "publish[].object",
      Allowed.RMI_URL,
      "",
      "The registry in which the object is bound, and its name there. targets must permit"
          + " the lookup, for the principal that calls. Required."),
  PUBLISH_INTERFACE(
      "publish[].interface",
      Allowed.CLASS_NAME,
      "",
      "The remote interface that is published. Required."),
  PUBLISH_JARS(
      "publish[].jars",
      Allowed.JAR_DIRECTORY,
      "",
      "A directory with its jars, with all classes that its methods name. Read again when"
          + " they change. Missing or damaged jars concern this entry only, and leave in place"
          + " what it has published. Required."),
  PUBLISH_PRINCIPALS(
      "publish[].principals",
      Allowed.PRINCIPALS,
      "",
      "Who may call it; \"*\" is every principal. For others it does not exist. Required."),
  PUBLISH_METHODS(
      "publish[].methods",
      Allowed.WORDS,
      "",
      "The names of the methods that may be called. Left out: all. Methods of an interface"
          + " whose objects it hands out follow that interface's name: Basket.add. If none of"
          + " such an interface is listed, all may be called."),
  PUBLISH_IMPLEMENTATIONS_OF(
      "publish[].implementations[].of",
      Allowed.CLASS_NAME,
      "",
      "An interface or class of arguments and results whose values can be of several"
          + " classes. Required."),
  PUBLISH_IMPLEMENTATIONS_CLASSES(
      "publish[].implementations[].classes", Allowed.CLASS_NAMES, "", "Those classes. Required."),
  PUBLISH_NAMES_METHOD(
      "publish[].names[].method",
      Allowed.SIGNATURE,
      "",
      "A method that gets other names than in its class. Required."),
  PUBLISH_NAMES_OPERATION(
      "publish[].names[].operation",
      Allowed.OPERATION_NAME,
      "",
      "The operation's name for clients. Left out: the method's name."),
  PUBLISH_NAMES_PARAMETERS(
      "publish[].names[].parameters",
      Allowed.WORDS,
      "",
      "The names of its parameters for clients, all of them in their order. Left out: those"
          + " of the class."),

  SERVICES_URL(
      "services.url",
      Allowed.OUTER_URL,
      "",
      "How clients reach this gateway, up to the context path, for the addresses in"
          + " answers. Left out: as each request says. All keys of this section change without a"
          + " restart."),
  SERVICES_TRUSTED_PROXIES(
      "services.trusted-proxies",
      Allowed.PROXIES,
      "",
      "Reverse proxies whose headers Forwarded, or else X-Forwarded-For, -Proto, -Host,"
          + " -Port and -Prefix, the gateway believes, also for logins, the tunnel and the audit."
          + " Left out: none."),
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
      "How long a body may take to arrive, and an answer to be taken, however small they"
          + " are."),
  SERVICES_MIN_RATE(
      "services.min-rate",
      size("1B", "1GiB"),
      Units.text(ServiceSettings.DEFAULTS.pace().bytesASecond()),
      "Bytes a second at which they must arrive and be taken beyond that. A slower client"
          + " is cut off."),
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
      Units.text(ServiceSettings.DEFAULTS.calls().timeout()),
      "How long a remote object may take to answer."),
  SERVICES_MAX_CALLS_PER_PRINCIPAL(
      "services.max-calls-per-principal",
      count(1, 100_000),
      String.valueOf(ServiceSettings.DEFAULTS.calls().perPrincipal()),
      "Requests of one principal in progress at a time."),
  SERVICES_MAX_CALLS(
      "services.max-calls",
      count(1, 100_000),
      String.valueOf(ServiceSettings.DEFAULTS.calls().all()),
      "Requests in progress in all; each holds a thread of the container."),
  SERVICES_HANDLE_LIFETIME(
      "services.handle-lifetime",
      duration("1s", "7d"),
      Units.text(ServiceSettings.DEFAULTS.handles().lifetime()),
      "How long the handle of a remote object lasts after it was made or last renewed."),
  SERVICES_MAX_HANDLES_PER_PRINCIPAL(
      "services.max-handles-per-principal",
      count(1, 1_000_000),
      String.valueOf(ServiceSettings.DEFAULTS.handles().perPrincipal()),
      "Handles of one principal at a time."),
  SERVICES_MAX_HANDLES(
      "services.max-handles",
      count(1, 10_000_000),
      String.valueOf(ServiceSettings.DEFAULTS.handles().all()),
      "Handles in all."),

  AUDIT_PATH(
      "audit.path",
      Allowed.NEW_FILE,
      "",
      "Where the audit is written, one line of JSON for each event. Rotated files lie"
          + " beside it. Required with audit; without that section there is no audit. A change"
          + " needs a restart."),
  AUDIT_EVENTS(
      "audit.events",
      wordsOf(Stream.of(AuditEvent.values()).map(AuditEvent::word).toArray(String[]::new)),
      "",
      "Which events are kept. Left out: all."),
  AUDIT_CHAIN(
      "audit.chain",
      Allowed.FLAG,
      "true",
      "Whether each line carries a hash over itself and the line before. A change needs a"
          + " restart."),
  AUDIT_ROTATE_SIZE(
      "audit.rotate-size", size("64KiB", "2000MiB"), "100MiB", "A file of this size is rotated."),
  AUDIT_ROTATE_AGE(
      "audit.rotate-age",
      duration("1m", "366d"),
      "1d",
      "A file whose first line is this old is rotated."),
  AUDIT_KEEP("audit.keep", count(1, 100_000), "30", "How many rotated files are kept."),
  AUDIT_WHEN_FULL(
      "audit.when-full",
      oneOf("continue", "refuse"),
      "continue",
      "While the audit cannot be written: work continues, and lines without room in memory"
          + " are lost and counted; or nothing new is accepted."),

  ADMIN_LISTEN(
      "admin.listen",
      Allowed.HOST_PORT,
      "",
      "Stand-alone only: the one address of /admin and /metrics; health is there, too. With"
          + " tls it speaks TLS, as listen does; without tls it must be an address of loopback."
          + " Left out: where the gateway listens. A change needs a restart."),
  ADMIN_PRINCIPALS(
      "admin.principals",
      Allowed.PRINCIPALS,
      "",
      "Who may read /admin and /metrics, by name or group alone, whichever way of logging"
          + " in has proven the name. Left out: none."),
  METRICS(
      "metrics",
      oneOf("admin", "open"),
      "admin",
      "Who may read /metrics: the principals of admin, or every client that can reach it"
          + " (open).");

  /** The prefix of the environment variables that override keys. */
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

  /** The key at that path. */
  static ConfigKey of(String path) {
    return Stream.of(values()).filter(key -> key.path.equals(path)).findFirst().orElseThrow();
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

  /** For the reference. */
  String meaning() {
    return meaning;
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
}
