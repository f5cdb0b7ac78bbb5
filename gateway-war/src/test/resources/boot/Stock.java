package boot;

import java.io.Serializable;
import java.math.BigDecimal;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.remoting.rmi.RmiProxyFactoryBean;
import org.springframework.remoting.rmi.RmiServiceExporter;

/**
 * RMI in a fat jar of Spring Boot, both sides: its classes are loaded by a loader of Spring Boot's.
 *
 * <pre>
 * java -jar stock.jar serve PORT
 * java -jar stock.jar call HOST PORT
 * </pre>
 */
public class Stock {
  /** What is on the shelves. */
  public static class Article implements Serializable {
    private static final long serialVersionUID = 1;

    public String name;
    public BigDecimal price;
    public LocalDate since;
    public Map<String, Object> attributes = new HashMap<>();

    @Override
    public String toString() {
      return name + " " + price + " " + since + " " + attributes;
    }
  }

  /** Thrown for a product that is not in stock. */
  public static class SoldOut extends RuntimeException {
    private static final long serialVersionUID = 1;

    SoldOut(String message) {
      super(message);
    }
  }

  /** Knows nothing of RMI: Spring wraps its calls. */
  public interface Prices {
    Article price(Article article, BigDecimal price);

    List<Article> all();

    Article gone(String name);
  }

  /** An interface of RMI itself. */
  public interface Shelves extends Remote {
    Map<String, Article> shelve(List<Article> articles) throws RemoteException;

    Article gone(String name) throws RemoteException;
  }

  static class Service implements Prices, Shelves {
    @Override
    public Article price(Article article, BigDecimal price) {
      article.price = price;
      return article;
    }

    @Override
    public List<Article> all() {
      return List.of(article("pen"), article("ink"));
    }

    @Override
    public Map<String, Article> shelve(List<Article> articles) {
      Map<String, Article> shelves = new HashMap<>();
      articles.forEach(article -> shelves.put(article.name, article));
      return shelves;
    }

    @Override
    public Article gone(String name) {
      throw new SoldOut(name);
    }
  }

  /** The server's beans. */
  @Configuration
  public static class Server {
    @Bean
    RmiServiceExporter prices() {
      return exporter("prices", Prices.class);
    }

    @Bean
    RmiServiceExporter shelves() {
      return exporter("shelves", Shelves.class);
    }

    private static RmiServiceExporter exporter(String name, Class<?> type) {
      RmiServiceExporter exporter = new RmiServiceExporter();
      exporter.setServiceName(name);
      exporter.setServiceInterface(type);
      exporter.setService(new Service());
      exporter.setRegistryPort(Integer.getInteger("stock.port"));
      return exporter;
    }
  }

  /** The client's beans. */
  @Configuration
  public static class Client {
    @Bean
    RmiProxyFactoryBean prices() {
      return proxy("prices", Prices.class);
    }

    @Bean
    RmiProxyFactoryBean shelves() {
      return proxy("shelves", Shelves.class);
    }

    private static RmiProxyFactoryBean proxy(String name, Class<?> type) {
      RmiProxyFactoryBean proxy = new RmiProxyFactoryBean();
      proxy.setServiceUrl(
          "rmi://" + System.getProperty("stock.host") + ":" + Integer.getInteger("stock.port") + "/" + name);
      proxy.setServiceInterface(type);
      return proxy;
    }
  }

  static Article article(String name) {
    Article article = new Article();
    article.name = name;
    article.since = LocalDate.of(2020, 1, 2);
    article.attributes.put("weight", 5);
    return article;
  }

  public static void main(String[] arguments) throws Exception {
    boolean serving = arguments[0].equals("serve");
    System.setProperty("stock.port", arguments[arguments.length - 1]);
    System.setProperty("stock.host", arguments[1]);
    ConfigurableApplicationContext context =
        new SpringApplicationBuilder(serving ? Server.class : Client.class)
            .web(WebApplicationType.NONE)
            .bannerMode(Banner.Mode.OFF)
            .logStartupInfo(false)
            .run();
    System.out.println("loaded by " + Stock.class.getClassLoader().getClass().getSimpleName());
    if (serving) {
      System.out.println("stock ready");
      Thread.currentThread().join();
    }
    call(context.getBean(Prices.class), context.getBean(Shelves.class));
    System.exit(SpringApplication.exit(context));
  }

  private static void call(Prices prices, Shelves shelves) throws RemoteException {
    System.out.println("priced " + prices.price(article("pen"), new BigDecimal("1.50")));
    System.out.println("all " + prices.all());
    System.out.println("shelved " + shelves.shelve(List.of(article("cup"))));
    try {
      prices.gone("pen");
    } catch (SoldOut e) {
      System.out.println("sold out " + e.getMessage());
    }
    try {
      shelves.gone("ink");
    } catch (SoldOut e) {
      System.out.println("sold out " + e.getMessage());
    }
  }
}
