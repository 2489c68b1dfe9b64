// Marking a part of the picture: drawn with mouse, pen or finger, or moved and sized with the arrow keys. The mark that
// counts is the server's; it is told when a drawing ends, and draws the mark anew.
(() => {
  const glassOf = (target) => target.closest?.('#frame .v-glass');
  const LEAST = 0.02, STEP = 0.02;
  let drawing = null, ready = false, later = 0;

  const clamp = (v) => Math.min(Math.max(v, 0), 1);
  const at = (glass, event) => {
    const r = glass.getBoundingClientRect();
    return [clamp((event.clientX - r.left) / r.width), clamp((event.clientY - r.top) / r.height)];
  };
  const place = (mark, [x0, y0, x1, y1]) => {
    const [left, top, right, bottom] = [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
    Object.assign(mark.style, {
      left: `${100 * left}%`, top: `${100 * top}%`, width: `${100 * (right - left)}%`, height: `${100 * (bottom - top)}%`,
    });
  };
  const placed = (mark) => {
    const [left, top, width, height] = ['left', 'top', 'width', 'height'].map((k) => parseFloat(mark.style[k]) / 100);
    return [left, top, left + width, top + height];
  };
  const markOn = (glass) => {
    let mark = glass.querySelector('.v-mark');
    if (!mark) {
      mark = glass.appendChild(document.createElement('div'));
      mark.className = 'v-mark';
      mark.tabIndex = 0;
      mark.dataset.key = 'box';
    }
    return mark;
  };
  const tell = (box) => {
    if (!box) document.querySelector('#frame .v-mark')?.remove(); // the server may have nothing to draw anew
    window.vitrine.triggers.frame?.('mark', {box});
  };
  const getReady = (on) => {
    ready = on;
    window.vitrine.state('v-marking', on);
    if (on) window.vitrine.say('Draw a box on the picture');
  };

  document.addEventListener('pointerdown', (event) => {
    const glass = glassOf(event.target);
    if (!glass || event.button !== 0 || (event.pointerType === 'touch' && !ready)) return;
    event.preventDefault(); // no text is selected, no picture dragged
    const start = at(glass, event);
    drawing = {glass, start, box: null, id: event.pointerId};
    glass.setPointerCapture?.(event.pointerId);
  });
  document.addEventListener('pointermove', (event) => {
    if (!drawing || event.pointerId !== drawing.id) return;
    if (!drawing.glass.isConnected) drawing.glass = document.querySelector('#frame .v-glass') ?? drawing.glass;
    drawing.box = [...drawing.start, ...at(drawing.glass, event)];
    place(markOn(drawing.glass), drawing.box);
  });
  const end = (event) => {
    if (!drawing || event.pointerId !== drawing.id) return;
    const box = drawing.box;
    drawing = null;
    getReady(false);
    if (!box) return;
    if (Math.abs(box[2] - box[0]) < LEAST || Math.abs(box[3] - box[1]) < LEAST) tell(null); // a click takes it away
    else tell(box);
  };
  document.addEventListener('pointerup', end);
  document.addEventListener('pointercancel', end);

  document.addEventListener('click', (event) => {
    const button = event.target.closest?.('button');
    if (!button) return;
    if ('unmark' in button.dataset) tell(null);
    if (!('mark' in button.dataset)) return;
    const glass = document.querySelector('#frame .v-glass');
    if (event.detail > 0) { getReady(!ready); return; } // clicked: the visitor draws; pressed by key: a box to move
    const mark = markOn(glass);
    if (!mark.style.width) { place(mark, [0.25, 0.25, 0.75, 0.75]); tell([0.25, 0.25, 0.75, 0.75]); }
    mark.focus();
  });

  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && ready) getReady(false);
    const mark = event.target.closest?.('#frame .v-mark');
    if (!mark || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Delete' || event.key === 'Backspace') { event.preventDefault(); tell(null); return; }
    if (event.key === 'Escape' || event.key === 'Enter') {
      event.stopPropagation();
      event.preventDefault();
      document.querySelector('#question textarea')?.focus();
      return;
    }
    const way = {ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP]}[event.key];
    if (!way) return;
    event.preventDefault();
    let [x0, y0, x1, y1] = placed(mark);
    if (event.shiftKey) {
      x1 = clamp(Math.max(x0 + LEAST, x1 + way[0]));
      y1 = clamp(Math.max(y0 + LEAST, y1 + way[1]));
    } else {
      const dx = Math.min(Math.max(way[0], -x0), 1 - x1), dy = Math.min(Math.max(way[1], -y0), 1 - y1);
      [x0, y0, x1, y1] = [x0 + dx, y0 + dy, x1 + dx, y1 + dy];
    }
    place(mark, [x0, y0, x1, y1]);
    clearTimeout(later);
    later = setTimeout(() => tell([x0, y0, x1, y1]), 350);
  }, true);
})();
