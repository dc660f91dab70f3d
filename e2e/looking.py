"""Scripts that inspect a page: its controls, their sizes and focus, its colours, and its layout."""

from __future__ import annotations

IS_READY = "() => ['draggable', 'editable'].some((name) => performance.getEntriesByName(name).length > 0)"

AS_OPENED = """() => {
  for (const one of document.querySelectorAll("[data-walk]")) delete one.dataset.walk;
  scrollTo(0, 0);
  const top = document.createElement("span");
  top.tabIndex = -1;
  document.body.prepend(top);
  top.focus();  // the Tab key goes on from here
  top.remove();
}"""

CONTROLS = """() => {
  const all = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']");
  const seen = [...all].filter((one) => !one.disabled && one.checkVisibility({ visibilityProperty: true })
    && one.closest("[hidden]") === null);
  seen.forEach((one, k) => { one.dataset.walk = String(k); });
  return seen.map((one) => ({
    said: one.outerHTML.slice(0, 90),
    group: one.type === "radio" ? one.name : null,
  }));
}"""
"""A script that numbers all visible controls. It returns the beginning of each control's HTML."""

FOCUSED = """() => {
  const one = document.activeElement;
  const { outline, outlineOffset, boxShadow, borderColor, backgroundColor } = getComputedStyle(one);
  let clip = one;
  while (clip !== null && getComputedStyle(clip).overflow === "visible") clip = clip.parentElement;
  const kind = [one.localName, one.type, clip?.className];
  const style = [outline, outlineOffset, boxShadow, borderColor, backgroundColor];
  return [one.dataset?.walk ?? null, one === document.body, JSON.stringify([kind, style])];
}"""
"""A script that returns the number of the focused control, true if nothing has the focus, and a text. The
text describes the control's element, the ancestor that may cut off its edge, and the style of its focus."""

AROUND = """(at) => {
  const one = document.querySelector(`[data-walk="${at}"]`);
  const { left, top, right, bottom } = one.getBoundingClientRect();
  const [x, y] = [Math.max(0, left - 6), Math.max(0, top - 6)];
  const width = Math.min(innerWidth, right + 6) - x;
  const height = Math.min(innerHeight, bottom + 6) - y;
  return width > 0 && height > 0 ? { x: x + scrollX, y: y + scrollY, width, height } : null;
}"""
"""A script that returns the box around a control and its outline, or null if the control is out of sight."""

HIDE_CARET = """() => {
  if (document.adoptedStyleSheets.some((sheet) => sheet.hidesCaret)) return;
  const sheet = Object.assign(new CSSStyleSheet(), { hidesCaret: true });
  sheet.replaceSync("* { caret-color: transparent !important; }");
  document.adoptedStyleSheets.push(sheet);
}"""
"""A script that hides the blinking caret, which must not count as a sign of the focus."""

SIZES = """() => [...document.querySelectorAll("[data-walk]")].map((one) => {
  const isSmall = one.type === "checkbox" || one.type === "radio";
  const box = ((isSmall && one.closest("label")) || one).getBoundingClientRect();
  const scrolled = "canvas, [role=region], .formula-tex, [tabindex='0']:not(button, a, input, .handle)";
  return {
    width: box.width, height: box.height, said: one.outerHTML.slice(0, 120),
    inText: one.localName === "a" && one.closest("p, li") !== null,
    region: one.matches(scrolled),
  };
})"""

TAPPED = """() => [...document.querySelectorAll("[data-walk]")].flatMap((one) => {
  if (one.matches(".skip")) return [];  // outside of the window until the Tab key reaches it
  one.scrollIntoView({ block: "center", inline: "center" });
  const box = one.getBoundingClientRect();
  if (getComputedStyle(one).pointerEvents === "none") return [];  // its picture finds the nearest grip
  const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const isReached = hit !== null && (one.contains(hit) || one.closest("label")?.contains(hit));
  return isReached ? [] : [`${one.outerHTML.slice(0, 90)} is behind ${hit?.outerHTML.slice(0, 90)}`];
})"""

HIDDEN = """() => {
  const one = document.activeElement;
  if (one?.dataset?.walk === undefined || getComputedStyle(one).pointerEvents === "none") return null;
  const box = one.getBoundingClientRect();
  const spots = [[0.5, 0.5], [0.1, 0.2], [0.9, 0.8]];
  const isSeen = spots.some(([x, y]) => {
    const hit = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
    return hit !== null && (one.contains(hit) || one.closest("label")?.contains(hit));
  });
  return isSeen ? null : one.outerHTML.slice(0, 90);
}"""

