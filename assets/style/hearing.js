// Records a question in the browser and puts what was heard into the question box, for correction; it is asked with
// Enter like a typed one. `element`, `trigger` and `watch` are gradio's; `element` holds what the server says about a
// recording. Runs once; a second run takes the place of the first.
window.vitrineHearing?.abort();
const life = window.vitrineHearing = new AbortController();
const on = (target, name, what, capture = false) => target.addEventListener(name, what, {signal: life.signal, capture});
const find = (selector) => document.querySelector(selector);
const MOST_S = 30, HOLD_MS = 350;
const KINDS = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'];
const STOPS = matchMedia('(pointer: coarse)').matches ? 'Tap again to stop.' : 'Press again to stop, Esc to drop it.';
const CLEAR = {audio: {echoCancellation: true, noiseSuppression: true, autoGainControl: true}};
const INSECURE = 'Browsers give the microphone only to pages from https or from localhost: start Vitrine with --https, or type the question.';
const HANDS = 'Hands-free: just speak. Say “stop”, “repeat” or “new question”.';
const CHECK = 'Check the words, then press Enter to ask.';
let state = 'idle', recorder = null, stream = null, meter = null, began = 0, token = '', lastHeard = '';
let pressed = 0, atOnce = false;  // when the button or the space bar went down; asked as soon as it is heard

