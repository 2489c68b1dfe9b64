// The panel "Model": what it shows is fetched anew when it is opened, not when it is scrolled to: fields that are being
// filled in stay as they are. Runs once for each part of the panel; `element` and `trigger` are gradio's.
let closed = true;
new IntersectionObserver((entries) => {
  const seen = entries.some((e) => e.isIntersecting);
  if (seen && closed) { closed = false; trigger('seen', {}); }
  if (!seen && !element.getClientRects().length) closed = true;
}).observe(element);
