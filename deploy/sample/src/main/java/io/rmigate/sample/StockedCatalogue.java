package io.rmigate.sample;

import io.rmigate.sample.Product.Department;
import java.math.BigDecimal;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/** A catalogue with ten pieces of each product. Called by any thread. */
final class StockedCatalogue implements Catalogue {
  private static final List<Product> PRODUCTS =
      List.of(
          new Product(
              "B-01",
              "The Art of Waiting",
              Department.BOOKS,
              new BigDecimal("19.90"),
              LocalDate.of(2026, 11, 2)),
          new Product(
              "G-01",
              "Watering can",
              Department.GARDEN,
              new BigDecimal("12.50"),
              LocalDate.of(2026, 12, 1)),
          new Product(
              "G-02",
              "Rake",
              Department.GARDEN,
              new BigDecimal("24.00"),
              LocalDate.of(2026, 11, 21)),
          new Product(
              "T-01",
              "Tunnel boring machine",
              Department.TOOLS,
              new BigDecimal("12000000.00"),
              LocalDate.of(2028, 2, 29)));

  private final int objectPort;
  private final Map<String, Integer> stock = new ConcurrentHashMap<>();

  StockedCatalogue(int objectPort) {
    this.objectPort = objectPort;
    PRODUCTS.forEach(product -> stock.put(product.number(), 10));
  }

  @Override
  public List<Product> products() {
    return PRODUCTS;
  }

  @Override
  public Product find(String number) {
    return PRODUCTS.stream().filter(p -> p.number().equals(number)).findFirst().orElse(null);
  }

  @Override
  public Map<Department, List<Product>> byDepartment() {
    return PRODUCTS.stream()
        .collect(
            Collectors.groupingBy(
                Product::department, () -> new EnumMap<>(Department.class), Collectors.toList()));
  }

  @Override
  public Basket newBasket() throws RemoteException {
    Basket basket = new StockBasket();
    UnicastRemoteObject.exportObject(basket, objectPort);
    return basket;
  }

  /** The distributed garbage collector ends it when the client has dropped its stub. */
  private final class StockBasket implements Basket {
    private final AtomicReference<BigDecimal> total = new AtomicReference<>(BigDecimal.ZERO);

    @Override
    public BigDecimal add(String number, int pieces) throws OutOfStockException {
      Product product = find(number);
      if (product == null) {
        throw new NoSuchElementException("no product " + number);
      }
      int left = take(number, pieces);
      if (left < pieces) {
        throw new OutOfStockException(number, left);
      }
      BigDecimal price = product.price().multiply(BigDecimal.valueOf(pieces));
      return total.accumulateAndGet(price, BigDecimal::add);
    }

    /** Returns what was there before; takes nothing unless that is enough. */
    private int take(String number, int pieces) {
      while (true) {
        int left = stock.get(number);
        if (left < pieces || stock.replace(number, left, left - pieces)) {
          return left;
        }
      }
    }
  }
}