const note = (words, clock) => {
  const p = find('#voice-note');
  if (!p) return;
  p.textContent = words;
  if (clock === undefined) return;
  const seconds = document.createElement('span');  // a screen reader is not told every second
  seconds.ariaHidden = 'true'; seconds.className = 'v-clock'; seconds.textContent = clock;
  p.prepend(seconds);
};
const become = (name) => {
  state = name;
  const button = find('#mic .v-mic');
  if (!button) return;
  button.dataset.state = name;
  button.ariaLabel = {recording: 'Stop recording', working: 'Cancel'}[name] ?? 'Record a question';
  if (name !== 'recording') button.style.setProperty('--level', 0);
};
const release = () => {
  clearInterval(meter?.timer); meter?.context.close(); meter = null;
  stream?.getTracks().forEach((track) => track.stop());
  stream = recorder = null;
};
const drop = (words) => {
  if (state === 'working') trigger('drop', {token});
  if (recorder) { recorder.onstop = null; if (recorder.state !== 'inactive') recorder.stop(); }
  token = ''; atOnce = false;
  window.vitrine?.unpin?.();
  release(); become('idle'); note(words ?? '');
};
const WHY = {
  NotAllowedError: 'The microphone is blocked for this page: allow it in the address bar of the browser, then press again.',
  NotFoundError: 'No microphone was found: plug one in, or type the question.',
  NotReadableError: 'The microphone is in use by another program: close that, then press again.',
};
const listen = () => {  // the ring around the button follows the voice
  const context = new AudioContext(), analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let shown = -1;
  return {context, timer: setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    const power = samples.reduce((sum, s) => sum + s * s, 0) / samples.length;
    const level = Math.min(1, Math.max(0, (10 * Math.log10(power + 1e-9) + 60) / 50));
    find('#mic .v-mic')?.style.setProperty('--level', level.toFixed(2));
    const seconds = Math.floor((performance.now() - began) / 1000);
    if (seconds >= MOST_S) { recorder?.stop(); return; }
    if (seconds !== shown) {
      shown = seconds;
      const clock = find('#voice-note .v-clock');
      const words = `${seconds} s${seconds >= MOST_S - 10 ? ` of ${MOST_S}` : ''}`;
      if (clock) clock.textContent = words; else note(`Recording. ${STOPS}`, words);
    }
  }, 80)};
};
const record = async () => {
  if (!navigator.mediaDevices?.getUserMedia) {
    note(INSECURE);
    return;
  }
  if (!window.MediaRecorder) { note('This browser cannot record: type the question.'); return; }
  find('#sound .v-hush:not([hidden])')?.click();  // it would hear itself
  if (handsOn()) endHands('');
  become('asking'); note('Allow the microphone, if the browser asks.');
  trigger('prepare', {});
  try {
    stream = await navigator.mediaDevices.getUserMedia(CLEAR);
    if (state !== 'asking') { release(); return; }
    const kind = KINDS.find((k) => MediaRecorder.isTypeSupported(k));
    recorder = new MediaRecorder(stream, kind ? {mimeType: kind, audioBitsPerSecond: 48000} : {});
  } catch (problem) {
    drop(WHY[problem.name] ?? 'The microphone could not be opened: type the question.');
    return;
  }
  const parts = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  recorder.onstop = () => {
    window.vitrine?.pin?.();  // what the camera showed when the question ended
    send(new Blob(parts, {type: recorder?.mimeType}));
  };
  recorder.start();
  began = performance.now();
  become('recording');
  meter = listen();
};
const send = (blob) => {
  if (!blob.size) { drop('I heard nothing: is the right microphone on, and not muted?'); return; }
  release();
  sendOff(blob);
};
const sendOff = (blob) => {
  become('working'); note('Sending the recording');
  token = Math.random().toString(36).slice(2);
  const mine = token, reader = new FileReader();
  reader.onload = () => { if (mine === token) trigger('said', {token, data: reader.result.split(',')[1] ?? ''}); };
  reader.readAsDataURL(blob);
};
// Hands-free: whatever is said is asked, until it is switched off.
let hands = null, handsStream = null, opening = false;
const handsOn = () => Boolean(hands);
const endHands = (words) => {
  hands?.(); hands = null;
  handsStream?.getTracks().forEach((track) => track.stop()); handsStream = null;
  find('#mic .v-hands')?.setAttribute('aria-pressed', 'false');
  note(words ?? '');
};
const beginHands = async () => {
  if (opening) return;
  if (!navigator.mediaDevices?.getUserMedia) { note(INSECURE); return; }
  opening = true;
  trigger('prepare', {});
  note('Allow the microphone, if the browser asks.');
  try {
    handsStream = await navigator.mediaDevices.getUserMedia(CLEAR);
    hands = await window.vitrine.listen(handsStream, {
      speaking: () => window.vitrine.voice?.on() ?? false,
      loud: (level) => find('#mic .v-hands')?.style.setProperty('--level', level.toFixed(2)),
      begun: () => { if (state === 'idle') { window.vitrine.voice?.wait(); note('Listening …'); } },
      dropped: () => { window.vitrine.voice?.goOn(); note(HANDS); },
      ended: (blob) => {
        if (state !== 'idle') { window.vitrine.voice?.goOn(); return; }
        window.vitrine.pin?.();
        atOnce = true;
        sendOff(blob);
      },
    });
    handsStream.getTracks()[0].onended = () => endHands('The microphone is gone: plug it in, or type the question.');
    find('#mic .v-hands')?.setAttribute('aria-pressed', 'true');
    note(HANDS);
  } catch (problem) {
    endHands(WHY[problem.name] ?? 'The microphone could not be opened: type the question.');
  }
  opening = false;
};
// Said alone, these are no questions.
const COMMANDS = {
  stop: () => { window.vitrine.voice?.hush(); find('#stop')?.checkVisibility() && find('#stop').click(); },
  repeat: () => window.vitrine.voice?.repeat(),
  'new question': () => { window.vitrine.voice?.hush(); find('#stop')?.checkVisibility() && find('#stop').click(); find('#question textarea')?.focus(); },
};
const command = (words) => COMMANDS[words.toLowerCase().replace(/[^a-z ]/g, '').trim().replace(/ please$/, '')];
const fill = (words, hint) => {
  const act = atOnce && command(words);
  if (act) { atOnce = false; window.vitrine?.unpin?.(); note(handsOn() ? HANDS : ''); act(); return; }
  if (handsOn() && hint) { atOnce = false; window.vitrine.voice?.goOn(); } else if (atOnce) window.vitrine.voice?.hush();
  const box = find('#question textarea');
  const typed = box.value.trim(), alone = !typed || typed === lastHeard;
  box.value = alone ? words : `${typed} ${words}`;  // a second try takes the place of the first
  lastHeard = box.value.trim();
  box.dispatchEvent(new Event('input', {bubbles: true}));
  if (atOnce && !hint && alone) {
    atOnce = false;
    note(handsOn() ? HANDS : '');
    window.vitrine.speakNext = true;  // who asks aloud is answered aloud
    setTimeout(() => find('#ask')?.click(), 60);  // gradio has the words by then
    return;
  }
  atOnce = false;
  box.focus(); box.setSelectionRange(box.value.length, box.value.length);
  note(hint ? `${hint.replace('check the words', 'check the words, then press Enter to ask')}` : CHECK);
};

