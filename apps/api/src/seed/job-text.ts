import type { JobDraft } from '@nearhand/contract/jobs';
import type { CategoryId, SkillId } from '@nearhand/contract/taxonomy';

type Question = NonNullable<JobDraft['questions']>[number];

/** What a kind of work is told with; each job takes some of it, so that two jobs of one trade do not read alike. */
export type JobText = {
  trade: CategoryId;
  titles: readonly string[];
  /** Only for businesses that say this word of themselves. */
  only?: string;
  /** As many as titles where each title has its own. */
  lead: readonly string[];
  details: readonly string[];
  bring: readonly string[];
  skills: readonly SkillId[];
  /** Euro cents: an hour of a shift, the whole of a task. */
  pay: readonly [least: number, most: number];
  /** Wall-clock hours of a shift; an end before its start is the next day's. Without hours it is a task. */
  hours?: readonly (readonly [start: string, end: string])[];
  days?: 'weekdays' | 'weekend';
  seats?: readonly [least: number, most: number];
  breakMinutes?: number;
  /** At the address of somebody’s home, which strangers see blurred. */
  atHome?: true;
  questions?: readonly Question[];
};

export const yesNo = (prompt: string): Question => ({ prompt, kind: 'yes_no', choices: [], required: true });
export const inWords = (prompt: string, required = true): Question => ({
  prompt,
  kind: 'text',
  choices: [],
  required,
});
export const inNumbers = (prompt: string): Question => ({
  prompt,
  kind: 'number',
  choices: [],
  required: true,
});
export const oneOf = (prompt: string, ...choices: string[]): Question => ({
  prompt,
  kind: 'choice',
  choices,
  required: true,
});
