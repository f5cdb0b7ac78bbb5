package io.rmigate.perf.gatling;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.prefs.AbstractPreferences;
import java.util.prefs.Preferences;
import java.util.prefs.PreferencesFactory;

/**
 * Preferences that are nowhere but in memory, and in which Gatling finds that it has asked for its
 * latest release and that it is no newer: so it neither asks Maven Central nor leaves anything in
 * the user's home. (Its class LatestGatlingRelease has no switch.)
 */
public final class QuietPreferences extends AbstractPreferences {
  /** Factory for the JDK's system property {@code java.util.prefs.PreferencesFactory}. */
  public static final class Factory implements PreferencesFactory {
    private static final Preferences ROOT = new QuietPreferences(null, "");

    @Override
    public Preferences systemRoot() {
      return ROOT;
    }

    @Override
    public Preferences userRoot() {
      return ROOT;
    }
  }

  private final Map<String, String> values = new ConcurrentHashMap<>();
  private final Map<String, QuietPreferences> children = new ConcurrentHashMap<>();

  private QuietPreferences(AbstractPreferences parent, String name) {
    super(parent, name);
    if (name.equals("latestVersion")) {
      values.put("lastCheckTimestamp", Long.toString(System.currentTimeMillis()));
      values.put("lastCheckSuccess", "true");
      values.put("latestReleaseNumber", "0");
      values.put("latestReleaseDate", Instant.EPOCH.toString());
    }
  }

  @Override
  protected void putSpi(String key, String value) {
    values.put(key, value);
  }

  @Override
  protected String getSpi(String key) {
    return values.get(key);
  }

  @Override
  protected void removeSpi(String key) {
    values.remove(key);
  }

  @Override
  protected void removeNodeSpi() {
    values.clear();
  }

  @Override
  protected String[] keysSpi() {
    return values.keySet().toArray(String[]::new);
  }

  @Override
  protected String[] childrenNamesSpi() {
    return children.keySet().toArray(String[]::new);
  }

  @Override
  protected AbstractPreferences childSpi(String name) {
    return children.computeIfAbsent(name, key -> new QuietPreferences(this, key));
  }

  @Override
  protected void syncSpi() {
    // There is nothing behind it.
  }

  @Override
  protected void flushSpi() {
    // There is nothing to flush.
  }
}
