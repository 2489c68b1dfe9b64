// Hands-free: hears when somebody begins to speak and when they have ended, and hands over what was said as WAV. Loudness
// against the noise of the room opens and closes; whether it was speech is decided by the server's voice activity
// detector. What is not handed over never leaves this page, and is forgotten within a second.
(() => {
  const vitrine = (window.vitrine ??= {triggers: {}});
  const OPENS_DB = 11, STAYS_DB = 6, OVER_VOICE_DB = 8;  // above the room's noise; more while an answer is read aloud
  const QUIETEST_DB = -58, BEFORE_S = 0.5, OPENING_S = 0.12, PAUSE_S = 0.8, LEAST_S = 0.35, MOST_S = 28, RATE_HZ = 16_000;
  const TAP = `registerProcessor('vitrine-tap', class extends AudioWorkletProcessor {
    process([[channel]]) { if (channel) this.port.postMessage(channel.slice()); return true; }
  });`;

  const wav = (parts, rate) => {
    const count = parts.reduce((sum, part) => sum + part.length, 0);
    const bytes = new DataView(new ArrayBuffer(44 + 2 * count));
    const words = (at, text) => [...text].forEach((c, i) => bytes.setUint8(at + i, c.charCodeAt(0)));
    words(0, 'RIFF'); bytes.setUint32(4, 36 + 2 * count, true); words(8, 'WAVEfmt ');
    bytes.setUint32(16, 16, true); bytes.setUint16(20, 1, true); bytes.setUint16(22, 1, true);
    bytes.setUint32(24, rate, true); bytes.setUint32(28, 2 * rate, true); bytes.setUint16(32, 2, true); bytes.setUint16(34, 16, true);
    words(36, 'data'); bytes.setUint32(40, 2 * count, true);
    let at = 44;
    for (const part of parts) for (const v of part) { bytes.setInt16(at, Math.max(-1, Math.min(1, v)) * 32767, true); at += 2; }
    return new Blob([bytes], {type: 'audio/wav'});
  };

  // `begun()` when somebody begins to speak, `ended(blob)` when they have; `dropped()` for a knock or a cough; `loud(level)`
  // 0..1 all the time; `speaking()` says whether an answer is being read aloud. Returns what ends it.
  vitrine.listen = async (stream, {begun, ended, dropped, loud, speaking}) => {
    const context = new AudioContext();
    const module = URL.createObjectURL(new Blob([TAP], {type: 'text/javascript'}));
    await context.audioWorklet.addModule(module);
    URL.revokeObjectURL(module);
    const tap = new AudioWorkletNode(context, 'vitrine-tap');
    const source = context.createMediaStreamSource(stream);
    source.connect(tap);
    const step = Math.max(1, Math.floor(context.sampleRate / RATE_HZ)), rate = Math.round(context.sampleRate / step);
    let block = [], filled = 0, floor = -50, above = 0, below = 0, open = false, parts = [], kept = 0, carry = [];
    const heard = (samples, seconds) => {
      const power = samples.reduce((sum, s) => sum + s * s, 0) / samples.length;
      const db = 10 * Math.log10(power + 1e-10), over = speaking() ? OVER_VOICE_DB : 0;
      floor = db < floor ? 0.7 * floor + 0.3 * db : Math.min(floor + (open ? 0.5 : 3) * seconds, -25);  // dB a second upwards
      const base = Math.max(floor, QUIETEST_DB);
      loud(Math.min(1, Math.max(0, (db - base) / 40)));
      parts.push(samples); kept += seconds;
      if (!open) {
        above = db > base + OPENS_DB + over ? above + seconds : 0;
        while (kept - seconds > BEFORE_S) { kept -= parts.shift().length / rate; }
        if (above >= OPENING_S) { open = true; below = 0; begun(); }
        return;
      }
      below = db > base + STAYS_DB ? 0 : below + seconds;
      if (below < PAUSE_S && kept < MOST_S) return;
      const spoken = kept - below - BEFORE_S, all = parts;
      open = false; above = 0; parts = []; kept = 0;
      if (spoken >= LEAST_S) ended(wav(all, rate)); else dropped();
    };
    tap.port.onmessage = ({data}) => {
      const whole = carry.length ? Float32Array.of(...carry, ...data) : data;
      const count = Math.floor(whole.length / step);
      const small = new Float32Array(count);  // a mean of `step` samples: enough of a filter for speech
      for (let i = 0; i < count; i++) { let sum = 0; for (let j = 0; j < step; j++) sum += whole[i * step + j]; small[i] = sum / step; }
      carry = [...whole.slice(count * step)];
      block.push(small); filled += count;
      if (filled < 0.04 * rate) return;
      const samples = new Float32Array(filled);
      let at = 0;
      for (const part of block) { samples.set(part, at); at += part.length; }
      block = []; filled = 0;
      heard(samples, samples.length / rate);
    };
    return () => { tap.port.onmessage = null; source.disconnect(); context.close(); };
  };
})();
