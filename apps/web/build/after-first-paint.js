// Fetches a prerendered page's app files (`prerender.ts`) after the first paint, and runs them once it has
// its styles.
(() => {
  const files = document.getElementById('app-files').content;
  const isDrawn = getComputedStyle(document.getElementById('pre')).display !== 'none';
  /** The fallback for browsers that report no first paint, and pages hidden before it. */
  const atLatestMs = 2_000;
  // In some browsers a failed sheet has no `sheet`, and its error fires only once.
  const failed = new Set();
  addEventListener('error', ({ target }) => failed.add(target), true);

  const add = (selector) => {
    for (const tag of files.querySelectorAll(selector)) document.head.append(document.importNode(tag, true));
  };

  const whenStyled = () =>
    Promise.all(
      [...document.querySelectorAll('link[rel="stylesheet"]')].map(
        (sheet) =>
          sheet.sheet ||
          failed.has(sheet) ||
          new Promise((resolve) => {
            sheet.addEventListener('load', resolve);
            sheet.addEventListener('error', resolve);
          }),
      ),
    );
  const run = () => void whenStyled().then(() => add('script'));

  let begun = false;
  function begin() {
    if (begun) return;
    begun = true;
    add('link');
    // The sheets are at the end of the page.
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', run);
    else run();
  }

  if (document.hidden || !isDrawn) begin();
  else {
    setTimeout(begin, atLatestMs);
    new PerformanceObserver((paints) => {
      if (paints.getEntriesByName('first-contentful-paint').length > 0) begin();
    }).observe({ type: 'paint', buffered: true });
  }
})();
