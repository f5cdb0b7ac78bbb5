package io.rmigate.gateway.boxes;

import io.rmigate.gateway.testing.ChildJvm;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * MIT Kerberos on loopback: a key distribution centre with a realm of its own, which knows {@link
 * Login#USER} and the HTTP proxy. All its files are in one directory, which goes with it; nothing
 * of this machine's own Kerberos is read or written.
 */
final class KerberosRealm implements AutoCloseable {
  static final String NAME = "RMIGATE.TEST";

  /** The one that an HTTP proxy is known by: its name is part of what tickets are for. */
  static final String HOST = "localhost";

  static final String SERVICE = "HTTP/" + HOST + "@" + NAME;

  /** As others name the one user. */
  static final String PRINCIPAL = Login.USER + "@" + NAME;

  private static final Installed KDC = Installed.of("krb5-kdc", "/usr/sbin/krb5kdc");
  private static final Installed DATABASE = Installed.of("krb5-kdc", "/usr/sbin/kdb5_util");
  private static final Installed ADMIN =
      Installed.of("krb5-admin-server", "/usr/sbin/kadmin.local");
  private static final Installed KINIT = Installed.of("krb5-user", "/usr/bin/kinit");

  private final BoxProcess centre;

  private KerberosRealm(BoxProcess centre) {
    this.centre = centre;
  }

  /** What of it is not there; empty when all is. */
  static Optional<Installed> missing() {
    return Stream.of(KDC, DATABASE, ADMIN, KINIT).flatMap(it -> it.missing().stream()).findFirst();
  }

  static KerberosRealm start() throws IOException, InterruptedException {
    return new KerberosRealm(BoxProcess.start(KerberosRealm::prepare));
  }

  private static List<String> prepare(Path directory, int port)
      throws IOException, InterruptedException {
    Files.writeString(
        configurationIn(directory),
        """
        [libdefaults]
          default_realm = %s
          dns_lookup_realm = false
          dns_lookup_kdc = false
          dns_canonicalize_hostname = false
          rdns = false
          udp_preference_limit = 1
        [realms]
          %s = {
            kdc = 127.0.0.1:%d
          }
        """
            .formatted(NAME, NAME, port));
    Files.writeString(
        directory.resolve("kdc.conf"),
        """
        [kdcdefaults]
          kdc_listen = 127.0.0.1:%d
          kdc_tcp_listen = 127.0.0.1:%d
        [realms]
          %s = {
            database_name = %s/principal
            key_stash_file = %s/stash
            acl_file = %s/acl
            supported_enctypes = aes256-cts:normal
          }
        [logging]
          kdc = FILE:%s/kdc.log
        """
            .formatted(port, port, NAME, directory, directory, directory, directory));
    run(directory, DATABASE, "", "create", "-r", NAME, "-s", "-P", "master");
    administer(directory, "addprinc -pw " + Login.PASSWORD + " " + PRINCIPAL);
    administer(directory, "addprinc -randkey " + SERVICE);
    administer(directory, "ktadd -k " + keytabIn(directory) + " " + SERVICE);
    // Boxes give up root, if they have it.
    Files.setPosixFilePermissions(
        keytabIn(directory), PosixFilePermissions.fromString("rw-r--r--"));
    List<String> command = new ArrayList<>(environmentIn(directory));
    command.addAll(List.of(KDC.toString(), "-n", "-P", directory.resolve("kdc.pid").toString()));
    return command;
  }

  private static void administer(Path directory, String query)
      throws IOException, InterruptedException {
    run(directory, ADMIN, "", "-r", NAME, "-q", query);
  }

  private static void run(Path directory, Installed program, String input, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(environmentIn(directory));
    command.add(program.toString());
    command.addAll(Arrays.asList(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.US_ASCII));
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ":\n" + output);
    }
  }

  private static Path configurationIn(Path directory) {
    return directory.resolve("krb5.conf");
  }

  private static Path keytabIn(Path directory) {
    return directory.resolve("proxy.keytab");
  }

  private static List<String> environmentIn(Path directory) {
    return List.of(
        "/usr/bin/env",
        "KRB5_CONFIG=" + configurationIn(directory),
        "KRB5_KDC_PROFILE=" + directory.resolve("kdc.conf"),
        "KRB5RCACHENAME=none:"); // else it is a file in /var/tmp
  }

  /** What comes before the command of a program that is to know this realm. */
  List<String> environment() {
    return environmentIn(centre.directory());
  }

  /** The key of {@link #SERVICE}. */
  Path keytab() {
    return keytabIn(centre.directory());
  }

  /** Configures a JVM for this realm, without a ticket. */
  ChildJvm.Builder known(ChildJvm.Builder jvm) {
    return jvm.property("java.security.krb5.conf", configurationIn(centre.directory()))
        .environment("KRB5CCNAME", "FILE:" + centre.directory().resolve("nobody.ccache"));
  }

  /** Has a JVM know this realm, where the user has logged in: see {@link #logIn}. */
  ChildJvm.Builder loggedIn(ChildJvm.Builder jvm) {
    return known(jvm).environment("KRB5CCNAME", "FILE:" + ticket());
  }

  /** The user logs in, once. */
  void logIn() throws IOException, InterruptedException {
    run(centre.directory(), KINIT, Login.PASSWORD + "\n", "-c", "FILE:" + ticket(), PRINCIPAL);
  }

  private Path ticket() {
    return centre.directory().resolve(Login.USER + ".ccache");
  }

  /** What it has written. */
  String logs() {
    return centre.logs();
  }

  @Override
  public void close() {
    centre.close();
  }
}
