/** By what a person knows this browser in a list of theirs: "Firefox on Linux". Names of products, in every language the same. */
export function browserLabel(userAgent: string): string {
  const first = (known: readonly (readonly [RegExp, string])[]): string | undefined =>
    known.find(([pattern]) => pattern.test(userAgent))?.[1];
  // What is built on another carries its name too: the narrower first.
  const browser =
    first([
      [/\bEdgA?\//, 'Edge'],
      [/\bOPR\//, 'Opera'],
      [/\bSamsungBrowser\//, 'Samsung Internet'],
      [/\bFxiOS\/|\bFirefox\//, 'Firefox'],
      [/\bCriOS\/|\bChrome\//, 'Chrome'],
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
