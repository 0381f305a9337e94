import { i18n } from '@lingui/core';
import { afterEach, expect, it, vi } from 'vitest';
import { csvOf } from './csv.ts';
import { saveBlob, saveStoredFile } from './stored-file.ts';

const inAppOf = (kind: string) =>
  vi.stubGlobal('Capacitor', { isNativePlatform: () => true, getPlatform: () => kind });

afterEach(() => {
  vi.unstubAllGlobals();
});

it("shows that Android's app can't save a file, before it is requested", async () => {
  const ask = vi.fn();
  vi.stubGlobal('fetch', ask);
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click');
  inAppOf('android');
  await expect(saveStoredFile({ path: '/files/1/content', name: 'cv.pdf' })).rejects.toMatchObject({
    code: 'device/cannot-save',
  });
  expect(() => saveBlob(new Blob(['x']), 'qr.svg')).toThrow('device/cannot-save');
  expect(ask).not.toHaveBeenCalled();
  expect(click).not.toHaveBeenCalled();
  click.mockRestore();
});

it.each(['web', 'ios'])('downloads under the name of the file elsewhere: %s', (kind) => {
  if (kind === 'ios') inAppOf(kind);
  URL.createObjectURL = () => 'blob:made';
  const names: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  saveBlob(new Blob(['x']), 'qr.svg');
  expect(names).toEqual(['qr.svg']);
  click.mockRestore();
});

it.each([
  ['en', ','],
  ['nl', ';'],
])('separates the cells of a CSV as spreadsheets in %s do', async (language, separator) => {
  i18n.loadAndActivate({ locale: language, messages: {} });
  const text = await csvOf([
    ['Name', 'Hours'],
    ['=A1', 7.5],
  ]).text();
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  expect(text).toContain(`"Name"${separator}"Hours"\r\n"'=A1"${separator}7.5\r\n`);
});
