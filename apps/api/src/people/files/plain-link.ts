const schemes = ['http', 'https', 'mailto', 'tel'];

/** Whether a link of a document leads to a web page, a mailbox or a phone, and not to a file, another machine's folder or a program. */
export function isPlainLink(address: string): boolean {
  // Readers skip blanks and control characters, and take either slash.
  const text = address.replace(/[\s\p{Cc}\p{Cf}]/gu, '').replaceAll('\\', '/');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1];
  return scheme ? schemes.includes(scheme.toLowerCase()) : !text.startsWith('/');
}
