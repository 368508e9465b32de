{{ define "bad" }}{{ .nope.deeper }}{{ end }}{{ define "rec" }}{{ include "rec" . }}{{ end }}
