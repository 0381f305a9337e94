import { describe, expect, it } from 'vitest';
import { openStreetMap, readCredits } from './map-credits.ts';

describe('readCredits', () => {
  it('reads links and texts of a provider', () => {
    const html =
      '<a href="https://protomaps.com">Protomaps</a> | <a href="https://www.openstreetmap.org/copyright">© OpenStreetMap contributors</a>';
    expect(readCredits(html)).toEqual([
      { text: 'Protomaps', href: 'https://protomaps.com/' },
      { text: '© OpenStreetMap contributors', href: 'https://www.openstreetmap.org/copyright' },
    ]);
  });

  it('keeps the words before a link with it, as OpenFreeMap writes them', () => {
    const html =
      '<a href="https://openfreemap.org" target="_blank">OpenFreeMap</a> <a href="https://www.openmaptiles.org/" target="_blank">&copy; OpenMapTiles</a> Data from <a href="https://www.openstreetmap.org/copyright" target="_blank">OpenStreetMap</a>';
    expect(readCredits(html).map(({ text }) => text)).toEqual([
      'OpenFreeMap',
      '© OpenMapTiles',
      'Data from OpenStreetMap',
    ]);
  });

  it('names OpenStreetMap in any case', () => {
    expect(readCredits(undefined)).toEqual([openStreetMap]);
    expect(readCredits('My town')).toEqual([{ text: 'My town', href: null }, openStreetMap]);
  });

  it('drops scripts and odd addresses', () => {
    const html = '<a href="javascript:alert(1)">Maps</a><img src="x" onerror="alert(1)"><script>1</script>';
    expect(readCredits(html).map(({ href }) => href)).not.toContain('javascript:alert(1)');
    expect(readCredits(html)[0]).toEqual({ text: 'Maps', href: null });
  });
});
