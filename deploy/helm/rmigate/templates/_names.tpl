{{- define "rmigate.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "rmigate.selector" -}}
app.kubernetes.io/name: rmigate
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "rmigate.labels" -}}
{{ include "rmigate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end -}}

{{/* rmigate.yaml: what the values say, with what only the chart knows. */}}
{{- define "rmigate.config" -}}
{{- $own := dict
    "listen" "0.0.0.0:8443"
    "tls" (dict "keystore" "gateway.p12" "password-file" "gateway.password")
    "state" "/var/lib/rmigate"
    "drain" (printf "%ds" (int .Values.drain))
-}}
{{- $config := mergeOverwrite (deepCopy .Values.config) $own -}}
{{- $config = mergeOverwrite $config (dict "grants" (dict "key-file" "grants.keys")) -}}
{{- if .Values.secrets.users -}}
{{- $config = mergeOverwrite $config (dict "logins" (dict "basic" (dict "users-file" "users"))) -}}
{{- end -}}
{{- if .Values.interfaces -}}
{{- $config = mergeOverwrite $config (dict "classes" (dict "interfaces" "/opt/rmigate/interfaces")) -}}
{{- end -}}
{{- if .Values.callbacks.enabled -}}
{{- if not .Values.callbacks.from -}}
{{- fail "callbacks.from is empty: name the servers that may call back" -}}
{{- end -}}
{{- $callbacks := dict
    "address" "127.0.0.1"
    "ports" (printf "%d-%d" (int .Values.callbacks.ports.first) (int .Values.callbacks.ports.last))
    "from" .Values.callbacks.from
    "allow" .Values.callbacks.allow
-}}
{{- $_ := set $config "callbacks" $callbacks -}}
{{- end -}}
{{- toYaml $config -}}
{{- end -}}