OVERFULL = """() => [...document.querySelectorAll("a[data-walk], button[data-walk]")]
  .filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.outerHTML.slice(0, 90))"""

SEEN = """(element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
}"""

BLANKS = """() => {
  const boxes = [];
  const add = (box, name) => box.height > 2 && boxes.push([box.top, box.bottom, name]);
  const drawn = "canvas, svg, input, select, button:not(.grip), textarea, .code-host, eglantine-plot";
  const { SHOW_TEXT, SHOW_ELEMENT } = NodeFilter;
  const walker = document.createTreeWalker(document.querySelector("main"), SHOW_TEXT | SHOW_ELEMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const isText = node.nodeType === Node.TEXT_NODE;
    const element = isText ? node.parentElement : node;
    if (!element.checkVisibility() || (isText && node.data.trim() === "")) continue;
    if (!isText && node.matches(drawn)) add(node.getBoundingClientRect(), node.className || node.localName);
    const labelled = !isText && getComputedStyle(node, "::before").content.length > "normal".length;
    if (labelled) add(node.getBoundingClientRect(), node.className);
    if (!isText) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) add(box, node.data.slice(0, 30));
  }
  boxes.sort(([a], [b]) => a - b);
  const blanks = [];
  let [[, bottom, name]] = boxes;
  for (const [top, end, next] of boxes) {
    blanks.push([Math.round(top - bottom), `between "${name}" and "${next}"`]);
    if (end > bottom) [bottom, name] = [end, next];
  }
  return blanks;
}"""
"""A script that returns the heights of the blank bands between drawings and texts, from top to bottom."""

STICKY = """() => [...document.querySelectorAll("main *")]
  .filter((one) => getComputedStyle(one).position === "sticky")
  .map((one) => one.getBoundingClientRect().height / innerHeight)"""

COLOURS_AT_REST = """async () => {
  const ends = ({ effect }) =>
    effect.getComputedTiming().endTime !== Infinity && effect.target.checkVisibility();
  await Promise.allSettled(document.getAnimations().filter(ends).map((animation) => animation.finished));
}"""
"""A script that waits until colours no longer change. After a change of theme, this takes a tenth of a
second. The script ignores hidden content, such as the content of a closed `<details>`: its colours never
change."""

CONTRASTS = """() => {
  const probe = document.body.appendChild(document.createElement("span"));
  const rgb = (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color.match(/[\\d.]+/g).map(Number);
  };
  const light = ([r, g, b]) => {
    const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const [x, y, z] = [r, g, b].map((v) => linear(v / 255));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const contrasts = {};
  for (const text of ["--ink", "--ink-soft", "--rose", "--leaf"]) {
    for (const paper of ["--paper", "--paper-raised"]) {
      const [a, b] = [light(rgb(text)), light(rgb(paper))].sort((x, y) => y - x);
      contrasts[`${text} on ${paper}`] = (a + 0.05) / (b + 0.05);
    }
  }
  probe.remove();
  return contrasts;
}"""

TRANSITIONS = """() => [...document.querySelectorAll("*")].flatMap((one) =>
  [null, "::before", "::after"].flatMap((part) => {
    const style = getComputedStyle(one, part);
    const lasts = style.transitionDuration.split(",").some((time) => parseFloat(time) > 0);
    return lasts || style.animationName !== "none" ? [`${one.outerHTML.slice(0, 80)} ${part}`] : [];
  }))"""

LISTEN = """() => {
  window.heard = [];
  for (const place of document.querySelectorAll("[aria-live], [role=status], [role=alert], output")) {
    new MutationObserver(() => window.heard.push([performance.now(), place.textContent]))
      .observe(place, { childList: true, characterData: true, subtree: true });
  }
}"""

WATCH_SHIFTS = """
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const names = sources.map(({ node }) => `${node?.nodeName}.${node?.className}`);
      if (!hadRecentInput) globalThis.shifts.push([value, names]);
    }
  }).observe({ type: "layout-shift", buffered: true });
"""

VIOLATIONS = """
  self.violations = [];
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
    self.violations.push(`${violatedDirective} ${blockedURI}`);
  });
"""
