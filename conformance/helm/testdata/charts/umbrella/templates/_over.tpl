{{ define "db.who" }}umbrella{{ end }}
