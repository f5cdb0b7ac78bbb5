# Sourced by the commands of this directory: what they share. No options of its own.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
java=java
if [ -n "${JAVA_HOME:-}" ]; then
  java=$JAVA_HOME/bin/java
fi

# Takes --help and --no-build out of the command line; the rest is in $arguments.
take_common_options() {
  build=true
  arguments=()
  local argument
  for argument in "$@"; do
    case $argument in
      --help | -h) usage; exit 0 ;;
      --no-build) build=false ;;
      *) arguments+=("$argument") ;;
    esac
  done
}

# Builds the modules $1 with the Maven options behind, offline if that is possible; nothing with --no-build.
build() {
  if $build; then
    local options=(-q -f "$root/pom.xml" package -Dquick -DskipITs -pl "$@")
    mvn -o "${options[@]}" >/dev/null 2>&1 || mvn "${options[@]}"
  fi
}

commit() {
  local commit
  commit=$(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)
  if [ -n "$(git -C "$root" status --porcelain 2>/dev/null)" ]; then
    commit="$commit with changes"
  fi
  echo "$commit"
}

# exec: what ends the script ends the program, and with it the JVMs that it has started.
run() {
  exec "$java" -cp "$root/perf/target/rmigate-perf.jar:$root/perf/target/lib/*" \
    "$@" \
    ${arguments[@]+"${arguments[@]}"}
}
