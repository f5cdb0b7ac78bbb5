package io.rmigate.soap.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.publish.Publication;
import io.rmigate.soap.testing.Published;
import io.rmigate.soap.testing.RecordedReply;
import io.rmigate.soap.testing.RunningShop;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonSampleTest {

  @Test
  void whatIsShownIsTaken(@TempDir Path directory) throws Exception {
    try (RunningShop shop = RunningShop.in(directory)) {
      JsonFront front = new JsonFront(shop.publication().contract(), JsonLimits.DEFAULT);
      for (Operation operation : shop.publication().contract().operations()) {
        String sample = JsonSample.of(operation).toString();
        RecordedReply reply = RecordedReply.of(front, shop.caller(), operation.name(), sample);
        if (operation.name().equals("piecesIn")) {
          // No handle can be made up.
          assertThat(reply.text()).contains("\"pointer\":\"/basket\"");
        } else {
          assertThat(reply.status()).as(sample + reply.text()).isIn(200, 204, 422, 500);
        }
      }
    }
  }

  @Test
  void typesThatReferToEachOtherMakeNoLongSample(@TempDir Path directory) throws Exception {
    StringBuilder source = new StringBuilder("public interface Shop extends Remote {\n");
    int types = 20;
    for (int i = 0; i < types; i++) {
      source.append("class B").append(i).append(" implements Serializable {\n");
      for (int j = 0; j < types; j++) {
        source.append("public B%d f%d; public List<B%d> l%d;\n".formatted(j, j, j, j));
      }
      source.append("}\n");
    }
    source.append("void save(B0 first) throws RemoteException; }");
    try (Publication publication = Published.shop(directory, source.toString())) {
      Operation save = publication.contract().operation("save").orElseThrow();
      assertThat(JsonSample.of(save).toString()).hasSizeLessThan(10_000);
    }
  }
}
