package io.rmigate.gateway.services.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.services.page.SoapSample.Address;
import java.time.MonthDay;
import java.time.Year;
import java.time.YearMonth;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Values as programs write them; that programs run with them is what ClientsIT shows. */
class LiteralsTest {
  private static Map<String, Object> sample() {
    Map<String, Object> sample = new LinkedHashMap<>();
    sample.put("text", "a \"b\" 'c' \\ <d>");
    sample.put("flag", true);
    sample.put("rows", List.of(Map.of("item", List.of(1, 2))));
    sample.put("bytes", new byte[] {0, 1, -1});
    sample.put("counter", new Address("the href"));
    sample.put("year", Year.of(2026));
    sample.put("month", YearMonth.of(2026, 11));
    sample.put("day", MonthDay.of(11, 21));
    return sample;
  }

  @Test
  void pythonHasTuplesAndBytes() {
    assertThat(Literals.python(sample()))
        .isEqualTo(
            "{\"text\": \"a \\\"b\\\" 'c' \\\\ <d>\", \"flag\": True, \"rows\": [{\"item\": [1, 2]}],"
                + " \"bytes\": b\"\\x00\\x01\\xff\", \"counter\": {\"Address\": \"the href\"},"
                + " \"year\": (2026, None), \"month\": (2026, 11, None), \"day\": (11, 21, None)}");
  }

  @Test
  void phpHasArrays() {
    assertThat(Literals.php(sample()))
        .isEqualTo(
            "['text' => 'a \"b\" \\'c\\' \\\\ <d>', 'flag' => true, 'rows' => [['item' => [1, 2]]],"
                + " 'bytes' => \"\\x00\\x01\\xff\", 'counter' => ['Address' => 'the href'],"
                + " 'year' => '2026', 'month' => '2026-11', 'day' => '--11-21']");
  }

  @Test
  void xmlRepeatsElementsAndEscapesTexts() {
    assertThat(Literals.xml(sample(), ""))
        .isEqualTo(
            """
            <text>a &quot;b&quot; &#39;c&#39; \\ &lt;d&gt;</text>
            <flag>true</flag>
            <rows>
              <item>1</item>
              <item>2</item>
            </rows>
            <bytes>AAH/</bytes>
            <counter><Address xmlns="http://www.w3.org/2005/08/addressing">the href</Address></counter>
            <year>2026</year>
            <month>2026-11</month>
            <day>--11-21</day>
            """);
  }
}
