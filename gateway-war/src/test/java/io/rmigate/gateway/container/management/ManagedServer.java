package io.rmigate.gateway.container.management;

import io.rmigate.sample.JmxSample;
import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.modelmbean.DescriptorSupport;
import javax.management.modelmbean.ModelMBeanAttributeInfo;
import javax.management.modelmbean.ModelMBeanConstructorInfo;
import javax.management.modelmbean.ModelMBeanInfoSupport;
import javax.management.modelmbean.ModelMBeanNotificationInfo;
import javax.management.modelmbean.ModelMBeanOperationInfo;
import javax.management.modelmbean.RequiredModelMBean;

/** A {@link JmxSample} with an MBean that refuses, and a model MBean, as Spring makes them. */
final class ManagedServer {
  static final String REFUSALS = "io.rmigate:type=Refusals";
  static final String MODEL = "io.rmigate:type=Model";

  private ManagedServer() {}

  public static void main(String[] args) throws Exception {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    Refusals refusals = new Refusals();
    beans.registerMBean(refusals, new ObjectName(REFUSALS));
    beans.registerMBean(model(refusals), new ObjectName(MODEL));
    JmxSample.main(args);
  }

  private static RequiredModelMBean model(Refusals refusals) throws Exception {
    RequiredModelMBean model = new RequiredModelMBean(info());
    model.setManagedResource(refusals, "ObjectReference");
    return model;
  }

  private static ModelMBeanInfoSupport info() throws Exception {
    return new ModelMBeanInfoSupport(
        Refusals.class.getName(),
        "as Spring makes them",
        new ModelMBeanAttributeInfo[] {
          new ModelMBeanAttributeInfo(
              "Count",
              "int",
              "a counter",
              true,
              true,
              false,
              new DescriptorSupport(
                  "name=Count",
                  "descriptorType=attribute",
                  "getMethod=getCount",
                  "setMethod=setCount"))
        },
        new ModelMBeanConstructorInfo[] {
          new ModelMBeanConstructorInfo("all of them", Refusals.class.getConstructors()[0])
        },
        new ModelMBeanOperationInfo[] {
          new ModelMBeanOperationInfo(
              "getCount",
              "reads the counter",
              null,
              "int",
              ModelMBeanOperationInfo.INFO,
              new DescriptorSupport("name=getCount", "descriptorType=operation", "role=getter")),
          new ModelMBeanOperationInfo(
              "changes the counter", Refusals.class.getMethod("setCount", int.class))
        },
        new ModelMBeanNotificationInfo[] {
          new ModelMBeanNotificationInfo(new String[] {"count"}, "Count", "the counter changes")
        });
  }
}
