package io.rmigate.gateway.services;

/** Meters of the web-service front. Called by threads of the container. */
public interface ServiceMeters {

  /**
   * A call was answered.
   *
   * @param path of a configured entry
   * @param contract the interface, as it is published
   * @param operation of it; {@code unknown} if there is none of that name
   * @param status of HTTP; 0 if the connection broke
   * @param nanos from the request's head to the answer's end
   */
  void serviceCall(String path, String contract, String operation, int status, long nanos);

  /** Something was refused before it could become a call; {@code reason} is of a closed set. */
  void refused(String reason);
}
