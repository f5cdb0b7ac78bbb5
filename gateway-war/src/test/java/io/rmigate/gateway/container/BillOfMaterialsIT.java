package io.rmigate.gateway.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rmigate.gateway.testing.BuiltArtefacts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/**
 * What the WAR and the client jar say of what is in them, against what is in them. Maven makes the
 * bills online only; what was built offline has none, and is not looked at outside of CI.
 */
class BillOfMaterialsIT {
  private static final String BILL = "META-INF/sbom/rmigate.cdx.json";

  @Test
  void everyBundledJarIsListedWithItsHashAndNothingElseIs() throws Exception {
    try (ZipFile war = new ZipFile(BuiltArtefacts.war().toFile())) {
      Map<String, String> bundled = new TreeMap<>();
      Enumeration<? extends ZipEntry> entries = war.entries();
      while (entries.hasMoreElements()) {
        ZipEntry entry = entries.nextElement();
        if (entry.getName().endsWith(".jar")) {
          String file = entry.getName().substring(entry.getName().lastIndexOf('/') + 1);
          assertThat(bundled.put(file, sha256(war, entry))).as(file).isNull();
        }
      }
      assertThat(bundled).hasSizeGreaterThan(50);
      Map<String, String> listed = new TreeMap<>();
      for (JsonNode component : bill(war).path("components")) {
        String file =
            component.path("name").asText() + "-" + component.path("version").asText() + ".jar";
        listed.put(file, sha256(component));
        assertThat(component.path("licenses")).as(file).isNotEmpty();
      }
      assertThat(listed).isEqualTo(bundled);
    }
  }

  @Test
  void theNoticeNamesEveryBundledJarOfOthersWithItsLicense() throws Exception {
    try (ZipFile war = new ZipFile(BuiltArtefacts.war().toFile())) {
      Set<String> listed = new TreeSet<>();
      for (JsonNode component : bill(war).path("components")) {
        if (!component.path("group").asText().equals("io.rmigate")) {
          listed.add(component.path("group").asText() + ":" + component.path("name").asText());
        }
      }
      Set<String> noticed = new TreeSet<>();
      text(war, "META-INF/NOTICE")
          .lines()
          .filter(line -> line.matches("[\\w.-]+:[\\w.-]+ +\\S.*"))
          .forEach(line -> noticed.add(line.substring(0, line.indexOf(' '))));
      assertThat(noticed).isEqualTo(listed);
    }
  }

  @Test
  void theClientJarHasItsLicenseAndAnEmptyBill() throws Exception {
    try (ZipFile client = new ZipFile(BuiltArtefacts.javaagent().toFile())) {
      assertThat(bill(client).path("metadata").path("component").path("name").asText())
          .isEqualTo("rmigate-client");
      assertThat(bill(client).path("components")).isEmpty();
    }
  }

  @Test
  void bothHaveTheTextsAndNothingThatDiffersFromBuildToBuild() throws Exception {
    for (Path artefact : new Path[] {BuiltArtefacts.war(), BuiltArtefacts.javaagent()}) {
      try (ZipFile zip = new ZipFile(artefact.toFile())) {
        assertThat(text(zip, "META-INF/LICENSE")).contains("Apache License", "Version 2.0");
        assertThat(text(zip, "META-INF/NOTICE")).startsWith("rmigate\n");
        assertThat(bill(zip).path("bomFormat").asText()).isEqualTo("CycloneDX");
        assertThat(bill(zip).has("serialNumber")).isFalse();
        assertThat(bill(zip).path("metadata").has("timestamp")).isFalse();
      }
    }
  }

  private static JsonNode bill(ZipFile zip) throws IOException {
    assumeTrue(
        zip.getEntry(BILL) != null || System.getenv("CI") != null, "built offline: no " + BILL);
    return new ObjectMapper().readTree(text(zip, BILL));
  }

  private static String text(ZipFile zip, String name) throws IOException {
    ZipEntry entry = zip.getEntry(name);
    assertThat(entry).as(name).isNotNull();
    try (InputStream content = zip.getInputStream(entry)) {
      return new String(content.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String sha256(ZipFile zip, ZipEntry entry)
      throws IOException, GeneralSecurityException {
    try (InputStream content = zip.getInputStream(entry)) {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(content.readAllBytes()));
    }
  }

  private static String sha256(JsonNode component) {
    for (JsonNode hash : component.path("hashes")) {
      if (hash.path("alg").asText().equals("SHA-256")) {
        return hash.path("content").asText();
      }
    }
    return "none";
  }
}
