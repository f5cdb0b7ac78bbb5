package io.rmigate.gateway.login;

import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Fetches a JSON Web Key Set: bounded in time and size, and never redirected, because a redirect
 * would let another place supply the keys. Nor is a proxy asked, whatever the JVM is told of one
 * (THREATS T28).
 */
final class JwksDownload implements ResourceRetriever {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_BYTES = 256 * 1024;

  private final HttpClient client =
      HttpClient.newBuilder()
          .connectTimeout(TIMEOUT)
          .proxy(HttpClient.Builder.NO_PROXY)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  @Override
  public Resource retrieveResource(URL url) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url.toString())).timeout(TIMEOUT).GET().build();
    try {
      HttpResponse<InputStream> response =
          client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        if (response.statusCode() != 200) {
          throw new IOException(url + " answers " + response.statusCode());
        }
        byte[] content = body.readNBytes(MAX_BYTES + 1);
        if (content.length > MAX_BYTES) {
          throw new IOException(url + " answers with more than " + MAX_BYTES + " bytes");
        }
        return new Resource(new String(content, StandardCharsets.UTF_8), "application/json");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while asking " + url, e);
    }
  }
}
