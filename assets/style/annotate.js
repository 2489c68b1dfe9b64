// Labelling by keyboard and pointer. What is chosen is marked at once; what is submitted has a name of its own and is said
// again, under that name, until the server has acknowledged it: also after the page was loaded anew. `element`, `trigger`
// and `watch` are gradio's. Runs once; a second run takes the place of the first.
window.vitrineAnnotate?.abort();
const life = window.vitrineAnnotate = new AbortController();
const on = (target, name, what, capture = false) => target.addEventListener(name, what, {signal: life.signal, capture});
const work = () => element.querySelector('.a-work');
const data = () => work()?.dataset ?? {};
const PENDING = 'vitrine-annotate-pending', WHERE = 'vitrine-annotate-where', DRAFT = 'vitrine-annotate-draft';
const AGAIN_MS = 4000, IDLE_MS = 60_000;
const read = (store, key) => { try { return JSON.parse(store.getItem(key)); } catch { return null; } };
const write = (store, key, value) => { try { if (value === null) store.removeItem(key); else store.setItem(key, JSON.stringify(value)); } catch { /* no storage: kept by this page alone */ } };
const note = (words) => { const place = element.querySelector('.a-notice'); if (place) place.textContent = words; };
const uid = () => crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, '0')).join('');

// What is chosen and not submitted yet; a page that is loaded anew finds it.
let draft = {}, pending = read(localStorage, PENDING), timer = 0, since = 0, active = 0, seen = 0;
const key = () => { const d = data(); return d.item ? `${d.project}/${d.person}/${d.item}` : undefined; };  // whose choice about what
const fresh = () => {
  const d = data();
  return {item: key(), chosen: d.chosen, reasons: (d.reasons || '').split(',').filter(Boolean), corrected: d.corrected, note: d.note, left: d.left === '1', sawTruth: d.truth === '1'};
};
const keep = () => write(sessionStorage, DRAFT, draft);
const show = () => {
  const d = data();
  if (!d.item) return;
  for (const b of element.querySelectorAll('[data-grade]')) b.setAttribute('aria-pressed', String(b.dataset.grade === draft.chosen));
  for (const b of element.querySelectorAll('[data-reason]')) b.setAttribute('aria-pressed', String(draft.reasons.includes(b.dataset.reason)));
  element.querySelector('[data-do="left"]')?.setAttribute('aria-pressed', String(draft.left));
  for (const f of element.querySelectorAll('[data-field]')) if (f !== document.activeElement) { f.value = draft[f.dataset.field] ?? ''; grow(f); }
  const submit = element.querySelector('[data-do="submit"]');
  if (submit) { submit.disabled = !draft.chosen || !!pending; submit.classList.toggle('a-busy', !!pending); }
};
const grow = (field) => { field.style.height = 'auto'; field.style.height = `${Math.min(field.scrollHeight + 2, 160)}px`; };
const where = () => { const d = data(); return {project: Number(d.project), name: d.name ?? '', item: Number(d.item ?? 0), person: d.person ?? ''}; };

// Time spent: while the page is in front and somebody does something.
const tick = () => {
  const now = performance.now();
  if (!document.hidden && now - seen < IDLE_MS) active += now - since;
  since = now;
};
for (const name of ['keydown', 'pointermove', 'pointerdown', 'wheel']) on(document, name, () => { tick(); seen = performance.now(); }, true);

