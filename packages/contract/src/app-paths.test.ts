import { describe, expect, it } from 'vitest';
import { handOverPath, pageOfWayBack } from './app-paths.ts';

describe('the way back to the app', () => {
  it('leads to its page on other devices too', () => {
    expect(handOverPath('/create-job?job=7')).toBe('/loading?back=%2Fcreate-job%3Fjob%3D7');
    expect(pageOfWayBack(handOverPath('/create-job?job=7'))).toBe('/create-job?job=7');
    expect(pageOfWayBack('/withdraw?tip=1')).toBe('/withdraw?tip=1');
  });

  it.each(['/loading?back=%ZZ', '/loading?back=%2F%2Fevil.example', '/loading?back='])(
    'leads to the home page from %s',
    (path) => {
      expect(pageOfWayBack(path)).toBe('/');
    },
  );
});
