package io.rmigate.gateway.container.management;

import java.io.FilePermission;
import java.io.SerializablePermission;
import java.lang.management.ManagementPermission;
import java.lang.reflect.ReflectPermission;
import java.net.NetPermission;
import java.net.SocketPermission;
import java.net.URLPermission;
import java.nio.file.LinkPermission;
import java.security.AccessControlException;
import java.security.AllPermission;
import java.security.Permission;
import java.security.SecurityPermission;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PropertyPermission;
import java.util.logging.LoggingPermission;
import javax.management.MBeanPermission;
import javax.management.MBeanServerPermission;
import javax.management.MBeanTrustPermission;
import javax.management.remote.SubjectDelegationPermission;
import javax.security.auth.AuthPermission;

/** Knows a permission of each kind that the JDK asks for. */
@SuppressWarnings("removal") // old servers throw them
public final class Refusals implements RefusalsMBean {
  private final Map<String, Permission> permissions = new LinkedHashMap<>();
  private int count = 3;

  /** With all of them. */
  public Refusals() {
    for (Permission permission :
        List.of(
            new AllPermission(),
            new AuthPermission("doAs"),
            new FilePermission("/srv/orders", "read"),
            new LinkPermission("symbolic"),
            new LoggingPermission("control", null),
            new MBeanPermission("com.acme.Shop#-[com.acme:type=Shop]", "getAttribute"),
            new MBeanServerPermission("createMBeanServer"),
            new MBeanTrustPermission("register"),
            new ManagementPermission("monitor"),
            new NetPermission("getProxySelector"),
            new PropertyPermission("user.home", "read"),
            new ReflectPermission("suppressAccessChecks"),
            new RuntimePermission("exitVM"),
            new SecurityPermission("getPolicy"),
            new SerializablePermission("enableSubstitution"),
            new SocketPermission("127.0.0.1:1099", "connect,resolve"),
            new SubjectDelegationPermission("javax.management.remote.JMXPrincipal.ann"),
            new URLPermission("http://inside.example/orders", "GET:*"))) {
      permissions.put(permission.getClass().getSimpleName(), permission);
    }
  }

  @Override
  public int getCount() {
    return count;
  }

  @Override
  public void setCount(int count) {
    this.count = count;
  }

  @Override
  public Map<String, String> getPermissions() {
    Map<String, String> names = new LinkedHashMap<>();
    permissions.forEach((name, permission) -> names.put(name, permission.toString()));
    return names;
  }

  @Override
  public void refuse(String permission) {
    Permission refused = permissions.get(permission);
    throw new AccessControlException("access denied " + refused, refused);
  }
}
