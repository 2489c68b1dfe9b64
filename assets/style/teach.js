// The panel "Teach": drawing round an object on a copy of the picture in view, and the buttons of the panel's lists.
// Runs once for each part of the panel; `element` and `trigger` are gradio's. A stroke that comes back to where it began,
// more or less, is taken as the outline; a plain drag is a box. Points are shares of the picture's width and height.
const glass = () => element.querySelector('.v-teach-glass');
const BOX_LIKE = 1.8, LEAST = 0.02, STEP = 0.02, MOST_POINTS = 160;
let stroke = null, outline = [], shownPicture = '', later = 0;

const clamp = (v) => Math.min(Math.max(v, 0), 1);
const draw = (points) => {
  outline = points;
  const shape = element.querySelector('polygon');
  if (shape) shape.setAttribute('points', points.map(([x, y]) => `${1000 * x},${1000 * y}`).join(' '));
};
const boxOf = (points) => {
  const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
};
const corners = ([x0, y0, x1, y1]) => [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
const shapeOf = (points) => {
  let length = 0;
  for (let i = 1; i < points.length; i++) length += Math.hypot(points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]);
  const box = boxOf(points), across = Math.hypot(box[2] - box[0], box[3] - box[1]);
  if (box[2] - box[0] < LEAST || box[3] - box[1] < LEAST) return null;
  if (length < BOX_LIKE * across) return corners(box);
  const every = Math.ceil(points.length / MOST_POINTS);
  return points.filter((_, i) => i % every === 0);
};
const tell = () => { if (outline.length) trigger('drawn', {outline}); };
const at = (event) => {
  const r = glass().getBoundingClientRect();
  return [clamp((event.clientX - r.left) / r.width), clamp((event.clientY - r.top) / r.height)];
};

// The picture in view, copied from the page's own frame whenever that changes.
const mirror = () => {
  const part = glass();
  if (!part) return;
  const picture = document.querySelector('#frame .v-glass img')?.src ?? '';
  const copy = part.querySelector('img');
  if (picture !== shownPicture || copy.getAttribute('src') !== picture) {
    draw([]); // another picture, or a fresh glass
    shownPicture = picture;
    if (picture) copy.src = picture;
    else copy.removeAttribute('src');
    part.hidden = !picture;
    element.querySelector('.v-teach-empty').hidden = !!picture;
    element.querySelector('.v-teach-hint').hidden = !picture;
  }
};
if (glass()) {
  mirror();
  const watched = new MutationObserver(() => { clearTimeout(later); later = setTimeout(mirror, 50); });
  watched.observe(document.body, {childList: true, subtree: true, attributes: true, attributeFilter: ['src']});
  new IntersectionObserver((entries) => {
    if (!entries.some((e) => e.isIntersecting)) return;
    mirror();
    trigger('seen', {});
  }).observe(element);
}

element.addEventListener('pointerdown', (event) => {
  if (!event.target.closest('.v-teach-glass') || event.button !== 0) return;
  event.preventDefault();
  glass().focus({preventScroll: true});
  glass().setPointerCapture?.(event.pointerId);
  stroke = {id: event.pointerId, points: [at(event)]};
});
element.addEventListener('pointermove', (event) => {
  if (!stroke || event.pointerId !== stroke.id) return;
  stroke.points.push(at(event));
  draw(shapeOf(stroke.points) ?? []);
});
const end = (event) => {
  if (!stroke || event.pointerId !== stroke.id) return;
  const shape = shapeOf(stroke.points);
  stroke = null;
  if (!shape) return;
  draw(shape);
  tell();
};
element.addEventListener('pointerup', end);
element.addEventListener('pointercancel', () => { stroke = null; });

element.addEventListener('keydown', (event) => {
  if (!event.target.closest('.v-teach-glass')) return;
  const [dx, dy] = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key] ?? [0, 0];
  if (!dx && !dy && event.key !== 'Enter') return;
  event.preventDefault();
  event.stopPropagation();
  let [x0, y0, x1, y1] = outline.length ? boxOf(outline) : [0.25, 0.25, 0.75, 0.75];
  if (event.key === 'Enter') { draw(outline.length ? outline : corners([x0, y0, x1, y1])); tell(); return; }
  if (event.shiftKey) {
    x1 = clamp(Math.max(x1 + dx * STEP, x0 + LEAST)); y1 = clamp(Math.max(y1 + dy * STEP, y0 + LEAST));
  } else {
    const mx = Math.min(Math.max(dx * STEP, -x0), 1 - x1), my = Math.min(Math.max(dy * STEP, -y0), 1 - y1);
    [x0, y0, x1, y1] = [x0 + mx, y0 + my, x1 + mx, y1 + my];
  }
  draw(corners([x0, y0, x1, y1]));
});

element.addEventListener('click', (event) => {
  const d = event.target.closest('button')?.dataset;
  if (!d) return;
  if (d.drop) trigger('drop', {key: d.drop});
  else if (d.edit) {
    trigger('edit', {id: d.edit});
    document.querySelector('#teach-name')?.scrollIntoView({block: 'center'});
  } else if (d.forget) trigger('forget', {id: d.forget});
  else if ('undo' in d) trigger('undo', {});
});
