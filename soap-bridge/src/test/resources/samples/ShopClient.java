import com.sun.xml.ws.developer.StreamingAttachmentFeature;
import jakarta.xml.ws.soap.MTOMFeature;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import java.net.URL;
import java.util.Arrays;
import java.util.List;
import rmigate.contract.shop.OutOfStockFault;
import rmigate.contract.shop.Shop;
import rmigate.contract.shop.ShopService;
import rmigate.contract.shop_shop.types.AnyPayment;
import rmigate.contract.shop_shop.types.Card;
import rmigate.contract.shop_shop.types.Customer;
import rmigate.contract.shop_shop.types.Department;

/** Calls by classes that wsimport has made; what the tests compile and run. */
public class ShopClient {
  /** Metro keeps what is larger in files, and forgets them. */
  private static final StreamingAttachmentFeature IN_MEMORY =
      new StreamingAttachmentFeature(null, true, 64L << 20);

  public static String run(String address) throws Exception {
    ShopService service = new ShopService(new URL(address + "?wsdl"));
    return call(service.getShopSoap11())
        + call(service.getShopSoap12())
        + attach(service.getShopSoap11(new MTOMFeature(), IN_MEMORY));
  }

  private static String call(Shop shop) throws Exception {
    StringBuilder seen = new StringBuilder();
    seen.append(shop.numbers(3)).append(' ');
    seen.append(shop.departments(List.of(Department.TOOLS))).append(' ');
    Customer customer = new Customer();
    customer.setName("\u010d & <");
    customer.getTags().add("a");
    customer.getTags().add("b");
    Customer same = shop.customer(customer);
    seen.append(same.getName()).append(same.getTags()).append(same.getGreeting()).append(' ');
    AnyPayment payment = new AnyPayment();
    Card card = new Card();
    card.setNumber("7");
    payment.setCard(card);
    seen.append(shop.pay(List.of(payment)).get(0).getCard().getNumber()).append(' ');
    seen.append(shop.findString(null) == null).append(' ');
    try {
      shop.fail("declared");
    } catch (OutOfStockFault fault) {
      seen.append(fault.getFaultInfo().getLeft()).append(fault.getMessage()).append(' ');
    }
    W3CEndpointReference basket = shop.newBasket();
    seen.append(shop.piecesIn(basket)).append('\n');
    return seen.toString();
  }

  private static String attach(Shop shop) {
    byte[] bytes = new byte[1 << 20];
    Arrays.fill(bytes, 0, 1 << 19, (byte) 1);
    byte[] reversed = shop.reversed(bytes);
    return reversed.length + " " + reversed[0] + " " + reversed[reversed.length - 1] + "\n";
  }
}
