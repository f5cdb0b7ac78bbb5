@echo off
rem Shows the gateway at work on this machine; see --help. The script quickstart does the same elsewhere.
setlocal
set "root=%~dp0."
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java"
"%java%" --describe-module jdk.compiler >nul 2>nul || (
  echo quickstart: "%java%" is missing or no JDK. A JDK 17 or later is needed: https://adoptium.net; set JAVA_HOME to its directory. >&2
  exit /b 1
)
"%java%" "-Dquickstart.root=%root%" "%root%\deploy\sample\src\quickstart\java\Quickstart.java" %*
