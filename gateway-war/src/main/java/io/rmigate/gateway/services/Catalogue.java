package io.rmigate.gateway.services;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.services.page.Examples;
import io.rmigate.gateway.services.page.Html;
import io.rmigate.gateway.services.page.TryIt;
import io.rmigate.soap.call.CallPermission;
import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.publish.Operation.Parameter;
import io.rmigate.soap.publish.Publication;
import io.rmigate.soap.publish.Publications;
import io.rmigate.soap.publish.Refusal;
import io.rmigate.soap.type.Shape;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What is published, for people and for programs: everything that its reader may call, and nothing
 * else. Thread-safe.
 */
final class Catalogue {
  private static final String JSON = "application/json";
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final ObjectMapper mapper = new ObjectMapper();
  private final Services services;
  private final boolean wsdl;

  /**
   * @param wsdl whether objects have one
   */
  Catalogue(Services services, boolean wsdl) {
    this.services = services;
    this.wsdl = wsdl;
  }

  // ---- all

  /** The list of objects; {@code root} is the address of {@code /services}. */
  void all(Principal principal, String root, String accept, Answer answer) throws IOException {
    List<PublishedObject> objects = services.visible(principal);
    answer.header("Vary", "Accept");
    if (asksForJson(accept)) {
      ObjectNode all = NODES.objectNode();
      ArrayNode list = all.putArray("services");
      for (PublishedObject object : objects) {
        withPublication(object, publication -> list.add(json(object, publication, root)));
      }
      send(all, answer);
      return;
    }
    Html page = new Html("Services");
    if (objects.isEmpty()) {
      page.element(
          "p", "No object is published for your login. Operators list objects under publish.");
    } else {
      page.element("p", "Remote objects that you can call over HTTP:").open("table");
      page.open("tr").element("th", "object").element("th", "interface");
      page.element("th", "operations").element("th", "").close("tr");
      for (PublishedObject object : objects) {
        row(object, root, page);
      }
      page.close("table");
    }
    send(page, answer);
  }

  private void row(PublishedObject object, String root, Html page) {
    String address = root + "/" + object.path();
    page.open("tr").open("td").link(address, object.path()).close("td");
    page.open("td").element("code", object.entry().interfaceName()).close("td");
    if (!withPublication(
        object,
        publication -> {
          String names =
              permitted(publication.contract(), Services.permission(object)).stream()
                  .map(Operation::name)
                  .collect(Collectors.joining(", "));
          page.element("td", names).open("td");
          links(address, page);
          page.close("td");
        })) {
      page.element("td", "not available now; the gateway's log says why").element("td", "");
    }
    page.close("tr");
  }

  private void links(String address, Html page) {
    page.link(address + "/" + JsonService.DESCRIPTION, "OpenAPI 3.1").say(" ");
    page.link(address + "/" + JsonService.DESCRIPTION_30, "3.0");
    if (wsdl) {
      page.say(" ").link(address + "?wsdl", "WSDL");
    }
  }

  @FunctionalInterface
  private interface Look {
    void at(Publication publication);
  }

  private boolean withPublication(PublishedObject object, Look look) {
    Optional<Publications.Use> found = services.use(object);
    found.ifPresent(
        use -> {
          try (use) {
            look.at(use.publication());
          }
        });
    return found.isPresent();
  }

  // ---- one

  /** An object with its operations. */
  void one(
      PublishedObject object, Publication publication, String root, String accept, Answer answer)
      throws IOException {
    answer.header("Vary", "Accept");
    boolean asJson = asksForJson(accept);
    if (!asJson) {
      answer.header("Content-Security-Policy", Html.POLICY_OF_FORMS);
    }
    Documents.Key key =
        new Documents.Key(
            publication,
            object.entry().methods(),
            publication.contract().type(),
            root,
            asJson ? JSON : Html.TYPE);
    services
        .documents()
        .send(
            key,
            answer,
            reply -> {
              byte[] document =
                  asJson
                      ? written(json(object, publication, root))
                      : page(object, publication, root);
              reply.begin(200, key.what()).write(document);
            });
  }

  private byte[] page(PublishedObject object, Publication publication, String root) {
    String address = root + "/" + object.path();
    CallPermission permission = Services.permission(object);
    Html page = new Html(object.path());
    page.open("p").say("The remote object of interface ");
    page.element("code", object.entry().interfaceName()).say(" can be called at ");
    page.element("code", address).say(". ");
    links(address, page);
    page.say(" ").link(root, "all services").close("p");
    page.element(
        "p",
        "Replace login and values in the examples. The OpenAPI document describes values in JSON."
            + " A call that fails is answered with a problem document (RFC 9457), which says"
            + " whether the call was executed.");
    for (Contract contract : publication.contracts()) {
      contract(contract, publication, address, permission, page);
    }
    others(publication.contract(), address, permission, page);
    refusals(publication, page);
    return page.script().end();
  }

