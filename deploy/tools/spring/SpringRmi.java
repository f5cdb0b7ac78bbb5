import org.springframework.remoting.rmi.RmiProxyFactoryBean;
import org.springframework.remoting.rmi.RmiServiceExporter;

/**
 * RMI as applications with Spring up to 5.3 do it, both sides: an interface that knows nothing of
 * RMI, exported and called by Spring's own wrapper. Nothing here knows of rmigate either.
 *
 * <pre>
 * SpringRmi serve PORT
 * SpringRmi call HOST PORT WHO
 * </pre>
 */
public final class SpringRmi {
  private SpringRmi() {}

  /** What is offered. */
  public interface Greeter {
    String greet(String who);
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("serve")) {
      serve(Integer.parseInt(arguments[1]));
    } else {
      call(arguments[1], Integer.parseInt(arguments[2]), arguments[3]);
    }
  }

  private static void serve(int port) throws Exception {
    Greeter greeter = who -> "Hello, " + who;
    RmiServiceExporter exporter = new RmiServiceExporter();
    exporter.setServiceName("greeter");
    exporter.setServiceInterface(Greeter.class);
    exporter.setService(greeter);
    exporter.setRegistryPort(port);
    exporter.afterPropertiesSet();
    System.out.println("spring ready");
    Thread.currentThread().join();
  }

  private static void call(String host, int port, String who) {
    RmiProxyFactoryBean proxy = new RmiProxyFactoryBean();
    proxy.setServiceUrl("rmi://" + host + ":" + port + "/greeter");
    proxy.setServiceInterface(Greeter.class);
    proxy.afterPropertiesSet();
    System.out.println(((Greeter) proxy.getObject()).greet(who));
    System.exit(0);
  }
}
