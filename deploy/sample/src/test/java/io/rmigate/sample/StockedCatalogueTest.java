package io.rmigate.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.sample.Product.Department;
import java.rmi.server.UnicastRemoteObject;
import org.junit.jupiter.api.Test;

class StockedCatalogueTest {
  private final StockedCatalogue catalogue = new StockedCatalogue(0);

  @Test
  void unknownProductsAreNull() {
    assertThat(catalogue.find("X-99")).isNull();
    assertThat(catalogue.find("G-02").department()).isEqualTo(Department.GARDEN);
  }

  @Test
  void moreThanTheStockIsRefusedAndTakesNothing() throws Exception {
    Basket basket = catalogue.newBasket();
    try {
      assertThatThrownBy(() -> basket.add("G-02", 11)).isInstanceOf(OutOfStockException.class);
      assertThat(basket.add("G-02", 10)).isEqualByComparingTo("240");
    } finally {
      UnicastRemoteObject.unexportObject(basket, true);
    }
  }
}
