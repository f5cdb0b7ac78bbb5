package io.rmigate.gateway.login;

import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Fetches a JSON Web Key Set, or the metadata of an issuer: bounded in time and size, and never
 * redirected, because a redirect would let another place supply the keys. It uses no proxy, even if
 * the JVM has one configured (THREATS T28).
 */
final class JwksDownload implements ResourceRetriever {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_BYTES = 256 * 1024;

  private final Duration timeout;
  private final HttpClient client;

  JwksDownload() {
    this(TIMEOUT);
  }

  /**
   * Makes no request yet.
   *
   * @param timeout for a whole answer
   */
  JwksDownload(Duration timeout) {
    this.timeout = timeout;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(timeout)
            .proxy(HttpClient.Builder.NO_PROXY)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  @Override
  public Resource retrieveResource(URL url) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url.toString())).timeout(timeout).GET().build();
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request, head -> new BoundedBody(MAX_BYTES));
    try {
      HttpResponse<byte[]> response = answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      if (response.statusCode() != 200) {
        throw new IOException(url + " answers " + response.statusCode());
      }
      String content = new String(response.body(), StandardCharsets.UTF_8);
      return new Resource(content, "application/json");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while asking " + url, e);
    } catch (TimeoutException e) {
      throw new IOException(url + " has not answered within " + timeout.toMillis() + " ms", e);
    } catch (ExecutionException e) {
      throw new IOException(url + ": " + e.getCause().getMessage(), e.getCause());
    } finally {
      answer.cancel(true);
    }
  }

  /** The time-out of a request ends with its head; a body may be longer, or come for ever. */
  private static final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {
    private final int most;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private Flow.Subscription subscription;

    BoundedBody(int most) {
      this.most = most;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
      return whole;
    }

    @Override
    public void onSubscribe(Flow.Subscription body) {
      subscription = body;
      body.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> pieces) {
      for (ByteBuffer piece : pieces) {
        if (content.size() + piece.remaining() > most) {
          subscription.cancel();
          whole.completeExceptionally(new IOException("answers with more than " + most + " bytes"));
          return;
        }
        byte[] bytes = new byte[piece.remaining()];
        piece.get(bytes);
        content.writeBytes(bytes);
      }
    }

    @Override
    public void onError(Throwable failure) {
      whole.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      whole.complete(content.toByteArray());
    }
  }
}
