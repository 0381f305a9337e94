import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { categoryIds } from '@nearhand/contract/people/taxonomy';
import { describe, expect, it } from 'vitest';
import { streetNamed, townTables } from './town-tables.ts';

describe("the demo town's tables", () => {
  const { jobTexts, businesses, bios, conversations, applicationTexts } = townTables();

  it('have a street for every business, and bios for every trade', () => {
    for (const { street } of businesses) expect(streetNamed(street).quarter).not.toBe('');
    expect(() => streetNamed('Nowhere')).toThrow('Nowhere');
    expect(Object.keys(bios).sort()).toEqual([...categoryIds].sort());
  });

  it('have a business for every tag of a job text, in its trade', () => {
    const without = jobTexts.filter(
      ({ trade, tag }) =>
        !businesses.some(
          (business) =>
            (business.category === trade || business.also?.includes(trade)) &&
            (!tag || business.tags?.includes(tag)),
        ),
    );
    expect(without.map(({ titles }) => titles[0])).toEqual([]);
  });

  it('have specific answers for every text question, and choices for every choice', () => {
    const questions = jobTexts.flatMap((jobText) => jobText.questions ?? []);
    const beginnings = applicationTexts.writtenAnswers.map(({ begins }) => begins);
    expect(beginnings.at(-1)).toBe('');
    const unanswered = questions.filter(
      ({ kind, prompt }) =>
        kind === 'text' && !beginnings.slice(0, -1).some((begins) => prompt.startsWith(begins)),
    );
    expect(unanswered.map(({ prompt }) => prompt)).toEqual([]);
    expect(questions.filter(({ kind, choices }) => (kind === 'choice') !== choices.length > 1)).toEqual([]);
    for (const { begins } of applicationTexts.writtenAnswers.slice(0, -1))
      expect(questions.some(({ kind, prompt }) => kind === 'text' && prompt.startsWith(begins))).toBe(true);
  });

  it('reply only to earlier lines of a conversation', () => {
    for (const talk of Object.values(conversations.talks))
      for (const [index, { answers }] of talk.entries()) expect(answers ?? -1).toBeLessThan(index);
  });

  it('respect the limits of a job', () => {
    for (const { titles, leads, details, questions } of jobTexts) {
      for (const title of titles) expect(title.length).toBeLessThanOrEqual(hiringLimits.titleMax);
      expect([...leads, ...details].join(' ').length).toBeLessThanOrEqual(hiringLimits.descriptionMax);
      expect(questions?.length ?? 0).toBeLessThanOrEqual(hiringLimits.questionsMax);
    }
  });
});