  private static void contract(
      Contract contract,
      Publication publication,
      String address,
      CallPermission permission,
      Html page) {
    boolean published = contract.type() == publication.contract().type();
    String place = published ? address : address + "/" + contract.name() + "/HANDLE";
    page.element("h2", contract.name());
    if (!published) {
      page.open("p").say("Objects that calls return by reference. The address of one is the ");
      page.element("code", "href").say(" in the result. ").element("code", "PUT HREF/lease");
      page.say(" renews it before it expires, ").element("code", "DELETE HREF");
      page.say(" releases it.").close("p");
    }
    for (Operation operation : permitted(contract, permission)) {
      page.open("h3").element("code", signature(operation)).close("h3");
      if (!operation.faults().isEmpty()) {
        page.element(
            "p",
            "Fails with "
                + operation.faults().stream().map(Shape::label).collect(Collectors.joining(", "))
                + ".");
      }
      page.paste(Examples.curl(place, operation));
      TryIt.form(operation, published, page);
    }
  }

  private void others(Contract contract, String address, CallPermission permission, Html page) {
    List<Operation> operations = permitted(contract, permission);
    if (operations.isEmpty()) {
      return;
    }
    Operation shown =
        operations.stream()
            .filter(operation -> !operation.parameters().isEmpty())
            .findFirst()
            .orElse(operations.get(0));
    page.element("h2", shown.name() + (wsdl ? " by SOAP, and" : "") + " in other languages");
    for (Examples.Example example : Examples.others(address, contract, shown, wsdl)) {
      page.element("h3", example.language()).paste(example.text());
    }
  }

  private static void refusals(Publication publication, Html page) {
    if (publication.contracts().stream().allMatch(c -> c.refusals().isEmpty())) {
      return;
    }
    page.element("h2", "Methods and properties that web services do not offer")
        .open("table")
        .open("tr");
    page.element("th", "what").element("th", "why").element("th", "remedy").close("tr");
    for (Contract contract : publication.contracts()) {
      for (Refusal refusal : contract.refusals()) {
        page.open("tr").open("td").element("code", contract.name() + "." + refusal.subject());
        page.close("td").element("td", refusal.reason()).element("td", refusal.remedy());
        page.close("tr");
      }
    }
    page.close("table");
  }

  private static String signature(Operation operation) {
    return operation.parameters().stream()
        .map(parameter -> parameter.name() + ": " + parameter.shape().label())
        .collect(
            Collectors.joining(
                ", ",
                operation.name() + "(",
                ")" + operation.result().map(result -> ": " + result.label()).orElse("")));
  }

  // ---- in JSON

  private ObjectNode json(PublishedObject object, Publication publication, String root) {
    String address = root + "/" + object.path();
    CallPermission permission = Services.permission(object);
    ObjectNode node = NODES.objectNode();
    node.put("path", object.path()).put("href", address);
    node.put("interface", object.entry().interfaceName());
    node.put("openapi", address + "/" + JsonService.DESCRIPTION);
    node.put("openapi30", address + "/" + JsonService.DESCRIPTION_30);
    if (wsdl) {
      node.put("wsdl", address + "?wsdl");
    }
    operations(publication.contract(), permission, node);
    ArrayNode references = node.putArray("references");
    publication.contracts().stream()
        .filter(contract -> contract.type() != publication.contract().type())
        .forEach(
            contract ->
                operations(
                    contract,
                    permission,
                    references
                        .addObject()
                        .put("name", contract.name())
                        .put("interface", contract.type().getName())));
    ArrayNode refusals = node.putArray("refusals");
    for (Contract contract : publication.contracts()) {
      for (Refusal refusal : contract.refusals()) {
        refusals
            .addObject()
            .put("what", contract.name() + "." + refusal.subject())
            .put("why", refusal.reason())
            .put("remedy", refusal.remedy());
      }
    }
    return node;
  }

  private static void operations(Contract contract, CallPermission permission, ObjectNode into) {
    ArrayNode operations = into.putArray("operations");
    for (Operation operation : permitted(contract, permission)) {
      ObjectNode node = operations.addObject().put("name", operation.name());
      ArrayNode parameters = node.putArray("parameters");
      operation.parameters().stream().map(Parameter::name).forEach(parameters::add);
    }
  }

  /** A handle, as a result shows it. */
  void handle(String href, Contract contract, Instant expires, Answer answer) throws IOException {
    send(
        NODES
            .objectNode()
            .put("href", href)
            .put("interface", contract.name())
            .put("expires", expires.toString()),
        answer);
  }

  private static List<Operation> permitted(Contract contract, CallPermission permission) {
    return contract.operations().stream()
        .filter(operation -> permission.permits(contract, operation))
        .toList();
  }

  /** Browsers ask for HTML among others; programs that want JSON do not ask for HTML. */
  private static boolean asksForJson(String accept) {
    String asked = accept == null ? "" : accept.toLowerCase(Locale.ROOT);
    return asked.contains("json") && !asked.contains("html");
  }

  private static void send(Html page, Answer answer) throws IOException {
    answer.header("Content-Security-Policy", Html.POLICY);
    answer.send(200, Html.TYPE, page.end());
  }

  private void send(ObjectNode node, Answer answer) throws IOException {
    answer.send(200, JSON, written(node));
  }

  private byte[] written(ObjectNode node) throws IOException {
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsBytes(node);
  }
}
