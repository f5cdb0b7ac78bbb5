package io.rmigate.gateway.testing;

import io.rmigate.testing.Tier;
import java.io.IOException;
import java.util.stream.Stream;

/** The ways to run the gateway that are claimed to work. */
public enum GatewayKind {
  STANDALONE {
    @Override
    GatewayUnderTest launch(GatewaySetup setup) throws IOException, InterruptedException {
      return StandaloneGateway.start(setup);
    }
  },
  TOMCAT_10 {
    @Override
    GatewayUnderTest launch(GatewaySetup setup) throws IOException, InterruptedException {
      return TomcatGateway.start(setup, System.getProperty("rmigate.test.tomcat10"));
    }
  },
  TOMCAT_11 {
    @Override
    GatewayUnderTest launch(GatewaySetup setup) throws IOException, InterruptedException {
      return TomcatGateway.start(setup, System.getProperty("rmigate.test.tomcat11"));
    }
  },
  JETTY_12 {
    @Override
    GatewayUnderTest launch(GatewaySetup setup) throws IOException, InterruptedException {
      return JettyGateway.start(setup, System.getProperty("rmigate.test.jetty"));
    }
  };

  /** The kinds that this build tests: all in the full one, else the stand-alone one. */
  public static Stream<GatewayKind> kindsOfThisTier() {
    return Tier.isFull() ? Stream.of(values()) : Stream.of(STANDALONE);
  }

  /** Starts the gateway and returns when it says that it is ready to work. */
  public final GatewayUnderTest start(GatewaySetup setup) throws IOException, InterruptedException {
    GatewayUnderTest gateway = launch(setup);
    try {
      Readiness.await(gateway);
      return gateway;
    } catch (AssertionError | RuntimeException e) {
      gateway.close();
      throw e;
    }
  }

  abstract GatewayUnderTest launch(GatewaySetup setup) throws IOException, InterruptedException;
}
