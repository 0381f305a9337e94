// Stands before the app: if one of its first files does not come, because a new version has just taken its place or the network failed, the page is
// loaded again, once; after that it says so, instead of showing the mark for ever (ADR 0120).
(() => {
  const key = 'nearhand.restarted';
  const againMs = 60000;
  const waitMs = 1500;

  // The app draws over this as soon as it stands.
  const boot = () => document.querySelector('.boot');

  function tellTrouble() {
    const trouble = boot()?.querySelector('.boot-trouble');
    if (!trouble) return;
    trouble.hidden = false;
    trouble.querySelector('button').addEventListener('click', () => location.reload());
  }

  let failed = false;
  function fail() {
    if (failed || (document.body && !boot())) return;
    failed = true;
    try {
      const last = Number(sessionStorage.getItem(key));
      if (Math.abs(Date.now() - last) > againMs) {
        sessionStorage.setItem(key, String(Date.now()));
        setTimeout(() => boot() && location.reload(), waitMs);
        return;
      }
    } catch {
      // Without a place to remember it in, it could be tried for ever.
    }
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', tellTrouble);
    else tellTrouble();
  }

  addEventListener(
    'error',
    (event) => {
      const { target } = event;
      const isFirstFile =
        target instanceof HTMLScriptElement ||
        (target instanceof HTMLLinkElement && target.rel === 'stylesheet');
      // The window itself is the target where the app's first lines threw.
      if (isFirstFile || target === window) fail();
    },
    true,
  );
})();
