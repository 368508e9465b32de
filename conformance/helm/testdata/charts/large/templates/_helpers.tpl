{{- define "large.spec" -}}
{{- $d := deepCopy .root.Values.defaults -}}
{{- $s := index .root.Values.services .name -}}
{{- mergeOverwrite $d $s | toYaml -}}
{{- end -}}
{{- define "large.labels" -}}
app: {{ .name }}
release: {{ .root.Release.Name | quote }}
{{- range $k, $v := .root.Values.defaults.labels }}
{{ $k }}: {{ $v | quote }}
{{- end }}
{{- end -}}
