{{ define "db.who" }}db{{ end }}{{ define "db.name" }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end }}
