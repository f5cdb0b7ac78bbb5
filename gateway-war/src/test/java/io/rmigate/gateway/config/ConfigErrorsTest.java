package io.rmigate.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.testing.ClassJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The texts are golden: an operator reads them, so a change of one is a decision. */
class ConfigErrorsTest {
  private static final String GOOD =
      """
      logins:
        anonymous: true
      targets:
        - principals: ["*"]
          allow: ["rmi.example:*"]
      """;

  @TempDir Path directory;

  @Test
  void everyErrorIsReportedAtOnceWithItsLine() throws IOException {
    assertErrors(
        """
        listen: 8443
        sesion:
          heartbeat: 5s
        heartbeat: 5s
        logins:
          anonymous: yes
        targets:
          - principals: []
            allow: ["rmi.example", "rmi.example:0", "rmi.example:2000-1000", "a b:1", "[fe80::*]:1"]
            registry: [lokup]
            alow: []
          - allow: "rmi.example:1099"
          - rmi.example:1099
        session:
          heartbeat: 5
          hello-timeout: 1 parsec
          stream-credit: 1KiB
          max-streams: many
          max-sessions: 0
          send-timeout:
        relay: [15s]
        metrics: public
        """,
        """
        :1: listen: "8443" is not a listening address; allowed: host:port or [IPv6]:port, port 0 to 65535 (0: any free one)
        :2: sesion: unknown key; did you mean session?
        :4: heartbeat: unknown key; did you mean session.heartbeat?
        :5: logins: no client can log in; configure basic, bearer, client-certificate or container, or set anonymous: true to let every client in
        :6: logins.anonymous: "yes" is not a valid value; allowed: true or false
        :8: targets[0].principals: is empty; allowed: a list of names and group:NAME
        :9: targets[0].allow[0]: "rmi.example" is not a target pattern; allowed: host:port, where * in the host stands for any characters and the port is a number, a range such as 1099-1110 or *
        :9: targets[0].allow[1]: "rmi.example:0" has a port that does not exist; allowed: 1 to 65535, first-last
        :9: targets[0].allow[2]: "rmi.example:2000-1000" has a port that does not exist; allowed: 1 to 65535, first-last
        :9: targets[0].allow[3]: "a b:1" is not a target pattern; allowed: host:port, where * in the host stands for any characters and the port is a number, a range such as 1099-1110 or *
        :9: targets[0].allow[4]: '[fe80::*]:1': brackets hold one whole IPv6 address, without *
        :10: targets[0].registry[0]: "lokup" is not a valid value; allowed: lookup, list, bind, rebind, unbind
        :11: targets[0].alow: unknown key; did you mean allow?
        :12: targets[1].principals: required; allowed: a list of names and group:NAME
        :12: targets[1].allow: expected a list, found the value "rmi.example:1099"; allowed: a list of host:port; * in the host stands for any characters, the port is a number, a range such as 1099-1110 or *
        :13: targets[2]: expected principals and allow, found the value "rmi.example:1099"
        :15: session.heartbeat: "5" is not a duration; allowed: 1s to 10m, units ms, s, m, h, d
        :16: session.hello-timeout: "1 parsec" is not a duration; allowed: 100ms to 5m, units ms, s, m, h, d
        :17: session.stream-credit: "1KiB" is too small; allowed: 4KiB to 64MiB, units B, KiB, MiB
        :18: session.max-streams: "many" is not a number; allowed: a number from 1 to 65536
        :19: session.max-sessions: "0" is too small; allowed: a number from 1 to 1000000
        :20: session.send-timeout: has no value; allowed: 1s to 10m, units ms, s, m, h, d
        :21: relay: expected keys with values, found a list
        :22: metrics: "public" is not a valid value; allowed: admin, open
        """);
  }

