// Stands before the app: if one of its first files does not come, because a new version has just taken its place or the network failed, the page is
// loaded again, once until the app has drawn; after that it says so, instead of showing the mark for ever (ADR 103).
(() => {
  // Pages drawn at build are in English (`lib/words/locale.ts`).
  function isEnglish(chosen) {
    const wanted = chosen && chosen !== 'device' ? [chosen] : navigator.languages;
    const known = wanted.map((tag) => tag.split('-')[0].toLowerCase());
    return (known.find((tag) => ['en', 'nl', 'de', 'fr', 'es', 'ar'].includes(tag)) ?? 'en') === 'en';
  }

  // The chosen theme, before anything is drawn (`lib/device/device-setting.ts`). A page drawn at build is a guest's.
  try {
    if (localStorage.getItem('user') !== null) document.documentElement.dataset.member = '';
    if (!isEnglish(localStorage.getItem('nearhand-language')))
      document.documentElement.dataset.translated = '';
    // In the apps: nothing shows before the phone let someone in (`lib/native/app-lock.ts`).
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
    // Without storage the device decides.
  }

  // Offered before the app listens (`lib/device/install-offer.ts`).
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    globalThis.nearhandInstall = event;
    dispatchEvent(new Event('nearhand-install'));
  });

  const key = 'nearhand.restarted';
  const waitMs = 1500;

  // The app draws over this as soon as it stands.
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
      // Without a place to remember it in, it could be tried for ever.
    }
    whenRead(tellTrouble);
  }

  // However long a round took that failed, the next one is not the first: only an app that has drawn begins anew.
  function forgetOnceDrawn() {
    const root = document.getElementById('root');
    const look = () => {
      if (boot()) return;
      drawing.disconnect();
      try {
        sessionStorage.removeItem(key);
      } catch {
        // Nothing was kept either.
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
      // The window itself is the target where the app's first lines threw. What comes without an error is not theirs: a notice of the browser, or a
      // script of another site such as an extension's.
      if (isFirstFile || (target === window && event.error)) fail();
    },
    true,
  );
})();
