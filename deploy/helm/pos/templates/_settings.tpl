{{- /*
The settings of an app as a map of texts: those of the chart, then the common ones that the app has, then its own. An app
in another release is named by a setting of the operator.
*/ -}}
{{- define "pos.settings" -}}
{{- $root := .root -}}
{{- $names := get ($root.Files.Get "files/settings.yaml" | fromYaml) .app -}}
{{- $enabled := include "pos.apps" $root | fromYaml -}}
{{- $settings := dict "HOST" $root.Values.listenAddress "HEALTH_HOST" $root.Values.listenAddress "HEALTH_PORT" "9464" -}}
{{- if .facts.internal -}}{{- $_ := set $settings "INTERNAL_HOST" $root.Values.listenAddress -}}{{- end -}}
{{- if hasKey $enabled "card-vault" -}}
{{- $_ := set $settings "CARD_VAULT_ADDRESS" (printf "%s-internal:50053" (include "pos.name" (dict "root" $root "app" "card-vault"))) -}}
{{- end -}}
{{- if hasKey $enabled "pay-at-table-gateway" -}}
{{- $_ := set $settings "GATEWAY_INTERNAL_ADDRESSES" (printf "%s-internal:50054" (include "pos.name" (dict "root" $root "app" "pay-at-table-gateway"))) -}}
{{- end -}}
{{- $own := . -}}
{{- range $kind := list "http" "grpc" "internal" -}}
{{- if include "pos.certificate" (merge (dict "kind" $kind) $own) -}}
{{- $prefix := printf "%s_TLS" (upper $kind) -}}
{{- $_ := set $settings (printf "%s_CERT" $prefix) (printf "/run/pos/%s/tls.crt" $kind) -}}
{{- $_ := set $settings (printf "%s_KEY" $prefix) (printf "/run/pos/%s/tls.key" $kind) -}}
{{- if or (eq $kind "internal") (and (eq $kind "grpc") $root.Values.tls.grpcClients) -}}
{{- $_ := set $settings (printf "%s_CA" $prefix) (printf "/run/pos/%s/ca.crt" $kind) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $secret := concat .facts.secrets (.values.secrets | default list) | uniq -}}
{{- $_ := set $settings (printf "%s_FILE" $secret) (printf "/run/pos/secrets/%s" $secret) -}}
{{- end -}}
{{- $known := dict -}}
{{- range $name, $value := $settings -}}
{{- if or (has $name $names) (hasSuffix "_FILE" $name) -}}{{- $_ := set $known $name $value -}}{{- end -}}
{{- end -}}
{{- range $name, $value := $root.Values.settings -}}
{{- if has $name $names -}}{{- $_ := set $known $name $value -}}{{- end -}}
{{- end -}}
{{- range $name, $value := .values.settings | default dict -}}{{- $_ := set $known $name $value -}}{{- end -}}
{{- toJson $known -}}
{{- end -}}
