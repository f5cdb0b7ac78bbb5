package io.rmigate.sample.value;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A bean with all other kinds of values in it. */
@SuppressWarnings("serial") // its collections are serializable
public class Shipment implements Serializable {
  private static final long serialVersionUID = 1L;

  private String number;
  private Vehicle vehicle;
  private final List<Load> loads = new ArrayList<>();
  private Set<String> marks = new TreeSet<>();
  private Map<String, Integer> seals = new TreeMap<>();
  private Money price;

  public String getNumber() {
    return number;
  }

  public void setNumber(String number) {
    this.number = number;
  }

  public Vehicle getVehicle() {
    return vehicle;
  }

  public void setVehicle(Vehicle vehicle) {
    this.vehicle = vehicle;
  }

  /** There is no setter: what makes one fills this list. */
  public List<Load> getLoads() {
    return loads;
  }

  public Set<String> getMarks() {
    return marks;
  }

  public void setMarks(Set<String> marks) {
    this.marks = marks;
  }

  public Map<String, Integer> getSeals() {
    return seals;
  }

  public void setSeals(Map<String, Integer> seals) {
    this.seals = seals;
  }

  public Money getPrice() {
    return price;
  }

  public void setPrice(Money price) {
    this.price = price;
  }
}
