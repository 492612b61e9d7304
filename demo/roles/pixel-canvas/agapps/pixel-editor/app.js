"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const KEY = "pixel-canvas/v1", MOST = 24;
  const TOOLS = [
    ["pencil", "Pencil", "b", "M5 19l1-4L16 5l3 3L9 18z"],
    ["eraser", "Eraser", "e", "M4 15l8-9 7 6-7 7H8zM8 11l7 6"],
    ["fill", "Fill", "g", "M11 4l8 8-7 7-8-8zM5 11h13M20 15c1 2 1 3 0 4"],
    ["line", "Line", "l", "M5 19L19 5"],
    ["rect", "Rectangle", "r", "M5 7h14v10H5z"],
    ["pick", "Pick colour", "i", "M14 6l4 4M5 19l1-4 8-8 3 3-8 8zM15 5l2-2 4 4-2 2"],
  ];

  // ---- drawings -----------------------------------------------------------
  const hex = (text) => text.split(" ").map((c) => "#" + c);
  const parseRows = (rows) => [...rows.replace(/\s+/g, "")].map((c) => c === "." ? -1 : parseInt(c, 16));
  const make = (size, name, colours, cells) => ({ id: Date.now().toString(36) + Math.random().toString(36).slice(2, 6), name, size, colours, cells: cells || new Array(size * size).fill(-1) });
  const starters = () => STARTERS.map((s) => { const cells = parseRows(s.rows); return make(Math.sqrt(cells.length), s.name, hex(PALETTES[s.palette]), cells); });
  const sound = (d) => d && d.size > 0 && Array.isArray(d.cells) && d.cells.length === d.size ** 2 && Array.isArray(d.colours) && d.colours.length === 16;
  const s = { drawings: [], current: "", tool: "pencil", colour: 12, grid: true, mirror: false };
  try { Object.assign(s, JSON.parse(localStorage.getItem(KEY)) || {}); } catch { /* no memory: draw anyway */ }
  s.drawings = s.drawings.filter(sound);
  if (!s.drawings.length) s.drawings = starters();
  let d = s.drawings.find((x) => x.id === s.current) || s.drawings[0];
  let later = 0;
  const save = () => { clearTimeout(later); later = setTimeout(flush, 250); };
  const flush = () => { clearTimeout(later); s.current = d.id; try { localStorage.setItem(KEY, JSON.stringify(s)); } catch { say("This browser does not keep drawings."); } };
  addEventListener("pagehide", flush);
  const say = (text) => { $("where").textContent = text || "\u00a0"; };

  // ---- history ------------------------------------------------------------
  let past = [], future = [];
  const snap = () => ({ size: d.size, cells: d.cells.slice(), colours: d.colours.slice() });
  const keep = () => { past.push(snap()); if (past.length > 120) past.shift(); future = []; };
  function step(from, to) {
    if (!from.length) return;
    to.push(snap()); Object.assign(d, from.pop()); all();
  }

  // ---- showing ------------------------------------------------------------
  const view = $("view"), ctx = view.getContext("2d");
  let cursor = null, anchor = null, ghost = null, keyed = false;
  function paintTo(c, drawing, scale) {
    c.canvas.width = c.canvas.height = drawing.size * scale;
    drawing.cells.forEach((v, i) => {
      if (v < 0) return;
      c.fillStyle = drawing.colours[v]; c.fillRect(i % drawing.size * scale, Math.floor(i / drawing.size) * scale, scale, scale);
    });
  }
  function draw() {
    const n = d.size, k = Math.max(4, Math.floor(1152 / n)), css = getComputedStyle(document.documentElement);
    const a = css.getPropertyValue("--check-a"), b = css.getPropertyValue("--check-b");
    view.width = view.height = n * k;
    const cells = ghost ? ghost : d.cells;
    for (let y = 0; y < n; y++) for (let x = 0; x < n; x++) {
      const v = cells[y * n + x];
      if (v < 0) {
        ctx.fillStyle = a; ctx.fillRect(x * k, y * k, k, k); ctx.fillStyle = b;
        ctx.fillRect(x * k, y * k, k / 2, k / 2); ctx.fillRect(x * k + k / 2, y * k + k / 2, k / 2, k / 2);
      } else { ctx.fillStyle = d.colours[v]; ctx.fillRect(x * k, y * k, k, k); }
    }
    if (s.grid) {
      ctx.fillStyle = css.getPropertyValue("--grid");
      for (let i = 1; i < n; i++) { const w = i % 8 ? 1 : 3; ctx.fillRect(i * k - w / 2, 0, w, n * k); ctx.fillRect(0, i * k - w / 2, n * k, w); }
    }
    if (s.mirror) { ctx.fillStyle = css.getPropertyValue("--accent"); ctx.fillRect(n * k / 2 - 2, 0, 4, n * k); }
    if (cursor && (keyed || anchor !== null)) {
      ctx.lineWidth = 6; ctx.strokeStyle = "#fff"; ctx.strokeRect(cursor.x * k + 3, cursor.y * k + 3, k - 6, k - 6);
      ctx.lineWidth = 3; ctx.strokeStyle = "#000"; ctx.strokeRect(cursor.x * k + 3, cursor.y * k + 3, k - 6, k - 6);
    }
  }
  const swatch = (i) => i < 0 ? "empty" : `colour ${i.toString(16)} ${d.colours[i]}`;
  function colours() {
    const had = $("swatches").contains(document.activeElement);
    $("swatches").innerHTML = d.colours.map((c, i) => `<button type="button" role="radio" data-c="${i}" aria-checked="${i === s.colour}" tabindex="${i === s.colour ? 0 : -1}" style="background:${c}" aria-label="Colour ${i.toString(16)}, ${c}" title="${i.toString(16)}  ${c}"></button>`).join("");
    if (had) $("swatches").children[s.colour].focus();
    $("mix").value = d.colours[s.colour]; $("mix-name").textContent = `Change colour ${s.colour.toString(16)}, ${d.colours[s.colour]}`;
    $("palette").innerHTML = Object.keys(PALETTES).map((p) => `<option>${p}</option>`).join("") + "<option>Own</option>";
    $("palette").value = Object.keys(PALETTES).find((p) => hex(PALETTES[p]).join() === d.colours.join()) || "Own";
  }
  function tools() {
    const had = $("tools").contains(document.activeElement);
    $("tools").innerHTML = TOOLS.map(([id, name, key, path]) => `<button type="button" role="radio" data-t="${id}" aria-checked="${id === s.tool}" tabindex="${id === s.tool ? 0 : -1}" aria-label="${name}" title="${name} (${key.toUpperCase()})"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg></button>`).join("");
    if (had) $("tools").querySelector("[aria-checked=true]").focus();
  }
  function shelf() {
    $("shelf").textContent = "";
    for (const x of s.drawings) {
      const box = document.createElement("div"), open = document.createElement("button"), c = document.createElement("canvas"), del = document.createElement("button");
      open.type = del.type = "button"; open.className = "open"; open.title = x.name; open.setAttribute("aria-label", `Open ${x.name}`); open.setAttribute("aria-current", String(x === d));
      paintTo(c.getContext("2d"), x, 2); open.append(c); open.onclick = () => go(x);
      del.className = "del"; del.textContent = "×"; del.setAttribute("aria-label", `Delete ${x.name}`);
      del.onclick = () => {
        if (!confirm(`Delete “${x.name}”?`)) return;
        s.drawings.splice(s.drawings.indexOf(x), 1);
        if (!s.drawings.length) s.drawings.push(make(16, "Untitled", hex(PALETTES.Harbour)));
        if (x === d) go(s.drawings[0]); else { save(); shelf(); }
      };
      box.append(open, del); $("shelf").append(box);
    }
  }
  function all() {
    draw(); colours(); shelf(); save();
    $("undo").disabled = !past.length; $("redo").disabled = !future.length;
    $("size").value = d.size; $("name").value = d.name; $("mirror").checked = s.mirror; $("grid").checked = s.grid;
  }
  function go(x) { d = x; past = []; future = []; cursor = anchor = ghost = null; all(); say(`${d.name}, ${d.size} by ${d.size}`); }

  // ---- drawing ------------------------------------------------------------
  const put = (cells, x, y, v) => {
    if (x < 0 || y < 0 || x >= d.size || y >= d.size) return;
    cells[y * d.size + x] = v;
    if (s.mirror) cells[y * d.size + d.size - 1 - x] = v;
  };
  function line(cells, a, b, v) {
    let { x, y } = a;
    const dx = Math.abs(b.x - x), dy = -Math.abs(b.y - y), sx = x < b.x ? 1 : -1, sy = y < b.y ? 1 : -1;
    for (let err = dx + dy; ;) {
      put(cells, x, y, v);
      if (x === b.x && y === b.y) return;
      const e2 = 2 * err;
      if (e2 >= dy) { err += dy; x += sx; }
      if (e2 <= dx) { err += dx; y += sy; }
    }
  }
  function rect(cells, a, b, v) {
    for (let x = Math.min(a.x, b.x); x <= Math.max(a.x, b.x); x++) { put(cells, x, a.y, v); put(cells, x, b.y, v); }
    for (let y = Math.min(a.y, b.y); y <= Math.max(a.y, b.y); y++) { put(cells, a.x, y, v); put(cells, b.x, y, v); }
  }
  function fill(p, v) {
    const n = d.size, from = d.cells[p.y * n + p.x], todo = [[p.x, p.y]];
    if (from === v) return;
    while (todo.length) {
      const [x, y] = todo.pop();
      if (x < 0 || y < 0 || x >= n || y >= n || d.cells[y * n + x] !== from) continue;
      d.cells[y * n + x] = v; todo.push([x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]);
    }
  }
  const shape = (b) => { ghost = d.cells.slice(); (s.tool === "line" ? line : rect)(ghost, anchor, b, s.colour); };
  function pick(p) {
    const v = d.cells[p.y * d.size + p.x];
    if (v >= 0) { s.colour = v; setTool("pencil"); colours(); say(`Picked ${swatch(v)}`); }
  }
  function setTool(t) { s.tool = t; anchor = ghost = null; tools(); draw(); save(); say(TOOLS.find((x) => x[0] === t)[1]); }

  let down = null;
  const at = (e) => { const r = view.getBoundingClientRect(), n = d.size; const c = (v) => Math.min(n - 1, Math.max(0, Math.floor(v * n))); return { x: c((e.clientX - r.left) / r.width), y: c((e.clientY - r.top) / r.height) }; };
  view.addEventListener("pointerdown", (e) => {
    if (e.button === 2) return;
    const p = at(e); keyed = false; cursor = p; view.setPointerCapture(e.pointerId);
    if (s.tool === "pick" || e.altKey) return pick(p);
    if (s.tool === "fill") { keep(); fill(p, s.colour); return all(); }
    keep(); down = p;
    if (s.tool === "line" || s.tool === "rect") { anchor = p; shape(p); }
    else put(d.cells, p.x, p.y, s.tool === "eraser" ? -1 : s.colour);
    draw();
  });
  view.addEventListener("pointermove", (e) => {
    const p = at(e);
    if (!down) { say(`${p.x + 1}, ${p.y + 1}  ${swatch(d.cells[p.y * d.size + p.x])}`); return; }
    if (anchor) shape(p); else line(d.cells, down, p, s.tool === "eraser" ? -1 : s.colour);
    down = p; draw();
  });
  const up = () => {
    if (!down) return;
    if (ghost) d.cells = ghost;
    down = anchor = ghost = null; all();
  };
  view.addEventListener("pointerup", up); view.addEventListener("pointercancel", up);

  view.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey) return;
    const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key], n = d.size;
    if (move) {
      e.preventDefault(); keyed = true;
      cursor = cursor ? { x: (cursor.x + move[0] + n) % n, y: (cursor.y + move[1] + n) % n } : { x: n >> 1, y: n >> 1 };
      if (anchor) shape(cursor);
      draw(); say(`${cursor.x + 1}, ${cursor.y + 1}  ${swatch(d.cells[cursor.y * n + cursor.x])}`);
    } else if (e.key === " " || e.key === "Enter") {
      e.preventDefault(); keyed = true; cursor ||= { x: n >> 1, y: n >> 1 };
      if (s.tool === "pick") return pick(cursor);
      if (s.tool === "line" || s.tool === "rect") {
        if (!anchor) { anchor = { ...cursor }; shape(cursor); draw(); say("Start set. Move and press Space again."); return; }
        keep(); d.cells = ghost; anchor = ghost = null; return all();
      }
      keep(); s.tool === "fill" ? fill(cursor, s.colour) : put(d.cells, cursor.x, cursor.y, s.tool === "eraser" ? -1 : s.colour); all();
      say(`Painted ${cursor.x + 1}, ${cursor.y + 1}`);
    } else if (e.key === "Escape" && anchor) { anchor = ghost = null; draw(); }
  });
  view.addEventListener("focus", () => { keyed = view.matches(":focus-visible"); if (keyed && !cursor) cursor = { x: d.size >> 1, y: d.size >> 1 }; draw(); });
  view.addEventListener("blur", () => { keyed = false; draw(); });

  document.addEventListener("keydown", (e) => {
    if ($("dialog").open || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) && e.target.type !== "checkbox") return;
    const key = e.key.toLowerCase();
    if ((e.ctrlKey || e.metaKey) && key === "z") { e.preventDefault(); e.shiftKey ? step(future, past) : step(past, future); return; }
    if ((e.ctrlKey || e.metaKey) && key === "y") { e.preventDefault(); step(future, past); return; }
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const tool = TOOLS.find((t) => t[2] === key);
    if (tool) setTool(tool[0]);
    else if (key === "m") { s.mirror = !s.mirror; all(); }
    else if (key === "[" || key === "]") { s.colour = (s.colour + (key === "]" ? 1 : 15)) % 16; colours(); save(); say(swatch(s.colour)); }
  });
  const arrows = (box, list, now, set) => box.addEventListener("keydown", (e) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (by) { e.preventDefault(); const i = list().indexOf(now()); set(list()[(i + by + list().length) % list().length]); }
  });
  arrows($("tools"), () => TOOLS.map((t) => t[0]), () => s.tool, setTool);
  arrows($("swatches"), () => [...Array(16).keys()], () => s.colour, (c) => { s.colour = c; colours(); save(); });
  $("tools").addEventListener("click", (e) => { const b = e.target.closest("[data-t]"); if (b) setTool(b.dataset.t); });
  $("swatches").addEventListener("click", (e) => { if (e.target.dataset.c) { s.colour = Number(e.target.dataset.c); if (s.tool === "eraser" || s.tool === "pick") setTool("pencil"); colours(); save(); } });

  // ---- panels -------------------------------------------------------------
  let mixing = false;
  $("mix").addEventListener("input", (e) => { if (!mixing) { keep(); mixing = true; } d.colours[s.colour] = e.target.value; draw(); save(); });
  $("mix").addEventListener("change", () => { mixing = false; all(); });
  $("palette").onchange = (e) => { if (PALETTES[e.target.value]) { keep(); d.colours = hex(PALETTES[e.target.value]); all(); } };
  $("size").onchange = (e) => {
    const n = Number(e.target.value), old = d.size, off = Math.trunc((n - old) / 2), cells = new Array(n * n).fill(-1);
    keep();
    for (let y = 0; y < old; y++) for (let x = 0; x < old; x++) { const X = x + off, Y = y + off; if (X >= 0 && Y >= 0 && X < n && Y < n) cells[Y * n + X] = d.cells[y * old + x]; }
    d.size = n; d.cells = cells; cursor = null; all();
  };
  $("mirror").onchange = (e) => { s.mirror = e.target.checked; all(); };
  $("grid").onchange = (e) => { s.grid = e.target.checked; all(); };
  for (const b of document.querySelectorAll("[data-move]")) b.onclick = () => {
    const n = d.size, how = b.dataset.move; keep();
    d.cells = d.cells.map((_, i) => {
      let x = i % n, y = Math.floor(i / n);
      if (how === "left") x = (x + 1) % n; else if (how === "right") x = (x + n - 1) % n; else if (how === "up") y = (y + 1) % n; else if (how === "down") y = (y + n - 1) % n; else x = n - 1 - x;
      return d.cells[y * n + x];
    });
    all();
  };
  $("clear").onclick = () => { keep(); d.cells.fill(-1); all(); };
  $("undo").onclick = () => step(past, future); $("redo").onclick = () => step(future, past);
  $("name").oninput = (e) => { d.name = e.target.value.trim() || "Untitled"; save(); };
  function add(x) { s.drawings.unshift(x); if (s.drawings.length > MOST) s.drawings.pop(); go(x); }
  $("new").onclick = () => { if (s.drawings.length >= MOST) return say(`The shelf holds ${MOST} drawings. Delete one first.`); add(make(d.size, "Untitled", d.colours.slice())); };
  $("png").onclick = () => {
    const c = document.createElement("canvas"); paintTo(c.getContext("2d"), d, Number($("scale").value));
    c.toBlob((blob) => {
      const a = document.createElement("a"); a.href = URL.createObjectURL(blob);
      a.download = (d.name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "drawing") + ".png"; a.click();
      setTimeout(() => URL.revokeObjectURL(a.href), 2000); say(`${a.download}, ${c.width} by ${c.height}`);
    });
  };

  // ---- as text ------------------------------------------------------------
  const toText = () => `pixel-canvas ${d.size} ${d.name}\ncolours ${d.colours.map((c) => c.slice(1)).join(" ")}\n` + Array.from({ length: d.size }, (_, y) => d.cells.slice(y * d.size, (y + 1) * d.size).map((v) => v < 0 ? "." : v.toString(16)).join("")).join("\n");
  function fromText(text) {
    const lines = text.trim().split(/\r?\n/).map((l) => l.trim()).filter((l) => l && !l.startsWith("```"));
    const head = /^pixel-canvas (\d+)\s*(.*)$/.exec(lines[0] || "");
    if (!head) throw new Error("The first line should read: pixel-canvas 16 Name");
    const size = Number(head[1]);
    if (![8, 16, 24, 32, 48].includes(size)) throw new Error("The size is one of 8, 16, 24, 32, 48.");
    let rows = lines.slice(1), own = d.colours.slice();
    if (/^colours /.test(rows[0] || "")) {
      own = rows[0].split(/\s+/).slice(1).map((c) => "#" + c.replace("#", "").toLowerCase()); rows = rows.slice(1);
      if (own.length !== 16 || own.some((c) => !/^#[0-9a-f]{6}$/.test(c))) throw new Error("The colours line needs sixteen six-digit colours.");
    }
    if (rows.length !== size) throw new Error(`There should be ${size} rows, and there are ${rows.length}.`);
    rows.forEach((r, i) => { if (!new RegExp(`^[0-9a-f.]{${size}}$`, "i").test(r)) throw new Error(`Row ${i + 1} should hold ${size} cells of . and 0 to f.`); });
    return make(size, (head[2] || "Untitled").slice(0, 40), own, parseRows(rows.join("")));
  }
  $("text").onclick = () => { $("area").value = toText(); $("error").textContent = ""; $("copy").textContent = "Copy"; $("dialog").showModal(); };
  $("copy").onclick = async () => {
    try { await navigator.clipboard.writeText($("area").value); } catch { $("area").select(); document.execCommand("copy"); }
    $("copy").textContent = "Copied";
  };
  $("take").onclick = () => { try { if (s.drawings.length >= MOST) throw new Error(`The shelf holds ${MOST} drawings. Delete one first.`); add(fromText($("area").value)); $("dialog").close(); } catch (e) { $("error").textContent = e.message; } };

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  tools(); all(); say(`${d.name}, ${d.size} by ${d.size}`);
})();
