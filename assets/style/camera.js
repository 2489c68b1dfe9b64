// The camera: stays open while questions are asked and answered. Each question takes the sharpest frame of the second
// before it ended; a few frames wait here in the browser and nothing leaves it before a question does. `element` and
// `trigger` are gradio's. Runs once; a second run takes the place of the first.
window.vitrineCamera?.abort();
const life = window.vitrineCamera = new AbortController();
const on = (target, name, what, more = {}) => target.addEventListener(name, what, {signal: life.signal, ...more});
const find = (selector) => element.querySelector(selector);
const vitrine = (window.vitrine ??= {triggers: {}});
const KEPT = 'vitrine-camera', EVERY_MS = 110, BEFORE_MS = 1000, FRAMES = 9, FIRST_MS = 2500;
const WHY = {
  NotAllowedError: 'The camera is blocked for this page: allow it in the address bar of the browser, then start it again. A picture can be chosen, pasted or dropped as well.',
  NotFoundError: 'No camera was found: plug one in, or choose a picture.',
  NotReadableError: 'The camera is in use by another program: close that, then start it again.',
  OverconstrainedError: 'That camera is gone: start again to take another one.',
};
const INSECURE = 'Browsers give the camera only to pages from https or from this machine itself: start Vitrine with --https, or choose a picture.';
let stream = null, which = null, timer = 0, ring = [], pinned = null, going = 0;
const video = () => find('video');
const camera = () => find('.v-camera');
const live = () => camera()?.dataset.state === 'live';
const held = () => camera()?.dataset.held === 'yes';

const note = (words) => { find('.v-camera-note').textContent = words; };
const become = (state, words = '') => {
  camera().dataset.state = state;
  note(words);
  vitrine.state?.('v-camera-on', state === 'live' || state === 'starting' || state === 'lost');
};
const keep = (wanted) => { try { localStorage.setItem(KEPT, wanted); } catch { /* no storage: not remembered */ } };
const close = () => {
  clearInterval(timer);
  stream?.getTracks().forEach((track) => { track.onended = null; track.stop(); });
  stream = null; ring = []; pinned = null;
  if (video()) video().srcObject = null;
};

// How sharp a small copy is: the variance of its Laplacian.
const small = Object.assign(document.createElement('canvas'), {width: 160, height: 120});
const sharpness = () => {
  const c = small.getContext('2d', {willReadFrequently: true});
  c.drawImage(video(), 0, 0, 160, 120);
  const p = c.getImageData(0, 0, 160, 120).data, grey = new Float32Array(160 * 120);
  for (let i = 0; i < grey.length; i++) grey[i] = 0.3 * p[4 * i] + 0.59 * p[4 * i + 1] + 0.11 * p[4 * i + 2];
  let sum = 0, squares = 0, n = 0;
  for (let y = 1; y < 119; y++) for (let x = 1; x < 159; x++) {
    const i = 160 * y + x, v = 4 * grey[i] - grey[i - 1] - grey[i + 1] - grey[i - 160] - grey[i + 160];
    sum += v; squares += v * v; n++;
  }
  return squares / n - (sum / n) ** 2;
};
const look = () => {
  const v = video();
  if (!v || v.readyState < 2 || !v.videoWidth || document.hidden) return;
  const taken = ring.length >= FRAMES ? ring.shift() : {canvas: document.createElement('canvas')};
  if (taken.canvas.width !== v.videoWidth || taken.canvas.height !== v.videoHeight)
    Object.assign(taken.canvas, {width: v.videoWidth, height: v.videoHeight});
  taken.canvas.getContext('2d').drawImage(v, 0, 0);
  ring.push(Object.assign(taken, {at: performance.now(), sharp: sharpness()}));
};
const sharpest = (ended) => {
  const before = ring.filter((f) => f.at <= ended && f.at >= ended - BEFORE_MS);
  const best = Math.max(...before.map((f) => f.sharp));
  return before.findLast((f) => f.sharp >= 0.95 * best) ?? ring.at(-1);  // the newest of those as sharp
};
const encoded = (frame, ended) => new Promise((done) => {
  const age = Math.max(0, Math.round(ended - frame.at));
  frame.canvas.toBlob((blob) => {
    const reader = new FileReader();
    reader.onload = () => done(`${age};${reader.result}`);
    reader.onerror = () => done('');
    reader.readAsDataURL(blob);
  }, 'image/jpeg', 0.92);
});
// The frame of a question that ended at `ended`: "AGE in ms;DATA URL", "" where the camera is off or a picture is held.
const take = async (ended) => {
  const until = performance.now() + FIRST_MS;
  while (live() && !ring.length && performance.now() < until) await new Promise((done) => setTimeout(done, 50));
  const frame = sharpest(ended);
  return frame ? encoded(frame, ended) : '';
};
vitrine.pin = () => { pinned = live() && !held() ? take(performance.now()) : null; };  // a spoken question has ended
vitrine.moment = async () => {
  if (!live() || held()) return '';
  const mine = pinned ?? take(performance.now());
  pinned = null;
  return mine;
};
vitrine.glimpse = () => {  // what is on its way, small
  const {canvas} = (live() && !held() && ring.at(-1)) || {};
  if (!canvas) return undefined;
  const copy = Object.assign(document.createElement('canvas'), {width: 112, height: Math.round(112 * canvas.height / canvas.width)});
  copy.getContext('2d').drawImage(canvas, 0, 0, copy.width, copy.height);
  return {src: copy.toDataURL('image/jpeg', 0.8)};
};
vitrine.unpin = () => { pinned = null; };

