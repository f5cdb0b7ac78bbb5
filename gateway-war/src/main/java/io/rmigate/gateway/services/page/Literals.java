package io.rmigate.gateway.services.page;

import io.rmigate.gateway.services.page.SoapSample.Address;
import java.time.MonthDay;
import java.time.Year;
import java.time.YearMonth;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The values of a {@link SoapSample} as they are written in a program, or in XML. */
final class Literals {
  private static final String ADDRESSING = "http://www.w3.org/2005/08/addressing";

  private Literals() {}

  // ---- Python, as zeep takes them

  static String python(Object value) {
    if (value instanceof Map<?, ?> parts) {
      return parts.entrySet().stream()
          .map(part -> quoted(part.getKey(), "\"") + ": " + python(part.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    } else if (value instanceof List<?> elements) {
      return elements.stream().map(Literals::python).collect(Collectors.joining(", ", "[", "]"));
    } else if (value instanceof Address address) {
      return python(Map.of("Address", address.text()));
    } else if (value instanceof byte[] bytes) {
      return "b\"" + hexadecimal(bytes) + "\"";
    } else if (value instanceof Boolean truth) {
      return truth ? "True" : "False";
    } else if (value instanceof Number) {
      return value.toString();
    } else if (value instanceof Year year) {
      return "(" + year.getValue() + ", None)";
    } else if (value instanceof YearMonth month) {
      return "(" + month.getYear() + ", " + month.getMonthValue() + ", None)";
    } else if (value instanceof MonthDay day) {
      return "(" + day.getMonthValue() + ", " + day.getDayOfMonth() + ", None)";
    }
    return quoted(value, "\"");
  }

  // ---- PHP

  static String php(Object value) {
    if (value instanceof Map<?, ?> parts) {
      return parts.entrySet().stream()
          .map(part -> quoted(part.getKey(), "'") + " => " + php(part.getValue()))
          .collect(Collectors.joining(", ", "[", "]"));
    } else if (value instanceof List<?> elements) {
      return elements.stream().map(Literals::php).collect(Collectors.joining(", ", "[", "]"));
    } else if (value instanceof Address address) {
      return php(Map.of("Address", address.text()));
    } else if (value instanceof byte[] bytes) {
      return "\"" + hexadecimal(bytes) + "\"";
    } else if (value instanceof Boolean || value instanceof Number) {
      return value.toString();
    }
    return quoted(value, "'");
  }

  private static String hexadecimal(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte one : bytes) {
      text.append("\\x%02x".formatted(one));
    }
    return text.toString();
  }

  /** A string of either language; what is in one of these is nothing that they read otherwise. */
  private static String quoted(Object value, String quote) {
    return quote + value.toString().replace("\\", "\\\\").replace(quote, "\\" + quote) + quote;
  }

  // ---- XML

  /** The elements of all parts, each on lines of its own. */
  static String xml(Map<String, Object> parts, String indent) {
    return parts.entrySet().stream()
        .map(part -> element(part.getKey(), part.getValue(), indent))
        .collect(Collectors.joining());
  }

  private static String element(String name, Object value, String indent) {
    if (value instanceof List<?> elements) {
      return elements.stream()
          .map(each -> element(name, each, indent))
          .collect(Collectors.joining());
    }
    String begin = indent + "<" + name + ">";
    String end = "</" + name + ">\n";
    if (value instanceof Map<?, ?> parts) {
      StringBuilder inside = new StringBuilder();
      parts.forEach((part, of) -> inside.append(element(part.toString(), of, indent + "  ")));
      return begin + "\n" + inside + indent + end;
    } else if (value instanceof Address address) {
      return begin
          + "<Address xmlns=\""
          + ADDRESSING
          + "\">"
          + Html.escaped(address.text())
          + "</Address>"
          + end;
    }
    String text =
        value instanceof byte[] bytes
            ? Base64.getEncoder().encodeToString(bytes)
            : Html.escaped(value.toString());
    return begin + text + end;
  }
}
