/** Renders a page of the built app without a browser, in a worker. No request is answered and no idle work runs. */
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { Window } from 'happy-dom';

export type PageToDraw = { path: string; html: string; script: string };
export type DrawnPage = { root: string; title: string };

const waitMs = 30_000;
const { path, html, script } = workerData as PageToDraw;

const window = new Window({
  url: `http://127.0.0.1${path}`,
  width: 390,
  height: 844,
  settings: { disableJavaScriptFileLoading: true, disableCSSFileLoading: true },
});
const { document } = window;

/** Node's own globals, which the app may use; all others of the window replace Node's. */
const nodes =
  /^(Array|BigInt|Boolean|Data|Date|Error|Float|Function|Int|Intl|JSON|Map|Math|Number|Object|Promise|Proxy|Reflect|RegExp|Set|String|Symbol|Uint|Weak|global|process|performance|crypto|structured|queue|console|undefined|NaN|Infinity|eval|is[FN]|parse|encode|decode|escape|unescape|Buffer|URL|Text|set|clear|window$|self$|top$|parent$)/;
const describe = (value: unknown): PropertyDescriptor => ({ value, configurable: true, writable: true });
for (const name of Object.getOwnPropertyNames(window))
  if (!nodes.test(name)) Object.defineProperty(globalThis, name, describe(Reflect.get(window, name)));
for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent', 'matchMedia'] as const)
  Object.defineProperty(globalThis, name, describe(window[name].bind(window)));
for (const name of ['window', 'self']) Object.defineProperty(globalThis, name, describe(globalThis));
Object.assign(globalThis, { fetch: () => new Promise(() => {}), requestIdleCallback: () => 0 });

document.write(html.replace(/<script[^>]*><\/script>/g, ''));
// A style sheet counts as loaded at once, since nothing is measured here.
const append = document.head.appendChild.bind(document.head);
document.head.appendChild = (node) => {
  const added = append(node);
  queueMicrotask(() => added.dispatchEvent(new window.Event('load')));
  return added;
};
await import(pathToFileURL(script).href);

const root = document.getElementById('root');
const until = performance.now() + waitMs;
while (!root?.querySelector('h1') || root.querySelector('.coming')) {
  if (performance.now() > until)
    throw new Error(`${path} did not draw a heading: ${root?.innerHTML.slice(0, 300)}`);
  await new Promise((resolve) => setTimeout(resolve, 20));
}
// Removes parts that are empty or outside the page.
for (const part of document.querySelectorAll('dialog, .skip, .toasts, noscript')) part.remove();
// The place is known with the first response.
for (const place of document.querySelectorAll('.place-text > *')) place.textContent = '\u00a0';
const drawnPage: DrawnPage = { root: root.innerHTML, title: document.title };
parentPort?.postMessage(drawnPage);
