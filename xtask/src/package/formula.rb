class Hookbox < Formula
  desc "Hook engine for AI agents whose hooks are sandboxed WebAssembly components"
  homepage "URL"
  version "VERSION"
  license "Apache-2.0"

  SYSTEMS

  def install
    (lib/"hookbox").install "bin/hookbox-compiler"
    prefix.install "bin", "lib", "share"
  end

  def caveats
    <<~EOS
      Set it up with `hookbox init` and `hookbox install claude`.
      Run `hookbox uninstall --all` before you remove it: agents keep its path in their settings.
    EOS
  end

  test do
    ENV["HOME"] = testpath
    system bin/"hookbox", "init", "--yes"
    payload = '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf ~"}}'
    assert_match '"permissionDecision":"deny"', pipe_output("#{bin}/hookbox hook claude", payload, 0)
  end
end
