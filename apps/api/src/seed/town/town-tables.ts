import { readFileSync } from 'node:fs';
import { questionKinds } from '@nearhand/contract/hiring/job-posting';
import { categoryIds, skillIds } from '@nearhand/contract/people/taxonomy';
import { quickReply } from '@nearhand/contract/talk/conversations';
import { reactions } from '@nearhand/contract/talk/messages';
import { z } from 'zod';
import { emblemNames } from '../pictures/emblems.ts';

const text = z.string().min(1);
const texts = z.array(text).min(1);
const category = z.enum(categoryIds);
const time = z.string().regex(/^\d\d:\d\d$/);
const range = z
  .tuple([z.int().positive(), z.int().positive()])
  .refine(([min, max]) => min <= max, 'the minimum comes first');

const question = z.strictObject({
  prompt: text,
  kind: z.enum(questionKinds),
  choices: z.array(text).default([]),
  required: z.boolean().default(true),
});

/** Each job uses part of its text, so two jobs of one trade read differently. */
const jobText = z.strictObject({
  trade: category,
  titles: texts,
  tag: text.optional(),
  /** One for each title, or one for all. */
  leads: texts,
  details: texts,
  requirements: texts,
  skills: z.array(z.enum(skillIds)).min(1),
  /** Euro cents: per hour for a shift, in total for a task. */
  pay: range,
  /** Local times; an end before its start is on the next day. Without hours it is a task. */
  hours: z
    .array(z.tuple([time, time]))
    .min(1)
    .optional(),
  days: z.enum(['weekdays', 'weekend']).optional(),
  spots: range.optional(),
  breakMinutes: z.int().positive().optional(),
  /** The place is someone's home, whose address strangers see blurred. */
  atHome: z.literal(true).optional(),
  questions: z.array(question).optional(),
});

/** All businesses are invented; the streets are real. */
const business = z.strictObject({
  name: text,
  emblem: z.enum(emblemNames),
  street: text,
  number: z.int().positive(),
  category,
  also: z.array(category).optional(),
  /** A job text may require one of these. */
  tags: texts.optional(),
  description: text,
  atHome: z.literal(true).optional(),
  company: z
    .strictObject({ registrationNumber: z.string(), vatId: z.string(), postcode: z.string() })
    .optional(),
  verified: z.literal(false).optional(),
  /** Businesses with the same word have the same owner. */
  owner: z.literal('nadia').optional(),
});

/** Any first name of a group goes with any last name. */
const nameGroup = z.strictObject({ language: z.string().length(2), first: texts, last: texts });

/** A point on a street of Amsterdam, to about 100 m. */
const street = z.strictObject({
  name: text,
  quarter: text,
  lat: z.number().min(52).max(53),
  lng: z.number().min(4).max(6),
});

/** Names no place or time, since it must fit any job. */
const talkLine = z.strictObject({
  by: z.enum(['worker', 'business']),
  says: text,
  photo: z.literal(true).optional(),
  /** The index of the earlier line it replies to. */
  answers: z.int().min(0).optional(),
  reaction: z.enum(reactions).optional(),
});

const talk = z.array(talkLine).min(1);
const conversations = z.strictObject({
  quickReplies: z.array(quickReply).min(1),
  talks: z.strictObject({
    offer: talk,
    booked: talk,
    recent: talk,
    old: talk,
    applied: talk,
    candidate: talk,
    today: talk,
    delivered: talk,
  }),
});

/** A sentence from each list, with `{name}`, `{quarter}` and `{years}` filled in. */
const applicationTexts = z.strictObject({
  openings: texts,
  middles: texts,
  closings: z.array(z.string()).min(1),
  /** Matched by how the question begins. The last entry fits any. */
  writtenAnswers: z.array(z.strictObject({ begins: z.string(), answers: texts })).min(1),
});

const sideReviews = z.strictObject({
  good: z.array(z.string()).min(1),
  fair: z.array(z.string()).min(1),
  poor: z.array(z.string()).min(1),
});
const reviews = z.strictObject({ worker: sideReviews, business: sideReviews });

/** Biographies by main trade, with `{years}` filled in. */
const bios = z.record(category, texts);

export type JobText = z.infer<typeof jobText>;
export type TownBusiness = z.infer<typeof business>;
export type NameGroup = z.infer<typeof nameGroup>;
export type Street = z.infer<typeof street>;
export type TalkLine = z.infer<typeof talkLine>;
export type TownTables = ReturnType<typeof readTables>;

const jobTextFiles = ['guests', 'goods', 'buildings', 'grounds', 'people', 'desks'];

function readTables() {
  return {
    jobTexts: jobTextFiles.flatMap((name) => readTable(`job-texts/${name}`, z.array(jobText))),
    businesses: readTable('businesses', z.array(business)),
    nameGroups: readTable('names', z.array(nameGroup).min(1)),
    bios: readTable('bios', bios),
    streets: readTable('streets', z.array(street)),
    conversations: readTable('conversations', conversations),
    applicationTexts: readTable('application-texts', applicationTexts),
    reviews: readTable('reviews', reviews),
  };
}

function readTable<Shape extends z.ZodType>(name: string, shape: Shape): z.infer<Shape> {
  const file = new URL(`../tables/${name}.json`, import.meta.url);
  const result = shape.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!result.success) throw new Error(`seed/tables/${name}.json: ${z.prettifyError(result.error)}`);
  return result.data;
}

let tables: TownTables | undefined;

export function townTables(): TownTables {
  tables ??= readTables();
  return tables;
}

export function streetNamed(name: string): Street {
  const street = townTables().streets.find((entry) => entry.name === name);
  if (!street) throw new Error(`the demo town has no street called ${name}`);
  return street;
}
