"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const KEY = "typing-word-game/v1";
  const LEVELS = 5, PER_LEVEL = 10, LIVES = 5;
  const PACES = [
    { id: "calm", name: "Calm", cross: 19, every: 3.0 },
    { id: "steady", name: "Steady", cross: 14, every: 2.2 },
    { id: "quick", name: "Quick", cross: 10, every: 1.55 },
  ];
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  // ---- what is remembered -------------------------------------------------
  const saved = { list: "everyday", pace: "steady", sound: true, best: {}, missed: {} };
  try { Object.assign(saved, JSON.parse(localStorage.getItem(KEY)) || {}); } catch { /* private window: play without memory */ }
  const save = () => { try { localStorage.setItem(KEY, JSON.stringify(saved)); } catch { /* as above */ } };

  // ---- words --------------------------------------------------------------
  const plain = (s) => s.toLowerCase().replace(/[üǖǘǚǜ]/g, "v").normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/[^a-z]/g, "");
  const parse = (entry) => {
    const [shown, reading] = entry.split("|");
    return { entry, shown, reading: reading || "", key: plain(reading || shown) };
  };
  const lists = WORD_LISTS.map((l) => ({ ...l, words: l.words.split(/\s+/).map(parse).sort((a, b) => a.key.length - b.key.length) }));

  // ---- setup form ---------------------------------------------------------
  const radio = (name, value, checked, html) => {
    const label = document.createElement("label");
    label.innerHTML = `<input type="radio" name="${name}" value="${value}"><span>${html}</span>`;
    label.firstChild.checked = checked;
    return label;
  };
  if (!lists.some((l) => l.id === saved.list)) saved.list = "everyday";
  for (const l of lists) $("lists").append(radio("list", l.id, l.id === saved.list, `<span lang="${l.lang}" style="all:unset">${l.name}</span><small>${l.note}</small>`));
  for (const p of PACES) $("paces").append(radio("pace", p.id, p.id === saved.pace, p.name));
  const showBest = () => {
    const best = saved.best[`${saved.list}/${saved.pace}`];
    $("best").textContent = best ? `Best here: ${best.score} points, ${best.wpm} words a minute` : "No score here yet";
  };
  $("setup").addEventListener("change", (e) => { saved[e.target.name] = e.target.value; save(); showBest(); });
  $("setup").addEventListener("submit", (e) => { e.preventDefault(); begin(); });

  // ---- sound --------------------------------------------------------------
  let audio;
  const blip = (from, to, len, type = "sine", gain = .12) => {
    if (!saved.sound) return;
    try {
      audio ||= new AudioContext();
      const t = audio.currentTime, o = audio.createOscillator(), g = audio.createGain();
      o.type = type; o.frequency.setValueAtTime(from, t); o.frequency.exponentialRampToValueAtTime(to, t + len);
      g.gain.setValueAtTime(gain, t); g.gain.exponentialRampToValueAtTime(.0005, t + len);
      o.connect(g).connect(audio.destination); o.start(t); o.stop(t + len);
    } catch { saved.sound = false; }
  };
  const setSound = () => $("sound").setAttribute("aria-pressed", String(saved.sound));
  $("sound").addEventListener("click", () => { saved.sound = !saved.sound; setSound(); save(); if (state === "play") $("entry").focus(); });

  // ---- the round ----------------------------------------------------------
  const sky = $("sky"), entry = $("entry");
  let state = "menu", g = null, last = 0, typed = "";
  const say = (text) => { $("live").textContent = text; };
  const show = (name) => { for (const id of ["start", "paused", "result"]) $(id).hidden = id !== name; };

  function begin(only) {
    const list = lists.find((l) => l.id === saved.list);
    const pace = PACES.find((p) => p.id === saved.pace) || PACES[1];
    g = { list, pace, only, score: 0, level: 1, popped: 0, inLevel: 0, combo: 0, bestCombo: 0, lives: LIVES,
      keys: 0, wrong: 0, letters: 0, time: 0, wait: .4, live: [], recent: [], missed: new Map(), lanes: [] };
    sky.textContent = ""; state = "play"; typed = ""; entry.value = "";
    entry.disabled = false; $("pause").disabled = false;
    show(null); hud(); banner("Level 1"); entry.focus();
    say(`Level 1. ${list.name}.`);
    last = performance.now(); requestAnimationFrame(tick);
  }

  function pick() {
    let pool;
    if (g.only) pool = g.only;
    else {
      // Each level reaches further into the list, which is sorted by length.
      const n = g.list.words.length, end = Math.ceil(n * (.36 + .64 * (g.level - 1) / (LEVELS - 1)));
      pool = g.list.words.slice(Math.max(0, end - Math.ceil(n * .55)), end);
    }
    const free = pool.filter((w) => !g.live.some((o) => o.w.key.startsWith(w.key) || w.key.startsWith(o.w.key)));
    const fresh = free.filter((w) => !g.recent.includes(w.key));
    const apart = fresh.filter((w) => !g.live.some((o) => o.w.key[0] === w.key[0]));
    const from = apart.length ? apart : fresh.length ? fresh : free;
    return from[Math.floor(Math.random() * from.length)];
  }

  const COLOURS = ["--c0", "--c1", "--c2", "--c3", "--c4"];
  function spawn() {
    const w = pick();
    if (!w) return;
    g.recent.push(w.key);
    if (g.recent.length > (g.only ? 1 : 9)) g.recent.shift();
    const el = document.createElement("div");
    el.className = "word"; el.lang = g.list.lang;
    el.style.setProperty("--c", `var(${COLOURS[(g.popped + g.live.length + w.key.length) % COLOURS.length]})`);
    el.innerHTML = `<span class="b"></span><svg class="s" viewBox="0 0 14 46"><path d="M7 0c6 9-6 16 0 26s-3 12 0 20"/></svg>`;
    sky.append(el);
    const o = { w, el, b: el.firstChild, sway: Math.random() * 6.3 };
    draw(o);
    const box = el.getBoundingClientRect();
    o.width = box.width; o.height = box.height;
    const width = sky.clientWidth, lanes = Math.max(2, Math.floor(width / 190));
    // Take the lane that has rested longest; ties fall at random.
    let lane = 0, oldest = Infinity;
    for (let i = 0; i < lanes; i++) {
      const t = (g.lanes[i] ?? -1e3) + Math.random() * 1.5;
      if (t < oldest) { oldest = t; lane = i; }
    }
    g.lanes[lane] = g.time;
    const centre = (lane + .5) * width / lanes + (Math.random() - .5) * 24;
    o.x = Math.min(width - o.width - 10, Math.max(10, centre - o.width / 2));
    o.y = sky.clientHeight;
    g.live.push(o);
  }

  function draw(o) {
    const { shown, reading, key } = o.w, hit = typed && key.startsWith(typed);
    o.el.classList.toggle("aim", Boolean(hit));
    // The part already typed is marked in the form that the player reads.
    const mark = (text) => {
      let i = 0, n = hit ? typed.length : 0;
      while (i < text.length && (n > 0 || /[\u0300-\u036f]/.test(text[i]))) { if (plain(text[i])) n--; i++; }
      return `<u>${text.slice(0, i)}</u>${text.slice(i)}`;
    };
    o.b.innerHTML = reading && g.list.id === "pinyin" ? `${shown}<small>${mark(reading)}</small>`
      : reading ? `${shown}<small>${hit ? mark(reading.slice(0, typed.length)) : "&#8203;"}</small>` : mark(shown);
  }

  function pop(o) {
    g.combo++; g.bestCombo = Math.max(g.bestCombo, g.combo);
    const times = 1 + Math.min(4, Math.floor(g.combo / 5)), points = o.w.key.length * 10 * times;
    g.score += points; g.popped++; g.inLevel++; g.letters += o.w.key.length;
    remove(o); o.el.classList.add("pop"); setTimeout(() => o.el.remove(), 180);
    burst(o, `+${points}`);
    blip(420 + 40 * Math.min(12, g.combo), 1250, .12);
    const learnt = saved.missed[g.list.id];
    if (learnt) saved.missed[g.list.id] = learnt.filter((e) => e !== o.w.entry);
    if (g.inLevel >= PER_LEVEL) {
      if (g.level >= LEVELS || g.only) { hud(); return finish(true); }
      g.level++; g.inLevel = 0; g.wait = 1.5;
      banner(`Level ${g.level}`); say(`Level ${g.level}. Score ${g.score}.`); blip(520, 1040, .35, "triangle");
    }
    hud();
  }

  function lose(o) {
    remove(o); o.el.classList.add("gone"); setTimeout(() => o.el.remove(), 500);
    g.missed.set(o.w.entry, o.w); g.combo = 0; g.lives--;
    if (o.w.key.startsWith(typed) && typed) { typed = ""; entry.value = ""; redraw(); }
    blip(200, 90, .3, "triangle"); say(`${o.w.shown} drifted away. ${g.lives} left.`);
    hud();
    if (g.lives <= 0) finish(false);
  }
  const remove = (o) => { g.live.splice(g.live.indexOf(o), 1); };
  const redraw = () => g.live.forEach(draw);

  function burst(o, text) {
    const cx = o.x + o.width / 2, cy = o.y + 26;
    const plus = document.createElement("span");
    plus.className = "plus"; plus.textContent = text; sky.append(plus);
    plus.animate([{ transform: `translate(${cx - 20}px,${cy - 10}px)`, opacity: 1 }, { transform: `translate(${cx - 20}px,${cy - (still.matches ? 10 : 58)}px)`, opacity: 0 }], { duration: 900, easing: "ease-out" }).onfinish = () => plus.remove();
    if (still.matches) return;
    const colour = getComputedStyle(o.el).getPropertyValue("--c");
    for (let i = 0; i < 12; i++) {
      const bit = document.createElement("i"), a = i / 12 * 6.283, r = 50 + Math.random() * 50;
      bit.className = "bit"; bit.style.background = colour; sky.append(bit);
      bit.animate([
        { transform: `translate(${cx}px,${cy}px) rotate(0)`, opacity: 1 },
        { transform: `translate(${cx + Math.cos(a) * r * 1.4}px,${cy + Math.sin(a) * r * .7}px) rotate(160deg)`, opacity: 1, offset: .45 },
        { transform: `translate(${cx + Math.cos(a) * r * 1.6}px,${cy + Math.sin(a) * r * .7 + 80}px) rotate(300deg)`, opacity: 0 },
      ], { duration: 800, easing: "cubic-bezier(.2,.7,.4,1)" }).onfinish = () => bit.remove();
    }
  }

  function banner(text) {
    const b = $("banner"); b.textContent = text; b.classList.remove("on"); void b.offsetWidth; b.classList.add("on");
  }
  function hud() {
    $("score").textContent = g.score; $("level").textContent = g.only ? "–" : `${g.level}/${LEVELS}`;
    $("combo").textContent = `×${1 + Math.min(4, Math.floor(g.combo / 5))}`;
    const l = $("lives"); l.setAttribute("aria-label", `${g.lives} of ${LIVES}`);
    l.innerHTML = Array.from({ length: LIVES }, (_, i) => `<i class="${i < g.lives ? "" : "off"}"></i>`).join("");
    $("progress").style.width = `${g.inLevel / PER_LEVEL * 100}%`;
  }

  function tick(now) {
    if (state !== "play") return;
    const dt = Math.min(.05, (now - last) / 1000); last = now;
    g.time += dt; g.wait -= dt;
    const quicker = .92 ** (g.level - 1), height = sky.clientHeight;
    if (g.wait <= 0 || (!g.live.length && g.wait < g.pace.every - .5)) { spawn(); g.wait = g.pace.every * quicker; }
    const speed = height / (g.pace.cross * quicker);
    for (const o of [...g.live]) {
      o.y -= speed * dt;
      const dx = still.matches ? 0 : Math.sin(g.time * 1.1 + o.sway) * 7;
      o.el.style.transform = `translate(${(o.x + dx).toFixed(1)}px,${o.y.toFixed(1)}px)`;
      o.el.classList.toggle("low", o.y < height * .16);
      if (o.y < -44 && state === "play") lose(o);
    }
    requestAnimationFrame(tick);
  }

  entry.addEventListener("input", (e) => {
    if (state !== "play" || e.isComposing) return;
    const value = plain(entry.value);
    if (value.length > typed.length) g.keys += value.length - typed.length;
    const done = g.live.filter((o) => o.w.key === value).sort((a, b) => a.y - b.y)[0];
    if (done) { typed = ""; entry.value = ""; pop(done); if (state === "play") redraw(); return; }
    if (!value || g.live.some((o) => o.w.key.startsWith(value))) { typed = value; }
    else {
      g.wrong++; g.combo = 0; hud(); blip(170, 140, .08, "square", .04);
      entry.value = typed; entry.classList.remove("no"); void entry.offsetWidth; entry.classList.add("no");
    }
    redraw();
  });
  entry.addEventListener("compositionend", () => entry.dispatchEvent(new Event("input")));

  function pause() {
    if (state !== "play") return;
    state = "paused"; show("paused"); entry.disabled = true; $("resume").focus(); say("Paused");
  }
  function resume() {
    if (state !== "paused") return;
    state = "play"; show(null); entry.disabled = false; entry.focus(); last = performance.now(); requestAnimationFrame(tick);
  }
  $("pause").addEventListener("click", pause);
  $("resume").addEventListener("click", resume);
  $("quit").addEventListener("click", () => finish(false));
  document.addEventListener("visibilitychange", () => { if (document.hidden) pause(); });
  document.addEventListener("keydown", (e) => {
    if (e.key === "Escape") { e.preventDefault(); state === "play" ? pause() : resume(); }
    else if (state === "play" && document.activeElement !== entry && e.key.length === 1 && !e.ctrlKey && !e.metaKey && !e.altKey && !/^(BUTTON|INPUT)$/.test(document.activeElement.tagName)) entry.focus();
  });

  let report = "";
  function finish(won) {
    state = "over"; entry.disabled = true; $("pause").disabled = true; entry.value = ""; typed = "";
    for (const o of g.live) { o.el.classList.add("gone"); setTimeout(() => o.el.remove(), 500); }
    const minutes = Math.max(g.time, 1) / 60, wpm = Math.round(g.letters / 5 / minutes);
    const accuracy = g.keys ? Math.round((1 - Math.min(g.wrong, g.keys) / g.keys) * 100) : 100;
    const id = `${g.list.id}/${g.pace.id}`, before = saved.best[id], record = !g.only && g.score > 0 && (!before || g.score > before.score);
    if (record) saved.best[id] = { score: g.score, wpm, level: g.level };
    const missed = [...g.missed.values()];
    saved.missed[g.list.id] = [...new Set([...missed.map((w) => w.entry), ...(saved.missed[g.list.id] || [])])].slice(0, 24);
    save();
    $("result-h").textContent = won ? (g.only ? "Practised to the end" : "All five levels cleared") : "Round over";
    $("result-lead").textContent = record ? `A new best for ${g.list.name} at a ${g.pace.name.toLowerCase()} pace.`
      : before ? `Your best here stays ${before.score} points.` : `${g.list.name}, ${g.pace.name.toLowerCase()} pace.`;
    const figures = [["Score", g.score], ["Popped", g.popped], ["Words/min", wpm], ["Accuracy", `${accuracy}%`], ["Streak", g.bestCombo]];
    $("figures").innerHTML = figures.map(([t, v]) => `<div><dt>${t}</dt><dd>${v}</dd></div>`).join("");
    const again = saved.missed[g.list.id];
    $("missed-wrap").hidden = $("practise").hidden = !again.length;
    $("missed").innerHTML = again.slice(0, 14).map(parse).map((w) => `<li lang="${g.list.lang}">${w.shown}${w.reading ? ` ${w.reading}` : ""}</li>`).join("");
    report = `Typing Word Game: ${g.list.name}, ${g.pace.name} pace\n` + figures.map(([t, v]) => `${t}: ${v}`).join("\n")
      + `\nLevel reached: ${g.level} of ${LEVELS}\nWords to practise: ${again.join(", ") || "none"}`;
    $("copy").textContent = "Copy result";
    show("result"); $("again").focus(); say(`${$("result-h").textContent}. Score ${g.score}.`);
    if (won) { blip(523, 523, .18, "triangle"); setTimeout(() => blip(659, 659, .18, "triangle"), 150); setTimeout(() => blip(784, 784, .4, "triangle"), 300); }
  }
  $("again").addEventListener("click", () => begin(g.only));
  $("practise").addEventListener("click", () => begin(saved.missed[g.list.id].map(parse)));
  $("menu").addEventListener("click", () => { state = "menu"; sky.textContent = ""; showBest(); show("start"); document.querySelector("#lists input:checked").focus(); });
  $("copy").addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(report); }
    catch {
      const t = document.createElement("textarea"); t.value = report; document.body.append(t); t.select(); document.execCommand("copy"); t.remove();
    }
    $("copy").textContent = "Copied";
  });

  setSound(); showBest(); g = { score: 0, level: 1, combo: 0, lives: LIVES, inLevel: 0 }; hud();
  document.querySelector("#lists input:checked").focus();
})();
