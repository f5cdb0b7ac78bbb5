package io.rmigate.gateway.testing;

import io.rmigate.testing.Patience;
import io.rmigate.testing.TestTimes;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The unpacked WAR, so that no start unpacks it again, in a Tomcat with a {@code CATALINA_BASE} of
 * its own, context path /rmigate. Tests of the kit deploy the WAR itself.
 */
record TomcatGateway(URI uri, ChildJvm jvm) implements GatewayUnderTest {
  /**
   * Tomcat puts the port it got into the name of the connector: {@code http-nio-…-auto-1-41234}.
   */
  private static final Pattern LISTENING =
      Pattern.compile("Starting ProtocolHandler \\[\"https?-.*-auto-\\d+-(\\d+)\"\\]");

  static TomcatGateway start(GatewaySetup setup, String version)
      throws IOException, InterruptedException {
    long since = System.nanoTime();
    Path home = BuiltArtefacts.container("apache-tomcat-" + version);
    Path base = setup.directory().resolve("catalina-base");
    Path conf = Files.createDirectories(base.resolve("conf"));
    for (String each : new String[] {"webapps", "work", "temp", "logs"}) {
      Files.createDirectories(base.resolve(each));
    }
    Files.copy(home.resolve("conf/web.xml"), conf.resolve("web.xml"));
    Files.writeString(conf.resolve("server.xml"), serverXml(setup));
    ChildJvm jvm =
        ChildJvm.named("tomcat-" + version, setup.directory())
            .temporary(base.resolve("temp"))
            .jvmOptions(setup.hosts().insideOption())
            .jvmOptions(setup.jvmOptions().toArray(String[]::new))
            .property("catalina.home", home)
            .property("catalina.base", base)
            .property("rmigate.config", setup.writeConfiguration(""))
            .classPath(
                home.resolve("bin" + File.separator + "bootstrap.jar"),
                home.resolve("bin" + File.separator + "tomcat-juli.jar"))
            .main("org.apache.catalina.startup.Bootstrap")
            .arguments("start")
            .start();
    try {
      String port = jvm.awaitLine(LISTENING, Patience.PATIENCE).group(1);
      TestTimes.add(TestTimes.Activity.CONTAINER_START, since);
      URI uri =
          URI.create(setup.scheme() + "://127.0.0.1:" + port + (setup.atRoot() ? "" : "/rmigate"));
      return new TomcatGateway(uri, jvm);
    } catch (AssertionError e) {
      jvm.close();
      throw e;
    }
  }

  private static String serverXml(GatewaySetup setup) {
    String tls =
        setup
            .certificate()
            .map(
                certificate ->
                    """
                     scheme="https" secure="true" SSLEnabled="true">
                          <SSLHostConfig>
                            <Certificate certificateKeystoreFile="%s" certificateKeystorePassword="%s"
                                         certificateKeystoreType="PKCS12"/>
                          </SSLHostConfig>
                        </Connector>
                    """
                        .formatted(certificate.keystore(), certificate.password()))
            .orElse("/>\n");
    return """
    <?xml version="1.0" encoding="UTF-8"?>
    <Server port="-1">
      <Service name="Catalina">
        <Connector port="0" address="127.0.0.1" protocol="HTTP/1.1"%s
        <Engine name="Catalina" defaultHost="localhost">
          <Host name="localhost" appBase="webapps" autoDeploy="false" deployOnStartup="false">
            <Context path="%s" docBase="%s"/>
          </Host>
        </Engine>
      </Service>
    </Server>
    """
        .formatted(tls, setup.atRoot() ? "" : "/rmigate", BuiltArtefacts.unpackedWar());
  }
}
