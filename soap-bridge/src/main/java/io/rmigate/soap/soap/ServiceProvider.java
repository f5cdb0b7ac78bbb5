package io.rmigate.soap.soap;

import com.sun.xml.ws.api.message.Message;
import jakarta.xml.ws.Provider;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.ServiceMode;
import jakarta.xml.ws.WebServiceProvider;

/**
 * What Metro takes for the service: it wants a class that says so. No instance is ever made, since
 * {@link MetroEndpoint} hands each message to its own {@link SoapCall}.
 */
@WebServiceProvider
@ServiceMode(Service.Mode.MESSAGE)
final class ServiceProvider implements Provider<Message> {
  private ServiceProvider() {}

  @Override
  public Message invoke(Message request) {
    throw new AssertionError();
  }
}
