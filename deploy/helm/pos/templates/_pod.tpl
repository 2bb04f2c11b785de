{{- define "pos.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "pos.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{- /* A volume with one file for each key of a Secret. */ -}}
{{- define "pos.secretVolume" -}}
name: secrets
secret:
  secretName: {{ .secret }}
  defaultMode: 0440
  items:
    {{- range .keys }}
    - { key: {{ . }}, path: {{ . }} }
    {{- end }}
{{- end -}}

{{- define "pos.env" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "pos.ports" -}}
{{- range $name := list "http" "grpc" "internal" }}
{{- with get $.facts $name }}
- { name: {{ $name }}, containerPort: {{ . }} }
{{- end }}
{{- end }}
- { name: health, containerPort: 9464 }
{{- end -}}

{{- /* Kubernetes' probes of gRPC have no TLS: a gateway with a certificate of its own is probed over its health port. */ -}}
{{- define "pos.probes" -}}
startupProbe:
  httpGet: { path: /health/ready, port: health }
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 150
livenessProbe:
  httpGet: { path: /health/live, port: health }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
{{- if and .facts.grpc (not .root.Values.tls.grpc) }}
  grpc: { port: {{ .facts.grpc }} }
{{- else }}
  httpGet: { path: /health/ready, port: health }
{{- end }}
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 2
{{- end -}}

{{- define "pos.volumes" -}}
{{- $own := . -}}
{{- $secrets := concat .facts.secrets (.values.secrets | default list) | uniq -}}
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- if $secrets }}
- {{ include "pos.secretVolume" (dict "secret" (include "pos.secret" .) "keys" $secrets) | indent 2 | trim }}
{{- end }}
{{- range $kind := list "http" "grpc" "internal" }}
{{- with include "pos.certificate" (merge (dict "kind" $kind) $own) }}
- name: {{ $kind }}-certificate
  secret: { secretName: {{ . }}, defaultMode: 0440 }
{{- end }}
{{- end }}
{{- range .values.mounts }}
- name: mount-{{ .name }}
  {{- if .secret }}
  secret: { secretName: {{ .secret }}, defaultMode: 0440 }
  {{- else }}
  configMap: { name: {{ .configMap }} }
  {{- end }}
{{- end }}
{{- end -}}

{{- define "pos.volumeMounts" -}}
{{- $own := . -}}
- { name: tmp, mountPath: /tmp }
{{- if concat .facts.secrets (.values.secrets | default list) }}
- { name: secrets, mountPath: /run/pos/secrets, readOnly: true }
{{- end }}
{{- range $kind := list "http" "grpc" "internal" }}
{{- if include "pos.certificate" (merge (dict "kind" $kind) $own) }}
- { name: {{ $kind }}-certificate, mountPath: /run/pos/{{ $kind }}, readOnly: true }
{{- end }}
{{- end }}
{{- range .values.mounts }}
- { name: mount-{{ .name }}, mountPath: /run/pos/mounts/{{ .name }}, readOnly: true }
{{- end }}
{{- end -}}
