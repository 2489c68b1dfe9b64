// Capsules: hands a saved turn to the browser as a file, and takes a file that is dropped anywhere on the page.
// `element`, `trigger` and `watch` are gradio's.
const MOST = 25e6;

{
  watch('value', () => {
    const link = element.querySelector('a[data-file]');
    if (link) {
      const bytes = Uint8Array.from(atob(link.dataset.file), (c) => c.charCodeAt(0));
      delete link.dataset.file; // megabytes that nobody needs any more
      link.href = URL.createObjectURL(new Blob([bytes], {type: 'application/zip'}));
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } else if (element.querySelector('[data-opened]')) {
      document.querySelector('#current .v-turn')?.scrollIntoView({block: 'start'});
    }
  });
}

{
  const veil = document.body.appendChild(Object.assign(document.createElement('div'), {className: 'v-veil', hidden: true}));
  veil.textContent = 'Drop it to open the saved turn';
  // While a file hovers only its kind is known: pictures are the picture's business.
  const isOurs = (event) => [...(event.dataTransfer?.items ?? [])].some((i) => i.kind === 'file' && !i.type.startsWith('image/'));
  const hold = (event) => { event.preventDefault(); event.stopPropagation(); };
  const hand = (file, tries = 0) => {
    const input = document.querySelector('#capsule-file input[type=file]');
    if (!input) { // the panel was never opened, so its parts are not there yet
      if (tries === 0) document.querySelector('#capsule button')?.click();
      if (tries < 40) setTimeout(() => hand(file, tries + 1), 50);
      return;
    }
    const carrier = new DataTransfer();
    carrier.items.add(file);
    input.files = carrier.files;
    input.dispatchEvent(new Event('change', {bubbles: true}));
  };
  document.addEventListener('dragover', (event) => {
    if (!isOurs(event)) return;
    hold(event);
    veil.hidden = false;
  }, true);
  document.addEventListener('dragleave', (event) => { if (!event.relatedTarget) veil.hidden = true; }, true);
  document.addEventListener('drop', (event) => {
    veil.hidden = true;
    const file = event.dataTransfer?.files[0];
    if (!file || file.type.startsWith('image/')) return;
    hold(event); // the browser would leave the page and show the file
    if (!file.name.toLowerCase().endsWith('.zip') || file.size > MOST) trigger('refused', {size: file.size});
    else hand(file);
  }, true);
}
