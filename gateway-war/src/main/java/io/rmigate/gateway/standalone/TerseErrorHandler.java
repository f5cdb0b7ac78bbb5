package io.rmigate.gateway.standalone;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Error pages that name neither server, servlet, path nor exception. */
final class TerseErrorHandler extends ErrorHandler {

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    if (response.getStatus() == HttpStatus.BAD_REQUEST_400) {
      // What follows a head that cannot be read is no request, though Jetty would take it for one.
      response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
    }
    String reason = HttpStatus.getMessage(response.getStatus());
    ByteBuffer body = StandardCharsets.UTF_8.encode(reason + "\n");
    response.write(true, body, callback);
    return true;
  }
}