  @Test
  void revocationListsAreForWhoAsksForCertificates() throws IOException {
    Files.writeString(directory.resolve("a.file"), "any");
    assertErrors(
        GOOD + "tls:\n  keystore: a.file\n  password-file: a.file\n  crl-file: a.file\n",
        """
        :6: tls.crl-file: needs tls.client-auth: want or need; without it no client is asked for a certificate
        """);
  }

  @Test
  void withoutTlsAdministrationListensOnLoopbackOnly() throws Exception {
    for (String here : new String[] {"127.0.0.1:8444", "'[::1]:8444'", "localhost:8444"}) {
      String yaml = GOOD + "admin:\n  listen: " + here + "\n";
      Path file = Files.writeString(directory.resolve("rmigate.yaml"), yaml);
      assertThat(GatewayConfig.load(file, Map.of()).server().adminListen()).isPresent();
    }
    assertErrors(
        GOOD + "admin:\n  listen: 0.0.0.0:8444\n",
        """
        :7: admin.listen: "0.0.0.0:8444" needs tls; without tls, only 127.0.0.1, [::1] and localhost are allowed
        """);
  }

  @Test
  void compressionThatCannotBeMeantIsRefused() throws Exception {
    assertErrors(
        """
        logins:
          anonymous: true
        targets:
          - principals: [alice]
            allow: ["rmi.example:1099"]
        compression:
          mode: gzip
          for:
            - principals: []
              mode: fast
            - principals: [alice]
            - off
            - principals: [bob]
              mode: [on]
              level: 9
        """,
        """
        :7: compression.mode: "gzip" is not a valid value; allowed: on, off, auto
        :9: compression.for[0].principals: is empty; allowed: a list of names and group:NAME
        :10: compression.for[0].mode: "fast" is not a valid value; allowed: on, off, auto
        :11: compression.for[1].mode: required; allowed: on, off, auto
        :12: compression.for[2]: expected principals and mode, found the value "off"
        :14: compression.for[3].mode: expected one value, found a list; allowed: on, off, auto
        :15: compression.for[3].level: unknown key; allowed: principals, mode
        """);
  }

  @Test
  void anEmptyFileSaysWhatIsMissing() throws IOException {
    assertErrors(
        "",
        """
        :1: logins: no client can log in; configure basic, bearer, client-certificate or container, or set anonymous: true to let every client in
        :1: targets: no server can be reached; add a list of entries with principals and allow
        """);
  }

  @Test
  void whatIsPublishedIsCompleteAndUnambiguous() throws IOException {
    Files.createDirectory(directory.resolve("jars"));
    assertErrors(
        GOOD
            + """
            publish:
              - path: shop
                object: rmi://rmi.example:1099/Shop
                interface: shop.Shop
                jars: jars
                principals: ["*"]
              - path: shop/orders
                object: rmi://rmi.example:1099/Orders
                interface: shop.Orders
                jars: jars
                principals: [alice]
                names:
                  - method: find
                    operation: find-it
                  - operation: x
              - path: ../etc
                object: rmi.example/Shop
                interface: shop/Shop
                jars: nowhere
                implementations:
                  - of: shop.Payment
                    classes: []
                method: [find]
            services:
              url: gw.example
              trusted-proxies: [proxy.example, "*", 0.0.0.0/0, "::/0", 10.*]
              max-body: 3MiB
              max-bodies: 2MiB
            """,
        """
        :12: publish[1].path: "shop/orders" overlaps the path of publish[0], "shop"; rename one of them
        :18: publish[1].names[0].method: "find" is not valid; allowed: a method with the simple names of its parameters' types, such as find(String,int[])
        :19: publish[1].names[0].operation: "find-it" is not valid; allowed: letters, digits and _
        :20: publish[1].names[1].method: required; allowed: a method with the simple names of its parameters' types, such as find(String,int[])
        :21: publish[2].path: "../etc" is not valid; allowed: words of letters, digits and . _ - with slashes between
        :21: publish[2].principals: required; allowed: a list of names and group:NAME
        :22: publish[2].object: "rmi.example/Shop" is not valid; allowed: rmi://host:port/name
        :23: publish[2].interface: "shop/Shop" is not valid; allowed: a class name with its package; of a nested class with $
        :27: publish[2].implementations[0].classes: is empty; allowed: a list of class names
        :28: publish[2].method: unknown key; did you mean methods?
        :30: services.url: "gw.example" is not valid; allowed: an http:// or https:// address such as https://gw.example/rmigate
        :31: services.trusted-proxies[0]: "proxy.example" is not valid; allowed: a list of addresses, in which * stands for any characters, and networks such as 10.0.0.0/8
        :31: services.trusted-proxies[1]: "*" is not valid; allowed: a list of addresses, in which * stands for any characters, and networks such as 10.0.0.0/8
        :31: services.trusted-proxies[2]: "0.0.0.0/0" is not valid; allowed: a list of addresses, in which * stands for any characters, and networks such as 10.0.0.0/8
        :31: services.trusted-proxies[3]: "::/0" is not valid; allowed: a list of addresses, in which * stands for any characters, and networks such as 10.0.0.0/8
        :33: services.max-bodies: is smaller than services.max-body
        """);
  }

