"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const KEY = "chord-ear-trainer/v1", ROUND = 10, LOW = 48, HIGH = 84;
  const WAYS = { up: "Up", down: "Down", together: "Together" };
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const s = { kind: "intervals", level: 0, way: { intervals: "up", chords: "together" }, volume: .7, tally: {}, rounds: [] };
  try { Object.assign(s, JSON.parse(localStorage.getItem(KEY)) || {}); } catch { /* plays without memory */ }
  if (!KINDS[s.kind]) s.kind = "intervals";
  const save = () => { try { localStorage.setItem(KEY, JSON.stringify(s)); } catch { /* as above */ } };
  const say = (text) => { $("live").textContent = text; };
  const kind = () => KINDS[s.kind];
  const item = (id) => kind().items.find((i) => i[0] === id);
  const asked = () => kind().levels[s.level].split(" ");
  const tally = (id, k = s.kind) => (s.tally[`${k}/${id}`] ||= { ok: 0, all: 0, mixed: {} });

  // ---- sound --------------------------------------------------------------
  let ac, out;
  function wake() {
    if (!ac) {
      ac = new AudioContext(); out = ac.createGain();
      const soft = ac.createDynamicsCompressor(); out.connect(soft).connect(ac.destination);
    }
    if (ac.state === "suspended") ac.resume();
    out.gain.value = s.volume * .5;
  }
  // A plucked, slightly wooden tone: five partials that fade faster the higher they are.
  function tone(midi, at, len) {
    const f = 440 * 2 ** ((midi - 69) / 12), t = ac.currentTime + at;
    [1, .42, .2, .1, .05].forEach((gain, i) => {
      const o = ac.createOscillator(), g = ac.createGain();
      o.type = i ? "sine" : "triangle"; o.frequency.value = f * (i + 1) * (1 + i * i * .0002);
      g.gain.setValueAtTime(0, t); g.gain.linearRampToValueAtTime(gain * .34, t + .012);
      g.gain.exponentialRampToValueAtTime(.0004, t + len / (1 + i * .55));
      o.connect(g).connect(out); o.start(t); o.stop(t + len + .05);
    });
  }
  let voices = [];
  function sound(notes, way) {
    try { wake(); } catch { say("This browser cannot play sound."); return; }
    const order = way === "down" ? [...notes].reverse() : notes, gap = way === "together" ? 0 : notes.length > 2 ? .42 : .62;
    const now = performance.now() / 1000;
    voices = order.map((n, i) => ({ n, at: now + i * gap, len: 2.2 }));
    order.forEach((n, i) => tone(n, .03 + i * gap, 2.2));
    if (way !== "together" && notes.length > 2) order.forEach((n) => { tone(n, .1 + order.length * gap, 2.2); });
    animate();
  }

  // ---- strings ------------------------------------------------------------
  const cv = $("strings"), cx = cv.getContext("2d");
  let frame = 0;
  function animate() { cancelAnimationFrame(frame); drawStrings(); }
  function drawStrings() {
    const r = cv.getBoundingClientRect(), dpr = devicePixelRatio || 1, w = r.width, h = r.height;
    if (cv.width !== Math.round(w * dpr)) { cv.width = Math.round(w * dpr); cv.height = Math.round(h * dpr); }
    cx.setTransform(dpr, 0, 0, dpr, 0, 0); cx.clearRect(0, 0, w, h);
    const css = getComputedStyle(document.documentElement), now = performance.now() / 1000;
    const count = q ? q.notes.length : s.kind === "chords" ? 3 : 2, order = voices.map((v) => v.n).sort((a, b) => b - a);
    let moving = false;
    for (let i = 0; i < count; i++) {
      const y = h * .5 + (i - (count - 1) / 2) * Math.min(36, h * .34 / count) + 6, v = voices.find((x) => x.n === order[i]);
      const age = v ? now - v.at : -1;
      if (v && age < v.len) moving = true;
      const amp = v && age > 0 && !still.matches ? h * .05 * Math.exp(-age * 1.7) : 0;
      cx.strokeStyle = css.getPropertyValue(`--s${i % 4}`); cx.lineWidth = 2.2 + i * .5; cx.globalAlpha = v && age > 0 && age < v.len ? 1 : .5;
      // All strings swing alike: the picture must not give the answer away.
      for (const side of amp > .3 ? [1, -1] : [1]) {
        cx.beginPath();
        for (let x = 0; x <= w; x += 4) { const p = x / w; cx.lineTo(x, y + side * Math.sin(p * Math.PI) * Math.sin(p * Math.PI * 5) * amp * Math.cos(age * 38)); }
        cx.stroke();
      }
      if (q && q.done && v) { cx.globalAlpha = 1; cx.fillStyle = cx.strokeStyle; cx.font = "600 15px 'Noto Sans', system-ui, sans-serif"; cx.textAlign = "right"; cx.fillText(noteName(order[i]), w - 24, y - 7); }
    }
    cx.globalAlpha = 1;
    if (moving) frame = requestAnimationFrame(drawStrings);
  }
  addEventListener("resize", drawStrings);

  // ---- piano --------------------------------------------------------------
  const black = new Set([1, 3, 6, 8, 10]);
  function piano(lit = []) {
    const whites = []; for (let m = LOW; m <= HIGH; m++) if (!black.has(m % 12)) whites.push(m);
    const w = 1050 / whites.length; let a = "", b = "";
    whites.forEach((m, i) => {
      const on = lit.includes(m);
      a += `<rect class="w${on ? " on" : ""}" data-n="${m}" x="${i * w + 1}" y="1" width="${w - 2}" height="148" rx="6"/>`;
      if (on) a += `<text x="${i * w + w / 2}" y="134">${noteName(m)}</text>`;
      const m2 = m + 1;
      if (black.has(m2 % 12) && m2 <= HIGH) { const o2 = lit.includes(m2); b += `<rect class="b${o2 ? " on" : ""}" data-n="${m2}" x="${(i + 1) * w - w * .3}" y="1" width="${w * .6}" height="92" rx="4"/>`; if (o2) b += `<text x="${(i + 1) * w}" y="82" style="font-size:11px">${noteName(m2)}</text>`; }
    });
    $("piano").innerHTML = a + b;
  }
  $("piano").addEventListener("pointerdown", (e) => { const n = e.target.dataset && e.target.dataset.n; if (n) { sound([Number(n)], "together"); say(noteName(Number(n))); } });

  // ---- the round ----------------------------------------------------------
  let q = null, round = null;
  function fresh() { round = { n: 0, ok: 0, streak: 0, slips: [] }; q = null; voices = []; show(); }
  function ask() {
    if (!round || round.n >= ROUND) fresh();
    // Items that were missed lately come more often.
    const pool = asked().map((id) => { const t = tally(id); return [id, 1 + 2.5 * (1 - (t.ok + 1) / (t.all + 2)) - (q && q.id === id ? .6 : 0)]; });
    let pickAt = Math.random() * pool.reduce((n, p) => n + p[1], 0), id = pool[0][0];
    for (const [x, weight] of pool) { if ((pickAt -= weight) <= 0) { id = x; break; } }
    const steps = item(id)[2], root = 52 + Math.floor(Math.random() * 13);
    q = { id, notes: steps.map((x) => root + x), done: false, mine: null };
    round.n++; show(); sound(q.notes, s.way[s.kind]);
  }
  function answer(id) {
    if (!q || q.done || !asked().includes(id)) return;
    q.done = true; q.mine = id;
    const right = id === q.id, t = tally(q.id);
    t.all++; if (right) { t.ok++; round.ok++; round.streak++; } else { round.streak = 0; t.mixed[id] = (t.mixed[id] || 0) + 1; round.slips.push([q.id, id]); }
    if (round.n === ROUND) { s.rounds.push({ at: Date.now(), kind: s.kind, level: s.level + 1, way: s.way[s.kind], ok: round.ok }); s.rounds = s.rounds.slice(-60); }
    save(); show(); drawStrings(); piano(q.notes); $("next").focus();
    say(right ? `Right: ${item(q.id)[1]}` : `It was ${item(q.id)[1]}, not ${item(id)[1]}`);
  }
  function show() {
    const over = q && q.done && round.n >= ROUND;
    $("count").textContent = round.n ? `${round.n}/${ROUND}` : "–"; $("right").textContent = round.ok; $("streak").textContent = round.streak;
    $("prompt").textContent = !q ? "Press play and listen" : !q.done ? `Which ${kind().one} is it?` : over ? `${round.ok} of ${ROUND} right` : q.mine === q.id ? `Yes: ${item(q.id)[1].toLowerCase()}` : `It was: ${item(q.id)[1].toLowerCase()}`;
    const slips = [...new Set(round.slips.map(([a, b]) => `${item(a)[1].toLowerCase()} for ${item(b)[1].toLowerCase()}`))];
    $("detail").textContent = !q ? "Ten questions. Wear headphones if you can." : !q.done ? "Space plays it again, as often as you like."
      : over ? (slips.length ? `Mixed up: ${slips.slice(0, 2).join("; ")}.` : "Not one slip. Try the next level, or play downwards.") : q.notes.map(noteName).join("  ");
    $("play-t").textContent = q ? "Again" : "Play"; $("next").hidden = !(q && q.done); $("next").innerHTML = over ? "New round <kbd>Enter</kbd>" : "Next <kbd>Enter</kbd>";
    $("compare").hidden = !(q && q.done && q.mine !== q.id); if (q && q.mine) $("compare").textContent = `Hear ${item(q.mine)[1].toLowerCase()}`;
    const keys = "1234567890-=";
    $("answers").innerHTML = asked().map((id, i) => `<button type="button" data-a="${id}" ${!q || q.done ? "disabled" : ""} class="${q && q.done ? (id === q.id ? "good" : id === q.mine ? "bad" : "") : ""}"><i>${keys[i]}</i>${item(id)[1]}</button>`).join("");
    if (!q || !q.done) piano();
    const rows = kind().items.filter(([id]) => asked().includes(id) || tally(id).all);
    $("stats").innerHTML = rows.map(([id, name]) => { const t = tally(id), p = t.all ? Math.round(t.ok / t.all * 100) : 0; return `<li><span>${name}</span><span class="t"><span style="width:${p}%"></span></span><span class="n">${t.all ? `${t.ok} of ${t.all}` : "–"}</span></li>`; }).join("");
    radios("kinds", Object.entries(KINDS).map(([id, k]) => [id, k.name]), s.kind);
    radios("levels", [0, 1, 2, 3].map((i) => [String(i), String(i + 1)]), String(s.level));
    radios("ways", kind().ways.map((w) => [w, WAYS[w]]), s.way[s.kind]);
  }
  function radios(id, list, now) {
    const box = $(id), had = box.contains(document.activeElement);
    box.innerHTML = list.map(([v, t]) => `<button type="button" role="radio" data-v="${v}" aria-checked="${v === now}" tabindex="${v === now ? 0 : -1}">${t}</button>`).join("");
    if (had) box.querySelector("[aria-checked=true]").focus();
  }
  const set = { kinds: (v) => { s.kind = v; }, levels: (v) => { s.level = Number(v); }, ways: (v) => { s.way[s.kind] = v; } };
  for (const id of Object.keys(set)) {
    const choose = (v) => { set[id](v); save(); if (id === "ways") show(); else { fresh(); drawStrings(); } };
    $(id).addEventListener("click", (e) => { if (e.target.dataset.v) choose(e.target.dataset.v); });
    $(id).addEventListener("keydown", (e) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key], all = [...$(id).children];
      if (by) { e.preventDefault(); choose(all[(all.findIndex((b) => b.getAttribute("aria-checked") === "true") + by + all.length) % all.length].dataset.v); }
    });
  }
  const play = () => q ? sound(q.notes, s.way[s.kind]) : ask();
  const next = () => { if (q && q.done) ask(); };
  $("play").onclick = play; $("next").onclick = next;
  $("compare").onclick = () => { const root = q.notes[0]; sound(item(q.mine)[2].map((x) => root + x), s.way[s.kind]); };
  $("answers").onclick = (e) => { const b = e.target.closest("[data-a]"); if (b) answer(b.dataset.a); };
  $("volume").value = s.volume; $("volume").oninput = (e) => { s.volume = Number(e.target.value); if (out) out.gain.value = s.volume * .5; save(); };
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const i = "1234567890-=".indexOf(e.key), onButton = e.target.tagName === "BUTTON";
    if (e.key === " " && !(onButton && !$("next").contains(e.target) && !e.target.closest(".answers"))) { e.preventDefault(); play(); }
    else if (e.key === "Enter" && !onButton) { e.preventDefault(); q && !q.done ? play() : q ? next() : ask(); }
    else if (e.key.length === 1 && i >= 0 && asked()[i]) answer(asked()[i]);
  });
  $("copy").onclick = async () => {
    const lines = ["Chord Ear Trainer"];
    for (const [k, def] of Object.entries(KINDS)) for (const [id, name] of def.items) {
      const t = s.tally[`${k}/${id}`];
      if (t && t.all) lines.push(`${def.name}: ${name} ${t.ok} of ${t.all}` + (Object.keys(t.mixed).length ? `, heard as ${Object.entries(t.mixed).sort((a, b) => b[1] - a[1]).map(([m, n]) => `${def.items.find((x) => x[0] === m)[1]} ×${n}`).join(", ")}` : ""));
    }
    const last = s.rounds.slice(-5).map((r) => `${KINDS[r.kind].name} level ${r.level} (${r.way}) ${r.ok}/${ROUND}`);
    if (last.length) lines.push("Last rounds: " + last.join("; "));
    const text = lines.join("\n");
    try { await navigator.clipboard.writeText(text); } catch { const t = document.createElement("textarea"); t.value = text; document.body.append(t); t.select(); document.execCommand("copy"); t.remove(); }
    $("copy").textContent = "Copied"; setTimeout(() => { $("copy").textContent = "Copy result"; }, 1800);
  };
  let sure = 0;
  $("forget").onclick = () => {
    if (!sure) { $("forget").textContent = "Really forget?"; sure = setTimeout(() => { sure = 0; $("forget").textContent = "Forget all"; }, 3000); return; }
    clearTimeout(sure); sure = 0; $("forget").textContent = "Forget all"; s.tally = {}; s.rounds = []; save(); fresh();
  };
  fresh(); drawStrings();
})();
