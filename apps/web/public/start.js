// Reloads the page once if one of the app's first files fails to load, because of a new version or the network.
// If that does not help, it shows an error instead of the splash (ADR 103).
(() => {
  // Prerendered pages are in English (`lib/words/locale.ts`).
  function isEnglish(chosen) {
    const wanted = chosen && chosen !== 'device' ? [chosen] : navigator.languages;
    const known = wanted.map((tag) => tag.split('-')[0].toLowerCase());
    return (known.find((tag) => ['en', 'nl', 'de', 'fr', 'es', 'ar'].includes(tag)) ?? 'en') === 'en';
  }

  // Applies the theme before the first paint (`lib/device/device-setting.ts`). A prerendered page is a guest's.
  try {
    if (localStorage.getItem('user') !== null) document.documentElement.dataset.member = '';
    // A guest comes from a public page in the language that the link names.
    const linked = localStorage.getItem('user') === null && new URLSearchParams(location.search).get('lang');
    if (!isEnglish(linked || localStorage.getItem('nearhand-language')))
      document.documentElement.dataset.translated = '';
    // A locked native app shows nothing (`lib/native/app-lock.ts`).
    const locks =
      globalThis.Capacitor?.isNativePlatform?.() && localStorage.getItem('nearhand-app-lock') === 'on';
    if (locks && localStorage.getItem('user') !== null) document.documentElement.dataset.locked = '';
    const theme = localStorage.getItem('nearhand-appearance');
    if (theme === 'light' || theme === 'dark') {
      document.documentElement.dataset.theme = theme;
      for (const bar of document.querySelectorAll('meta[name="theme-color"]'))
        bar.media = bar.dataset.scheme === theme ? 'all' : 'not all';
    }
  } catch {
    // Without storage the device's theme applies.
  }

  // Fired before the app listens (`lib/device/install-offer.ts`).
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    globalThis.nearhandInstall = event;
    dispatchEvent(new Event('nearhand-install'));
  });

  const key = 'nearhand.restarted';
  const waitMs = 1500;

  // The app replaces this with its first render.
  const boot = () => document.querySelector('.boot');

  function tellTrouble() {
    const problem = boot()?.querySelector('.boot-problem');
    if (!problem) return;
    document.getElementById('pre')?.remove();
    problem.hidden = false;
    problem.querySelector('button').addEventListener('click', () => location.reload());
  }

  function whenRead(run) {
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', run);
    else run();
  }

  let failed = false;
  function fail() {
    if (failed || (document.body && !boot())) return;
    failed = true;
    try {
      if (sessionStorage.getItem(key) === null) {
        sessionStorage.setItem(key, '1');
        setTimeout(() => boot() && location.reload(), waitMs);
        return;
      }
    } catch {
      // Without storage it could reload forever.
    }
    whenRead(tellTrouble);
  }

  // Only a rendered app resets the mark, so that a slow failure does not reload again.
  function forgetOnceDrawn() {
    const root = document.getElementById('root');
    const look = () => {
      if (boot()) return;
      drawing.disconnect();
      try {
        sessionStorage.removeItem(key);
      } catch {
        // Nothing was stored either.
      }
    };
    const drawing = new MutationObserver(look);
    if (root) drawing.observe(root, { childList: true });
    look();
  }
  whenRead(forgetOnceDrawn);

  addEventListener(
    'error',
    (event) => {
      const { target } = event;
      const isFirstFile =
        target instanceof HTMLScriptElement ||
        (target instanceof HTMLLinkElement && target.rel === 'stylesheet');
      // An exception of the app has the window as its target. Without an error it is the browser's or another site's.
      if (isFirstFile || (target === window && event.error)) fail();
    },
    true,
  );
})();