  /** What jars of interfaces have. */
  interface Shop extends Remote {
    void add(int number, String what) throws RemoteException;

    void drop() throws RemoteException;
  }

  @Test
  void methodsAreOfInterfacesInTheJars() throws IOException {
    ClassJar.in(directory, Shop.class);
    assertErrors(
        GOOD
            + """
                methods:
                  - io.rmigate.gateway.config.ConfigErrorsTest$Shop.add(int,String)
                  - io.rmigate.gateway.config.ConfigErrorsTest$Shop.add(int)
                  - '!io.rmigate.gateway.config.ConfigErrorsTest$Shop.dr*'
                  - '!io.rmigate.gateway.config.ConfigErrorsTest$Shop.delete'
                  - javax.management.remote.rmi.RMIConnection.*
                  - lookup
              - principals: [alice]
                allow: ["rmi.example:*"]
                class-mode: "off"
                methods: ["io.rmigate.gateway.config.ConfigErrorsTest$Shop.add"]
                jmx: read
                jmx-grants: [create-mbeans, everything]
                new-ports: true
              - principals: [bob]
                allow: ["rmi.example:*"]
                jmx: write
            classes:
              interfaces: .
            """,
        """
        :8: targets[0].methods[1]: "io.rmigate.gateway.config.ConfigErrorsTest$Shop.add(int)": no remote interface in classes.interfaces has such a method
        :10: targets[0].methods[3]: "!io.rmigate.gateway.config.ConfigErrorsTest$Shop.delete": no remote interface in classes.interfaces has such a method
        :12: targets[0].methods[5]: "lookup" is not valid; allowed: a list of methods such as com.acme.Shop.add, com.acme.Shop.add(int,String), com.acme.Shop.get* and com.acme.Shop.*; ! in front takes away
        :16: targets[1].methods: has no effect where class-mode is off, because calls are not checked there
        :17: targets[1].jmx: has no effect where class-mode is off, because calls are not checked there
        :18: targets[1].jmx-grants[1]: "everything" is not a valid value; allowed: create-mbeans, diagnostic-commands, class-loading
        :18: targets[1].jmx-grants: has no effect without jmx: true
        :19: targets[1].new-ports: has no effect where class-mode is off, because calls are not checked there
        :22: targets[2].jmx: the value "write" is not valid; allowed: false, read, true
        """);
    assertErrors(
        GOOD + "    methods: [com.acme.Shop.add]\n",
        """
        :6: targets[0].methods[0]: "com.acme.Shop.add": no remote interface in classes.interfaces has such a method
        """);
  }

