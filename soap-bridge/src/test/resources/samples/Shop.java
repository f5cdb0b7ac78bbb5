/** Everything that MAPPING.md speaks of; what the tests compile, publish, serve and call. */
public interface Shop extends Remote {

  enum Department {
    TOOLS,
    GARDEN {
      @Override
      boolean isOutside() {
        return true;
      }
    };

    boolean isOutside() {
      return false;
    }
  }

  record Product(
      String number, Department department, BigDecimal price, LocalDate available, byte[] picture)
      implements Serializable {
    public Product {
      Objects.requireNonNull(number, "a product needs a number");
    }
  }

  class Customer implements Serializable {
    private String name;
    private Date since;
    private boolean regular;
    private final List<String> tags = new ArrayList<>();
    private Map<String, Address> addresses = new HashMap<>();

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }

    public Date getSince() {
      return since;
    }

    public void setSince(Date since) {
      this.since = since;
    }

    public boolean isRegular() {
      return regular;
    }

    public void setRegular(boolean regular) {
      this.regular = regular;
    }

    public List<String> getTags() {
      return tags;
    }

    public Map<String, Address> getAddresses() {
      return addresses;
    }

    public void setAddresses(Map<String, Address> addresses) {
      this.addresses = addresses;
    }

    public String getGreeting() {
      return "Dear " + name;
    }
  }

  final class Address implements Serializable {
    private final String street;
    private final int number;

    public Address(String street, int number) {
      this.street = street;
      this.number = number;
    }

    public String getStreet() {
      return street;
    }

    public int getNumber() {
      return number;
    }
  }

  sealed interface Payment extends Serializable permits Card, Invoice {}

  record Card(String number, YearMonth expires, int code, BigDecimal limit, double rate)
      implements Payment {}

  record Invoice(Customer payer, Duration due) implements Payment {}

  record Page<T>(List<T> items, Integer next) implements Serializable {}

  record Words(
      boolean z, byte b, short s, int i, long j, float f, double d, char c, Integer boxed,
      String text, BigInteger large, BigDecimal exact, UUID id, URI link, Locale language,
      Instant instant, Calendar calendar, java.sql.Timestamp stamp, LocalDateTime local,
      ZonedDateTime zoned, Year year)
      implements Serializable {}

  class Node implements Serializable {
    public int value;
    public Node left;
    public Node right;
  }

  class OutOfStock extends Exception {
    private final String number;
    private final int left;

    OutOfStock(String number, int left) {
      super("only " + left + " of " + number + " left");
      this.number = number;
      this.left = left;
    }

    public String getNumber() {
      return number;
    }

    public int getLeft() {
      return left;
    }
  }

  interface Basket extends Remote {
    int add(String number, int pieces) throws RemoteException, OutOfStock;

    Shop shop() throws RemoteException;
  }

  Words words(Words words) throws RemoteException;

  Product find(String number) throws RemoteException;

  Page<Product> find(Department department, int from) throws RemoteException;

  Map<Department, List<Product>> byDepartment() throws RemoteException;

  Map<Product, Integer> stock(Map<Product, Integer> stock) throws RemoteException;

  Customer customer(Customer customer) throws RemoteException;

  Payment[] pay(Payment... payments) throws RemoteException;

  Node tree(Node root) throws RemoteException;

  Node ring() throws RemoteException;

  Set<Department> departments(EnumSet<Department> departments) throws RemoteException;

  int[][] matrix(int[][] rows) throws RemoteException;

  int[] numbers(int count) throws RemoteException;

  List<String> broken(int after) throws RemoteException;

  byte[] reversed(byte[] data) throws RemoteException;

  Basket newBasket() throws RemoteException;

  int piecesIn(Basket basket) throws RemoteException;

  void restock(String number, int pieces) throws RemoteException;

  void fail(String how) throws RemoteException, OutOfStock;

  Object anything() throws RemoteException;
}

class ShopServant implements Shop {
  private final List<Remote> exported = new ArrayList<>();

  /** Has a property that fails. */
  static final class Bad extends AbstractList<String> implements Serializable {
    final int after;

    Bad(int after) {
      this.after = after;
    }

    @Override
    public String get(int index) {
      if (index == after) {
        throw new IllegalStateException("no element " + index);
      }
      return "element " + index;
    }

    @Override
    public int size() {
      return after + 1;
    }
  }

  private final class BasketServant implements Basket {
    private int pieces;

    @Override
    public int add(String number, int pieces) throws OutOfStock {
      if (pieces > 10) {
        throw new OutOfStock(number, 10);
      }
      return this.pieces += pieces;
    }

    @Override
    public Shop shop() {
      return ShopServant.this;
    }
  }

  @Override
  public Words words(Words words) {
    return words;
  }

  @Override
  public Product find(String number) {
    return number == null
        ? null
        : new Product(
            number, Department.GARDEN, new BigDecimal("12.50"), LocalDate.of(2026, 11, 21), null);
  }

  @Override
  public Page<Product> find(Department department, int from) {
    return new Page<>(List.of(find("G-" + from)), null);
  }

  @Override
  public Map<Department, List<Product>> byDepartment() {
    return new EnumMap<>(Map.of(Department.GARDEN, List.of(find("G-1"))));
  }

  @Override
  public Map<Product, Integer> stock(Map<Product, Integer> stock) {
    return stock;
  }

  @Override
  public Customer customer(Customer customer) {
    return customer;
  }

  @Override
  public Payment[] pay(Payment... payments) {
    return payments;
  }

  @Override
  public Node tree(Node root) {
    return root;
  }

  @Override
  public Node ring() {
    Node node = new Node();
    node.left = node;
    return node;
  }

  @Override
  public Set<Department> departments(EnumSet<Department> departments) {
    return EnumSet.complementOf(departments);
  }

  @Override
  public int[][] matrix(int[][] rows) {
    return rows;
  }

  @Override
  public int[] numbers(int count) {
    int[] numbers = new int[count];
    Arrays.setAll(numbers, i -> i);
    return numbers;
  }

  @Override
  public List<String> broken(int after) {
    return new Bad(after);
  }

  @Override
  public byte[] reversed(byte[] data) {
    byte[] reversed = new byte[data.length];
    for (int i = 0; i < data.length; i++) {
      reversed[i] = data[data.length - 1 - i];
    }
    return reversed;
  }

  @Override
  public Basket newBasket() throws RemoteException {
    BasketServant basket = new BasketServant();
    exported.add(basket);
    java.rmi.server.UnicastRemoteObject.exportObject(basket, 0);
    return basket;
  }

  @Override
  public int piecesIn(Basket basket) throws RemoteException {
    try {
      return basket.add("", 0);
    } catch (OutOfStock e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void restock(String number, int pieces) {}

  @Override
  public void fail(String how) throws OutOfStock {
    switch (how) {
      case "declared" -> throw new OutOfStock("G-1", 3);
      case "unchecked" -> throw new IllegalStateException("secret of the server");
      default -> throw new AssertionError("secret of the server");
    }
  }

  @Override
  public Object anything() {
    return this;
  }
}
