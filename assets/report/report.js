// Filters the sample table. Reads and hides rows only; no text of the report is ever parsed as markup.
(() => {
  const box = document.getElementById("find"), kind = document.getElementById("kind"), left = document.getElementById("left");
  if (!box) return;
  const rows = [...document.querySelectorAll("#samples tbody tr")];
  const texts = rows.map(row => row.textContent.toLowerCase());
  const apply = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    rows.forEach((row, i) => {
      const of_kind = !kind.value || row.dataset.kind === kind.value || row.dataset.failure === kind.value;
      row.hidden = !(of_kind && words.every(word => texts[i].includes(word)));
      n += !row.hidden;
    });
    left.textContent = n === rows.length ? `${n} samples` : `${n} of ${rows.length} samples`;
  };
  let waiting;
  box.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(apply, 120); });
  kind.addEventListener("change", apply);
  document.addEventListener("keydown", event => {
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) { event.preventDefault(); box.focus(); }
    if (event.key === "Escape" && document.activeElement === box) { box.value = ""; apply(); }
  });
  apply();
})();
