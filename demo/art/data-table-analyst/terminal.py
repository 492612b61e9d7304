"""Reads the tool's coloured output on stdin and draws it in a terminal window (HTML on stdout).
   FORCE_COLOR=1 summarize-table ... | terminal.py 'the command' """
import html, re, sys
COLOUR = {"1": "font-weight:700;color:#f3f7f1", "2": "color:#8aa39a", "32": "color:#6fd1a3", "33": "color:#f4c64e", "36": "color:#8cc4f0"}
body, opened = [], False
for part in re.split(r"(\x1b\[\d+m)", sys.stdin.read().rstrip()):
    code = re.fullmatch(r"\x1b\[(\d+)m", part)
    if not code:
        body.append(html.escape(part))
    else:
        if opened: body.append("</span>"); opened = False
        if code[1] != "0": body.append(f'<span style="{COLOUR[code[1]]}">'); opened = True
print(f"""<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; width: 1280px; height: 720px; background: #d0e0d4; display: grid; place-items: center; }}
.w {{ width: 1200px; height: 672px; background: #12231f; border-radius: 16px; overflow: hidden; box-shadow: 0 24px 50px #0c1f1c44; }}
.t {{ height: 40px; background: #1b332d; display: flex; align-items: center; gap: 8px; padding-left: 18px; }}
.t i {{ width: 12px; height: 12px; border-radius: 50%; background: #35544c; }}
pre {{ margin: 0; padding: 16px 28px; font: 18px/25px "Noto Sans Mono", monospace; color: #cfdcd4; }}
</style><div class="w"><div class="t"><i></i><i></i><i></i></div><pre><span style="color:#6fd1a3">$</span> {html.escape(sys.argv[1])}
{"".join(body)}</pre></div>""")
