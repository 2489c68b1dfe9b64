// What the page does without the server: keys, stage view, links between sentences and cards, copying, the one live
// region, dialogs, and a banner while the connection is lost. Everything is delegated from the document, because the
// parts of the page are drawn anew all the time.
(() => {
  const vitrine = (window.vitrine ??= {triggers: {}});
  const $ = (selector, root = document) => root.querySelector(selector);
  const isTyping = (target) => target.closest?.('input, textarea, select, [contenteditable="true"]');
  const question = () => $('#question textarea');

  // One live region that stays: screen readers do not speak regions that come and go.
  const region = document.createElement('div');
  region.className = 'v-sr';
  region.id = 'v-live';
  region.setAttribute('role', 'status');
  region.setAttribute('aria-live', 'polite');
  const say = (vitrine.say = (words) => { if (words) region.textContent = words; });
  const announcer = new MutationObserver(() => {
    const words = $('#announcer .v-announced')?.textContent ?? '';
    if (words !== announcer.last) { announcer.last = words; say(words); }
  });

  // Sentences, cards and outlines that speak of the same piece light up together.
  const light = (source) => {
    for (const lit of document.querySelectorAll('.v-lit')) lit.classList.remove('v-lit');
    const words = source?.dataset.links?.split(' ').filter(Boolean) ?? [];
    for (const word of words)
      for (const part of document.querySelectorAll(`[data-links~="${CSS.escape(word)}"]`)) part.classList.add('v-lit');
  };
  const linked = (event) => event.target.closest?.('[data-links]');
  for (const name of ['mouseover', 'focusin']) document.addEventListener(name, (event) => light(linked(event)));
  document.addEventListener('click', (event) => { if (linked(event)) light(linked(event)); });

  // A panel that is opened comes into view; what is in it begins to work when it is seen.
  document.addEventListener('click', (event) => {
    const panel = event.target.closest?.('#wide > *, #drawers > *');
    if (!panel || !event.target.closest('.label-wrap')) return;
    setTimeout(() => {
      if (!$('.label-wrap.open', panel)) return;
      const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
      panel.scrollIntoView({block: panel.offsetHeight > innerHeight * 0.8 ? 'start' : 'nearest', behavior: still ? 'auto' : 'smooth'});
    }, 120);
  });

  // A button that opens a panel: as if its own label had been pressed, and the focus goes there.
  const open = (id) => {
    const label = $(`#${CSS.escape(id)} .label-wrap`);
    if (!label) return;
    stage(false);
    if (!label.classList.contains('open')) label.click();
    else label.scrollIntoView({block: 'nearest'});
    label.focus();
  };

  // Copy
  const copy = async (button) => {
    const answer = button.closest('.v-said')?.querySelector('.v-answer')?.cloneNode(true);
    answer?.querySelectorAll('.v-cite, .v-placed').forEach((part) => part.remove());
    answer?.querySelectorAll('p').forEach((part) => part.append(' '));
    const words = answer?.textContent.replace(/\s+/g, ' ').trim() ?? '';
    try {
      await navigator.clipboard.writeText(words);
    } catch { // no permission, or a page without https
      const box = document.body.appendChild(Object.assign(document.createElement('textarea'), {value: words}));
      box.select();
      document.execCommand('copy');
      box.remove();
    }
    const before = button.textContent;
    button.textContent = 'Copied';
    say('Copied');
    setTimeout(() => { button.textContent = before; }, 1600);
  };

  // Dialogs: one native dialog that shows a part of the page; Escape and the ground around it close it.
  const dialog = document.createElement('dialog');
  dialog.className = 'v-dialog';
  let opener = null;
  vitrine.show = (part) => {
    opener = document.activeElement;
    dialog.setAttribute('aria-label', part.getAttribute('aria-label') ?? '');
    dialog.replaceChildren(part.cloneNode(true));
    if (!dialog.open) dialog.showModal();
  };
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog || event.target.closest('[data-close]')) dialog.close();
  });
  dialog.addEventListener('close', () => { dialog.replaceChildren(); opener?.isConnected && opener.focus(); });

  // A state of the page is a class on the body, and on what gradio puts our parts into: it hands our style sheet on
  // with every selector under that, and inside media queries only so.
  const state = (vitrine.state = (name, on) => {
    document.body.classList.toggle(name, on);
    for (const part of document.querySelectorAll('.contain > *')) part.classList.toggle(name, on);
  });

  // Stage view, with a way out that a finger finds
  const out = Object.assign(document.createElement('button'), {type: 'button', id: 'v-stage-out', textContent: 'Leave stage view'});
  out.addEventListener('click', () => stage(false));
  const stage = (on) => {
    if (on === document.body.classList.contains('v-stage')) return;
    state('v-stage', on);
    for (const button of document.querySelectorAll('[data-stage]')) button.setAttribute('aria-pressed', String(on));
    if (on) document.activeElement?.blur();
    scrollTo({top: 0});
    say(on ? 'Stage view. Escape leaves it.' : 'Stage view ended');
  };

  const keys = () => {
    const list = $('#keys .v-keys-list');
    if (list) vitrine.show(list);
  };

  document.addEventListener('click', (event) => {
    const button = event.target.closest?.('button');
    for (const menu of document.querySelectorAll('.v-menu[open], .v-badge[open]'))
      if (!menu.contains(event.target) || (button && menu.classList.contains('v-menu'))) menu.open = false;
    if (!button) return;
    if ('copy' in button.dataset) copy(button);
    else if ('open' in button.dataset) open(button.dataset.open);
    else if ('stage' in button.dataset) stage(!document.body.classList.contains('v-stage'));
    else if ('skip' in button.dataset) question()?.focus();
    else if ('keys' in button.dataset) keys();
  });

  document.addEventListener('keydown', (event) => {
    if (!$('#talk') || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || dialog.open) return;  // other pages have keys of their own
    const key = event.key.toLowerCase();
    if (key === 'escape') {
      const menu = event.target.closest?.('.v-menu[open], .v-badge[open]');
      if (menu) { menu.open = false; $('summary', menu).focus(); }
      else if (isTyping(event.target)) event.target.blur();
      else if (document.body.classList.contains('v-stage')) stage(false);
      else if ($('#stop')?.checkVisibility()) $('#stop').click();
      return;
    }
    if (isTyping(event.target)) return;
    const act = {
      f: () => stage(!document.body.classList.contains('v-stage')),
      '/': () => question()?.focus(),
      m: () => $('[data-mark]')?.checkVisibility() && $('[data-mark]').click(),
      '?': keys,
    }[key];
    if (act) { event.preventDefault(); act(); }
  });

  // The connection: a request that cannot reach the server is told, and the page comes back by itself.
  const banner = document.createElement('div');
  banner.id = 'v-offline';
  banner.setAttribute('role', 'alert');
  banner.hidden = true;
  const quiet = document.createElement('style'); // gradio says the same in a corner of its own, over this one
  quiet.textContent = '.toast-wrap { display: none !important; }';
  let waiting = false;
  const address = () => new URL('gradio_api/app_id', document.baseURI);
  const lost = async () => {
    if (waiting) return;
    waiting = true;
    banner.hidden = false;
    banner.after(quiet);
    document.querySelectorAll('.v-turn--asked').forEach((turn) => turn.remove()); // its words are in the box
    banner.textContent = 'The connection to Vitrine is lost; trying to reach it. The conversation is kept as long as the server runs.';
    for (let n = 0; ; n++) {
      await new Promise((done) => setTimeout(done, Math.min(1000 + 500 * n, 5000)));
      try {
        if ((await reach(address(), {cache: 'no-store'})).status < 500) break;
      } catch { /* not yet */ }
    }
    location.reload();
  };
  const reach = window.fetch.bind(window);
  window.fetch = async (...request) => {
    try {
      return await reach(...request);
    } catch (problem) {
      const address = new URL(request[0]?.url ?? request[0], document.baseURI);
      const ours = address.origin === location.origin;
      if (ours && problem.name === 'TypeError' && !leaving) lost();
      throw problem;
    }
  };
  let leaving = false;
  for (const name of ['pagehide', 'beforeunload']) addEventListener(name, () => { leaving = true; });
  addEventListener('pageshow', () => { leaving = false; });
  addEventListener('pagehide', () => { // whoever reloads, this page or gradio in it
    if (!waiting) return;
    try { sessionStorage.setItem('vitrine-draft', question()?.value ?? ''); } catch { /* no storage: no draft */ }
  });
  addEventListener('offline', lost);
  setInterval(() => {
    if (document.visibilityState === 'visible' && !waiting) reach(address(), {cache: 'no-store'}).catch(lost);
  }, 10_000);

  // gradio may draw the box once more before it listens to it, so the words are put back until they stay.
  const bringBack = () => {
    let draft = null;
    try { draft = sessionStorage.getItem('vitrine-draft'); sessionStorage.removeItem('vitrine-draft'); } catch { /* none */ }
    if (!draft) return;
    let tries = 0;
    const put = () => {
      const box = question();
      if (box && !box.value) { box.value = draft; box.dispatchEvent(new Event('input', {bubbles: true})); }
      if (++tries < 12) setTimeout(put, 250);
    };
    for (const name of ['keydown', 'pointerdown']) addEventListener(name, () => { tries = 99; }, {once: true, capture: true});
    put();
  };

  const begin = () => {
    document.body.append(region, dialog, banner, out);
    announcer.observe(document.body, {childList: true, subtree: true, characterData: true});
    bringBack();
  };
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', begin);
  else begin(); // gradio may put what stands in the head there late
})();
