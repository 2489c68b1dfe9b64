// The panel "Degrade image": sliders that degrade the picture in view, and the slider between before and after on it. Runs
// once for each part of the panel; `element`, `trigger` and `watch` are gradio's. While a slider moves, a small copy from
// the server is shown; once it rests, the server degrades the picture itself.
const REST_MS = 350, CALM_MS = 6000, NUDGE = 10;
const glass = () => document.querySelector('#frame .v-glass');
const shownPicture = () => glass()?.querySelector('img:not(.v-before)');
const all = (what) => [...element.querySelectorAll(what)];
let later = 0, busy = false, last = shownPicture()?.src ?? '';
const original = () => glass()?.closest('[data-original]')?.dataset.original ?? '';

const values = () => ({
  severities: Object.fromEntries(all('[data-kind]').map((s) => [s.dataset.kind, Number(s.value)])),
  seed: Math.min(9999, Math.max(0, Math.round(Number(element.querySelector('[data-seed]').value) || 0))),
  follow: element.querySelector('[data-follow]').checked,
});
const label = (slider) => {
  slider.closest('label').querySelector('output').textContent = `${slider.value} %`;
  slider.setAttribute('aria-valuetext', `${slider.value} %`);
};
const moved = () => {
  if (!shownPicture()) return;
  busy = window.vitrine.previewing = true;
  const of = original(); // the server may have another picture by the time it hears of this
  trigger('preview', {...values(), of});
  clearTimeout(later);
  later = setTimeout(() => {
    window.vitrine.calmUntil = performance.now() + CALM_MS; // the answer that follows does not take the page to itself
    trigger('commit', {...values(), of});
    busy = false;
  }, REST_MS);
};

if (element.querySelector('[data-kind]')) {
  const first = new IntersectionObserver((entries) => {
    if (!entries.some((e) => e.isIntersecting)) return;
    first.disconnect();
    if (!busy) trigger('seen', {});
  });
  first.observe(element);
  element.addEventListener('input', (event) => {
    if (event.target.matches('[data-kind]')) label(event.target);
    if (event.target.matches('[data-kind], [data-seed]')) moved();
  });
  element.addEventListener('click', (event) => {
    const d = event.target.closest('button')?.dataset;
    if (!d) return;
    if ('reset' in d) for (const slider of all('[data-kind]')) { slider.value = 0; label(slider); }
    if ('roll' in d) element.querySelector('[data-seed]').value = 1 + Math.floor(Math.random() * 999);
    moved();
  });
  // Another picture is as it was taken.
  new MutationObserver(() => {
    const now = glass()?.querySelector('.v-before') ? last : shownPicture()?.src ?? '';
    if (now === last) return;
    last = now;
    clearTimeout(later); // what was moved was meant for the picture before
    busy = window.vitrine.previewing = false;
    for (const slider of all('[data-kind]')) { slider.value = 0; label(slider); }
    if (document.querySelector('#lights-says .v-notice')) trigger('seen', {});
  }).observe(document.body, {childList: true, subtree: true});
}

// The small copy takes the picture's place until the whole one comes.
if (element.closest('#lights-preview')) {
  watch('value', () => {
    const small = element.querySelector('img')?.src, picture = shownPicture();
    if (!small) window.vitrine.previewing = false; // the whole picture is there
    if (!small || !picture || !window.vitrine.previewing) return; // a small copy may come late
    if (!glass().querySelector('.v-before')) {
      const before = Object.assign(new Image(), {className: 'v-before', src: picture.src, alt: '', draggable: false});
      picture.after(before, Object.assign(document.createElement('i'), {className: 'v-wipe-line'}));
    }
    picture.src = small;
    glass().classList.add('v-previewing');
  });

  // [ and ] dim and light from anywhere, the stage view too.
  const dim = (by, tries = 0) => {
    const slider = document.querySelector('#lights [data-kind="low light"]');
    if (!slider) { // the panel was never opened, so its parts are not there yet
      if (tries === 0) document.querySelector('#lights button')?.click();
      if (tries < 40) setTimeout(() => dim(by, tries + 1), 50);
      return;
    }
    slider.value = Number(slider.value) + by;
    slider.dispatchEvent(new Event('input', {bubbles: true}));
    window.vitrine.say?.(`Low light ${slider.value} %`);
  };
  document.addEventListener('keydown', (event) => {
    if (!['[', ']'].includes(event.key) || event.ctrlKey || event.metaKey || document.querySelector('dialog[open]')) return;
    if (event.target.closest?.('textarea, select, [contenteditable="true"], input:not([type=range])')) return;
    if (!shownPicture()) return;
    event.preventDefault();
    dim(event.key === '[' ? NUDGE : -NUDGE);
  });

  // Before and after: where the slider stands holds for every drawing of the frame.
  let at = 50;
  const place = () => document.documentElement.style.setProperty('--v-wipe', `${at}%`);
  place();
  document.addEventListener('input', (event) => {
    if (!event.target.matches?.('[data-wipe]')) return;
    at = Number(event.target.value);
    place();
  });
  new MutationObserver(() => {
    const slider = document.querySelector('#frame [data-wipe]');
    if (slider && Number(slider.value) !== at) slider.value = at;
  }).observe(document.body, {childList: true, subtree: true});
}
