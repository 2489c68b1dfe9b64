// Hands the buttons inside our HTML to the page, keeps focus and open folds when a part is drawn anew, and holds a new
// turn at the top of the window until it is finished or the visitor scrolls. Runs once for each part of the page that
// has such buttons; `element`, `trigger` and `watch` are gradio's,
// `known` is written before it (assistant/ui/tab/layout.py). What needs no server is in page.js.
const part = element.parentElement?.closest('.block[id]')?.id ?? ''; // the element has an id of gradio's own
(window.vitrine ??= {triggers: {}}).triggers[part] = trigger;
element.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  const d = button.dataset;
  if (d.goto) {
    const card = document.getElementById(d.goto);
    if (card) { const fold = card.closest('details'); if (fold) fold.open = true; card.scrollIntoView({block: 'center'}); card.focus({preventScroll: true}); }
  } else if (known.includes(d.event)) trigger(d.event, {turn: Number(d.turn ?? 0), act: d.act ?? '', card: d.card ?? ''});
  else if (d.ask) (async () => trigger('ask', {question: d.ask, moment: await (window.vitrine.moment?.() ?? '')}))();
  else if (d.example) trigger('example', {number: Number(d.example)});
});
const FOLDS = ['sources-', 'times-'];
const keep = (name, on) => { try { localStorage.setItem(`vitrine-${name}open`, on ? 'yes' : ''); } catch { /* no storage */ } };
const kept = (name) => { try { return localStorage.getItem(`vitrine-${name}open`) === 'yes'; } catch { return false; } };
// Drawn anew, everything in it is another element: the one with the same key takes over.
let focused = '';
const open = new Set();
element.addEventListener('focusin', (event) => { focused = event.target.closest('[data-key]')?.dataset.key ?? ''; });
element.addEventListener('focusout', (event) => { if (event.relatedTarget) focused = ''; });
element.addEventListener('toggle', (event) => {
  const key = event.target.dataset?.key;
  if (!key || !event.target.isConnected) return;
  const all = FOLDS.find((name) => key.startsWith(name));  // who opens the sources of one turn wants those of the next
  if (all) keep(all, event.target.open);
  if (event.target.open) open.add(key); else open.delete(key);
  if (key === 'profile' && event.target.open && !element.querySelector('.v-parts')) trigger('profile', {});
}, true);
const byKey = (key) => element.querySelector(`[data-key="${CSS.escape(key)}"]`);
let last = '', held = '';
const letGo = () => { held = ''; };
for (const name of ['wheel', 'touchmove', 'keydown']) addEventListener(name, letGo, {passive: true});
watch('value', () => {
  for (const name of FOLDS) if (kept(name)) for (const fold of element.querySelectorAll(`[data-key^="${name}"]`)) fold.open = true;
  for (const key of open) { const fold = byKey(key); if (fold && !fold.classList.contains('v-menu')) fold.open = true; }
  const lost = !document.activeElement || document.activeElement === document.body;
  if (focused && lost) {
    // a card that is off has other buttons than one that is on, and what was chosen in its place is a choice no more
    const act = focused.match(/^(on|off|offer|swap-\d+)-(.*)$/);
    const others = act ? ['offer', 'on', 'off'].map((name) => byKey(`${name}-${act[2]}`)) : [];
    (byKey(focused) ?? others.find(Boolean))?.focus({preventScroll: true});
  }
  const dialog = element.querySelector('[data-dialog]');
  if (dialog) window.vitrine.show?.(dialog);
  const live = element.querySelector('.v-turn--live');
  if (!element.querySelector('.v-turn')) last = '';
  const calm = performance.now() < (window.vitrine.calmUntil ?? 0); // asked by a slider that must stay under the finger
  if (live && live.id !== last) { last = live.id; held = calm ? '' : live.id; }
  if (held) document.getElementById(held)?.scrollIntoView({block: 'start'});
  if (!live) held = '';
});
