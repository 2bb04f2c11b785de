{{- define "pos.name" -}}
{{- printf "%s-%s" .root.Release.Name .app | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "pos.selector" -}}
app.kubernetes.io/name: {{ .app }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end -}}

{{- define "pos.labels" -}}
{{ include "pos.selector" . }}
app.kubernetes.io/part-of: pos
app.kubernetes.io/version: {{ include "pos.tag" . | trunc 63 | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 }}
{{- end -}}

{{- define "pos.tag" -}}
{{- $image := .values.image | default dict -}}
{{- $image.tag | default .root.Values.image.tag | default .root.Chart.AppVersion -}}
{{- end -}}

{{- define "pos.image" -}}
{{- $image := .values.image | default dict -}}
{{- $name := printf "%s/%s" .root.Values.image.repository .app -}}
{{- if $image.digest -}}{{ $name }}@{{ $image.digest }}{{- else -}}{{ $name }}:{{ include "pos.tag" . }}{{- end -}}
{{- end -}}

{{- /* Every enabled app as `app: { root, app, facts, values }`, in YAML without the root. */ -}}
{{- define "pos.apps" -}}
{{- $facts := .Files.Get "files/apps.yaml" | fromYaml -}}
{{- range $app, $own := .Values.apps -}}
{{- /* `merge` takes false for a value that is not set. */ -}}
{{- $enabled := true -}}
{{- if hasKey $own "enabled" -}}{{- $enabled = $own.enabled -}}{{- end -}}
{{- $values := merge (deepCopy $own) (dict "replicas" 2) -}}
{{- if $enabled }}
{{ $app }}:
  facts: {{ get $facts $app | toJson }}
  values: {{ $values | toJson }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* The Secret of an app's keys. */ -}}
{{- define "pos.secret" -}}
{{- .values.existingSecret | default .root.Values.existingSecret | required (printf "existingSecret, or apps.%s.existingSecret, must name the Secret of %s" .app .app) -}}
{{- end -}}

{{- /* The Secret of a certificate: the value with the app's name in place of {app}; empty without one. */ -}}
{{- define "pos.certificate" -}}
{{- if has .kind .facts.certificates -}}{{ get .root.Values.tls .kind | replace "{app}" .app }}{{- end -}}
{{- end -}}