  @Test
  void limitsAreNumbersAndABurstIsOfARate() throws IOException {
    assertErrors(
        GOOD
            + """
                limits:
                  calls-per-second: 0
                  burst: 5
                  bytes-per-second: fast
              - principals: [alice]
                allow: ["rmi.example:*"]
                limits: 5
            limits:
              burst: 5
              calls-in-progres: 5
              calls-in-progress: [5]
              bytes-per-second: 1
            lockout:
              after: 1
              within: 0s
              lasts: long
            """,
        """
        :7: targets[0].limits.calls-per-second: the value "0" is not valid; allowed: a number from 1 to 1000000
        :9: targets[0].limits.bytes-per-second: the value "fast" is not valid; allowed: 1KiB to 1GiB, units B, KiB, MiB
        :12: targets[1].limits: expected keys with values, found the value "5"
        :14: limits.burst: has no effect without calls-per-second
        :15: limits.calls-in-progres: unknown key; did you mean calls-in-progress?
        :16: limits.calls-in-progress: a list is not valid; allowed: a number from 1 to 1000000
        :17: limits.bytes-per-second: the value "1" is not valid; allowed: 1KiB to 1GiB, units B, KiB, MiB
        :19: lockout.after: "1" is too small; allowed: a number from 2 to 1000000
        :20: lockout.within: "0s" is too small; allowed: 1s to 1d, units ms, s, m, h, d
        :21: lockout.lasts: "long" is not a duration; allowed: 1s to 7d, units ms, s, m, h, d
        """);
  }

  @Test
  void hostsAreNamesWithoutPorts() throws IOException {
    assertErrors(
        GOOD
            + "hosts: ['https://gw.example', 'gw.example:8443', '*.gw.example', 'größe.example']\n",
        """
        :6: hosts[0]: "https://gw.example" is not valid; allowed: a list of host names without a port, in which * stands for any characters
        :6: hosts[1]: "gw.example:8443" is not valid; allowed: a list of host names without a port, in which * stands for any characters
        :6: hosts[3]: "größe.example" is not valid; allowed: a list of host names without a port, in which * stands for any characters
        """);
  }

  @Test
  void originsAreExact() throws IOException {
    assertErrors(
        GOOD + "origins: ['*', 'https://*.example', gw.example, 'https://gw.example/', 'null']\n",
        """
        :6: origins[0]: "*" is not valid; allowed: a list of https://host or http://host, with :port unless it is 443 or 80
        :6: origins[1]: "https://*.example" is not valid; allowed: a list of https://host or http://host, with :port unless it is 443 or 80
        :6: origins[2]: "gw.example" is not valid; allowed: a list of https://host or http://host, with :port unless it is 443 or 80
        :6: origins[3]: "https://gw.example/" is not valid; allowed: a list of https://host or http://host, with :port unless it is 443 or 80
        :6: origins[4]: "null" is not valid; allowed: a list of https://host or http://host, with :port unless it is 443 or 80
        """);
  }

  @Test
  void mappedHostsAreHosts() throws IOException {
    assertErrors(
        GOOD
            + """
            map-loopback: off
            map:
              - host: rmi.example:1099
              - to: rmi.example
              - host: 172.17.*
                to: "*.example"
                port: 1099
              - 172.17.*
            """,
        """
        :6: map-loopback: "off" is not a valid value; allowed: true or false
        :8: map[0].host: "rmi.example:1099" is not a host; allowed: a host, in which * stands for any characters
        :9: map[1].host: required; allowed: a host, in which * stands for any characters
        :11: map[2].to: "*.example" is not a host; allowed: a host name or an address
        :12: map[2].port: unknown key; allowed: host, to
        :13: map[3]: expected host, found the value "172.17.*"
        """);
  }

