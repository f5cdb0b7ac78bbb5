package io.rmigate.perf.services;

import com.sun.xml.ws.api.BindingID;
import com.sun.xml.ws.api.server.WSEndpoint;
import com.sun.xml.ws.transport.http.servlet.ServletAdapter;
import com.sun.xml.ws.transport.http.servlet.ServletAdapterList;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Hands its requests to Metro, as Metro's own servlet does it, but without a deployment file. */
final class MetroServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final String path;
  private transient ServletAdapter adapter;

  /**
   * @param path where it is mapped to
   */
  MetroServlet(String path) {
    this.path = path;
  }

  @Override
  public void init() {
    WSEndpoint<ConstantTester> endpoint =
        WSEndpoint.create(
            ConstantTester.class,
            true,
            null,
            null,
            null,
            null,
            BindingID.SOAP11_HTTP.createBinding(),
            null,
            null,
            null,
            true);
    adapter = new ServletAdapterList(getServletContext()).createAdapter("tester", path, endpoint);
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    adapter.handle(getServletContext(), request, response); // a GET for the WSDL, too
  }
}
