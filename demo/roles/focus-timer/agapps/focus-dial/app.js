"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const KEY = "focus-timer/v1";
  const MODES = [["focus", "Focus"], ["short", "Short break"], ["long", "Long break"], ["breathe", "Breathe"]];
  const PATTERNS = { even: [5, 0, 5, 0], box: [4, 4, 4, 4], long: [4, 7, 8, 0] };
  const CUES = ["Breathe in", "Hold", "Breathe out", "Hold"];
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  const s = { set: { focus: 25, short: 5, long: 15, every: 4, breathe: 3, pattern: "even", goal: 8, bell: true, auto: false },
    log: [], mode: "focus", left: null, ends: null, streak: 0, intent: "" };
  try {
    const was = JSON.parse(localStorage.getItem(KEY)) || {};
    Object.assign(s, was, { set: { ...s.set, ...was.set } });
  } catch { /* no memory: everything still works */ }
  const save = () => { try { localStorage.setItem(KEY, JSON.stringify(s)); } catch { /* as above */ } };

  const total = () => s.set[s.mode] * 60000;
  const left = () => s.ends ? Math.max(0, s.ends - Date.now()) : s.left ?? total();
  const running = () => s.ends !== null;
  const nameOf = (mode) => MODES.find((m) => m[0] === mode)[1];
  const say = (text) => { $("live").textContent = text; };

  // ---- the dial -----------------------------------------------------------
  const NS = $("dial").namespaceURI;
  for (let i = 0; i < 60; i++) {
    const p = document.createElementNS(NS, "path"), long = i % 5 === 0;
    p.setAttribute("d", `M240 ${long ? 30 : 36}V46`); p.setAttribute("transform", `rotate(${i * 6} 240 240)`);
    $("ticks").append(p);
  }
  for (let i = 0, seed = 7; i < 30; i++) {
    const next = () => (seed = seed * 16807 % 2147483647) / 2147483647;
    const c = document.createElementNS(NS, "circle");
    c.setAttribute("cx", (70 + next() * 340).toFixed(1)); c.setAttribute("cy", (74 + next() * 190).toFixed(1));
    c.setAttribute("r", i % 4 ? 1.3 : 2.2); c.setAttribute("fill", "#fff"); $("stars").append(c);
  }
  const mix = (a, b, t) => "#" + [1, 3, 5].map((i) => Math.round(parseInt(a.slice(i, i + 2), 16) * (1 - t) + parseInt(b.slice(i, i + 2), 16) * t).toString(16).padStart(2, "0")).join("");
  const blend = (stops, t) => { const at = t * (stops.length - 1), i = Math.min(stops.length - 2, Math.floor(at)); return mix(stops[i], stops[i + 1], at - i); };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  // Focus is an afternoon that sinks into dusk; a break is a morning that rises.
  const SKY = {
    day: { top: ["#f3e6f1", "#f1d3d8", "#c9a3cf"], low: ["#ffe6c4", "#ffc58c", "#f39a6b"] },
    night: { top: ["#5b478f", "#3f2f74", "#1c1440"], low: ["#d98a6a", "#b0597a", "#4a3277"] },
  };
  function paint() {
    const share = Math.min(1, left() / total()), gone = 1 - share, rest = s.mode === "short" || s.mode === "long", breathe = s.mode === "breathe";
    const low = breathe ? .55 : rest ? 1 - gone : gone, sky = dark.matches ? SKY.night : SKY.day;
    $("air-a").setAttribute("stop-color", blend(sky.top, low)); $("air-b").setAttribute("stop-color", blend(sky.low, low));
    $("stars").style.opacity = Math.max(0, low - (dark.matches ? .3 : .75)) * 1.3;
    const y = 142 + low * 190, x = rest ? 330 - low * 60 : 160 + low * 80;
    for (const id of ["sun", "halo"]) { $(id).setAttribute("cx", x); $(id).setAttribute("cy", y); $(id).style.display = breathe ? "none" : ""; }
    const lit = Math.ceil(share * 60 - 1e-6);
    [...$("ticks").children].forEach((p, i) => p.classList.toggle("on", i < lit));
    $("hand").setAttribute("transform", `rotate(${share * 360} 240 240)`);
    $("breath").toggleAttribute("hidden", !breathe);

    const sec = Math.ceil(left() / 1000), text = `${Math.floor(sec / 60)}:${String(sec % 60).padStart(2, "0")}`;
    if ($("time").textContent !== text) { $("time").textContent = text; document.title = running() ? `${text} ${nameOf(s.mode)}` : "Focus Timer"; }
    let phase = nameOf(s.mode), size = .35;
    if (breathe && running()) {
      const p = PATTERNS[s.set.pattern], cycle = p.reduce((a, b) => a + b);
      let t = ((total() - left()) / 1000) % cycle, i = 0;
      while (t >= p[i]) { t -= p[i]; i++; }
      const ease = .5 - Math.cos(t / p[i] * Math.PI) / 2;
      size = i === 0 ? ease : i === 1 ? 1 : i === 2 ? 1 - ease : 0;
      phase = CUES[i];
    }
    if ($("phase").textContent !== phase) $("phase").textContent = phase;
    if (breathe) {
      const r = still.matches ? 100 : 82 + size * 88;
      $("b1").setAttribute("r", r * .72); $("b2").setAttribute("r", r * .88); $("b3").setAttribute("r", r);
    }
    $("hint").textContent = running() ? (s.intent && s.mode === "focus" ? s.intent : `until ${new Date(s.ends).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}`)
      : s.left !== null ? "Paused" : s.mode === "focus" ? `Block ${s.streak % s.set.every + 1} of ${s.set.every}` : "Space starts";
    const go = running() ? "Pause" : s.left !== null ? "Go on" : "Start";
    if ($("go").textContent !== go) $("go").textContent = go;
  }

  // ---- running ------------------------------------------------------------
  let audio;
  function bell() {
    if (!s.set.bell) return;
    try {
      audio ||= new AudioContext();
      [[523.25, 0], [783.99, .25], [1046.5, .5]].forEach(([f, at]) => {
        const t = audio.currentTime + at, o = audio.createOscillator(), g = audio.createGain();
        o.frequency.value = f; g.gain.setValueAtTime(0, t); g.gain.linearRampToValueAtTime(.16, t + .02); g.gain.exponentialRampToValueAtTime(.0004, t + 2.4);
        o.connect(g).connect(audio.destination); o.start(t); o.stop(t + 2.5);
      });
    } catch { /* no sound here */ }
  }
  function start() {
    if (running()) { s.left = left(); s.ends = null; say("Paused"); }
    else {
      try { audio ||= new AudioContext(); } catch { /* no sound here */ }
      s.ends = Date.now() + left(); s.left = null; say(`${nameOf(s.mode)} started`);
    }
    save(); paint(); loop();
  }
  function setMode(mode) {
    s.mode = mode; s.ends = null; s.left = null; save(); modes(); paint();
  }
  function next(done) {
    if (done && s.mode === "focus") {
      s.streak++;
      s.log.unshift({ at: s.ends ?? Date.now(), min: s.set.focus, text: s.intent });
      s.log = s.log.slice(0, 500);
    }
    const to = s.mode === "focus" ? (s.streak % s.set.every === 0 && done ? "long" : "short") : "focus";
    if (done) { bell(); say(`${nameOf(s.mode)} finished. Next: ${nameOf(to)}.`); }
    setMode(to); render();
    if (done && s.set.auto) start();
  }
  let frame = 0, slow = 0;
  function loop() {
    cancelAnimationFrame(frame); clearTimeout(slow);
    if (!running()) return;
    if (left() <= 0) return next(true);
    paint();
    if (s.mode === "breathe" && !still.matches && !document.hidden) frame = requestAnimationFrame(loop);
    else slow = setTimeout(loop, 200);
  }
  document.addEventListener("visibilitychange", loop);

  // ---- the log ------------------------------------------------------------
  const day = (t) => { const d = new Date(t); return new Date(d.getFullYear(), d.getMonth(), d.getDate()).getTime(); };
  function render() {
    const today = day(Date.now()), mine = s.log.filter((e) => day(e.at) === today), minutes = mine.reduce((n, e) => n + e.min, 0);
    $("sum-min").textContent = minutes; $("sum-n").textContent = mine.length;
    $("goal").innerHTML = Array.from({ length: Math.max(s.set.goal, mine.length) }, (_, i) => `<i class="${i < mine.length ? "on" : ""}"></i>`).join("");
    const days = Array.from({ length: 7 }, (_, i) => { const d = new Date(today); d.setDate(d.getDate() - 6 + i); return d; });
    const sums = days.map((d) => s.log.filter((e) => day(e.at) === d.getTime()).reduce((n, e) => n + e.min, 0)), most = Math.max(60, ...sums);
    $("week").innerHTML = days.map((d, i) => `<div class="${i === 6 ? "now" : ""}"><div class="col" style="height:${sums[i] / most * 78}px">${sums[i] ? `<span>${sums[i]}</span>` : ""}</div>${d.toLocaleDateString("en", { weekday: "short" })}</div>`).join("");
    $("week").setAttribute("aria-label", "Minutes in focus: " + days.map((d, i) => `${d.toLocaleDateString("en", { weekday: "long" })} ${sums[i]}`).join(", "));
    $("log").textContent = "";
    for (const e of mine) {
      const li = document.createElement("li");
      li.innerHTML = `<time></time><span class="t"></span><span class="m"></span><button type="button" title="Remove">×</button>`;
      li.children[0].textContent = new Date(e.at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
      li.children[1].textContent = e.text || "Focus block"; li.children[2].textContent = `${e.min} min`;
      li.children[3].setAttribute("aria-label", `Remove ${e.text || "focus block"}`);
      li.children[3].onclick = () => { s.log.splice(s.log.indexOf(e), 1); save(); render(); };
      $("log").append(li);
    }
    $("log").hidden = !mine.length; $("empty").hidden = mine.length > 0;
    for (const id of ["copy", "csv", "clear"]) $(id).disabled = !s.log.length;
  }
  const stamp = (t) => { const d = new Date(t), p = (n) => String(n).padStart(2, "0"); return `${d.getFullYear()}-${p(d.getMonth() + 1)}-${p(d.getDate())} ${p(d.getHours())}:${p(d.getMinutes())}`; };
  $("copy").onclick = async () => {
    const since = day(Date.now()) - 6 * 864e5;
    const text = "Focus Timer: last seven days\n" + s.log.filter((e) => e.at >= since).map((e) => `${stamp(e.at)}  ${e.min} min  ${e.text || "Focus block"}`).join("\n");
    try { await navigator.clipboard.writeText(text); }
    catch { const t = document.createElement("textarea"); t.value = text; document.body.append(t); t.select(); document.execCommand("copy"); t.remove(); }
    $("copy").textContent = "Copied"; setTimeout(() => { $("copy").textContent = "Copy log"; }, 1800);
  };
  $("csv").onclick = () => {
    const csv = "finished,minutes,purpose\n" + s.log.map((e) => `${stamp(e.at)},${e.min},"${e.text.replace(/"/g, '""')}"`).join("\n") + "\n";
    const a = document.createElement("a"); a.href = URL.createObjectURL(new Blob([csv], { type: "text/csv" })); a.download = "focus-log.csv"; a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
  };
  let sure = 0;
  $("clear").onclick = () => {
    if (!sure) { $("clear").textContent = "Really clear?"; sure = setTimeout(() => { sure = 0; $("clear").textContent = "Clear log"; }, 3000); return; }
    clearTimeout(sure); sure = 0; $("clear").textContent = "Clear log"; s.log = []; s.streak = 0; save(); render();
  };

  // ---- controls -----------------------------------------------------------
  function modes() {
    const had = $("modes").contains(document.activeElement);
    $("modes").innerHTML = MODES.map(([id, name]) => `<button type="button" role="radio" data-m="${id}" aria-checked="${id === s.mode}" tabindex="${id === s.mode ? 0 : -1}">${name}</button>`).join("");
    if (had) $("modes").querySelector("[aria-checked=true]").focus();
  }
  $("modes").addEventListener("click", (e) => { if (e.target.dataset.m) setMode(e.target.dataset.m); });
  $("modes").addEventListener("keydown", (e) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (!step) return;
    e.preventDefault(); setMode(MODES[(MODES.findIndex((m) => m[0] === s.mode) + step + 4) % 4][0]);
  });
  $("go").onclick = start;
  $("skip").onclick = () => next(false);
  $("reset").onclick = () => setMode(s.mode);
  $("intent").value = s.intent;
  $("intent").oninput = (e) => { s.intent = e.target.value.trim(); save(); };
  $("intent").onkeydown = (e) => { if (e.key === "Enter") { e.preventDefault(); $("go").focus(); if (!running()) start(); } };
  const form = $("settings");
  for (const el of form.elements) if (el.type === "checkbox") el.checked = s.set[el.name]; else el.value = s.set[el.name];
  form.onsubmit = (e) => e.preventDefault();
  form.onchange = (e) => {
    const el = e.target;
    if (el.type === "checkbox") s.set[el.name] = el.checked;
    else if (el.type === "number") { const n = Math.round(Math.min(el.max, Math.max(el.min, Number(el.value) || s.set[el.name]))); el.value = n; if (el.name === s.mode) { s.ends = null; s.left = null; } s.set[el.name] = n; }
    else s.set[el.name] = el.value;
    save(); render(); paint();
  };
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
    if (e.key === " " && !/^(BUTTON|SUMMARY)$/.test(e.target.tagName)) { e.preventDefault(); start(); }
    else if (/^[1-4]$/.test(e.key)) setMode(MODES[e.key - 1][0]);
    else if (e.key === "r" || e.key === "R") setMode(s.mode);
    else if (e.key === "s" || e.key === "S") next(false);
  });
  dark.addEventListener("change", paint);

  modes(); render(); paint(); loop();
})();