const send = () => {
  if (!pending) return;
  clearTimeout(timer);
  timer = setTimeout(() => { note('Not saved yet: trying again …'); send(); }, AGAIN_MS);
  trigger(pending.event, pending.told);
};
const say = (event, told) => {
  if (pending) return;
  pending = {event, told: {...told, uid: uid()}};
  write(localStorage, PENDING, pending);
  show(); send();
};
const acts = {
  submit: () => {
    if (!draft.chosen || !data().item || pending) return;
    tick();
    const {chosen, reasons, corrected = '', note: words = '', left} = draft;
    say('submit', {...where(), kind: data().kind, chosen, reasons, corrected, note: words, left, truth: draft.sawTruth, guideline: Number(data().guideline), active_ms: Math.round(active)});
  },
  skip: () => { if (data().item) say('skip', where()); },
  undo: () => { if (data().person) say('undo', where()); },
  back: () => { if (data().person) trigger('move', {...where(), step: 'back'}); },
  on: () => { if (data().person) trigger('move', {...where(), step: 'on'}); },
  truth: () => { if (data().item) { draft.sawTruth = true; keep(); trigger('truth', {...where(), step: 'here', truth: data().truth !== '1'}); } },
  left: () => { draft.left = !draft.left; keep(); show(); },
  guideline: () => { for (const name of ['a-hidden', 'a-shown']) document.querySelector('#a-side')?.classList.toggle(name); },  // small pages begin without it
  who: () => { document.querySelector('#a-who')?.classList.toggle('a-shown'); document.querySelector('#a-project input')?.focus(); },
  keys: () => { const d = document.querySelector('.a-keys'); if (d?.open) d.close(); else d?.showModal(); },
};
const choose = (grade) => { draft.chosen = grade; keep(); show(); };
const reason = (name) => {
  draft.reasons = draft.reasons.includes(name) ? draft.reasons.filter((r) => r !== name) : [...draft.reasons, name];
  keep(); show();
};
on(element, 'click', (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  if (button.dataset.grade) choose(button.dataset.grade);
  else if (button.dataset.reason) reason(button.dataset.reason);
  else acts[button.dataset.do]?.();
});
on(element, 'input', (event) => {
  const field = event.target.dataset?.field;
  if (field) { draft[field] = event.target.value; grow(event.target); keep(); }
});
const GRADES = {p: 'perfect', a: 'acceptable', m: 'missing', x: 'incorrect', 1: 'perfect', 2: 'acceptable', 3: 'missing', 4: 'incorrect'};
const WINNERS = {1: 'a', 2: 'b', 3: 'tie', 4: 'both bad', a: 'a', b: 'b'};
const REASONS = {e: 'wrong entity', f: 'wrong fact', g: 'not grounded', n: 'not answering', v: 'unsafe', q: 'bad question', b: 'bad ground truth'};
const MOVES = {s: 'skip', u: 'undo', t: 'truth', l: 'left', h: 'guideline', '?': 'keys', arrowleft: 'back', arrowright: 'on', enter: 'submit'};
on(document, 'keydown', (event) => {
  if (!element.checkVisibility() || !work() || event.isComposing || event.altKey) return;
  const typing = event.target.closest?.('input, textarea, select, [contenteditable], [role=combobox], [role=listbox]');
  const key = event.key.toLowerCase();
  if (typing) {
    if (event.key === 'Escape') event.target.blur();
    else if (key === 'enter' && (event.ctrlKey || event.metaKey) && element.contains(event.target)) { event.preventDefault(); event.target.blur(); acts.submit(); }
    return;
  }
  if (event.ctrlKey || event.metaKey) return;
  if (document.querySelector('dialog[open]')) { if (key === '?') { event.preventDefault(); acts.keys(); } return; }
  if (key === 'enter' && event.target.closest?.('button, summary, a') && !event.target.closest('[data-grade], [data-reason]')) return;
  const pair = data().kind === 'pair', field = {c: 'corrected', o: 'note'}[key];
  const grade = (pair ? WINNERS : GRADES)[key];
  if (event.repeat && key !== 'arrowleft' && key !== 'arrowright') return;
  if (grade && data().item) choose(grade);
  else if (!pair && REASONS[key] && data().item) reason(REASONS[key]);
  else if (field && element.querySelector(`[data-field="${field}"]`)) element.querySelector(`[data-field="${field}"]`).focus();
  else if (MOVES[key]) acts[MOVES[key]]();
  else return;
  event.preventDefault();
});

let folds = new Set();
on(element, 'toggle', (event) => {
  const name = event.target.dataset?.fold;
  if (name && event.target.isConnected) { if (event.target.open) folds.add(name); else folds.delete(name); }
}, true);
// A page that is loaded anew goes on where it was, once it knows the projects, and says again what was not acknowledged.
let resumed = false;
const resume = () => {
  const last = read(localStorage, WHERE);
  if (resumed || !last) return;
  resumed = true;
  if (pending) send(); else trigger('open', {project: last.project, person: last.person});
};
const drawn = () => {
  const d = data();
  if (d.state === 'none') resume();
  for (const name of folds) { const fold = element.querySelector(`[data-fold="${name}"]`); if (fold) fold.open = true; }
  if (pending && d.ack === pending.told.uid) {
    clearTimeout(timer);
    pending = null;
    write(localStorage, PENDING, null);
    write(sessionStorage, DRAFT, null);
    draft = {};
  }
  if (d.person) write(localStorage, WHERE, {project: Number(d.project), person: d.person});
  if (d.item && draft.item !== key()) {
    const kept = read(sessionStorage, DRAFT);
    draft = kept?.item === key() ? kept : fresh();
    active = 0; since = seen = performance.now();
    element.querySelector('.a-case')?.scrollTo(0, 0);
    if (document.activeElement?.closest('#a-who')) document.activeElement.blur();
    document.querySelector('#a-who')?.classList.remove('a-shown');
  }
  if (d.item && d.truth === '1') draft.sawTruth = true;
  show();
};
watch('value', drawn);
drawn();  // it may have come before this script
on(life.signal, 'abort', () => clearTimeout(timer));
