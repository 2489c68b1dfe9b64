// The panel "Compare settings". Runs once for each part of the panel; `element`, `trigger` and `watch` are gradio's.
const $ = (what) => element.querySelector(what);
const REST_MS = 350;

if (element.closest('#duel-desk')) {
  let later = 0, busy = false, shown = '';
  const values = () => ({
    question: $('[data-question]').value,
    level: Number($('[data-level]').value),
    rivals: $('[data-rivals]').value,
  });
  const ask = () => {
    clearTimeout(later);
    busy = false;
    for (const chip of element.querySelectorAll('[data-duel-ask]')) chip.hidden = chip.dataset.duelAsk === values().question;
    trigger('ask', values());
  };
  const at = (slider) => {
    slider.closest('label').querySelector('output').textContent = `${slider.value} %`;
    slider.setAttribute('aria-valuetext', `${slider.value} % of the light taken away`);
  };
  element.addEventListener('input', (event) => {
    if (!event.target.matches('[data-level]')) return;
    at(event.target);
    trigger('dim', values());
    busy = true;
    clearTimeout(later);
    later = setTimeout(() => { busy = false; if (values().question.trim()) ask(); }, REST_MS);
  });
  element.addEventListener('change', (event) => {
    if (!event.target.matches('[data-rivals]')) return;
    trigger('choose', values());
    if (values().question.trim()) setTimeout(ask, 150); // after the choice is known there
  });
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing || !event.target.matches('[data-question]')) return;
    event.preventDefault();
    ask();
  });
  element.addEventListener('click', (event) => {
    const d = event.target.closest('button')?.dataset;
    if (!d) return;
    if (d.duelAsk) $('[data-question]').value = d.duelAsk;
    if (d.duelAsk || 'go' in d) ask();
  });
  // The panel comes into view, or another picture does.
  const look = () => { if (!busy && element.checkVisibility()) trigger('seen', values()); };
  const first = new IntersectionObserver((entries) => {
    if (entries.some((e) => e.isIntersecting)) { first.disconnect(); look(); }
  });
  first.observe(element);
  const asTaken = () => (document.querySelector('#frame .v-before') ?? document.querySelector('#frame .v-glass img'))?.src ?? '';
  shown = asTaken();
  let change = 0;
  new MutationObserver(() => {
    if (document.querySelector('#frame .v-previewing')) return;
    clearTimeout(change);
    change = setTimeout(() => {
      if (asTaken() === shown) return;
      shown = asTaken();
      look();
    }, 120);
  }).observe(document.body, {childList: true, subtree: true, attributes: true, attributeFilter: ['src']});
}

if (element.closest('#duel-board')) {
  let focused = '';
  element.addEventListener('focusin', (event) => { focused = event.target.dataset?.key ?? ''; });
  element.addEventListener('focusout', (event) => { if (event.relatedTarget) focused = ''; });
  element.addEventListener('click', (event) => {
    const d = event.target.closest('button')?.dataset;
    if (!d) return;
    if (d.score) trigger('score', {score: Number(d.score), side: Number(d.side)});
    else if ('clear' in d) trigger('clear', {});
  });
  watch('value', () => {
    const lost = !document.activeElement || document.activeElement === document.body;
    if (focused && lost) element.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({preventScroll: true});
  });
}
