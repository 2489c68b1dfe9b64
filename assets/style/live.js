// Listens to the buttons inside our HTML and holds a new turn at the top of the window until it is finished or the
// visitor scrolls. Runs once for each part of the page that has such buttons; `element`, `trigger` and `watch` are
// gradio's.
element.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  const d = button.dataset;
  if (d.goto) {
    const card = document.getElementById(d.goto);
    if (card) { card.scrollIntoView({block: 'center'}); card.focus({preventScroll: true}); }
  } else if (d.ask) trigger('ask', {question: d.ask});
  else if (d.example) trigger('example', {number: Number(d.example)});
  else if (d.speak) trigger('speak', {number: Number(d.speak)});
});
let last = '', held = '';
const letGo = () => { held = ''; };
for (const name of ['wheel', 'touchmove', 'keydown']) addEventListener(name, letGo, {passive: true});
watch('value', () => {
  const live = element.querySelector('.v-turn--live');
  if (!element.querySelector('.v-turn')) last = '';
  if (live && live.id !== last) last = held = live.id;
  if (held) document.getElementById(held)?.scrollIntoView({block: 'start'});
  if (!live) held = '';
});
