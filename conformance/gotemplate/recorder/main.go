// Records what Go's text/template with Masterminds/sprig makes of each line of cases.txt over data.json.
// Needs Go and a throw-away module that requires github.com/Masterminds/sprig/v3; see ../README.md.
package main

import (
	"bytes"
	"encoding/json"
	"os"
	"runtime"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

type entry struct {
	Template string `json:"template"`
	Output   string `json:"output,omitempty"`
	Error    string `json:"error,omitempty"`
}

func render(text string, data any) (out string, err error) {
	option := "missingkey=default"
	for _, name := range []string{"zero", "error"} {
		if strings.HasPrefix(text, "#"+name+"#") {
			option, text = "missingkey="+name, strings.TrimPrefix(text, "#"+name+"#")
		}
	}
	t, err := template.New("case").Option(option).Funcs(sprig.TxtFuncMap()).Parse(text)
	if err != nil {
		return "", err
	}
	var buffer bytes.Buffer
	err = t.Execute(&buffer, data)
	return buffer.String(), err
}

func main() {
	raw, _ := os.ReadFile("data.json")
	lines, _ := os.ReadFile("cases.txt")
	entries := []entry{}
	for _, line := range strings.Split(strings.TrimRight(string(lines), "\n"), "\n") {
		if line == "" || strings.HasPrefix(line, "##") {
			continue
		}
		var data any
		if err := json.Unmarshal(raw, &data); err != nil {
			panic(err)
		}
		out, err := render(strings.ReplaceAll(line, "⏎", "\n"), data)
		e := entry{Template: line, Output: out}
		if err != nil {
			e = entry{Template: line, Error: err.Error()}
		}
		entries = append(entries, e)
	}
	result := map[string]any{"tool": runtime.Version() + ", sprig v3.3.0", "entries": entries}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	encoder.Encode(result)
}