// A caption of what is recognised and read now: the next picture goes when the words about the last have come, so that a
// slow machine is never behind; while a question is answered it waits.
const CAPTION = 'vitrine-caption', REST_MS = 700, LATE_MS = 20_000;
let captioned = false, awaited = '', since = 0;
const shown = () => document.querySelector('#caption');
const tellCaption = (wanted) => {
  captioned = wanted;
  find('[data-camera="caption"]').setAttribute('aria-pressed', wanted ? 'true' : 'false');
  vitrine.state?.('v-captioned', wanted);
  try { localStorage.setItem(CAPTION, wanted ? 'on' : ''); } catch { /* no storage */ }
};
const caption = async () => {
  if (awaited && document.querySelector('#caption [data-caption]')?.dataset.caption === awaited) awaited = '';
  if (!captioned || !live() || held() || document.hidden || document.querySelector('#stop')?.checkVisibility()) return;
  if (awaited && performance.now() - since < LATE_MS) return;
  awaited = Math.random().toString(36).slice(2); since = performance.now();
  const token = awaited, moment = await take(performance.now());
  if (moment) trigger('caption', {token, moment}); else awaited = '';
};
const captions = setInterval(caption, REST_MS);
on(life.signal, 'abort', () => clearInterval(captions));
const toggleCaption = () => tellCaption(!captioned);

const cameras = async () => (await navigator.mediaDevices.enumerateDevices()).filter((d) => d.kind === 'videoinput');
const start = async () => {
  if (!navigator.mediaDevices?.getUserMedia) { become('off', INSECURE); return; }
  const mine = ++going;
  close();
  become('starting', 'Allow the camera, if the browser asks.');
  const size = {width: {ideal: 1280}, height: {ideal: 960}};
  const source = which ? {deviceId: {exact: which}} : {facingMode: {ideal: 'environment'}};
  try {
    const opened = await navigator.mediaDevices.getUserMedia({video: {...size, ...source}});
    if (mine !== going) { opened.getTracks().forEach((track) => track.stop()); return; }
    stream = opened;
  } catch (problem) {
    if (mine !== going) return;
    which = null;
    become('off', WHY[problem.name] ?? 'The camera could not be opened: choose a picture instead.');
    return;
  }
  const [track] = stream.getVideoTracks();
  which = track.getSettings?.().deviceId ?? which;
  track.onended = () => { if (mine === going) lose(); };
  video().srcObject = stream;
  await video().play().catch(() => {});
  if (mine !== going) return;
  clearInterval(timer);
  timer = setInterval(look, EVERY_MS);
  become('live');
  keep('on');
  const found = await cameras().catch(() => []);
  find('[data-camera="turn"]').hidden = found.length < 2;
};
const lose = () => {
  close();
  become('lost', 'The camera is gone. Plug it in again, or choose a picture.');
};
const stop = () => { going++; close(); become('off'); release(); keep('off'); };
const turn = async () => {
  const found = (await cameras()).map((d) => d.deviceId);
  which = found[(found.indexOf(which) + 1) % found.length] ?? null;
  start();
};
const nameHold = (button, short, rest) => {
  const long = Object.assign(document.createElement('span'), {className: 'v-long', textContent: rest});
  button.setAttribute('aria-label', short + rest);
  button.replaceChildren(short, long);
};
const release = () => {
  camera().dataset.held = 'no';
  if (stream) video().play().catch(() => {});
  const button = find('[data-camera="hold"]');
  button.setAttribute('aria-pressed', 'false');
  nameHold(button, 'Hold', ' this picture');
};
const hold = async () => {
  if (held()) { release(); note(''); return; }
  if (!live()) return;
  const moment = await take(performance.now());
  if (!moment) return;
  camera().dataset.held = 'yes';
  video().pause();
  const button = find('[data-camera="hold"]');
  button.setAttribute('aria-pressed', 'true');
  nameHold(button, 'Go on', ' with the camera');
  note('Held: questions are about this picture until you go on.');
  trigger('hold', {moment});
};

on(element, 'click', (event) => {
  const act = event.target.closest('button')?.dataset.camera;
  ({start, stop, turn, hold, caption: toggleCaption})[act]?.();
});
on(document, 'keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || document.querySelector('dialog[open]')) return;
  if (event.target.closest?.('input, textarea, select')) return;
  if (event.key.toLowerCase() === 'c') { event.preventDefault(); if (stream) stop(); else start(); }
  if (event.key.toLowerCase() === 'h' && live()) { event.preventDefault(); hold(); }
});
// An example or a file takes the camera's place until it is started again.
vitrine.stopCamera = () => { if (stream) stop(); };
on(document, 'click', (event) => {
  if (event.target.closest?.('[data-example], [data-event="sample"]')) vitrine.stopCamera();
});
// Asleep, or another tab in front: what the browser took away comes back with the page.
on(document, 'visibilitychange', () => {
  if (document.hidden || !(stream || camera()?.dataset.state === 'lost')) return;
  const [track] = stream?.getVideoTracks() ?? [];
  ring = [];
  if (!track || track.readyState !== 'live' || track.muted) start(); else video()?.play().catch(() => {});
});
if (navigator.mediaDevices) on(navigator.mediaDevices, 'devicechange', () => {
  if (camera()?.dataset.state === 'lost') start();
});
on(life.signal, 'abort', close);
// Whoever used it the last time, and allowed it for good, finds it running.
try { if (localStorage.getItem(CAPTION)) tellCaption(true); } catch { /* no storage */ }
(async () => {
  let wanted = '';
  try { wanted = localStorage.getItem(KEPT); } catch { /* no storage */ }
  if (wanted !== 'on' || !navigator.permissions) return;
  const asked = await navigator.permissions.query({name: 'camera'}).catch(() => null);
  if (asked?.state === 'granted' && !stream) start();
})();
