// The panel "Model": what it shows is fetched anew when it comes into view. Runs once for each part of the panel;
// `element` and `trigger` are gradio's.
new IntersectionObserver((entries) => {
  if (entries.some((e) => e.isIntersecting)) trigger('seen', {});
}).observe(element);