// Held down, it listens until it is let go and asks at once; a tap begins and another ends, and the words are checked.
const press = () => { pressed = performance.now(); record(); };
const letGo = () => {
  if (!pressed) return;
  const long = performance.now() - pressed >= HOLD_MS;
  setTimeout(() => { pressed = 0; }, 80);  // the click that belongs to it has passed by then
  if (!long) return;
  if (state === 'recording') { atOnce = true; recorder.stop(); } else if (state === 'asking') drop('');
};
on(document, 'pointerdown', (event) => {
  const button = event.target.closest?.('#mic .v-mic');
  if (!button || button.dataset.missing || event.button || state !== 'idle') return;
  press();
});
on(document, 'pointerup', letGo);
on(document, 'pointercancel', letGo);
on(window, 'blur', letGo);  // the key comes up elsewhere
const spaced = (event) => event.key === ' ' && !event.target.closest?.('input, textarea, select, button, summary, a, [contenteditable="true"]');
on(document, 'keyup', (event) => { if (event.key === ' ') letGo(); });

on(document, 'click', (event) => {
  if (event.target.closest?.('#mic .v-hands')) { if (handsOn()) endHands(''); else beginHands(); return; }
  const button = event.target.closest?.('#mic .v-mic');
  if (button && pressed) { pressed = 0; return; }  // this press began the recording, or ended it
  if (!button) { if (event.target.closest?.('#new, #ask')) note(''); return; }
  if (button.dataset.missing) { note(button.dataset.missing); return; }
  if (state === 'idle') record();
  else if (state === 'recording') recorder.stop();
  else drop('');
});
// Before the page's other keys: Escape drops the recording first.
on(document, 'keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || find('dialog[open]')) return;
  if (event.key === 'Escape' && state === 'idle' && handsOn() && !window.vitrine.voice?.on()) { endHands(''); event.stopImmediatePropagation(); return; }
  if (event.key === 'Escape' && state !== 'idle') { drop(''); event.stopImmediatePropagation(); return; }
  if (event.key === 'Enter' && event.target.closest?.('#question') && state === 'idle') note('');
  if (spaced(event)) {
    event.preventDefault();
    const missing = find('#mic .v-mic')?.dataset.missing;
    if (missing) note(missing);
    else if (!event.repeat && state === 'idle') press();
    else if (!event.repeat && state === 'recording' && !pressed) recorder.stop();
  }
  if (event.key.toLowerCase() === 'r' && !event.repeat && !event.target.closest?.('input, textarea, select')) {
    const button = find('#mic .v-mic');
    button?.focus();
    button?.click();
  }
}, true);
life.signal.addEventListener('abort', () => { drop(''); endHands(''); });

watch('value', () => {
  const told = element.querySelector('[data-listening]');
  if (!told || !token || told.dataset.listening !== token) return;
  const {state: now, words, hint} = told.dataset;
  if (now === 'working') { note(`${words}. Press again or Esc to cancel.`); return; }
  token = ''; become('idle'); note('');
  if (now === 'heard') { fill(words, hint); return; }
  atOnce = false;
  window.vitrine?.unpin?.();
  window.vitrine.voice?.goOn();  // it was nothing: what was interrupted goes on
  note(handsOn() ? HANDS : words);
});
