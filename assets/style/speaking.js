// Reads answers aloud in the browser that asked: plays the clips that the server feeds, in order and one at a time, and
// asks for a new answer to be read when the switch is on. `element`, `trigger` and `watch` are gradio's; `element` holds
// the feed. Runs once; a second run takes the place of the first.
window.vitrineSpeaking?.abort();
const life = window.vitrineSpeaking = new AbortController();
const on = (target, name, what, capture = false) => target.addEventListener(name, what, {signal: life.signal, capture});
const find = (selector) => document.querySelector(selector);
const SILENCE = 'data:audio/wav;base64,UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==';
const KEPT = 'vitrine-read-aloud';
let token = '', turn = 0, taken = 0, ended = true, clips = [], playing = false, sentence = 0, unlocked = false;

const sound = () => find('#sound audio');
const wanted = () => find('#speak-on input')?.checked;
const note = (words) => { const p = find('#voice-note'); if (p) p.textContent = words; };

const show = () => {
  const button = find('#sound .v-hush'), style = find('#sound .v-said-now');
  if (button) button.hidden = !(playing || clips.length || !ended);
  if (style) style.textContent = playing && sentence > 0
    ? `#turn-${turn} .v-sentence[data-sentence="${sentence}"] { --said: color-mix(in srgb, var(--v-accent) 11%, transparent); background: var(--said); box-decoration-break: clone; border-radius: 3px; }`
    : '';
};
// Speed, volume and mute are this browser's own.
const SET = 'vitrine-voice';
const settings = () => { try { return JSON.parse(localStorage.getItem(SET)) ?? {}; } catch { return {}; } };
const apply = () => {
  const audio = sound(), {speed = 1, volume = 1, mute = false} = settings();
  if (audio) Object.assign(audio, {defaultPlaybackRate: speed, playbackRate: speed, volume, muted: mute});
};
const showSettings = () => {
  const kept = {speed: 1, volume: 1, mute: false, ...settings()};
  for (const part of document.querySelectorAll('[data-voice]')) {
    if (part.type === 'checkbox') part.checked = kept.mute;
    else if (part.tagName === 'SELECT') {
      if (kept.voice && [...part.options].some((option) => option.value === kept.voice)) part.value = kept.voice;
    } else if (part.type === 'range') {
      part.value = kept[part.dataset.voice];
      part.nextElementSibling.textContent = Number(part.value).toFixed(1);
    }
  }
};
on(document, 'input', (event) => {
  const part = event.target.closest?.('[data-voice]');
  if (!part) return;
  const value = part.type === 'checkbox' ? part.checked : part.tagName === 'SELECT' ? part.value : Number(part.value);
  try { localStorage.setItem(SET, JSON.stringify({...settings(), [part.dataset.voice]: value})); } catch { /* no storage */ }
  showSettings(); apply();
});
on(document, 'click', (event) => {
  if (event.target.closest?.('#voice-panel .label-wrap')) setTimeout(showSettings, 150);
  if (event.target.closest?.('[data-voice="try"]')) window.vitrine.voice.repeat();
});
const next = () => {
  const clip = clips.shift();
  playing = !!clip; sentence = clip?.sentence ?? 0;
  show();
  if (!clip) return;
  const audio = sound();
  audio.src = clip.src;
  apply();
  audio.play().catch((problem) => {
    if (problem.name !== 'NotAllowedError') return;  // an older clip that another took the place of
    hush();
    note('This browser plays no sound before the page is touched: press “Read aloud” under the answer.');
  });
};
const hush = () => {
  if (!ended) trigger('hush', {token});
  token = ''; clips = []; taken = 0; ended = true; playing = false;
  sound()?.pause();
  show();
};
// Somebody speaks: the voice waits, and goes on where it was nothing.
window.vitrine ??= {triggers: {}};
window.vitrine.voice = {
  on: () => playing || !ended,
  wait: () => { if (playing) sound()?.pause(); },
  goOn: () => { if (playing) sound()?.play().catch(() => {}); },
  hush: () => hush(),
  repeat: () => [...document.querySelectorAll('[data-speak]')].pop()?.click(),
};
const say = (number) => {
  hush();
  note('');
  ended = false; turn = number; token = Math.random().toString(36).slice(2);
  trigger('say', {number, token, voice: settings().voice ?? ''});
  show();
};

// Phones play sound only from an element that was started by a touch: it is started silently at the first one.
const unlock = () => {
  const audio = sound();
  if (unlocked || !audio || playing || !wanted()) return;
  unlocked = true;
  audio.src = SILENCE;
  audio.play().catch(() => { unlocked = false; });
};
for (const name of ['pointerup', 'keydown']) on(document, name, unlock);

on(document, 'click', (event) => {
  const button = event.target.closest?.('button');
  if (!button) return;
  if (button.dataset.speak) {
    const number = Number(button.dataset.speak);
    unlocked = true;
    if (number === turn && (playing || !ended)) hush(); else say(number);
  } else if (button.closest('#stop, #new, .v-hush')) hush();
});
// Before the page's other keys: Escape ends the voice first, and only then the answer or the stage view.
on(document, 'keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || find('dialog[open]')) return;
  if (event.key === 'Escape' && (playing || !ended)) { hush(); event.stopImmediatePropagation(); return; }
  if (event.key.toLowerCase() !== 'l' || event.target.closest?.('input, textarea, select')) return;
  const last = [...document.querySelectorAll('[data-speak]')].pop();
  if (playing || !ended) hush(); else if (last) last.click();
}, true);
on(document, 'ended', (event) => { if (event.target === sound() && playing) next(); }, true);
on(document, 'change', (event) => {
  if (!event.target.closest?.('#speak-on')) return;
  localStorage.setItem(KEPT, event.target.checked ? '1' : '');
  if (event.target.checked) { unlock(); trigger('prepare', {}); } else hush();
});
const restore = () => {
  const box = find('#speak-on input');
  if (box && !box.disabled && !box.checked && localStorage.getItem(KEPT)) box.click();
};
setTimeout(restore, 400);

// A new turn is read when the switch is on; one that a reload brought back is not: nobody has touched the page yet.
let newest = 0, touched = false;
for (const name of ['pointerdown', 'keydown']) on(document, name, () => { touched = true; }, true);
const look = () => {
  const shown = find('#current .v-turn'), number = shown ? Number(shown.id.split('-')[1]) : 0;
  if (number === newest) return;
  newest = number;
  if (!number || !touched) return;
  const aloud = wanted() || window.vitrine?.speakNext;
  if (window.vitrine) window.vitrine.speakNext = false;
  if (aloud) say(number); else hush();
};
look();
const page = new MutationObserver(look);
page.observe(document.body, {childList: true, subtree: true, attributes: true, attributeFilter: ['class', 'id']});
life.signal.addEventListener('abort', () => page.disconnect());

watch('value', () => {
  const head = element.querySelector('[data-reading]');
  if (!token || head?.dataset.reading !== token) return;
  const found = [...element.querySelectorAll('[data-src]')];
  for (; taken < found.length; taken++) {
    clips.push({src: found[taken].dataset.src, sentence: Number(found[taken].dataset.sentence)});
  }
  const end = element.querySelector('[data-end]');
  if (end) { ended = true; if (end.dataset.words) note(end.dataset.words); }
  if (!playing) next(); else show();
});
