import { describe, expect, it } from 'vitest';
import { acceptsType, bytesAllowed, looksAccepted, pickableTypes } from './files.rules.ts';
import { peopleLimits } from './limits.ts';

describe('files', () => {
  it('are pictures, documents or both, by purpose', () => {
    expect(acceptsType('photo', 'image/avif')).toBe(true);
    expect(acceptsType('photo', 'application/pdf')).toBe(false);
    expect(acceptsType('work', 'application/pdf')).toBe(true);
    expect(pickableTypes('cv')).toEqual([
      'application/pdf',
      '.pdf',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      '.docx',
    ]);
  });

  it('are recognized by their type, or by their name when a device reports no type', () => {
    expect(looksAccepted('cv', { name: 'cv', type: 'application/pdf' })).toBe(true);
    expect(looksAccepted('cv', { name: 'My CV.DOCX', type: '' })).toBe(true);
    expect(looksAccepted('cv', { name: 'photo.png', type: 'image/png' })).toBe(false);
    expect(looksAccepted('chat', { name: 'notes.pdf.exe', type: '' })).toBe(false);
    expect(looksAccepted('chat', { name: 'picture.png', type: 'image/svg+xml' })).toBe(false);
    expect(looksAccepted('chat', { name: 'png', type: '' })).toBe(false);
  });

  it('have the size limit of their purpose', () => {
    expect(bytesAllowed('cv')).toBe(peopleLimits.cvBytes);
    expect(bytesAllowed('chat')).toBe(peopleLimits.chatFileBytes);
    expect(bytesAllowed('work')).toBe(peopleLimits.imageBytes);
  });
});
