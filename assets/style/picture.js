// A picture that is pasted, or dropped anywhere on the page, goes where a chosen one goes; otherwise a browser would leave
// the page and show the file. Files that are no pictures are capsule.js's business.
(() => {
  const $ = (selector) => document.querySelector(selector);
  const pictures = (files) => [...(files ?? [])].filter((file) => file.type.startsWith('image/'));
  const ownPlace = (event) => event.target.closest?.('#picture');
  const hand = (file, tries = 0) => {
    const input = $('#picture input[type=file]');
    if (!input) { // the page is still being built
      if (tries < 60) setTimeout(() => hand(file, tries + 1), 50);
      return;
    }
    window.vitrine?.stopCamera?.();  // the next question is about this picture
    const carrier = new DataTransfer();
    carrier.items.add(file);
    input.files = carrier.files;
    input.dispatchEvent(new Event('change', {bubbles: true}));
  };

  document.addEventListener('paste', (event) => {
    const [file] = pictures(event.clipboardData?.files);
    if (!file || event.clipboardData.getData('text/plain')) return; // words go where the cursor is
    event.preventDefault();
    hand(file);
  });

  const veil = Object.assign(document.createElement('div'), {className: 'v-veil', hidden: true});
  veil.textContent = 'Drop it to ask about this picture';
  const hovers = (event) => [...(event.dataTransfer?.items ?? [])].some((i) => i.kind === 'file' && i.type.startsWith('image/'));
  document.addEventListener('dragover', (event) => {
    if (!hovers(event) || !$('#talk')) return; // this page only: the other has no place for a picture
    veil.hidden = Boolean(ownPlace(event));
    if (ownPlace(event)) return;
    event.preventDefault();
    document.body.append(veil);
  }, true);
  document.addEventListener('dragleave', (event) => { if (!event.relatedTarget) veil.hidden = true; }, true);
  document.addEventListener('drop', (event) => {
    veil.hidden = true;
    const [file] = pictures(event.dataTransfer?.files);
    if (!file || ownPlace(event) || !$('#talk')) return;
    event.preventDefault();
    event.stopPropagation();
    hand(file);
  }, true);
})();
