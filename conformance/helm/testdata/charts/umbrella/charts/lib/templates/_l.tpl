{{ define "lib.labels" }}{app: {{ .Chart.Name }}, release: "{{ .Release.Name }}"}{{ end }}
