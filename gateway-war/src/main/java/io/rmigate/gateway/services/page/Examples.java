package io.rmigate.gateway.services.page;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rmigate.soap.json.JsonSample;
import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.xml.WsdlDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Commands and programs to paste that call an operation; the values are made up. */
public final class Examples {
  private static final String USER = "alice";
  private static final String PASSWORD = "password";

  /** Keywords of Python that are valid names in Java. */
  private static final Set<String> PYTHON_KEYWORDS =
      Set.of(
          "False",
          "None",
          "True",
          "and",
          "as",
          "async",
          "await",
          "def",
          "del",
          "elif",
          "except",
          "from",
          "global",
          "in",
          "is",
          "lambda",
          "nonlocal",
          "not",
          "or",
          "pass",
          "raise",
          "with",
          "yield");

  /**
   * A text to paste.
   *
   * @param language for people
   */
  public record Example(String language, String text) {}

  private Examples() {}

  /** A command for a POSIX shell. */
  public static String curl(String address, Operation operation) {
    StringBuilder command = new StringBuilder("curl -u " + USER);
    if (operation.parameters().isEmpty()) {
      command.append(" -X POST");
    } else {
      command
          .append(" -H 'Content-Type: application/json' \\\n  -d ")
          .append(shell(JsonSample.of(operation).toString()))
          .append(" \\\n ");
    }
    return command.append(' ').append(shell(address + "/" + operation.name())).toString();
  }

  private static String curlSoap(String address, Contract contract, Operation operation) {
    String envelope =
        """
        <e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/">
          <e:Body>
            <t:%1$s xmlns:t="%2$s">
        %3$s    </t:%1$s>
          </e:Body>
        </e:Envelope>\
        """
            .formatted(
                operation.name(),
                WsdlDocument.namespace(contract),
                Literals.xml(SoapSample.of(operation), "      "));
    return """
    curl -u %s -H 'Content-Type: text/xml; charset=utf-8' -H 'SOAPAction: ""' \\
      -d %s \\
      %s\
    """
        .formatted(USER, shell(envelope), shell(address));
  }

  private static String shell(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  /**
   * Examples in other languages.
   *
   * @param wsdl whether there is one
   */
  public static List<Example> others(
      String address, Contract contract, Operation operation, boolean wsdl) {
    List<Example> examples = new ArrayList<>();
    if (wsdl) {
      examples.add(new Example("curl, SOAP", curlSoap(address, contract, operation)));
      examples.add(new Example("Python, zeep", zeep(address, operation)));
    }
    examples.add(new Example("Python, standard library", python(address, operation)));
    examples.add(new Example("C#", csharp(address, operation)));
    examples.add(
        wsdl
            ? new Example("PHP, SoapClient", phpSoap(address, operation))
            : new Example("PHP", php(address, operation)));
    return examples;
  }

  private static String zeep(String address, Operation operation) {
    Map<String, Object> sample = SoapSample.of(operation);
    String arguments =
        sample.keySet().stream().anyMatch(PYTHON_KEYWORDS::contains)
            ? "**" + Literals.python(sample)
            : sample.entrySet().stream()
                .map(argument -> argument.getKey() + "=" + Literals.python(argument.getValue()))
                .collect(Collectors.joining(", "));
    return """
    # pip install zeep
    from requests import Session
    from requests.auth import HTTPBasicAuth
    from zeep import Client
    from zeep.transports import Transport

    session = Session()
    session.auth = HTTPBasicAuth("%s", "%s")
    client = Client("%s?wsdl", transport=Transport(session=session))
    print(client.service.%s(%s))
    """
        .formatted(USER, PASSWORD, address, operation.name(), arguments);
  }

  private static String python(String address, Operation operation) {
    return """
    import base64, json, urllib.request

    login = base64.b64encode(b"%s:%s").decode()
    request = urllib.request.Request(
        "%s/%s",
        data=json.dumps(json.loads(r'''%s''')).encode(),
        headers={"Content-Type": "application/json", "Authorization": "Basic " + login})
    with urllib.request.urlopen(request) as answer:
        print(answer.read().decode())
    """
        .formatted(USER, PASSWORD, address, operation.name(), JsonSample.of(operation));
  }

  private static String csharp(String address, Operation operation) {
    return """
    using System;
    using System.Net.Http;
    using System.Net.Http.Headers;
    using System.Text;

    class Example
    {
        static void Main()
        {
            var http = new HttpClient();
            http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue(
                "Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes("%s:%s")));
            var answer = http.PostAsync(
                "%s/%s",
                new StringContent(@"%s", Encoding.UTF8, "application/json")).Result;
            Console.WriteLine(answer.Content.ReadAsStringAsync().Result);
        }
    }
    """
        .formatted(
            USER,
            PASSWORD,
            address,
            operation.name(),
            JsonSample.of(operation).toString().replace("\"", "\"\""));
  }

  private static String phpSoap(String address, Operation operation) {
    return """
    <?php
    $client = new SoapClient("%s?wsdl", ["login" => "%s", "password" => "%s"]);
    print_r($client->%s(%s));
    """
        .formatted(
            address, USER, PASSWORD, operation.name(), Literals.php(SoapSample.of(operation)));
  }

  private static String php(String address, Operation operation) {
    return """
    <?php
    echo file_get_contents("%s/%s", false, stream_context_create(["http" => [
        "method" => "POST",
        "header" => ["Content-Type: application/json",
            "Authorization: Basic " . base64_encode("%s:%s")],
        "content" => '%s']]));
    """
        .formatted(address, operation.name(), USER, PASSWORD, php(JsonSample.of(operation)));
  }

  private static String php(ObjectNode sample) {
    return sample.toString().replace("\\", "\\\\").replace("'", "\\'");
  }
}
