// Runs once for each part of the eval tab that has buttons of ours; `element`, `trigger` and `watch` are gradio's. Hands
// clicks and chosen turns to the server, keeps focus and open folds when a part is drawn anew, goes through the list of
// turns by keyboard, and keeps the address in step with the run that is shown, so that a reloaded page shows it again.
const bench = (window.vitrineBench ??= {});
const act = (data) => trigger('act', {act: data.act ?? '', value: data.value ?? ''});
element.addEventListener('click', (event) => {
  const button = event.target.closest('button, [data-row]');
  if (!button || !element.contains(button)) return;
  const d = button.dataset;
  if (d.step) bench.step?.(Number(d.step));
  else if (d.row !== undefined) choose(Number(d.row));
  else if (d.act === 'list') document.getElementById('b-rows')?.scrollIntoView({block: 'start'});
  else if (d.act) act(d);
});

// The list of turns: what is chosen is marked at once, what it says comes from the server.
const list = () => element.querySelector('.b-rows');
const mark = (position) => {
  for (const row of element.querySelectorAll('[data-row]')) {
    const chosen = Number(row.dataset.row) === position;
    row.setAttribute('aria-selected', String(chosen));
    row.tabIndex = chosen ? 0 : -1;
    if (chosen) row.scrollIntoView({block: 'nearest'});
  }
};
const choose = (position) => {
  const rows = list();
  if (!rows || position < 0 || position >= Number(rows.dataset.total)) return;
  bench.position = position;
  mark(position);
  if (innerWidth < 900) bench.toSample = true;
  if (!bench.busy) bench.ask();
};
if (element.closest('#b-rows')) {
  bench.position = -1;
  // One turn is asked for at a time; when it comes and another was chosen meanwhile, that one is asked for.
  bench.ask = () => {
    bench.busy = true;
    clearTimeout(bench.patience);
    bench.patience = setTimeout(() => { bench.busy = false; }, 4000);
    trigger('open', {position: bench.position, first: Number(list()?.dataset.first ?? -1)});
  };
  bench.step = (by) => {
    const rows = list();
    if (rows?.checkVisibility()) choose(bench.position < 0 ? Number(rows.dataset.first) : bench.position + by);
  };
}
const isTyping = (target) => target.closest?.('input, textarea, select, [contenteditable], [role=combobox]');
if (!bench.keys) {
  bench.keys = true;
  addEventListener('keydown', (event) => {
    if (!document.getElementById('b-page') || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const search = document.querySelector('#b-search input, #b-search textarea');
    if (isTyping(event.target)) {
      if (event.key === 'Escape') event.target.blur();
      return;
    }
    const steps = {j: 1, ArrowDown: 1, k: -1, ArrowUp: -1};
    const rows = document.querySelector('.b-rows');
    const inList = rows?.checkVisibility();
    const arrowsAreTaken = event.key.startsWith('Arrow') && event.target.closest?.('[role=tab], pre');
    if (event.key in steps && inList && !arrowsAreTaken) {
      event.preventDefault();
      bench.step?.(steps[event.key]);
    } else if (event.key === '/' && search?.checkVisibility()) {
      event.preventDefault();
      search.focus();
    }
    if (['f', 'm', '/', '?'].includes(event.key.toLowerCase())) event.stopImmediatePropagation(); // keys of the live page
  }, true);
}

// Drawn anew, everything in it is another element: the one with the same key takes over.
let focused = '';
const open = new Map();
element.addEventListener('focusin', (event) => { focused = event.target.closest('[data-key]')?.dataset.key ?? ''; });
element.addEventListener('focusout', (event) => { if (event.relatedTarget) focused = ''; });
element.addEventListener('toggle', (event) => {
  const key = event.target.dataset?.key;
  if (key && event.target.isConnected) open.set(key, event.target.open);
}, true);
const settle = () => {
  for (const [key, isOpen] of open) {
    const fold = element.querySelector(`details[data-key="${CSS.escape(key)}"]`);
    if (fold) fold.open = isOpen;
  }
  const lost = !document.activeElement || document.activeElement === document.body;
  if (focused && lost) element.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({preventScroll: true});
  const shown = element.querySelector('[data-hash]')?.dataset.hash;
  if (shown !== undefined && location.hash.slice(1) !== shown) {
    history.replaceState(null, '', location.pathname + location.search + (shown && `#${shown}`)); // not by the page's base
  }
  const chosen = element.querySelector('[data-row][aria-selected=true]');
  if (chosen) { bench.position = Number(chosen.dataset.row); mark(bench.position); }
  else if (list() && !element.querySelector(`[data-row="${bench.position}"]`)) bench.position = -1;
  const came = element.closest('#b-sample') && element.querySelector('[data-position]');
  if (came) {
    if (Number(came.dataset.position) !== bench.position && bench.position >= 0) bench.ask?.();
    else if (came.dataset.whole) bench.busy = false;
  }
  if (element.closest('#b-sample') && bench.toSample) {
    bench.toSample = false;
    element.scrollIntoView({block: 'start'});
  }
};
watch('value', settle);
settle();
