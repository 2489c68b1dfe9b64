// A question stands on the page the moment it is asked; the server's own turn takes its place with its first event. It
// is taken back when the server says a sentence instead, or says nothing for long; the box keeps the words until the
// server has taken them.
(() => {
  const $ = (selector) => document.querySelector(selector);
  const LONG_MS = 20_000;
  const gone = () => {
    refusal.disconnect();
    document.querySelectorAll('.v-turn--asked').forEach((turn) => turn.remove());
  };
  // A sentence instead of an answer: the question is too long, or the like.
  const refusal = new MutationObserver((changes) => {
    if (changes.some((change) => change.target.closest?.('#ask-notice') && $('#ask-notice .v-notice--error'))) gone();
  });

  const turnOf = (words, picture) => {
    const turn = document.createElement('article');
    turn.className = 'v-turn v-turn--asked';
    turn.ariaHidden = 'true'; // the server's turn is the one that is read
    turn.innerHTML = '<header class="v-question"><h2 dir="auto"><bdi></bdi></h2></header>'
      + '<div class="v-said"><p class="v-waiting"><span class="v-pulse"></span>Asking</p></div>';
    turn.querySelector('bdi').textContent = words.slice(0, 2000);
    if (picture) {
      const thumb = document.createElement('span');
      thumb.className = 'v-thumb';
      thumb.append(Object.assign(document.createElement('img'), {src: picture.src, alt: ''}));
      turn.querySelector('header').prepend(thumb);
    }
    return turn;
  };
  const asked = (words, picture = window.vitrine?.glimpse?.() ?? $('#frame .v-glass img')) => {
    const place = $('#current .v-turn:last-of-type, #current .v-empty');
    if (!words.trim() || !place) return;
    gone();
    const turn = turnOf(words.trim(), picture);
    place.after(turn);
    turn.scrollIntoView({block: 'start'});
    refusal.observe($('#talk'), {childList: true, subtree: true});
    setTimeout(() => { if (turn.isConnected) gone(); }, LONG_MS);
  };

  const typed = () => asked($('#question textarea')?.value ?? '');
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing && event.target.closest?.('#question')) typed();
  });
  document.addEventListener('click', (event) => {
    const button = event.target.closest?.('button');
    if (button?.id === 'ask') typed();
    else if (button?.dataset.event === 'sample') asked(button.innerText, button.querySelector('img'));
    else if (button?.dataset.ask && button.closest('#current, #history, #chips')) asked(button.dataset.ask);
  });
})();
