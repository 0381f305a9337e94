import { describe, expect, it } from 'vitest';
import { excerptPieces, markedPieces } from './conversation-row.tsx';

const words = (pieces: { text: string; hit: boolean }[]) =>
  pieces.map(({ text, hit }) => (hit ? `[${text}]` : text)).join('');

describe('what a search found', () => {
  it('is marked in every place and case, with special characters taken literally', () => {
    expect(words(markedPieces('Ring, then ring twice', 'ring'))).toBe('[Ring], then [ring] twice');
    expect(words(markedPieces('50% off (today)', '% off ('))).toBe('50[% off (]today)');
    expect(words(markedPieces('Weekend barista', 'leila'))).toBe('Weekend barista');
    expect(words(markedPieces('', 'x'))).toBe('');
    expect(words(markedPieces('Weekend', ''))).toBe('Weekend');
    expect(words(markedPieces('مرحبا يا ليلى 🙏🏽', 'ليلى'))).toBe('مرحبا يا [ليلى] 🙏🏽');
  });

  it('fits one line: it starts shortly before, with a word', () => {
    const text = 'I can come on Friday at half past seven,\nand I bring my own apron with me';
    expect(words(excerptPieces(text, 'apron'))).toBe('…I bring my own [apron] with me');
    expect(words(excerptPieces('My apron', 'apron'))).toBe('My [apron]');
    expect(words(excerptPieces(text, 'nothing'))).toBe(text.replace('\n', ' '));
    expect(words(excerptPieces(`${'👩🏽‍🍳'.repeat(9)}x`, 'x')).isWellFormed()).toBe(true);
  });
});
