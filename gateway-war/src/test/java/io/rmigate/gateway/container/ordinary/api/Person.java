package io.rmigate.gateway.container.ordinary.api;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;

/** A bean; customers extend it. */
@SuppressWarnings("serial")
public class Person implements Serializable {
  private String name;
  private Date born;
  private transient String cached = "cached";
  private List<Person> friends = new ArrayList<>();

  public String getName() {
    return name;
  }

  public void setName(String name) {
    this.name = name;
  }

  public Date getBorn() {
    return born;
  }

  public void setBorn(Date born) {
    this.born = born;
  }

  public List<Person> getFriends() {
    return friends;
  }

  public void setFriends(List<Person> friends) {
    this.friends = friends;
  }

  public String getCached() {
    return cached;
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + " " + name + " " + born + " " + cached;
  }
}