  @Test
  void preloadedNamesAreNames() throws IOException {
    assertErrors(
        GOOD
            + """
            preload:
              - principals: ["*"]
                names: [Hello, "rmi.example:70000/Hello", "rmi.example:1099/Hello"]
              - names: ["rmi.example:1099/Hello"]
                name: Hello
              - rmi.example:1099/Hello
            """,
        """
        :8: preload[0].names[0]: "Hello" is not a name in a registry; allowed: host:port/name
        :8: preload[0].names[1]: "rmi.example:70000/Hello" is not a name in a registry; allowed: host:port/name
        :9: preload[1].principals: required; allowed: a list of names and group:NAME
        :10: preload[1].name: unknown key; did you mean names?
        :11: preload[2]: expected principals and names, found the value "rmi.example:1099/Hello"
        """);
  }

  @Test
  void nobodyIsLetInWithoutSayingSo() throws IOException {
    assertErrors(
        """
        logins: {}
        targets: []
        """,
        """
        :1: logins: no client can log in; configure basic, bearer, client-certificate or container, or set anonymous: true to let every client in
        :2: targets: no server can be reached; add a list of entries with principals and allow
        """);
  }

  @Test
  void anIssuerWithoutAnAddressNeedsItsKeys() throws IOException {
    String problem =
        " is not an https:// address, so its keys cannot be found; set logins.bearer.jwks\n";
    for (String issuer : List.of("acme", "http://acme.example", "https://acme.example/?realm=1")) {
      assertErrors(
          GOOD.replace(
              "  anonymous: true\n",
              "  bearer:\n    issuer: " + issuer + "\n    audience: rmigate\n"),
          ":3: logins.bearer.issuer: \"" + issuer + "\"" + problem);
    }
  }

  @Test
  void requiredKeysAndMissingFilesAreNamed() throws IOException {
    assertErrors(
        GOOD.replace(
                "  anonymous: true\n",
                """
                  basic: {}
                  bearer:
                    jwks: http://issuer.example/keys
                    algorithms: [HS256]
                """)
            + """
            tls:
              keystore: nowhere.p12
              client-auth: need
            """,
        """
        :2: logins.basic.users-file: required; allowed: a readable file, relative to the directory of the configuration file
        :3: logins.bearer.issuer: required; allowed: a text that is not empty
        :3: logins.bearer.audience: required; allowed: a text that is not empty
        :4: logins.bearer.jwks: "http://issuer.example/keys" is plain HTTP, over which an attacker could replace the keys; allowed: a readable file or an https:// address
        :5: logins.bearer.algorithms[0]: "HS256" is not a valid value; allowed: RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512
        :9: tls.password-file: required; allowed: a readable file, relative to the directory of the configuration file
        :9: tls.truststore: required with tls.client-auth need: only the authorities in it may issue client certificates
        :10: tls.keystore: no such file: DIR/nowhere.p12
        """);
  }

  @Test
  void syntaxErrorsStopTheReadingAndNameTheLine() throws IOException {
    assertErrors(
        """
        logins:
          anonymous: true
         targets: []
        """,
        """
        :3: not YAML: while parsing a block mapping: expected <block end>, but found '<block mapping start>'
        """);
  }

  @Test
  void aKeyGivenTwiceIsRefused() throws IOException {
    assertErrors(
        GOOD + "logins:\n  container: true\n",
        """
        :6: logins: given a second time; first at DIR/rmigate.yaml:1
        """);
  }

  @Test
  void aliasesAndASecondDocumentAreRefused() throws IOException {
    assertErrors(
        """
        state: &here state
        listen: *here
        """,
        """
        :2: listen: aliases (*) are not allowed; a value that begins with * must stand in quotes
        """);
    assertErrors(
        GOOD + "---\nlisten: x\n",
        """
        :7: a second document (---) in one file is not read; remove it
        """);
  }

  @Test
  void aListAtTheTopIsRefused() throws IOException {
    assertErrors(
        "- targets\n",
        """
        :1: expected keys with values at the top, such as "targets:"
        """);
  }

