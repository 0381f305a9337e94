import type { FilePurpose } from '@nearhand/contract/people/files';

/** Whether only some people may read files of this purpose. */
export const isPrivate = (purpose: FilePurpose): boolean =>
  ['cv', 'work', 'chat', 'ticket', 'report', 'business', 'identity', 'certificate'].includes(purpose);

/** Whether its bytes are stored encrypted (ADR 183). */
export const isSealed = (purpose: FilePurpose): boolean => ['identity', 'certificate'].includes(purpose);

/** Whether not even the person who sent it may fetch it: a withdrawn message's file (ADR 94), and documents that a stolen session must not reach (ADR 183). */
export const isHiddenFromSender = (purpose: FilePurpose): boolean =>
  ['chat', 'identity', 'certificate'].includes(purpose);

const longestName = 120;
/** How much of a client's file name is read: a form may hold a name of megabytes. */
const longestGiven = 1_000;

/** Characters that change the reading direction or are invisible: `cv\u202Efdp.exe` would read as a PDF. Joiners stay, scripts need them. */
const hidden = /[\p{Cc}\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

/**
 * A safe file name: no folders, no control or direction characters, at most 120 characters, with the extension of its real type.
 * Everything else stays as typed, in any script.
 */
export function cleanName(given: string, extension: string): string {
  const last = given.slice(-longestGiven).toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .replace(hidden, '')
    .replace(/[<>:"|?*\uFFFD]/g, '_')
    .replace(/\s+/g, ' ')
    .trim();
  const stem = plain.replace(/\.[^.]{0,10}$/, '').replace(/^[.\s]+|[.\s]+$/g, '');
  const most = longestName - extension.length - 1;
  // By code point, so that no emoji is cut in half.
  const short = [...(stem || 'file')].slice(0, most).join('');
  return `${short}.${extension}`;
}

/** `Content-Disposition` of a download, with an RFC 5987 name and a plain fallback. */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
