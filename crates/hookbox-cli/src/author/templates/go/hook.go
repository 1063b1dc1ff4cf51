// Files that no tool may write.
package main

import (
	"errors"
	"hookbox"
	"path"
	"slices"
)

func init() { hookbox.Register(judge) }

func main() {}

func judge(in hookbox.Input) (hookbox.Action, error) {
	files := []string{".env", "id_rsa"}
	if setting := in.Settings.Get("files"); setting.Exists() {
		given, ok := setting.Texts()
		if !ok {
			return hookbox.Action{}, errors.New("settings.files must be a list of strings")
		}
		files = given
	}
	// Tools name their file under one of these keys.
	for _, key := range []string{"file_path", "path"} {
		file, err := in.Text(key)
		if err != nil {
			return hookbox.Action{}, err
		}
		if name := path.Base(file); slices.Contains(files, name) {
			return hookbox.Deny("`" + name + "` is protected"), nil
		}
	}
	return hookbox.Allow(), nil
}