  @Test
  void aMissingFileIsNamed() {
    Path missing = directory.resolve("missing.yaml");
    ConfigException e =
        catchThrowableOfType(ConfigException.class, () -> GatewayConfig.load(missing, Map.of()));
    assertThat(e).hasMessage(missing + ": no such file");
  }

  @Test
  void errorsInTheEnvironmentNameTheVariable() throws IOException {
    Path file = Files.writeString(directory.resolve("rmigate.yaml"), GOOD);
    ConfigException e =
        catchThrowableOfType(
            ConfigException.class,
            () -> GatewayConfig.load(file, Map.of("RMIGATE_GATEWAY_SESSION_HEARTBEAT", "soon")));
    assertThat(e)
        .hasMessage(
            "environment variable RMIGATE_GATEWAY_SESSION_HEARTBEAT: session.heartbeat: \"soon\" is"
                + " not a duration; allowed: 1s to 10m, units ms, s, m, h, d");
  }

  @Test
  void callbacksNeedAnAddressPeersAndSomebodyTheyAreFor() throws IOException {
    assertErrors(
        GOOD
            + """
            callbacks:
              host: gw.inner
            """,
        """
        :6: callbacks.address: required; allowed: an IP address of this machine, and not a wildcard such as 0.0.0.0
        :6: callbacks.from: required; allowed: a list of addresses, in which * stands for any characters, networks such as 10.0.0.0/8, and host names
        :6: callbacks.allow: no principal may export objects; add a list of entries with principals
        """);
    assertErrors(
        GOOD
            + """
            callbacks:
              address: 0.0.0.0
              host: a b
              ports: 9-1
              from: []
              max-connections: 8193
              lease: 1s
              allow:
                - explicit: [0, 70000]
                  max-ports: 0
                - alice
            """,
        """
        :7: callbacks.address: "0.0.0.0" is not valid; allowed: an IP address of this machine, and not a wildcard such as 0.0.0.0
        :8: callbacks.host: "a b" is not a host; allowed: a host name or an address
        :9: callbacks.ports: "9-1" is not a valid value; allowed: a port, a range such as 40000-40999, or 0 for any free one
        :10: callbacks.from: is empty; allowed: a list of addresses, in which * stands for any characters, networks such as 10.0.0.0/8, and host names
        :11: callbacks.max-connections: "8193" is too large; allowed: a number from 1 to 8192
        :12: callbacks.lease: "1s" is too small; allowed: 2s to 1d, units ms, s, m, h, d
        :14: callbacks.allow[0].principals: required; allowed: a list of names and group:NAME
        :14: callbacks.allow[0].explicit[0]: "0" is not a port; allowed: 1 to 65535, first-last
        :14: callbacks.allow[0].explicit[1]: "70000" is not a port; allowed: 1 to 65535, first-last
        :15: callbacks.allow[0].max-ports: the value "0" is not valid; allowed: a number from 1 to 60000
        :16: callbacks.allow[1]: expected principals, found the value "alice"
        """);
    assertErrors(
        GOOD
            + """
            callbacks:
              address: 10.0.1.5
              from: ["rmi*.example"]
              allow: [{principals: ["*"]}]
            """,
        """
        :8: callbacks.from[0]: 'rmi*.example' is not a host; allowed: a list of addresses, in which * stands for any characters, networks such as 10.0.0.0/8, and host names
        """);
  }

  /** {@code expected}: lines without the file's name before {@code :line}. */
  private void assertErrors(String yaml, String expected) throws IOException {
    Path file = Files.writeString(directory.resolve("rmigate.yaml"), yaml);
    ConfigException e =
        catchThrowableOfType(ConfigException.class, () -> GatewayConfig.load(file, Map.of()));
    String texts =
        e.getMessage()
            .replaceAll("(?m)^\\Q" + file + "\\E", "")
            .replace(directory.toString(), "DIR");
    assertThat(texts + "\n").isEqualTo(expected);
  }
}
