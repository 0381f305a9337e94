/**
 * A recognizable name of a browser: "Firefox on Linux". Product names are not translated; `labelParts` splits
 * them.
 */
export function browserLabel(userAgent: string): string {
  const first = (patterns: readonly (readonly [RegExp, string])[]): string | undefined =>
    patterns.find(([pattern]) => pattern.test(userAgent))?.[1];
  // Derived browsers include the name of their base: test the more specific first.
  const browser =
    first([
      [/\bEdgA?\//, 'Edge'],
      [/\bOPR\//, 'Opera'],
      [/\bSamsungBrowser\//, 'Samsung Internet'],
      [/\bFxiOS\/|\bFirefox\//, 'Firefox'],
      [/\bCriOS\/|\b(?:Headless)?Chrome\//, 'Chrome'],
      [/\bSafari\//, 'Safari'],
    ]) ?? 'Browser';
  const system = first([
    [/\biPhone\b/, 'iPhone'],
    [/\biPad\b/, 'iPad'],
    [/\bAndroid\b/, 'Android'],
    [/\bCrOS\b/, 'ChromeOS'],
    [/\bWindows\b/, 'Windows'],
    [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
    [/\bLinux\b/, 'Linux'],
  ]);
  return system ? `${browser} on ${system}` : browser;
}

/** Splits "Firefox on Android"; null for labels of another form. */
export function labelParts(label: string): { browser: string; system: string } | null {
  const [, browser, system] = /^(\S.*) on (\S+)$/.exec(label) ?? [];
  return browser && system ? { browser, system } : null;
}
